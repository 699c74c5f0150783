// Names of tables and columns that SQLite tells apart. Layer: RealmSQL, Mapping.
// SQLite takes names for the same that differ only in the case of ASCII letters; a realm does not.

import ByteText
import RealmEngine

/// The names that are taken in one schema or one table.
struct SQLNames: Sendable {
  private var taken: Set<String> = []
  /// The number that the next name with this beginning gets.
  private var nextNumbers: [String: Int] = [:]

  /// Names of this kind belong to SQLite.
  private static let reservedStart = "sqlite_"

  /// `name`, or where that is taken `name_2`, `name_3` and so on.
  mutating func take(_ name: String) -> String {
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
    var name = name
    if name.utf8.contains(where: {
      $0 < UInt8(ascii: " ") || $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "/")
    }) {
      var text = String.UnicodeScalarView()
      for character in name.unicodeScalars {
        let endsComment = text.last == "*" && character == "/" || text.last == "/" && character == "*"
        text.append(["\0", "\n", "\r"].contains(character) || endsComment ? "\u{FFFD}" : character)
      }
      name = String(text)
    }
    if name.isEmpty { return "_" }
    let isReserved =
      folded(String(decoding: name.utf8.prefix(reservedStart.utf8.count), as: UTF8.self)) == reservedStart
    return isReserved ? "_\(name)" : name
  }
}

/// How SQL text is written.
package enum SQLText {
  /// A name between double quotes.
  package static func quoted(name: String) -> String {
    "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
  }

  /// All rows of a table. Each column stands behind the table's name: SQLite takes a name alone in double quotes for a text where
  /// there is no such column.
  static func selection(_ columns: [String], of table: String) -> String {
    let table = quoted(name: table)
    let list = columns.map { "\(table).\(quoted(name: $0))" }.joined(separator: ",")
    return "SELECT \(list.isEmpty ? "NULL" : list) FROM \(table)"
  }

  /// PostgreSQL cuts names here, so that long ones would become the same.
  private static let postgresNameSizeMax = 63

  /// Columns that every table of PostgreSQL has.
  private static let postgresColumns: Set<String> = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]

  /// The name in PostgreSQL between double quotes: a long one ends in a hash of all of it, and one that it has for itself is
  /// in capitals, which no other of the table is where only case tells them apart.
  package static func quoted(postgresName name: String) -> String {
    if postgresColumns.contains(name) { return quoted(name: name.uppercased()) }
    guard name.utf8.count > postgresNameSizeMax else { return quoted(name: name) }
    var hash = RowHash()
    hash.add(.text(ByteString(name)))
    var ending = ByteBuffer()
    ending.append(UInt8(ascii: "_"))
    ending.append(hexadecimal: hash.finished.x)
    let end = name.utf8.index(name.startIndex, offsetBy: postgresNameSizeMax - ending.count)
    return quoted(name: "\(name[..<end])\(ending.text)")
  }
}
