// The words that @type can be compared with, and the sets of types they stand for. Layer: Query, Operators.

import ByteText

/// Types of values, as sets: a value has one, a word such as `numeric` stands for several.
package struct TypeNames: OptionSet, Sendable, Hashable {
  package let rawValue: Int64

  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// Where null and collections are, behind all types.
  private static let firstBit: Int64 = 32

  static let null = TypeNames(rawValue: 1 << firstBit)
  static let list = TypeNames(rawValue: 2 << firstBit)
  static let dictionary = TypeNames(rawValue: 4 << firstBit)

  private init(_ type: ValueType) { rawValue = 1 << Int64(type.rawValue) }

  /// The type that `value` has.
  package init(of value: Value) {
    self =
      switch value {
      case .list: .list
      case .dictionary: .dictionary
      default: value.type.map(TypeNames.init) ?? .null
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
    (["int", "integer", "int16", "int32", "int64", "short", "long", "byte", "char"], TypeNames(.int)),
    (["bool", "boolean"], TypeNames(.bool)),
    (["string"], TypeNames(.string)),
    (["data", "binary", "bytearray", "byte[]", "bindata"], TypeNames(.data)),
    (["date", "datetimeoffset", "timestamp"], TypeNames(.date)),
    (["float"], TypeNames(.float)),
    (["double"], TypeNames(.double)),
    (["decimal128", "decimal"], TypeNames(.decimal128)),
    (["link", "objectlink"], TypeNames(.object)),
    (["objectid"], TypeNames(.objectID)),
    (["uuid", "guid"], TypeNames(.uuid)),
    (["list", "array"], .list),
    (["dictionary", "object"], .dictionary),
    (["numeric"], [TypeNames(.int), TypeNames(.float), TypeNames(.double), TypeNames(.decimal128)]),
    (["collection"], [.list, .dictionary]),
  ]
}
