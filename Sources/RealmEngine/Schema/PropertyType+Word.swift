// The words that schema documents and migrations spell types with: `int`, `string?`, `list<Dog>`. Layer: Schema.

import ByteText

extension PropertyType {
  private static let elementWords: [String] = ValueType.allCases.filter {
    $0 != .backlink && $0 != .typedLink
  }.map(\.name)

  /// The words that a type begins with, classes apart; for suggestions.
  package static let words: [String] = elementWords + ["list<>", "set<>", "dictionary<>"]

  /// What other programs call the types.
  private static let otherWords: [(type: ValueType, words: [String])] = [
    (.string, ["text", "varchar", "nvarchar", "char", "str", "clob", "nsstring"]),
    (
      .int,
      ["integer", "int8", "int16", "int32", "int64", "long", "short", "byte", "bigint", "smallint", "number"]
    ),
    (.bool, ["boolean", "bit"]), (.double, ["float64", "real"]), (.float, ["float32", "single"]),
    (.decimal128, ["decimal", "numeric", "bigdecimal", "money"]),
    (.date, ["datetime", "timestamp", "time", "instant", "nsdate", "datetimeoffset"]),
    (.data, ["blob", "bytes", "binary", "bytea", "bytearray", "nsdata"]),
    (.uuid, ["guid"]), (.objectID, ["oid", "bsonobjectid"]),
    (.mixed, ["any", "json", "variant", "realmany"]),
  ]

  /// The type that `word`, which is none, was meant to be.
  package static func nearest(to word: String) -> String? {
    let plain = word.hasSuffix("?") ? String(word.dropLast()) : word
    let folded = String(plain.lowercased().prefix { $0 != "(" })
    return otherWords.first { $0.words.contains(folded) }?.type.name
      ?? EditDistance.nearest(to: plain, among: words)
  }

  /// What is wrong with a word, for messages.
  package enum Refusal: Error {
    /// Brackets that do not match, or nothing inside them.
    case malformed
    /// `mixed?` is as good as `mixed`, but a list or set of links holds no null.
    case optionalLink
    /// A collection of collections, or a collection that is null.
    case optionalCollection
  }

  /// Reads a word. `target` is the class where it stands beside the word `object`.
  package init(word: String, target: String? = nil) throws(Refusal) {
    var element = Substring(word)
    var collection: CollectionKind?
    for kind in [CollectionKind.list, .set, .dictionary] where element.hasPrefix(kind.name + "<") {
      guard element.hasSuffix(">") else {
        throw element.hasSuffix(">?") ? .optionalCollection : .malformed
      }
      collection = kind
      element = element.dropFirst(kind.name.count + 1).dropLast()
      break
    }
    var isOptional = false
    if element.hasSuffix("?") {
      isOptional = true
      element = element.dropLast()
    }
    guard !element.isEmpty, !element.contains(where: { "<>?".contains($0) }) else { throw .malformed }
    guard let type = ValueType.allCases.first(where: { $0.name == element }), type != .backlink,
      type != .typedLink
    else {
      guard target == nil else { throw .malformed }
      try self.init(linkTo: String(element), collection, isOptional: isOptional)
      return
    }
    guard type == .object else {
      guard target == nil else { throw .malformed }
      self.init(type, collection: collection, isOptional: isOptional || type == .mixed)
      return
    }
    guard let target else { throw .malformed }
    try self.init(linkTo: target, collection, isOptional: isOptional)
  }

  private init(
    linkTo target: String, _ collection: CollectionKind?, isOptional: Bool
  ) throws(Refusal) {
    self.init(.object, collection: collection, isOptional: isOptional, target: target)
    guard allowsNull || !isOptional else { throw .optionalLink }
    self.isOptional = allowsNull
  }
}
