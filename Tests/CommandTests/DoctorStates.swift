// The states that `doctor` tells apart: how each file comes about, and the one verdict on it.

import Foundation
import RealmEngine
import TestSupport
import Testing

/// A file, how it is examined, and what is to be said of it.
struct DoctorState: Sendable, CustomTestStringConvertible {
  let name: String
  let verdict: String
  let options: [String]
  let bytes: @Sendable () throws -> [UInt8]
  /// What else is in its folder.
  let beside: @Sendable (URL) throws -> Void

  var testDescription: String { "\(name): \(verdict)" }
  var file: String { "\(name).realm" }

  init(
    _ name: String, _ verdict: String, _ options: [String],
    beside: @escaping @Sendable (URL) throws -> Void = { _ in },
    _ bytes: @autoclosure @escaping @Sendable () throws -> [UInt8]
  ) {
    self.name = name
    self.verdict = verdict
    self.options = options
    self.bytes = bytes
    self.beside = beside
  }

  init(
    _ name: String, _ verdict: String, beside: @escaping @Sendable (URL) throws -> Void = { _ in },
    _ bytes: @autoclosure @escaping @Sendable () throws -> [UInt8]
  ) {
    self.init(name, verdict, [], beside: beside, try bytes())
  }

  static let key = ["--key-file", "key.hex"]
  private static let otherKey = ["--key-file", "other.key"]

  static let all: [DoctorState] = sound + strangers + encrypted + damaged + surroundings

  private static let sound: [DoctorState] = [
    DoctorState("format24", "no-damage-seen", try fixture("zoo")),
    DoctorState("deep24", "sound", ["--deep"], try fixture("zoo")),
    DoctorState("deepdecimals", "sound", ["--deep"], try fixture("place")),
    DoctorState("types", "no-damage-seen", try fixture("alltypes")),
    DoctorState("evolved", "no-damage-seen", try fixture("evolved")),
    DoctorState("format11", "no-damage-seen", key, try fixture("format11-encrypted")),
    DoctorState("format22", "no-damage-seen", key, try fixture("format22-encrypted")),
    DoctorState("deep22", "sound", ["--deep"] + key, try fixture("format22-encrypted")),
    DoctorState(
      "nothing", "holds-nothing", text(String(repeating: "\0", count: 16) + "T-DB\0\0\0\0")),
    DoctorState("format9", "format-too-old", try fixture("legacy9-small")),
    DoctorState("format5", "format-too-old", try changed("legacy9-small") { ($0[20], $0[21]) = (5, 5) }),
    DoctorState("format25", "format-too-new", try changed("zoo") { ($0[20], $0[21]) = (25, 25) }),
    DoctorState("interrupted", "upgrade-interrupted", try interrupted()),
  ]

