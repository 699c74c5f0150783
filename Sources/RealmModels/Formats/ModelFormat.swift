// Everything that a schema is written as code for, by name. Layer: RealmModels, Formats.

package import RealmEngine
package import RealmSQL

/// One of the words of `schema --format` that stand for code.
package struct ModelFormat: Sendable {
  package let name: String
  /// The library whose file the code opens.
  package let library: SQLLibrary?
  /// Whether the code begins with a package, or has its name elsewhere.
  package let takesPackage: Bool
  /// `form`: that of the library. `chosen`: the classes to show; nil for all.
  package let code:
    @Sendable (_ realm: ReadTransaction, SQLForm, _ chosen: Set<String>?, ModelLayout) throws -> ModelCode

  /// The code for all classes of a realm, in one text where a library has no say.
  package func code(of realm: ReadTransaction) throws -> ModelCode {
    try code(realm, .plain, nil, ModelLayout(package: nil, isSplit: false))
  }

  package static let languages = ModelLanguage.all.map(format)

  private static func format(_ language: ModelLanguage) -> ModelFormat {
    ModelFormat(name: language.name, library: nil, takesPackage: language.takesPackage) {
      realm, _, chosen, layout in
      language.code(realm.schemaDescription(), showing: chosen, layout)
    }
  }

  package static let libraries = ModelLibrary.all.map { library in
    ModelFormat(
      name: library.library.rawValue, library: library.library, takesPackage: library.takesPackage
    ) { realm, form, chosen, layout in
      try library.code(realm, form, showing: chosen, layout)
    }
  }

  package static let documents = [
    ModelFormat(name: "sql", library: nil, takesPackage: false) { realm, _, chosen, _ in
      try SQLDefinitions.code(realm, chosen, inPostgreSQL: false)
    },
    ModelFormat(name: "postgresql", library: nil, takesPackage: false) { realm, _, chosen, _ in
      try SQLDefinitions.code(realm, chosen, inPostgreSQL: true)
    },
    ModelFormat(name: "json-schema", library: nil, takesPackage: false) { realm, _, chosen, _ in
      realm.schemaDescription().jsonSchema(chosen)
    },
    ModelFormat(name: "markdown", library: nil, takesPackage: false) { realm, _, chosen, _ in
      var dictionary = DataDictionary(realm)
      return try dictionary.code(chosen)
    },
  ]

  package static let all = languages + [format(.swiftdata)] + libraries + documents
}
