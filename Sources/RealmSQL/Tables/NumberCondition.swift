// Comparisons of numbers as SQLite has them: integers with doubles without loss, texts as numbers where they look like
// numbers, and all other texts and data above all numbers. Layer: RealmSQL, Tables.

import ByteText
import RealmEngine

/// What a numeric column is compared with.
struct NumberCondition {
  private enum Side {
    case integer(Int64)
    case real(Double)
    /// Greater than all numbers.
    case above
  }

  private let operation: ComparisonOperator
  private let side: Side

  /// `value` is not null.
  init(_ operation: ComparisonOperator, _ value: SQLValue) {
    self.operation = operation
    switch value {
    case .integer(let number): side = .integer(number)
    case .real(let number): side = .real(number)
    case .text(let text): side = Self.number(text.bytes.array()) ?? .above
    case .null, .blob: side = .above
    }
  }

  /// The number that a text is all of.
  private static func number(_ bytes: [UInt8]) -> Side? {
    var text = bytes.drop(while: \.isASCIIBlank)
    while let last = text.last, last.isASCIIBlank { text = text.dropLast() }
    guard let end = text.last, end.isDigit || end == UInt8(ascii: "."), text.contains(where: \.isDigit),
      text.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) })
    else { return nil }
    let word = String(decoding: text, as: UTF8.self)
    if let number = Int64(word) { return .integer(number) }
    return Double(end == UInt8(ascii: ".") ? "\(word)0" : word).map(Side.real)
  }

  /// The whole number that SQLite compares integers with; nil where there is none.
  static func wholeNumber(_ value: SQLValue) -> Int64? {
    switch NumberCondition(.equal, value).side {
    case .integer(let number): number
    case .real(let number): Int64(exactly: number)
    case .above: nil
    }
  }

  func pushed(_ property: Property) -> PushedCondition {
    switch property.type {
    case .bool: bools(property)
    case .int: integers(property)
    case .float: floating(property, \Float.decimal) { .float($0) }
    default: floating(property, \Double.self) { .double($0) }
    }
  }

  private func compare(
    _ property: Property, _ operation: ComparisonOperator, _ value: Value
  ) -> PushedCondition {
    let condition = PushedCondition.test(property, ComparisonTest(operation), value)
    guard operation == .notEqual, property.isOptional else { return .predicate(condition) }
    return .predicate(.and([condition, PushedCondition.test(property, .notEqual, .null)]))
  }

  /// NaN is null in SQLite.
  private func always(_ property: Property) -> PushedCondition {
    switch property.type {
    case .float: compare(property, .greaterOrEqual, .float(-.infinity))
    case .double: compare(property, .greaterOrEqual, .double(-.infinity))
    default: .predicate(PushedCondition.test(property, .notEqual, .null))
    }
  }

  /// Of a number that lies between two neighbours.
  private func between(_ property: Property, _ low: Value, _ high: Value) -> PushedCondition {
    switch operation {
    case .equal: .never
    case .notEqual: always(property)
    case .less, .lessOrEqual: compare(property, .lessOrEqual, low)
    case .greater, .greaterOrEqual: compare(property, .greaterOrEqual, high)
    }
  }

  /// Of what is above or below all values.
  private func beyond(_ property: Property, isAbove: Bool) -> PushedCondition {
    switch operation {
    case .equal: .never
    case .notEqual: always(property)
    case .less, .lessOrEqual: isAbove ? always(property) : .never
    case .greater, .greaterOrEqual: isAbove ? .never : always(property)
    }
  }

  private func integers(_ property: Property) -> PushedCondition {
    switch side {
    case .above: return beyond(property, isAbove: true)
    case .integer(let number): return compare(property, operation, .int(number))
    case .real(let number):
      if number >= 0x1p63 || number < -0x1p63 { return beyond(property, isAbove: number > 0) }
      let floor = Int64(number.rounded(.down))
      if let whole = Int64(exactly: number) { return compare(property, operation, .int(whole)) }
      // A fraction lies below the greatest whole number.
      return between(property, .int(floor), .int(floor + 1))
    }
  }

  private func bools(_ property: Property) -> PushedCondition {
    let (acceptsFalse, acceptsTrue) = (holds(0), holds(1))
    if acceptsFalse, acceptsTrue { return always(property) }
    return acceptsFalse || acceptsTrue ? compare(property, .equal, .bool(acceptsTrue)) : .never
  }

  private func holds(_ value: Int64) -> Bool {
    switch side {
    case .above: operation.holds(order: -1)
    case .integer(let number): operation.holds(order: value < number ? -1 : value > number ? 1 : 0)
    case .real(let number):
      operation.holds(order: Double(value) < number ? -1 : Double(value) > number ? 1 : 0)
    }
  }

  /// `shown`: what SQLite sees of a number, which rounds to it again.
  private func floating<T: StoredFloat>(
    _ property: Property, _ shown: (T) -> Double, _ make: (T) -> Value
  ) -> PushedCondition {
    let (nearest, isExact, isAbove): (T, Bool, Bool)
    switch side {
    case .above: return beyond(property, isAbove: true)
    case .integer(let number):
      nearest = T(number)
      let whole = Int64(exactly: shown(nearest))
      isExact = whole == number
      isAbove = whole.map { $0 > number } ?? (nearest > 0)
    case .real(let number):
      nearest = T(number)
      isExact = shown(nearest) == number
      isAbove = shown(nearest) > number
    }
    if isExact { return compare(property, operation, make(nearest)) }
    let (low, high) = isAbove ? (nearest.nextDown, nearest) : (nearest, nearest.nextUp)
    return between(property, make(low), make(high))
  }
}