  private static let strangers: [DoctorState] = [
    DoctorState("empty", "empty", []),
    DoctorState("zeros", "zeros", [UInt8](repeating: 0, count: 8192)),
    DoctorState("sqlite", "other-database", try sqliteDatabase()),
    DoctorState(
      "leveldb", "other-database",
      [UInt8](repeating: 7, count: 500) + [0x57, 0xFB, 0x80, 0x8B, 0x24, 0x75, 0x47, 0xDB]),
    DoctorState("plist", "other-file", text("bplist00") + [UInt8](repeating: 3, count: 90)),
    DoctorState(
      "picture", "other-file", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A] + [UInt8](repeating: 3, count: 90)),
    DoctorState("html", "error-page", text("\n<!DOCTYPE HTML><html><body>404 Not Found</body></html>")),
    DoctorState("json", "error-page", text(#"{"error": "not found"}"#)),
    DoctorState("xml", "error-page", text(#"<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>"#)),
    DoctorState("text", "error-page", text("Access denied\n")),
    DoctorState(
      "pointer", "pointer", text("version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 9\n")),
    DoctorState("zip", "compressed", text("PK\u{3}\u{4}") + [UInt8](repeating: 5, count: 90)),
    DoctorState("short", "too-short", try Array(fixture("zoo").prefix(20))),
    DoctorState("noise", "unknown", noise(5000)),
  ]

  private static let encrypted: [DoctorState] = [
    DoctorState("keyless", "key-missing", try fixture("zoo-encrypted")),
    DoctorState("keylesscut", "key-missing", try Array(fixture("zoo-encrypted").prefix(70_001))),
    DoctorState("wrongkey", "key-wrong", otherKey, try fixture("zoo-encrypted")),
    DoctorState("wrongdamaged", "key-wrong", otherKey, try damaging([0, 3, 4])),
    DoctorState("needless", "key-needless", key, try fixture("zoo")),
    DoctorState("page0", "pages-damaged", key, try damaging([0])),
    DoctorState("page5", "pages-damaged", key, try damaging([5])),
    DoctorState("page5deep", "pages-damaged", ["--deep"] + key, try damaging([5])),
    DoctorState("pages10", "pages-damaged", key, try damaging(Array(3..<13))),
    DoctorState("allbutone", "pages-damaged", key, try damaging((0..<32).filter { $0 != 3 })),
    DoctorState(
      "checkless", "pages-damaged", key,
      try changed("zoo-encrypted") { for index in 0..<4096 { $0[index] = 0 } }),
    DoctorState("tinyencrypted", "too-short", key, try Array(fixture("zoo-encrypted").prefix(7000))),
    DoctorState("cutencrypted", "cut-off", key, try Array(fixture("zoo-encrypted").prefix(70_000))),
  ]

  private static let damaged: [DoctorState] =
    [
      DoctorState("headerless", "header-lost", try changed("zoo") { for index in 0..<24 { $0[index] = 0 } }),
      DoctorState(
        "topless", "damaged",
        try changed("zoo") { bytes in
          let top = number(bytes, 8 * Int(bytes[23] & 1), 8)
          for index in top..<top + 64 { bytes[index] = 0 }
        }),
      DoctorState("format15", "damaged", try changed("zoo") { ($0[20], $0[21]) = (15, 15) }),
      DoctorState(
        "freelist", "free-space-damaged",
        try changed("zoo") { bytes in
          let lengths = element(bytes, number(bytes, 8 * Int(bytes[23] & 1), 8), 4)
          for index in lengths + 8..<lengths + 16 { bytes[index] = 0xFF }
        }),
      DoctorState(
        "deepdamage", "damaged", ["--deep"],
        try changed("zoo") { bytes in
          // The header of a leaf of texts, which no quick look reads.
          bytes[4096 + 4] = 0x1F
        }),
    ]
    + [24, 200, 1000].map { cut($0, "nothing-left") }
    + [4096, 20_000, 40_000, 65_536, 90_000, 120_000, 131_064].map { cut($0, "cut-off") }

  private static let surroundings: [DoctorState] = [
    DoctorState(
      "synced", "synced",
      try changed("zoo") { bytes in
        let top = number(bytes, 8 * Int(bytes[23] & 1), 8)
        bytes[top + 8 + 7 * width(bytes, top)] = 3 << 1 | 1
      }),
    DoctorState("free", "much-free", try fixture("zoo") + [UInt8](repeating: 0, count: 3 << 20)),
    DoctorState(
      "leftover", "no-damage-seen",
      beside: { folder in
        try Data().write(to: folder.appendingPathComponent("leftover.realm.lock"))
        try FileManager.default.createDirectory(
          at: folder.appendingPathComponent("leftover.realm.management"), withIntermediateDirectories: false)
      }, try fixture("zoo")),
    DoctorState(
      "emptied", "empty",
      beside: { folder in
        for name in ["emptied.v9.backup.realm", "emptied.realm.backup-before-4", "emptied-new.realm"] {
          try Data(fixture("zoo")).write(to: folder.appendingPathComponent(name))
        }
        try Data([1, 2, 3]).write(to: folder.appendingPathComponent("emptied_corrupt.realm"))
      }, []),
  ]

  // MARK: Bytes

  static func fixture(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: RealmProcess.fixtures.appendingPathComponent("\(name).realm")))
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func sqliteDatabase() throws -> [UInt8] {
    let scratch = try ScratchFolder()
    let zoo = RealmProcess.fixtures.appendingPathComponent("zoo.realm").path
    _ = try RealmProcess.run(["export", zoo, "-o", "zoo.sqlite"], in: scratch.url)
    return try Array(Data(contentsOf: scratch.url.appendingPathComponent("zoo.sqlite")))
  }

  private static func noise(_ count: Int) -> [UInt8] {
    var random = SplitMix64(state: 7)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  private static func cut(_ size: Int, _ verdict: String) -> DoctorState {
    DoctorState("cut\(size)", verdict, try Array(fixture("zoo").prefix(size)))
  }

  private static func changed(
    _ name: String, _ change: (inout [UInt8]) throws -> Void
  ) throws -> [UInt8] {
    var bytes = try fixture(name)
    try change(&bytes)
    return bytes
  }

  /// The encrypted realm with a wrong bit in each of some pages.
  private static func damaging(_ pages: [Int]) throws -> [UInt8] {
    try changed("zoo-encrypted") { bytes in
      for page in pages { bytes[PageGeometry.filePosition(ofPage: page) + 1000] ^= 1 }
    }
  }

  private static func number(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int {
    (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }

  /// Bytes of an element of a node of refs.
  private static func width(_ bytes: [UInt8], _ node: Int) -> Int { 1 << (Int(bytes[node + 4] & 7) - 1) / 8 }

  private static func element(_ bytes: [UInt8], _ node: Int, _ index: Int) -> Int {
    number(bytes, node + 8 + index * width(bytes, node), width(bytes, node))
  }

  /// A realm of format 9 with the table that engines keep while they upgrade: one of its tables is renamed to it.
  private static func interrupted() throws -> [UInt8] {
    var bytes = try fixture("legacy9-small")
    let top = number(bytes, 8 * Int(bytes[23] & 1), 8)
    let (names, size) = (element(bytes, top, 0), width(bytes, top))
    let old = (0..<Int(bytes[names + 7])).map { index -> [UInt8] in
      let slot = bytes[names + 8 + 16 * index..<names + 24 + 16 * index]
      return Array(slot.prefix(15 - Int(slot.last ?? 0)))
    }
    let end = bytes.count
    bytes += [0x41, 0x41, 0x41, 0x41, 8 | 6, 0, 0, UInt8(old.count)]
    for name in old {
      let name = name == text("metadata") ? text("!UPDATE_PROGRESS") : name
      bytes += name + [UInt8](repeating: 0, count: 31 - name.count) + [UInt8(31 - name.count)]
    }
    func put(_ value: Int, _ index: Int) {
      for byte in 0..<size { bytes[top + 8 + index * size + byte] = UInt8(value >> (8 * byte) & 0xFF) }
    }
    put(end, 0)
    put(bytes.count << 1 | 1, 2)
    return bytes
  }
}
