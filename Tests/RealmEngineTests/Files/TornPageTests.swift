import RealmEngine
import Synchronization
import Testing

/// Encrypted pages that somebody writes while they are read: each read of a test file finds what the test wants.
@Suite("Torn pages")
struct TornPageTests {
  /// Counts the reads at one place of the file.
  private final class Reads: Sendable {
    private let count = Atomic(0)
    func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue }
    var total: Int { count.load(ordering: .relaxed) }
  }

  private static let pageSize = PageGeometry.pageSize

  /// The bundled realm, whose bytes `change` alters each time before they are read.
  private static func image(
    reads: Reads, at place: Int, _ change: @escaping @Sendable (inout [UInt8], Int) -> Void
  ) throws -> FileImage {
    let file = try FixtureFile.bytes("zoo-encrypted.realm")
    let content = EncryptedContent(size: file.count) { buffer, offset in
      var bytes = Array(file[offset..<offset + buffer.count])
      if offset == place { change(&bytes, reads.next()) }
      bytes.withRawBytes { buffer.copy($0, at: 0) }
    }
    return try FileImage(encrypted: content, key: try FixtureFile.key())
  }

  private static func page(_ number: Int, of image: FileImage) throws -> [UInt8] {
    try image.bytes(number * pageSize, pageSize).array()
  }

  private static func expected(_ number: Int) throws -> [UInt8] {
    try page(number, of: try image(reads: Reads(), at: -1) { _, _ in })
  }

  @Test("an entry whose counter does not go with its check yet is read again, and garbles nothing")
  func halfWrittenEntry() throws {
    let reads = Reads()
    let image = try Self.image(reads: reads, at: PageGeometry.entryPosition(ofPage: 1)) { entry, count in
      // The counter stands before the check, so it is written first.
      if count == 0 { entry[0] &+= 1 }
    }
    #expect(try Self.page(1, of: image) == Self.expected(1))
    #expect(reads.total == 4)
  }

  @Test("a page that fails its check while its bytes change is read until it is whole")
  func pageBeingWritten() throws {
    let reads = Reads()
    let image = try Self.image(reads: reads, at: PageGeometry.filePosition(ofPage: 1)) { page, count in
      if count < 100 { page[count] ^= 1 }
    }
    #expect(try Self.page(1, of: image) == Self.expected(1))
    #expect(reads.total == 101)
  }

  @Test("a page that keeps failing its check with the same bytes is damaged")
  func damagedPage() throws {
    let reads = Reads()
    let image = try Self.image(reads: reads, at: PageGeometry.filePosition(ofPage: 1)) { page, _ in
      page[7] ^= 1
    }
    let error = #expect(throws: EngineError.self) { try Self.page(1, of: image) }
    #expect(error?.kind == .damaged)
    let first = reads.total
    #expect(first > 10)
    // A second page would not be waited for as long.
    #expect(throws: EngineError.self) { try Self.page(1, of: image) }
    #expect(reads.total - first < first)
  }
}
