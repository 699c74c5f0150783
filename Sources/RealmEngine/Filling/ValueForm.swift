// What a property gets where one expression does not say it all. Layer: Filling.

/// A value by its parts: one expression, or what embedded objects, dictionaries and lists are made of.
package indirect enum ValueForm<Leaf> {
  case expression(Leaf)
  /// The properties of an embedded object, or the keys of a dictionary.
  case object([(name: String, value: ValueForm)])
  case list([ValueForm])
  /// An element for each element of a list, in whose form `it` is that element.
  case forEach(Leaf, ValueForm)

  package func map<Result>(
    _ transform: (Leaf) throws(BindingFailure) -> Result
  ) throws(BindingFailure) -> ValueForm<Result> {
    switch self {
    case .expression(let leaf): return .expression(try transform(leaf))
    case .object(let entries):
      var mapped: [(name: String, value: ValueForm<Result>)] = []
      for entry in entries { mapped.append((entry.name, try entry.value.map(transform))) }
      return .object(mapped)
    case .list(let items):
      let mapped = try items.map { item throws(BindingFailure) in try item.map(transform) }
      return .list(mapped)
    case .forEach(let list, let value): return .forEach(try transform(list), try value.map(transform))
    }
  }

  /// All expressions in it, in the order of the text.
  package var leaves: [Leaf] {
    switch self {
    case .expression(let leaf): [leaf]
    case .object(let entries): entries.flatMap(\.value.leaves)
    case .list(let items): items.flatMap(\.leaves)
    case .forEach(let list, let value): [list] + value.leaves
    }
  }

  var expression: Leaf? { if case .expression(let leaf) = self { leaf } else { nil } }
}

extension ValueForm: Sendable where Leaf: Sendable {}
