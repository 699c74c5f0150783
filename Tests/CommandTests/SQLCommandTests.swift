// The command `sql` as a process: its examples and the README's, what a statement may take, and what it leaves behind.

import Foundation
import RealmSQL
import TestSupport
import Testing

@Suite("The command sql")
struct SQLCommandTests {
  private static let zoo = RealmProcess.fixtures.appendingPathComponent("zoo.realm")

  private func sql(_ text: String, _ options: [String] = [], in folder: URL) throws -> ProcessResult {
    try RealmProcess.run(["sql", Self.zoo.path, text] + options, in: folder)
  }

  // MARK: Examples

  @Test("the examples of the manual give rows")
  func examples() throws {
    let folder = try ScratchFolder()
    for name in ["app.realm", "old.realm", "new.realm"] {
      try FileManager.default.copyItem(at: Self.zoo, to: folder.url.appendingPathComponent(name))
    }
    try SQLConnection(Array(folder.url.appendingPathComponent("crm.db").path.utf8), .create).execute(
      "CREATE TABLE notes(person INTEGER, text TEXT); INSERT INTO notes VALUES (3, 'called')")
    let examples = try RealmProcess.run("sql", "--help").outputText.split(separator: "\n")
      .filter { $0.hasPrefix("  realm-cli ") }
    #expect(examples.count > 3)
    for example in examples {
      let command = "alias realm-cli=\(RealmProcess.executable.path)\n\(example)"
      let result = try RealmProcess.run(
        URL(fileURLWithPath: "/bin/sh"), ["-c", command], in: folder.url)
      #expect(result.status == 0 && !result.outputText.isEmpty, "\(example): \(result)")
    }
  }

  @Test("the README's questions have one answer in both languages")
  func pairs() throws {
    let folder = try ScratchFolder()
    let readme = try String(
      contentsOf: RealmProcess.packageRoot.appendingPathComponent("README.md"), encoding: .utf8)
    let pairs = readme.components(separatedBy: "\n")
      .filter { $0.hasPrefix("| ") && ($0.contains("| `select ") || $0.contains("| `with ")) }
      .map { $0.components(separatedBy: "`") }
    #expect(pairs.count >= 12)
    for pair in pairs {
      let answers = try [pair[1], pair[3]].map { statement -> [[String: Any]] in
        let result = try RealmProcess.run([Self.zoo.path, statement, "--jsonl"], in: folder.url)
        #expect(result.status == 0, "\(statement): \(result)")
        return try result.outputText.split(separator: "\n").map {
          try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
        }
      }
      #expect(answers[0].count == answers[1].count, "\(pair)")
      // Rows of whole objects show lists and booleans in their own way.
      guard answers.allSatisfy({ ($0.first?.count ?? 0) < 3 }) else { continue }
      let values = answers.map { rows in
        rows.map { row in row.values.map { "\($0)" }.sorted().joined(separator: "|") }
      }
      #expect(values[0].sorted() == values[1].sorted(), "\(pair)")
    }
  }

  // MARK: Limits

  @Test(
    "a statement gets no more memory than it may have",
    arguments: [
      "with recursive n(i, x) as (select 1, '' union select i + 1, hex(randomblob(500)) from n) select count(*) from n",
      "select length(group_concat(hex(zeroblob(1000)))) from Person a, Person b, Person c",
    ])
  func memory(text: String) throws {
    let folder = try ScratchFolder()
    let result = try sql(text, ["--memory", "20M", "--timeout", "600"], in: folder.url)
    #expect(result.status == 1, "\(result)")
    #expect(result.errorText.contains("needs more memory than --memory allows"), "\(result)")
  }

