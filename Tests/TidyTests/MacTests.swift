// What is compiled for macOS on Linux: the C files, for both kinds of Mac. The Swift files take a minute: `.ci/macos/check`.

import Foundation
import Testing

@Suite("macOS")
struct MacTests {
  private static func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String)
  {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }

  private static let hasZig: Bool = {
    let own = SourceTree.root.appendingPathComponent(".build/zig/bin/python3").path
    let python = FileManager.default.isExecutableFile(atPath: own) ? own : "python3"
    return (try? run("/usr/bin/env", [python, "-c", "import ziglang"]).status) == 0
  }()

  @Test(
    "C compiles for both kinds of Mac", .enabled(if: hasZig, "needs PyPI's ziglang, as CONTRIBUTING.md says"))
  func sources() throws {
    let check = SourceTree.root.appendingPathComponent(".ci/macos/check").path
    let result = try Self.run(check, ["c"])
    #expect(result.status == 0, "\(result.output)")
  }
}
