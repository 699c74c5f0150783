// Names of tables and columns that SQLite tells apart. Layer: RealmSQL, Mapping.
// SQLite takes names for the same that differ only in the case of ASCII letters; a realm does not.

/// The names that are taken in one schema or one table.
package struct SQLNames: Sendable {
  private var taken: Set<String> = []
  /// The number that the next name with this beginning gets.
  private var nextNumbers: [String: Int] = [:]

  /// Names of this kind belong to SQLite.
  private static let reservedStart = "sqlite_"

  package init() {}

  /// `name`, or where that is taken `name_2`, `name_3` and so on.
  package mutating func take(_ name: String) -> String {
    let clean = Self.clean(name)
    if insert(clean) { return clean }
    var number = nextNumbers[Self.folded(clean)] ?? 2
    while !insert("\(clean)_\(number)") { number += 1 }
    nextNumbers[Self.folded(clean)] = number + 1
    return "\(clean)_\(number)"
  }

  /// `owner_name`, with as many underscores between them as make it a new name.
  mutating func take(_ name: String, of owner: String) -> String {
    var start = "\(owner)_"
    let clean = Self.clean(name)
    while !insert(start + clean) { start += "_" }
    return start + clean
  }

  /// `name`, with as many underscores before it as make it a new name.
  mutating func take(structural name: String) -> String {
    var name = name
    while !insert(name) { name = "_\(name)" }
    return name
  }

  private mutating func insert(_ name: String) -> Bool { taken.insert(Self.folded(name)).inserted }

  static func folded(_ name: String) -> String {
    String(
      decoding: name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 },
      as: UTF8.self)
  }

  /// A name that SQL text can hold: not empty, without NUL, and not one of SQLite's own. In scripts names stand in comments that
  /// one of two programs sees, so that they end neither lines nor comments.
  private static func clean(_ name: String) -> String {
    var text = String.UnicodeScalarView()
    for character in name.unicodeScalars {
      let endsComment = text.last == "*" && character == "/" || text.last == "/" && character == "*"
      text.append(["\0", "\n", "\r"].contains(character) || endsComment ? "\u{FFFD}" : character)
    }
    let name = text.isEmpty ? "_" : String(text)
    return folded(String(name.prefix(reservedStart.count))) == reservedStart ? "_\(name)" : name
  }
}

/// How SQL text is written.
package enum SQLText {
  /// A name between double quotes.
  package static func quoted(name: String) -> String {
    "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
  }
}
