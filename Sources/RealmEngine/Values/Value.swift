// One value of any type, as it is handed from the engine to whoever prints, compares or stores it.
// Layer: Values. Text and data borrow the snapshot's memory (see `ByteString`).

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
  var textBytes: ByteString? { if case .string(let text) = self { text } else { nil } }
}
