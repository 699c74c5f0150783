// How a session shows results and what it tells besides. Layer: RealmCommands, Shell.

import Arguments
import Rendering

/// What dot commands set.
struct ShellSettings {
  /// Nil: box on a terminal, tab-separated values elsewhere.
  var mode: OutputMode?
  var hasHeader: Bool?
  var separator: [UInt8]?
  var nullText: [UInt8]?
  /// `.width`: how wide columns are at most; 0 is as wide as they need.
  var columnWidths: [Int] = []
  /// `.wrap`: texts go on below from so many characters on, 0 is where the screen ends; nil where they are cut.
  var wrapWidth: Int?
  /// `.timezone`
  var timeZone: String
  /// `.timer`
  var showsTime = false
  /// `.changes`
  var showsChanges = false
  /// `.echo`
  var echoes = false
  /// `.prompt`
  var promptText: String?
  /// `.bail`: a script ends at its first error.
  var stopsAtError = true

  /// As the command line says.
  init(_ arguments: ParsedArguments, isInteractive: Bool) {
    mode = arguments.text(.mode).flatMap(OutputMode.init)
    hasHeader = arguments.has(.noHeader) ? false : arguments.has(.header) ? true : nil
    showsChanges = isInteractive
    wrapWidth = arguments.integer(.wrap).map { Int(clamping: $0) }
    timeZone = arguments.text(.timeZone) ?? "UTC"
    separator = arguments.word(.separator)?.bytes
    nullText = arguments.word(.nullValue)?.bytes
  }

  /// The spec of a result that goes to a screen, or elsewhere where there is none.
  /// `showsAll`: nothing is left out for want of room.
  func spec(
    for screen: Screen?, otherwise: OutputMode = .tsv, showsAll: Bool = false, isColored: Bool = false
  ) -> RenderSpec {
    var spec = RenderSpec(mode ?? (screen == nil ? otherwise : .box), hasHeader: hasHeader)
    spec.columnWidths = columnWidths
    // A look that was asked for is kept, however wide it is; to ask for the usual one is the way back to it.
    spec.wrapWidth = wrapWidth
    if wrapWidth != nil {
      spec.wideRows = .fitted
    } else if mode == nil || mode == .box && !showsAll, columnWidths.isEmpty {
      spec.wideRows = showsAll ? .lines : .fitted
    }
    spec.screen = screen
    spec.isColored = isColored && screen != nil && !spec.mode.isForMachines
    if let separator { spec.separator = separator }
    if let nullText { spec.nullText = nullText }
    return spec
  }
}
