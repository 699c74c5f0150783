// Changes: one transaction for a request, which can be undone. Layer: RealmServer, API.

import ByteText
import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering
import TextFormats

extension Endpoint {
  static let changes = Endpoint(
    method: "POST", path: "realms/{realm}/changes",
    summary: "Change objects in one transaction: {\"changes\":[{\"op\":…}]}; only with -w",
    body: Change.schema,
    shape: .open(
      .integer("created"), .integer("updated"), .integer("deleted"),
      JSONField("objects", .list(.open(.text("class"), .text("key")))), .flag("can_undo"), .flag("can_redo"))
  ) { call in
    let document: DocumentNode
    let changes: [Change]
    do throws(TextFormatError) {
      let body = call.request.body
      document = try DocumentNode.json(body.span)
      let field = try document.fields(of: "the request", ["changes"]).first
      guard let items = field?.value.items, !items.isEmpty else {
        throw TextFormatError(
          "the request must have a list 'changes' with at least one change", at: document.location)
      }
      let read = try items.map { item throws(TextFormatError) in try Change(item) }
      changes = read
    } catch {
      throw WebRefusal(status: 400, kind: "bad-json", message: error.message)
    }
    return try call.realm.change { session in
      if changes.count == 1, case .step(let direction) = changes[0] {
        return .json(try session.step(direction).document(made: [], session))
      }
      var made: [(className: String, key: ObjectKey)] = []
      var counts = ChangeCounts()
      try session.changeCounting { transaction in
        (made, counts) = ([], ChangeCounts())
        for change in changes { try change.run(on: transaction, session, &counts, &made) }
        return counts
      }
      return .json(counts.document(made: made, session))
    }
  }
}

extension ChangeCounts {
  fileprivate func document(
    made: [(className: String, key: ObjectKey)], _ session: StatementSession
  ) -> DocumentNode {
    .mapping([
      .number("created", inserted), .number("updated", updated), .number("deleted", deleted),
      .list(
        "objects",
        made.map { object in
          .mapping([.text("class", object.className), .text("key", "\(object.key.value)")])
        }),
      .flag("can_undo", session.realm.history?.canUndo ?? false),
      .flag("can_redo", session.realm.history?.canRedo ?? false),
    ])
  }
}

/// One change that was asked for.
private enum Change {
  case create(className: String, values: [UInt8])
  case duplicate(className: String, key: ObjectKey, primaryKey: [UInt8]?)
  case delete(className: String, key: ObjectKey)
  /// `state`: of the property when it was read; nil: whatever it is.
  case edit(className: String, key: ObjectKey, ValueEdit, state: String?)
  case step(UndoHistory.Direction)

  /// What each needs, and what it may have.
  private static let forms: [(word: String, required: [String], optional: [String])] = [
    ("create", ["class", "values"], []), ("duplicate", ["class", "key"], ["primary_key"]),
    ("delete", ["class", "key"], []), ("set", ["class", "key", "path", "value"], ["state"]),
    ("insert", ["class", "key", "path", "value"], ["state"]),
    ("remove", ["class", "key", "path"], ["state"]),
    ("move", ["class", "key", "path", "to"], ["state"]), ("undo", [], []), ("redo", [], []),
  ]

  /// Of the request.
  static var schema: DocumentNode {
    func object(_ properties: [(String, DocumentNode)], required: [String]) -> DocumentNode {
      .mapping([
        .text("type", "object"), .list("required", required.map { .string($0) }),
        .flag("additionalProperties", false), .object("properties", properties.map { DocumentEntry($0, $1) }),
      ])
    }
    func type(_ name: String) -> DocumentNode { .mapping([.text("type", name)]) }
    let step: DocumentNode = .mapping([.list("type", [.string("string"), .string("integer")])])
    let key: DocumentNode = .mapping([
      .text("type", "string"), .text("pattern", "^[0-9]{1,19}$"),
    ])
    let fields = [
      ("class", type("string")), ("key", key),
      ("path", .mapping([.text("type", "array"), DocumentEntry("items", step)])),
      ("value", .mapping([])), ("values", type("object")), ("primary_key", .mapping([])),
      ("to", type("integer")), ("state", type("string")),
    ]
    let changes = forms.map { form in
      object(
        [("op", .mapping([.text("const", form.word)]))]
          + fields.filter { form.required.contains($0.0) || form.optional.contains($0.0) },
        required: ["op"] + form.required)
    }
    let list: DocumentNode = .mapping([
      .text("type", "array"), .number("minItems", 1), .object("items", [.list("oneOf", changes)]),
    ])
    return object([("changes", list)], required: ["changes"])
  }

