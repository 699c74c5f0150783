// A schema by names alone, as users write it: independent of where anything is stored. Layer: Schema.

/// The classes of a realm.
package struct SchemaDescription: Sendable, Hashable {
  /// Nil where none was set.
  package let version: Int64?
  /// By name.
  package let classes: [ClassDefinition]

  package init(version: Int64?, classes: [ClassDefinition]) {
    self.version = version
    self.classes = classes.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// The classes, to be looked up by name many times.
  package var classesByName: [String: ClassDefinition] {
    Dictionary(classes.map { ($0.name, $0) }) { first, _ in first }
  }
}
