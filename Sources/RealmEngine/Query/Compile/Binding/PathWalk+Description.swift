// What a path has led to, in words. Layer: Query.

extension PathWalk {
  /// `'tags' is a list of string`
  var description: String { "\(context.quoted(range)) is \(kind)" }

  private var kind: String {
    switch place {
    case .object: "an object"
    case .link(.toOne), .link(.entry): "a link"
    case .link(.elements(let property, _, _)): "a \(property.collection?.name ?? "list") of links"
    case .link(.entries): "a dictionary of links"
    case .link(.incoming): "a list of objects"
    case .value(let property): property.type.articled
    case .elements(let property, let choice, let isChosen):
      isChosen && choice != .all
        ? property.type.articled : "a \(property.collection?.name ?? "list") of \(property.type.name)"
    case .dictionary: "a dictionary"
    case .dictionaryValue(let property, _): property.type.articled
    case .dictionaryValues: "a list of values"
    case .objectKey: "an object key"
    case .keys: "a list of keys"
    case .lengths: "a list of lengths"
    case .allIncoming: "a list of objects"
    case .unknown: "not known"
    }
  }
}

extension ValueType {
  /// `an int`, `a string`
  var articled: String {
    let vowels: [Character] = ["a", "e", "i", "o"]
    return name.first.map(vowels.contains) == true ? "an \(name)" : "a \(name)"
  }
}
