// Files of the reference engine break no rule.

import RealmEngine
import Testing

@Suite("Inspection of sound files")
struct SoundFileTests {
  @Test(
    "plain files of the reference engine are sound",
    arguments: ["alltypes.realm", "bare.realm", "empty.realm", "evolved.realm", "place.realm", "zoo.realm"])
  func plain(_ name: String) throws {
    let report = try FileInspection.inspect(FixtureFile.path(name))
    #expect(report.findings.isEmpty, "\(report.findings)")
    #expect(report.isSound && !report.isIncomplete)
    #expect(report.format == 24)
    #expect(
      report.statistics.nodeBytes + report.statistics.freeBytes + 24 == report.logicalSize,
      "F-9: no byte is left")
  }

  @Test(
    "encrypted files and files of older formats are sound",
    arguments: [
      ("zoo-encrypted.realm", 24), ("format11-encrypted.realm", 11), ("format22-encrypted.realm", 22),
    ])
  func encrypted(_ name: String, _ format: Int) throws {
    let report = try FileInspection.inspect(FixtureFile.path(name), key: try FixtureFile.key())
    #expect(report.findings.isEmpty, "\(report.findings)")
    #expect(report.format == format && report.isEncrypted)
    #expect(report.statistics.objectCount > 100 && report.statistics.linkCount > 100)
  }

  @Test("a file of a format before clusters is sound")
  func legacy() throws {
    let report = try FileInspection.inspect(FixtureFile.path("legacy9-small.realm"))
    #expect(report.findings.isEmpty, "\(report.findings)")
    #expect(report.format == 9 && report.statistics.tableCount == 5)
  }

  @Test("everything is walked: objects, values, links, index entries")
  func statistics() throws {
    let statistics = try FileInspection.inspect(FixtureFile.path("zoo.realm")).statistics
    #expect(statistics.tableCount == 4)
    #expect(statistics.objectCount == 361)
    #expect(statistics.linkCount > 300)
    #expect(statistics.indexCount == 3)
    #expect(statistics.indexEntryCount == 500, "every person by key and name, every address by city")
  }

  @Test("a file cannot be inspected without its key, with a wrong one, or when it is none")
  func refusals() throws {
    func kind(_ name: String, key: EncryptionKey? = nil) -> EngineError.Kind? {
      do throws(EngineError) {
        _ = try FileInspection.inspect(FixtureFile.path(name), key: key)
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind("zoo-encrypted.realm") == .keyMissing)
    #expect(kind("zoo-encrypted.realm", key: EncryptionKey([UInt8](repeating: 7, count: 64))) == .keyWrong)
    #expect(kind("zoo.realm.jsonl") == .notARealm)
    #expect(kind("nothing.realm") == .notFound)
  }
}
