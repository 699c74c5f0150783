// Classes of Realm Kotlin. Layer: RealmModels, Languages.

import RealmEngine

extension ModelLanguage {
  private static let kotlinTypes = Spelling(
    "Long Boolean String ByteArray RealmAny? RealmInstant Float Double Decimal128 ObjectId RealmUUID",
    optional: "#?", list: "RealmList<#>", set: "RealmSet<#>", dictionary: "RealmDictionary<#>")

  /// What a required property is before it is set.
  private static let kotlinDefaults = Spelling(
    """
    0L false "" byteArrayOf() null RealmInstant.from(0,0) 0.0f 0.0 Decimal128("0") ObjectId() RealmUUID.random()
    """)

  static let kotlinKeywords =
    """
    as break class continue do else false for fun if in interface is null object package return super this throw \
    true try typealias typeof val var when while
    """

  /// What only some places take for keywords, which those of members are not.
  static let kotlinSoftKeywords =
    """
    by catch constructor delegate dynamic field file finally get import init param property receiver set setparam \
    value where
    """

  private static let kotlinNames: NameRules = {
    var rules = NameRules(
      kotlinKeywords + " hashCode equals toString Class",
      types: """
        Long Boolean String ByteArray RealmAny RealmInstant Float Double Decimal128 ObjectId RealmUUID RealmList \
        RealmSet RealmDictionary RealmObject EmbeddedRealmObject AsymmetricRealmObject RealmResults PrimaryKey Index \
        FullText PersistedName Any Unit Int Nothing
        """, classes: kotlinSoftKeywords)
    // `isDone`, `done` and `Done` would all be set by `setDone`.
    rules.companions = { name in
      let rest = name.dropFirst(2)
      let isFlag = name.hasPrefix("is") && rest.first.map { !("a"..."z").contains($0) } ?? false
      return ["set \(isFlag ? String(rest) : name.capitalizedFirst)"]
    }
    rules.hiddenTypes = .ofInverses
    return rules
  }()

  static let kotlin = ModelLanguage("kotlin", kotlinNames, takesPackage: true) { schema, layout in
    let imports = [
      ("io.realm.kotlin.ext", "backlinks realmDictionaryOf realmListOf realmSetOf"),
      ("io.realm.kotlin.query", "RealmResults"),
      (
        "io.realm.kotlin.types",
        """
        AsymmetricRealmObject EmbeddedRealmObject RealmAny RealmDictionary RealmInstant RealmList RealmObject RealmSet \
        RealmUUID
        """
      ),
      ("io.realm.kotlin.types.annotations", "FullText Index PersistedName PrimaryKey"),
      ("org.mongodb.kbson", "Decimal128 ObjectId"),
    ].flatMap { place, names in
      names.split(separator: " ").map { HeadLine("import \(place).\($0)", for: String($0)) }
    }
    return ModelCode(
      head: (layout.package.map { ["package \(kotlinNames.package($0) { "`\($0)`" })", ""] } ?? []) + imports,
      schema.classes.map { .init($0.name, ".kt", $0.kotlinLines(kotlinTypes, kotlinDefaults)) })
  }
}

extension ModelClass {
  fileprivate func kotlinLines(_ spelling: Spelling, _ defaults: Spelling) -> [String] {
    let base = kind.word(
      "RealmObject", embedded: "EmbeddedRealmObject", asymmetric: "AsymmetricRealmObject")
    var lines: [String] = []
    for property in properties {
      lines += property.marks(
        key: "@PrimaryKey", index: "@Index", fullText: "@FullText",
        renamed: "@PersistedName(\(TextLiteral.fourDigits(property.stored, dollar: true)))")
      let value =
        switch property.type.collection {
        case .list: "realmListOf()"
        case .set: "realmSetOf()"
        case .dictionary: "realmDictionaryOf()"
        case nil: property.type.isOptional ? "null" : defaults.word(property)
        }
      lines.append("var \(property.name): \(spelling(property)) = \(value)")
    }
    lines += inverses.map {
      "val \($0.name): RealmResults<\($0.origin)> by backlinks(\($0.origin)::\($0.property))"
    }
    let mapping = isRenamed ? ["@PersistedName(\(TextLiteral.fourDigits(stored, dollar: true)))"] : []
    return mapping + ["class \(name) : \(base) {"] + lines.indented(by: 4) + ["}"]
  }
}
