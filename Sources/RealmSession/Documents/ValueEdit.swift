// One change inside one object: a value, an element or an entry, named by the way that leads to it. Layer: RealmSession, Documents.
// Invariant: the property is read, changed and written as a whole, so that it is checked as any other value is. An embedded object
// that the way leads through stays the object that it is.

import ByteText
package import RealmEngine
import TextFormats

/// What happens at the end of a way into an object: `["address", "city"]`, `["dogs", 3]`, `["notes", "key"]`.
package struct ValueEdit {
  package enum Step: Equatable {
    case name(String)
    case index(Int)

    fileprivate var kindName: String { if case .name = self { "property or key" } else { "element" } }
  }

  package enum Action {
    /// The JSON text of the new value.
    case set([UInt8])
    /// Before the element at the end of the way; of a set, any place will do.
    case insert([UInt8])
    case remove
    case move(to: Int)
  }

  package let path: [Step]
  package let action: Action

  package init(_ path: [Step], _ action: Action) { (self.path, self.action) = (path, action) }

  /// Changes an object.
  package func run(on object: ObjectLink, in transaction: WriteTransaction) throws {
    let schema = try transaction.schema(object.table)
    guard case .name(let name)? = path.first else {
      throw Self.misfit("a way begins with the name of a property")
    }
    let property = try schema.requiredProperty(name)
    if let (child, rest) = try inside(property, of: object, transaction) {
      return try ValueEdit(Array(rest), action).run(on: child, in: transaction)
    }
    let former = try transaction.newValue(of: property, object)
    let new = try edited(former, path.dropFirst(), property, schema, transaction, isElement: false)
    try transaction.update(object, [(property: name, value: new)])
  }

  /// The embedded object that the way leads into, and the way from there on; nil where it ends before.
  private func inside(
    _ property: Property, of object: ObjectLink, _ transaction: WriteTransaction
  ) throws -> (child: ObjectLink, rest: ArraySlice<Step>)? {
    guard let target = property.target, try transaction.schema(target).kind == .embedded else { return nil }
    let rest = path.dropFirst(property.collection == nil ? 1 : 2)
    guard !rest.isEmpty else { return nil }
    let value: NewValue? =
      switch (try transaction.storedValue(of: property, object), path[1]) {
      case (.list(let items), .index(let index)): items.indices.contains(index) ? items[index] : nil
      case (.dictionary(let entries), .name(let key)): entries.first { $0.key.text == key }?.value
      case (let single, _): single
      }
    guard case .single(.link(let child))? = value else { return nil }
    return (child, rest)
  }

  private func edited(
    _ value: NewValue, _ rest: ArraySlice<Step>, _ property: Property, _ schema: ClassSchema,
    _ transaction: WriteTransaction, isElement: Bool
  ) throws -> NewValue {
    guard let step = rest.first else {
      guard case .set(let text) = action else { throw Self.misfit("this is no element of a collection") }
      return try transaction.newValue(text, of: property, in: schema, asElement: isElement)
    }
    func inner(_ value: NewValue) throws -> NewValue {
      try edited(value, rest.dropFirst(), property, schema, transaction, isElement: true)
    }
    func made(_ text: [UInt8]) throws -> NewValue {
      try transaction.newValue(text, of: property, in: schema, asElement: true)
    }
    let isLast = rest.count == 1
    switch (value, step) {
    case (.list(var items), .index(let index)):
      if isLast, case .insert(let text) = action {
        guard (0...items.count).contains(index) else { throw Self.outside(index, items.count) }
        items.insert(try made(text), at: index)
        return .list(items)
      }
      guard items.indices.contains(index) else { throw Self.outside(index, items.count) }
      switch action {
      case .remove where isLast: items.remove(at: index)
      case .move(let target) where isLast:
        guard items.indices.contains(target) else { throw Self.outside(target, items.count) }
        items.insert(items.remove(at: index), at: target)
      default: items[index] = try inner(items[index])
      }
      return .list(items)
    case (.set(var items), .index(let index)):
      switch action {
      case .insert(let text): items.append(try made(text))
      case .remove where items.indices.contains(index): items.remove(at: index)
      case .set(let text) where items.indices.contains(index): items[index] = try made(text)
      default: throw Self.outside(index, items.count)
      }
      return .set(items)
    case (.dictionary(var entries), .name(let key)):
      let index = entries.firstIndex { $0.key.text == key }
      switch action {
      case .remove where isLast:
        guard let index else { throw Self.misfit("there is no key '\(key)'") }
        entries.remove(at: index)
      case .insert(let text) where isLast:
        guard index == nil else { throw Self.misfit("there is a key '\(key)' already") }
        entries.append((ByteString(key), try made(text)))
      default:
        guard let index else { throw Self.misfit("there is no key '\(key)'") }
        entries[index].value = try inner(entries[index].value)
      }
      return .dictionary(entries)
    case (.single(.null), .name(let name)):
      throw Self.misfit("\(schema.name).\(property.name) is null, so '\(name)' cannot be set")
    default: throw Self.misfit("\(schema.name).\(property.name) holds no \(step.kindName) there")
    }
  }

  private static func misfit(_ message: String) -> SessionError {
    SessionError(.statement(code: "bad-path", message: message))
  }

  private static func outside(_ index: Int, _ count: Int) -> SessionError {
    misfit("there is no place \(index) among \(count) elements")
  }
}

