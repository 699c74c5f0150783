// Cells of chosen columns as JSON. Layer: Rendering.

import RealmEngine
import TextFormats

extension JSONWriter {
  /// Writes what a column holds for one object.
  mutating func write(_ cell: SelectedCell, to out: inout OutputBuffer) throws(EngineError) {
    // Many rows may lead to the same object: each cell is a walk of its own.
    beginWalk()
    switch cell {
    case .objectKey(let key): out.text.append(decimal: key.value)
    case .stored(let property, let position, let table):
      try writeValue(of: property, position, of: table, to: &out)
    case .value(let value, let hasTypedLinks): try write(value, hasTypedLinks, to: &out)
    case .list(let values, let hasTypedLinks):
      out.text.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { out.text.append(UInt8(ascii: ",")) }
        try write(value, hasTypedLinks, to: &out)
        try out.flushIfLarge()
      }
      out.text.append(UInt8(ascii: "]"))
    }
  }

  private mutating func write(
    _ value: Value, _ isTyped: Bool, to out: inout OutputBuffer
  ) throws(EngineError) {
    guard case .link(let link) = value, isTyped else { return try write(value, to: &out) }
    try writeLink(link.table, link.key, isTyped: true, to: &out)
  }
}
