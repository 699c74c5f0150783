import Foundation
import TestSupport
import Testing

/// Reading leaves no trace, and reads the same whichever way the bytes come.
@Suite("Reading")
struct ReadingTests {
  private struct Traces: Equatable {
    var content: Data
    var modified: timespec
    var accessed: timespec
    var names: [String]
    var folderModified: timespec

    init(_ file: URL) throws {
      let folder = file.deletingLastPathComponent()
      content = try Data(contentsOf: file)
      var status = stat()
      guard stat(file.path, &status) == 0 else { throw CocoaError(.fileReadUnknown) }
      modified = status.st_mtim
      accessed = status.st_atim
      guard stat(folder.path, &status) == 0 else { throw CocoaError(.fileReadUnknown) }
      folderModified = status.st_mtim
      names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    static func == (left: Traces, right: Traces) -> Bool {
      func same(_ left: timespec, _ right: timespec) -> Bool {
        left.tv_sec == right.tv_sec && left.tv_nsec == right.tv_nsec
      }
      return left.content == right.content && same(left.modified, right.modified)
        && same(left.accessed, right.accessed) && left.names == right.names
        && same(left.folderModified, right.folderModified)
    }
  }

  @Test(
    "reading changes neither the file, nor its times, nor its folder",
    arguments: ["zoo.realm", "zoo-encrypted.realm", "legacy9-small.realm"])
  func noTraces(name: String) throws {
    let scratch = try ScratchFolder()
    try scratch.addFixtures()
    let folder = scratch.url.appendingPathComponent("data")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let file = folder.appendingPathComponent(name)
    try FileManager.default.copyItem(at: scratch.url.appendingPathComponent(name), to: file)
    let key =
      name.contains("encrypted") ? ["--key-file", scratch.url.appendingPathComponent("key.hex").path] : []
    // Long ago, so that any access would show whatever the system's rules for access times are.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: file.path)
    _ = try Traces(file)
    let before = try Traces(file)
    let className = name.hasPrefix("zoo") ? "Person" : "Tag"
    for words in [["dump"], ["info", "--sizes"], ["schema", "--fingerprint"], ["dump", "--all-tables"]] {
      let result = try RealmProcess.run(RealmProcess.executable, words + key + [file.path], in: scratch.url)
      #expect(result.status == 0, "\(result)")
    }
    let got = try RealmProcess.run(
      RealmProcess.executable, ["get", "--key", "1"] + key + [file.path, className], in: scratch.url)
    #expect(got.status == 0, "\(got)")
    #expect(try Traces(file) == before)
  }

  @Test("an encrypted copy has the dump of the plain file, and standard input that of the file")
  func sameDump() throws {
    let plain = try RealmProcess.run("dump", "zoo.realm")
    #expect(plain.status == 0)
    let encrypted = try RealmProcess.run("dump", "zoo-encrypted.realm", "--key-file", "key.hex")
    #expect(encrypted.output == plain.output)
    let content = try Data(contentsOf: RealmProcess.fixtures.appendingPathComponent("zoo.realm"))
    let streamed = try RealmProcess.run(
      RealmProcess.executable, ["dump", "-"], input: content, in: RealmProcess.fixtures)
    #expect(streamed.output == plain.output)
  }

  @Test("a file that shrinks while it is read ends the process with status 6")
  func shrinking() throws {
    let scratch = try ScratchFolder()
    let file = scratch.url.appendingPathComponent("shrinking.realm")
    try Data(contentsOf: RealmProcess.fixtures.appendingPathComponent("zoo.realm")).write(to: file)
    // The reader waits for the pipe to be read; meanwhile the file loses its end.
    let script = """
      { "$REALM_PROGRAM" dump shrinking.realm; echo "status $?" >&2; } |
        { head -c 1 >/dev/null; truncate -s 4096 shrinking.realm; cat >/dev/null; }
      """
    let result = try RealmProcess.run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", script],
      environment: ["REALM_PROGRAM": RealmProcess.executable.path], in: scratch.url)
    #expect(result.errorText.contains("status 6"), "\(result)")
  }
}
