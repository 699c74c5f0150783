// What functions need beside their arguments. Layer: Expressions.

import ByteText

/// Room for texts, and the world outside.
package final class EvaluationContext {
  let arena: TextArena
  let environment: ExpressionEnvironment

  init(_ environment: ExpressionEnvironment) throws(EngineError) {
    arena = try TextArena()
    self.environment = environment
  }

  /// A text that lives until the next block.
  func text(_ bytes: some Collection<UInt8>) throws(EngineError) -> Value { .string(try arena.text(bytes)) }

  /// What `write` appends, as a text.
  func text(_ write: (inout ByteBuffer) -> Void) throws(EngineError) -> Value {
    var buffer = ByteBuffer(capacity: 64)
    write(&buffer)
    return try text(buffer.bytes)
  }

  /// Texts one after the other. Cost: one copy.
  func joined(_ parts: [ByteString]) throws(EngineError) -> ByteString {
    var size = 0
    for part in parts { size += part.count }
    let (bytes, text) = try arena.allocate(size)
    var position = 0
    for part in parts {
      bytes.copy(part.bytes, at: position)
      position += part.count
    }
    return text
  }
}

extension ByteString {
  var isASCII: Bool {
    let bytes = bytes.span
    for index in 0..<bytes.count where bytes[index] >= 0x80 { return false }
    return true
  }
}

extension Value {
  /// The text of a string; nil for other values.
  var textBytes: ByteString? { if case .string(let text) = self { text } else { nil } }

  var whole: Int64? { if case .int(let number) = self { number } else { nil } }
}
