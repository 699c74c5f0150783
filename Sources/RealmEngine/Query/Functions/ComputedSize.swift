// How large what is computed may become, which is asked before room is taken for it. Layer: Query, Functions.
// What is too large is refused everywhere: it is nothing that values cause, so that conditions do not pass over it, and
// `unparsable` says nothing about it.

enum ComputedSize {
  /// Elements of all lists that are made for a block of objects: 256 MiB of values.
  static let elementCountMax = 1 << 23
  /// Bytes of all texts that are made for a block of objects, and of those that an order keeps.
  static let allTextsMax = 1 << 30

  /// Throws where a text of `size` bytes is more than a property can hold. `maker`: the function or operator that makes it.
  @inline(__always)
  static func check(textOf size: Int, by maker: String) throws(EngineError) {
    guard size <= TextLimits.textSizeMax else { throw tooLong(maker) }
  }

  @inline(never)
  private static func tooLong(_ maker: String) -> EngineError {
    EngineError(
      .refused,
      "\(maker) would make a text of more than \(TextLimits.textSizeMax) bytes, which no property can hold",
      hint: "make it of less: substring(text, 0, 1000) is the beginning of a text")
  }

  /// Throws where lists have too many elements together.
  @inline(__always)
  static func check(elementCount count: Int) throws(EngineError) {
    guard count <= elementCountMax else { throw tooManyElements }
  }

  private static var tooManyElements: EngineError {
    EngineError(
      .tooLarge, "lists of more than \(elementCountMax) elements would be made",
      hint: "compute with fewer objects at a time, or with shorter lists")
  }

  /// Throws where texts have too many bytes together.
  @inline(__always)
  static func check(allTextsOf size: Int, max: Int = allTextsMax) throws(EngineError) {
    guard size <= max else { throw tooManyBytes(max) }
  }

  private static func tooManyBytes(_ max: Int) -> EngineError {
    EngineError(
      .refused, "texts of more than \(max) bytes would be made together",
      hint: "compute with fewer objects at a time, or with shorter texts")
  }
}
