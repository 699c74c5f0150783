// What a job would give, without doing it. Layer: RealmCommands, WholeFiles.

import RealmEngine

extension Invocation {
  /// What `job` would write. Cost: reads the whole source.
  func measure(_ job: WholeFileJob) throws -> WholeFileJob.Measurement {
    let meter = ProgressMeter(
      name: String(decoding: job.source.lastComponent, as: UTF8.self),
      isShown: terminal.errorIsTerminal && !isQuiet)
    defer { meter.finish() }
    do throws(EngineError) {
      return try job.measure { stage, done, total in meter.update(stage, done, of: total) }
    } catch {
      throw Diagnostic(error, file: job.source)
    }
  }
}
