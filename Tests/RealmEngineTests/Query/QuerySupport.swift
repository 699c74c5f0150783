// Helpers of the query tests: the bundled realms, predicates by their text, complaints as one readable value.

import RealmEngine
import RealmQueryLanguage
import Testing

enum Fixture {
  static func open(_ name: String) throws -> ReadTransaction { try SearchIndexTests.open(name) }

  static let zoo = Result { try open("zoo.realm") }
  static let place = Result { try open("place.realm") }
  static let allTypes = Result { try open("alltypes.realm") }
}

/// One class of one realm, to put questions to.
struct Asked {
  let realm: ReadTransaction
  let table: Table

  init(_ realm: Result<ReadTransaction, any Error>, _ className: String) throws {
    self.realm = try realm.get()
    table = try #require(self.realm.table(named: className))
  }

  func bound(_ text: String, _ arguments: [String] = []) throws -> BoundQuery {
    let source = Array(text.utf8)
    let values = try arguments.map { try Expression(argument: Array($0.utf8)) }
    return try BoundQuery(
      try Predicate(parsing: source), source: source, of: table, in: realm,
      arguments: QueryArguments(values))
  }

  /// The keys of the objects that meet a predicate, in order.
  func keys(_ text: String, _ arguments: [String] = []) throws -> [Int64] {
    try RowEvaluator(realm).keys(try bound(text, arguments)).map(\.value)
  }

  func count(_ text: String, _ arguments: [String] = []) throws -> Int { try keys(text, arguments).count }

  /// `code «marked text» message`, or what went wrong otherwise; nil when the predicate is accepted.
  func complaint(_ text: String, _ arguments: [String] = []) -> String? {
    do {
      _ = try bound(text, arguments)
      return nil
    } catch let error as QueryError {
      return describe(error, in: text)
    } catch BindingFailure.query(let error) {
      return describe(error, in: text)
    } catch {
      return "\(error)"
    }
  }

  private func describe(_ error: QueryError, in text: String) -> String {
    "\(error.code.rawValue) «\(Array(text.utf8).text(in: error.range))» \(error.sentence)"
  }
}

extension OrderedRows {
  /// The keys of the rows in their order.
  var keys: [ObjectKey] {
    let found = pieces.flatMap { piece in
      (0..<piece.blockCount).flatMap { index in
        let block = piece.block(index)
        return piece.rows(index).map { block.key(Int($0)) }
      }
    }
    return order.map { found[Int($0)] }
  }
}
