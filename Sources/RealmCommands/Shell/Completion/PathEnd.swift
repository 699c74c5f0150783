// Where a path of names, indices and words with @ leads, from a class on. Layer: RealmCommands, Shell, Completion.
// Whatever completes names behind a point asks here.

import RealmEngine

/// What stands at the end of a path.
enum PathEnd {
  /// Objects of a class.
  case object(ClassDefinition)
  /// What a property holds; an element of a collection has the type without it.
  case value(PropertyType, index: Property.Index)
  /// Behind `@links`: a class with links to this one is due.
  case links(to: ClassDefinition)
  /// Behind `@links.Dog`: one of its links to the other class is due.
  case origin(ClassDefinition, to: ClassDefinition)
  /// Behind `dogs.@max`: a property of these objects is due.
  case aggregate(ClassDefinition)
  case subquery
}

extension SchemaNames {
  /// Nil where the path leads nowhere.
  func end(of path: some Sequence<TypedStep>, from className: String) -> PathEnd? {
    var end = self[className].map { PathEnd.object($0) }
    for step in path { end = end.flatMap { next(step, from: $0) } }
    return end
  }

  /// The class of the objects at the end of a path, to-many links included.
  func objects(at end: PathEnd?) -> ClassDefinition? {
    switch end {
    case .object(let described)?: described
    case .value(let type, _)?: type.target.flatMap { self[$0] }
    default: nil
    }
  }

  private func next(_ step: TypedStep, from end: PathEnd) -> PathEnd? {
    switch step {
    case .name(let name) where name.hasPrefix("@"): question(name.lowercased(), of: end)
    case .name(let name): named(name, in: end)
    case .element: element(of: end)
    case .subquery: .subquery
    case .call: nil
    }
  }

  private func named(_ name: String, in end: PathEnd) -> PathEnd? {
    switch end {
    case .links(let target): return self[name].map { PathEnd.origin($0, to: target) }
    case .origin(let origin, let target):
      guard origin.properties.contains(where: { $0.name == name && $0.type.target == target.name }) else {
        return nil
      }
      return .value(
        PropertyType(.object, collection: .set, isOptional: false, target: origin.name), index: .none)
    case .aggregate(let described): return property(name, of: described)
    case .object, .value: return objects(at: end).flatMap { property(name, of: $0) } ?? entry(of: end)
    case .subquery: return nil
    }
  }

  private func property(_ name: String, of described: ClassDefinition) -> PathEnd? {
    described.properties.first { $0.name == name }.map { PathEnd.value($0.type, index: $0.index) }
  }

  /// What a name finds that is the key of a dictionary, or of one inside of a mixed value.
  private func entry(of end: PathEnd) -> PathEnd? {
    guard case .value(let type, _) = end, type.collection == .dictionary || type.isMixedValue else {
      return nil
    }
    return element(of: end)
  }

  private func element(of end: PathEnd) -> PathEnd? {
    guard case .value(var type, _) = end else { return nil }
    guard type.collection == .list || type.collection == .dictionary || type.isMixedValue else { return nil }
    type.collection = nil
    return .value(type, index: .none)
  }

  private func question(_ word: String, of end: PathEnd) -> PathEnd? {
    switch word {
    case "@links": return objects(at: end).map { PathEnd.links(to: $0) }
    case "@keys", "@allkeys":
      return .value(PropertyType(.string, collection: .list, isOptional: false), index: .none)
    case "@values", "@allvalues":
      guard case .value(var type, _) = end else { return nil }
      type.collection = .list
      return .value(type, index: .none)
    case "@min", "@max", "@sum", "@avg":
      if let described = objects(at: end) { return .aggregate(described) }
      guard case .value(var type, _) = end else { return nil }
      type.collection = nil
      return .value(type, index: .none)
    default: return .value(PropertyType(.int, isOptional: false), index: .none)
    }
  }
}

extension PropertyType {
  /// Whether it may hold a list or a dictionary of its own.
  fileprivate var isMixedValue: Bool { collection == nil && type == .mixed }
}
