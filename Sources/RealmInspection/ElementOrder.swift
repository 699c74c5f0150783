// The order of elements in sets and of keys in dictionaries, by format (F-60, F-61, F-63, F-64). Layer: RealmInspection.
// Memory: one word an element where the order proves nothing.

import RealmFiles

/// Follows the elements of a set.
struct SetOrder {
  enum Problem { case repeated, misplaced }

  private let type: ValueType
  private let format: Int
  private var previous: RawValue?
  private var hasNaN = false
  /// Of texts and data whose order depends on the engine that wrote them.
  private var hashes: [UInt64] = []

  init(_ type: ValueType, format: Int) {
    self.type = type
    self.format = format
  }

  /// What is wrong with `value` behind the elements before it.
  mutating func add(_ value: RawValue) -> Problem? {
    defer { previous = value }
    // Engines compare with a plain "less", which NaN breaks: nothing is sorted around one.
    if type == .float || type == .double, value.isNaN { hasNaN = true }
    if isOfOldOrder(value) { hashes.append(IndexPath.hash(of: value)) }
    guard let previous, !hasNaN else { return nil }
    if isOfOldOrder(value) && isOfOldOrder(previous) { return nil }
    let order = ValueOrder.compare(previous, value)
    return order < 0 ? nil : order == 0 ? .repeated : .misplaced
  }

  /// Before format 24 texts and data were ordered by signed bytes or by a table of letters, and in some formats
  /// mixed with one another.
  private func isOfOldOrder(_ value: RawValue) -> Bool {
    guard format < 24 else { return false }
    switch value {
    case .text, .data: return true
    default: return false
    }
  }

  /// Whether elements in an order that proves nothing repeat.
  var hasRepeats: Bool { hashes.hasRepeats }
}

/// Follows the keys of a dictionary.
struct KeyOrder {
  private(set) var isAscending = true
  private(set) var isAscendingSigned = true
  private var previous: RawValue?
  private var hashes: [UInt64] = []

  mutating func add(_ key: RawValue) {
    defer { previous = key }
    hashes.append(IndexPath.hash(of: key))
    guard let previous else { return }
    if ValueOrder.compare(previous, key) >= 0 { isAscending = false }
    if case .text(let left) = previous, case .text(let right) = key {
      if left.compareSigned(right) >= 0 { isAscendingSigned = false }
    } else if !isAscending {
      isAscendingSigned = false
    }
  }

  var hasRepeats: Bool { !isAscending && hashes.hasRepeats }
}

extension [UInt64] {
  var hasRepeats: Bool {
    let sorted = self.sorted()
    return zip(sorted, sorted.dropFirst()).contains { $0 == $1 }
  }
}

extension RawValue {
  var isNaN: Bool {
    switch self {
    case .float(let number): number.isNaN
    case .double(let number): number.isNaN
    default: false
    }
  }
}

extension RawBytes {
  /// As `compare`, with bytes from 0x80 on before all others.
  func compareSigned(_ other: RawBytes) -> Int {
    for index in 0..<min(count, other.count) where self[index] != other[index] {
      return Int(Int8(bitPattern: self[index])) - Int(Int8(bitPattern: other[index]))
    }
    return count - other.count
  }
}
