// The line on a terminal that says how far a job is: after its first second, written over and over.
// Layer: RealmCommands, System.

import RealmEngine

/// Writes the line when it is time to.
struct ProgressLine {
  let isShown: Bool
  private let write: (String) -> Void
  private let start: Int
  private var lastShown: Int?

  private static let delayMilliseconds = 1000
  private static let pauseMilliseconds = 100

  /// `write` puts a text in the place of the line before.
  init(
    isShown: Bool, start: Int = SystemClock.milliseconds,
    write: @escaping (String) -> Void = StandardStreams.rewriteErrorLine
  ) {
    self.isShown = isShown
    self.start = start
    self.write = write
  }

  /// `text` gets the milliseconds since the start.
  mutating func update(
    at moment: @autoclosure () -> Int = SystemClock.milliseconds, _ text: (Int) -> String
  ) {
    guard isShown, case let time = moment(), time - start >= Self.delayMilliseconds,
      lastShown.map({ time - $0 >= Self.pauseMilliseconds }) ?? true
    else { return }
    lastShown = time
    write(text(time - start))
  }

  /// The line goes away, until there is more to tell.
  mutating func hide() {
    guard lastShown != nil else { return }
    lastShown = nil
    write("")
  }
}
