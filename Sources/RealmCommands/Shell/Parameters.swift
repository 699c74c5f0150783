// The values of $0, $1 … in a session. Layer: RealmCommands, Shell.

import Arguments
import RealmEngine
import RealmQueryLanguage
import RealmSession

/// What `.param` and `--arg` set.
struct Parameters {
  /// As they were written; nil where a number was left out.
  private(set) var texts: [[UInt8]?] = []
  private(set) var values: [Expression] = []

  private static let countMax = 1000

  var arguments: QueryArguments { QueryArguments(values) }

  init() {}

  /// The values on the command line, in their order.
  init(_ arguments: ParsedArguments) throws(Diagnostic) {
    for occurrence in arguments.occurrences(of: .argument, .argumentText) {
      let text = occurrence.value?.bytes ?? []
      if occurrence.name == Option.argumentText.name {
        values.append(QueryArguments.text(text))
        texts.append(text)
      } else {
        try set(values.count, text)
      }
    }
  }

  private mutating func set(_ index: Int, _ text: [UInt8]) throws(Diagnostic) {
    let value: Expression
    do throws(QueryError) {
      value = try Expression(argument: text)
    } catch {
      throw Diagnostic(error, in: text)
    }
    let nothing = QueryArguments.text([])
    while values.count <= index {
      values.append(nothing)
      texts.append(nil)
    }
    values[index] = value
    texts[index] = text
  }

  /// `.param set 0 'Ada'`, `.param list`, `.param clear`
  mutating func change(_ arguments: DotArguments, tell: (String) throws -> Void) throws {
    switch arguments.text {
    case "set":
      guard arguments.words.count == 3 else {
        throw Diagnostic.usage(".param set – N and VALUE are needed", hint: "usage: .param set 0 'Ada'")
      }
      let name = arguments.texts[1]
      guard let index = Int(name.hasPrefix("$") ? String(name.dropFirst()) : name),
        (0..<Self.countMax).contains(index)
      else { throw Diagnostic.usage(".param set – '\(name)' is no number of a parameter", hint: "0 is $0") }
      try set(index, Self.literal(in: arguments))
    case "clear": self = Parameters()
    default:
      for (index, text) in texts.enumerated() {
        try tell("$\(index) = \(text.map { String(decoding: $0, as: UTF8.self) } ?? "''")\n")
      }
    }
  }

  /// The value with its quotes, which tell a text from a number.
  private static func literal(in arguments: DotArguments) -> [UInt8] {
    var rest = arguments.rest[...]
    for _ in 0..<2 {
      rest = rest.drop { !$0.isBlankByte }.drop { $0.isBlankByte }
    }
    return Array(rest)
  }
}
