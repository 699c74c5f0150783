import Foundation
import RealmEngine
import TestSupport
import Testing

/// Looks every stored value up in its index, in files of the reference engine.
struct SearchIndexTests {
  static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("fixtures")

  static func open(_ name: String) throws -> ReadTransaction {
    try Database.open(FilePath(fixtures.appendingPathComponent(name).path)).transaction
  }

  @Test(
    "every object is found by each indexed value",
    arguments: ["zoo.realm", "alltypes.realm", "evolved.realm"])
  func values(_ name: String) throws {
    let realm = try Self.open(name)
    var lookups = 0
    for table in realm.classes() {
      for property in table.schema.properties where property.index == .general && property.collection == nil {
        let index = SearchIndex(try #require(property.indexRef), in: realm.snapshot)
        var total = 0
        try index.forEachKey { _ in total += 1 }
        #expect(total == table.count)
        for block in try table.allBlocks() {
          let leaf = try block.leaf(property)
          for row in 0..<block.count {
            let value = try leaf.value(row, in: realm.snapshot, target: property.target)
            let found = try index.candidates(IndexData(value))
            #expect(found.contains(block.key(row)), "\(property.name) \(value)")
            lookups += 1
          }
        }
      }
    }
    #expect(lookups > 0)
  }

  @Test("words and prefixes find exactly the texts that have them")
  func words() throws {
    let realm = try Self.open("place.realm")
    var lookups = 0
    for table in realm.classes() {
      for property in table.schema.properties where property.index == .fullText {
        let index = FullTextIndex(try #require(property.indexRef), in: realm.snapshot)
        var objects: [[UInt8]: Set<ObjectKey>] = [:]
        for block in try table.allBlocks() {
          let leaf = try block.leaf(property)
          for row in 0..<block.count {
            guard case .string(let text) = try leaf.value(row, in: realm.snapshot) else { continue }
            for word in FullTextWords.words(in: text.bytes) {
              objects[word, default: []].insert(block.key(row))
            }
          }
        }
        for (word, keys) in objects {
          #expect(Set(try index.find(word: word)) == keys)
          for length in 1...max(1, word.count) {
            let prefix = Array(word.prefix(length))
            let expected = objects.filter { $0.key.starts(with: prefix) }.values.reduce(into: Set()) {
              $0.formUnion($1)
            }
            #expect(try index.find(prefix: prefix) == expected.sorted())
          }
          lookups += 1
        }
        #expect(try index.find(word: Array("nosuchword".utf8)).isEmpty)
      }
    }
    #expect(lookups > 0)
  }

  @Test("some of a word's keys are found in lists that ascend and in those that do not")
  func amongKeys() throws {
    let lists: [[Int64]] = [[3, 5, 7, 9], [5, 9, 3, 7], [9, 7, 5, 3], [3, 3, 5], [4]]
    for stored in lists {
      var bytes = RealmBytes()
      let list = bytes.integers(stored, width: 8)
      let chunks = bytes.integers([0x6162_6364], width: 32)
      let root = bytes.refs(to: [chunks, list], context: true)
      let index = FullTextIndex(try bytes.ref(root), in: try bytes.snapshot())
      let word = Array("abcd".utf8)
      #expect(try index.count(word: word) == stored.count)
      for wanted in [[], [3], [9], [1, 2, 3], [3, 4, 5, 6, 7, 8, 9], [8, 10]] as [[Int64]] {
        let found = try index.find(word: word, among: wanted.map(ObjectKey.init))
        #expect(found == wanted.filter(stored.contains).map(ObjectKey.init), "\(wanted) in \(stored)")
      }
      #expect(try index.find(word: Array("abce".utf8), among: [ObjectKey(3)]).isEmpty)
    }
  }

  @Test("words that share a list, lists of more keys than bytes, and chunks that do not rise are damage")
  func hostileWords() throws {
    var bytes = RealmBytes()
    let word: Int64 = 0x6162_0000
    let list = bytes.integers((1...1000).map { $0 }, width: 16)
    let dense = bytes.integers([Int64](repeating: 1, count: 20_000), width: 1)
    let many = bytes.integers((0..<200).map { word + $0 }, width: 32)
    let one = bytes.integers([word], width: 32)
    let repeated = bytes.integers([word, word], width: 32)
    let own = bytes.integers([7, 8], width: 8)
    let hostile = [
      bytes.refs(to: [many] + [Int](repeating: list, count: 200), context: true),
      bytes.refs(to: [one, dense], context: true),
      bytes.refs([Int64(repeated), Int64(own), RealmBytes.tagged(9)], context: true),
    ]
    let sound = bytes.refs(to: [one, own], context: true)
    let snapshot = try bytes.snapshot()
    for root in hostile {
      for prefix in ["ab", ""] {
        #expect {
          try FullTextIndex(try bytes.ref(root), in: snapshot).find(prefix: Array(prefix.utf8))
        } throws: {
          ($0 as? EngineError)?.kind == .damaged
        }
      }
      #expect(throws: EngineError.self) {
        try SearchIndex(try bytes.ref(root), in: snapshot).forEachKey { _ in }
      }
    }
    let found = try FullTextIndex(try bytes.ref(sound), in: snapshot).find(prefix: Array("ab".utf8))
    #expect(found == [ObjectKey(7), ObjectKey(8)])
  }

  @Test("text is cut into lower-case words without accents")
  func tokens() {
    let text = ByteString("The QUICK-brown fox's CAFÉ, Straße 42 ÷ ×× 日本")
    let words = FullTextWords.words(in: text.bytes).map { String(decoding: $0, as: UTF8.self) }.sorted()
    #expect(words == ["", "42", "brown", "cafe", "fox", "quick", "s", "straße", "the"])
  }

  @Test("each word of a text is filed once, of few words and of many", arguments: [0, 1, 15, 16, 17, 400])
  func distinctWords(count: Int) throws {
    let wanted = (0..<count).map { "Word\($0)" }
    let text = ByteString((wanted + wanted.reversed() + wanted).joined(separator: ", "))
    var words: [ByteString?] = [ByteString("word0")]
    let arena = try TextArena()
    defer { withExtendedLifetime(arena) {} }
    try FullTextWords.appendDistinctWords(of: text.bytes, to: &words, in: arena)
    #expect(words.map { $0?.text } == ["word0"] + wanted.map { $0.lowercased() })
  }
}
