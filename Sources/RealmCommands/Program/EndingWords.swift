// What Ctrl-C, or another signal that ends the process, says of a change: how far it was, and what was kept of it.
// Layer: RealmCommands, Program. Invariant: a signal comes before a change is true, or waits until it was told.

import CPlatform
import RealmEngine

extension Invocation {
  /// From now on a signal says that nothing was written, or that what was finished before is kept. Parts of a script leave what
  /// the script says.
  func sayWhenStopped(_ counted: EndSignals.Counted = .nothing) {
    guard counted.number >= platform_counted_by_ending() else { return }
    let reached =
      switch counted {
      case .nothing: ""
      case .objects: " after # objects"
      case .statements: " in statement #"
      }
    let texts = ["nothing was written", "what was finished before is kept"].map { end in
      let stop = Diagnostic(.signal(2), code: Diagnostic.cancelledCode, "stopped\(reached); \(end)")
      return Array((wantsJSON ? stop.json : stop.text()).utf8)
    }
    // The line of progress goes away.
    let start = Array((terminal.errorIsTerminal ? "\r\u{1B}[K" : "").utf8)
    let place = texts[0].firstIndex(of: UInt8(ascii: "#"))
    SystemCalls.setEndingPart(platform_ending_start, start + texts[0][..<(place ?? 0)])
    for (part, text) in zip([platform_ending_nothing_finished, platform_ending_some_finished], texts) {
      SystemCalls.setEndingPart(part, Array(text[(place.map { $0 + 1 } ?? 0)...]))
    }
    platform_say_ending(counted.number)
  }
}

extension EndSignals {
  /// An interrupt during `body` ends what runs as an error does, so that rows go out before and what is half made goes.
  static func notingInterrupts<Result>(
    _ isWanted: Bool = true, _ body: () throws -> Result
  ) rethrows -> Result {
    guard isWanted else { return try body() }
    platform_note_interrupts(1)
    defer { platform_note_interrupts(0) }
    return try body()
  }
}
