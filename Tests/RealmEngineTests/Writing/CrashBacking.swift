import RealmEngine

/// A file in memory that remembers what was done to it since its last sync, so that a test can lose any part of that.
final class CrashBacking: FileBacking {
  enum Operation {
    case write(offset: Int, bytes: [UInt8])
    case setSize(Int)
    case sync
  }

  private(set) var bytes: [UInt8]
  private(set) var log: [Operation] = []
  /// The call that fails; nil when none does.
  var failingCall: Int? { didSet { holes = nil } }
  /// Half of what the failing call was to write is written.
  var writesHalf = false
  /// Pages for which the disk had no space: nothing can be written there later either.
  private var holes: Range<Int>?
  var hasHoles: Bool { holes != nil }
  /// Every call behind the failing one fails too.
  var staysBroken = false
  private(set) var callCount = 0

  init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  /// Whether these are the bytes; to be asked in place of ==, whose failure would be shown with all of them.
  func holds(_ expected: [UInt8]) -> Bool { bytes == expected }

  func startLog() { log = [] }

  private func call() throws(EngineError) {
    callCount += 1
    guard let failingCall, callCount == failingCall || staysBroken && callCount > failingCall else { return }
    throw EngineError(.diskFull, "the disk is full")
  }

  var size: Int { bytes.count }

  func read(into buffer: MutableRawBytes, at offset: Int) throws(EngineError) {
    Array(bytes[offset..<offset + buffer.count]).withRawBytes { buffer.copy($0, at: 0) }
  }

  func write(_ source: RawBytes, at offset: Int) throws(EngineError) {
    do throws(EngineError) {
      try call()
    } catch {
      guard writesHalf else { throw error }
      let half = source.count / 2
      put(source.slice(0, half), at: offset)
      let firstHole = (offset + half + Self.pageSize - 1) / Self.pageSize * Self.pageSize
      if firstHole < offset + source.count { holes = firstHole..<offset + source.count }
      throw error
    }
    guard holes?.overlaps(offset..<offset + source.count) != true else {
      throw EngineError(.diskFull, "the disk is still full")
    }
    log.append(.write(offset: offset, bytes: source.array()))
    put(source, at: offset)
  }

  private func put(_ source: RawBytes, at offset: Int) {
    bytes.replaceSubrange(offset..<offset + source.count, with: source.array())
  }

  func setSize(_ size: Int) throws(EngineError) {
    try call()
    log.append(.setSize(size))
    Self.resize(&bytes, size)
  }

  func sync() throws(EngineError) {
    try call()
    log.append(.sync)
  }

  func content() throws(EngineError) -> MemoryImage {
    guard let image = MemoryImage.reserving(size: bytes.count) else {
      throw EngineError(.other, "no memory")
    }
    bytes.withRawBytes { image.mutableBytes(0, bytes.count).copy($0, at: 0) }
    return image
  }

  private static func resize(_ bytes: inout [UInt8], _ size: Int) {
    if size < bytes.count {
      bytes.removeLast(bytes.count - size)
    } else {
      bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
    }
  }

  private static let pageSize = 4096

  /// What the disk may hold when power goes after `count` operations of the log: everything up to the last sync, and of what
  /// came later the pages that `survives` keeps. `before` is the file when the log began.
  static func image(
    after count: Int, of log: [Operation], on before: [UInt8], survives: (Int) -> Bool
  ) -> (bytes: [UInt8], unsyncedCount: Int) {
    var bytes = before
    let done = log[..<count]
    let synced = done.lastIndex { if case .sync = $0 { true } else { false } } ?? -1
    var unsynced = 0
    for (index, operation) in done.enumerated() {
      switch operation {
      case .sync: continue
      case .setSize(let size):
        if index <= synced {
          resize(&bytes, size)
        } else {
          if survives(unsynced) { resize(&bytes, size) }
          unsynced += 1
        }
      case .write(let offset, let content):
        var start = 0
        while start < content.count {
          let pageEnd = (offset + start) / pageSize * pageSize + pageSize - offset
          let end = min(content.count, pageEnd)
          if index <= synced || survives(unsynced) {
            if bytes.count < offset + end { resize(&bytes, offset + end) }
            bytes.replaceSubrange(offset + start..<offset + end, with: content[start..<end])
          }
          if index > synced { unsynced += 1 }
          start = end
        }
      }
    }
    return (bytes, unsynced)
  }
}
