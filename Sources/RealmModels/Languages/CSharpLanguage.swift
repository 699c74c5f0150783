// Classes of Realm .NET. Layer: RealmModels, Languages.

import RealmEngine

extension ModelLanguage {
  private static let csharpTypes = Spelling(
    "long bool string byte[] RealmValue DateTimeOffset float double Decimal128 ObjectId Guid", optional: "#?",
    list: "IList<#>", set: "ISet<#>", dictionary: "IDictionary<string, #>")

  private static let csharpNames: NameRules = {
    var rules = NameRules(
      """
      abstract as base bool break byte case catch char checked class const continue decimal default delegate do double \
      else enum event explicit extern false finally fixed float for foreach goto if implicit in int interface internal \
      is lock long namespace new null object operator out override params private protected public readonly ref return \
      sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked \
      unsafe ushort using virtual void volatile while \
      Realm IsValid IsManaged IsFrozen ObjectSchema DynamicApi BacklinksCount PropertyChanged Accessor Equals \
      GetHashCode GetType ToString MemberwiseClone Finalize ReferenceEquals OnManaged OnPropertyChanged \
      SubscribeForNotifications UnsubscribeFromNotifications
      """,
      types: "Guid IndexType ObjectId")
    // The language tells types from properties of the same name.
    rules.hiddenByClasses = [
      "RealmValue", "DateTimeOffset", "Decimal128", "IList", "ISet", "IDictionary",
      "IQueryable",
      "IRealmObject", "IEmbeddedObject", "IAsymmetricObject", "PrimaryKey", "Indexed", "MapTo", "Backlink",
      "Realms", "System",
      "MongoDB", "String", "Object", "Int64", "Type", "Attribute",
    ]
    rules.capitalizesProperties = true
    return rules
  }()

  static let csharp = ModelLanguage("csharp", csharpNames, takesPackage: true) { schema, layout in
    let usings = [
      HeadLine("using System;", for: "DateTimeOffset Guid"),
      HeadLine("using System.Collections.Generic;", for: "IDictionary IList ISet"),
      HeadLine("using System.Linq;", for: "IQueryable"),
      HeadLine("using MongoDB.Bson;", for: "Decimal128 ObjectId"), "using Realms;",
    ]
    return ModelCode(
      head: ["#nullable enable", ""] + usings
        + (layout.package.map { ["", "namespace \(csharpNames.package($0) { "@\($0)" })", "{"] } ?? []),
      tail: layout.package == nil ? "" : "}\n",
      schema.classes.map {
        .init($0.name, ".cs", $0.csharpLines(csharpTypes).indented(by: layout.package == nil ? 0 : 4))
      })
  }
}

extension ModelClass {
  fileprivate func csharpLines(_ spelling: Spelling) -> [String] {
    let base = kind.word("IRealmObject", embedded: "IEmbeddedObject", asymmetric: "IAsymmetricObject")
    var lines: [String] = []
    for property in properties {
      if property.isPrimaryKey { lines.append("[PrimaryKey]") }
      // The SDK refuses an index on mixed values.
      lines += property.remarks(index: property.type.type != .mixed)
      if property.isIndexed, property.type.type != .mixed { lines.append("[Indexed]") }
      if property.index == .fullText { lines.append("[Indexed(IndexType.FullText)]") }
      if property.isRenamed { lines.append("[MapTo(\(TextLiteral.fourDigits(property.stored)))]") }
      let isReference = property.type.type == .string || property.type.type == .data
      let isNeverNull = property.type.collection != nil || isReference && !property.type.isOptional
      let initial =
        property.newKey("ObjectId.GenerateNewId()", "Guid.NewGuid()").map { " = \($0);" }
        ?? (isNeverNull ? " = null!;" : "")
      let accessors = property.type.collection == nil ? "{ get; set; }" : "{ get; }"
      lines.append("public \(spelling(property)) \(property.name) \(accessors)\(initial)")
    }
    for inverse in inverses {
      // Here a property goes before a class of its name, unless it leads to one of its objects.
      let isHidden = properties.contains {
        $0.name == inverse.origin && ($0.target != inverse.origin || $0.type.collection != nil)
      }
      let name = isHidden ? "\"\(inverse.property)\"" : "nameof(\(inverse.origin).\(inverse.property))"
      lines.append("[Backlink(\(name))]")
      lines.append("public IQueryable<\(inverse.origin)> \(inverse.name) { get; } = null!;")
    }
    let mapping = isRenamed ? ["[MapTo(\(TextLiteral.fourDigits(stored)))]"] : []
    return mapping + ["public partial class \(name) : \(base)", "{"] + lines.indented(by: 4) + ["}"]
  }
}
