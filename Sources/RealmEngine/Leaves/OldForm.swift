// What a column of formats 2–9 is made of. Layer: Leaves.

/// How formats 2–9 store the values of one column: in trees of leaves, one element a row.
package enum OldForm: Sendable {
  case integers
  case bools
  case strings
  /// Numbers into a table of distinct texts.
  case enumerated(EnumeratedTexts)
  case data
  /// Whole seconds since 1970, as numbers.
  case seconds
  /// Two trees: nullable seconds beside nanoseconds.
  case dates
  case floats
  case doubles
  /// Two trees of types and numbers, and columns for what is no number.
  case mixed
  /// Row numbers of the target plus one.
  case links
  /// Trees of row numbers.
  case linkLists
  /// Tables without a name, by the refs of their columns.
  case subtables
  case backlinks
}
