// Classes of Realm JS, in JavaScript and in TypeScript. Layer: RealmModels, Languages.

import ByteText
import RealmEngine

extension ModelLanguage {
  // Members may be called by any word.
  private static let scriptNames = NameRules(
    """
    constructor prototype __proto__ keys entries toJSON isValid objectSchema linkingObjects linkingObjectsCount \
    addListener removeListener removeAllListeners getPropertyType toString valueOf hasOwnProperty isPrototypeOf \
    propertyIsEnumerable toLocaleString
    """, types: "",
    classes: """
      await break case catch class const continue debugger default delete do else enum export extends false finally \
      for function if implements import in instanceof interface let new null package private protected public return \
      static super switch this throw true try typeof var void while with yield \
      Realm Date ArrayBuffer Object String Number Boolean Array Map Set Symbol Function Error Promise Infinity NaN \
      arguments eval any unknown never number bigint boolean string symbol object undefined \
      unique readonly infer keyof
      """)

  private static let realmImport: HeadLine = "import Realm from \"realm\";"

  static let javascript = ModelLanguage("javascript", scriptNames) { schema, _ in
    ModelCode(
      head: [realmImport],
      schema.classes.map { entity in
        .init(
          entity.name, ".js",
          ["export class \(entity.name) extends Realm.Object {"]
            + entity.scriptSchema("static schema").indented(by: 2) + ["}"]
        )
      })
  }

  private static let typescriptTypes = Spelling(
    """
    number boolean string ArrayBuffer Realm.Mixed Date number number Realm.BSON.Decimal128 Realm.BSON.ObjectId \
    Realm.BSON.UUID
    """, optional: "#|null", list: "Realm.List<#>", set: "Realm.Set<#>", dictionary: "Realm.Dictionary<#>")

  static let typescript = ModelLanguage("typescript", scriptNames) { schema, _ in
    ModelCode(
      head: [realmImport],
      schema.classes.map { entity in
        let fields = entity.properties.map { property in
          let isOptional = property.type.isOptional && property.type.collection == nil
          return isOptional && property.type.type != .mixed
            ? "\(property.name)?: \(typescriptTypes.word(property)) | null;"
            : "\(property.name)!: \(typescriptTypes(property));"
        }
        let inverses = entity.inverses.map { "\($0.name)!: Realm.Results<\($0.origin)>;" }
        let lines = fields + inverses + [""] + entity.scriptSchema("static schema: Realm.ObjectSchema")
        return .init(
          entity.name, ".ts",
          imports: entity.otherClasses.map { "import type { \($0) } from \"./\($0)\";" },
          ["export class \(entity.name) extends Realm.Object<\(entity.name)> {"] + lines.indented(by: 2) + [
            "}"
          ]
        )
      })
  }
}

extension ModelProperty {
  /// The short form of a type: `string?`, `Dog[]`.
  private static let words = Spelling(
    "int bool string data mixed date float double decimal128 objectId uuid", optional: "#?", list: "#[]",
    set: "#<>", dictionary: "#{}")

  /// What the short form takes for a type of the SDK's own.
  private static let typeNames: Set<String> = [
    "bool", "int", "float", "double", "string", "decimal128", "objectId", "data", "date", "mixed", "uuid",
    "list", "set", "dictionary", "object", "linkingObjects",
  ]

  fileprivate var scriptType: String {
    guard type.target != nil || index == .fullText || isIndexed || isRenamed else {
      return "\"\(Self.words(self))\""
    }
    var fields: [String] = []
    if let target = type.target {
      let isWord = target.utf8.allSatisfy(\.isNameByte)
      let isShort = isWord && !Self.typeNames.contains(target) && !isIndexed && !isRenamed
      if isShort, type.collection != .dictionary {
        return TextLiteral.braces(
          type.collection == .list ? target + "[]" : type.collection == .set ? target + "<>" : target + "?")
      }
      fields.append("type: \"\(type.collection?.name ?? "object")\"")
      fields.append("objectType: \(TextLiteral.braces(target))")
    } else if let collection = type.collection {
      fields.append("type: \"\(collection.name)\"")
      fields.append("objectType: \"\(Self.words.word(self))\"")
    } else {
      fields.append("type: \"\(Self.words.word(self))\"")
    }
    // Beside other fields the SDK takes none of the short forms. A mixed value is optional as it is.
    if type.isOptional, type.type != .mixed { fields.append("optional: true") }
    if index == .fullText { fields.append("indexed: \"full-text\"") }
    if isIndexed { fields.append("indexed: true") }
    if isRenamed { fields.append("mapTo: \(TextLiteral.braces(stored))") }
    return "{ \(fields.joined(separator: ", ")) }"
  }
}

extension ModelClass {
  fileprivate func scriptSchema(_ declaration: String) -> [String] {
    var lines = ["\(declaration) = {", "  name: \(TextLiteral.braces(stored)),"]
    if kind == .embedded { lines.append("  embedded: true,") }
    if kind == .asymmetric { lines.append("  asymmetric: true,") }
    if let primaryKey {
      if primaryKey.type.isOptional {
        lines.append("  // The SDK refuses a primary key that is optional, as this one is in the file.")
      }
      lines.append("  primaryKey: \"\(primaryKey.name)\",")
    }
    lines.append("  properties: {")
    lines += properties.map { "    \($0.name): \($0.scriptType)," }
    lines += inverses.map {
      "    \($0.name): { type: \"linkingObjects\", objectType: \(TextLiteral.braces($0.storedOrigin)), "
        + "property: \"\($0.property)\" },"
    }
    return lines + ["  },", "};"]
  }
}
