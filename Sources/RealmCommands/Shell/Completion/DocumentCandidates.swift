// The keys of JSON objects that a statement inserts, nested ones included. Layer: RealmCommands, Shell, Completion.

import ByteText
import RealmEngine
import RealmQueryLanguage
import TextFormats

/// Candidates inside `insert CLASS {…`.
struct DocumentCandidates {
  let names: SchemaNames
  let className: String

  private typealias Words = ArraySlice<StatementPlace.Word>

  /// An object or array that is open at the cursor.
  private struct Level {
    let isObject: Bool
    /// The key whose value has been begun.
    var key: String?
  }

  /// `words` stand between the class and the cursor. Nothing where no key is due.
  func keys(_ words: ArraySlice<StatementPlace.Word>) -> [Candidate] {
    let levels = Self.openLevels(words)
    guard let level = levels.last, level.isObject, level.key == nil,
      words.last?.kind == .openBrace || words.last?.kind == .comma,
      words.openBracketIndices.allSatisfy({ words[$0].kind != .openParenthesis })
    else { return [] }
    let end = names.end(of: Self.path(levels.dropLast()), from: className)
    if case .value(let type, _)? = end, type.collection != nil { return [] }
    return (names.objects(at: end)?.properties ?? []).map { property in
      var key = ByteBuffer()
      key.append(jsonString: property.name)
      return Candidate(text: key.text, suffix: ": ")
    }
  }

  private static func openLevels(_ words: Words) -> [Level] {
    var levels: [Level] = []
    var previous: StatementPlace.Word?
    for word in words {
      switch word.kind {
      case .openBrace, .openBracket: levels.append(Level(isObject: word.kind == .openBrace))
      case .closeBrace, .closeBracket: _ = levels.popLast()
      case .colon where !levels.isEmpty:
        levels[levels.count - 1].key = previous.map { String($0.text.dropFirst().dropLast()) }
      case .comma where !levels.isEmpty: levels[levels.count - 1].key = nil
      default: break
      }
      previous = word
    }
    return levels
  }

  /// An array around all objects is no step, one inside of them holds the elements of a list.
  private static func path(_ levels: some Sequence<Level>) -> [TypedStep] {
    var path: [TypedStep] = []
    for level in levels {
      if let key = level.key { path.append(.name(key)) } else if !path.isEmpty { path.append(.element) }
    }
    return path
  }
}
