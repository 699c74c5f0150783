// Typing a line on a terminal: the one bridge to libedit. Layer: RealmCommands, Shell, Editing.
// Invariants: every pointer is valid for the call it is passed to, and nothing unsafe leaves this file; libedit calls
// back only while `readLine` runs, on the same thread. Characters are decoded here, so that they arrive whatever the
// locale says.

import ByteText
import CLibEdit
import CPlatform
import Rendering

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An editor with history and completion, on the process's terminal.
@safe final class LineEditor {
  /// What came from the terminal.
  enum Line: Equatable {
    /// Without its newline.
    case text([UInt8])
    /// Control-C: what was typed is void.
    case interrupted
    /// Nothing was typed for too long; what was typed before is void.
    case idle
    /// Control-D on an empty line, or the terminal is gone.
    case end
  }

  /// Asked when the tab key is pressed, with the line up to the cursor, and from there on.
  var complete: (_ typed: [UInt8], _ ahead: [UInt8]) -> LineCompletion = { _, _ in LineCompletion() }

  /// Called again and again while nothing is typed.
  var whileWaiting: (() -> Void)?

  private let editor: OpaquePointer
  private let past: OpaquePointer
  /// A copy of the prompt that libedit may look at until the next one is set.
  private var prompt: UnsafeMutablePointer<CChar>?
  /// As many columns it takes.
  private var promptWidth = 0
  /// For which the screen was last drawn.
  private var columnCount = 0
  private var isHidden = false
  /// What was pasted and has not come to the line yet.
  private var pasted: ArraySlice<UInt8> = []
  /// Where libedit draws.
  private let output: Int32
  /// Whether the cursor can be sent about.
  private let isSteerable: Bool
  private var decoder = UTF8Decoder()
  private var wasInterrupted = false
  private var wasIdle = false
  /// How long the next character may take; -1: as long as it takes.
  private var idleMilliseconds: Int32 = -1
  /// How many of the next bytes were typed before the prompt was there.
  private var typedAheadCount: Int32 = 0
  /// What begins and ends in a prompt what takes no room on the screen: colours.
  static let invisibleMark: UInt8 = 1

  private static let waitingMilliseconds: Int32 = 20
  private static let historyCountMax: Int32 = 2000

  /// Nil where libedit cannot work.
  init?(program: String, showsOnError: Bool, isSteerable: Bool) {
    platform_use_utf8_locale()
    guard let editor = unsafe edit_begin(program, showsOnError ? 1 : 0) else { return nil }
    guard let past = unsafe history_init() else {
      unsafe el_end(editor)
      return nil
    }
    unsafe self.editor = editor
    unsafe self.past = past
    output = showsOnError ? StandardStreams.error : StandardStreams.output
    self.isSteerable = isSteerable
    platform_keep_terminal_settings()
    platform_note_terminal_changes()
    configure()
  }

  deinit {
    unsafe history_end(past)
    unsafe el_end(editor)
    unsafe free(prompt)
  }

  private func configure() {
    unsafe _ = edit_set_owner(editor, Unmanaged.passUnretained(self).toOpaque())
    unsafe _ = edit_use_emacs_keys(editor)
    unsafe _ = edit_set_reader(editor) { editor, character in
      guard let owner = unsafe LineEditor.owner(of: editor), let character = unsafe character else {
        return -1
      }
      guard let scalar = owner.nextCharacter() else { return owner.wasInterrupted || owner.wasIdle ? -1 : 0 }
      unsafe character.pointee = wchar_t(bitPattern: scalar)
      return 1
    }
    unsafe _ = edit_set_prompt(
      editor,
      { editor in
        guard let owner = unsafe LineEditor.owner(of: editor) else { return nil }
        return unsafe owner.prompt
      }, CChar(bitPattern: Self.invisibleMark))
    unsafe _ = edit_add_function(editor, "realm-complete", "complete what is typed") { editor, _ in
      guard let owner = unsafe LineEditor.owner(of: editor) else { return UInt8(CC_ERROR) }
      return owner.completeLine()
    }
    unsafe _ = edit_add_function(editor, "realm-paste", "take what is pasted as it is") { editor, _ in
      guard let owner = unsafe LineEditor.owner(of: editor) else { return UInt8(CC_ERROR) }
      return owner.takePaste()
    }
    for key in Self.deafKeys { unsafe _ = edit_bind(editor, key, "ed-ignore") }
    for (key, function) in Self.keys { unsafe _ = edit_bind(editor, key, function) }
    unsafe _ = edit_limit_history(past, Self.historyCountMax)
    unsafe _ = edit_use_history(editor, past)
    // The user's own keys come last.
    unsafe _ = el_source(editor, nil)
  }

