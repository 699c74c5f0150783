// Which of many files are done, so that a run that was killed can go on. Layer: RealmCommands, Reading.
// The log is text: a line with what the run does, then one for each file, `EXIT NAME`, and before a file is changed `> VERSION
// NAME`. Invariant: a line counts when it is whole; a file is in the log before its result can be lost, or not at all.

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
    "write down in LOG which files are done; run again with the same LOG, leave them out")
}

/// The log of one run and of those that it goes on with.
final class ResumeLog: Sendable {
  private let handle: FileHandle
  /// What became of files in earlier runs.
  let finished: [FilePath: ExitStatus]
  /// Files that were begun and have no result, with the version that they had.
  private let begun: [FilePath: Int64]

  private static let opening = Array("realm-cli: ".utf8)

  /// `deed`: what is done with each file.
  init(_ path: FilePath, deed: [UInt8]) throws {
    let head = Self.opening + Self.escaped(deed)
    handle = try FileHandle.openTextTarget(path, O_APPEND, mode: 0o600)
    let text = try FileHandle.openForReading(path).readToEnd()
    let newline = UInt8(ascii: "\n")
    let wholeSize = (text.lastIndex(of: newline) ?? -1) + 1
    // A line that was torn when the run was killed is none.
    if wholeSize < text.count { try handle.truncate(to: wholeSize) }
    let lines = text.prefix(wholeSize).split(separator: newline)
    var (finished, begun): ([FilePath: ExitStatus], [FilePath: Int64]) = ([:], [:])
    if let first = lines.first, Array(first) != head {
      throw Diagnostic(
        .unavailable, code: "resume-log", "\(path.displayName) is not the log of this run",
        hint: "name another LOG",
        file: path)
    }
    for line in lines.dropFirst() {
      let isBegun = line.first == UInt8(ascii: ">")
      let parts = line.dropFirst(isBegun ? 2 : 0).split(separator: UInt8(ascii: " "), maxSplits: 1)
      guard parts.count == 2, let number = Int64(String(decoding: parts[0], as: UTF8.self)) else { continue }
      let file = FilePath(Self.unescaped(parts[1]))
      if isBegun { begun[file] = number } else { finished[file] = ExitStatus(code: Int32(clamping: number)) }
    }
    (self.finished, self.begun) = (finished, begun)
    if lines.isEmpty { try add(head) }
  }

  /// Whether earlier runs did anything.
  var isContinued: Bool { !finished.isEmpty || !begun.isEmpty }

  /// Before a file is changed whose version is `version`. False: an earlier run has changed it, and was killed before it could
  /// say so.
  func begin(_ path: FilePath, version: Int64) throws -> Bool {
    if let known = begun[path] { return known == version }
    try add(Array("> \(version) ".utf8) + Self.escaped(path.bytes))
    return true
  }

  /// The file is done, and its result where it belongs.
  func end(_ path: FilePath, _ exit: ExitStatus) throws {
    try add(Array("\(exit.code) ".utf8) + Self.escaped(path.bytes))
  }

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
