// A schema as the statements that would make it. Layer: Rendering, Schema.

package import RealmEngine
import RealmQueryLanguage

extension SchemaDescription {
  /// `create class Person { … }`, a property a line.
  package var statements: String {
    var text = version.map { "\(Self.versionComment)\($0)\n" } ?? ""
    for (index, description) in classes.enumerated() {
      if index > 0 || version != nil { text += "\n" }
      text += description.statement
    }
    return text
  }
}

extension ClassDefinition {
  fileprivate var statement: String {
    let verb = kind == .table ? "-- table" : "create class"
    let prefix = kind == .table ? "-- " : ""
    var text = "\(verb) \(spelledName(name, as: .className))"
    if kind == .embedded || kind == .asymmetric { text += " \(kind.name)" }
    if properties.isEmpty { return text + " {}\n" }
    let lines = properties.map { "\(prefix)  " + $0.statement(isPrimaryKey: $0.name == primaryKey) }
    return text + " {\n" + lines.joined(separator: ",\n") + "\n\(prefix)}\n"
  }
}

extension PropertyDefinition {
  fileprivate func statement(isPrimaryKey: Bool) -> String {
    var text = "\(spelledName(name, as: .property)): \(type.statementWord)"
    if isPrimaryKey { text += " primary key" }
    if index == .fullText { text += " fulltext" }
    if index == .general && !isPrimaryKey { text += " indexed" }
    return text
  }
}

extension PropertyType {
  /// As statements take it.
  package var statementWord: String {
    word(element: target.map { spelledName($0, as: .type) } ?? type.name)
  }
}
