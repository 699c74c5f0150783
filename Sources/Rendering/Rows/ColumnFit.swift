// Which columns of a result a screen has room for, and how wide each may be. Layer: Rendering, Rows.

/// What is left of columns that are wider than the screen together, so that rows stay rows.
package struct ColumnFit {
  /// Of the columns that are shown, from the left.
  package let widths: [Int]

  /// A text says something from so many characters on.
  private static let textWidthMin = 8

  /// What the lines between columns take.
  package struct Frame {
    let perColumn: Int
    let beside: Int

    package init(perColumn: Int, beside: Int) {
      self.perColumn = perColumn
      self.beside = beside
    }
  }

  /// `wanted`: as wide as the columns would be; those that are `firm` are shown like that or not at all. Behind the last
  /// column that is shown stands one more, of a single character, where others are left out.
  package init(_ wanted: [Int], isFirm: [Bool], _ frame: Frame, columnCount: Int) {
    let least = wanted.indices.map { isFirm[$0] ? wanted[$0] : min(wanted[$0], Self.textWidthMin) }
    var room = columnCount - frame.beside
    var shownCount = 0
    while shownCount < wanted.count {
      let isLast = shownCount == wanted.count - 1
      let needed = least[shownCount] + frame.perColumn + (isLast ? 0 : 1 + frame.perColumn)
      guard needed <= room else { break }
      room -= least[shownCount] + frame.perColumn
      shownCount += 1
    }
    guard shownCount > 0 else {
      widths = [max(1, room - frame.perColumn - (wanted.count > 1 ? 1 + frame.perColumn : 0))]
      return
    }
    if shownCount < wanted.count { room -= 1 + frame.perColumn }
    var widths = Array(least[..<shownCount])
    // What is left goes to the narrowest of those that want more, so that no long text takes it from the others.
    while room > 0,
      let narrowest = widths.indices.filter({ widths[$0] < wanted[$0] }).min(by: { widths[$0] < widths[$1] })
    {
      widths[narrowest] += 1
      room -= 1
    }
    self.widths = widths
  }
}
