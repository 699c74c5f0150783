// A schema as source of a diagram: Mermaid and Graphviz. Layer: Rendering, Schema.

import ByteText
package import RealmEngine

extension SchemaDescription {
  /// A Mermaid class diagram: links as arrows, embedded classes as compositions.
  package var mermaid: String {
    var text = "classDiagram\n"
    func id(_ name: String) -> String { mermaidID(name) }
    for description in classes {
      text += "  class \(id(description.name))"
      if Self.mermaidWords.contains(description.name) { text += "[\"\(description.name)\"]" }
      text += description.properties.isEmpty && description.kind == .object ? "\n" : " {\n"
      guard !description.properties.isEmpty || description.kind != .object else { continue }
      if description.kind != .object { text += "    <<\(description.kind.name)>>\n" }
      for property in description.properties {
        // Mermaid writes type parameters between tildes.
        let type = String(property.type.word.map { "<>".contains($0) ? "~" : $0 })
        let mark = property.name == description.primaryKey ? " PK" : ""
        text += "    \(Self.mermaidText(type)) \(Self.mermaidText(property.name))\(mark)\n"
      }
      text += "  }\n"
    }
    forEachLink { origin, property, target, isEmbedded in
      text += "  \(id(origin)) \(isEmbedded ? "*--" : "-->") "
      text += "\"\(property.type.collection == nil ? "0..1" : "*")\" \(id(target))"
      text += " : \(Self.mermaidText(property.name))\n"
    }
    return text
  }

  /// A Graphviz digraph: classes as records, links as edges.
  package var graphviz: String {
    var text = "digraph schema {\n  node [shape=record];\n"
    for description in classes {
      let lines = description.properties.map { property in
        let mark = property.name == description.primaryKey ? " (primary key)" : ""
        return Self.recordText("\(property.name): \(property.type.word)\(mark)") + "\\l"
      }
      let kind = description.kind == .object ? "" : " (\(description.kind.name))"
      text += "  \(Self.quoted(description.name)) [label=\"{"
      text += Self.recordText(description.name + kind) + "|" + lines.joined() + "}\"];\n"
    }
    forEachLink { origin, property, target, isEmbedded in
      text += "  \(Self.quoted(origin)) -> \(Self.quoted(target)) [label=\(Self.quoted(property.name))"
      if isEmbedded { text += ", dir=both, arrowtail=diamond" }
      text += property.type.collection == nil ? "];\n" : ", headlabel=\"*\"];\n"
    }
    return text + "}\n"
  }

  private func forEachLink(_ body: (String, PropertyDefinition, String, Bool) -> Void) {
    let embedded = Set(classes.filter { $0.kind == .embedded }.map(\.name))
    for description in classes {
      for property in description.properties {
        guard let target = property.type.target else { continue }
        body(description.name, property, target, embedded.contains(target))
      }
    }
  }

  /// Words of Mermaid, which no class may be called there, in quotes neither.
  private static let mermaidWords: Set<String> = [
    "accDescr", "accTitle", "call", "callback", "class", "classDef", "classDiagram", "click", "cssClass",
    "href", "link",
    "namespace", "note", "o", "style", "_blank", "_parent", "_self", "_top",
  ]

  /// What a class is called in a diagram, which shows a word of Mermaid as its label.
  private func mermaidID(_ name: String) -> String {
    if Self.mermaidWords.contains(name) {
      var other = name + "_"
      while classes.contains(where: { $0.name == other }) { other += "_" }
      return other
    }
    let isPlain = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    return isPlain && !name.isEmpty ? name : "`\(Self.mermaidText(name))`"
  }

  /// Without the characters that end a name, a member or a line, and those that are not seen.
  private static func mermaidText(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { "`{}\":;<>".unicodeScalars.contains($0) || $0.isUnseen ? "_" : $0 }))
  }

  private static func quoted(_ text: String) -> String { "\"\(escaped(text, also: ""))\"" }

  /// Records give a meaning to more characters than other labels do.
  private static func recordText(_ text: String) -> String { escaped(text, also: "{}|<> ") }

  /// Newlines as Graphviz writes them; what is not seen becomes an escape that it shows as it stands.
  private static func escaped(_ text: String, also special: String) -> String {
    var result = ByteBuffer()
    for scalar in text.unicodeScalars {
      if scalar == "\n" {
        result.append(literal: "\\n")
      } else if scalar.isUnseen {
        result.append(UInt8(ascii: "\\"))
        result.append(escapeOf: scalar)
      } else {
        if "\"\\".unicodeScalars.contains(scalar) || special.unicodeScalars.contains(scalar) {
          result.append(UInt8(ascii: "\\"))
        }
        result.append(text: String(scalar))
      }
    }
    return result.text
  }
}
