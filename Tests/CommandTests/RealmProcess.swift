// Runs the real program for the tests of commands: arguments, standard input and environment in; standard output,
// standard error and exit status out.

import Foundation
import TestSupport

/// What a process left behind.
struct ProcessResult: Equatable, CustomStringConvertible {
  var output: Data
  var error: Data
  /// 128+n after a signal, as shells count.
  var status: Int32

  var outputText: String { String(decoding: output, as: UTF8.self) }
  var errorText: String { String(decoding: error, as: UTF8.self) }
  var description: String { "status \(status)\nstdout: \(outputText)\nstderr: \(errorText)" }
}

enum RealmProcess {
  /// REALM_CLI names the executable; otherwise it stands beside the test bundle.
  static let executable: URL = {
    if let path = ProcessInfo.processInfo.environment["REALM_CLI"] {
      return URL(fileURLWithPath: path).standardizedFileURL
    }
    let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    return products.appendingPathComponent("realm-cli")
  }()

  static let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static let fixtures = packageRoot.appendingPathComponent("fixtures")

  /// Runs `realm-cli` with `arguments`.
  static func run(
    _ arguments: String..., input: String = "", environment: [String: String] = [:], in folder: URL? = nil
  ) throws -> ProcessResult {
    try run(
      executable, arguments, input: Data(input.utf8), environment: environment, in: folder ?? fixtures)
  }

  /// Takes arguments that are put together elsewhere.
  static func run(_ arguments: [String], in folder: URL) throws -> ProcessResult {
    try run(executable, arguments, in: folder)
  }

  /// Runs any program in a small, fixed environment, so that a test means the same on every machine.
  static func run(
    _ program: URL, _ arguments: [String], input: Data = Data(), environment: [String: String] = [:],
    in folder: URL
  ) throws -> ProcessResult {
    let scratch = try ScratchFolder()
    let files = try ["in", "out", "err"].map { name in
      let file = scratch.url.appendingPathComponent(name)
      try (name == "in" ? input : Data()).write(to: file)
      return file
    }
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = fixedEnvironment.merging(environment) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    try process.run()
    let number = process.processIdentifier
    // It is kept to its time even where it is called off, and must not keep the files of the process open.
    let hanging = DispatchWorkItem { kill(number, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(longestRun), execute: hanging)
    process.waitUntilExit()
    hanging.cancel()
    let wasSignal = process.terminationReason == .uncaughtSignal
    return ProcessResult(
      output: try Data(contentsOf: files[1]), error: try Data(contentsOf: files[2]),
      status: process.terminationStatus + (wasSignal ? 128 : 0))
  }

  /// Seconds after which a program hangs: it is killed, so that its test fails instead of holding up all the others. Far
  /// more than any takes, on a busy machine under a sanitizer too.
  private static let longestRun = 900

  static let fixedEnvironment = bareEnvironment.merging([
    "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC", "TERM": "dumb",
    "REALM_VERIFY": "1",
  ]) { $1 }

  /// No more than what tests need to end. The backtracer can hold a crash for minutes, and a sanitizer that the program was
  /// built with has settings, and something that goes with it.
  static let bareEnvironment = ProcessInfo.processInfo.environment
    .filter { ["ASAN_OPTIONS", "TSAN_OPTIONS", "LD_PRELOAD"].contains($0.key) }
    .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
}

extension ScratchFolder {
  /// Puts copies of the bundled realms into the folder, writable, the key readable by the user alone.
  func addFixtures() throws {
    let manager = FileManager.default
    for name in try manager.contentsOfDirectory(atPath: RealmProcess.fixtures.path) {
      let source = RealmProcess.fixtures.appendingPathComponent(name)
      guard try source.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile ?? false else { continue }
      let copy = url.appendingPathComponent(name)
      try manager.copyItem(at: source, to: copy)
      let permissions = name.hasPrefix("key") ? 0o600 : 0o644
      try manager.setAttributes([.posixPermissions: permissions], ofItemAtPath: copy.path)
    }
  }
}
