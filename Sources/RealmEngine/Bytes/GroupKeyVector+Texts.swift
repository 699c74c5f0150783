// Words of a column's short texts for a run of rows. Layer: Bytes.

extension GroupKeyVector {
  /// Gives each row the words of the text that `rows` names for it: elements of `elementSize` bytes, at least 8, the last
  /// of which says how many are padding. `other` is called with the rows whose texts words do not hold, and with those
  /// that are null.
  @inline(__always)
  func set(
    _ place: Int, paddedTexts elements: RawBytes, elementSize: Int, rows: borrowing Span<Int32>,
    _ other: (_ targetRow: Int, _ row: Int) throws(EngineError) -> Void
  ) throws(EngineError) {
    precondition(rows.count == count && place >= 0 && place + 2 < width)
    precondition(elementSize == 8 || elementSize >= 16)
    let elementCount = elements.count / elementSize
    let source = unsafe elements.start
    for index in 0..<count {
      let row = Int(rows[index])
      precondition(row >= 0 && row < elementCount)
      let element = unsafe source + row &* elementSize
      let padding = unsafe element.load(fromByteOffset: elementSize &- 1, as: UInt8.self)
      let length = elementSize &- 1 &- Int(padding)
      guard length >= 0, length <= InlineText.wholeMax else {
        try other(index, row)
        continue
      }
      let head = unsafe UInt64(bigEndian: element.loadUnaligned(as: UInt64.self))
      // Elements of eight bytes have no text beyond them.
      let tail =
        length > 8
        ? unsafe UInt32(bigEndian: element.loadUnaligned(fromByteOffset: 8, as: UInt32.self)) : 0
      put(InlineText(head: head, tail: tail, length: length), index, place)
      unsafe nulls[index] = 0
    }
  }
}
