// The languages of the SDKs: what each is called, its names, and what writes it. Layer: RealmModels, Languages.

import RealmEngine

/// A language that classes are written in as its SDK declares them.
struct ModelLanguage: Sendable {
  /// What `schema --format` calls it.
  let name: String
  /// Whether the code begins with a package, or has its name elsewhere.
  let takesPackage: Bool
  /// Made when code is written: every start of the program names the languages.
  private let rules: @Sendable () -> NameRules
  let write: @Sendable (ModelSchema, ModelLayout) -> ModelCode

  init(
    _ name: String, _ rules: @autoclosure @escaping @Sendable () -> NameRules, takesPackage: Bool = false,
    write: @escaping @Sendable (ModelSchema, ModelLayout) -> ModelCode
  ) {
    self.name = name
    self.takesPackage = takesPackage
    self.rules = rules
    self.write = write
  }

  static let all = [swift, objc, kotlin, java, javascript, typescript, csharp, dart, cpp]

  /// The code for a schema, or for the classes of it that are `chosen`.
  func code(
    _ schema: SchemaDescription, showing chosen: Set<String>?, _ layout: ModelLayout
  ) -> ModelCode {
    write(ModelSchema(schema, rules(), showing: chosen), layout)
  }
}

/// What is asked of code beside its schema.
package struct ModelLayout: Sendable {
  /// A package, namespace or library, where the language has such.
  let package: String?
  /// Whether each class becomes a file.
  let isSplit: Bool
  /// The name of the one file without its suffix, where it is known.
  let fileName: String?

  package init(package: String?, isSplit: Bool, fileName: String? = nil) {
    self.package = package
    self.isSplit = isSplit
    self.fileName = fileName
  }
}

extension ModelProperty {
  /// What a primary key is before it is set, where each object gets another one.
  func newKey(_ objectID: String, _ uuid: String) -> String? {
    guard isPrimaryKey, !type.isOptional else { return nil }
    return type.type == .objectID ? objectID : type.type == .uuid ? uuid : nil
  }

  /// The lines before its declaration that say what is special about it, where it is.
  func marks(key: String, index: String, fullText: String, renamed: @autoclosure () -> String) -> [String] {
    var lines: [String] = []
    if isPrimaryKey { lines.append(key) }
    if isIndexed { lines.append(index) }
    if self.index == .fullText { lines.append(fullText) }
    if isRenamed { lines.append(renamed()) }
    return lines
  }

  /// What the SDK cannot declare of the property, as a comment.
  func remarks(fullText: Bool = true, index: Bool = true) -> [String] {
    if self.index == .fullText, !fullText { return ["// \(stored.visibleName): full-text index in the file"] }
    if isIndexed, !index { return ["// \(stored.visibleName): indexed in the file"] }
    return []
  }
}

extension ClassSchema.Kind {
  /// The word of a language for it.
  func word(_ object: String, embedded: String, asymmetric: String) -> String {
    switch self {
    case .embedded: embedded
    case .asymmetric: asymmetric
    case .object, .table: object
    }
  }
}

extension String {
  /// In a comment of one line.
  var visibleName: String { TextLiteral.fourDigits(self) }
}
