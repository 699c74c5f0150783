// How a language spells types and texts. Layer: RealmModels, Naming.

import ByteText
import RealmEngine

/// The types of one language; `#` in a form stands for what it holds.
struct Spelling: Sendable {
  private static let order: [ValueType] = [
    .int, .bool, .string, .data, .mixed, .date, .float, .double, .decimal128, .objectID, .uuid,
  ]

  private let words: [ValueType: String]
  private let optional, list, set, dictionary, link: String

  /// `words`: of int, bool, string, data, mixed, date, float, double, decimal, object id and UUID. A mixed value may
  /// always be null, so its word says what that needs. After a comma in a word comes a blank.
  init(
    _ words: String, optional: String = "#", list: String = "", set: String = "", dictionary: String = "",
    link: String = "#"
  ) {
    self.words = Dictionary(
      uniqueKeysWithValues: zip(
        Self.order,
        words.split(separator: " ").map {
          $0.split(separator: ",").joined(separator: ", ")
        }))
    self.optional = optional
    self.list = list
    self.set = set
    self.dictionary = dictionary
    self.link = link
  }

  /// The word of a type, or the class that links lead to.
  func word(_ property: ModelProperty) -> String {
    words[property.type.type] ?? form(link, property.target ?? "")
  }

  /// What the property, or an element of its collection, is.
  func element(_ property: ModelProperty) -> String {
    let word = word(property)
    // A pointer may always be null.
    let isPlain = !property.type.isOptional || property.type.type == .mixed || word.hasSuffix("*")
    return isPlain ? word : form(optional, word)
  }

  func callAsFunction(_ property: ModelProperty) -> String {
    let element = element(property)
    return switch property.type.collection {
    case .list: form(list, element)
    case .set: form(set, element)
    case .dictionary: form(dictionary, element)
    case nil: element
    }
  }

  private func form(_ form: String, _ inner: String) -> String {
    form.split(separator: "#", omittingEmptySubsequences: false).joined(separator: inner)
  }
}

/// How a language escapes what a text between quotes cannot hold.
enum TextLiteral {
  /// `\u{A}` in Swift, Dart and JavaScript; `\u000A` in Kotlin and C#; `\012` in C and Java.
  case braces, fourDigits, octal

  /// The text between quotes; `dollar`: whether `$` begins an expression.
  func callAsFunction(_ text: String, dollar: Bool = false) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" || scalar == "$" && dollar {
        literal += "\\\(scalar)"
      } else if scalar.isUnseen {
        literal += escape(scalar)
      } else {
        literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  private func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return switch self {
    case .braces: "\\u{\(digits)}"
    case .fourDigits: String(scalar).utf16.map { "\\u" + Self.padded(String($0, radix: 16), 4) }.joined()
    case .octal: String(scalar).utf8.map { "\\" + Self.padded(String($0, radix: 8), 3) }.joined()
    }
  }

  private static func padded(_ digits: String, _ width: Int) -> String {
    String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
