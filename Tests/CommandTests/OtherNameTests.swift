// Files that have several names: what is done under one of them, and what the others keep.

import Foundation
import Testing

@Suite("Files with several names")
struct OtherNameTests {
  @Test("who has a file under two names is told that the other keeps what was replaced")
  func otherName() throws {
    let scene = try WholeFileScene()
    let before = try scene.bytes("zoo.realm")
    #expect(try scene.shell("ln zoo.realm other.realm").status == 0)
    let result = try scene.run(["encrypt", "zoo.realm", "--new-key-file", "key.hex"])
    #expect(result.errorText.contains("had another name"), "\(result)")
    #expect(try scene.bytes("other.realm") == before)
    #expect(!(try scene.run(["compact", "other.realm"]).errorText.contains("another name")))
  }

  @Test("who comes by another name of a file waits for it, or refuses")
  func lockOfOtherName() throws {
    let scene = try WholeFileScene()
    #expect(try scene.shell("ln zoo.realm other.realm").status == 0)
    let sum = {
      try #require(Int(try scene.run(["zoo.realm", "sum age of Person"]).outputText.filter(\.isNumber)))
    }
    let (before, count) = (
      try sum(),
      try #require(
        Int(try scene.run(["zoo.realm", "count Person where age != nil"]).outputText.filter(\.isNumber)))
    )
    let run = try scene.shell(
      """
      for i in 1 2 3 4; do for name in zoo other; do
        { "$R" -w $name.realm --lock-timeout 100 'update Person set age = age + 1 where age != nil' || touch failed; } &
      done; done >/dev/null 2>&1; wait
      """)
    #expect(run.status == 0 && !scene.names.contains("failed"))
    #expect(try sum() == before + 8 * count)
    let refused = try scene.shell(
      """
      { echo begin; echo 'create class Q { a: int }'; until [ -e go ]; do sleep 0.05; done; } \
        | "$R" --dialog --mode jsonl -w zoo.realm >held 2>&1 &
      until [ $(grep -c '"ok":true' held) = 2 ]; do sleep 0.05; done
      "$R" -w other.realm 'update Person set age = 1'; status=$?
      touch go; wait; exit $status
      """)
    #expect(refused.status == 6 && refused.errorText.contains("another of its names"), "\(refused)")
  }

  @Test("replacing a file leaves its other names alone, and sets no rights to run as its owner")
  func otherNames() throws {
    let scene = try WholeFileScene()
    _ = try scene.shell("cp bare.realm x.realm; ln x.realm second; chmod 4755 x.realm")
    let original = try scene.bytes("second")
    try scene.run(["copy", "--force", "zoo.realm", "x.realm"])
    #expect(try scene.bytes("second") == original)
    #expect(try scene.shell("stat -c %a x.realm").outputText == "755\n")
  }
}
