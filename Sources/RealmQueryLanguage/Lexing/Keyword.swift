// The words with a meaning, and which spellings of them cannot be names. Layer: Lexing.
// Every keyword is accepted in any case. Those that the SDKs' own parser knows in fewer spellings are reserved
// only in these, so that a property called `Not` or `True` stays reachable; where both readings remain
// possible the syntax tree keeps both (PropertyPath.keywordReading).

package enum Keyword: UInt8, Hashable, Sendable, CaseIterable {
  case notAKeyword
  // Logic.
  case and, or, not, truePredicate, falsePredicate
  // Quantifiers.
  case any, some, all, noneOf
  // Operators.
  case `in`, beginsWith, endsWith, contains, like, text, between, geoWithin, matches, `is`
  // Shapes and calls.
  case geoBox, geoCircle, geoPolygon, object, subquery, binary
  // Values.
  case `true`, `false`, yes, no, null, infinity, notANumber, wholeObject
  // Orderings.
  case sort, distinct, limit, ascending, descending
  // Positions.
  case first, last, size
  // Known words that are refused with a message of their own.
  case function, cast, include
  // Words behind an @.
  case atCount, atSize, atMin, atMax, atSum, atAvg, atLinks, atType, atKeys, atValues, atKey
}

extension Keyword {
  /// When a spelling is no name.
  enum Reservation {
    case always
    /// When all its letters are in the same case: `NOT` and `not`, but `Not` may be a property.
    case inUniformCase
    case never
  }

  /// The keyword that `word` spells in any case.
  package init(word: String) {
    let bytes = Array(word.utf8)
    self = Self.spelled(in: bytes, bytes.indices).keyword
  }

  /// The keyword that the ASCII letters in `bounds` spell in any case, and whether this spelling is reserved.
  static func spelled(in bytes: [UInt8], _ bounds: Range<Int>) -> (keyword: Keyword, isReserved: Bool) {
    guard bounds.count <= lengthMax, bounds.count >= 2 else { return (.notAKeyword, false) }
    var packed: UInt128 = 0
    var lowercaseCount = 0
    for index in bounds {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): lowercaseCount += 1
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "@"): break
      default: return (.notAKeyword, false)
      }
      packed = packed << 8 | UInt128(byte | 0x20)
    }
    guard let entry = tablesByLength[bounds.count].first(where: { $0.packed == packed }) else {
      return (.notAKeyword, false)
    }
    let isUniform = lowercaseCount == 0 || lowercaseCount == bounds.count
    switch entry.reservation {
    case .always: return (entry.keyword, true)
    case .inUniformCase: return (entry.keyword, isUniform)
    case .never: return (entry.keyword, false)
    }
  }

  private struct Entry {
    /// The lower-case letters, the last one in the lowest byte.
    let packed: UInt128
    let length: Int
    let keyword: Keyword
    let reservation: Reservation

    init(_ spelling: String, _ keyword: Keyword, _ reservation: Reservation) {
      packed = spelling.utf8.reduce(0) { $0 << 8 | UInt128($1 | 0x20) }
      length = spelling.utf8.count
      self.keyword = keyword
      self.reservation = reservation
    }
  }

  private static let table: [Entry] = [
    Entry("and", .and, .always), Entry("or", .or, .always), Entry("not", .not, .inUniformCase),
    Entry("in", .in, .never), Entry("any", .any, .inUniformCase), Entry("some", .some, .inUniformCase),
    Entry("all", .all, .inUniformCase), Entry("none", .noneOf, .inUniformCase),
    Entry("contains", .contains, .never), Entry("beginswith", .beginsWith, .never),
    Entry("endswith", .endsWith, .never), Entry("like", .like, .never), Entry("text", .text, .never),
    Entry("between", .between, .never), Entry("true", .true, .inUniformCase),
    Entry("false", .false, .inUniformCase), Entry("null", .null, .always), Entry("nil", .null, .always),
    Entry("yes", .yes, .never), Entry("no", .no, .never), Entry("self", .wholeObject, .never),
    Entry("truepredicate", .truePredicate, .always), Entry("falsepredicate", .falsePredicate, .always),
    Entry("sort", .sort, .never), Entry("distinct", .distinct, .never), Entry("limit", .limit, .never),
    Entry("asc", .ascending, .never), Entry("ascending", .ascending, .never),
    Entry("desc", .descending, .never), Entry("descending", .descending, .never),
    Entry("first", .first, .never), Entry("last", .last, .never), Entry("size", .size, .never),
    Entry("obj", .object, .always), Entry("subquery", .subquery, .always),
    Entry("binary", .binary, .never), Entry("bin", .binary, .never),
    Entry("inf", .infinity, .always), Entry("infinity", .infinity, .always),
    Entry("nan", .notANumber, .always),
    Entry("geowithin", .geoWithin, .always), Entry("geobox", .geoBox, .always),
    Entry("geocircle", .geoCircle, .always), Entry("geopolygon", .geoPolygon, .always),
    Entry("matches", .matches, .never), Entry("function", .function, .never), Entry("cast", .cast, .never),
    Entry("include", .include, .never), Entry("is", .is, .never),
    Entry("@count", .atCount, .always), Entry("@size", .atSize, .always), Entry("@min", .atMin, .always),
    Entry("@max", .atMax, .always), Entry("@sum", .atSum, .always), Entry("@avg", .atAvg, .always),
    Entry("@links", .atLinks, .always), Entry("@type", .atType, .always), Entry("@keys", .atKeys, .always),
    Entry("@allkeys", .atKeys, .always), Entry("@values", .atValues, .always),
    Entry("@allvalues", .atValues, .always), Entry("@key", .atKey, .always),
  ]

  /// Bytes of the longest words.
  private static let lengthMax = 14

  /// The words of each length.
  private static let tablesByLength: [[Entry]] = (0...lengthMax).map { length in
    table.filter { $0.length == length }
  }

  /// Whether it stands between two operands.
  package var isOperator: Bool {
    switch self {
    case .in, .beginsWith, .endsWith, .contains, .like, .text, .between, .geoWithin, .matches, .is: true
    default: false
    }
  }

  /// Whether NOT may stand before it, as in `NOT IN`.
  package var isNegatable: Bool { isOperator && self != .is && self != .geoWithin }

  var isOrdering: Bool {
    switch self {
    case .sort, .distinct, .limit: true
    default: false
    }
  }

  /// Whether a number may be followed by it without a blank (`5AND`).
  var mayFollowNumber: Bool {
    switch self {
    case .and, .or, .not, .include: true
    default: isOperator || isOrdering
    }
  }
}
