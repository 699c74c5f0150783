// What became of objects from one version to the next, as JSON or as lines for people. Layer: Rendering, JSON.
// Invariant: values are compared as they are shown, so that what is said to have changed looks different.

import ByteText
package import RealmEngine
import TextFormats

/// How changes are written.
package enum ChangeForm: Sendable {
  case json
  case lines(isColored: Bool)
}

/// Writes changes of objects between two versions.
package struct ChangeText {
  private let form: ChangeForm
  private var oldValues: JSONWriter
  private var newValues: JSONWriter
  private var isFirst = true

  package init(_ form: ChangeForm, from old: ReadTransaction, to new: ReadTransaction) {
    self.form = form
    let isForPeople = if case .lines = form { true } else { false }
    oldValues = JSONWriter(old, style: .plain, namesLinks: isForPeople)
    newValues = JSONWriter(new, style: .plain, namesLinks: isForPeople)
  }

  /// An object that was made, or one of those that are there when watching begins (`isNew` false).
  package mutating func writeInserted(
    _ position: ObjectPosition, of table: Table, isNew: Bool = true, to out: inout OutputBuffer
  ) throws(EngineError) {
    open(isNew ? "insert" : nil, "+", table, try newValues.name(of: position, in: table), to: &out)
    label("values", to: &out)
    try newValues.writeObject(position, of: table, to: &out)
    try close(to: &out)
  }

  package mutating func writeDeleted(
    _ position: ObjectPosition, of table: Table, to out: inout OutputBuffer
  ) throws(EngineError) {
    open("delete", "-", table, try oldValues.name(of: position, in: table), to: &out)
    label("values", to: &out)
    try oldValues.writeObject(position, of: table, to: &out)
    try close(to: &out)
  }

  /// False: none of these properties shows a difference, and nothing is written.
  package mutating func writeChanged(
    _ properties: [PropertyPair], from old: (position: ObjectPosition, table: Table),
    to new: (position: ObjectPosition, table: Table), _ out: inout OutputBuffer
  ) throws(EngineError) -> Bool {
    var changes: [ShownChange] = []
    for pair in properties {
      let before = try OutputText { out throws(EngineError) in
        try oldValues.writeValue(of: pair.old, old.position, of: old.table, to: &out)
      }
      let after = try OutputText { out throws(EngineError) in
        try newValues.writeValue(of: pair.new, new.position, of: new.table, to: &out)
      }
      changes.append(ShownChange(name: pair.new.name, old: before, new: after))
    }
    return try write(changes, of: new, to: &out)
  }

  /// Compares columns, as many in the one version as in the other.
  package mutating func writeChanged(
    _ oldColumns: [SelectedColumn], from old: (position: ObjectPosition, table: Table),
    _ newColumns: [SelectedColumn], to new: (position: ObjectPosition, table: Table),
    _ out: inout OutputBuffer
  ) throws(EngineError) -> Bool {
    var changes: [ShownChange] = []
    for (oldColumn, newColumn) in zip(oldColumns, newColumns) {
      let before = try OutputText { out throws(EngineError) in
        let cells = RowEvaluator(oldValues.transaction)
        try oldValues.write(try cells.cell(oldColumn, of: old.table, at: old.position), to: &out)
      }
      let after = try OutputText { out throws(EngineError) in
        let cells = RowEvaluator(newValues.transaction)
        try newValues.write(try cells.cell(newColumn, of: new.table, at: new.position), to: &out)
      }
      changes.append(ShownChange(name: newColumn.name, old: before, new: after))
    }
    return try write(changes, of: new, to: &out)
  }

  private mutating func write(
    _ all: [ShownChange], of new: (position: ObjectPosition, table: Table), to out: inout OutputBuffer
  ) throws(EngineError) -> Bool {
    let changes = all.filter { $0.old.bytes != $0.new.bytes }
    guard !changes.isEmpty else { return false }
    open("update", "~", new.table, try newValues.name(of: new.position, in: new.table), to: &out)
    switch form {
    case .json:
      label("old", to: &out)
      write(changes.map { ($0.name, $0.old) }, to: &out)
      out.text.append(UInt8(ascii: ","))
      label("new", to: &out)
      write(changes.map { ($0.name, $0.new) }, to: &out)
    case .lines:
      for (index, change) in changes.enumerated() {
        if index > 0 { out.text.append(literal: ", ") }
        out.text.append(text: change.name.visible)
        out.text.append(literal: ": ")
        out.text.append(change.old.bytes.span)
        out.text.append(literal: " → ")
        out.text.append(change.new.bytes.span)
      }
    }
    try close(to: &out)
    return true
  }

  /// A class that was made, removed, or has another name or other properties than before.
  package mutating func writeClass(
    _ operation: String, _ name: String, from former: String? = nil, to out: inout OutputBuffer
  ) {
    switch form {
    case .json:
      separate(to: &out)
      out.text.append(literal: "{\"op\":")
      out.text.append(jsonString: operation)
      out.text.append(literal: ",\"class\":")
      out.text.append(jsonString: name)
      if let former {
        out.text.append(literal: ",\"from\":")
        out.text.append(jsonString: former)
      }
      out.text.append(UInt8(ascii: "}"))
    case .lines:
      out.text.append(text: "  \(operation) ")
      if let former { out.text.append(text: "\(former.visible) → ") }
      out.text.append(text: name.visible)
      out.text.append(UInt8(ascii: "\n"))
    }
  }

  package mutating func writeSchemaVersion(
    _ version: Int64?, from former: Int64?, to out: inout OutputBuffer
  ) {
    switch form {
    case .json:
      separate(to: &out)
      let (from, to) = (former.map { "\($0)" } ?? "null", version.map { "\($0)" } ?? "null")
      out.text.append(text: "{\"op\":\"change schema version\",\"from\":\(from),\"to\":\(to)}")
    case .lines:
      let (from, to) = (former.map { "\($0)" } ?? "none", version.map { "\($0)" } ?? "none")
      out.text.append(text: "  change schema version \(from) → \(to)\n")
    }
  }

  // MARK: Pieces

  private mutating func separate(to out: inout OutputBuffer) {
    if !isFirst { out.text.append(UInt8(ascii: ",")) }
    isFirst = false
  }

  private mutating func open(
    _ operation: String?, _ sign: String, _ table: Table, _ name: ObjectName, to out: inout OutputBuffer
  ) {
    switch form {
    case .json:
      separate(to: &out)
      out.text.append(UInt8(ascii: "{"))
      if let operation {
        label("op", to: &out)
        out.text.append(jsonString: operation)
        out.text.append(UInt8(ascii: ","))
      }
      label("class", to: &out)
      out.text.append(jsonString: table.schema.name)
      out.text.append(UInt8(ascii: ","))
      name.writeMembers(to: &out)
      out.text.append(UInt8(ascii: ","))
    case .lines(let isColored):
      out.text.append(literal: "  ")
      out.text.append(text: operation == nil ? " " : sign, in: .bold, if: isColored)
      out.text.append(UInt8(ascii: " "))
      name.write(as: table.schema, to: &out)
      out.text.append(UInt8(ascii: " "))
    }
  }

  private func label(_ name: StaticString, to out: inout OutputBuffer) {
    guard case .json = form else { return }
    out.text.append(UInt8(ascii: "\""))
    out.text.append(literal: name)
    out.text.append(literal: "\":")
  }

  private func write(_ values: [(name: String, value: OutputText)], to out: inout OutputBuffer) {
    out.text.append(UInt8(ascii: "{"))
    for (index, (name, value)) in values.enumerated() {
      if index > 0 { out.text.append(UInt8(ascii: ",")) }
      out.text.append(jsonKey: name)
      out.text.append(value.bytes.span)
    }
    out.text.append(UInt8(ascii: "}"))
  }

  private func close(to out: inout OutputBuffer) throws(EngineError) {
    if case .json = form { out.text.append(UInt8(ascii: "}")) } else { out.text.append(UInt8(ascii: "\n")) }
    try out.flushIfLarge()
  }
}

/// What a property or path showed before, and what it shows now.
private struct ShownChange {
  let name: String
  let old: OutputText
  let new: OutputText
}

/// One value's text.
private struct OutputText {
  let bytes: [UInt8]

  init(_ write: (inout OutputBuffer) throws(EngineError) -> Void) throws(EngineError) {
    var out = OutputBuffer()
    try write(&out)
    bytes = out.text.bytes
  }
}
