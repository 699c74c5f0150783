// What the tab key offers: from the text before the cursor to candidates. Layer: RealmCommands, Shell, Completion.
// Cost: linear in the statement and in the names that fit; nothing is read from the file.

import ByteText
package import RealmEngine
import RealmQueryLanguage

/// Completes statements and dot commands.
package struct Completer {
  let names: SchemaNames
  let dotCommands = DotCommand.all
  /// Those of `.query`.
  let savedNames: () -> [String]

  package init(_ schema: SchemaDescription, savedNames: @escaping () -> [String] = { [] }) {
    names = SchemaNames(schema)
    self.savedNames = savedNames
  }

  /// `typed` is the line up to the cursor, `before` the lines of the statement above it, `ahead` what stands behind the
  /// cursor.
  package func complete(
    _ typed: [UInt8], after before: [UInt8] = [], ahead: [UInt8] = []
  ) -> LineCompletion {
    if before.isEmpty, let first = typed.first(where: { !$0.isBlankByte }),
      first == UInt8(ascii: ".") || first == UInt8(ascii: "\\")
    {
      return DotCompletion(completer: self, typed: typed).completion
    }
    let source = before + typed
    let stemStart = Self.stemStart(source)
    let stem = String(decoding: source[stemStart...], as: UTF8.self)
    guard let place = StatementPlace(Array(source[..<stemStart])) else {
      return insideQuotes(source)
    }
    return Candidate.completion(
      of: stem, among: StatementCandidates(names: names, place: place, ahead: ahead).all)
  }

  /// A name of a JSON key that has been begun, `insert Person { "na`, or one in backquotes.
  private func insideQuotes(_ source: [UInt8]) -> LineCompletion {
    let isQuote: (UInt8) -> Bool = { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "`") }
    guard let quote = source.lastIndex(where: isQuote), let place = StatementPlace(Array(source[..<quote]))
    else { return LineCompletion() }
    let candidates = StatementCandidates(names: names, place: place)
    let isKey = source[quote] == UInt8(ascii: "\"")
    let stem = String(decoding: source[quote...], as: UTF8.self)
    return Candidate.completion(of: stem, among: isKey ? candidates.documentKeys : candidates.all)
  }

  /// Where the name that ends at the cursor begins.
  private static func stemStart(_ source: [UInt8]) -> Int {
    var start = source.count
    while start > 0, case let byte = source[start - 1], byte.isNameByte || "@$`".utf8.contains(byte) {
      start -= 1
    }
    return start
  }
}

extension UInt8 {
  var isBlankByte: Bool { self == 0x20 || self == 0x09 }
}

/// What completion does at the cursor, and what it shows where there are several ways to go on.
package struct LineCompletion: Equatable, Sendable {
  /// Characters before the cursor that `insertion` replaces.
  package var replacedCount = 0
  package var insertion: [UInt8] = []
  package var choices: [String] = []
}
