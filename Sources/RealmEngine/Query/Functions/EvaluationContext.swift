// What functions need beside their arguments. Layer: Query.

import ByteText

/// Room for texts, and the world outside.
package final class EvaluationContext {
  /// Nil where each text has memory of its own.
  private let arena: TextArena?
  let environment: ExpressionEnvironment

  /// Texts that live until `reset`.
  init(_ environment: ExpressionEnvironment) throws(EngineError) {
    arena = try TextArena()
    self.environment = environment
  }

  /// Texts that live as long as anybody has them.
  init(keepingTexts environment: ExpressionEnvironment) {
    arena = nil
    self.environment = environment
  }

  func reset() { arena?.reset() }

  func text(_ bytes: some Collection<UInt8>) throws(EngineError) -> Value {
    .string(try arena?.text(bytes) ?? ByteString(copying: bytes))
  }

  /// What `write` appends, as a text.
  func text(_ write: (inout ByteBuffer) -> Void) throws(EngineError) -> Value {
    var buffer = ByteBuffer(capacity: 64)
    write(&buffer)
    return try text(buffer.bytes)
  }

  /// Texts one after the other. Cost: one copy.
  func joined(_ parts: [ByteString]) throws(EngineError) -> ByteString {
    guard let arena else { return ByteString(copying: parts.flatMap { $0.bytes.array() }) }
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
