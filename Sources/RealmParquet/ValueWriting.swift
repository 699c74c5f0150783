// Values as text: JSON, the text of single ones, and what names the objects that links lead to. Layer: RealmParquet.

import ByteText
import RealmEngine
import Rendering

/// Makes texts of the values of one realm.
struct ValueWriting {
  private let realm: ReadTransaction
  private var writer: JSONWriter
  private var keys: TargetKeys

  private static let quote = UInt8(ascii: "\"")

  init(_ realm: ReadTransaction) {
    self.realm = realm
    keys = TargetKeys(realm)
    writer = JSONWriter(realm, style: .plain, form: ObjectForm(namingByPrimaryKeyIn: realm))
  }

  mutating func json(_ value: Value) throws(EngineError) -> ByteString {
    var out = OutputBuffer()
    writer.beginWalk()
    try writer.write(value, to: &out)
    return ByteString(copying: out.text.span)
  }

  /// A single value as it would stand in a cell.
  mutating func plain(_ value: Value) throws(EngineError) -> ByteString {
    if case .string(let text) = value { return text }
    return Self.unquoted(try json(value))
  }

  /// What a property holds, as JSON; nil for null.
  mutating func document(
    of property: Property, _ position: ObjectPosition, of table: Table
  ) throws(EngineError) -> ByteString? {
    var out = OutputBuffer()
    writer.beginWalk()
    try writer.writeValue(of: property, position, of: table, to: &out)
    let text = ByteString(copying: out.text.span)
    return text.count == 4 && text.bytes[0] == UInt8(ascii: "n") ? nil : text
  }

  /// The same as the text of a cell.
  mutating func text(
    of property: Property, _ position: ObjectPosition, of table: Table
  ) throws(EngineError) -> ByteString? {
    if property.collection == nil,
      case .string(let text) = try position.block.leaf(property).value(
        position.row, in: realm.snapshot, target: property.target)
    {
      return text
    }
    return try document(of: property, position, of: table).map(Self.unquoted)
  }

  /// Texts of dates, identifiers and numbers have nothing that JSON would escape.
  private static func unquoted(_ text: ByteString) -> ByteString {
    guard text.count >= 2, text.bytes[0] == quote else { return text }
    return text.slice(1, text.count - 2)
  }

  /// The primary key of an object, or its object key where its class has none.
  mutating func name(of link: ObjectLink) throws(EngineError) -> Value { try keys.key(of: link) }
}
