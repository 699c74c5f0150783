// A source that is read from its beginning, twice where types are told from all of it. Layer: RealmCommands, Importing.
// Invariant: whatever arrives over time is here before a realm is opened for it, so that nobody is kept out meanwhile.

import ByteText
import RealmEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open source. What comes from a pipe is kept in a file without a name.
final class RereadableSource {
  let name: String
  /// Nil where it is not known.
  let size: Int?
  private let descriptor: Int32
  private let source: TextSource
  private let kept: FileHandle?
  /// Where the text begins: whoever handed it over may have read what comes before.
  private let start: off_t
  private var wasRead = false

  private static let pieceSize = 1 << 20

  init(_ source: TextSource) throws {
    self.source = source
    name = source.name.displayName
    let place = lseek(source.descriptor, 0, SEEK_CUR)
    guard place < 0 else {
      kept = nil
      descriptor = source.descriptor
      start = max(place, 0)
      size = Self.size(of: source.descriptor)
      return
    }
    let copy = try FileHandle.nameless()
    var piece: [UInt8] = []
    while true {
      try Self.awaitText(source.descriptor)
      guard try piece.append(readingFrom: source.descriptor, countMax: Self.pieceSize) > 0 else { break }
      var bytes = ByteBuffer(capacity: piece.count)
      bytes.append(piece.span)
      do throws(SystemCallError) {
        try bytes.write(to: copy.descriptor)
      } catch {
        throw EngineError(
          error.code == ENOSPC ? .diskFull : .other, "cannot store the input from \(name): \(error.message)",
          hint: "TMPDIR names another directory; or read the source from a file")
      }
      piece.removeAll(keepingCapacity: true)
    }
    kept = copy
    descriptor = copy.descriptor
    start = 0
    size = Self.size(of: copy.descriptor)
  }

  /// Waits until there is something to read, or the user does not want that any more.
  private static func awaitText(_ descriptor: Int32) throws(EngineError) {
    repeat { try Interruption.check() } while !awaitInput(descriptor)
  }

  private static func size(of descriptor: Int32) -> Int? {
    guard let status = FileHandle.status(of: descriptor), status.isRegular, status.size > 0 else {
      return nil
    }
    return status.size
  }

  /// The descriptor, at the beginning of the text.
  func rewound() throws -> Int32 {
    guard wasRead || kept != nil else {
      wasRead = true
      return descriptor
    }
    guard lseek(descriptor, start, SEEK_SET) == start else {
      throw EngineError(.other, "\(name) cannot be read a second time")
    }
    return descriptor
  }
}
