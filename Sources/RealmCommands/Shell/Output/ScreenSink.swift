// Results on their way to a screen: what is longer than the screen goes through a pager where the user has one.
// Layer: RealmCommands, Shell, Output.

import ByteText
import RealmEngine

/// Takes the bytes of one result.
final class ScreenSink {
  private let rowCount: Int
  private let pagerCommand: [UInt8]?
  private var held: [UInt8] = []
  private var lineCount = 0
  private var pager: ChildProcess?

  /// `rowCount`: of the screen. Without a pager everything is shown at once.
  init(rowCount: Int, pagerCommand: [UInt8]?) {
    self.rowCount = rowCount
    self.pagerCommand = pagerCommand
  }

  func take(_ bytes: borrowing ByteBuffer) throws(EngineError) {
    guard let pagerCommand else {
      return try StandardStreams.write(bytes, to: StandardStreams.output, named: "standard output")
    }
    // A pager shows on the same screen.
    if let pager { return try pager.write(bytes.forTerminal) }
    held += bytes.bytes
    lineCount += bytes.bytes.count { $0 == UInt8(ascii: "\n") }
    guard lineCount >= rowCount else { return }
    let pager = try ChildProcess(pagerCommand)
    self.pager = pager
    try pager.write(released().forTerminal)
  }

  /// The result is complete. Waits until the user leaves the pager.
  func finish() throws(EngineError) {
    if let pager {
      pager.finish()
    } else if !held.isEmpty {
      try StandardStreams.write(released(), to: StandardStreams.output, named: "standard output")
    }
  }

  private func released() -> ByteBuffer {
    var buffer = ByteBuffer(capacity: max(1, held.count))
    buffer.append(held)
    held = []
    return buffer
  }
}
