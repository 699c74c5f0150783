// What is done while system calls fail: one command on small files, plain and encrypted.

import Foundation
import TestSupport
import Testing

/// One command, and what lies in the folder before.
struct FaultJob: CustomTestStringConvertible, Sendable {
  let arguments: [String]
  var input = ""
  /// Names of bundled files that the folder holds, and what they are called in it.
  var files: [String: String] = [:]
  /// More files, by name.
  var texts: [String: String] = [:]
  /// Run before, as it should be.
  var preparation: [[String]] = []

  var testDescription: String { arguments.joined(separator: " ") }

  /// The option that opens the realms of this job.
  var key: [String] { arguments.contains("--key-file") ? ["--key-file", "key.hex"] : [] }
}

extension FaultJob {
  private static let zoo = ["zoo.realm": "a.realm"]
  private static let encryptedZoo = ["zoo-encrypted.realm": "a.realm", "key.hex": "key.hex"]
  private static let key = ["--key-file", "key.hex"]

  /// The same on a plain file and on an encrypted one.
  private static func both(
    _ arguments: [String], texts: [String: String] = [:], preparation: [[String]] = []
  ) -> [FaultJob] {
    [
      FaultJob(arguments: arguments, files: zoo, texts: texts, preparation: preparation),
      FaultJob(
        arguments: arguments + key, files: encryptedZoo, texts: texts,
        preparation: preparation.map { $0 + key }),
    ]
  }

  private static let schema = [
    "schema.yaml": """
    realm_schema: 1
    classes: { Item: { primary_key: id, properties: { id: int, name: { type: string, indexed: true } } } }
    """
  ]

  private static let dump = [
    "dump.jsonl": """
    {"realm":{"file_format":24,"schema_version":1}}
    {"class":"Row","kind":"object","primary_key":"_id","properties":[{"name":"_id","type":"int"},\
    {"name":"name","type":"string","indexed":true}],"count":2}
    {"object":"Row","key":0,"values":{"_id":1,"name":"a"}}
    {"object":"Row","key":1,"values":{"_id":2,"name":"b"}}

    """
  ]

  private static let dogs = ["dogs.csv": "name,age,vaccinated,owner\nRex,3,true,12\nAce,4,no,\n"]

  private static let migration = [
    "migrations/v004.yaml": """
    realm_migration: 1
    from: 3
    to: 4
    up:
      - add_property: { class: Person, name: label, type: string, value: "name + '!'" }
      - drop_property: { class: Dog, name: age }
    """
  ]

  /// Commands that change a realm as it lies.
  static let changes: [FaultJob] =
    both(["a.realm", "-w", "update Dog set age = age + 7"])
    + both(["insert", "a.realm", "Dog", "--data", "{\"name\": \"Rex\", \"age\": 3, \"vaccinated\": true}"])
    + both(["delete", "a.realm", "Dog", "age > 3", "--yes"])
    + both(["a.realm", "-w", "alter class Dog add note: string?"])
    + both(["import", "a.realm", "Dog", "dogs.csv"], texts: dogs)

  /// A change of more than a small transaction keeps in memory: the rest waits in a nameless file.
  static let largeChanges = [
    FaultJob(
      arguments: [
        "a.realm", "-w",
        "update Dog set name = replace(replace('\(String(repeating: "a", count: 1000))', 'a', "
          + "'\(String(repeating: "b", count: 75))'), 'b', 'long')",
      ], files: zoo)
  ]

  /// Changes of what has to be made anew for them.
  static let upgradingChanges: [FaultJob] = [
    FaultJob(
      arguments: ["a.realm", "-w", "--upgrade", "create class Item { a: int }; insert Item { \"a\": 1 }"],
      files: ["legacy9-small.realm": "a.realm"]),
    FaultJob(
      arguments: ["insert", "--upgrade", "a.realm", "Tag", "--data", "{\"name\": \"new\", \"weight\": 1}"]
        + key,
      files: ["format11-encrypted.realm": "a.realm", "key.hex": "key.hex"]),
  ]

