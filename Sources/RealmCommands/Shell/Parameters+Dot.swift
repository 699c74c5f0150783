// `.param`: values of parameters in a session. Layer: RealmCommands, Shell.

import ByteText
import RealmEngine

extension Parameters {
  /// `.param set 0 'Ada'`, `.param set name Ada`, `.param list`, `.param clear`
  mutating func change(_ arguments: DotArguments, tell: (String) throws -> Void) throws {
    switch arguments.text {
    case "set":
      guard arguments.words.count >= 3 else {
        throw Diagnostic.usage(
          ".param set – NAME and VALUE are needed", hint: "usage: .param set 0 'Ada', .param set name 'Ada'")
      }
      try set(arguments.texts[1], Self.literal(in: arguments))
    case "clear": self = Parameters()
    default:
      for (index, value) in numbered.enumerated() { try tell("$\(index) = \(Self.shown(value?.text))\n") }
      for (name, value) in named.sorted(by: { $0.key < $1.key }) {
        try tell("$\(name) = \(Self.shown(value.text))\n")
      }
    }
  }

  private static func shown(_ text: [UInt8]?) -> String {
    text.map { String(decoding: $0, as: UTF8.self).visible } ?? "''"
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
