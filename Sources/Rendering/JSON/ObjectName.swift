// What an object is called, for people and for programs. Layer: Rendering, JSON.
// Invariant: one spelling wherever an object is named, so that an object key never looks like a primary key.

import ByteText
package import RealmEngine

/// What tells an object from the others of its class.
package struct ObjectName {
  package let key: ObjectKey
  /// As JSON; nil where the class has none.
  package let primaryKey: [UInt8]?
  /// `7` and `'Ada'` are primary keys, `@17` is an object key.
  package let text: [UInt8]

  /// Writes `"key":17,"primary_key":7`, members of an object.
  package func writeMembers(to out: inout OutputBuffer) {
    out.text.append(literal: "\"key\":")
    out.text.append(decimal: key.value)
    guard let primaryKey else { return }
    out.text.append(literal: ",\"primary_key\":")
    out.text.append(primaryKey)
  }

  /// Writes `Person 7` or `Dog @17`.
  package func write(as schema: ClassSchema, to out: inout OutputBuffer) {
    out.text.append(text: schema.name.visible)
    out.text.append(UInt8(ascii: " "))
    out.text.append(text)
  }
}

extension JSONWriter {
  /// The name of an object of `table`, in a walk of its own.
  package mutating func name(of position: ObjectPosition, in table: Table) throws(EngineError) -> ObjectName {
    beginWalk()
    return try nameInWalk(of: position, in: table)
  }

  mutating func nameInWalk(of position: ObjectPosition, in table: Table) throws(EngineError) -> ObjectName {
    var text = ByteBuffer()
    guard let property = table.schema.primaryKey else {
      text.append(UInt8(ascii: "@"))
      text.append(decimal: position.key.value)
      return ObjectName(key: position.key, primaryKey: nil, text: text.bytes)
    }
    // Primary keys are plain values, which need nothing of their realm but its bytes. It may be another than the writer's.
    let value = try position.block.leaf(property).value(position.row, in: table.snapshot)
    if case .string(let bytes) = value { try budget.charge(nameOfSize: bytes.count) }
    var json = ByteBuffer()
    _ = format.append(single: value, to: &json)
    text.append(name: value, of: position.key)
    return ObjectName(key: position.key, primaryKey: json.bytes, text: text.bytes)
  }
}

extension ByteBuffer {
  /// Appends a primary key as it is typed behind the name of a class: `7`, `'Ada'`; `@17`, the object key, in the place of null.
  mutating func append(name primaryKey: Value, of key: ObjectKey) {
    guard !primaryKey.writeKey(to: &self) else { return }
    append(UInt8(ascii: "@"))
    append(decimal: key.value)
  }
}
