// What functions need beside their arguments. Layer: Query, Functions.

import ByteText

/// Room for texts, and the world outside.
package final class EvaluationContext {
  /// Nil where each text has memory of its own.
  private let arena: TextArena?
  /// Bytes of texts that were made since `reset`, and how many there may be.
  private var madeSize = 0
  private let madeSizeMax: Int
  let environment: ExpressionEnvironment

  /// Texts that live until `reset`.
  init(_ environment: ExpressionEnvironment) throws(EngineError) {
    arena = try TextArena()
    madeSizeMax = ComputedSize.allTextsMax
    self.environment = environment
  }

  /// Texts that live as long as anybody has them.
  init(keepingTexts environment: ExpressionEnvironment, sizeMax: Int = ComputedSize.allTextsMax) {
    arena = nil
    madeSizeMax = sizeMax
    self.environment = environment
  }

  func reset() {
    arena?.reset()
    madeSize = 0
  }

  /// Throws where a text of `size` bytes, or all texts with it, would be too large. `maker`: what makes it.
  private func takeRoom(_ size: Int, by maker: String) throws(EngineError) {
    try ComputedSize.check(textOf: size, by: maker)
    try ComputedSize.check(allTextsOf: madeSize + size, max: madeSizeMax)
    madeSize += size
  }

  func text(_ bytes: [UInt8], by maker: String) throws(EngineError) -> Value {
    try takeRoom(bytes.count, by: maker)
    guard let arena else { return .string(ByteString(copying: bytes)) }
    return .string(try arena.text(bytes.span))
  }

  /// A text of `count` bytes, all of which `fill` writes.
  func text(
    count: Int, by maker: String, filledBy fill: (MutableRawBytes) -> Void
  ) throws(EngineError) -> ByteString {
    try takeRoom(count, by: maker)
    guard let (bytes, text) = try arena?.allocate(count) else {
      return ByteString(count: count, filledBy: fill)
    }
    fill(bytes)
    return text
  }

  /// What `write` appends, as a text: no more than a few times what a property can hold.
  func text(by maker: String, _ write: (inout ByteBuffer) -> Void) throws(EngineError) -> Value {
    var buffer = ByteBuffer(capacity: 64)
    write(&buffer)
    try takeRoom(buffer.count, by: maker)
    guard let arena else { return .string(ByteString(copying: buffer.span)) }
    return .string(try arena.text(buffer.span))
  }

  /// Texts one after the other, with one between every two of them. Cost: one copy.
  func joined(
    _ parts: [ByteString], separator: ByteString? = nil, by maker: String
  ) throws(EngineError) -> ByteString {
    // Far from overflowing: there are no more parts than elements of a list, and none is larger than a script.
    var size = max(0, parts.count - 1) * (separator?.count ?? 0)
    for part in parts { size += part.count }
    return try text(count: size, by: maker) { bytes in
      var position = 0
      for (index, part) in parts.enumerated() {
        if index > 0, let separator {
          bytes.copy(separator.bytes, at: position)
          position += separator.count
        }
        bytes.copy(part.bytes, at: position)
        position += part.count
      }
    }
  }
}
