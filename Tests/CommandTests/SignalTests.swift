// How the program ends when it is told to, or when a file shrinks under it.

import CPlatform
import Foundation
import RealmEngine
import TestSupport
import Testing

@Suite("Signals")
struct SignalTests {
  private func scene() throws -> ScratchFolder {
    let folder = try ScratchFolder()
    try folder.addFixtures()
    return folder
  }

  @Test(
    "SIGTERM and its like end the program as the caller expects",
    arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGALRM])
  func signals(number: Int32) throws {
    let folder = try scene()
    let process = Process()
    process.executableURL = RealmProcess.executable
    process.arguments = ["__names", "classes", "zoo-encrypted.realm", "--key-file", "-"]
    process.currentDirectoryURL = folder.url
    process.environment = RealmProcess.bareEnvironment
    let input = Pipe()
    process.standardInput = input
    process.standardError = FileHandle.nullDevice
    try process.run()
    // It waits for a key that never comes; the signal may even arrive before the handlers are there.
    usleep(50_000)
    kill(process.processIdentifier, number)
    process.waitForExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == number)
  }

  @Test(
    "a directory that was made for results goes with them", arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
  func madeDirectory(number: Int32) throws {
    let folder = try scene()
    let directory = folder.url.appendingPathComponent("ex")
    let process = Process()
    process.executableURL = RealmProcess.executable
    // It makes the directory, then waits for a key that never comes.
    process.arguments = ["export", "zoo-encrypted.realm", "-o", "ex/", "--key-file", "-"]
    process.currentDirectoryURL = folder.url
    process.environment = RealmProcess.bareEnvironment
    let input = Pipe()
    process.standardInput = input
    process.standardError = FileHandle.nullDevice
    try process.run()
    #expect(awaited { FileManager.default.fileExists(atPath: directory.path) })
    usleep(50_000)
    kill(process.processIdentifier, number)
    process.waitForExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == number)
    #expect(!FileManager.default.fileExists(atPath: directory.path))
  }

  @Test("a signal that was ignored at the start stays ignored")
  func ignored() throws {
    let folder = try scene()
    let result = try RealmProcess.run(
      URL(fileURLWithPath: "/bin/sh"),
      [
        "-c",
        "trap '' HUP; (sleep 0.1; cat key.hex) | '\(RealmProcess.executable.path)' __names classes zoo-encrypted.realm --key-file - & sleep 0.05; kill -HUP $!; wait $!",
      ],
      in: folder.url)
    #expect(result.status == 0, "\(result)")
    #expect(result.outputText == "Address\nDog\nPerson\n")
  }

  @Test("while a key is held there are no core files, and it stands in locked memory")
  func keyMemory() throws {
    let key = try #require(EncryptionKey([UInt8](repeating: 7, count: EncryptionKey.size)))
    try withExtendedLifetime(key) {
      let limits = try String(contentsOfFile: "/proc/self/limits", encoding: .utf8).split(separator: "\n")
      let cores = try #require(limits.first { $0.hasPrefix("Max core file size") })
      #expect(cores.split(separator: " ").dropFirst(4).first == "0", "\(cores)")
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
      let locked = try #require(status.first { $0.hasPrefix("VmLck:") })
      #expect(!locked.hasSuffix("\t       0 kB"), "\(locked)")
    }
  }

  @Test("a file that shrinks under a helper thread ends the program in the same way")
  func shrinkingFileOfHelper() async {
    await #expect(processExitsWith: .exitCode(6)) {
      platform_install_signal_handlers()
      let file = try #require(tmpfile())
      #expect(ftruncate(fileno(file), 8192) == 0)
      let content = try #require(MemoryImage.mapping(descriptor: fileno(file), size: 8192))
      #expect(ftruncate(fileno(file), 0) == 0)
      ParallelWork.run(workers: 2) { worker in
        // The caller waits for its helper.
        if worker == 1, content.bytes[4096] == 1 { print("nothing can be read there") }
      }
    }
  }

  @Test("a file that shrinks while it is read ends the program with a message and status 6")
  func shrinkingFile() throws {
    let folder = try scene()
    let process = Process()
    process.executableURL = RealmProcess.executable
    process.arguments = ["dump", "zoo.realm"]
    process.currentDirectoryURL = folder.url
    process.environment = RealmProcess.bareEnvironment
    let output = Pipe()
    let error = Pipe()
    process.standardOutput = output
    process.standardError = error
    try process.run()
    // The dump is larger than a pipe holds, so the program waits for its reader in the midst of the file.
    _ = try output.fileHandleForReading.read(upToCount: 1)
    #expect(truncate(folder.url.appendingPathComponent("zoo.realm").path, 4096) == 0)
    _ = output.fileHandleForReading.readDataToEndOfFile()
    let message = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitForExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 6)
    #expect(message.hasPrefix("realm-cli: "))
    #expect(message.contains("while it was read"))
  }
}
