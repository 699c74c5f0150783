// What is calculated for groups, as words that are added to row by row and put together from several threads.
// Layer: Kernels. The words of no rows are all 0.
// Invariant: the result does not depend on which rows came to which thread: integers are added up exactly, other numbers
// with what each addition has lost.

/// One calculation over the rows of a group.
package enum GroupOperation: Sendable, Equatable {
  /// How many rows there are that are not null.
  case count
  /// The sum of integers: how many, their lower halves, their upper halves.
  case integerSum
  /// The sum of other numbers, of which NaN is passed over: how many, the sum, what was lost.
  case sum
  /// The same, and the sum of the squares and what it has lost.
  case squares
  /// The first or last of values by their words: whether there is one, and its words.
  case extreme(isLeast: Bool, words: Int)
  /// The first or last of texts.
  case extremeText(isLeast: Bool)

  package var width: Int {
    switch self {
    case .count: 1
    case .integerSum, .sum: 3
    case .squares: 5
    case .extreme(_, let words): 1 + words
    case .extremeText: 4
    }
  }
}

/// A sum that keeps what additions lose.
struct CompensatedSum {
  var sum = 0.0
  var lost = 0.0

  init() {}

  @inline(__always)
  init(words sum: UInt64, _ lost: UInt64) {
    (self.sum, self.lost) = (Double(bitPattern: sum), Double(bitPattern: lost))
  }

  @inline(__always)
  mutating func add(_ number: Double) {
    let total = sum + number
    let part = total - sum
    lost += (sum - (total - part)) + (number - part)
    sum = total
  }

  @inline(__always)
  mutating func addSquare(_ number: Double) {
    let square = number * number
    // What the product has lost, exactly.
    lost += (-square).addingProduct(number, number)
    add(square)
  }

  /// Beyond all numbers there is nothing left to correct.
  var value: Double { sum.isFinite ? sum + lost : sum }
}

/// The words of one calculation of one group.
@unsafe struct GroupState {
  let words: UnsafeMutablePointer<UInt64>

  @inline(__always)
  private func kept(_ place: Int) -> CompensatedSum {
    unsafe CompensatedSum(words: words[place], words[place &+ 1])
  }

  @inline(__always)
  private func keep(_ sum: CompensatedSum, _ place: Int) {
    unsafe words[place] = sum.sum.bitPattern
    unsafe words[place &+ 1] = sum.lost.bitPattern
  }

  @inline(__always)
  func addInteger(_ number: Int64) {
    unsafe words[0] &+= 1
    unsafe words[1] &+= UInt64(bitPattern: number & 0xFFFF_FFFF)
    unsafe words[2] = UInt64(bitPattern: Int64(bitPattern: words[2]) &+ number >> 32)
  }

  @inline(__always)
  func add(_ number: Double) {
    if number.isNaN { return }
    unsafe words[0] &+= 1
    var sum = unsafe kept(1)
    sum.add(number)
    unsafe keep(sum, 1)
  }

  @inline(__always)
  func addSquare(_ number: Double) {
    if number.isNaN { return }
    unsafe add(number)
    var squares = unsafe kept(3)
    squares.addSquare(number)
    unsafe keep(squares, 3)
  }

  /// Takes a value of one word that is not null.
  @inline(__always)
  func take(_ word: UInt64, isLeast: Bool) {
    guard unsafe words[0] == 0 || (isLeast ? word < words[1] : word > words[1]) else { return }
    unsafe words[0] = 1
    unsafe words[1] = word
  }

  func take(_ other: UnsafePointer<UInt64>, count: Int, isLeast: Bool) {
    if unsafe words[0] != 0 {
      var place = 0
      while unsafe place < count && words[1 &+ place] == other[place] { place &+= 1 }
      if place == count { return }
      guard unsafe (other[place] < words[1 &+ place]) == isLeast else { return }
    }
    unsafe words[0] = 1
    unsafe (words + 1).update(from: other, count: count)
  }

  /// `keep` makes a copy of a text that will not live long, and tells where it stands.
  func takeText(_ other: UnsafePointer<UInt64>, isLeast: Bool, keep: (RawBytes) -> UInt64) {
    let text = unsafe InlineText(other[0], other[1], other[2])
    if unsafe words[0] != 0 {
      let order = unsafe InlineText.compare(text, InlineText(words[1], words[2], words[3]))
      guard isLeast ? order < 0 : order > 0 else { return }
    }
    unsafe words[0] = 1
    unsafe words[1] = text.first
    unsafe words[2] = text.second
    unsafe words[3] = text.address == 0 ? 0 : keep(text.longBytes)
  }

  /// Adds what another thread has calculated.
  func merge(_ operation: GroupOperation, _ other: UnsafePointer<UInt64>) {
    if unsafe other[0] == 0 { return }
    switch operation {
    case .count: unsafe words[0] &+= other[0]
    case .integerSum: for place in 0..<3 { unsafe words[place] &+= other[place] }
    case .sum, .squares:
      unsafe words[0] &+= other[0]
      for place in stride(from: 1, to: operation.width, by: 2) {
        var sum = unsafe kept(place)
        unsafe sum.add(Double(bitPattern: other[place]))
        unsafe sum.lost += Double(bitPattern: other[place + 1])
        unsafe keep(sum, place)
      }
    case .extreme(let isLeast, let count): unsafe take(other + 1, count: count, isLeast: isLeast)
    case .extremeText(let isLeast):
      unsafe takeText(other + 1, isLeast: isLeast) { unsafe UInt64(UInt(bitPattern: $0.start)) }
    }
  }
}

/// What the words of a calculation mean.
enum GroupSums {
  /// The exact sum of integers; nil where it is too large.
  static func integer(_ low: UInt64, _ high: UInt64) -> Int64? {
    let carry = Int64(bitPattern: low >> 32)
    let (upper, isLarge) = Int64(bitPattern: high).addingReportingOverflow(carry)
    guard !isLarge, upper >= -(1 << 31), upper < 1 << 31 else { return nil }
    return upper << 32 | Int64(bitPattern: low & 0xFFFF_FFFF)
  }

  /// The mean of so many integers.
  static func mean(_ count: UInt64, _ low: UInt64, _ high: UInt64) -> Double {
    if let sum = integer(low, high) { return Double(sum) / Double(count) }
    return (Double(Int64(bitPattern: high)) * 0x1p32 + Double(low)) / Double(count)
  }
}

/// What the standard deviation of numbers needs of them.
package struct NumberSpread {
  private var count: UInt64 = 0
  private var sum = CompensatedSum()
  private var squares = CompensatedSum()

  package init() {}

  /// `word` gives the words of `squares`.
  init(_ word: (Int) -> UInt64) {
    count = word(0)
    sum = CompensatedSum(words: word(1), word(2))
    squares = CompensatedSum(words: word(3), word(4))
  }

  package mutating func add(_ number: Double) {
    count += 1
    sum.add(number)
    squares.addSquare(number)
  }

  /// That of a sample; nil for fewer than two numbers.
  package var deviation: Double? {
    guard count > 1 else { return nil }
    let (count, sum) = (Double(count), sum.sum)
    guard squares.sum.isFinite, sum.isFinite else { return .nan }
    // The square of the sum over the count, with what it loses.
    let square = sum * sum
    let squareLost = (-square).addingProduct(sum, sum) + 2 * sum * self.sum.lost
    let share = square / count
    let shareLost = (square.addingProduct(-share, count) + squareLost) / count
    let spread = (squares.sum - share) + (squares.lost - shareLost)
    return (max(0, spread) / (count - 1)).squareRoot()
  }
}
