import Foundation
import TestSupport
import Testing

/// Files that cannot be read: the message names the cause, the status is the one that scripts rely on.
@Suite("Bad input")
struct BadInputTests {
  /// A file to make, and what every reading command says of it.
  struct Case: Sendable, CustomTestStringConvertible {
    let what: String
    let content: @Sendable () throws -> Data
    let words: [String]
    let status: Int32
    let cause: String

    var testDescription: String { what }

    init(
      _ what: String, _ content: @autoclosure @escaping @Sendable () throws -> Data, _ status: Int32,
      _ cause: String, with words: [String] = []
    ) {
      self.what = what
      self.content = content
      self.words = words
      self.status = status
      self.cause = cause
    }
  }

  private static func fixture(_ name: String) throws -> Data {
    try Data(contentsOf: RealmProcess.fixtures.appendingPathComponent(name))
  }

  private static func zoo(replacing offset: Int, with bytes: [UInt8]) throws -> Data {
    var data = try fixture("zoo.realm")
    data.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    return data
  }

  private static let keyFile = ["--key-file", RealmProcess.fixtures.appendingPathComponent("key.hex").path]

  static let cases = [
    Case("empty", Data(), 3, "is empty"),
    Case("one byte", Data([0x07]), 3, "only 1 byte"),
    Case("text", Data("hello, I am no realm at all".utf8), 3, "is a text file, not a realm file"),
    Case("text cut in a character", Data("a few words more than 2ä".utf8), 3, "is a text file"),
    Case("text that is not UTF-8", Data([UInt8](repeating: 0xFF, count: 64)), 3, "T-DB"),
    Case("zeros", Data(count: 8192), 3, "begins with zeros"),
    Case("SQLite", Data("SQLite format 3\0 and what follows".utf8), 3, "an SQLite database"),
    Case("cut off", try fixture("zoo.realm").prefix(100_000), 3, "truncated"),
    Case("cut off in the header", try fixture("zoo.realm").prefix(20), 3, "only 20 bytes"),
    Case("format 25", try zoo(replacing: 20, with: [25, 25]), 5, "format 25 is newer"),
    Case("format 1", try zoo(replacing: 20, with: [1, 1]), 3, "format 1"),
    Case("no magic", try zoo(replacing: 16, with: Array("t-db".utf8)), 3, "T-DB"),
    Case("a top that is nowhere", try zoo(replacing: 0, with: [8, 0, 0, 0, 0, 0, 0, 8]), 3, "damaged"),
    Case("encrypted, without a key", try fixture("zoo-encrypted.realm"), 4, "a key is required"),
    Case(
      "encrypted, with a wrong key", try fixture("zoo-encrypted.realm"), 4, "wrong encryption key",
      with: ["--key-command", "printf '%0128d' 7"]),
    Case(
      "encrypted, with a key of wrong length", try fixture("zoo-encrypted.realm"), 4,
      "126 hexadecimal digits", with: ["--key-command", "printf '%0126d' 7"]),
    Case("plain, with a key", try fixture("zoo.realm"), 4, "is not encrypted", with: keyFile),
  ]

  @Test("the message names the cause and the status tells it to scripts", arguments: cases)
  func refusal(input: Case) throws {
    let scratch = try ScratchFolder()
    let file = scratch.url.appendingPathComponent("input.realm")
    try input.content().write(to: file)
    for command in [["dump"], ["info"], ["schema"], ["get", "--key", "1"]] {
      let operands = [file.path] + (command[0] == "get" ? ["Person"] : [])
      let result = try RealmProcess.run(
        RealmProcess.executable, command + input.words + operands, in: scratch.url)
      #expect(result.status == input.status, "\(command): \(result)")
      #expect(result.errorText.contains("realm-cli: "), "\(result)")
      #expect(result.errorText.contains(input.cause), "\(command): \(result)")
      #expect(command[0] == "info" || result.output.isEmpty, "\(result)")
    }
  }

  @Test("directories, missing files and files of others")
  func places() throws {
    let scratch = try ScratchFolder()
    #expect(try RealmProcess.run("dump", scratch.url.path).status == 3)
    let missing = try RealmProcess.run("dump", scratch.url.appendingPathComponent("none.realm").path)
    #expect(missing.status == 10 && missing.errorText.contains("No such file"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).isEmpty)
    let secret = scratch.url.appendingPathComponent("secret.realm")
    try Self.fixture("bare.realm").write(to: secret)
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: secret.path)
    // The superuser may read everything.
    if getuid() != 0 {
      let refused = try RealmProcess.run("dump", secret.path)
      #expect(refused.status == 10 && refused.errorText.contains("Permission denied"))
    }
  }

  @Test("a name with a newline and bytes that are not UTF-8 is shown harmlessly")
  func names() throws {
    let result = try RealmProcess.run("dump", "no\nsuch\u{1B}[2Jfile")
    #expect(result.status == 10)
    #expect(!result.errorText.dropLast().contains { $0 == "\n" || $0 == "\u{1B}" })
  }
}
