// The names that a path of properties can go on with. Layer: RealmCommands, Shell, Completion.

import RealmEngine
import RealmQueryLanguage

/// Candidates behind the path that leads to `end`.
struct PathCandidates {
  let names: SchemaNames
  let end: PathEnd?

  init(names: SchemaNames, end: PathEnd?) {
    self.names = names
    self.end = end
  }

  init(names: SchemaNames, className: String, path: [TypedStep]) {
    self.init(names: names, end: names.end(of: path, from: className))
  }

  /// Behind a point, or where a path begins.
  var all: [Candidate] {
    switch end {
    case .object(let described)?: described.properties.map(Self.candidate) + Self.objectWords
    case .value(let type, _)?:
      (names.objects(at: end)?.properties ?? []).map(Self.candidate) + questions(type)
    case .links(let target)?:
      names.origins(of: target.name).map { Self.goingOn(spelledName($0.name, as: .property)) }
        + Candidate.keywords(["@count"])
    case .origin(let origin, let target)?:
      origin.properties.filter { $0.type.target == target.name }
        .map { Self.goingOn(spelledName($0.name, as: .property)) }
    case .aggregate(let described)?: Self.ordered(described).map(Self.candidate)
    case .subquery?: Candidate.keywords(["@count"])
    case nil: []
    }
  }

  /// Behind a bracket.
  var indices: [Candidate] {
    guard case .value(let type, _)? = end else { return [] }
    let words: [String] =
      switch type.collection {
      case .list: ["first", "last", "size", "*"]
      case .set, .dictionary: ["size", "*"]
      case nil: type.type == .mixed ? ["first", "last", "size", "*"] : []
      }
    return words.map { Candidate(text: $0, suffix: "]", isKeyword: true) }
  }

  /// A link is seldom the end of a path.
  static func candidate(_ property: PropertyDefinition) -> Candidate {
    let goesOn = property.type.target != nil || property.type.collection != nil
    return Candidate(
      text: spelledName(property.name, as: .property), suffix: goesOn ? "" : " ")
  }

  private static let aggregates = ["@min", "@max", "@sum", "@avg"]
  private static let objectWords = Candidate.keywords(["@key"]) + [goingOn("@links")]

  /// What is nothing without a name behind it.
  private static func goingOn(_ text: String) -> Candidate {
    Candidate(text: text, suffix: ".", isKeyword: text.hasPrefix("@"))
  }

  private static func ordered(_ described: ClassDefinition) -> [PropertyDefinition] {
    described.properties.filter { $0.type.collection == nil && $0.type.type.isOrdered }
  }

  private func questions(_ type: PropertyType) -> [Candidate] {
    let objects = names.objects(at: end)
    let ofObjects = objects.map { Self.ordered($0).isEmpty ? [] : Self.aggregates.map(Self.goingOn) }
    switch type.collection {
    case .dictionary:
      return Candidate.keywords(["@count", "@keys", "@values"])
        + (ofObjects ?? Candidate.keywords(Self.aggregates))
    case .list, .set:
      let ofValues = Candidate.keywords(type.type.isOrdered ? Self.aggregates : [])
      return Candidate.keywords(["@count"]) + (ofObjects.map { $0 + Self.objectWords } ?? ofValues)
    case nil:
      switch type.type {
      case .string, .data: return Candidate.keywords(["@count"])
      case .mixed: return Candidate.keywords(["@type", "@count"])
      case .object: return Self.objectWords
      default: return []
      }
    }
  }
}

extension ValueType {
  /// Whether values of this type are smaller or larger than others.
  var isOrdered: Bool { isNumber || self == .date }
}
