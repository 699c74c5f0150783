// Which mode rows are shown in: the one that was asked for, or what suits the place they go to.
// Layer: RealmCommands, Querying.

import Arguments
import RealmEngine
import Rendering

extension Invocation {
  /// Box on a terminal, tab-separated values elsewhere, unless a mode is named.
  func renderSpec(isTyped: Bool) throws(Diagnostic) -> RenderSpec {
    let isForPeople = terminal.outputIsTerminal && !arguments.has(.output)
    let askedMode = arguments.text(.mode).flatMap(OutputMode.init)
    var ownMode: OutputMode?
    if let output = arguments.word(.output), !output.isDash, askedMode == nil {
      ownMode = try OutputMode.named(by: FilePath(output.bytes))
    }
    let mode = askedMode ?? (isForPeople ? .box : ownMode ?? .tsv)
    guard !isTyped || mode == .json || mode == .jsonl else {
      throw Diagnostic.usage("--typed needs --json or --jsonl")
    }
    let header: Bool? = arguments.has(.noHeader) ? false : arguments.has(.header) ? true : nil
    var spec = RenderSpec(mode, hasHeader: header, isTyped: isTyped)
    spec.wrapWidth = arguments.integer(.wrap).map { Int(clamping: $0) }
    if isForPeople, askedMode == nil || spec.wrapWidth != nil {
      spec.screen = Screen(
        columnCount: terminal.columnCount, rowCount: terminal.rowCount, cutHint: nil,
        widthHint: "--line shows all")
      spec.wideRows = .fitted
    }
    return spec
  }
}
