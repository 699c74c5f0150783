// Running the program with a system call that fails. See FaultInjection for how that works.

import FaultInjection
import Foundation
import TestSupport

/// What happened in such a run.
struct FaultResult {
  let status: Int32
  let output: String
  let errorText: String
  /// How many calls there were.
  let count: Int
  let isApplied: Bool
  /// The errno that the call got; 0 for other faults.
  let code: Int32
  let call: String
  let path: String

  var description: String {
    "\(call) \(path) (\(code == 0 ? "no error" : String(cString: strerror(code)))) → \(status) \(errorText)"
  }
}

/// What is to happen, and when.
struct Fault: CustomStringConvertible {
  let kind: fault_kind
  var position = 0
  var variant = 0

  var description: String { "kind \(kind.rawValue) variant \(variant) at call \(position)" }
}

enum FaultRun {
  /// Whether this system lets a process answer another one's calls.
  static let isPossible: Bool = {
    guard let scene = try? WholeFileScene() else { return false }
    return (try? run(["--version"], Fault(kind: fault_none), in: scene)) != nil
  }()

  struct Impossible: Error { let code: Int32 }

  /// Runs `realm-cli` in the folder of `scene`.
  static func run(
    _ arguments: [String], _ fault: Fault, input: String = "", in scene: WholeFileScene
  ) throws -> FaultResult {
    let scratch = try ScratchFolder()
    let streams = try ["in", "out", "err"].map { name in
      let file = scratch.url.appendingPathComponent(name)
      try Data((name == "in" ? input : "").utf8).write(to: file)
      return file
    }
    let program = RealmProcess.executable.path
    let words = CStrings([program] + arguments)
    // What ships inspects nothing after a commit.
    let environment = CStrings(
      RealmProcess.fixedEnvironment.filter { $0.key != "REALM_VERIFY" }.map { "\($0)=\($1)" })
    var outcome = fault_outcome()
    var plan = fault_plan(
      kind: fault.kind, position: Int32(fault.position), variant: Int32(fault.variant))
    let paths = CStrings([program, scene.folder.url.path] + streams.map(\.path))
    var process = fault_process(
      program: paths.pointers[0]!, arguments: words.pointers, environment: environment.pointers,
      folder: paths.pointers[1]!, input: paths.pointers[2]!, output: paths.pointers[3]!,
      error: paths.pointers[4]!)
    let code = fault_run(&process, &plan, &outcome)
    guard code == 0 else { throw Impossible(code: code) }
    return FaultResult(
      status: outcome.status, output: String(decoding: try Data(contentsOf: streams[1]), as: UTF8.self),
      errorText: String(decoding: try Data(contentsOf: streams[2]), as: UTF8.self),
      count: Int(outcome.count), isApplied: outcome.is_applied != 0, code: outcome.error,
      call: text(of: outcome.call), path: text(of: outcome.path))
  }

  /// The text in an array of characters that C gave.
  private static func text<Characters>(of characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

/// Words as C wants them.
private final class CStrings {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ words: [String]) {
    count = words.count
    pointers = .allocate(capacity: count + 1)
    for (index, word) in words.enumerated() { pointers[index] = strdup(word) }
    pointers[count] = nil
  }

  deinit {
    for index in 0..<count { free(pointers[index]) }
    pointers.deallocate()
  }
}
