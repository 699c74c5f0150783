// The names that a path of properties can go on with. Layer: RealmCommands, Shell, Completion.

import RealmEngine
import RealmQueryLanguage

/// Candidates behind `path` in the objects of a class.
struct PathCandidates {
  let names: SchemaNames
  let className: String
  let path: [String]

  var all: [Candidate] {
    if let last = path.last, last == "@links" { return origins(path.dropLast()) }
    if path.count >= 2, path[path.count - 2] == "@links" { return originProperties }
    let properties = names.target(path, of: className)?.properties ?? []
    return properties.map(candidate) + (path.isEmpty ? [] : collectionWords)
  }

  /// A link is seldom the end of a path.
  private func candidate(_ property: PropertyDefinition) -> Candidate {
    let goesOn = property.type.target != nil || property.type.collection != nil
    return Candidate(
      text: spelledName(property.name, as: .property), suffix: goesOn ? "" : " ")
  }

  private var collectionWords: [Candidate] {
    if path.contains("@links") { return Candidate.keywords(["@count"]) }
    guard let type = names.property(path, of: className)?.type else { return [] }
    switch type.collection {
    case .dictionary:
      return Candidate.keywords(["@count", "@keys", "@values", "@min", "@max", "@sum", "@avg"])
    case .list, .set:
      return Candidate.keywords(["@count"] + (type.type.isOrdered ? ["@min", "@max", "@sum", "@avg"] : []))
    case nil:
      switch type.type {
      case .string, .data: return Candidate.keywords(["@count"])
      case .mixed: return Candidate.keywords(["@type", "@count"])
      default: return []
      }
    }
  }

  private func origins(_ path: some Sequence<String>) -> [Candidate] {
    guard let target = names.target(path, of: className) else { return [] }
    return names.origins(of: target.name).map {
      Candidate(text: spelledName($0.name, as: .property), suffix: ".")
    }
      + Candidate.keywords(["@count"])
  }

  private var originProperties: [Candidate] {
    guard let origin = path.last, let target = names.target(path.dropLast(2), of: className) else {
      return []
    }
    let links = names.origins(of: target.name).first { $0.name == origin }?.properties ?? []
    return links.map { Candidate(text: spelledName($0.name, as: .property), suffix: ".") }
  }
}
