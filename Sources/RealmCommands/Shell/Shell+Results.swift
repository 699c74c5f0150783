// What a session shows besides the rows of queries: texts for people, documents for programs. Layer: RealmCommands, Shell.

import Arguments
import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering
import TextFormats

extension Shell {
  /// What a statement that shows nothing has done.
  func tellPrograms(of counts: ChangeCounts, to out: inout OutputBuffer) {
    guard JSONForm(spec.mode) != nil, !isDialog, let realm else { return }
    var entries = counts.statementEntries
    if !counts.made.isEmpty {
      let names = try? realm.read { try ObjectName.document(of: counts.made, in: $0) }
      entries += names.map { [DocumentEntry(ObjectName.field.name, $0)] } ?? []
    }
    let result = FileResult(done: nil, entries)
    out.text.append(json: result.document(of: realm.path, isDryRun: realm.isDryRun))
    out.text.append(UInt8(ascii: "\n"))
  }

  /// Programs that read this session read what commands say in the same mode.
  func modeWords(of command: Command) -> [Word] {
    guard JSONForm(spec.mode) != nil, !output.isScreen, command.result.modes.contains(spec.mode) else {
      return []
    }
    return [Word("--\(spec.mode.rawValue)")]
  }

  /// Says what was changed so far, where that was asked for.
  func noteChanges() throws {
    guard let session, JSONForm(spec.mode) == nil,
      session.committed.total > 0 || session.hasSoughtObjects
    else { return }
    try invocation.tell(session.committed, in: session.realm)
  }

  /// Where `body` fails, says what was saved before.
  func tellingOfSaved<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      if let session, JSONForm(spec.mode) == nil, session.committed.total > 0, !session.realm.isDryRun {
        invocation.tell("saved before the error: \(session.committed.text)")
      }
      throw error
    }
  }

  /// Shows help, whose lines are broken where the screen is narrow.
  func help(_ text: String) throws {
    guard output.isScreen else { return try tell(text) }
    try tell(ScreenLines.fitted(text, columns: invocation.terminal.columnCount))
  }

  /// Shows text that is no result of a query. `document`: the same for programs; an array is what there is, an element each.
  func tell(_ text: String, _ document: DocumentNode? = nil) throws {
    guard let form = JSONForm(spec.mode), !output.isScreen else {
      return try output.write(isPaged: true) { out in out.text.append(text: text) }
    }
    let document = document ?? .mapping([.text("text", text)])
    try output.write(isPaged: false) { out in
      if form == .lines, case .sequence(let elements) = document.content {
        for element in elements {
          out.text.append(json: element)
          out.text.append(UInt8(ascii: "\n"))
        }
        return
      }
      out.text.append(json: document)
      out.text.append(UInt8(ascii: "\n"))
    }
  }
}

extension Statement {
  /// Whether it shows rows, which can be shown once more.
  var isQuery: Bool {
    switch kind {
    case .select, .aggregate, .summarize: true
    default: false
    }
  }

  var showsSomething: Bool {
    switch kind {
    case .explain, .sql: true
    default: isQuery
    }
  }
}
