// One object for people: a property a line. Layer: Rendering, Rows.
// Invariant: nothing but printable characters and line ends goes out.

import ByteText
package import RealmEngine

/// Writes objects in line mode: `   name = value`.
package struct ObjectLines {
  private var values: JSONWriter
  private let snapshot: Snapshot

  /// `followingLinks`: how many levels of links are shown as the objects they lead to.
  package init(_ transaction: ReadTransaction, followingLinks linkLevels: Int = 0) {
    values = JSONWriter(transaction, style: .plain, followingLinks: linkLevels, namesLinks: true)
    snapshot = transaction.snapshot
  }

  /// Text and what JSON writes as text stands without quotes, everything else as in JSON.
  package mutating func write(
    _ position: ObjectPosition, of table: Table, to out: inout OutputBuffer
  ) throws(EngineError) {
    let properties = table.schema.properties
    let width = properties.map(\.name.count).max() ?? 0
    for property in properties {
      out.text.append(repeating: UInt8(ascii: " "), count: width - property.name.count)
      out.text.append(visibleText: property.name)
      out.text.append(literal: " = ")
      let leaf = try position.block.leaf(property)
      if !writeScalar(try leaf.value(position.row, in: snapshot), to: &out.text) {
        try values.writeValue(of: property, position, of: table, to: &out)
      }
      out.text.append(UInt8(ascii: "\n"))
      try out.flushIfLarge()
    }
  }
}

extension ObjectLines {
  /// False: the value is no text, not in JSON either.
  private func writeScalar(_ value: Value, to text: inout ByteBuffer) -> Bool {
    guard value.type?.jsonForm == .quoted else { return false }
    if case .string(let value) = value {
      text.append(visibleText: value.text)
    } else {
      _ = FieldFormat.bare.append(single: value, to: &text)
    }
    return true
  }
}

extension ByteBuffer {
  /// Appends text with escapes in place of control characters, which could do anything to a terminal.
  package mutating func append(visibleText text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": append(literal: "\\n")
      case "\t": append(literal: "\\t")
      case "\r": append(literal: "\\r")
      case _ where scalar.properties.generalCategory == .control:
        append(literal: "\\u00")
        append(hexadecimal: UInt8(truncatingIfNeeded: scalar.value))
      default: append(text: String(scalar))
      }
    }
  }
}
