// Changing what a property holds. Layer: RealmSession, Operations.

import ByteText
import RealmEngine
import RealmQueryLanguage
import TextFormats

/// What becomes of nulls.
enum NullPolicy: Sendable {
  case fail, keep, delete
  case value(ExpressionText)

  var isKeep: Bool { if case .keep = self { true } else { false } }

  static let field = FieldSpec("value", .expression, required: true, "the default")

  /// Reads `keep`, `fail`, or `{ value: … }`; nil after a complaint.
  static func read(_ fields: Fields, _ name: String, words: [String]) -> Located<NullPolicy>?? {
    guard let node = fields[name] else { return .some(nil) }
    if node.entries != nil {
      guard let inner = Fields(node, [field], of: "'\(name)'", fields.report),
        let value = inner.expression("value")
      else { return nil }
      return .some(Located(.value(value), node))
    }
    guard let word = fields.word(name, among: words) else { return nil }
    return .some(Located(word == "keep" || word == "null" ? .keep : word == "delete" ? .delete : .fail, node))
  }
}

/// `change_type: { class, property, to, value, nulls, unparsable }`
struct ChangeType: PropertyOperation {
  static let spec = OperationSpec(
    word: "change_type", summary: "changes the type of a property; old is the previous value",
    fields: [
      .className, .property, FieldSpec("to", .type, required: true, "the new type"),
      FieldSpec("value", .expression, required: true, "the new value, such as string(old)"),
      FieldSpec(
        "nulls", .policy(["keep", "fail"], [NullPolicy.field]),
        "what happens to null values: keep, fail (the default for a required type), { value: … }"),
      FieldSpec(
        "unparsable", .policy(["fail", "null"], [NullPolicy.field]),
        "what happens to values that do not convert or overflow: fail (the default), null, { value: … }"),
    ])

  let property: NamedProperty
  let type: Located<PropertyType>
  let value: ExpressionText
  let nulls: Located<NullPolicy>?
  let unparsable: Located<NullPolicy>?

  func check(_ checker: inout SchemaChecker) {
    guard let (known, old) = property.required(&checker), checker.require(type, in: known) else { return }
    if old?.type == type.value {
      checker.report.error("\(subject) is \(type.value.word) already", at: type.node)
    }
    if known.primaryKey == .property(property.name),
      !ClassDefinition.canBePrimaryKey(type.value.type, type.value.collection)
    {
      checker.report.error("\(subject) is the primary key and cannot be \(type.value.word)", at: type.node)
    }
    var target = type.value
    if let nulls {
      // Where there is no null there is none to keep.
      let mayBeNull = old?.type.isOptional ?? false
      if nulls.value.isKeep, !type.value.isOptional, mayBeNull {
        checker.report.error(
          "\(subject) becomes \(type.value.word), which cannot be null", at: nulls.node,
          hint: checker.hint(
            document: "write nulls: fail, nulls: { value: … }", statement: "write nulls fail, nulls value …")
            + ", or the type \(type.value.word)?")
      }
      // What the value gives for null is replaced, kept or refused.
      if mayBeNull || !nulls.value.isKeep {
        target.isOptional = true
      }
      if case .value(let text) = nulls.value {
        checker.check(text, of: property.className, old: property.name, for: type.value, named: subject)
        checker.checkStandIn(text, for: value, of: property.className, old: property.name)
      }
    }
    if let unparsable {
      switch unparsable.value {
      case .keep where !type.value.isOptional:
        checker.report.error(
          "\(subject) becomes \(type.value.word), which cannot be null", at: unparsable.node,
          hint: checker.hint(
            document: "write unparsable: fail or unparsable: { value: … }",
            statement: "write unparsable fail or unparsable value …"))
      case .value(let text):
        checker.check(text, of: property.className, old: property.name, for: type.value, named: subject)
      default: break
      }
    }
    checker.check(value, of: property.className, old: property.name, for: target, named: subject)
    checker.schema.classes[property.className]?.change(property.name) {
      if !PropertyDefinition.canIndex(type.value.type, type.value.collection, $0.index) { $0.index = .none }
      $0.type = type.value
    }
  }

  func run(_ run: OperationRun) throws {
    if case .fail? = nulls?.value, let first = try run.nullKeys(property.className, property.name).first {
      throw EngineError(
        .constraint, "\(subject) is null", at: "object \(first.value)",
        hint: run.hint(
          document: "nulls: keep, or nulls: { value: … }", statement: "write nulls keep or nulls value …"))
    }
    let bound = try bound(run)
    var policy = ConversionPolicy.fail
    switch unparsable?.value {
    case .keep?: policy = .null
    case .value(let text)?: policy = .replace(try run.bound(text, property.className, old: property.name))
    case .fail?, .delete?, nil: break
    }
    run.note(
      try OperationFailure.wrapping(value) { () throws(BindingFailure) in
        do throws(BindingFailure) {
          return try run.transaction.convert(
            property.className, property.name, to: type.value, with: bound, unparsable: policy,
            environment: run.environment)
        } catch {
          guard unparsable == nil, case .engine(let cause) = error, cause.kind == .constraint,
            cause.hint == nil
          else { throw error }
          let isOptional = type.value.isOptional
          let hint = run.hint(
            document: "unparsable: " + (isOptional ? "null" : "{ value: … }"),
            statement: "unparsable " + (isOptional ? "null" : "value …"))
          throw .engine(cause.advising("say what happens to values that do not convert: \(hint)"))
        }
      })
  }

