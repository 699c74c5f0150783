// Whether two values that could be written are the same to the last bit, and how much they hold. Layer: Comparison.

extension NewValue {
  func isSame(as other: NewValue) -> Bool {
    switch (self, other) {
    case (.single(.link(let left)), .single(.link(let right))): left == right
    case (.single(let left), .single(let right)): left.isIdentical(to: right)
    case (.list(let left), .list(let right)), (.set(let left), .set(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
    case (.dictionary(let left), .dictionary(let right)):
      left.count == right.count
        && zip(left, right).allSatisfy { $0.key == $1.key && $0.value.isSame(as: $1.value) }
    case (.embedded(let left), .embedded(let right)):
      left.count == right.count
        && zip(left, right).allSatisfy { $0.property == $1.property && $0.value.isSame(as: $1.value) }
    default: false
    }
  }

  /// Bytes of all values in it, about.
  var byteCount: Int {
    switch self {
    case .single(.string(let bytes)), .single(.data(let bytes)): Self.innerSize + bytes.count
    case .single: Self.innerSize
    case .list(let elements), .set(let elements): elements.reduce(0) { $0 + $1.byteCount }
    case .dictionary(let entries):
      entries.reduce(0) { $0 + Self.innerSize + $1.key.count + $1.value.byteCount }
    case .embedded(let values): values.reduce(0) { $0 + Self.innerSize + $1.value.byteCount }
    }
  }

  private static let innerSize = 64
}
