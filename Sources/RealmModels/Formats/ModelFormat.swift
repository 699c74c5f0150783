// Everything that a schema is written as code for, by name. Layer: RealmModels, Formats.

package import RealmEngine

/// One of the words of `schema --format` that stand for code.
package struct ModelFormat: Sendable {
  package let name: String
  /// `chosen`: the classes to show; nil for all.
  package let code:
    @Sendable (_ realm: ReadTransaction, _ chosen: Set<String>?, ModelLayout) throws -> ModelCode

  package static let all = ModelLanguage.all.map { language in
    ModelFormat(name: language.name) { realm, chosen, layout in
      language.code(realm.schemaDescription(), showing: chosen, layout)
    }
  }
}