  init(_ node: DocumentNode) throws(TextFormatError) {
    let word = try node.required("op", of: "a change").requiredWord("op", among: Self.forms.map(\.word))
    for form in Self.forms where form.word == word {
      _ = try node.fields(of: "'\(word)'", ["op"] + form.required + form.optional)
    }
    func text(_ name: String) throws(TextFormatError) -> String {
      guard let text = try node.required(name, of: "'\(word)'").text else {
        throw TextFormatError("'\(name)' must be a text", at: node.location)
      }
      return text
    }
    func json(_ name: String) throws(TextFormatError) -> [UInt8] {
      try node.required(name, of: "'\(word)'").writtenBack().jsonText
    }
    func key() throws(TextFormatError) -> ObjectKey {
      guard let number = Int64(decimalText: try text("key").utf8.span), number >= 0 else {
        throw TextFormatError("'key' must be an object key", at: node.location)
      }
      return ObjectKey(number)
    }
    switch word {
    case "undo", "redo":
      self = .step(word == "undo" ? .undo : .redo)
    case "create":
      self = .create(className: try text("class"), values: try json("values"))
    case "duplicate":
      self = .duplicate(
        className: try text("class"), key: try key(),
        primaryKey: try node["primary_key"]?.writtenBack().jsonText)
    case "delete":
      self = .delete(className: try text("class"), key: try key())
    default:
      let action: ValueEdit.Action =
        switch word {
        case "set": .set(try json("value"))
        case "insert": .insert(try json("value"))
        case "move": .move(to: Int(clamping: try node.required("to", of: "'move'").requiredInteger("to")))
        default: .remove
        }
      let steps = try node.required("path", of: "'\(word)'").items ?? []
      self = .edit(
        className: try text("class"), key: try key(), ValueEdit(steps.compactMap(\.step), action),
        state: node["state"] == nil ? nil : try text("state"))
    }
  }

  func run(
    on transaction: WriteTransaction, _ session: StatementSession, _ counts: inout ChangeCounts,
    _ made: inout [(className: String, key: ObjectKey)]
  ) throws {
    func schema(_ name: String) throws -> ClassSchema {
      if let schema = try transaction.schema(named: name) { return schema }
      throw WebRefusal.unknownClass(name, among: try transaction.view().classNames)
    }
    func object(_ name: String, _ key: ObjectKey) throws -> ObjectLink {
      let link = ObjectLink(table: try schema(name).tableKey, key: key)
      guard try transaction.hasObject(link) else {
        throw WebRefusal(
          status: 404, kind: "no-object", message: "\(name) has no object with the key \(key.value)")
      }
      return link
    }
    switch self {
    case .create(let name, let values):
      let link = try transaction.create(values, as: try schema(name))
      made.append((name, link.key))
      counts.add(created: 1, to: name)
    case .duplicate(let name, let key, let primaryKey):
      let link = try transaction.duplicate(try object(name, key), primaryKey: primaryKey)
      made.append((name, link.key))
      counts.add(created: 1, to: name)
    case .delete(let name, let key):
      try schema(name).requireOwnObjects()
      try transaction.erase([try object(name, key)])
      counts.add(deleted: 1, to: name)
    case .edit(let name, let key, let edit, let state):
      let link = try object(name, key)
      if let state, case .name(let property)? = edit.path.first,
        try transaction.view().state(ofProperty: property, of: link) != state
      {
        throw WebRefusal(
          status: 409, kind: "changed",
          message: "\(name).\(property) has changed since it was read; nothing was written")
      }
      try edit.run(on: link, in: transaction)
      counts.add(updated: 1, to: name)
    case .step:
      throw WebRefusal(status: 409, kind: "usage", message: "undo and redo stand alone")
    }
  }
}

extension DocumentNode {
  fileprivate var jsonText: [UInt8] {
    var text = ByteBuffer()
    text.append(json: self)
    return text.bytes
  }

  /// A number is a place, a text is a name.
  fileprivate var step: ValueEdit.Step? {
    integer.map { .index(Int(clamping: $0)) } ?? text.map { .name($0) }
  }
}
