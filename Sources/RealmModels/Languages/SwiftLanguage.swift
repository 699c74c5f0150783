// Classes of RealmSwift. Layer: RealmModels, Languages.

import RealmEngine

extension ModelLanguage {
  private static let swiftTypes = Spelling(
    "Int Bool String Data AnyRealmValue Date Float Double Decimal128 ObjectId UUID", optional: "#?",
    list: "List<#>", set: "MutableSet<#>", dictionary: "Map<String, #>")

  static let swiftKeywords =
    """
    associatedtype class deinit enum extension fileprivate func import init inout internal let operator private \
    precedencegroup protocol public rethrows static struct subscript typealias var break case catch continue default \
    defer do else fallthrough for guard if in repeat return throw switch where while Any as await false is nil self Self \
    super throws true try Type Protocol
    """

  /// Names that no class may have: what begins a type and is no other keyword, and types of Swift that code of an app names.
  static let swiftClassNames =
    """
    any async each some AnyHashable AnyObject Array Bool Character Codable Comparable Data Date Decimal Decodable \
    Dictionary Double Encodable Equatable Error Float Hashable Hasher Identifiable Int Int8 Int16 Int32 Int64 Never \
    Optional Range Result Sendable Set String Substring UInt UInt8 UInt16 UInt32 UInt64 URL UUID Void
    """

  private static let swiftNames: NameRules = {
    var rules = NameRules(
      swiftKeywords + """
           description debugDescription hash hashValue superclass isProxy realm objectSchema isInvalidated invalidated \
          isFrozen observe thaw freeze primaryKey indexedProperties ignoredProperties copy mutableCopy zone \
          isSameObject className objectUtil dynamicList dynamicSet dynamicMap
        """,
      types: """
        Int Bool String Data AnyRealmValue Date Float Double Decimal128 ObjectId UUID List MutableSet Map Object \
        EmbeddedObject AsymmetricObject LinkingObjects Persisted Optional Array Dictionary Set Error Never Void \
        Character Realm Results RealmSwift Foundation
        """, classes: swiftClassNames)
    // What `@Persisted` keeps a value in.
    rules.companions = { ["_\($0)"] }
    rules.reservedStarts = ["new", "alloc", "copy", "mutableCopy", "init"]
    return rules
  }()

  static let swift = ModelLanguage("swift", swiftNames) { schema, _ in
    ModelCode(
      head: [HeadLine("import Foundation", for: "Data Date UUID"), "import RealmSwift"],
      schema.classes.map { .init($0.name, ".swift", $0.swiftLines(swiftTypes)) })
  }
}

extension ClassSchema.Kind {
  var objectWord: String { word("Object", embedded: "EmbeddedObject", asymmetric: "AsymmetricObject") }
}

extension ModelClass {
  fileprivate func swiftLines(_ spelling: Spelling) -> [String] {
    var lines: [String] = []
    for property in properties {
      let argument =
        property.isPrimaryKey ? "(primaryKey: true)" : property.isIndexed ? "(indexed: true)" : ""
      lines += property.remarks(fullText: false)
      lines.append("@Persisted\(argument) var \(property.name): \(spelling(property))")
    }
    for inverse in inverses {
      lines.append(
        "@Persisted(originProperty: \(TextLiteral.braces(inverse.property))) var \(inverse.name): "
          + "LinkingObjects<\(inverse.origin)>")
    }
    let renamed = properties.filter(\.isRenamed)
    if !renamed.isEmpty {
      lines += ["", "override class func propertiesMapping() -> [String: String] {", "    ["]
      lines += renamed.map { "        \"\($0.name)\": \(TextLiteral.braces($0.stored))," }
      lines += ["    ]", "}"]
    }
    if isRenamed {
      lines += ["", "override class func _realmObjectName() -> String? { \(TextLiteral.braces(stored)) }"]
    }
    return ["class \(name): \(kind.objectWord) {"] + lines.indented(by: 4) + ["}"]
  }
}