  /// The value, with what stands in for null.
  private func bound(_ run: OperationRun) throws -> BoundExpression {
    guard case .value(let text)? = nulls?.value else {
      return try run.bound(value, property.className, old: property.name)
    }
    if value.source == text.source {
      let syntax = Expression(.coalescing([value.syntax, text.syntax]), range: value.syntax.range)
      let combined = ExpressionText(syntax: syntax, source: value.source, node: value.node)
      return try run.bound(combined, property.className, old: property.name)
    }
    let joined = Array("(".utf8) + value.source + Array(") ?? (".utf8) + text.source + Array(")".utf8)
    guard let combined = ProblemReport(DocumentSource(name: "", bytes: [])).expression(joined, at: value.node)
    else { throw EngineError(.badDocument, "\(subject): the values cannot be joined") }
    return try run.bound(combined, property.className, old: property.name)
  }
}

extension ChangeType {
  init?(_ fields: Fields) {
    guard let property = NamedProperty(fields), let type = fields.type("to"),
      let value = fields.expression("value"),
      let nulls = NullPolicy.read(fields, "nulls", words: ["keep", "fail"]),
      let unparsable = NullPolicy.read(fields, "unparsable", words: ["fail", "null"])
    else { return nil }
    (self.property, self.type, self.value) = (property, type, value)
    (self.nulls, self.unparsable) = (nulls, unparsable)
  }
}

/// `make_required: { class, property, nulls }`
struct MakeRequired: PropertyOperation {
  static let spec = OperationSpec(
    word: "make_required", summary: "makes a property required",
    fields: [
      .className, .property,
      FieldSpec(
        "nulls", .policy(["fail", "delete"], [NullPolicy.field]), required: true,
        "what happens to null values: fail, delete (the objects), { value: … }"),
    ])

  let property: NamedProperty
  let nulls: Located<NullPolicy>

  func check(_ checker: inout SchemaChecker) {
    guard let (_, old) = property.required(&checker) else { return }
    if let old {
      if old.type.type == .object || old.type.type == .mixed {
        checker.report.error("\(subject) is \(old.type.word), which is always optional", at: property.node)
        return
      }
      if !old.type.isOptional {
        checker.report.error("\(subject) is required already", at: property.node)
        return
      }
      if case .delete = nulls.value, let collection = old.type.collection {
        checker.report.error(
          "\(subject) is a \(collection.name): no object goes for a null in it", at: nulls.node,
          hint: Self.hint(checker.form))
      }
    }
    if case .value(let text) = nulls.value {
      let target = old.map { PropertyType($0.type.type, isOptional: false) }
      // Elements of collections have no object of their own to compute with.
      if old?.type.collection != nil {
        checker.checkComputed(text, for: target, named: subject)
      } else {
        checker.check(text, of: property.className, old: property.name, for: target, named: subject)
      }
    }
    checker.schema.classes[property.className]?.change(property.name) { $0.type.isOptional = false }
  }

  func run(_ run: OperationRun) throws {
    guard let schema = try run.transaction.schema(named: property.className),
      let found = schema.property(named: property.name)
    else { throw EngineError(.unknownProperty, "there is no property \(subject)") }
    switch nulls.value {
    case .fail, .keep:
      let keys = try run.nullKeys(property.className, property.name)
      if let first = keys.first {
        throw EngineError(
          .constraint,
          "\(subject) cannot be required: it is null in \(counted(keys.count, "object"))",
          at: "object \(first.value)", hint: Self.hint(run.form))
      }
    case .delete:
      let keys = try run.nullKeys(property.className, property.name)
      try run.countingDeleted { try run.transaction.erase(keys, of: schema.tableKey) }
    case .value(let text):
      if found.collection != nil {
        let value = try run.computed(text).value ?? .null
        try run.transaction.setOptional(property.className, property.name, false, nullReplacement: value)
        return
      }
      let keys = try run.nullKeys(property.className, property.name)
      if !keys.isEmpty { try run.fill(property.className, property.name, text, keys: keys) }
    }
    do throws(EngineError) {
      try run.transaction.setOptional(property.className, property.name, false)
    } catch {
      guard error.kind == .constraint, error.hint == nil else { throw error }
      throw error.advising(Self.hint(run.form))
    }
  }

  private static func hint(_ form: OperationForm) -> String {
    form == .document
      ? "give a default for null: nulls: { value: … }" : "give a default for null: required default …"
  }
}

extension MakeRequired {
  init?(_ fields: Fields) {
    guard let property = NamedProperty(fields),
      let nulls = NullPolicy.read(fields, "nulls", words: ["fail", "delete"]) ?? nil
    else { return nil }
    (self.property, self.nulls) = (property, nulls)
  }
}

/// `make_optional: { class, property }`
struct MakeOptional: PropertyOperation {
  static let spec = OperationSpec(
    word: "make_optional", summary: "makes a property optional", fields: [.className, .property])

  let property: NamedProperty

  func check(_ checker: inout SchemaChecker) {
    guard let (_, old) = property.required(&checker) else { return }
    if old?.type.isOptional ?? false {
      checker.report.error("\(subject) is optional already", at: property.node)
    } else if let type = old?.type, type.followsKind {
      checker.report.error("\(subject) is \(type.word), \(PropertyType.kindDecides)", at: property.node)
    }
    checker.schema.classes[property.className]?.change(property.name) { $0.type.isOptional = true }
  }

  func run(_ run: OperationRun) throws {
    try run.transaction.setOptional(property.className, property.name, true)
  }
}

extension MakeOptional {
  init?(_ fields: Fields) {
    guard let property = NamedProperty(fields) else { return nil }
    self.property = property
  }
}

extension PropertyType {
  /// Whether nobody can say whether it is optional.
  var followsKind: Bool { type == .object || type == .mixed }

  static let kindDecides = "and whether links and mixed values are optional follows from their kind"
}