  /// What terminals send and libedit does not know by itself.
  private static let keys = [
    ("^I", "realm-complete"), ("^R", "em-inc-search-prev"), ("^W", "ed-delete-prev-word"),
    ("\\e[H", "ed-move-to-beg"), ("\\e[F", "ed-move-to-end"), ("\\eOH", "ed-move-to-beg"),
    ("\\eOF", "ed-move-to-end"), ("\\e[1~", "ed-move-to-beg"), ("\\e[4~", "ed-move-to-end"),
    ("\\e[3~", "ed-delete-next-char"), ("\\e[1;5C", "em-next-word"), ("\\e[1;5D", "ed-prev-word"),
    ("\\e[1;3C", "em-next-word"), ("\\e[1;3D", "ed-prev-word"), ("\\e[200~", "realm-paste"),
  ]

  /// Keys that do nothing, with and without shift, alt and control: of an unknown one libedit inserts the end.
  private static let deafKeys: [String] = {
    let modifiers = [""] + (2...8).map { ";\($0)" }
    let numbered = [2, 3, 5, 6] + Array(11...34) + [201]
    let lettered = "ABCDEFHPQRS".flatMap { letter in (2...8).map { "\\e[1;\($0)\(letter)" } }
    let tilded = numbered.flatMap { number in modifiers.map { "\\e[\(number)\($0)~" } }
    return tilded + lettered + ["\\eOP", "\\eOQ", "\\eOR", "\\eOS", "\\e[Z", "\\e[I", "\\e[O"]
  }()

  private static func owner(of editor: OpaquePointer?) -> LineEditor? {
    guard let editor = unsafe editor, let owner = unsafe edit_owner(editor) else { return nil }
    return unsafe Unmanaged<LineEditor>.fromOpaque(owner).takeUnretainedValue()
  }

  // MARK: Reading

  /// Shows the prompt and reads a line. An interrupt must be noted, not end the process, while this runs.
  /// `idleSeconds`: after so many without a key it gives up.
  func readLine(prompt text: String, idleSeconds: Int? = nil) -> Line {
    idleMilliseconds =
      idleSeconds.map { Int32(clamping: $0.multipliedReportingOverflow(by: 1000).partialValue) } ?? -1
    wasIdle = false
    unsafe free(prompt)
    unsafe prompt = strdup(text)
    promptWidth = TerminalWidth.width(Self.visible(text))
    columnCount = Int(platform_terminal_column_count(output))
    wasInterrupted = false
    // A tab in what is pasted is a tab. A terminal that is gone ends the next read.
    if isSteerable { _ = platform_mark_pastes(output) }
    defer { platform_stop_marking_pastes() }
    // Before the prompt: whoever sees it may type control characters, and a terminal in line mode would take them.
    unsafe _ = edit_prepare_terminal(editor, 1)
    typedAheadCount = max(0, edit_waiting_byte_count(STDIN_FILENO))
    var count: Int32 = 0
    let line = unsafe el_gets(editor, &count)
    if wasInterrupted {
      forgetPaste()
      unsafe el_reset(editor)
      return .interrupted
    }
    if wasIdle {
      unsafe el_reset(editor)
      return .idle
    }
    guard let line = unsafe line, count > 0 else { return .end }
    var bytes = unsafe UnsafeRawBufferPointer(start: line, count: strlen(line)).map { $0 }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    return .text(bytes)
  }

  /// Without what steers colors.
  private static func visible(_ prompt: String) -> String {
    let mark = Character(Unicode.Scalar(invisibleMark))
    let parts = prompt.split(separator: mark, omittingEmptySubsequences: false)
    return parts.indices.filter { $0.isMultiple(of: 2) }.map { String(parts[$0]) }.joined()
  }

