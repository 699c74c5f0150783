// Which of many files are done, so that a run that was killed can go on. Layer: RealmCommands, Reading.
// The log is text: a line with what the run does, then one for each file, `EXIT NAME`, and before a file is changed `> VERSION
// NAME`. Where rows go to a file, `= DEVICE NUMBER SIZE` says which one, and `EXIT@SIZE NAME` how far the rows of NAME reach: what a
// run wrote before it was killed and could not write down is cut off by the next one. `.` says that a run came to its end: what
// stands behind its rows is not ours. A file that failed is tried again.
// Invariant: a line counts when it is whole; a file is in the log when its result is where it belongs.

import Arguments
import ByteText
import RealmEngine
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Option {
  static let resume = Option(
    "resume", takes: .outputFile, "LOG",
    "record in LOG which files are done; a second run with the same LOG skips them")
}

/// The log of one run and of those that it goes on with.
final class ResumeLog: Sendable {
  private let handle: FileHandle
  /// What earlier runs have done.
  let finished: Set<FilePath>
  /// Whether earlier runs wrote rows.
  let isContinued: Bool
  /// Files that were begun and have no result, with the version that they had.
  private let begun: [FilePath: Int64]
  /// Where rows go that must come once; nil where they are not a file.
  private let output: FileHandle?

  private static let opening = Array("realm-cli: ".utf8)
  private static let ending = Array(".".utf8)

  /// `deed`: what is done with each file. `descriptor`: where rows go; nil where what is done is more than rows.
  init(_ path: FilePath, deed: [UInt8], rowsTo descriptor: Int32?) throws {
    let head = Self.opening + Self.escaped(deed)
    handle = try FileHandle.openTextTarget(path, O_APPEND, mode: 0o600)
    let text = try FileHandle.openForReading(path).readToEnd()
    let newline = UInt8(ascii: "\n")
    let wholeSize = (text.lastIndex(of: newline) ?? -1) + 1
    // A line that was torn when the run was killed is none.
    if wholeSize < text.count { try handle.truncate(to: wholeSize) }
    let lines = text.prefix(wholeSize).split(separator: newline)
    var (finished, begun): (Set<FilePath>, [FilePath: Int64]) = ([], [:])
    if let first = lines.first, Array(first) != head {
      throw Diagnostic(
        .unavailable, code: "resume-log", of: path, "is not the log of this run",
        hint: "name another LOG")
    }
    /// Device, number and size of the file that rows went to.
    var place: [UInt64] = []
    var hasRows = false
    for line in lines.dropFirst() {
      if line.first == UInt8(ascii: "=") {
        place = String(decoding: line, as: UTF8.self).split(separator: " ").compactMap { UInt64($0) }
        continue
      }
      if line.elementsEqual(Self.ending) {
        place = []
        continue
      }
      let isBegun = line.first == UInt8(ascii: ">")
      let parts = line.dropFirst(isBegun ? 2 : 0).split(separator: UInt8(ascii: " "), maxSplits: 1)
      let numbers = String(decoding: parts.first ?? [], as: UTF8.self).split(separator: "@")
      guard parts.count == 2, let number = numbers.first.flatMap({ Int64($0) }) else { continue }
      if numbers.count == 2, place.count == 3, let size = UInt64(numbers[1]) {
        hasRows = hasRows || size > place[2]
        place[2] = size
      } else if !isBegun {
        // Where rows went that nobody can measure.
        hasRows = true
      }
      let file = FilePath(Self.unescaped(parts[1]))
      if isBegun {
        begun[file] = number
      } else if number == 0 {
        finished.insert(file)
      } else {
        // It is as it was.
        begun[file] = nil
      }
    }
    (self.finished, self.begun, isContinued) = (finished, begun, hasRows)
    output = try descriptor.flatMap { descriptor throws(EngineError) in
      try Self.output(descriptor, cutTo: place)
    }
    if lines.isEmpty { try add(head) }
    if let status = try output?.status() {
      try add(Array("= \(status.device) \(status.inode) \(status.size)".utf8))
    }
  }

  /// The file that rows go to, without those that the log does not know; nil where it is none.
  private static func output(_ descriptor: Int32, cutTo place: [UInt64]) throws(EngineError) -> FileHandle? {
    guard let status = FileHandle.status(of: descriptor), status.isRegular else { return nil }
    let output = FileHandle(adopting: dup(descriptor), path: FilePath("standard output"))
    if place.count == 3, place[0] == status.device, place[1] == status.inode,
      let size = Int(exactly: place[2]), size < status.size
    {
      try output.truncate(to: size)
      lseek(descriptor, 0, SEEK_END)
    }
    return output
  }

  /// Before a file is changed whose version is `version`. False: an earlier run has changed it, and was killed before it could
  /// say so.
  func begin(_ path: FilePath, version: Int64) throws -> Bool {
    if let known = begun[path] { return known == version }
    try add(Array("> \(version) ".utf8) + Self.escaped(path.bytes))
    return true
  }

  /// The file is done, and its result where it belongs.
  func end(_ path: FilePath, _ exit: ExitStatus) throws {
    let reach = try output.map { "@\(try $0.status().size)" } ?? ""
    try add(Array("\(exit.code)\(reach) ".utf8) + Self.escaped(path.bytes))
  }

  /// The run came to its end.
  func close() throws { if output != nil { try add(Self.ending) } }

  /// One call, so that lines of several threads stay whole.
  private func add(_ line: [UInt8]) throws {
    var text = ByteBuffer()
    text.append(line)
    text.append(UInt8(ascii: "\n"))
    do throws(SystemCallError) {
      try text.write(to: handle.descriptor)
    } catch {
      throw Diagnostic(
        .unavailable, code: "output-failed", "cannot write to \(handle.path.displayName) – \(error.message)",
        file: handle.path)
    }
  }

  private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "\\"): Array("\\\\".utf8)
      case UInt8(ascii: "\n"): Array("\\n".utf8)
      default: [byte]
      }
    }
  }

  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
        result.append(byte)
        continue
      }
      result.append(next == UInt8(ascii: "n") ? UInt8(ascii: "\n") : next)
    }
    return result
  }
}
