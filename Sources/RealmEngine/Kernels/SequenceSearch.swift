// Finding a run of bytes or scalars in a longer one in linear time, whatever both are made of: a text of a million equal
// letters takes no longer than any other. Layer: Kernels.
// Knuth, Morris and Pratt's way: where a run breaks off, it is known how much of its beginning stands there all the same.

/// A run of elements, prepared to be found. Cost of preparing it: its length.
package struct SequenceSearch<Element: Equatable & Sendable>: Sendable {
  private let run: [Element]
  /// For so many elements of the run less one: the most, but fewer, that end where those end.
  private let shorter: [Int]

  package init(_ run: [Element]) {
    self.run = run
    var shorter: [Int] = []
    shorter.reserveCapacity(run.count)
    var length = 0
    for index in run.indices {
      if index > 0 {
        while length > 0, run[index] != run[length] { length = shorter[length - 1] }
        if run[index] == run[length] { length += 1 }
      }
      shorter.append(length)
    }
    self.shorter = shorter
  }

  /// Calls `body` with positions from `start` on where the run, which is not empty, stands among `count` elements, in
  /// order; `body` says from where on the next one is wanted.
  @inline(__always)
  package func forEach(in count: Int, from start: Int, _ element: (Int) -> Element, _ body: (Int) -> Int) {
    var wanted = start
    var length = 0
    var position = start
    while position < count {
      let found = element(position)
      while length > 0, run[length] != found { length = shorter[length - 1] }
      if run[length] == found { length += 1 }
      position += 1
      guard length == run.count else { continue }
      let first = position - length
      length = shorter[length - 1]
      guard first >= wanted else { continue }
      wanted = body(first)
      if wanted > position {
        position = wanted
        length = 0
      }
    }
  }

  /// Where the run stands first, from `start` on.
  @inline(__always)
  package func first(in count: Int, from start: Int = 0, _ element: (Int) -> Element) -> Int? {
    if run.isEmpty { return start <= count ? start : nil }
    var found: Int?
    forEach(in: count, from: start, element) { position in
      found = position
      return count
    }
    return found
  }
}
