import Foundation
import RealmEngine
import RealmQueryLanguage
import TestSupport
import Testing

/// How many times the usual number of random predicates is tried.
private let scale = TestScale.cases(fast: 1, usual: 1, long: 5)

/// A realm, one of its classes, and a seed.
struct RandomCase: Sendable, CustomTestStringConvertible {
  let file: String
  let className: String
  let seed: UInt64

  var testDescription: String { "\(className) of \(file), seed \(seed)" }

  var asked: Asked {
    get throws { try Asked(Result { try Fixture.open(file) }, className) }
  }

  static let all = [
    ("zoo.realm", "Person"), ("zoo.realm", "Dog"), ("zoo.realm", "Address"), ("alltypes.realm", "AllTypes"),
    ("place.realm", "Place"),
  ].flatMap { file, className in
    (0..<UInt64(2 * scale)).map { RandomCase(file: file, className: className, seed: $0) }
  }
}

@Suite("What is true of every predicate")
struct QueryPropertyTests {
  private static let rounds = 40

  /// Runs `body` with random predicates; a type error is the generator's, and rare.
  private func forEachPredicate(
    _ random: RandomCase, _ body: (Asked, inout RandomPredicates) throws -> Void
  ) throws {
    let asked = try random.asked
    var refused: [String] = []
    for round in 0..<UInt64(Self.rounds) {
      var predicates = RandomPredicates(asked.realm, seed: random.seed << 32 | round)
      do {
        try body(asked, &predicates)
      } catch BindingFailure.query(let error) {
        refused.append("\(error.code) \(error.message)")
      }
    }
    #expect(refused.count <= Self.rounds / 8, "\(random): \(refused)")
  }

  private func expectSame(_ asked: Asked, _ one: String, _ other: String, _ random: RandomCase) throws {
    let (keys, otherKeys) = (try asked.keys(one), try asked.keys(other))
    #expect(keys == otherKeys, "\(random): \(one) – \(other)")
  }

  @Test("an object meets a predicate or its negation", arguments: RandomCase.all)
  func complement(_ random: RandomCase) throws {
    try forEachPredicate(random) { asked, predicates in
      let text = predicates.condition(on: asked.table)
      let met = try asked.keys(text)
      let notMet = try asked.keys("NOT (\(text))")
      #expect(
        Set(met).isDisjoint(with: notMet) && met.count + notMet.count == asked.table.count,
        "\(random): \(text)")
    }
  }

  @Test("a predicate means the same when it is printed and parsed again", arguments: RandomCase.all)
  func printing(_ random: RandomCase) throws {
    try forEachPredicate(random) { asked, predicates in
      let text = predicates.condition(on: asked.table)
      let printed = try Predicate(parsing: Array(text.utf8)).description
      try expectSame(asked, text, printed, random)
    }
  }

  @Test("NONE is NOT ANY, and ALL of a condition is NONE of its opposite", arguments: RandomCase.all)
  func quantifiers(_ random: RandomCase) throws {
    try forEachPredicate(random) { asked, predicates in
      guard let path = predicates.path(from: asked.table, where: { !$0.isLink }), path.isSeveral else {
        return
      }
      let literal = predicates.literal(for: path)
      let condition = "\(path.text) == \(literal)"
      try expectSame(asked, "NONE \(condition)", "NOT ANY \(condition)", random)
      try expectSame(asked, "ALL \(condition)", "NONE \(path.text) != \(literal)", random)
    }
  }

  @Test("IN is a disjunction of equalities", arguments: RandomCase.all)
  func membership(_ random: RandomCase) throws {
    try forEachPredicate(random) { asked, predicates in
      guard let path = predicates.path(from: asked.table, where: { !$0.isLink }) else { return }
      let literals = (0..<3).map { _ in predicates.literal(for: path) }
      let quantifier = path.isSeveral ? "ANY " : ""
      let equalities = literals.map { "\(quantifier)\(path.text) == \($0)" }.joined(separator: " OR ")
      let list = "{\(literals.joined(separator: ", "))}"
      try expectSame(asked, "\(path.text) IN \(list)", equalities, random)
    }
  }

  @Test("BETWEEN is two orderings", arguments: RandomCase.all)
  func range(_ random: RandomCase) throws {
    try forEachPredicate(random) { asked, predicates in
      let path = predicates.path(from: asked.table) { !$0.isLink && $0.collection == nil && $0.type != .bool }
      guard let path, !path.isSeveral, let low = predicates.nonNullLiteral(for: path),
        let high = predicates.nonNullLiteral(for: path)
      else { return }
      // A null text is below the upper bound where the property is the object's own, but never above the lower one.
      try expectSame(
        asked, "\(path.text) BETWEEN {\(low), \(high)}", "\(path.text) >= \(low) AND \(path.text) <= \(high)",
        random)
    }
  }

  @Test("some object of a list meets a condition when a subquery counts one", arguments: RandomCase.all)
  func subqueries(_ random: RandomCase) throws {
    try forEachPredicate(random) { asked, predicates in
      guard
        let links = predicates.path(
          from: asked.table, hopsMax: 1, where: { $0.isLink && $0.collection == .list }),
        let target = links.property.target.flatMap(asked.realm.table),
        let value = predicates.path(from: target, hopsMax: 0, where: { !$0.isLink && $0.collection == nil })
      else { return }
      let condition = "\(value.text) == \(predicates.literal(for: value))"
      try expectSame(
        asked, "SUBQUERY(\(links.text), $v, $v.\(condition)).@count > 0", "ANY \(links.text).\(condition)",
        random)
    }
  }

  @Test("the sides of a symmetric operator can be exchanged", arguments: RandomCase.all)
  func symmetry(_ random: RandomCase) throws {
    try forEachPredicate(random) { asked, predicates in
      guard let path = predicates.path(from: asked.table, where: { !$0.isLink }) else { return }
      let literal = predicates.literal(for: path)
      let quantifier = predicates.quantifier(for: path)
      for relation in ["==", "!="] {
        try expectSame(
          asked, "\(quantifier)\(path.text) \(relation) \(literal)",
          "\(literal) \(relation) \(quantifier)\(path.text)", random)
      }
      guard path.property.type != .string || path.hasLinks else { return }
      try expectSame(
        asked, "\(quantifier)\(path.text) < \(literal)", "\(literal) > \(quantifier)\(path.text)", random)
    }
  }

  @Test("orderings keep, drop and cut what they say", arguments: RandomCase.all)
  func orderings(_ random: RandomCase) throws {
    try forEachPredicate(random) { asked, predicates in
      let condition = predicates.condition(on: asked.table, depth: 1)
      let all = try asked.keys(condition)
      let path = predicates.path(from: asked.table, hopsMax: 0, where: { $0.collection == nil })
      guard let path else { return }
      let sorted = try asked.keys("\(condition) SORT(\(path.text) ASC)")
      #expect(sorted.sorted() == all, "\(random): \(condition)")
      let limit = predicates.below(all.count + 2)
      let cut = try asked.keys("\(condition) SORT(\(path.text) ASC) LIMIT(\(limit))")
      #expect(cut == Array(sorted.prefix(limit)), "\(random): \(condition)")
      let once = try asked.keys("\(condition) DISTINCT(\(path.text))")
      let twice = try asked.keys("\(condition) DISTINCT(\(path.text)) DISTINCT(\(path.text))")
      #expect(once == twice, "\(random): \(condition)")
      #expect(Set(once).isSubset(of: all) && once.isEmpty == all.isEmpty, "\(random): \(condition)")
    }
  }
}
