// Realms whose free space has fallen into so many pieces that the list of them is larger than a write buffer.

import Foundation
import Testing

@Suite("Fragmented realms")
struct FragmentedRealmTests {
  @Test("a realm with hundreds of thousands of free blocks is written, again and again", .slow)
  func manyFreeBlocks() throws {
    let scene = try WholeFileScene(isEmpty: true)
    // Each text is long enough for a node of its own; no two of those that go are neighbours.
    let objectCount = 560_000
    try scene.run(["create", "big.realm"])
    try scene.run(["-w", "big.realm", "create class T { n: int, text: string? }"])
    let text = String(repeating: "x", count: 70)
    var rows = Data("n,text\n".utf8)
    for number in 0..<objectCount { rows.append(contentsOf: "\(number),\(text)\n".utf8) }
    try rows.write(to: scene.url("rows.csv"))
    try scene.run(["import", "big.realm", "T", "rows.csv"])
    try scene.run(["-w", "big.realm", "update T where n % 2 == 0 set text = null"])
    try scene.run(["-w", "big.realm", "update T where n == 1 set text = 'y'"])
    let found = try scene.run(["big.realm", "count T where text == null", "count T where text != null"])
    #expect(found.outputText == "280000\n280000\n")
    try scene.run(["check", "big.realm"])
    #expect(!scene.names.contains("big.realm.lock"))
  }
}
