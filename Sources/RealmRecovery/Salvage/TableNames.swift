// The names of a damaged version's tables, and what it says of them. Layer: RealmRecovery, Salvage.
// Names of classes begin alike, and no table of the engine's own has a name like that: so the prefix is known where a byte or
// two of it are damaged.

import RealmEngine

/// What a top array leads to; nil what is damaged.
struct StatedTables {
  let names: [String?]?
  let list: NodeView?

  init(_ top: NodeView, in snapshot: Snapshot, _ log: SalvageLog) throws(EngineError) {
    names = try log.reading("names of classes") { () throws(EngineError) in
      try TableNames.read(try top.requiredRef(GroupSlot.names), in: snapshot, log)
    }
    list = try log.reading("the list of classes") { () throws(EngineError) in
      let list = try snapshot.refsNode(try top.requiredRef(GroupSlot.tables))
      guard list.count <= TableNames.countMax else {
        throw EngineError.damaged(at: list.ref.offset, expected: "tables", found: list.description)
      }
      return list
    }
  }
}

enum TableNames {
  static let countMax = 65535
  private static let damagedBytesMax = 2

  /// For a table whose name is lost.
  static func found(_ slot: Int) -> String { ClassSchema.tablePrefix + "Recovered_\(slot)" }

  /// By slot; nil where there is none.
  static func read(_ ref: Ref, in snapshot: Snapshot, _ log: SalvageLog) throws(EngineError) -> [String?] {
    let node = try snapshot.node(ref)
    let names = try texts(node, in: snapshot)
    return names.map { name in
      guard let name, let mended = mended(name) else { return name }
      log.note(
        .damaged(at: node.ref.offset, expected: "a table named \(mended)", found: name), "names of classes")
      return mended
    }
  }

  /// What a leaf of names says; nil for what is no name.
  static func texts(_ node: NodeView, in snapshot: Snapshot) throws(EngineError) -> [String?] {
    let isOld = snapshot.format < FileFormat.firstWithClusters
    let leaf: StringLeaf =
      isOld
      ? try snapshot.oldTexts(node, isNullable: false) : .short(try ShortStringLeaf(node, isNullable: false))
    guard leaf.count <= countMax else {
      throw EngineError.damaged(at: node.ref.offset, expected: "names", found: node.description)
    }
    let names = (0..<leaf.count).map { index -> String? in
      let value = try? Leaf.strings(leaf).salvagedValue(index, in: snapshot)
      guard case .string(let name)? = value, name.count > 0 else { return nil }
      return name.text
    }
    // Names that are read with another width than theirs have what fills them up in their middle.
    let torn = names.count { $0?.unicodeScalars.contains("\0") ?? false }
    guard torn * 2 < max(1, leaf.count) else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "names", found: "zero bytes within \(torn) of them")
    }
    return names
  }

  /// The name of the table of the schema's version, which is the first that is made; nil for every other one.
  static func ofMetadata(_ slot: Int, _ place: Ref?, in snapshot: Snapshot) -> String? {
    guard slot == 0, let place,
      let properties = try? TableTop(
        place, tableName: SchemaVersionTable.name, slot: slot, in: snapshot
      ).schema.properties,
      properties.count == 1, properties[0].name == SchemaVersionTable.property,
      properties[0].type == .int
    else { return nil }
    return SchemaVersionTable.name
  }

  /// The name of a class whose prefix is damaged; nil where it is not, or where it is none.
  static func mended(_ name: String) -> String? {
    let prefix = Array(ClassSchema.tablePrefix.unicodeScalars)
    let scalars = Array(name.unicodeScalars)
    guard scalars.count > prefix.count else { return nil }
    let misses = zip(scalars, prefix).count { $0 != $1 }
    guard misses > 0, misses <= damagedBytesMax else { return nil }
    var mended = String.UnicodeScalarView(prefix)
    mended.append(contentsOf: scalars[prefix.count...])
    return String(mended)
  }
}
