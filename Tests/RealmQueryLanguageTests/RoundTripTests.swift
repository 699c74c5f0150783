import Foundation
import RealmQueryLanguage
import TestSupport
import Testing

/// How many times the usual number of random trees and texts is tried.
private let scale = TestScale.cases(fast: 1, usual: 1, long: 5)

@Suite("Printing and parsing again")
struct RoundTripTests {
  @Test("a random predicate parses from its text to the same tree", arguments: 0..<8)
  func predicates(round: Int) throws {
    for seed in UInt64(round) << 32..<UInt64(round) << 32 + UInt64(40 * scale) {
      var random = RandomSyntax(seed: seed, takesSpecifiers: seed % 2 == 0)
      let predicate = random.predicate()
      let text = predicate.description
      do throws(QueryError) {
        let parsedAgain = try Predicate(parsing: Array(text.utf8))
        #expect(outline(parsedAgain.condition) == outline(predicate.condition), "seed \(seed): \(text)")
        #expect(outline(parsedAgain.orderings) == outline(predicate.orderings), "seed \(seed): \(text)")
      } catch {
        Issue.record("seed \(seed): \(error) in \(text)")
      }
    }
  }

  @Test("a random expression parses from its text to the same tree", arguments: 0..<8)
  func expressions(round: Int) throws {
    for seed in UInt64(round) << 32..<UInt64(round) << 32 + UInt64(40 * scale) {
      var random = RandomSyntax(seed: seed, takesSpecifiers: false)
      let expression = random.expression(depth: 4)
      let text = expression.description
      do throws(QueryError) {
        let parsedAgain = try Expression(parsing: Array(text.utf8))
        #expect(outline(parsedAgain) == outline(expression), "seed \(seed): \(text)")
      } catch {
        Issue.record("seed \(seed): \(error) in \(text)")
      }
    }
  }

  @Test("random words either parse, and then print and parse again, or are refused within the text")
  func wordSoup() throws {
    let words = [
      "a", "b.c", "$x", "in", "IN", "Not", "NOT", "Any", "ALL", "==", "!=", "<", "=", "[c]", "[0]", "(", ")",
      "(", ")", "{", "}",
      ",", ".", "'x'", "\"y\"", "5", "-1", "+2", "1.5", "2020-01-01", "T0:0", "AND", "OR", "&&", "||", "!",
      "+", "-", "*", "/",
      "SORT(a ASC)", "LIMIT(1)", "TRUEPREDICATE", "SUBQUERY(a,$x,", ".@count", ".@max", "@links.A.b", "%@",
      "$0", "BETWEEN", "LIKE",
      "CONTAINS", "GEOWITHIN", "geoBox(", "[1,2]", "NULL", "obj('A',1)", "#in", "uuid(", "'", "\\", "é", "“",
      "?", ":", ";",
    ]
    let seed = UInt64(20_260_731)
    var generator = SplitMix64(state: seed)
    var parsedCount = 0
    for round in 0..<10_000 * scale {
      let count = Int.random(in: 1...9, using: &generator)
      let text = (0..<count).map { _ in words.randomElement(using: &generator)! }.joined(separator: " ")
      let source = Array(text.utf8)
      do throws(QueryError) {
        let predicate = try Predicate(parsing: source)
        parsedCount += 1
        let again = try Predicate(parsing: Array(predicate.description.utf8))
        #expect(
          outline(again.condition) == outline(predicate.condition), "seed \(seed), round \(round): \(text)")
      } catch {
        #expect(error.range.end <= source.count, "seed \(seed), round \(round): \(text)")
      }
    }
    #expect(parsedCount > 20)
  }
}
