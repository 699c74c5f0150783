// Where something stands in a source text. Layer: Source, below everything else in this target.
// Offsets count bytes from the beginning of the whole text that was handed in, also when only a part of it
// is parsed, so that every range of a script can be shown without knowing which statement it came from.

/// A stretch of source bytes.
package struct SourceRange: Hashable, Sendable {
  /// Bytes before the range.
  package let offset: Int
  /// Bytes in the range; 0 for a place between two bytes, such as the end of the text.
  package let length: Int

  package init(offset: Int, length: Int) {
    precondition(offset >= 0 && length >= 0, "a source range cannot be negative")
    self.offset = offset
    self.length = length
  }

  package init(_ bounds: Range<Int>) { self.init(offset: bounds.lowerBound, length: bounds.count) }

  /// The offset of the first byte behind the range.
  package var end: Int { offset + length }

  package var bounds: Range<Int> { offset..<end }

  /// The smallest range that holds this one and `other`.
  package func joined(with other: SourceRange) -> SourceRange {
    let start = min(offset, other.offset)
    return SourceRange(offset: start, length: max(end, other.end) - start)
  }
}

extension Array where Element == UInt8 {
  /// The bytes of `range` as text.
  package func text(in range: SourceRange) -> String {
    String(decoding: self[range.bounds.clamped(to: indices)], as: UTF8.self)
  }
}
