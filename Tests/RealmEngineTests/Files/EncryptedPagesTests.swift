import RealmEngine
import Testing

@Suite("Encrypted pages")
struct EncryptedPagesTests {
  /// The key of the bundled realms, one of its bits flipped.
  private static func key(flipping byte: Int) throws -> EncryptionKey {
    let digits = Array(String(decoding: try FixtureFile.bytes("key.hex"), as: UTF8.self).prefix(128))
    var bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
    bytes[byte] ^= 1
    return try #require(EncryptionKey(bytes))
  }

  /// How many objects the file shows.
  private static func objectCount(_ file: [UInt8], key: EncryptionKey?) throws -> Int {
    let opened = try RealmFile(stream: file, path: FilePath("test.realm"), key: key)
    var count = 0
    for table in try Database(opened).transaction.classes() {
      for block in try table.allBlocks() {
        for property in table.schema.properties { _ = try block.leaf(property) }
        count += block.count
      }
    }
    return count
  }

  private static func failure(_ file: [UInt8], key: EncryptionKey?) -> EngineError.Kind? {
    do {
      _ = try objectCount(file, key: key)
      return nil
    } catch {
      return (error as? EngineError)?.kind
    }
  }

  private static func entry(_ page: Int) -> Int { PageGeometry.entryPosition(ofPage: page) }

  @Test("a page whose last write was torn shows what it held before")
  func tornWrite() throws {
    var file = try FixtureFile.bytes("zoo-encrypted.realm")
    let key = try FixtureFile.key()
    let expected = try Self.objectCount(file, key: key)
    for page in 0..<PageGeometry.pageCount(fileSize: file.count) {
      let entry = Self.entry(page)
      guard file[entry..<entry + 4].contains(where: { $0 != 0 }) else { continue }
      // The entry of the next write is there, its page is not.
      file.replaceSubrange(entry + 32..<entry + 64, with: file[entry..<entry + 32])
      file[entry] &+= 1
      for offset in 4..<32 { file[entry + offset] ^= 0x5A }
    }
    #expect(try Self.objectCount(file, key: key) == expected)
  }

  @Test("a page that fails its check is damage, also the first one, where another proves the key")
  func flippedBits() throws {
    let file = try FixtureFile.bytes("zoo-encrypted.realm")
    let key = try FixtureFile.key()
    for page in 0..<8 {
      var flipped = file
      flipped[PageGeometry.filePosition(ofPage: page) + 1000] ^= 1
      // Without a second entry, which would show the page as torn.
      for offset in 32..<64 { flipped[Self.entry(page) + offset] = 0 }
      let failure = Self.failure(flipped, key: key)
      #expect(failure == .damaged || failure == nil && page > 0, "\(page)")
      #expect(Self.failure(flipped, key: try Self.key(flipping: 63)) == .keyWrong, "\(page)")
    }
  }

  @Test("a page of zeros that was written twice counts as zeros: the file was cut and grew again")
  func zeroPage() throws {
    var file = try FixtureFile.bytes("zoo-encrypted.realm")
    let last = PageGeometry.pageCount(fileSize: file.count) - 1
    let start = PageGeometry.filePosition(ofPage: last)
    for offset in 0..<PageGeometry.pageSize { file[start + offset] = 0 }
    for half in [0, 32] { file[Self.entry(last) + half] = 1 }
    let image = try RealmFile(stream: file, path: FilePath("test.realm"), key: try FixtureFile.key()).image
    let snapshot = Snapshot(image: image, fileLimit: image.size, format: 24)
    let ref = try #require(Ref(Int64(last * PageGeometry.pageSize)))
    let failure = #expect(throws: EngineError.self) { try snapshot.node(ref) }
    #expect(failure?.message.contains("the header 0x0") == true, "it is read, and no node")
  }

  @Test("one page that passes its check proves the key; pages of zeros prove nothing")
  func oneProof() throws {
    let sound = try FixtureFile.bytes("zoo-encrypted.realm")
    let count = PageGeometry.pageCount(fileSize: sound.count)
    var file = sound
    for page in 0..<count {
      let start = PageGeometry.filePosition(ofPage: page)
      for offset in 0..<PageGeometry.pageSize { file[start + offset] = 0 }
    }
    #expect(Self.failure(file, key: try FixtureFile.key()) == .keyWrong)
    let last = PageGeometry.filePosition(ofPage: 3)
    file.replaceSubrange(
      last..<last + PageGeometry.pageSize, with: sound[last..<last + PageGeometry.pageSize])
    #expect(Self.failure(file, key: try FixtureFile.key()) == .damaged)
    #expect(Self.failure(file, key: try Self.key(flipping: 40)) == .keyWrong)
  }

  @Test("a page that was never written is damage, also the first one")
  func unwrittenPage() throws {
    let file = try FixtureFile.bytes("zoo-encrypted.realm")
    for page in [0, 1] {
      var cleared = file
      for offset in 0..<64 { cleared[Self.entry(page) + offset] = 0 }
      let failure = Self.failure(cleared, key: try FixtureFile.key())
      #expect(failure == .damaged)
    }
  }

  @Test("either half of the key alone may be wrong", arguments: [0, 31, 32, 63])
  func wrongKey(byte: Int) throws {
    let file = try FixtureFile.bytes("zoo-encrypted.realm")
    #expect(Self.failure(file, key: try Self.key(flipping: byte)) == .keyWrong)
  }

  @Test("a missing key, and a key that is not needed")
  func keyAndNoKey() throws {
    #expect(Self.failure(try FixtureFile.bytes("zoo-encrypted.realm"), key: nil) == .keyMissing)
    #expect(Self.failure(try FixtureFile.bytes("zoo.realm"), key: try FixtureFile.key()) == .keyWrong)
    #expect(Self.failure([UInt8](repeating: 7, count: 9000), key: try FixtureFile.key()) == .keyWrong)
    #expect(Self.failure([UInt8](repeating: 7, count: 4095), key: try FixtureFile.key()) == .notARealm)
    #expect(EncryptionKey([UInt8](repeating: 1, count: 63)) == nil)
  }

  @Test("positions of data and on disk, as the format says")
  func geometry() {
    #expect(PageGeometry.filePosition(ofPage: 0) == 4096)
    #expect(PageGeometry.filePosition(ofPage: 63) == 64 * 4096)
    #expect(PageGeometry.filePosition(ofPage: 64) == 66 * 4096)
    #expect(PageGeometry.entryPosition(ofPage: 65) == 65 * 4096 + 64)
    for count in [1, 63, 64, 65, 128, 1000] {
      #expect(PageGeometry.pageCount(fileSize: PageGeometry.fileSize(pageCount: count)) == count)
    }
    #expect(PageGeometry.pageCount(fileSize: 0) == 0 && PageGeometry.pageCount(fileSize: 4096) == 0)
  }
}
