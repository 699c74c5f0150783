// Single values as JSON, where they may be of any size or lead to others. Layer: Rendering.

import ByteText
package import RealmEngine

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