  /// Commands that make a realm anew.
  static let wholeFiles: [FaultJob] =
    both(["compact", "a.realm"])
    + both(["copy", "a.realm", "b.realm"])
    + both(["copy", "--force", "a.realm", "b.realm"], preparation: [["copy", "a.realm", "b.realm"]])
    + [
      FaultJob(
        arguments: ["encrypt", "a.realm", "--new-key-file", "key.hex"],
        files: zoo.merging(["key.hex": "key.hex"]) { $1 }),
      FaultJob(arguments: ["decrypt", "a.realm"] + key, files: encryptedZoo),
      FaultJob(
        arguments: ["rekey", "a.realm", "--new-key-file", "new.hex"] + key, files: encryptedZoo,
        texts: ["new.hex": String(repeating: "5a", count: 64) + "\n"]),
      FaultJob(arguments: ["upgrade", "--yes", "a.realm"], files: ["legacy9-small.realm": "a.realm"]),
      FaultJob(
        arguments: ["upgrade", "--yes", "a.realm"] + key,
        files: ["format11-encrypted.realm": "a.realm", "key.hex": "key.hex"]),
    ]

  /// Commands that make a realm of something else, or end one.
  static let beginningsAndEnds: [FaultJob] = [
    FaultJob(arguments: ["create", "a.realm", "--schema", "schema.yaml"], texts: schema),
    FaultJob(
      arguments: ["create", "a.realm", "--schema", "schema.yaml"] + key, files: ["key.hex": "key.hex"],
      texts: schema),
    FaultJob(arguments: ["load", "a.realm", "dump.jsonl"], texts: dump),
    FaultJob(arguments: ["load", "a.realm", "dump.jsonl"] + key, files: ["key.hex": "key.hex"], texts: dump),
    FaultJob(arguments: ["load", "--force", "a.realm", "dump.jsonl"], files: zoo, texts: dump),
    FaultJob(
      arguments: ["rm", "--yes", "a.realm"], files: zoo,
      texts: ["a.realm.management/control": "x", "a.realm.note": ""]),
    FaultJob(arguments: ["rm", "--yes", "--force", "a.realm"] + key, files: encryptedZoo),
    FaultJob(arguments: ["import", "a.realm", "Dog", "dogs.csv", "--create"], texts: dogs),
  ]

  /// Migrations.
  static let migrations: [FaultJob] =
    both(["migrate", "apply", "a.realm"], texts: migration)
    + both(["migrate", "apply", "a.realm", "--no-backup"], texts: migration)
    + both(["migrate", "apply", "a.realm", "--in-place"], texts: migration)
    + both(
      ["migrate", "restore", "a.realm"], texts: migration, preparation: [["migrate", "apply", "a.realm"]])

  /// Commands that write other files.
  static let outputs: [FaultJob] =
    both(["dump", "a.realm", "-o", "dump.jsonl"])
    + [
      FaultJob(
        arguments: ["dump", "a.realm", "--force", "-o", "dump.jsonl"], files: zoo,
        texts: ["dump.jsonl": "old\n"]),
      FaultJob(arguments: ["schema", "a.realm", "-o", "schema.txt"], files: zoo),
      FaultJob(arguments: ["export", "a.realm", "-o", "out/"], files: zoo),
      FaultJob(
        arguments: ["export", "a.realm", "--force", "-o", "out/"], files: zoo,
        texts: ["out/Dog.csv": "old\n", "out/Person.csv": "old\n"]),
      FaultJob(arguments: ["keygen", "new.hex"]),
      FaultJob(arguments: ["keygen", "--force", "new.hex"], texts: ["new.hex": "old\n"]),
      FaultJob(arguments: ["migrate", "new", "next"], texts: migration),
      FaultJob(arguments: ["migrate", "verify", "--freeze"], texts: migration),
    ]

  /// A file of SQLite in the place of one with logs.
  static let overLogs = FaultJob(
    arguments: ["export", "a.realm", "--force", "-o", "app.db"], files: ["empty.realm": "a.realm"],
    texts: ["app.db": "old\n", "app.db-wal": "log\n", "app.db-journal": "journal\n"])

  /// One of each kind.
  static let samples = TestScale.current == .long ? manyKinds : [changes[0], wholeFiles[8], migrations[0]]

  /// One of each kind.
  private static let manyKinds: [FaultJob] = [
    changes[0], changes[1], changes[8], wholeFiles[1], wholeFiles[8], wholeFiles[9], beginningsAndEnds[4],
    beginningsAndEnds[5], migrations[0],
    migrations[5], outputs[2], upgradingChanges[0],
  ]

  /// An encrypted realm that was reported as changed, and was not, where there was no memory for the commit.
  static let withoutMemory = FaultJob(
    arguments: ["a.realm", "-w", "update Dog set age = age + 7"] + key,
    files: ["hostile/F-enomem-zooe.realm": "a.realm", "hostile/F-enomem.key": "key.hex"])

  static let all = TestScale.current == .long ? each : samples

  private static let each =
    changes + largeChanges + upgradingChanges + wholeFiles + beginningsAndEnds + migrations + outputs
}
