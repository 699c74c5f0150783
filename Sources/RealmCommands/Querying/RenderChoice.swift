// Which mode rows are shown in: the one that was asked for, or what suits the place they go to.
// Layer: RealmCommands, Querying.

import Arguments
import Rendering

extension Invocation {
  /// Box on a terminal, tab-separated values elsewhere, unless a mode is named.
  func renderSpec(isTyped: Bool) throws(Diagnostic) -> RenderSpec {
    let isForPeople = terminal.outputIsTerminal && !arguments.has(.output)
    let mode = arguments.text(.mode).flatMap(OutputMode.init) ?? (isForPeople ? .box : .tsv)
    guard !isTyped || mode == .json || mode == .jsonl else {
      throw Diagnostic.usage("--typed needs --json or --jsonl")
    }
    let header: Bool? = arguments.has(.noHeader) ? false : arguments.has(.header) ? true : nil
    return RenderSpec(mode, hasHeader: header, isTyped: isTyped)
  }
}
