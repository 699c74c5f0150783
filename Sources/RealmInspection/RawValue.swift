// A value as it stands in a leaf, borrowed from the data. Layer: RealmInspection.

import RealmFiles

/// One value of any type.
enum RawValue {
  case null
  case int(Int64)
  case bool(Bool)
  case float(Float)
  case double(Double)
  case text(RawBytes)
  case data(RawBytes)
  case date(seconds: Int64, nanoseconds: Int64)
  case decimal(Decimal128)
  /// 12 bytes.
  case objectID(RawBytes)
  /// 16 bytes.
  case uuid(RawBytes)
  /// A link whose table the column knows.
  case link(Int64)
  case typedLink(table: Int64, key: Int64)
  /// Offset of the root, 0 for one that was never stored.
  case list(Int)
  case dictionary(Int)
}
