// What the text of an argument means beside a property: who writes `--arg 30` need not know whether it is a number there.
// Layer: Query, Types.

import ByteText
import RealmQueryLanguage

extension Literal {
  /// The text as a value of a type that it does not have by itself: any word as a text, identifiers and dates without what
  /// the language wants around them. Nil where it is none.
  init?(spelling: [UInt8], of type: ValueType) {
    switch type {
    case .string: self = .string(spelling)
    case .uuid: self.init(call: "uuid", around: spelling)
    case .objectID: self.init(call: "oid", around: spelling)
    case .date:
      guard let date = Timestamp(iso: spelling.span) else { return nil }
      self = .date(seconds: date.seconds, nanoseconds: date.nanoseconds)
    default: return nil
    }
  }

  private init?(call word: String, around spelling: [UInt8]) {
    let source = Array("\(word)(".utf8) + spelling + [UInt8(ascii: ")")]
    guard let expression = try? Expression(argument: source), case .constant(let constant) = expression.kind,
      case .literal(let literal) = constant.kind
    else { return nil }
    // Whatever else stands in the parentheses, such as a call, is no identifier.
    switch literal {
    case .uuid, .objectID: self = literal
    default: return nil
    }
  }
}
