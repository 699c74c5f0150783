// A number of each object of a class, found by the object's key: what paths over links lead to. Layer: Query, Plan.

/// The numbers that an expression gives for a class.
package final class KeyedNumbers: Sendable {
  /// Those of consecutive objects.
  struct Block: Sendable {
    private(set) var keys = RowKeys()
    /// Integers, or the bits of doubles.
    private(set) var words: [UInt64] = []
    /// Empty where none is null.
    private(set) var isNull: [Bool] = []

    init() {}

    /// One behind the other.
    init(_ parts: [Block]) {
      words.reserveLarge(parts.reduce(0) { $0 + $1.words.count })
      for part in parts { append(part) }
    }

    mutating func append(_ numbers: NumberVector, areInts: Bool, at place: BlockPlace) {
      if numbers.hasNulls || !isNull.isEmpty {
        isNull += repeatElement(false, count: words.count - isNull.count)
        for row in 0..<numbers.count { isNull.append(numbers.isNull(row)) }
      }
      keys.append(place)
      numbers.append(to: &words, areInts: areInts)
    }

    mutating func append(_ other: Block) {
      if !isNull.isEmpty || !other.isNull.isEmpty {
        isNull += repeatElement(false, count: words.count - isNull.count)
        isNull += other.isNull
        isNull += repeatElement(false, count: other.words.count - other.isNull.count)
      }
      keys.append(other.keys)
      words += other.words
    }
  }

  let kind: NumberExpression.Kind
  /// What stands for an object that is not there; nil is null.
  private let absent: Int64?
  private let numbers: Block

  /// `absent` is 0 or null.
  init(_ numbers: Block, _ kind: NumberExpression.Kind, absent: Int64?) {
    self.numbers = numbers
    self.kind = kind
    self.absent = absent
  }

  /// The number of the object with `key`: an integer, or the bits of a double; nil for null and where there is none.
  @inline(__always)
  func word(of key: Int64) -> UInt64? {
    guard let index = numbers.keys.index(of: key), numbers.isNull.isEmpty || !numbers.isNull[index] else {
      return nil
    }
    return numbers.words[index]
  }

  /// Puts the number of the object with `key` into a row of `block`; without one, what stands for no object.
  @inline(__always)
  func store(_ key: Int64?, in block: NumberVector, _ row: Int) {
    guard let key, let index = numbers.keys.index(of: key) else {
      guard let absent else { return block.setNull(row) }
      return kind == .int ? block.set(row, absent) : block.set(row, Double(absent))
    }
    if !numbers.isNull.isEmpty, numbers.isNull[index] { return block.setNull(row) }
    let word = numbers.words[index]
    if kind == .int {
      block.set(row, Int64(bitPattern: word))
    } else {
      block.set(row, Double(bitPattern: word))
    }
  }
}

/// Numbers of the objects of a class that links lead to. A plan says how they are calculated; they are collected before
/// it runs.
package indirect enum LinkedNumbers: Sendable {
  case known(KeyedNumbers)
  /// What an expression gives for the class; `absent`, which is 0 or null, stands for an object that is not there.
  case given(by: NumberExpression, of: Table, absent: Int64?)

  var kind: NumberExpression.Kind {
    switch self {
    case .known(let numbers): numbers.kind
    case .given(let expression, _, _): expression.kind
    }
  }

  /// Of a plan whose questions are answered.
  var numbers: KeyedNumbers {
    guard case .known(let numbers) = self else {
      preconditionFailure("numbers are looked up where they were collected")
    }
    return numbers
  }
}
