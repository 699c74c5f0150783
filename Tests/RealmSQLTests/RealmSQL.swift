// What the tests of RealmSQL share: fixtures as sessions of SQL, and their rows as texts.

import Foundation
import RealmEngine
import RealmSQL
import TestSupport

enum Realms {
  static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("fixtures")

  static let names = [
    "zoo.realm", "alltypes.realm", "bare.realm", "evolved.realm", "place.realm", "legacy9-small.realm",
    "hostile/embedded-other-column.realm", "hostile/embedded-misrecorded.realm", linked,
  ]

  static func open(_ name: String) throws -> ReadTransaction {
    if name == linked { return try madeLinked.get() }
    return try Database.open(FilePath(fixtures.appendingPathComponent(name).path), key: nil).transaction
  }

  /// The file of SQLite that an export makes.
  static func exported(_ name: String, in folder: ScratchFolder) throws -> SQLConnection {
    let path = FilePath(folder.url.appendingPathComponent("out.sqlite").path)
    try Data().write(to: folder.url.appendingPathComponent("out.sqlite"))
    _ = try SQLiteFile(path, name: name).write(try RealmExport(try open(name)))
    return try SQLConnection(path.bytes)
  }

  static func session(_ name: String, pushesDown: Bool = true) throws -> SQLSession {
    try SQLSession([SQLSource(name: nil, .realm(try open(name)))], pushesDown: pushesDown)
  }
}

extension SQLSession {
  /// The rows, each as SQLite would write its values in a statement.
  func rows(_ text: String, _ parameters: SQLParameters = SQLParameters()) throws -> [String] {
    guard let statement = try prepare(Array(text.utf8), parameters).statement else { return [] }
    var found = SQLRows(statement, of: self)
    var rows: [String] = []
    while try found.next() { rows.append(Self.text(statement.columnCount, found.value)) }
    return rows
  }

  /// A row, its values as SQLite would write them in a statement.
  fileprivate static func text(_ columnCount: Int, _ value: (Int) -> SQLValue) -> String {
    (0..<columnCount).map { value($0).text }.joined(separator: "|")
  }

  /// What a statement is refused with.
  func refusal(_ text: String) -> String? {
    do {
      _ = try rows(text)
      return nil
    } catch let error as SQLError {
      return error.message
    } catch let error as EngineError {
      return error.message
    } catch {
      return "\(error)"
    }
  }
}

extension SQLConnection {
  func rows(_ text: String) throws -> [String] {
    let statement = try prepare(text)
    var rows: [String] = []
    while try statement.step() { rows.append(SQLSession.text(statement.columnCount, statement.value)) }
    return rows
  }
}

extension SQLValue {
  fileprivate var text: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "'\(text.text)'"
    case .blob(let data): "x'\(data.bytes.array().map { String($0, radix: 16) }.joined())'"
    }
  }
}
