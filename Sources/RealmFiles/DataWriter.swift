// Writes a realm's data through its backing: as it is, or encrypted page by page. Layer: RealmFiles.
// Invariant: after `flush` all that was written is durable. Encrypted pages go out in two steps with a sync between, first
// the check entries and then the pages, so that a torn write always leaves a page that one of its entry's checks fits.

/// Writes at data positions, which refs mean, whatever the file looks like on disk.
package final class DataWriter {
  private let backing: any FileBacking
  private let cipher: PageCipher?
  /// Encrypted files: what was on disk when the writer began.
  private let former: MemoryImage?
  /// Rooms with the plain content of pages that were written and not flushed, and of page 0.
  private var pages: [Int: Int] = [:]
  private let rooms = PageRooms()
  private var dirtyPages: Set<Int> = []
  private var entries: [Int: [UInt8]] = [:]
  private var outcomes: [Int: PageCipher.Outcome] = [:]
  package private(set) var dataSize: Int

  package init(_ backing: any FileBacking, key: EncryptionKey?) throws(EngineError) {
    self.backing = backing
    guard let key else {
      cipher = nil
      former = nil
      dataSize = backing.size
      return
    }
    cipher = try PageCipher(key: key)
    former = try backing.content()
    dataSize = PageGeometry.pageCount(fileSize: backing.size) * PageGeometry.pageSize
  }

  /// Makes the data at least `size` bytes long, in whole pages.
  package func extend(to size: Int) throws(EngineError) {
    let pageSize = PageGeometry.pageSize
    let rounded = (size + pageSize - 1) & ~(pageSize - 1)
    guard rounded > dataSize else { return }
    try resize(rounded)
  }

  /// Cuts the data down to `size` bytes, in whole pages, if it is longer.
  package func trim(to size: Int) throws(EngineError) {
    let pageSize = PageGeometry.pageSize
    let rounded = (size + pageSize - 1) & ~(pageSize - 1)
    guard rounded < dataSize else { return }
    for page in dirtyPages where page >= rounded / pageSize {
      dirtyPages.remove(page)
      forget(page)
    }
    try resize(rounded)
  }

  private func resize(_ size: Int) throws(EngineError) {
    try backing.setSize(
      cipher == nil ? size : PageGeometry.fileSize(pageCount: size / PageGeometry.pageSize))
    dataSize = size
  }

  /// Writes inside the data.
  package func write(_ bytes: RawBytes, at offset: Int) throws(EngineError) {
    guard let cipher else { return try backing.write(bytes, at: offset) }
    let pageSize = PageGeometry.pageSize
    var done = 0
    while done < bytes.count {
      let page = (offset + done) / pageSize
      let start = (offset + done) % pageSize
      let length = min(pageSize - start, bytes.count - done)
      let content = try content(of: page, cipher)
      content.slice(start, length).copy(bytes.slice(done, length), at: 0)
      dirtyPages.insert(page)
      done += length
    }
  }

  private func forget(_ page: Int) {
    if let room = pages.removeValue(forKey: page) { rooms.giveBack(room) }
  }

  private func content(of page: Int, _ cipher: PageCipher) throws(EngineError) -> MutableRawBytes {
    if let room = pages[page] { return rooms.bytes(room) }
    let room = try rooms.take()
    let content = rooms.bytes(room)
    pages[page] = room
    var entry = [UInt8](repeating: 0, count: PageGeometry.entrySize)
    var outcome = PageCipher.Outcome.unwritten
    if let former, page < PageGeometry.pageCount(fileSize: former.size) {
      entry = former.bytes.slice(PageGeometry.entryPosition(ofPage: page), PageGeometry.entrySize).array()
      // A page that cannot be read holds no node: it gets new content throughout.
      outcome = cipher.decrypt(page: page, of: former.bytes, into: content)
    }
    entries[page] = entry
    outcomes[page] = outcome
    return content
  }

  /// Makes all that was written durable.
  package func flush() throws(EngineError) {
    guard let cipher else { return try backing.sync() }
    let sorted = dirtyPages.sorted()
    let pageSize = PageGeometry.pageSize
    guard !sorted.isEmpty else { return try backing.sync() }
    guard let encrypted = MemoryImage.reserving(size: sorted.count * pageSize) else {
      throw EngineError(.other, "no memory to encrypt \(sorted.count) pages")
    }
    defer { withExtendedLifetime(encrypted) {} }
    for (index, page) in sorted.enumerated() {
      guard let room = pages[page], var entry = entries[page] else { continue }
      cipher.encrypt(
        page: page, rooms.bytes(room).readable, into: encrypted.mutableBytes(index * pageSize, pageSize),
        entry: &entry, outcome: outcomes[page] ?? .unwritten)
      entries[page] = entry
      outcomes[page] = .current
      try entry.withRawBytes { bytes throws(EngineError) in
        try backing.write(bytes, at: PageGeometry.entryPosition(ofPage: page))
      }
    }
    try backing.sync()
    for (index, page) in sorted.enumerated() {
      try backing.write(
        encrypted.bytes.slice(index * pageSize, pageSize), at: PageGeometry.filePosition(ofPage: page))
      if page != 0 { forget(page) }
    }
    dirtyPages.removeAll()
    try backing.sync()
  }
}

/// Memory for single pages, taken from the system many at a time: it allows only so many mappings.
private final class PageRooms {
  private var blocks: [MemoryImage] = []
  private var vacant: [Int] = []

  private static let roomsPerBlock = 256

  /// A room of zeros.
  func take() throws(EngineError) -> Int {
    if let room = vacant.popLast() {
      bytes(room).zero(0, PageGeometry.pageSize)
      return room
    }
    guard let block = MemoryImage.reserving(size: Self.roomsPerBlock * PageGeometry.pageSize) else {
      throw EngineError(.other, "no memory for pages")
    }
    let first = blocks.count * Self.roomsPerBlock
    blocks.append(block)
    vacant += (first + 1..<first + Self.roomsPerBlock).reversed()
    return first
  }

  func bytes(_ room: Int) -> MutableRawBytes {
    blocks[room / Self.roomsPerBlock].mutableBytes(
      room % Self.roomsPerBlock * PageGeometry.pageSize, PageGeometry.pageSize)
  }

  func giveBack(_ room: Int) { vacant.append(room) }
}
