// Damaged files are refused, or read and changed, never trapped over, in bounded time and memory.

import Foundation
import TestSupport
import Testing

@Suite("Mutants")
struct MutationTests {
  private static let total = UInt64(TestScale.cases(fast: 60, usual: 1000, long: 20_000))
  /// A seed that is reported can be run alone: `REALM_SEED=4711 REALM_CASES=1`.
  private static let first =
    ProcessInfo.processInfo.environment["REALM_SEED"].flatMap { UInt64($0) } ?? 1
  private static let perProcess: UInt64 = 400

  private static let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let executable = URL(fileURLWithPath: CommandLine.arguments[0])
    .deletingLastPathComponent().appendingPathComponent("realm-mutants")

  @Test("files that once broke a writer are refused, or changed as they were asked to be", .slow)
  func hostileFiles() throws {
    let folder = Self.packageRoot.appendingPathComponent("fixtures/hostile").path
    let (lines, status) = try Self.runProcess([folder])
    for line in lines where line.hasPrefix("I ") { Issue.record("\(line.dropFirst(2))") }
    let last = lines.last { $0.hasPrefix("S ") } ?? "no file"
    #expect(status == 0, "\(last.dropFirst(2)): \(Self.describe(status))")
  }

  @Test(
    "no mutant makes those who read or change it crash, hang or take 256 MB (64 for a diagnosis), or lose what it holds"
  )
  func mutants() async throws {
    let end = Self.first + Self.total
    let failures = try await withThrowingTaskGroup(of: [String].self) { group in
      // As many processes as there are processors; each takes the next block when it is done.
      let blocks = Blocks(first: Self.first, end: end, size: Self.perProcess)
      for _ in 0..<max(1, ProcessInfo.processInfo.activeProcessorCount) {
        group.addTask {
          var failures: [String] = []
          while let block = blocks.next() { failures += try Self.run(block) }
          return failures
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    for failure in failures.sorted() { Issue.record("\(failure)") }
    print("\(Self.total) mutants from seed \(Self.first): \(failures.count) failures")
  }

  /// Hands out ranges of seeds.
  private final class Blocks: @unchecked Sendable {
    private let lock = NSLock()
    private var position: UInt64
    private let end: UInt64
    private let size: UInt64

    init(first: UInt64, end: UInt64, size: UInt64) {
      position = first
      self.end = end
      self.size = size
    }

    func next() -> Range<UInt64>? {
      lock.withLock {
        guard position < end else { return nil }
        let block = position..<min(end, position + size)
        position = block.upperBound
        return block
      }
    }
  }

  /// Runs the mutants of `seeds` in processes of their own; one that dies is followed by one for the rest.
  private static func run(_ seeds: Range<UInt64>) throws -> [String] {
    var failures: [String] = []
    var next = seeds.lowerBound
    while next < seeds.upperBound {
      let (lines, status) = try runProcess([fixtures, "\(next)", "\(seeds.upperBound - next)"])
      failures += lines.filter { $0.hasPrefix("I ") }
      if status == 0 { return failures }
      let last = lines.last { $0.hasPrefix("S ") } ?? "S \(next) none"
      let seed = last.split(separator: " ").dropFirst().first.flatMap { UInt64($0) } ?? next
      next = seed + 1
      if status == SIGPROF {
        // On a busy machine the clock of a process runs ahead of its work. Alone it has more time: what hangs does so again.
        let (alone, status) = try runProcess([fixtures, "\(seed)", "1"])
        failures += alone.filter { $0.hasPrefix("I ") }
        if status == 0 { continue }
      }
      failures.append("\(last.dropFirst(2)): \(describe(status))")
    }
    return failures
  }

  private static func describe(_ status: Int32) -> String {
    switch status {
    case SIGPROF: "hangs"
    case SIGILL, SIGTRAP: "traps"
    default: "ends with \(status)"
    }
  }

  private static let fixtures = packageRoot.appendingPathComponent("fixtures").path

  private static func runProcess(_ arguments: [String]) throws -> ([String], Int32) {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ["SWIFT_BACKTRACE": "enable=no"]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    return (lines, process.terminationStatus)
  }
}