  @Test("temporary files are limited, and the message names the option")
  func temporaryFiles() throws {
    let folder = try ScratchFolder()
    let sorted =
      "select count(*) from (select hex(randomblob(1500)) r from Person a, Person b order by r limit -1 offset 1)"
    let result = try sql(sorted, ["--temp-files", "20M"], in: folder.url)
    #expect(result.status == 1, "\(result)")
    #expect(
      result.errorText.hasSuffix(
        "the statement needs more than 20 MB of temporary files\nhint: --temp-files SIZE allows more\n"))
    #expect(try sql(sorted, ["--temp-files", "400M"], in: folder.url).status == 0)
  }

  @Test(
    "a time limit holds inside one call of a function too",
    arguments: [
      "select instr(zeroblob(200000000), zeroblob(100000000) || x'01')",
      "select length(printf('%.*c', 250000000, 'x')), instr(zeroblob(200000000), zeroblob(100000000) || x'01')",
    ])
  func longCall(text: String) throws {
    let folder = try ScratchFolder()
    let result = try sql(text, ["--timeout", "0.3", "--memory", "4G"], in: folder.url)
    #expect(result.status == 1, "\(result)")
    #expect(
      result.errorText == "realm-cli: the statement took longer than --timeout allows\n", "\(result)")
  }

  @Test("a statement that takes too long ends as a failure, not as if the user had stopped it")
  func timeout() throws {
    let folder = try ScratchFolder()
    let result = try sql(
      "select count(*) from Person a, Person b, Person c, Person d, Person e",
      ["--timeout", "0.1", "--json"],
      in: folder.url)
    #expect(result.status == 1, "\(result)")
    #expect(result.errorText.contains("\"kind\":\"timeout\""), "\(result)")
  }

  // MARK: Files beside

  @Test("a database in write-ahead mode is read without a trace")
  func attached() throws {
    let folder = try ScratchFolder()
    let path = folder.url.appendingPathComponent("crm.db").path
    do {
      let connection = try SQLConnection(Array(path.utf8), .create)
      try connection.execute(
        "PRAGMA journal_mode=WAL; CREATE TABLE notes(person INTEGER); INSERT INTO notes VALUES (3)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["crm.db"])
    let result = try sql(
      "select name from crm.notes join Person on _id = person", ["--attach-sqlite", path], in: folder.url)
    #expect(result.status == 0, "\(result)")
    #expect(result.outputText.split(separator: "\n").count == 2)
    let made = try RealmProcess.run(["create", "made.realm", "--from", "crm.db"], in: folder.url)
    #expect(made.status == 0, "\(made)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == [
        "crm.db", "made.realm",
      ])
  }

  @Test("what a program wrote ahead and never took over is read without a trace")
  func leftLog() throws {
    let folder = try ScratchFolder()
    let path = folder.url.appendingPathComponent("live.db").path
    let live = try SQLConnection(Array(path.utf8), .create)
    try live.execute(
      "PRAGMA journal_mode=WAL; CREATE TABLE notes(person INTEGER); INSERT INTO notes VALUES (3)")
    for ending in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: path + ending, toPath: folder.url.appendingPathComponent("left.db" + ending).path)
    }
    func beside() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }
    let before = try beside()
    #expect(before == ["left.db", "left.db-wal", "live.db", "live.db-shm", "live.db-wal"])
    for name in ["left.db", "live.db"] {
      let result = try sql(
        "select name from \(name.dropLast(3)).notes join Person on _id = person",
        ["--attach-sqlite", folder.url.appendingPathComponent(name).path], in: folder.url)
      #expect(result.status == 0, "\(result)")
      #expect(result.outputText.split(separator: "\n").count == 2)
      let made = try RealmProcess.run(["create", name + ".realm", "--from", name], in: folder.url)
      #expect(made.status == 0, "\(made)")
    }
    #expect(try beside().filter { !$0.hasSuffix(".realm") } == before)
  }

  @Test("links to objects of every realm have names")
  func linksOfSeveral() throws {
    let folder = try ScratchFolder()
    let result = try sql(
      "select realm_link('zoo.Person 7'), realm_link('old.Person 8'), realm_link('Person 9'), realm_link('old.Person 471100')",
      ["--as", "old=\(Self.zoo.path)", "--mode", "csv", "--noheader"], in: folder.url)
    #expect(result.outputText == "7,8,9,\n", "\(result)")
  }

  // MARK: Names

  @Test(
    "classes may have the names that exports and dumps keep for themselves, and keys that look like numbers")
  func names() throws {
    let folder = try ScratchFolder()
    let statements = """
      create class object { id: string primary key, tags: list<string> };
      create class _realm { n: int };
      insert into object { id: '5', tags: ['a', 'b'] };
      insert into object { id: 'x', tags: [] };
      insert into _realm { n: 1 };
      """
    for arguments in [
      ["create", "a.realm"], ["-w", "a.realm", statements], ["export", "a.realm", "-o", "a.sqlite"],
      ["verify", "a.realm", "a.sqlite"], ["create", "b.realm", "--from", "a.sqlite"],
      ["diff", "a.realm", "b.realm", "--exit-code"],
    ] {
      let result = try RealmProcess.run(arguments, in: folder.url)
      #expect(result.status == 0, "\(arguments): \(result)")
    }
    for condition in ["'5'", "5", "5.0", "'05'"] {
      let environments: [[String: String]] = [[:], ["REALM_SQL_NO_PUSH": "1"]]
      let counts = try environments.map { environment in
        try RealmProcess.run(
          RealmProcess.executable,
          ["sql", "a.realm", "select count(*) from object_tags where owner = \(condition)"],
          environment: environment, in: folder.url
        ).outputText
      }
      #expect(counts[0] == counts[1], "\(condition)")
    }
  }
}
