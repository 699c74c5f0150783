// The reports of migrations: what they hold, where they stand, and that none is ever lost.

import Foundation
import Testing

@Suite("Reports of what migrations delete")
struct DeletionReportTests {
  private static let step = """
    realm_migration: 1
    from: 0
    to: 1
    up:
      - make_embedded: { class: Note, primary_key: drop, orphans: { action: delete, report: orphans.jsonl } }
    """

  /// Two realms with two notes that nobody links to in each, and one that somebody does.
  private func scene(after: String = "") throws -> WholeFileScene {
    let scene = try WholeFileScene()
    try FileManager.default.createDirectory(
      at: scene.url("migrations"), withIntermediateDirectories: false)
    try FileManager.default.createDirectory(at: scene.url("sub"), withIntermediateDirectories: false)
    try (Self.step + "\n" + after).write(
      to: scene.url("migrations/v001.yaml"), atomically: true, encoding: .utf8)
    for (name, text) in [("a.realm", "of a"), ("sub/a.realm", "of b")] {
      try scene.run(["create", name])
      try scene.run([
        "-w", name, "create class Note { _id: int primary key, text: string, tags: list<string>, at: date? }",
        "create class Book { note: Note? }",
        """
        insert Note {"_id": 1, "text": "\(text)\\n", "tags": ["x", "y"], "at": "2020-01-01T00:00:00Z"}, \
        {"_id": 2, "text": "", "tags": []}, {"_id": 3, "text": "kept", "tags": []}
        """, "insert Book {\"note\": 3}",
      ])
    }
    return scene
  }

  private func lines(_ scene: WholeFileScene, _ name: String) throws -> Set<Substring> {
    Set(String(decoding: try scene.bytes(name), as: UTF8.self).split(separator: "\n"))
  }

  /// What a dump says of the objects that will go.
  private func orphans(_ scene: WholeFileScene, _ name: String) throws -> Set<Substring> {
    Set(
      try scene.dump(name, []).split(separator: "\n").filter {
        $0.hasPrefix("{\"object\":\"Note\"") && !$0.contains("kept")
      })
  }

  @Test("a report holds the objects as a dump has them", arguments: [[], ["--in-place"], ["--no-backup"]])
  func content(options: [String]) throws {
    let scene = try scene()
    let orphans = try orphans(scene, "a.realm")
    #expect(orphans.count == 2)
    try scene.run(["migrate", "plan", "a.realm"])
    #expect(!scene.names.contains("orphans.jsonl"), "a rehearsal writes none")
    let run = try scene.run(["migrate", "apply", "a.realm"] + options)
    #expect(run.errorText.contains("deleted objects are in orphans.jsonl"))
    #expect(try lines(scene, "orphans.jsonl") == orphans)
  }

  @Test("each of several realms has a report of its own, beside it")
  func several() throws {
    let scene = try scene()
    let (first, second) = (try orphans(scene, "a.realm"), try orphans(scene, "sub/a.realm"))
    #expect(first != second)
    try scene.run(["migrate", "apply", "a.realm", "sub/a.realm"])
    #expect(try lines(scene, "a.orphans.jsonl") == first)
    #expect(try lines(scene, "sub/a.orphans.jsonl") == second)
  }

  @Test("what stands in the place of a report goes with --force, a link never", arguments: ["file", "link"])
  func existing(kind: String) throws {
    let scene = try scene()
    let precious = Data("precious".utf8)
    try precious.write(to: scene.url("victim"))
    _ = try scene.shell(kind == "file" ? "mv victim orphans.jsonl" : "ln -s victim orphans.jsonl")
    let before = try scene.bytes("a.realm")
    let orphans = try orphans(scene, "a.realm")
    for words in [["plan"], ["apply"], ["apply", "--in-place"]] {
      let run = try scene.run(["migrate"] + words + ["a.realm"], status: 8)
      #expect(run.errorText.contains("already exists"), "\(run)")
    }
    #expect(try scene.bytes("a.realm") == before)
    #expect(try scene.bytes("orphans.jsonl") == precious)
    try scene.run(["migrate", "apply", "--force", "a.realm"], status: kind == "link" ? 8 : 0)
    if kind == "file" {
      #expect(try lines(scene, "orphans.jsonl") == orphans)
    } else {
      #expect(try scene.bytes("orphans.jsonl") == precious)
    }
  }

