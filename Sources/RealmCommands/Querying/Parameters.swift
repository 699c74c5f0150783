// The values of $0, $1 … and of $name, on the command line and in a session. Layer: RealmCommands, Querying.

import Arguments
import ByteText
import RealmEngine
import RealmQueryLanguage
import RealmSession

/// What `.param`, `--arg` and `--param` set.
struct Parameters {
  /// As they were written, and read. Nil where a number was left out.
  typealias Value = (text: [UInt8], argument: QueryArgument)
  private(set) var numbered: [Value?] = []
  private(set) var named: [String: Value] = [:]

  private static let countMax = 1000

  var arguments: QueryArguments {
    let nothing = QueryArgument(QueryArguments.text([]))
    return QueryArguments(numbered.map { $0?.argument ?? nothing }, named: named.mapValues(\.argument))
  }

  init() {}

  /// The values on the command line, in their order.
  init(_ arguments: ParsedArguments) throws(Diagnostic) {
    var given: Set<String> = []
    for occurrence in arguments.occurrences(of: .argument, .argumentText, .parameter) {
      let text = occurrence.value?.bytes ?? []
      switch occurrence.name {
      case Option.argumentText.name: numbered.append((text, QueryArgument(QueryArguments.text(text))))
      case Option.parameter.name:
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else {
          throw Diagnostic.usage("--param takes NAME=VALUE", hint: "--param name=Ada, then: name == $name")
        }
        let name = String(decoding: text[..<equals], as: UTF8.self)
        guard given.insert(name).inserted else { throw Diagnostic.usage("--param gives '\(name)' twice") }
        try set(name, Array(text[(equals + 1)...]))
      default: numbered.append(try Self.value(text))
      }
    }
  }

  private static func value(_ text: [UInt8]) throws(Diagnostic) -> Value {
    do throws(QueryError) {
      return (text, try QueryArgument(spelling: text))
    } catch {
      throw Diagnostic(error, in: text)
    }
  }

  /// A name without what is before it in statements; `?1` is the first number, which is 0.
  private static func plain(_ name: String) -> String {
    guard let sign = name.first, "$:@?".contains(sign) else { return name }
    let rest = String(name.dropFirst())
    if sign == "?", let number = Int(rest), number > 0 { return "\(number - 1)" }
    return sign == "$" || rest.first?.isNumber == false && sign != "?" ? rest : name
  }

  /// `name`: a number or a word, with the sign that is before it in statements or without.
  mutating func set(_ name: String, _ text: [UInt8]) throws(Diagnostic) {
    let name = Self.plain(name)
    if let index = Int(name), (0..<Self.countMax).contains(index) {
      while numbered.count <= index { numbered.append(nil) }
      numbered[index] = try Self.value(text)
      return
    }
    let isWord = name.utf8.allSatisfy {
      $0 == UInt8(ascii: "_") || UnicodeScalar($0).properties.isAlphabetic
        || UnicodeScalar($0).properties.numericType != nil || $0 >= 0x80
    }
    guard let first = name.first, !first.isNumber, isWord else {
      throw Diagnostic.usage(
        "'\(name)' is not a parameter name", hint: "a number: 0 is $0; or a word: name is $name")
    }
    named[name] = try Self.value(text)
  }
}
