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
    let arguments = line[nameEnd...]
    let stem = arguments.lastIndex { $0.isBlankByte }.map { Array(arguments[($0 + 1)...]) } ?? []
    let index = arguments.split(whereSeparator: { $0.isBlankByte }).count - (stem.isEmpty ? 0 : 1)
    if name == ".explain" {
      return completer.complete(Array(arguments.drop { $0.isBlankByte }))
    }
    guard let operand = command.operand(at: index) else { return LineCompletion() }
    return Candidate.completion(
      of: String(decoding: stem, as: UTF8.self), among: candidates(operand, command, stem: stem))
  }

  private var names: [Candidate] {
    let isBackslash = typed.drop { $0.isBlankByte }.first == UInt8(ascii: "\\")
    return completer.dotCommands.flatMap { command in
      isBackslash ? command.synonyms.filter { $0.hasPrefix("\\") } : [".\(command.name)"]
    }.map { Candidate(text: $0) }
  }

  private func candidates(_ operand: Arguments.Operand, _ command: DotCommand, stem: [UInt8]) -> [Candidate] {
    switch operand.kind {
    case .words(let words): return words().map { Candidate(text: $0) }
    case .className: return completer.names.classes.map { Candidate(text: spelledWord($0.name)) }
    case .file, .outputFile: return Self.files(stem)
    case .text where command.name == "help": return completer.dotCommands.map { Candidate(text: $0.name) }
    default: return []
    }
  }

  /// The names in the folder that has been typed so far.
  private static func files(_ stem: [UInt8]) -> [Candidate] {
    let slash = stem.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { Array(stem[...$0]) } ?? []
    let begun = slash.map { stem[($0 + 1)...] } ?? stem[...]
    return SystemCalls.names(in: FilePath(folder.isEmpty ? Array("./".utf8) : folder))
      .filter { $0 != Array("./".utf8) && $0 != Array("../".utf8) }
      // Hidden files only where a dot was typed.
      .filter { $0.first != UInt8(ascii: ".") || begun.first == UInt8(ascii: ".") }
      .map { name in
        Candidate(
          text: spelledWord(String(decoding: folder + name, as: UTF8.self)),
          suffix: name.last == UInt8(ascii: "/") ? "" : " ")
      }
      .sorted { $0.text < $1.text }
  }
}
