// What a command has to say about one file, for people and for programs. Layer: RealmCommands, Program.
// Invariant: every element about a file is made here, so that all of them have the same first keys.

import RealmEngine
import TextFormats

/// The outcome of a command for one file.
struct FileResult {
  enum Status: String, CaseIterable {
    case ok, failed
    /// The file stays as it is: there was nothing to do, or the command ended before its turn.
    case skipped
  }

  private(set) var status = Status.ok
  private(set) var exit = ExitStatus.success
  /// For programs, behind the keys that all elements have.
  var entries: [DocumentEntry] = []
  /// For people: the result, which goes to standard output.
  private(set) var text = ""
  /// For people: what was done.
  private(set) var note: String?
  private(set) var failure: Diagnostic?
  /// Whether the text says what the failure is.
  private(set) var isFailureShown = false

  /// A result: text that is complete. `exit`: what the file alone would give.
  init(shown text: String, _ entries: [DocumentEntry] = [], exit: ExitStatus = .success) {
    self.text = text
    self.entries = entries
    self.exit = exit
    if exit != .success { status = .failed }
  }

  /// A change that was made, in one sentence.
  init(done sentence: String?, _ entries: [DocumentEntry] = [], exit: ExitStatus = .success) {
    self.init(shown: "", entries, exit: exit)
    note = sentence
  }

  /// A change that a dry run only tells of: its sentence is the result.
  init(wouldDo sentence: String, _ entries: [DocumentEntry] = [], exit: ExitStatus = .success) {
    self.init(shown: sentence + "\n", entries, exit: exit)
  }

  /// Nothing had to be done.
  init(skipped sentence: String?, _ entries: [DocumentEntry] = []) {
    status = .skipped
    note = sentence
    self.entries = entries
  }

  /// `text`: what is known of the file all the same; `tellsFailure`: it says why there is no more.
  init(
    _ failure: Diagnostic, shown text: String = "", tellsFailure: Bool = false,
    _ entries: [DocumentEntry] = []
  ) {
    status = .failed
    exit = failure.exit
    self.failure = failure
    isFailureShown = tellsFailure
    self.text = text
    self.entries = entries
  }

  /// The element for programs.
  func document(of path: FilePath, isDryRun: Bool) -> DocumentNode {
    var all: [DocumentEntry] = [
      .file(path), .text("status", status.rawValue), .number("exit", Int(exit.code)),
    ]
    if isDryRun { all.append(.flag("dry_run", true)) }
    all += entries
    if let failure { all.append(DocumentEntry("error", failure.document)) }
    return .mapping(all)
  }
}

extension DocumentEntry {
  static func file(_ path: FilePath, _ name: String = "file") -> DocumentEntry {
    .text(name, path.name)
  }
}
