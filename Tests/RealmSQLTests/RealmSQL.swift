// What the tests of RealmSQL share: fixtures as sessions of SQL, and their rows as texts.

import Foundation
import RealmEngine
import RealmSQL

enum Realms {
  static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("fixtures")

  static let names = [
    "zoo.realm", "alltypes.realm", "bare.realm", "evolved.realm", "place.realm", "legacy9-small.realm",
  ]

  static func open(_ name: String) throws -> ReadTransaction {
    try Database.open(FilePath(fixtures.appendingPathComponent(name).path), key: nil).transaction
  }

  static func session(_ name: String, pushesDown: Bool = true) throws -> SQLSession {
    try SQLSession([SQLSource(name: nil, .realm(try open(name)))], pushesDown: pushesDown)
  }
}

extension SQLSession {
  /// The rows, each as SQLite would write its values in a statement.
  func rows(_ text: String, _ parameters: SQLParameters = SQLParameters()) throws -> [String] {
    guard let statement = try prepare(Array(text.utf8), parameters).statement else { return [] }
    var rows: [String] = []
    while try step(statement) {
      rows.append((0..<statement.columnCount).map { Self.text(statement.value($0)) }.joined(separator: "|"))
    }
    return rows
  }

  private static func text(_ value: SQLValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "'\(text.text)'"
    case .blob(let data): "x'\(data.bytes.array().map { String($0, radix: 16) }.joined())'"
    }
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
