// The statements that make one realm of another. Layer: RealmCommands, Differences.
// Order: what goes first makes room for what comes. Objects are made with their plain values first and get the values with links
// when all objects are there, so that they may lead to each other in any way. Each object is named by its key, so that none of
// the statements has to be confirmed; objects of a class with a primary key are changed by that.

import ByteText
import Migrations
import RealmEngine
import RealmQueryLanguage
import Rendering
import TextFormats

/// Writes statements.
struct DifferenceStatements {
  private let realms: RealmDifference
  private let schema: SchemaChangeStatements
  /// What holds for the objects of the right side.
  private var writer: JSONWriter
  /// Statements that set values with links.
  private var linking: [UInt8] = []

  private let hasData: Bool

  /// `hasData`: objects too, and not only classes.
  init(_ realms: RealmDifference, _ changes: [SchemaChange]?, hasData: Bool) throws(Diagnostic) {
    self.realms = realms
    self.hasData = hasData
    writer = JSONWriter(
      realms.right, style: .typed, isCanonical: true, form: realms.pairs.naming(realms.scope).right)
    schema = try SchemaChangeStatements(changes ?? [], realms, hasData: hasData)
  }

  mutating func write(to out: inout OutputBuffer) throws {
    out.text.append(text: schema.beforeData)
    var differences: [(ComparedClass, ClassDifference)] = []
    if hasData {
      for compared in realms.classes {
        let difference = try realms.difference(of: compared)
        writeDeletion(difference.removed, of: compared.left, to: &out)
        differences.append((compared, difference))
      }
      for table in realms.pairs.onlyLeft { writeDeletion(try table.allKeys(), of: table, to: &out) }
    }
    out.text.append(text: schema.forData)
    for (compared, difference) in differences {
      try writeCreations(difference, of: compared, to: &out)
      for object in difference.changed { try writeChange(object, of: compared, to: &out) }
    }
    if hasData {
      for table in realms.pairs.onlyRight {
        for key in try table.allKeys() {
          try writeCreation(
            key, isKeyed: true, hasIdentity: table.schema.primaryKey != nil, of: table, to: &out)
        }
      }
    }
    out.text.append(linking)
    try out.flushIfLarge()
    out.text.append(text: schema.afterData)
  }

  private func writeDeletion(_ keys: [ObjectKey], of table: Table, to out: inout OutputBuffer) {
    // Statements of a length that can be read.
    var rest = keys[...]
    while !rest.isEmpty {
      let some = rest.prefix(Self.keysOfStatement)
      rest = rest.dropFirst(some.count)
      let list = some.map { "@\($0.value)" }.joined(separator: ", ")
      out.text.append(text: "delete \(spelledName(table.schema.name, as: .className)) \(list);\n")
    }
  }

  private static let keysOfStatement = 1000

  private mutating func writeCreations(
    _ difference: ClassDifference, of compared: ComparedClass, to out: inout OutputBuffer
  ) throws {
    let removed = Set(difference.removed)
    var others: [ObjectKey] = []
    for key in difference.added {
      // What is the same object under another key keeps its own.
      guard try removed.contains(key) || compared.left.find(key) == nil else {
        others.append(key)
        continue
      }
      try writeCreation(key, isKeyed: true, hasIdentity: compared.hasIdentity, of: compared.right, to: &out)
    }
    // They get keys that nobody wanted.
    for key in others {
      try writeCreation(key, isKeyed: false, hasIdentity: compared.hasIdentity, of: compared.right, to: &out)
    }
  }

  /// `hasIdentity`: the class has its primary key already.
  private mutating func writeCreation(
    _ key: ObjectKey, isKeyed: Bool, hasIdentity: Bool, of table: Table, to out: inout OutputBuffer
  ) throws {
    let object = try table.required(key)
    let schema = table.schema
    var plain: [(Property, [UInt8])] = []
    var linked: [(Property, [UInt8])] = []
    for property in schema.properties {
      let isNeeded = property.mustBeGiven(in: schema)
      if !isNeeded, realms.scope.ignores(schema.name, property.name) { continue }
      let text = try writer.comparedText(of: property, object)
      if !isNeeded, text == ValueFormat.defaultText(of: property) { continue }
      if text.holdsLink { linked.append((property, text)) } else { plain.append((property, text)) }
    }
    let name = spelledName(schema.name, as: .className)
    out.text.append(text: isKeyed ? "insert \(name) @\(key.value) " : "insert \(name) ")
    out.text.append(values: plain)
    try out.flushIfLarge()
    if !linked.isEmpty {
      linking += try update(linked, of: object, table, key: hasIdentity ? nil : key)
    }
  }

  private mutating func writeChange(
    _ object: ChangedObject, of compared: ComparedClass, to out: inout OutputBuffer
  ) throws {
    let position = try compared.right.required(object.right)
    var plain: [(Property, [UInt8])] = []
    var linked: [(Property, [UInt8])] = []
    for index in object.properties {
      let property = compared.properties[index].right
      let text = try writer.comparedText(of: property, position)
      if text.holdsLink { linked.append((property, text)) } else { plain.append((property, text)) }
    }
    let key = compared.hasIdentity ? nil : object.left
    if !plain.isEmpty { out.text.append(try update(plain, of: position, compared.right, key: key)) }
    if !linked.isEmpty { linking += try update(linked, of: position, compared.right, key: key) }
    try out.flushIfLarge()
  }

  /// `key` nil: the primary key tells which object it is.
  private mutating func update(
    _ values: [(Property, [UInt8])], of object: ObjectPosition, _ table: Table, key: ObjectKey?
  ) throws -> [UInt8] {
    var text = ByteBuffer()
    text.append(text: "upsert \(spelledName(table.schema.name, as: .className)) ")
    var all = values
    if let key {
      text.append(text: "@\(key.value) ")
    } else if let primaryKey = table.schema.primaryKey {
      all.insert((primaryKey, try writer.comparedText(of: primaryKey, object)), at: 0)
    }
    text.append(values: all)
    return text.bytes
  }
}

extension ByteBuffer {
  /// Appends an object and the end of its statement.
  fileprivate mutating func append(values: [(Property, [UInt8])]) {
    append(UInt8(ascii: "{"))
    for (index, (property, text)) in values.enumerated() {
      if index > 0 { append(literal: ", ") }
      append(jsonString: property.name)
      append(literal: ": ")
      append(text)
    }
    append(literal: "};\n")
  }
}

extension [UInt8] {
  /// Whether a value of a dump holds a link: in texts quotes are escaped.
  fileprivate var holdsLink: Bool {
    let tag = Array("{\"$link\":".utf8)
    guard count >= tag.count else { return false }
    return (0...(count - tag.count)).contains { start in
      self[start] == tag[0] && self[start..<start + tag.count].elementsEqual(tag)
    }
  }
}

extension Property {
  /// Whether an object cannot be made without a value for it.
  fileprivate func mustBeGiven(in schema: ClassSchema) -> Bool {
    columnKey == schema.primaryKey?.columnKey
      || collection == nil && !isOptional && !isLink && type != .mixed
  }
}

extension Table {
  /// Of all objects, in their order.
  func allKeys() throws(EngineError) -> [ObjectKey] {
    var keys: [ObjectKey] = []
    var cursor = blocks()
    while let block = try cursor.next() {
      for row in 0..<block.count { keys.append(block.key(row)) }
    }
    return keys
  }
}