  /// Makes a line the newest of the past.
  func remember(_ line: [UInt8]) {
    let terminated = Self.showable(line).map { CChar(bitPattern: $0) } + [0]
    unsafe terminated.withUnsafeBufferPointer { buffer in
      if let base = buffer.baseAddress { unsafe _ = edit_remember(past, base) }
    }
  }

  /// What may stand on a line that libedit draws: escapes for what steers text, which mean the same where it stands in quotes.
  /// Tabs are blanks, and drawn as such.
  private static func showable(_ line: [UInt8]) -> [UInt8] {
    let parts = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
    let shown = parts.map { Array(String(decoding: $0, as: UTF8.self).visible.utf8) }
    return Array(shown.joined(separator: [UInt8(ascii: "\t")]))
  }

  /// The next character that is typed; nil at the end of input, or when the line is interrupted.
  private func nextCharacter() -> UInt32? {
    if insertPasted() { return UInt32(Self.newline) }
    while let byte = nextByte() {
      if let scalar = decoder.take(byte) { return scalar }
    }
    return nil
  }

  private func nextByte() -> UInt8? {
    guard !wasInterrupted, !wasIdle else { return nil }
    var waited: Int32 = 0
    while true {
      if platform_take_interrupt() != 0 {
        wasInterrupted = true
        return nil
      }
      if platform_take_terminal_change() != 0 {
        // It believes that the terminal is as it left it, which a shell has changed that stopped and continued the program.
        unsafe _ = edit_prepare_terminal(editor, 0)
        unsafe _ = edit_prepare_terminal(editor, 1)
        unsafe el_resize(editor)
        // A terminal breaks lines anew when it becomes wider or narrower; a shell that was in front has ended its own.
        redraw(climbs: columnCount != Int(platform_terminal_column_count(output)))
      }
      let rest = idleMilliseconds < 0 ? -1 : idleMilliseconds - waited
      let isShort = whileWaiting != nil && (rest < 0 || rest > Self.waitingMilliseconds)
      let state = edit_wait_for_input(STDIN_FILENO, isShort ? Self.waitingMilliseconds : rest) {
        platform_interrupt_pending()
      }
      guard state >= 0 else { return nil }
      if state == EDIT_IDLE, isShort {
        // Forgotten where nobody wants to wait for a limit.
        waited = rest < 0 ? 0 : waited + Self.waitingMilliseconds
        whileWaiting?()
        continue
      }
      if state == EDIT_IDLE {
        wasIdle = true
        return nil
      }
      guard state > 0 else { continue }
      var byte: UInt8 = 0
      let count = unsafe read(STDIN_FILENO, &byte, 1)
      if count == 1 {
        if typedAheadCount > 0 {
          typedAheadCount -= 1
          // So a terminal in line mode keeps the control-D that came while a statement ran.
          if byte == 0 { byte = 4 }
        }
        return byte
      } else if count == 0 || errno != EINTR {
        return nil
      }
    }
  }

  // MARK: The screen

  /// Takes the prompt and what is typed off the screen, so that something can be shown in their place.
  func hide() {
    if !isHidden { erase() }
    isHidden = true
  }

  /// Shows them again, below what was shown meanwhile.
  func show() {
    guard isHidden else { return }
    isHidden = false
    unsafe _ = edit_refresh(editor)
  }

  private func redraw(climbs: Bool) {
    erase(climbs: climbs)
    unsafe _ = edit_refresh(editor)
  }

  /// Clears the screen from the prompt on: libedit draws as if nothing had stood there. `climbs`: the prompt may stand rows above
  /// the cursor.
  private func erase(climbs: Bool = true) {
    columnCount = max(1, Int(platform_terminal_column_count(output)))
    guard isSteerable, let info = unsafe el_line(editor) else { return write("\n") }
    let count = unsafe info.pointee.cursor - info.pointee.buffer
    let typed = unsafe UnsafeRawBufferPointer(start: info.pointee.buffer, count: count).map { $0 }
    let before = promptWidth + TerminalWidth.width(String(decoding: typed, as: UTF8.self))
    let rowCount = climbs ? before / columnCount : 0
    write("\r" + (rowCount > 0 ? "\u{1B}[\(rowCount)A" : "") + "\u{1B}[J")
  }

