// Completing dot commands: their names, then whatever each of their arguments is.
// Layer: RealmCommands, Shell, Completion.

import Arguments
import RealmEngine
import RealmQueryLanguage

/// Completes one line that begins with a dot or a backslash.
struct DotCompletion {
  let completer: Completer
  let typed: [UInt8]

  var completion: LineCompletion {
    let line = typed.drop { $0.isBlankByte }
    guard let nameEnd = line.firstIndex(where: { $0.isBlankByte }) else {
      return Candidate.completion(of: String(decoding: line, as: UTF8.self), among: names)
    }
    let name = String(decoding: line[..<nameEnd], as: UTF8.self)
    guard let command = try? completer.dotCommands.required(name) else { return LineCompletion() }
    if command.name == "explain" {
      return completer.complete(Array(line[nameEnd...].drop { $0.isBlankByte }))
    }
    guard let word = BegunArgument(typed) else { return LineCompletion() }
    return Candidate.completion(
      of: String(decoding: word.typed, as: UTF8.self), among: candidates(command, word))
  }

  private var names: [Candidate] {
    let isBackslash = typed.drop { $0.isBlankByte }.first == UInt8(ascii: "\\")
    return completer.dotCommands.flatMap { command in
      isBackslash ? command.synonyms.filter { $0.hasPrefix("\\") } : [".\(command.name)"]
    }.map { Candidate(text: $0) }
  }

  private func candidates(_ command: DotCommand, _ word: BegunArgument) -> [Candidate] {
    guard let operand = command.operand(at: word.before.count) else { return [] }
    guard case .text = operand.kind else { return candidates(of: operand.kind, word) }
    switch (command.name, operand.name) {
    case ("help", _): return spelled(completer.dotCommands.map(\.name) + HelpTopic.all.map(\.name), word)
    case ("query", _): return spelled(completer.savedNames(), word)
    case (_, "WORD"), (_, "OPTION"):
      guard let spec = Registry.command(named: command.name)?.spec else { return [] }
      return candidates(of: spec, takesOperands: operand.name == "WORD", word)
    default:
      // `on|off|COMMAND`: what is in small letters is typed as it stands there.
      let words = operand.name.split(separator: "|").map { String($0) }
      return word.before.isEmpty ? spelled(words.filter { $0 == $0.lowercased() }, word) : []
    }
  }

  /// Of a command of the program that runs on the open realm: its first operand is that realm.
  private func candidates(of spec: CommandSpec, takesOperands: Bool, _ word: BegunArgument) -> [Candidate] {
    let options = spec.options + Option.globalGroups.flatMap(\.options)
    func valueKind(_ typed: [UInt8]?) -> ValueKind? {
      let text = String(decoding: typed ?? [], as: UTF8.self)
      return options.first { "--\($0.name)" == text || $0.letter.map { "-\($0)" } == text }?.value
    }
    if let kind = valueKind(word.before.last) { return candidates(of: kind, word) }
    if word.content.first == UInt8(ascii: "-") { return spelled(spec.options.map { "--\($0.name)" }, word) }
    let operandCount = word.before.indices.count { index in
      word.before[index].first != UInt8(ascii: "-")
        && (index == 0 || valueKind(word.before[index - 1]) == nil)
    }
    let operands = spec.operands.dropFirst().dropFirst(operandCount)
    guard takesOperands, let operand = operands.first else { return [] }
    return candidates(of: operand.kind, word)
  }

  private func candidates(of kind: ValueKind, _ word: BegunArgument) -> [Candidate] {
    switch kind {
    case .words(let words): spelled(words(), word)
    case .className: spelled(completer.names.classes.map(\.name), word)
    case .file, .outputFile, .directory: Self.files(word)
    default: []
    }
  }

  private func spelled(_ texts: [String], _ word: BegunArgument) -> [Candidate] {
    texts.compactMap { word.candidate($0) }
  }

  /// The names in the folder that has been typed so far.
  private static func files(_ word: BegunArgument) -> [Candidate] {
    let content = word.content
    let slash = content.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { Array(content[...$0]) } ?? []
    let begun = slash.map { content[($0 + 1)...] } ?? content[...]
    return SystemCalls.names(in: FilePath(folder.isEmpty ? Array("./".utf8) : folder))
      .filter { $0 != Array("./".utf8) && $0 != Array("../".utf8) }
      // Hidden files only where a dot was typed.
      .filter { $0.first != UInt8(ascii: ".") || begun.first == UInt8(ascii: ".") }
      .compactMap { name in
        word.candidate(
          String(decoding: folder + name, as: UTF8.self), isFinished: name.last != UInt8(ascii: "/"))
      }
      .sorted { $0.text < $1.text }
  }
}
