import RealmEngine
import Synchronization
import TestSupport
import Testing

/// Nodes and values do not keep their snapshot alive, so those of tests stay until the process ends.
private let keptSnapshots = Mutex<[Snapshot]>([])

extension RealmBytes {
  /// The bytes as a snapshot, to open single nodes of.
  func snapshot(format: Int = 24) throws -> Snapshot {
    let memory = try #require(MemoryImage.reserving(size: bytes.count))
    for (offset, byte) in bytes.enumerated() { memory.mutableBytes(offset, 1).store(byte, at: 0) }
    let image = FileImage(plain: memory)
    let snapshot = Snapshot(image: image, fileLimit: bytes.count, format: format)
    keptSnapshots.withLock { $0.append(snapshot) }
    return snapshot
  }

  /// The values of a leaf as users see them.
  func values(
    _ leaf: Int, _ layout: LeafLayout, target: TableKey? = nil, format: Int = 24
  ) throws -> [Value] {
    let snapshot = try snapshot(format: format)
    let opened = try snapshot.leaf(try ref(leaf), layout, rowCount: nil)
    return try (0..<opened.count).map { try opened.value($0, in: snapshot, target: target) }
  }

  /// The kind of error that opening or reading a leaf ends with; nil: none.
  func failure(_ leaf: Int, _ layout: LeafLayout, rowCount: Int? = nil) throws -> EngineError.Kind? {
    let snapshot = try snapshot()
    do throws(EngineError) {
      let opened = try snapshot.leaf(try snapshot.requiredTestRef(leaf), layout, rowCount: rowCount)
      for index in 0..<opened.count { _ = try opened.value(index, in: snapshot) }
      return nil
    } catch {
      return error.kind
    }
  }

  func ref(_ offset: Int) throws -> Ref { try #require(Ref(Int64(offset))) }
}

extension Snapshot {
  func requiredTestRef(_ offset: Int) throws(EngineError) -> Ref {
    guard let ref = Ref(Int64(offset)) else { throw EngineError(.other, "no ref: \(offset)") }
    return ref
  }
}

func decimal128(_ text: String) -> Decimal128? { Decimal128(text: text.utf8.span) }

/// Opens bytes as a realm.
func database(_ file: [UInt8], snapshot: SnapshotChoice = .current) throws -> Database {
  let opened = try Database(
    try RealmFile(stream: file, path: FilePath("test.realm"), key: nil, snapshot: snapshot))
  keptSnapshots.withLock { $0.append(opened.transaction.snapshot) }
  return opened
}
