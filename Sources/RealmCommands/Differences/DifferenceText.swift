// Differences for people and, as JSON Lines, for programs. Layer: RealmCommands, Differences.

import ByteText
import RealmEngine
import Rendering
import TextFormats

/// Writes the objects of classes that differ.
struct DifferenceWriter {
  private let realms: RealmDifference
  var told: ChangeWriter
  /// Write whole objects.
  private var left: JSONWriter
  private var right: JSONWriter
  /// Writes names.
  private var names: JSONWriter

  init(_ realms: RealmDifference, _ told: ChangeWriter) {
    self.realms = realms
    self.told = told
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
    try write(.added, difference.added, of: compared.right, to: &out)
    try write(.removed, difference.removed, of: compared.left, to: &out)
  }

  /// Whole objects that came, or went.
  mutating func write(
    _ change: ToldChange, _ keys: [ObjectKey], of table: Table, to out: inout OutputBuffer
  ) throws {
    for key in keys { try write(change, key, of: table, to: &out) }
  }

  // MARK: Objects

  private mutating func write(
    _ change: ToldChange, _ key: ObjectKey, of table: Table, to out: inout OutputBuffer
  ) throws {
    let object = try table.required(key)
    let schema = table.schema
    told.begin(change, schema, try names.name(of: object, in: table), to: &out)
    told.label("values", to: &out)
    out.text.append(UInt8(ascii: "{"))
    var isFirst = true
    for property in schema.properties where !realms.scope.ignores(schema.name, property.name) {
      let text =
        try change == .added
        ? right.comparedText(of: property, object) : left.comparedText(of: property, object)
      separate(isFirst, to: &out)
      if told.isForPeople {
        out.text.append(text: "\(property.name.visible): ")
        out.text.append(shown: try DocumentNode.json(text.span))
      } else {
        out.text.append(jsonKey: property.name)
        out.text.append(text)
      }
      isFirst = false
      try out.flushIfLarge()
    }
    out.text.append(UInt8(ascii: "}"))
    try told.end(to: &out)
  }

  private mutating func write(
    _ object: ChangedObject, _ compared: ComparedClass, _ comparer: inout RealmDifference.PairComparer,
    to out: inout OutputBuffer
  ) throws {
    let (before, after) = (try compared.left.required(object.left), try compared.right.required(object.right))
    told.begin(
      .changed, compared.right.schema, try names.name(of: after, in: compared.right), to: &out)
    told.label("properties", to: &out)
    if !told.isForPeople { out.text.append(UInt8(ascii: "{")) }
    for (position, index) in object.properties.enumerated() {
      let name = compared.properties[index].right.name
      let (old, new) = try comparer.texts(index, before, after)
      separate(position == 0, to: &out)
      if told.isForPeople {
        let change = ValueChange(
          name.visible, try DocumentNode.json(old.span), try DocumentNode.json(new.span))
        out.text.append(text: change.texts.joined(separator: ", "))
      } else {
        out.text.append(jsonKey: name)
        out.text.append(literal: "{\"old\":")
        out.text.append(old)
        out.text.append(literal: ",\"new\":")
        out.text.append(new)
        out.text.append(UInt8(ascii: "}"))
      }
      try out.flushIfLarge()
    }
    if !told.isForPeople { out.text.append(UInt8(ascii: "}")) }
    try told.end(to: &out)
  }

  private func separate(_ isFirst: Bool, to out: inout OutputBuffer) {
    if !isFirst { out.text.append(literal: told.isForPeople ? ", " : ",") }
  }
}

extension ChangeWriter {
  /// A line about the schema, which begins with its sign.
  mutating func write(differenceOfSchema line: String, to out: inout OutputBuffer) {
    let change: ToldChange = line.hasPrefix("+") ? .added : line.hasPrefix("-") ? .removed : .changed
    write(schema: line, change, as: "schema", [.text("text", line)], to: &out)
  }
}
