import Foundation
import RealmEngine
import TestSupport
import Testing

@Suite("Headers and snapshots")
struct HeaderTests {
  /// A realm whose only class has `rowCount` objects; returns the place of its top array.
  private static func append(_ rowCount: Int, to bytes: inout RealmBytes) -> Int {
    let leaf = bytes.integers((0..<rowCount).map(Int64.init))
    let column = RealmBytes.Column("n", key: RealmBytes.columnKey(0, type: 0), leaf: leaf)
    let clusters = bytes.cluster(rowCount: rowCount, leaves: [leaf])
    let table = bytes.table(slot: 0, columns: [column], clusters: clusters)
    return bytes.top(["class_T"], tables: [table])
  }

  private static func count(_ file: [UInt8], snapshot: SnapshotChoice = .current) throws -> Int? {
    try database(file, snapshot: snapshot).transaction.table(named: "T")?.count
  }

  private static func failure(_ file: [UInt8], snapshot: SnapshotChoice = .current) -> EngineError.Kind? {
    do {
      _ = try database(file, snapshot: snapshot)
      return nil
    } catch {
      return (error as? EngineError)?.kind
    }
  }

  @Test("the selector chooses the slot, and the other slot is the version before", arguments: [0, 1])
  func slots(slot: Int) throws {
    var bytes = RealmBytes()
    let older = Self.append(2, to: &bytes)
    let newer = Self.append(3, to: &bytes)
    var file = bytes.file(top: newer, slot: slot)
    #expect(try Self.count(file) == 3)
    #expect(Self.failure(file, snapshot: .previous) == .notFound)
    let other = bytes.file(top: older, slot: 1 - slot)
    file.replaceSubrange(
      (1 - slot) * 8..<(1 - slot) * 8 + 8, with: other[(1 - slot) * 8..<(1 - slot) * 8 + 8])
    file[20 + 1 - slot] = 24
    #expect(try Self.count(file) == 3)
    #expect(try Self.count(file, snapshot: .previous) == 2)
    // What stands in the other slot does not matter.
    file[(1 - slot) * 8] = 3
    file[20 + 1 - slot] = 99
    #expect(try Self.count(file) == 3)
  }

  @Test("a copy is named by its footer and has no version before")
  func streaming() throws {
    var bytes = RealmBytes()
    let top = Self.append(4, to: &bytes)
    let file = bytes.streamingFile(top: top)
    #expect(try Self.count(file) == 4)
    #expect(Self.failure(file, snapshot: .previous) == .notFound)
    for lost in [1, 8, 16, 17] { #expect(Self.failure(file.dropLast(lost)) == .damaged, "\(lost)") }
    #expect(Self.failure(bytes.streamingFile(top: top + 4)) == .damaged)
    #expect(Self.failure(bytes.streamingFile(top: file.count - 16)) == .damaged)
  }

  @Test("a realm that nothing was stored in yet is empty, in both forms")
  func noSnapshot() throws {
    let empty = try database(RealmBytes().file(top: 0))
    #expect(empty.transaction.classes(allTables: true).isEmpty && empty.transaction.top == nil)
    let streaming = try database(RealmBytes().streamingFile(top: 0, format: 0))
    #expect(streaming.transaction.schemaVersion == nil)
  }

  @Test("tops that are nowhere, unaligned or no top are damage")
  func wrongTops() throws {
    var bytes = RealmBytes()
    let top = Self.append(1, to: &bytes)
    for wrong in [top + 4, 8, bytes.bytes.count, bytes.bytes.count + 4096, 1 << 60, top - 8] {
      #expect(Self.failure(bytes.file(top: wrong)) == .damaged, "\(wrong)")
    }
  }

  @Test("formats that are too new or were never written are told apart")
  func formats() throws {
    var bytes = RealmBytes()
    let top = Self.append(1, to: &bytes)
    for format in 0...255 {
      let failure = Self.failure(bytes.file(top: top, format: UInt8(format)))
      switch format {
      case 25...: #expect(failure == .formatTooNew, "\(format)")
      case 10, 11, 20...24: #expect(failure == nil, "\(format)")
      case 0, 1, 12...19: #expect(failure == .notARealm, "\(format)")
      default: break
      }
    }
  }

  @Test("what is no realm says what it is instead")
  func otherFiles() throws {
    func message(_ content: [UInt8]) -> String {
      do {
        _ = try database(content)
        return ""
      } catch {
        return (error as? EngineError).map { "\($0.kind): \($0.message)" } ?? ""
      }
    }
    #expect(message([]).contains("empty"))
    #expect(message([7]).contains("only 1 byte"))
    #expect(message([UInt8](repeating: 0, count: 100)).contains("zeros"))
    #expect(message(Array("SQLite format 3\0 and more bytes".utf8)).contains("SQLite"))
    #expect(message([0x1F, 0x8B, 8] + [UInt8](repeating: 9, count: 40)).contains("gunzip"))
    #expect(message(Array("{\"json\": \"of more than 24 bytes\"}".utf8)).contains("JSON"))
    var random = SplitMix64(state: 11)
    let noise = (0..<8192).map { _ in UInt8.random(in: 1...255, using: &random) }
    // The counter that encrypted realms begin with may be a character that texts begin with.
    for first in UInt8.min...(.max) {
      #expect(message([first] + noise[1...]).hasPrefix("keyMissing"), "\(first)")
    }
  }
}
