import Foundation
import RealmEngine
import TestSupport
import Testing

@Suite("Nodes that wait for a commit")
struct SlabArenaTests {
  private static let nodeSize = 1 << 16
  private static let nodeCount = 1000

  /// Fills an arena and looks at each node again; gives how many of its mappings are files in `directory`.
  private func mappedFiles(_ arena: SlabArena, in directory: URL) throws -> Int {
    var nodes: [MutableRawBytes] = []
    for number in 0..<Self.nodeCount {
      let node = try arena.allocate(Self.nodeSize)
      #expect(node.offset == arena.base + number * Self.nodeSize)
      #expect(node.bytes.readable[0] == 0 && node.bytes.readable[Self.nodeSize - 1] == 0)
      node.bytes.store(UInt64(number), at: 8)
      nodes.append(node.bytes)
    }
    let mapped = try mappings(of: directory)
    for (number, node) in nodes.enumerated() { #expect(node.readable[8] == UInt8(number & 0xFF)) }
    return withExtendedLifetime(arena) { mapped.count }
  }

  /// What the process has mapped of files that are, or were, in `directory`.
  private func mappings(of directory: URL) throws -> [Substring] {
    // Many mappings do not come in one piece.
    let handle = try #require(FileHandle(forReadingAtPath: "/proc/self/maps"))
    let maps = String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
    return maps.split(separator: "\n").filter { $0.contains(directory.path) }
  }

  #if os(Linux)
    @Test("beyond the first megabytes a nameless file keeps them")
    func scratch() throws {
      let files = try ScratchFolder(keepable: "arena")
      let target = files.path("a.realm")
      let arena = try SlabArena(base: 1 << 20, scratch: ScratchFile(beside: target, resultSize: 4096))
      #expect(try mappedFiles(arena, in: files.url) > 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: files.url.path).isEmpty)
    }

    @Test("memory keeps them where the disk would be too full for what comes of them")
    func fullDisk() throws {
      let files = try ScratchFolder(keepable: "arena")
      let scratch = ScratchFile(beside: files.path("a.realm"), resultSize: 1 << 60)
      #expect(try mappedFiles(try SlabArena(base: 1 << 20, scratch: scratch), in: files.url) == 0)
    }

    @Test("what is made for an encrypted realm lies in no file")
    func encrypted() throws {
      let files = try ScratchFolder(keepable: "arena")
      for key in [nil, EncryptionKey([UInt8](repeating: 7, count: 64))] {
        let realm = try WritableDatabase.create(files.path("e.realm"), key: key)
        let write = try realm.begin()
        try write.addClasses([
          ClassDefinition("Row", properties: [PropertyDefinition("data", .data)])
        ])
        let table = try #require(try write.schema(named: "Row")).tableKey
        let data = ByteString(copying: [UInt8](repeating: 66, count: 1 << 20))
        for _ in 0..<40 { _ = try write.create(table, [("data", .single(.data(data)))]) }
        let found = try mappings(of: files.url).filter { $0.contains("(deleted)") }
        #expect(found.isEmpty == (key != nil))
      }
    }
  #endif
}