  @Test("of several realms of one name none takes the report of another, even with --force")
  func severalWithForce() throws {
    let scene = try scene()
    let orphans = try orphans(scene, "a.realm")
    let text = Self.step.replacingOccurrences(of: "orphans.jsonl", with: "migrations/orphans.jsonl")
    try text.write(to: scene.url("migrations/v001.yaml"), atomically: true, encoding: .utf8)
    try Data("old".utf8).write(to: scene.url("migrations/a.orphans.jsonl"))
    let before = try scene.bytes("sub/a.realm")
    let run = try scene.run(["migrate", "apply", "--force", "a.realm", "sub/a.realm"], status: 8)
    #expect(run.errorText.contains("another realm"), "\(run)")
    #expect(try lines(scene, "migrations/a.orphans.jsonl") == orphans)
    #expect(try scene.bytes("sub/a.realm") == before)
  }

  @Test("a file that two steps name in two ways is not the report of both", arguments: [false, true])
  func sameFile(isReplacing: Bool) throws {
    let scene = try scene()
    try scene.run([
      "-w", "a.realm", "create class Page { _id: int primary key, text: string }",
      "create class Leaf { page: Page? }", "insert Page {\"_id\": 1, \"text\": \"\"}",
    ])
    let second = Self.step.split(separator: "\n").suffix(1).joined()
      .replacingOccurrences(of: "Note", with: "Page")
      .replacingOccurrences(of: "orphans.jsonl", with: "./orphans.jsonl")
    try (Self.step + "\n" + second).write(
      to: scene.url("migrations/v001.yaml"), atomically: true, encoding: .utf8)
    if isReplacing { try Data("old".utf8).write(to: scene.url("orphans.jsonl")) }
    let names = scene.names
    let before = try scene.bytes("a.realm")
    let run = try scene.run(["migrate", "apply", "--force", "a.realm"], status: 10)
    #expect(run.errorText.contains("named twice by this migration"), "\(run)")
    #expect(scene.names == names)
    #expect(try scene.bytes("a.realm") == before)
    if isReplacing { #expect(try scene.bytes("orphans.jsonl") == Data("old".utf8)) }
  }

  @Test(
    "who is ended when a report has its name leaves the report that was there", .slow,
    arguments: [false, true])
  func ended(isReplacing: Bool) throws {
    let scene = try scene()
    let before = try scene.bytes("a.realm")
    if isReplacing { try Data("old".utf8).write(to: scene.url("orphans.jsonl")) }
    let names = scene.names
    // Ended as soon as the report is there, which the realm is replaced after.
    for _ in 0..<20 {
      let end = try scene.shell(
        """
        "$R" migrate apply \(isReplacing ? "--force" : "") a.realm 2>/dev/null & pid=$!
        until [ -e a.schema-0.backup.realm ] || grep -q object orphans.jsonl 2>/dev/null; do :; done
        kill -TERM $pid; wait $pid
        """)
      if end.status == 0 {
        // It was too late; once more.
        try scene.run(["migrate", "restore", "a.realm"])
        for name in scene.names.subtracting(names) { try FileManager.default.removeItem(at: scene.url(name)) }
        if isReplacing { try Data("old".utf8).write(to: scene.url("orphans.jsonl")) }
        continue
      }
      #expect(scene.names == names)
      #expect(try scene.bytes("a.realm") == before)
      if isReplacing { #expect(try scene.bytes("orphans.jsonl") == Data("old".utf8)) }
    }
  }

  @Test("a migration that is refused leaves no report")
  func refused() throws {
    let scene = try scene(after: "after: { assert: [ { class: Book, max: 0 } ] }")
    let names = scene.names
    try scene.run(["migrate", "apply", "a.realm"], status: 9)
    #expect(scene.names == names)
  }

  @Test("a report that cannot be written stops the migration")
  func unwritable() throws {
    let scene = try scene()
    let text = Self.step.replacingOccurrences(of: "orphans.jsonl", with: "missing/orphans.jsonl")
    try text.write(to: scene.url("migrations/v001.yaml"), atomically: true, encoding: .utf8)
    let before = try scene.bytes("a.realm")
    #expect(try scene.run(["migrate", "apply", "a.realm"], status: 8).errorText.contains("missing"))
    #expect(try scene.bytes("a.realm") == before)
  }
}
