// How far a job on a whole file is, on a terminal. Layer: RealmCommands, WholeFiles.

import ByteText
package import RealmEngine

/// Shows progress on standard error while it is a terminal, and nothing otherwise.
package final class ProgressMeter {
  private let name: String
  private let now: () -> Int
  private var line: ProgressLine
  private var stage: WholeFileJob.Stage?
  private var stageStart = 0

  private static let nameSizeMax = 30

  /// `write` puts a text in the place of the line before.
  package init(
    name: String, isShown: Bool, now: @escaping () -> Int = { SystemClock.milliseconds },
    write: @escaping (String) -> Void = StandardStreams.rewriteErrorLine
  ) {
    self.name = name.count > Self.nameSizeMax ? "…" + name.suffix(Self.nameSizeMax - 1) : name
    self.now = now
    line = ProgressLine(isShown: isShown, start: now(), write: write)
  }

  /// What was done of a stage, in bytes.
  package func update(_ stage: WholeFileJob.Stage, _ doneCount: Int, of totalCount: Int) {
    guard line.isShown else { return }
    let time = now()
    if stage != self.stage {
      self.stage = stage
      stageStart = time
    }
    line.update(at: time) { _ in text(stage, doneCount, totalCount, milliseconds: time - stageStart) }
  }

  /// The line goes away.
  package func finish() { line.hide() }

  private func text(
    _ stage: WholeFileJob.Stage, _ doneCount: Int, _ totalCount: Int, milliseconds: Int
  ) -> String {
    let total = max(totalCount, doneCount, 1)
    let word =
      switch stage {
      case .writing: "writing"
      case .syncing: "waiting for the disk"
      case .verifying: "verifying"
      }
    guard stage != .syncing else { return "\(name): \(word)" }
    var text = "\(name): \(word) \(Int(Double(doneCount) / Double(total) * 100)) %"
    guard milliseconds > 0, doneCount > 0 else { return text }
    let bytesPerSecond = Double(doneCount) * 1000 / Double(milliseconds)
    text += ", \(SizeText.bytes(Int(bytesPerSecond)))/s"
    let seconds = Int((Double(total - doneCount) / bytesPerSecond).rounded(.up))
    return text + ", \(SizeText.duration(seconds: seconds)) left"
  }
}
