// Objects as JSON for another realm, or to be compared with its objects: links name objects by what tells them apart there.
// Layer: Rendering, JSON.

import ByteText
package import RealmEngine
import TextFormats

/// How objects are written that are compared, or made elsewhere.
package struct ObjectForm: Sendable {
  /// How links name the objects of a class.
  package enum Naming: Sendable {
    /// `{"$link":{"class":"Person","primary_key":7}}`
    case primaryKey
    /// By the class alone: which of its objects it is does not count.
    case className
  }

  /// Classes that are not here have their object keys in links.
  package var naming: [TableKey: Naming] = [:]
  /// Properties of embedded classes that are written, each with the text that it is left out with; classes that are not here are
  /// written whole.
  package var properties: [TableKey: [String: [UInt8]?]] = [:]

  package init() {}

  /// Links name objects by primary key wherever they have one.
  package init(namingByPrimaryKeyIn transaction: ReadTransaction) {
    for case let table? in transaction.tables where table.schema.primaryKey != nil {
      naming[table.schema.tableKey] = .primaryKey
    }
  }
}

extension JSONWriter {
  /// Writes a link as the form wants it, and null for one that leads nowhere, as dictionaries may hold it. False: the form
  /// wants an object key.
  mutating func writeIdentity(
    _ template: ObjectTemplate, _ key: ObjectKey, _ form: ObjectForm, to out: inout OutputBuffer
  ) throws(EngineError) -> Bool {
    let schema = template.table.schema
    guard let position = try template.table.find(key) else {
      out.text.append(literal: "null")
      return true
    }
    switch form.naming[schema.tableKey] {
    case nil: return false
    case .primaryKey:
      guard let property = schema.primaryKey else { return false }
      try writeIdentity(schema, property, position, to: &out)
    case .className:
      out.text.append(literal: "{\"$link\":{\"class\":")
      out.text.append(jsonString: schema.name)
      out.text.append(UInt8(ascii: "}"), UInt8(ascii: "}"))
    }
    return true
  }

  /// Writes the link to an object by its primary key.
  @inline(never)
  mutating func writeIdentity(
    _ schema: ClassSchema, _ primaryKey: Property, _ position: ObjectPosition, to out: inout OutputBuffer
  ) throws(EngineError) {
    out.text.append(literal: "{\"$link\":{\"class\":")
    out.text.append(jsonString: schema.name)
    out.text.append(literal: ",\"primary_key\":")
    try writeName(primaryKey, position, to: &out)
    out.text.append(UInt8(ascii: "}"), UInt8(ascii: "}"))
  }

  /// The value of a property of one object, which is a walk of its own.
  package mutating func comparedText(
    of property: Property, _ position: ObjectPosition
  ) throws(EngineError) -> [UInt8] {
    var out = OutputBuffer()
    beginWalk()
    try writeValue(of: property, position, to: &out)
    return out.text.bytes
  }

  /// What a column shows for one object.
  package mutating func comparedText(
    of column: SelectedColumn, _ position: ObjectPosition, of table: Table
  ) throws(EngineError) -> [UInt8] {
    var out = OutputBuffer()
    try write(try RowEvaluator(transaction).cell(column, of: table, at: position), to: &out)
    return out.text.bytes
  }

  /// Writes an object without the properties whose text is that of an absent one.
  mutating func write(
    _ template: ObjectTemplate, omitting absentTexts: [[UInt8]?], _ position: ObjectPosition,
    to out: inout OutputBuffer
  ) throws(EngineError) {
    try nestObject()
    out.text.append(UInt8(ascii: "{"))
    var isFirst = true
    for (index, property) in template.properties.enumerated() {
      let start = out.text.count
      if !isFirst { out.text.append(UInt8(ascii: ",")) }
      out.text.append(jsonKey: property.name)
      let valueStart = out.text.count
      try writeValue(of: property, position, to: &out)
      if let absent = absentTexts[index], out.text.ends(with: absent, from: valueStart) {
        out.text.truncate(to: start)
      } else {
        isFirst = false
      }
    }
    out.text.append(UInt8(ascii: "}"))
    leaveObject()
  }
}

extension ByteBuffer {
  /// Whether `bytes` are all that stands behind `start`.
  fileprivate func ends(with bytes: [UInt8], from start: Int) -> Bool {
    count - start == bytes.count && bytes.indices.allSatisfy { self[start + $0] == bytes[$0] }
  }
}

extension ValueFormat {
  /// What a new property has, as dumps write it.
  package static func defaultText(of property: Property) -> [UInt8] {
    var text = ByteBuffer()
    switch property.collection {
    case .list?: text.append(literal: "[]")
    case .set?: text.append(literal: "{\"$set\":[]}")
    case .dictionary?: text.append(literal: "{\"$dict\":{}}")
    case nil: _ = ValueFormat(.typed).append(single: property.defaultValue, to: &text)
    }
    return text.bytes
  }
}
