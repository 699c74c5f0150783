// What functions give where one may wonder, as the manual tells it.

import RealmEngine
import RealmQueryLanguage
import Testing

@Suite("The table of results")
struct FunctionResultsTests {
  /// What a call gives for each object, or why it gives nothing.
  private static func result(_ call: String, in realm: ExpressionRealm) -> String {
    do {
      return try realm.results(call)[0]
    } catch BindingFailure.query(let error) {
      return "refused: \(error.sentence)"
    } catch let BindingFailure.engine(error) {
      return "error: \(error.message)"
    } catch let error as EngineError {
      return "error: \(error.message)"
    } catch {
      return "\(error)"
    }
  }

  @Test("each call gives what the manual says")
  func results() throws {
    let realm = try ExpressionRealm()
    for (call, expected) in ExpressionFunction.results {
      let found = Self.result(call, in: realm)
      #expect(found == expected, "\(call) => \(found)")
    }
  }

  @Test("a name stands for one function, which may take several types")
  func names() {
    let names = ExpressionFunction.all.map(\.name)
    for name in Set(names) { #expect(names.count { $0 == name } == 1, "\(name)") }
  }

  @Test("each function is in the table, with null or nothing among its arguments")
  func completeness() {
    for name in ExpressionFunction.names where name != "now" {
      let calls = ExpressionFunction.results.map(\.call).filter { $0.hasPrefix(name + "(") }
      #expect(calls.count >= 3, "\(name)")
      #expect(calls.contains { $0.contains("null") || $0.contains("{}") }, "\(name)")
    }
  }
}
