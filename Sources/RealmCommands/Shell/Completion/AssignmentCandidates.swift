// What can stand in `set …`: properties that can be set, signs, values. Layer: RealmCommands, Shell, Completion.

import RealmEngine
import RealmQueryLanguage

/// Candidates behind `set`.
struct AssignmentCandidates {
  let names: SchemaNames
  let path: [TypedStep]
  let className: String

  /// `words` stand between `set` and the cursor.
  func all(_ words: ArraySlice<StatementPlace.Word>, whatFollows: [String]) -> [Candidate] {
    let assignment = words[(words.separatingCommaIndex.map { $0 + 1 } ?? words.startIndex)...]
    guard let sign = assignment.firstIndex(where: { $0.kind == .singleEqual }) else {
      return assignment.isEmpty ? targets : signs(assignment)
    }
    let value = assignment[(sign + 1)...]
    if let indexed = value.indexedPath {
      let candidates = PathCandidates(names: names, className: className, path: indexed)
      return path.isEmpty ? candidates.indices : []
    }
    guard value.last?.isBeforeValue ?? true else {
      return path.isEmpty ? Candidate.keywords(whatFollows) : []
    }
    let values = PathCandidates(names: names, className: className, path: path).all
    return path.isEmpty ? values + Candidate.functions : values
  }

  /// Properties of the object itself, whose key stays, or of one that is embedded in it.
  private var targets: [Candidate] {
    let key = path.isEmpty ? names[className]?.primaryKey : nil
    return (settableClass?.properties ?? []).filter { $0.name != key }.map {
      Candidate(text: spelledName($0.name, as: .property), suffix: isEmbedded($0.type) ? "" : " = ")
    }
  }

  /// The class at the end of the path; nil where a link stands in it, or an index of a list.
  private var settableClass: ClassDefinition? {
    var walked: [TypedStep] = []
    for step in path {
      walked.append(step)
      guard case .value(let type, _)? = names.end(of: walked, from: className),
        isEmbedded(type) || type.collection == .dictionary
      else { return nil }
    }
    let end = names.end(of: path, from: className)
    if case .value(let type, _)? = end, type.collection != nil { return nil }
    return names.objects(at: end)
  }

  private func isEmbedded(_ type: PropertyType) -> Bool {
    type.collection == nil && type.target.flatMap { names[$0] }?.kind == .embedded
  }

  private func signs(_ target: ArraySlice<StatementPlace.Word>) -> [Candidate] {
    let steps = target.path(endingAt: target.endIndex).steps
    guard path.isEmpty, case .value(let type, _)? = names.end(of: steps, from: className) else { return [] }
    return Candidate.keywords(["="] + Self.changes(of: type))
  }

  private static func changes(of type: PropertyType) -> [String] {
    switch type.collection {
    case .list, .set: ["+=", "-="]
    case .dictionary: []
    case nil: type.type.isNumber || type.type == .mixed ? ["+=", "-="] : type.type == .string ? ["+="] : []
    }
  }
}
