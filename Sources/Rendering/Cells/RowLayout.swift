// What streamed rows consist of: columns, and the text around their cells. Layer: Rendering, Cells.

import ByteText
import RealmEngine

/// The columns of a result, and what stands before each cell and behind the last.
final class RowLayout: Sendable {
  struct Column: Sendable {
    let source: Source
    /// The text before the keys of links that are written without looking at their objects.
    let linkHead: [UInt8]?

    init(_ source: Source, linkHead: [UInt8]? = nil) {
      self.source = source
      self.linkHead = linkHead
    }

    fileprivate var needsMoreThanItsLeaf: Bool {
      switch source {
      case .key: false
      case .property(let property):
        property.collection != nil || property.type == .mixed || property.type == .object && linkHead == nil
      case .other: true
      }
    }
  }

  enum Source: Sendable {
    case key
    /// A property of the row itself.
    case property(Property)
    /// What must be looked up or calculated.
    case other(SelectedColumn)
  }

  let columns: [Column]
  let separators: Separators
  /// Whether some column must be looked up or calculated, whatever its leaf is like.
  let needsMoreThanLeaves: Bool
  /// About as many bytes are in memory for a row whose cells are small: what stands between them may be far more than they are.
  let rowSize: Int

  /// A cell, with the place where it begins.
  private static let cellSize = 24

  /// `separators` has one more than there are columns.
  init(_ columns: [Column], separators: [[UInt8]]) {
    precondition(
      separators.count == columns.count + 1, "a separator before each cell and one behind the last")
    self.columns = columns
    needsMoreThanLeaves = columns.contains(where: \.needsMoreThanItsLeaf)
    self.separators = Separators(separators)
    rowSize = separators.reduce(columns.count * Self.cellSize) { $0 + $1.count }
  }

  /// How many rows, at least one, have a text of about `size` bytes.
  func rowCount(ofSize size: Int) -> Int { max(1, size / max(1, rowSize)) }
}

/// What stands before the cells of a row, and behind the last one.
struct Separators: ~Copyable, Sendable {
  private(set) var text = ByteBuffer()
  private(set) var ends: [Int] = []

  init(_ separators: [[UInt8]]) {
    for separator in separators {
      text.append(separator)
      ends.append(text.count)
    }
    text.reserveSlack()
  }

  /// Appends the separator before column `index`, without its first `skippedCount` bytes.
  borrowing func append(_ index: Int, skippedCount: Int = 0, to target: inout ByteBuffer) {
    let start = index == 0 ? 0 : ends[index - 1]
    target.append(text.span.extracting(start + skippedCount..<ends[index]))
  }
}

extension RowLayout.Source {
  /// Where a column of a result comes from.
  init(_ column: SelectedColumn) {
    switch column.source {
    case .objectKey: self = .key
    case .property(let hops, let property) where hops.isEmpty: self = .property(property)
    case .property, .operand: self = .other(column)
    }
  }
}