  private func write(_ text: String) {
    // A terminal that is gone ends the next read.
    var bytes = ByteBuffer()
    bytes.append(text: text)
    try? bytes.write(to: output)
  }

  // MARK: Pasting

  /// What an interrupt leaves of it is void.
  func forgetPaste() { pasted = [] }

  /// The line that follows the one that was read last, as far as it was pasted with it.
  var nextPastedLine: ArraySlice<UInt8> { pasted.prefix { $0 != Self.newline } }

  private func takePaste() -> UInt8 {
    var text: [UInt8] = []
    while !text.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
      guard let byte = nextByte() else { return UInt8(CC_NORM) }
      // Terminals send a line's end as the key for it does.
      let isSecondEnd = byte == Self.newline && text.last == Self.return
      if !isSecondEnd { text.append(byte) }
    }
    pasted += text.dropLast(Self.pasteEnd.count).map { $0 == Self.return ? Self.newline : $0 }
    return UInt8(CC_NORM)
  }

  /// Brings the next line of what was pasted to the line that is typed. Returns whether its end was pasted too.
  private func insertPasted() -> Bool {
    let line = pasted.prefix { $0 != Self.newline }
    if !line.isEmpty {
      pasted = pasted.dropFirst(line.count)
      insert(Array(line))
      redraw(climbs: true)
    }
    return pasted.popFirst() != nil
  }

  private static let newline = UInt8(ascii: "\n")
  private static let `return` = UInt8(ascii: "\r")
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// Returns whether there was room for it.
  @discardableResult
  private func insert(_ text: [UInt8]) -> Bool {
    let shown = Self.showable(text).map { CChar(bitPattern: $0) } + [0]
    return unsafe shown.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return false }
      return unsafe text.isEmpty || el_insertstr(editor, base) == 0
    }
  }

  // MARK: Completion

  private func completeLine() -> UInt8 {
    guard let info = unsafe el_line(editor) else { return UInt8(CC_ERROR) }
    let count = unsafe info.pointee.cursor - info.pointee.buffer
    let typed = unsafe UnsafeRawBufferPointer(start: info.pointee.buffer, count: count).map { $0 }
    let aheadCount = unsafe info.pointee.lastchar - info.pointee.cursor
    let ahead = unsafe UnsafeRawBufferPointer(start: info.pointee.cursor, count: aheadCount).map { $0 }
    let completion = complete(typed, ahead)
    if !completion.insertion.isEmpty {
      var insertion = completion.insertion
      // A blank that stands behind the cursor is gone over instead of doubled.
      let isBeforeBlank =
        unsafe info.pointee.cursor < info.pointee.lastchar && info.pointee.cursor.pointee == 0x20
      let goesOver = isBeforeBlank && insertion.last == UInt8(ascii: " ")
      if goesOver { insertion.removeLast() }
      unsafe el_deletestr(editor, Int32(clamping: completion.replacedCount))
      let isInserted = insert(insertion)
      if goesOver { unsafe _ = el_cursor(editor, 1) }
      return UInt8(isInserted ? CC_REFRESH : CC_ERROR)
    }
    guard !completion.choices.isEmpty else { return UInt8(CC_ERROR) }
    let width = Int(platform_terminal_column_count(StandardStreams.error))
    StandardStreams.writeError(
      "\n" + ChoiceList.text(completion.choices, columnCount: width > 0 ? width : 80))
    return UInt8(CC_REDISPLAY)
  }
}

/// Puts characters together from the bytes that a terminal sends. What is not UTF-8 becomes U+FFFD.
struct UTF8Decoder {
  private var pending: [UInt8] = []

  /// The character that `byte` completes; nil in the midst of one.
  mutating func take(_ byte: UInt8) -> UInt32? {
    pending.append(byte)
    let wanted =
      switch pending[0] {
      case 0..<0x80: 1
      case 0xC2..<0xE0: 2
      case 0xE0..<0xF0: 3
      case 0xF0..<0xF5: 4
      default: 1
      }
    let isTorn = pending.count > 1 && byte & 0xC0 != 0x80
    guard pending.count == wanted || isTorn else { return nil }
    let text = String(decoding: pending, as: UTF8.self)
    pending.removeAll(keepingCapacity: true)
    return text.unicodeScalars.first?.value
  }
}
