// Single values as JSON, where they may be of any size or lead to others. Layer: Rendering, JSON.

import ByteText
package import RealmEngine
import TextFormats

extension JSONWriter {
  /// Writes the element `index` of a leaf that belongs to `property`.
  mutating func write(
    _ leaf: Leaf, _ index: Int, of property: Property, to out: inout OutputBuffer
  ) throws(EngineError) {
    switch leaf {
    case .strings(let leaf):
      guard let value = try leaf.bytes(index, in: snapshot) else { return out.text.append(literal: "null") }
      // A table of distinct texts is shared by all rows; a blob of its own belongs to one.
      if case .big = leaf { try budget.charge(value.count, at: 0) }
      format.append(text: value, to: &out.text)
    case .links(let leaf):
      guard let key = leaf[index], key.value >= 0 else { return out.text.append(literal: "null") }
      try writeLink(property.target, key, isTyped: true, to: &out)
    case .collections(let leaf):
      try writeCollection(try leaf.root(index), of: property, to: &out)
    default:
      try write(try leaf.value(index, in: snapshot, target: property.target), to: &out)
    }
  }

  /// Writes a value that stands alone or in a mixed property, which may be a collection.
  package mutating func write(_ value: Value, to out: inout OutputBuffer) throws(EngineError) {
    switch value {
    case .link(let link): return try writeLink(link.table, link.key, isTyped: false, to: &out)
    case .list(let list): return try write(list: list, to: &out)
    case .dictionary(let dictionary):
      return try write(try snapshot.entries(ofNested: dictionary, budget: budget), isTyped: false, to: &out)
    case .string(let value), .data(let value): try charge(value)
    default: break
    }
    _ = format.append(single: value, to: &out.text)
  }

  /// What lies in a leaf with others was charged with that leaf, or belongs to one row alone.
  private func charge(_ value: ByteString) throws(EngineError) {
    if value.count > TextLimits.inLeafSizeMax { try budget.charge(value.count, at: 0) }
  }
}

/// Cells of chosen columns as JSON.
extension JSONWriter {
  /// Writes what a column holds for one object.
  mutating func write(_ cell: SelectedCell, to out: inout OutputBuffer) throws(EngineError) {
    // Many rows may lead to the same object: each cell is a walk of its own.
    beginWalk()
    switch cell {
    case .objectKey(let key): out.text.append(decimal: key.value)
    case .stored(let property, let position, let table):
      try writeValue(of: property, position, of: table, to: &out)
    case .value(let value, let hasTypedLinks): try write(computed: value, hasTypedLinks, to: &out)
    case .list(let values, let hasTypedLinks):
      out.text.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { out.text.append(UInt8(ascii: ",")) }
        try write(computed: value, hasTypedLinks, to: &out)
        try out.flushIfLarge()
      }
      out.text.append(UInt8(ascii: "]"))
    case .counts(let counts):
      for (index, (value, count)) in counts.enumerated() {
        out.text.append(literal: index == 0 ? "[{\"value\":" : ",{\"value\":")
        try write(computed: value, false, to: &out)
        out.text.append(literal: ",\"count\":")
        out.text.append(decimal: Int64(count))
        out.text.append(UInt8(ascii: "}"))
      }
      out.text.append(literal: counts.isEmpty ? "[]" : "]")
    }
  }

  /// What was computed may be larger than the file, and is met as often as its objects are.
  private mutating func write(
    computed value: Value, _ isTyped: Bool, to out: inout OutputBuffer
  ) throws(EngineError) {
    switch value {
    case .string, .data: _ = format.append(single: value, to: &out.text)
    default: try write(value, isTyped, to: &out)
    }
  }

  private mutating func write(
    _ value: Value, _ isTyped: Bool, to out: inout OutputBuffer
  ) throws(EngineError) {
    guard case .link(let link) = value, isTyped else { return try write(value, to: &out) }
    try writeLink(link.table, link.key, isTyped: true, to: &out)
  }
}
