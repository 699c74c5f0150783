// Classes of Realm Java. Layer: RealmModels, Languages.

import RealmEngine

extension ModelLanguage {
  private static let javaTypes = Spelling(
    "long boolean String byte[] RealmAny Date float double Decimal128 ObjectId UUID", optional: "#",
    list: "RealmList<#>", set: "RealmSet<#>", dictionary: "RealmDictionary<#>")
  private static let javaObjects = Spelling(
    "Long Boolean String byte[] RealmAny Date Float Double Decimal128 ObjectId UUID", optional: "#",
    list: "RealmList<#>", set: "RealmSet<#>", dictionary: "RealmDictionary<#>")

  private static let javaNames: NameRules = {
    var rules = NameRules(
      """
      abstract assert boolean break byte case catch char class const continue default do double else enum extends \
      final finally float for goto if implements import instanceof int interface long native new package private \
      protected public return short static strictfp super switch synchronized this throw throws transient try void \
      volatile while true false null
      """,
      types: """
        Long Boolean String RealmAny Date Float Double Decimal128 ObjectId UUID RealmList RealmSet RealmDictionary \
        RealmObject RealmResults RealmClass RealmField PrimaryKey Index Required LinkingObjects Object Integer Override
        """, classes: "var record yield sealed permits")
    rules.hasInversesOfSets = false
    return rules
  }()

  static let java = ModelLanguage("java", javaNames, takesPackage: true) { schema, layout in
    let imports = [
      "io.realm.RealmAny", "io.realm.RealmDictionary", "io.realm.RealmList", "io.realm.RealmObject",
      "io.realm.RealmResults", "io.realm.RealmSet", "io.realm.annotations.Index",
      "io.realm.annotations.LinkingObjects", "io.realm.annotations.PrimaryKey",
      "io.realm.annotations.RealmClass",
      "io.realm.annotations.RealmField", "io.realm.annotations.Required", "java.util.Date", "java.util.UUID",
      "org.bson.types.Decimal128", "org.bson.types.ObjectId",
    ]
    return ModelCode(
      head: (layout.package.map { ["package \(javaNames.package($0) { $0 + "_" });", ""] } ?? [])
        + imports.map { HeadLine("import \($0);", for: String($0.split(separator: ".").last ?? "")) },
      schema.classes.map { entity in
        // One file holds one public class.
        let title = layout.isSplit || schema.classes.count == 1 ? [] : ["// \(entity.name).java"]
        return .init(entity.name, ".java", title + entity.javaLines(javaTypes, javaObjects))
      })
  }
}

extension ModelProperty {
  /// Whether Java would take it for optional.
  fileprivate var needsRequired: Bool {
    guard !type.isOptional, type.type != .object, type.type != .mixed else { return false }
    return type.collection != nil || ![.int, .bool, .float, .double].contains(type.type)
  }
}

extension ModelClass {
  fileprivate func javaLines(_ types: Spelling, _ objects: Spelling) -> [String] {
    var lines: [String] = []
    for property in properties {
      lines += property.remarks(fullText: false)
      if property.isPrimaryKey { lines.append("@PrimaryKey") }
      if property.isIndexed { lines.append("@Index") }
      if property.needsRequired { lines.append("@Required") }
      if property.isRenamed { lines.append("@RealmField(\(TextLiteral.octal(property.stored)))") }
      let isPlain = property.type.collection == nil && !property.type.isOptional
      let key = property.newKey("new ObjectId()", "UUID.randomUUID()").map { " = \($0)" } ?? ""
      lines.append("public \((isPlain ? types : objects)(property)) \(property.name)\(key);")
    }
    for inverse in inverses {
      lines.append("@LinkingObjects(\"\(inverse.property)\")")
      lines.append("public final RealmResults<\(inverse.origin)> \(inverse.name) = null;")
    }
    var arguments: [String] = []
    if isRenamed { arguments.append("name = \(TextLiteral.octal(stored))") }
    if kind == .embedded { arguments.append("embedded = true") }
    var head: [String] = []
    if kind == .asymmetric {
      head.append("// An asymmetric class in the file, which Realm Java does not have.")
    }
    if !arguments.isEmpty { head.append("@RealmClass(\(arguments.joined(separator: ", ")))") }
    return head + ["public class \(name) extends RealmObject {"] + lines.indented(by: 4) + ["}"]
  }
}
