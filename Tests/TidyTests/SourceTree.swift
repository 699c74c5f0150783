// The package's own files, as the tidy tests see them.

import Foundation
import Testing

/// A file of the package.
struct SourceFile: CustomTestStringConvertible {
  /// From the package's root: `Sources/Arguments/Word.swift`.
  let path: String
  let text: String
  /// The text without comments and string literals; lines stay where they are.
  let code: String

  var testDescription: String { path }
  var name: String { String(path.split(separator: "/").last ?? "") }

  /// The words of the code, each with its line and the character before it.
  var words: [(word: Substring, line: Int, before: Character?)] {
    var words: [(word: Substring, line: Int, before: Character?)] = []
    var line = 1
    var before: Character?
    var index = code.startIndex
    while index < code.endIndex {
      let character = code[index]
      guard character.isLetter || character == "_" else {
        if character == "\n" { line += 1 }
        before = character
        index = code.index(after: index)
        continue
      }
      let end = code[index...].firstIndex { !($0.isLetter || $0.isNumber || $0 == "_") } ?? code.endIndex
      words.append((code[index..<end], line, before))
      before = code[code.index(before: end)]
      index = end
    }
    return words
  }
}

extension SourceFile {
  /// The words that an opening parenthesis follows, or a closure behind a blank.
  var calls: [(word: Substring, line: Int)] {
    words.filter {
      let rest = code[$0.word.endIndex...]
      return rest.hasPrefix("(") || rest.hasPrefix(" {")
    }.map { ($0.word, $0.line) }
  }
}

enum SourceTree {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static let sources = swiftFiles(under: "Sources")
  static let tests = swiftFiles(under: "Tests")

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  private static func swiftFiles(under folder: String) -> [SourceFile] {
    let base = root.appendingPathComponent(folder)
    let paths = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".swift") }.sorted().compactMap { path in
      let full = "\(folder)/\(path)"
      return (try? text(full)).map { SourceFile(path: full, text: $0, code: CodeOnly.of($0)) }
    }
  }
}
