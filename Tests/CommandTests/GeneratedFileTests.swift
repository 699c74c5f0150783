// The man page and the completions that are checked in are what the option table makes.

import Foundation
import Testing

@Suite("Generated files")
struct GeneratedFileTests {
  @Test(
    "the checked-in file is what the program prints ('make generate' writes it)",
    arguments: [
      ("man/realm-cli.1", ["__man"]), ("completions/realm-cli.bash", ["completion", "bash"]),
      ("completions/_realm-cli", ["completion", "zsh"]),
      ("completions/realm-cli.fish", ["completion", "fish"]),
    ])
  func same(path: String, arguments: [String]) throws {
    let root = RealmProcess.packageRoot
    let printed = try RealmProcess.run(RealmProcess.executable, arguments, in: root)
    #expect(printed.status == 0)
    #expect(
      printed.outputText == (try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)))
  }
}
