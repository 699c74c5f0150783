// The top array of a snapshot: where everything else begins. Layer: Schema.
// Invariants: its size is one that some engine wrote; names and tables are refs inside the logical size; the
// logical size does not exceed the data.

/// A decoded top array of formats 10 and later.
package struct GroupTop: Sendable {
  package let node: NodeView
  package let names: Ref
  package let tables: Ref
  /// Bytes of the file that are in use or free, but accounted for.
  package let logicalSize: Int
  package let freePositions: Ref?
  package let freeLengths: Ref?
  package let freeVersions: Ref?
  package let version: Int64
  package let historyType: HistoryType
  package let historyRoot: Ref?
  package let historySchemaVersion: Int64
  package let syncFileID: Int64

  private static let sizes = [3, 5, 7, 9, 10, 11, 12]

  package init(_ ref: Ref, in snapshot: Snapshot) throws(EngineError) {
    node = try snapshot.refsNode(ref)
    guard !node.isInner, Self.sizes.contains(node.count) else {
      throw EngineError.damaged(at: ref.offset, expected: "the top array", found: node.description)
    }
    names = try node.requiredRef(GroupSlot.names)
    tables = try node.requiredRef(GroupSlot.tables)
    let logical = try node.tagged(GroupSlot.logicalSize)
    guard logical <= Int64(snapshot.fileLimit) else {
      throw EngineError(
        .damaged,
        "the file is truncated: it should hold \(logical) bytes of data and holds \(snapshot.fileLimit)",
        at: "offset \(ref.offset)", hint: "copy it again from where it came; the end is missing")
    }
    logicalSize = Int(logical)
    freePositions = try node.refIfPresent(GroupSlot.freePositions)
    freeLengths = try node.refIfPresent(GroupSlot.freeLengths)
    freeVersions = try node.refIfPresent(GroupSlot.freeVersions)
    version = max(1, try node.taggedOrZero(GroupSlot.version))
    historyType = HistoryType(try node.taggedOrZero(GroupSlot.historyType))
    historyRoot = try node.refIfPresent(GroupSlot.history)
    historySchemaVersion = try node.taggedOrZero(GroupSlot.historySchemaVersion)
    syncFileID = try node.taggedOrZero(GroupSlot.syncFileID)
    // In a running write both may be new nodes, behind the end of the file.
    guard snapshot.slabs != nil || names.offset < logicalSize && tables.offset < logicalSize else {
      throw EngineError.damaged(
        at: ref.offset, expected: "names and tables within \(logicalSize) bytes",
        found: "\(names.offset) and \(tables.offset)")
    }
  }
}

extension GroupTop {
  /// Numbers that count something and are never so large in a sound file.
  static let numberMax: Int64 = 1 << 62

  /// The next of the numbers that a node keeps. Throws `.damaged` where there is none.
  static func number(
    after number: Int64, _ what: String, at ref: Ref
  ) throws(EngineError) -> Int64 {
    guard number >= 0, number < numberMax else {
      throw EngineError.damaged(
        at: ref.offset, expected: "a \(what) below \(numberMax)", found: "\(number)")
    }
    return number + 1
  }
}

/// What the file keeps of past changes, and for whom.
package enum HistoryType: Sendable, Hashable {
  case none, outOfRealm, inRealm, syncClient, syncServer
  case unknown(Int64)

  /// The number of `inRealm`, and of the newest schema of such a history.
  static let inRealmNumber: Int64 = 2
  static let inRealmSchema: Int64 = 1

  package init(_ number: Int64) {
    self =
      switch number {
      case 0: .none
      case 1: .outOfRealm
      case Self.inRealmNumber: .inRealm
      case 3: .syncClient
      case 4: .syncServer
      default: .unknown(number)
      }
  }

  package var isSynced: Bool { self == .syncClient || self == .syncServer }

  package var name: String {
    switch self {
    case .none: "none"
    case .outOfRealm: "out of realm"
    case .inRealm: "in realm (local)"
    case .syncClient: "sync client"
    case .syncServer: "sync server"
    case .unknown(let number): "unknown (\(number))"
    }
  }
}
