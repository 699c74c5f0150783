// Files that were made to keep salvage busy: what they claim is far more than they have room for.

import RealmEngine
import RealmRecovery
import Testing

@Suite("Salvage of hostile files")
struct HostileSalvageTests {
  private static let nodes = 20_000

  private func recovered(_ bytes: [UInt8]) throws -> Salvage {
    try Salvage(try SalvageFile.open(FilePath("test"), content: MemoryImage.holding(bytes), key: nil))
  }

  private func header(_ flags: UInt8, count: Int) -> [UInt8] {
    [0x41, 0x41, 0x41, 0x41, flags, UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
  }

  /// Nodes of refs at every eighth byte, and what their elements need behind the last one. None of these is a ref.
  private var overlapping: [UInt8] {
    let count = 8 * Self.nodes
    let headers = (0..<Self.nodes).flatMap { _ in header(RealmSurgeon.refs | 4, count: count) }
    return headers + [UInt8](repeating: 0, count: count)
  }

  /// What leads to the nodes in a blob at `offset`.
  private func refs(_ offset: Int) -> [Int] { (1...Self.nodes).map { offset + 8 * $0 } }

  @Test("nodes that overlap are not looked through one by one")
  func overlappingNodes() throws {
    let realm = try RealmSurgeon("zoo.realm")
    let content = overlapping
    let blob = realm.append(kind: 2, count: content.count, content)
    // No slot that a table has leads anywhere.
    let slots = [Int64](repeating: 0, count: 16) + refs(blob).map(Int64.init)
    realm.put(Int64(realm.append(flags: RealmSurgeon.refs, slots)), at: realm.table("Dog"))
    let salvage = try recovered(realm.bytes)
    #expect(!salvage.isSound && !salvage.classes.isEmpty)
  }

  @Test("nodes of an old file that overlap are not, either")
  func overlappingOldNodes() throws {
    let builder = OldFileBuilder()
    let list = builder.refs(refs(builder.blob(overlapping)))
    let column = OldFileBuilder.Column(
      type: 13, details: [OldFileBuilder.tagged(0)], root: builder.refs([list]))
    let table = builder.table([column])
    // With a table lost, parts of one are looked for outside of all that leads to something.
    let bytes = builder.file([("class_A", table), ("class_B", builder.integers([1, 2, 3]))])
    #expect(try !recovered(bytes).isSound)
  }

  @Test("children that all begin at the same key are passed once")
  func equalStarts() throws {
    let realm = try RealmSurgeon("zoo.realm")
    let none = [Int64](repeating: 0, count: 1 << 16)
    let starts = realm.append(width: 0, none)
    let inner = realm.append(flags: RealmSurgeon.inner | RealmSurgeon.refs, [Int64(starts), 3, 3] + none)
    realm.put(Int64(inner), at: realm.table("Dog") + [2])
    #expect(try recovered(realm.bytes).log.count >= none.count)
  }

  @Test("one tree without clusters is not searched for table after table")
  func equalTrees() throws {
    let realm = try RealmSurgeon("zoo.realm")
    let none = [Int64](repeating: 0, count: 1 << 16)
    let inner = realm.append(flags: RealmSurgeon.inner | RealmSurgeon.refs, [0, 3, 3] + none)
    // The spec is none.
    let lost = realm.append([1])
    let slots = [lost, 0, inner, 3, 0, 1, 1, 0, 0, 0, 0, 0]
    let content = slots.flatMap { OldFileBuilder.littleEndian(UInt32($0)) }
    let top = header(RealmSurgeon.refs | 6, count: slots.count) + content
    let tops = (0..<Self.nodes).flatMap { _ in top }
    _ = realm.append(kind: 2, count: tops.count, tops)
    realm.put(Int64(lost), at: realm.table("Dog"))
    let salvage = try recovered(realm.bytes)
    #expect(!salvage.isSound && !salvage.classes.isEmpty)
  }
}
