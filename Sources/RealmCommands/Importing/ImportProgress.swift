// How far an import is, on a terminal. Layer: RealmCommands, Importing.

import ByteText
import RealmEngine

/// Shows progress on standard error while it is a terminal, and nothing otherwise.
final class ImportProgress {
  private var line: ProgressLine
  /// The name and size of the source that is read; nil where the size is not known.
  var source: (name: String, size: Int?) = ("", nil)

  init(isShown: Bool) { line = ProgressLine(isShown: isShown) }

  func update(rowCount: Int, byteCount: Int) {
    EndSignals.count(.objects, rowCount)
    line.update { elapsed in
      let bytesPerSecond = byteCount * 1000 / max(1, elapsed)
      let text = "\(source.name): \(rowCount) rows, \(SizeText.bytes(bytesPerSecond))/s"
      guard let size = source.size, size > 0 else { return text }
      return "\(text), \(min(100, byteCount * 100 / size)) %"
    }
  }

  /// The line goes away.
  func finish() { line.hide() }
}
