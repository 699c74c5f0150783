// Differences for people and, as JSON Lines, for programs. Layer: RealmCommands, Differences.

import ByteText
import RealmEngine
import Rendering
import TextFormats

/// Writes the objects of classes that differ.
struct DifferenceWriter {
  enum Style {
    case text(isColored: Bool)
    case records(JSONRecords)
  }

  private let realms: RealmDifference
  private var style: Style
  /// Write whole objects.
  private var left: JSONWriter
  private var right: JSONWriter
  /// Writes names.
  private var names: JSONWriter

  init(_ realms: RealmDifference, _ style: Style) {
    self.realms = realms
    self.style = style
    let forms = realms.pairs.naming(realms.scope)
    names = JSONWriter(realms.right, style: .plain)
    left = JSONWriter(realms.left, style: .typed, isCanonical: true, form: forms.left)
    right = JSONWriter(realms.right, style: .typed, isCanonical: true, form: forms.right)
  }

  /// What of a class differs: changed objects, then those that came, then those that went.
  mutating func write(
    _ compared: ComparedClass, _ difference: ClassDifference, to out: inout OutputBuffer
  ) throws {
    var comparer = RealmDifference.PairComparer(realms, compared)
    for object in difference.changed { try write(object, compared, &comparer, to: &out) }
    try write(difference.added, of: compared.right, areAdded: true, to: &out)
    try write(difference.removed, of: compared.left, areAdded: false, to: &out)
  }

  /// Whole objects that came, or went.
  mutating func write(
    _ keys: [ObjectKey], of table: Table, areAdded: Bool, to out: inout OutputBuffer
  ) throws {
    for key in keys { try write(key, of: table, isAdded: areAdded, to: &out) }
  }

  /// A line about the schema.
  mutating func write(schemaLine line: String, to out: inout OutputBuffer) {
    switch style {
    case .text:
      let mark: TerminalMark = line.hasPrefix("+") ? .added : line.hasPrefix("-") ? .removed : .changed
      begin(mark, to: &out)
      out.text.append(text: line)
      end(to: &out)
    case .records:
      beginRecord(&out)
      out.text.append(literal: "{\"change\":\"schema\",\"text\":")
      out.text.append(jsonString: line)
      endObject(to: &out)
    }
  }

  /// When all has been written.
  func finish(_ out: inout OutputBuffer) {
    if case .records(let records) = style { records.finish(&out) }
  }

  // MARK: Objects

  private mutating func write(
    _ key: ObjectKey, of table: Table, isAdded: Bool, to out: inout OutputBuffer
  ) throws {
    let object = try table.required(key)
    let name = try names.name(of: object, in: table)
    let schema = table.schema
    switch style {
    case .text:
      begin(isAdded ? .added : .removed, to: &out)
      out.text.append(text: isAdded ? "+ " : "- ")
      name.write(as: schema, to: &out)
      out.text.append(literal: " {")
    case .records:
      beginRecord(&out)
      writeHead(isAdded ? "added" : "removed", schema, name, to: &out)
      out.text.append(literal: ",\"values\":{")
    }
    var isFirst = true
    for property in schema.properties where !realms.scope.ignores(schema.name, property.name) {
      let text =
        try isAdded ? right.comparedText(of: property, object) : left.comparedText(of: property, object)
      switch style {
      case .text:
        if !isFirst { out.text.append(literal: ", ") }
        out.text.append(text: "\(property.name.visible): ")
        out.text.append(shown: try DocumentNode.json(text.span))
      case .records:
        if !isFirst { out.text.append(UInt8(ascii: ",")) }
        out.text.append(jsonKey: property.name)
        out.text.append(text)
      }
      isFirst = false
      try out.flushIfLarge()
    }
    out.text.append(UInt8(ascii: "}"))
    endObject(to: &out)
  }

  private mutating func write(
    _ object: ChangedObject, _ compared: ComparedClass, _ comparer: inout RealmDifference.PairComparer,
    to out: inout OutputBuffer
  ) throws {
    let (before, after) = (try compared.left.required(object.left), try compared.right.required(object.right))
    let name = try names.name(of: after, in: compared.right)
    let schema = compared.right.schema
    switch style {
    case .text:
      begin(.changed, to: &out)
      out.text.append(literal: "~ ")
      name.write(as: schema, to: &out)
      out.text.append(UInt8(ascii: " "))
    case .records:
      beginRecord(&out)
      writeHead("changed", schema, name, to: &out)
      out.text.append(literal: ",\"properties\":{")
    }
    for (position, index) in object.properties.enumerated() {
      let name = compared.properties[index].right.name
      let (old, new) = try comparer.texts(index, before, after)
      if position > 0 { out.text.append(literal: style.isText ? ", " : ",") }
      switch style {
      case .text:
        let change = ValueChange(
          name.visible, try DocumentNode.json(old.span), try DocumentNode.json(new.span))
        out.text.append(text: change.texts.joined(separator: ", "))
      case .records:
        out.text.append(jsonString: name)
        out.text.append(literal: ":{\"old\":")
        out.text.append(old)
        out.text.append(literal: ",\"new\":")
        out.text.append(new)
        out.text.append(UInt8(ascii: "}"))
      }
      try out.flushIfLarge()
    }
    if !style.isText { out.text.append(UInt8(ascii: "}")) }
    endObject(to: &out)
  }

  private func writeHead(
    _ change: StaticString, _ schema: ClassSchema, _ name: ObjectName,
    to out: inout OutputBuffer
  ) {
    out.text.append(literal: "{\"change\":\"")
    out.text.append(literal: change)
    out.text.append(literal: "\",\"class\":")
    out.text.append(jsonString: schema.name)
    out.text.append(UInt8(ascii: ","))
    name.writeMembers(to: &out)
  }

  private func begin(_ mark: TerminalMark, to out: inout OutputBuffer) {
    if case .text(isColored: true) = style { out.text.append(mark) }
  }

  private func end(to out: inout OutputBuffer) {
    if case .records(let records) = style { return records.end(&out) }
    if case .text(isColored: true) = style { out.text.append(.plain) }
    out.text.append(UInt8(ascii: "\n"))
  }

  private mutating func beginRecord(_ out: inout OutputBuffer) {
    guard case .records(var records) = style else { return }
    records.begin(&out)
    style = .records(records)
  }

  private func endObject(to out: inout OutputBuffer) {
    if !style.isText { out.text.append(UInt8(ascii: "}")) }
    end(to: &out)
  }
}

extension DifferenceWriter.Style {
  var isText: Bool { if case .text = self { true } else { false } }
}
