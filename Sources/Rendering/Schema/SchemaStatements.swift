// A schema as the statements that would make it. Layer: Rendering.

package import RealmEngine

extension SchemaDescription {
  /// `create class Person { … }`, a property a line.
  package var statements: String {
    var text = version.map { "-- schema version \($0)\n" } ?? ""
    for (index, description) in classes.enumerated() {
      if index > 0 || version != nil { text += "\n" }
      text += description.statement
    }
    return text
  }
}

extension ClassDescription {
  fileprivate var statement: String {
    let verb = kind == .table ? "-- table" : "create class"
    let prefix = kind == .table ? "-- " : ""
    var text = "\(verb) \(quotedName(name))"
    if kind == .embedded || kind == .asymmetric { text += " \(kind.name)" }
    if properties.isEmpty { return text + " {}\n" }
    let lines = properties.map { "\(prefix)  " + $0.statement(isPrimaryKey: $0.name == primaryKey) }
    return text + " {\n" + lines.joined(separator: ",\n") + "\n\(prefix)}\n"
  }
}

extension PropertyDescription {
  fileprivate func statement(isPrimaryKey: Bool) -> String {
    var text = "\(quotedName(name)): \(type.word)"
    if isPrimaryKey { text += " primary key" }
    if index == .fullText { text += " fulltext" }
    if index == .general && !isPrimaryKey { text += " indexed" }
    return text
  }
}

/// A name as statements take it: in backquotes unless it is a plain word.
private func quotedName(_ name: String) -> String {
  let isPlain = name.utf8.allSatisfy { byte in
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte >= 0x80 || byte == UInt8(ascii: "_")
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
  return isPlain && !name.isEmpty ? name : "`\(name)`"
}
