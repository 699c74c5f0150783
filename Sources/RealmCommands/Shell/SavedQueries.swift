// Statements that were given names. Layer: RealmCommands, Shell.
// A line a statement: its name, a tab, its text. The file is its user's own, like the history.

import ByteText
import RealmEngine
import RealmQueryLanguage

/// `queries` in the folder of the user's configuration.
struct SavedQueries {
  private let path: FilePath

  init(_ environment: (String) -> [UInt8]?) throws(Diagnostic) {
    guard let folder = UserFolders.configuration(environment) else {
      throw Diagnostic(
        .unavailable, code: "not-found", "queries cannot be saved: HOME is not set")
    }
    path = folder.child(Array("queries".utf8))
  }

  /// By name.
  func all() throws(EngineError) -> [(name: String, statement: String)] {
    guard try path.status != nil else { return [] }
    try path.requireTextSource()
    let text = String(decoding: try FileHandle.openForReading(path).readText(), as: UTF8.self)
    return text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\t", maxSplits: 1)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }.sorted { $0.name < $1.name }
  }

  /// Keeps a statement, in the place of one of the same name.
  func keep(_ statement: String, as name: String) throws(EngineError) {
    var queries = try all().filter { $0.name != name }
    queries.append((name, statement))
    UserFolders.make(path.directory, permissions: 0o700)
    var bytes = ByteBuffer()
    for query in queries.sorted(by: { $0.name < $1.name }) {
      bytes.append(text: "\(query.name)\t\(query.statement)\n")
    }
    // Some keep their configuration elsewhere and have links here.
    let replacement = try SafeReplacement(target: try path.resolved ?? path, like: try path.status)
    do throws(SystemCallError) {
      try bytes.write(to: replacement.handle.descriptor)
    } catch {
      replacement.discard()
      throw FileHandle.failure("cannot write to", path, code: error.code)
    }
    _ = try replacement.commit(replacing: true, isDurable: false)
  }
}

extension Shell {
  func saveQuery(_ arguments: DotArguments) throws {
    let name = arguments.texts[0]
    guard name.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) }) else {
      throw Diagnostic.usage(
        ".save-query – '\(name)' is not a valid name", hint: "letters, digits, '-', '_' and '.'")
    }
    var text = arguments.rest.drop { !$0.isBlankByte }.drop { $0.isBlankByte }
    if text.isEmpty { text = (lastQuery ?? [])[...] }
    guard !text.isEmpty else {
      throw Diagnostic.usage(
        ".save-query – no statement given", hint: "usage: .save-query adults Person where age > 17")
    }
    let source = Array(text)
    do throws(QueryError) {
      _ = try Statement(parsing: source, in: SourceRange(source.indices))
    } catch {
      throw Diagnostic(error, in: source)
    }
    // On one line it means the same: newlines stand in brackets only.
    let statement = String(decoding: source.map { $0 == 0x0A || $0 == 0x09 ? 0x20 : $0 }, as: UTF8.self)
    try SavedQueries(invocation.environment).keep(statement, as: name)
  }

  func runQuery(named name: String) throws {
    let queries = try SavedQueries(invocation.environment).all()
    guard let query = queries.first(where: { $0.name == name }) else {
      let nearest = EditDistance.nearest(to: name, among: queries.map(\.name))
      throw Diagnostic(
        .unavailable, code: "not-found", "there is no saved query '\(name)'",
        hint: nearest.map { "did you mean '\($0)'?" } ?? "'.queries' lists the saved queries")
    }
    if isInteractive { invocation.tell(query.statement) }
    try runStatement(Array(query.statement.utf8))
  }
}
