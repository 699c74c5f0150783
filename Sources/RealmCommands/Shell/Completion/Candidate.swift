// One way in which a line can go on, and how what was typed becomes it. Layer: RealmCommands, Shell, Completion.

import RealmEngine

/// A word that may stand at the cursor.
struct Candidate: Equatable {
  let text: String
  /// What follows it where it is the only one.
  var suffix = " "
  /// Whether the language takes it in any case.
  var isKeyword = false
}

extension Candidate {
  /// What computes a value.
  static let functions = ExpressionFunction.names.map { Candidate(text: $0 + "(", suffix: "") }

  static func keywords(_ words: [String]) -> [Candidate] {
    words.map { Candidate(text: $0, suffix: $0.hasSuffix("(") ? "" : " ", isKeyword: true) }
  }

  /// What the tab key does where `stem` was typed.
  static func completion(of stem: String, among candidates: [Candidate]) -> LineCompletion {
    let isUppercase = stem.contains { $0.isLetter } && stem == stem.uppercased()
    let spelled = candidates.map { candidate in
      var spelled = candidate
      if candidate.isKeyword, isUppercase {
        spelled = Candidate(text: candidate.text.uppercased(), suffix: candidate.suffix, isKeyword: true)
      }
      return spelled
    }
    var matches = spelled.filter { $0.begins(with: stem) { $0 } }
    if matches.isEmpty { matches = spelled.filter { $0.begins(with: stem) { $0.lowercased() } } }
    var seen: Set<String> = []
    matches = matches.filter { seen.insert($0.text).inserted }
    guard let first = matches.first else { return LineCompletion() }
    if matches.count == 1 { return replacing(stem, by: first.text + first.suffix) }
    let shared = matches.dropFirst().reduce(first.text) { $0.commonPrefix(with: $1.text) }
    // Where matches differ from what was typed in case only, the choice is the user's.
    guard shared.count > stem.count else { return LineCompletion(choices: matches.map(\.text)) }
    return replacing(stem, by: shared)
  }

  /// A name in backquotes, and a word in quotes, is found without them too.
  private func begins(with stem: String, _ form: (String) -> String) -> Bool {
    let text = form(text)
    let isQuoted = text.hasPrefix("`") || text.hasPrefix("\"")
    return text.hasPrefix(form(stem)) || isQuoted && text.dropFirst().hasPrefix(form(stem))
  }

  private static func replacing(_ stem: String, by text: String) -> LineCompletion {
    if text.hasPrefix(stem) {
      return LineCompletion(insertion: Array(text.utf8.dropFirst(stem.utf8.count)))
    }
    return LineCompletion(replacedCount: stem.unicodeScalars.count, insertion: Array(text.utf8))
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
