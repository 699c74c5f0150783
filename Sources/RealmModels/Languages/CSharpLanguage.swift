// Classes of Realm .NET. Layer: RealmModels, Languages.

import RealmEngine

extension ModelLanguage {
  private static let csharpTypes = Spelling(
    "long bool string byte[] RealmValue DateTimeOffset float double Decimal128 ObjectId Guid", optional: "#?",
    list: "IList<#>", set: "ISet<#>", dictionary: "IDictionary<string, #>")

  private static let csharpNames = NameRules(
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
    types: """
      RealmValue DateTimeOffset Decimal128 ObjectId Guid IList ISet IDictionary IQueryable IRealmObject \
      IEmbeddedObject IAsymmetricObject PrimaryKey Indexed MapTo Backlink Realms System MongoDB String Object Int64 \
      Type Attribute
      """)

  static let csharp = ModelLanguage("csharp", csharpNames) { schema, layout in
    let usings = ["System", "System.Collections.Generic", "System.Linq", "MongoDB.Bson", "Realms"]
    return ModelCode(
      head: ["#nullable enable", ""] + usings.map { "using \($0);" }
        + (layout.package.map { ["", "namespace \($0)", "{"] } ?? []),
      tail: layout.package == nil ? "" : "}\n",
      schema.classes.map {
        .init($0.name, ".cs", $0.csharpLines(csharpTypes).indented(by: layout.package == nil ? 0 : 4))
      })
  }
}

extension ModelClass {
  fileprivate func csharpLines(_ spelling: Spelling) -> [String] {
    let base =
      switch kind {
      case .embedded: "IEmbeddedObject"
      case .asymmetric: "IAsymmetricObject"
      case .object, .table: "IRealmObject"
      }
    var lines: [String] = []
    for property in properties {
      if property.isPrimaryKey { lines.append("[PrimaryKey]") }
      if property.isIndexed { lines.append("[Indexed]") }
      if property.index == .fullText { lines.append("[Indexed(IndexType.FullText)]") }
      if property.isRenamed { lines.append("[MapTo(\(TextLiteral.fourDigits(property.stored)))]") }
      let isReference = property.type.type == .string || property.type.type == .data
      let initial =
        property.type.collection != nil || isReference && !property.type.isOptional ? " = null!;" : ""
      let accessors = property.type.collection == nil ? "{ get; set; }" : "{ get; }"
      lines.append("public \(spelling(property)) \(property.name) \(accessors)\(initial)")
    }
    for inverse in inverses {
      lines.append("[Backlink(nameof(\(inverse.origin).\(inverse.property)))]")
      lines.append("public IQueryable<\(inverse.origin)> \(inverse.name) { get; } = null!;")
    }
    let mapping = isRenamed ? ["[MapTo(\(TextLiteral.fourDigits(stored)))]"] : []
    return mapping + ["public partial class \(name) : \(base)", "{"] + lines.indented(by: 4) + ["}"]
  }
}
