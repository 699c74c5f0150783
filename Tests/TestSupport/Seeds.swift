// Where random tests begin. Layer: below all tests.

import Foundation

/// A seed for the test that asks: another one at each run, but on a machine of continuous integration the same for ever,
/// so that a build that fails there fails because of its change. `REALM_SEED` asks for one that failed.
package func testSeed(of test: String = #function, in file: String = #fileID) -> UInt64 {
  let environment = ProcessInfo.processInfo.environment
  if let wanted = environment["REALM_SEED"].flatMap({ UInt64($0) }) { return wanted }
  // Half of the range, because some tests count on from it.
  guard environment["CI"] != nil else { return .random(in: 0...(.max / 2)) }
  return (file + test).utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } / 2
}
