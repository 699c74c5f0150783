// The words that @type can be compared with, and the sets of types they stand for. Layer: Query.

import ByteText

/// Types of values, as sets: a value has one, a word such as `numeric` stands for several.
package struct TypeNames: OptionSet, Sendable, Hashable {
  package let rawValue: Int64

  package init(rawValue: Int64) { self.rawValue = rawValue }

  static let null = TypeNames(rawValue: 1 << 0)
  static let int = TypeNames(rawValue: 1 << 1)
  static let bool = TypeNames(rawValue: 1 << 2)
  static let string = TypeNames(rawValue: 1 << 3)
  static let binary = TypeNames(rawValue: 1 << 4)
  static let date = TypeNames(rawValue: 1 << 5)
  static let float = TypeNames(rawValue: 1 << 6)
  static let double = TypeNames(rawValue: 1 << 7)
  static let decimal = TypeNames(rawValue: 1 << 8)
  static let objectID = TypeNames(rawValue: 1 << 9)
  static let uuid = TypeNames(rawValue: 1 << 10)
  static let link = TypeNames(rawValue: 1 << 11)
  static let list = TypeNames(rawValue: 1 << 12)
  static let dictionary = TypeNames(rawValue: 1 << 13)

  /// The type that `value` has.
  package init(of value: Value) {
    self =
      switch value {
      case .null: .null
      case .int: .int
      case .bool: .bool
      case .string: .string
      case .data: .binary
      case .date: .date
      case .float: .float
      case .double: .double
      case .decimal: .decimal
      case .objectID: .objectID
      case .uuid: .uuid
      case .link: .link
      case .list: .list
      case .dictionary: .dictionary
      }
  }

  /// What a word means, in any case; nil for a word that means no type.
  package init?(word: String) {
    let lowercase = word.lowercased()
    guard let entry = Self.words.first(where: { $0.words.contains(lowercase) }) else { return nil }
    self = entry.types
  }

  /// The usual word for exactly these types.
  var firstWord: String? { Self.words.first { $0.types == self }?.words.first }

  /// The word that is most like `word`.
  static func nearestWord(to word: String) -> String? {
    EditDistance.nearest(to: word, among: words.flatMap(\.words))
  }

  /// The words to name in a message.
  package static let commonWords =
    "null, int, bool, string, data, date, float, double, decimal128, objectId, uuid, link, list, dictionary, "
    + "numeric, collection"

  private static let words: [(words: [String], types: TypeNames)] = [
    (["null"], .null),
    (["int", "integer", "int16", "int32", "int64", "short", "long", "byte", "char"], .int),
    (["bool", "boolean"], .bool),
    (["string"], .string),
    (["data", "binary", "bytearray", "byte[]", "bindata"], .binary),
    (["date", "datetimeoffset", "timestamp"], .date),
    (["float"], .float),
    (["double"], .double),
    (["decimal128", "decimal"], .decimal),
    (["link", "objectlink"], .link),
    (["objectid"], .objectID),
    (["uuid", "guid"], .uuid),
    (["list", "array"], .list),
    (["dictionary", "object"], .dictionary),
    (["numeric"], [.int, .float, .double, .decimal]),
    (["collection"], [.list, .dictionary]),
  ]
}
