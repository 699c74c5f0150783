// The words by which programs tell faults of a query apart. Layer: RealmCommands, Program.

import RealmQueryLanguage

extension QueryError.Code {
  /// Of the same family as all other codes: `unclosed-string`.
  var word: String {
    switch self {
    case .property: return "unknown-property"
    case .classLookup: return "unknown-class"
    case .expectation: return "syntax"
    case .objectID: return "object-id"
    case .nullBound: return "null-bound"
    default: break
    }
    var word = ""
    for character in "\(self)" {
      if character.isUppercase { word += "-" }
      word += character.lowercased()
    }
    return word
  }
}