extension ClassSchema {
  fileprivate func requiredProperty(_ name: String) throws(SessionError) -> Property {
    if let property = property(named: name) { return property }
    throw SessionError(
      .statement(code: "unknown-property", message: "\(self.name) has no property '\(name)'"))
  }
}

extension WriteTransaction {
  /// The value that a JSON text spells for a property, or for an element of it, with every link looked up.
  fileprivate func newValue(
    _ text: [UInt8], of property: Property, in schema: ClassSchema, asElement: Bool
  ) throws -> NewValue {
    try DocumentFault.asSessionError(text) {
      let reader = ObjectReader(transaction: self)
      var json = JSONReader(text.span)
      let path = JSONPath.key(.root, property.name)
      let first = try json.next()
      let value =
        asElement
        ? try reader.element(first, from: &json, of: property, in: schema, at: path)
        : try reader.value(first, from: &json, of: property, in: schema, at: path)
      _ = try json.next()
      var writer = ObjectWriter(self)
      return try writer.resolved(value)
    }
  }

  /// Makes an object from its JSON text.
  package func create(_ text: [UInt8], as schema: ClassSchema) throws -> ObjectLink {
    try DocumentFault.asSessionError(text) {
      var json = JSONReader(text.span)
      let edit = try ObjectReader(transaction: self).edit(try json.next(), from: &json, of: schema)
      _ = try json.next()
      var writer = ObjectWriter(self)
      let link = try writer.make(edit)
      for value in writer.takeLateValues() { try writer.set(value) }
      return link
    }
  }

  /// Makes another object with the values of one; `primaryKey`: the JSON text of its own.
  package func duplicate(_ object: ObjectLink, primaryKey text: [UInt8]?) throws -> ObjectLink {
    let schema = try schema(object.table)
    var values: [(property: String, value: NewValue)] = []
    for property in schema.properties {
      guard property.columnKey == schema.primaryKey?.columnKey else {
        values.append((property.name, try newValue(of: property, object)))
        continue
      }
      guard let text else {
        throw SessionError(
          .statement(code: "primary-key", message: "the copy needs a primary key of its own"))
      }
      values.append((property.name, try newValue(text, of: property, in: schema, asElement: false)))
    }
    return ObjectLink(table: object.table, key: try create(object.table, values))
  }
}

extension SessionError {
  /// A name that there is not is a mistake of the statement, all else one of the data.
  init(_ fault: DocumentFault) {
    let message = fault.words
    self.init(
      fault.code.hasPrefix("unknown-")
        ? .statement(code: fault.code, message: message) : .constraint(code: fault.code, message: message),
      hint: fault.hint)
  }
}

extension DocumentFault {
  /// Runs what reads a JSON text, and words what is wrong with it with its place.
  fileprivate static func asSessionError<Result>(_ text: [UInt8], _ body: () throws -> Result) throws
    -> Result
  {
    do {
      return try body()
    } catch let fault as DocumentFault {
      throw SessionError(fault)
    } catch let error as TextFormatError {
      throw SessionError(.statement(code: "bad-json", message: error.message))
    }
  }
}
