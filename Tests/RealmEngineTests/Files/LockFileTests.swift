import RealmEngine
import Testing

/// The layout of lock files and who holds them, as FileFormat.md numbers their rules.
@Suite("Lock file")
struct LockFileTests {
  /// As the system prints them: device 8:1, one waiting.
  private static let table = """
    1: FLOCK  ADVISORY  READ 700 08:01:4711 0 EOF
    2: FLOCK  ADVISORY  READ 500 08:01:4711 0 EOF
    2: -> FLOCK  ADVISORY  WRITE 800 08:01:4711 0 EOF
    3: POSIX  ADVISORY  READ 900 08:01:4711 0 EOF
    4: FLOCK  ADVISORY  READ 901 08:02:4711 0 EOF
    5: FLOCK  ADVISORY  READ 902 08:01:4712 0 EOF
    6: FLOCK  ADVISORY  READ 42 08:01:4711 0 EOF
    7: FLOCK  ADVISORY  READ 700 08:01:4711 0 EOF
    8: FLOCK
    """

  @Test("L-1: those who hold a lock are told from those who wait, hold another kind, or another file")
  func holders() {
    let holders = LockHolders(table: Array(Self.table.utf8), device: 0x801, inode: 4711, besides: 42)
    #expect(holders.sharing == [500, 700])
    #expect(holders.processes == [500, 700])
    let alone = LockHolders(
      table: Array("1: FLOCK  ADVISORY  WRITE 12 fe:00:5 0 EOF\n".utf8), device: 0xfe00, inode: 5, besides: 42
    )
    #expect(alone.sharing.isEmpty && alone.processes == [12])
  }

  @Test("L-4, L-5: places follow from the sizes of mutexes and condition variables")
  func places() {
    let intel = LockFileLayout(mutexSize: 40, conditionSize: 48)
    #expect([intel.controlMutex, intel.versionsMutex] == [88, 128])
    #expect([intel.writtenPage, intel.writeCount] == [416, 424])
    #expect([intel.entryCount, intel.newestEntry, intel.firstEntry] == [432, 440, 448])
    // As large as the file that an engine makes.
    #expect(intel.sizeMin == 1728)
    let arm = LockFileLayout(mutexSize: 48, conditionSize: 48)
    #expect(arm.versionsMutex == 144 && arm.firstEntry == 472)
  }

  @Test("L-2, L-3: other layouts, sizes and halves of files do not fit")
  func fitting() {
    let layout = LockFileLayout(mutexSize: 40, conditionSize: 48)
    var head = [UInt8](repeating: 0, count: 48)
    head.replaceSubrange(0..<8, with: [1, 40, 48, 0, 24, 2, 14, 0])
    func fits(_ size: Int = 1728) -> Bool { head.withRawBytes { layout.fits($0, fileSize: size) } }
    #expect(fits())
    #expect(!fits(1727))
    for (offset, value) in [(0, 0), (1, 48), (2, 40), (6, 13), (7, 1)] as [(Int, UInt8)] {
      let before = head[offset]
      head[offset] = value
      #expect(!fits(), "byte \(offset)")
      head[offset] = before
    }
  }

  @Test("L-8: nobody takes part where the number is 0, or where the file is laid out in another way")
  func counting() {
    let layout = LockFileLayout(mutexSize: 40, conditionSize: 48)
    var head = [UInt8](repeating: 0, count: 48)
    head.replaceSubrange(0..<8, with: [1, 40, 48, 0, 24, 2, 14, 0])
    func counts() -> Bool { head.withRawBytes { layout.countsParticipants($0, fileSize: 1728) } }
    #expect(!counts())
    // The number has four bytes.
    for offset in 12..<16 {
      head[offset] = 1
      #expect(counts(), "byte \(offset)")
      head[offset] = 0
    }
    (head[6], head[12]) = (13, 1)
    #expect(!counts())
  }
}
