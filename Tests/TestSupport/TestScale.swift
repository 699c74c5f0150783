// How much is tried: `Tests/fast` after every edit, `Tests/run` before a change is offered, `Tests/long` where machines
// wait instead of people. Layer: below all tests.

import Foundation
import Testing

/// `REALM_SCALE` says which.
package enum TestScale: Int {
  case fast, usual, long

  package static let current: TestScale =
    switch ProcessInfo.processInfo.environment["REALM_SCALE"] {
    case "fast": .fast
    case "long": .long
    default: .usual
    }

  /// A number of random cases, moments or rounds. `REALM_CASES` sets it for a run of one suite.
  package static func cases(fast: Int, usual: Int, long: Int) -> Int {
    if let wanted = ProcessInfo.processInfo.environment["REALM_CASES"].flatMap({ Int($0) }) { return wanted }
    return switch current {
    case .fast: fast
    case .usual: usual
    case .long: long
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// For a test or suite that takes seconds: not in `Tests/fast`.
  package static var slow: Self { .enabled(if: TestScale.current != .fast, "left out of Tests/fast") }

  /// For one that takes half a minute or more: only in `Tests/long`.
  package static var long: Self { .enabled(if: TestScale.current == .long, "only in Tests/long") }
}
