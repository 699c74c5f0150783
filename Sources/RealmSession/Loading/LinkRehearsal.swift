// Which objects link to some that are not there and do not come: found by a first reading, before anything is written, so that
// they can be refused alone. Layer: RealmSession, Loading.
// Invariant: objects are counted in the order in which they are handed to an ingest, in both readings the same.

import RealmEngine
import TextFormats

/// Takes objects as an ingest does, and keeps no more of them than what names them and what they link to.
final class LinkRehearsal {
  private struct Link {
    let name: Int
    /// The class, where it is meant by an object key.
    let table: TableKey?
    let target: ClassSchema
    let place: DocumentPlace
  }

  private struct Waiting {
    /// What names the objects that go with it.
    let names: [Int]
    let links: [Link]
  }

  private let transaction: WriteTransaction
  private let mode: IngestMode
  private var count = 0
  /// How many objects make or change the one of a name, which is a hash: two with one hash would be taken for one, and the link
  /// be missed when it is set.
  private var makers: [Int: Int] = [:]
  private var waiting: [Int: Waiting] = [:]
  /// Classes whose objects get keys that nobody knows yet.
  private var openTables: Set<TableKey> = []

  init(_ transaction: WriteTransaction, mode: IngestMode) {
    self.transaction = transaction
    self.mode = mode
  }

  /// Notes the next object.
  func note(_ edit: ObjectEdit) throws {
    defer { count += 1 }
    let isThere = try isThere(edit)
    // What is passed over, or refused anyway, brings nothing.
    if isThere, mode == .skip { return }
    if edit.missing != nil, !isThere, name(of: edit).map({ makers[$0] == nil }) ?? true { return }
    var names: [Int] = []
    var links: [Link] = []
    try collect(edit, &names, &links)
    for name in names { makers[name, default: 0] += 1 }
    if !links.isEmpty { waiting[count] = Waiting(names: names, links: links) }
  }

  /// What is wrong with the objects that are to be refused, by their number.
  func refusals() -> [Int: DocumentFault] {
    var dependents: [Int: [Int]] = [:]
    for (number, object) in waiting {
      for link in object.links { dependents[link.name, default: []].append(number) }
    }
    var refused: [Int: DocumentFault] = [:]
    var suspects = Array(waiting.keys)
    while let number = suspects.popLast() {
      guard refused[number] == nil, let object = waiting[number],
        let link = object.links.first(where: isDangling)
      else { continue }
      refused[number] = DocumentFault(
        "\(link.target.name) has no object with this \(link.table == nil ? "primary" : "object") key",
        at: link.place, code: "no-object")
      // What links to it has the same fault now.
      for name in object.names {
        makers[name, default: 0] -= 1
        if makers[name] == 0 { suspects += dependents[name] ?? [] }
      }
    }
    return refused
  }

  private func isDangling(_ link: Link) -> Bool {
    if let table = link.table, openTables.contains(table) { return false }
    return (makers[link.name] ?? 0) == 0
  }

  // MARK: Names

  private static func name(_ table: TableKey, primaryKey: Value) -> Int {
    var hasher = Hasher()
    hasher.combine(table)
    hasher.combine(primaryKey)
    return hasher.finalize()
  }

  private static func name(_ link: ObjectLink) -> Int {
    var hasher = Hasher()
    hasher.combine(link)
    return hasher.finalize()
  }

  private func name(of edit: ObjectEdit) -> Int? {
    let table = edit.schema.tableKey
    if let key = edit.objectKey { return Self.name(ObjectLink(table: table, key: key)) }
    return edit.primaryKey.map { Self.name(table, primaryKey: $0) }
  }

  private func isThere(_ edit: ObjectEdit) throws -> Bool {
    let table = edit.schema.tableKey
    if let key = edit.objectKey { return try transaction.hasObject(ObjectLink(table: table, key: key)) }
    return try edit.primaryKey.map { try transaction.find(table, primaryKey: $0) != nil } ?? false
  }

  private func collect(_ edit: ObjectEdit, _ names: inout [Int], _ links: inout [Link]) throws {
    if let name = name(of: edit) {
      names.append(name)
    } else if edit.schema.kind == .object {
      openTables.insert(edit.schema.tableKey)
    }
    for (_, value) in edit.values { try collect(value, &names, &links) }
  }

  private func collect(_ value: EditValue, _ names: inout [Int], _ links: inout [Link]) throws {
    switch value {
    case .single: return
    case .list(let elements), .set(let elements):
      for element in elements { try collect(element, &names, &links) }
    case .dictionary(let entries):
      for entry in entries { try collect(entry.value, &names, &links) }
    case .embedded(let edit), .object(let edit): try collect(edit, &names, &links)
    case .primaryKey(let key, let schema, let place):
      guard try transaction.find(schema.tableKey, primaryKey: key) == nil else { return }
      links.append(
        Link(name: Self.name(schema.tableKey, primaryKey: key), table: nil, target: schema, place: place))
    case .objectKey(let link, let schema, let place):
      guard try link.key.value < 0 || !transaction.hasObject(link) else { return }
      links.append(Link(name: Self.name(link), table: link.table, target: schema, place: place))
    }
  }
}
