import Foundation
import RealmEngine
import Rendering
import Testing

@Suite("Dumps")
struct DumpTests {
  static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("fixtures")

  static func dump(_ name: String, key: EncryptionKey? = nil) throws -> [UInt8] {
    let path = FilePath(fixtures.appendingPathComponent(name).path)
    let database = try Database.open(path, key: key)
    let collector = OutputBufferTests.Collector()
    var out = OutputBuffer { collector.pieces.append($0.bytes) }
    try DumpWriter(database.transaction, allTables: false).write(to: &out)
    try out.flush()
    return collector.all
  }

  static func key() throws -> EncryptionKey {
    let text = try String(contentsOf: fixtures.appendingPathComponent("key.hex"), encoding: .utf8)
    let digits = Array(text.utf8.prefix(128))
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
    }
    return try #require(EncryptionKey(bytes))
  }

  /// A line's value, with floats and decimals as the numbers they stand for.
  private static func value(_ line: Substring) throws -> NSObject {
    func normal(_ value: Any) -> Any {
      guard let object = value as? [String: Any] else {
        return (value as? [Any]).map { $0.map(normal) } ?? value
      }
      if let number = object["$float"] as? NSNumber { return ["$float": number.floatValue] }
      if let text = object["$decimal"] as? String {
        let decimal = Decimal128(text: text.utf8.span)
        return ["$decimal": "\(decimal?.high ?? 0) \(decimal?.low ?? 0)"]
      }
      return object.mapValues(normal)
    }
    let read = try JSONSerialization.jsonObject(with: Data(line.utf8))
    return try #require(normal(read) as? NSObject)
  }

  @Test(
    "a dump says what the reference engine sees",
    arguments: ["zoo", "alltypes", "bare", "empty", "evolved", "place"])
  func conformance(name: String) throws {
    let dump = String(decoding: try Self.dump("\(name).realm"), as: UTF8.self)
    let file = Self.fixtures.appendingPathComponent("\(name).realm.jsonl")
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(dump.hasSuffix("\n"))
    let lines = dump.split(separator: "\n")
    let expectedLines = expected.split(separator: "\n")
    #expect(lines.count == expectedLines.count)
    for (line, expectedLine) in zip(lines, expectedLines) {
      #expect(try Self.value(line) == Self.value(expectedLine))
    }
  }

  @Test("an encrypted copy has the dump of the plain file")
  func encryption() throws {
    let plain = try Self.dump("zoo.realm")
    #expect(try Self.dump("zoo-encrypted.realm", key: Self.key()) == plain)
  }
}
