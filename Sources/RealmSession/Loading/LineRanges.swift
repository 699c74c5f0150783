// Where the objects of a text stand in it, in little memory. Layer: RealmSession, Loading.

/// The lines of objects that come one after the other.
struct LineRanges {
  /// Where lines begin that follow one another: how many objects come before, and the line's number.
  private var runs: [(count: Int64, line: Int64)] = []

  /// Notes that the object with `count` others before it stands on `line`.
  mutating func note(_ count: Int64, on line: Int) {
    let line = Int64(line)
    if let last = runs.last, line - last.line == count - last.count { return }
    runs.append((count, line))
  }

  /// The line of an object by its place among all.
  func line(of ordinal: Int64) -> Int? {
    runs.last { $0.count <= ordinal }.map { Int($0.line + ordinal - $0.count) }
  }
}
