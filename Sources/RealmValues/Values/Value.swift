// One value of any type, as it is handed from the engine to whoever prints, compares or stores it.
// Layer: Values. Text and data borrow the snapshot's memory (see `ByteString`).

package import ByteText

/// A list or dictionary that stands inside a mixed value.
package struct NestedCollection: Hashable, Sendable {
  /// Where its root node stands; 0 for an empty collection that was never stored.
  package let rootOffset: Int

  package init(rootOffset: Int) { self.rootOffset = rootOffset }
}

/// A single value.
package enum Value: Sendable, Hashable {
  case null
  case int(Int64)
  case bool(Bool)
  case float(Float)
  case double(Double)
  case string(ByteString)
  case data(ByteString)
  case date(Timestamp)
  case decimal(Decimal128)
  case objectID(ObjectID)
  case uuid(UUIDValue)
  case link(ObjectLink)
  case list(NestedCollection)
  case dictionary(NestedCollection)
}

extension Value {
  /// The text of a string; nil for other values.
  package var textBytes: ByteString? { if case .string(let text) = self { text } else { nil } }

  /// The type of a property that holds it alone; nil for null and for collections.
  package var type: ValueType? {
    switch self {
    case .null, .list, .dictionary: nil
    case .int: .int
    case .bool: .bool
    case .float: .float
    case .double: .double
    case .string: .string
    case .data: .data
    case .date: .date
    case .decimal: .decimal128
    case .objectID: .objectID
    case .uuid: .uuid
    case .link: .object
    }
  }
}

extension Value {
  /// Appends the text of a value that needs nothing but itself. False, and nothing is appended: it is null, a link or a
  /// collection, or a date that has no calendar form.
  package func write(to text: inout ByteBuffer) -> Bool {
    switch self {
    case .null, .link, .list, .dictionary: return false
    case .int(let number): text.append(decimal: number)
    case .bool(let flag): text.append(literal: flag ? "true" : "false")
    case .float(let number): text.append(shortest: number)
    case .double(let number): text.append(shortest: number)
    case .string(let bytes): text.append(bytes.bytes.span)
    case .data(let bytes): text.append(base64: bytes.bytes.span)
    case .date(let date): return date.write(to: &text)
    case .decimal(let number): number.write(to: &text)
    case .objectID(let id): id.write(to: &text)
    case .uuid(let id): id.write(to: &text)
    }
    return true
  }
}

extension Value {
  /// Appends a primary key as it is typed: `7`, `'Ada'`. False, and nothing is appended, for null and what is none.
  package func writeKey(to text: inout ByteBuffer) -> Bool {
    switch self {
    case .int(let number): text.append(decimal: number)
    case .string(let value):
      text.append(UInt8(ascii: "'"))
      text.append(text: value.text.visible)
      text.append(UInt8(ascii: "'"))
    case .objectID, .uuid:
      text.append(UInt8(ascii: "'"))
      _ = write(to: &text)
      text.append(UInt8(ascii: "'"))
    default: return false
    }
    return true
  }
}

/// Whether values can be compared, as conditions ask. Values of one kind are in the order of all values; all numbers
/// are one kind, nested lists are all equal, and so are nested dictionaries. A null is in no order with anything.
extension Value {
  /// Negative, zero or positive as this value is less than, equal to or greater than `other`; nil where they are of
  /// different kinds, or one is null or NaN.
  package func compare(to other: Value) -> Int? {
    isNaN || other.isNaN ? nil : compareOrderingNaN(to: other)
  }

  /// The same, but with a place for NaN: equal to itself and before all numbers.
  package func compareOrderingNaN(to other: Value) -> Int? {
    guard self != .null, storedRank == other.storedRank else { return nil }
    return isNaN && other.isNaN ? 0 : storedOrder(other)
  }
}

/// Objects and collections that stand in each other.
package enum Nesting {
  /// More levels than any SDK makes by hand, and fewer than the stack holds: what stands deeper is neither written nor
  /// printed.
  package static let levelsMax = 500
  /// Collections that stand in each other in a mixed property, the outermost included, as the SDKs allow.
  package static let collectionsMax = 100
}
