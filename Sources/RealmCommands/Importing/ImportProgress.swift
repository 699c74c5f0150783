// How far an import is, on a terminal: after its first second, one line that is written over and over.
// Layer: RealmCommands, Importing.

import ByteText
import RealmEngine

/// Shows progress on standard error while it is a terminal, and nothing otherwise.
final class ImportProgress {
  private let isShown: Bool
  private let start = SystemClock.milliseconds
  private var lastShown: Int?
  /// The name and size of the source that is read; nil where the size is not known.
  var source: (name: String, size: Int?) = ("", nil)

  private static let delayMilliseconds = 1000
  private static let pauseMilliseconds = 100

  init(isShown: Bool) { self.isShown = isShown }

  func update(rowCount: Int, byteCount: Int) {
    EndSignals.count(.objects, rowCount)
    guard isShown else { return }
    let time = SystemClock.milliseconds
    guard time - start >= Self.delayMilliseconds,
      lastShown.map({ time - $0 >= Self.pauseMilliseconds }) ?? true
    else { return }
    lastShown = time
    let bytesPerSecond = byteCount * 1000 / max(1, time - start)
    var text = "\(source.name): \(rowCount) rows, \(SizeText.bytes(bytesPerSecond))/s"
    if let size = source.size, size > 0 { text += ", \(min(100, byteCount * 100 / size)) %" }
    StandardStreams.rewriteErrorLine(text)
  }

  /// The line goes away.
  func finish() {
    guard lastShown != nil else { return }
    lastShown = nil
    StandardStreams.rewriteErrorLine("")
  }
}
