// Making objects of others: one for each, or one for each different value. Layer: RealmSession, Operations.

import RealmEngine
import TextFormats

/// What is done where an object with the same primary key is there already.
enum ExistingPolicy: String, Sendable {
  case fail, keep, update

  static let field = FieldSpec(
    "existing", .oneOf(["fail", "keep", "update"]),
    "where the primary key exists: fail (the default), keep the existing object, or update it")

  /// Nil after a complaint.
  static func read(_ fields: Fields) -> ExistingPolicy? {
    fields.word("existing", among: ["fail", "keep", "update"], otherwise: "fail").flatMap(ExistingPolicy.init)
  }
}

/// Where the new objects come from, and what leads back to them.
struct ObjectSource: Sendable {
  let className: Located<String>
  let condition: PredicateText?
  /// The property of the source that links to what is made of it.
  let link: Located<String>?

  static let link = FieldSpec(
    "link", .propertyName, "a property of the source class that is set to link to them")

  /// Nil after a complaint.
  static func read(_ fields: Fields, class field: String) -> ObjectSource? {
    guard let className = fields.name(field), let condition = fields.optional("where", fields.predicate),
      let link = fields.optional("link", fields.name)
    else { return nil }
    return ObjectSource(className: className, condition: condition, link: link)
  }

  func check(_ checker: inout SchemaChecker, making made: Located<String>) -> SimulatedClass? {
    guard let known = checker.requireClass(className) else { return nil }
    if let condition { checker.check(condition, of: className.value) }
    if let link, let property = checker.requireProperty(link, of: known), let type = property?.type {
      if type.type != .mixed || type.collection != nil,
        type.target != made.value || type.collection == .dictionary
      {
        checker.report.error(
          "\(known.name).\(link.value) is \(type.word), which does not link to \(made.value)", at: link.node)
      }
    }
    return known
  }
}

/// `create: { class, for_each, where, set, distinct, link, existing, missing }`
struct CreateObjects: Operation {
  static let spec = OperationSpec(
    word: "create", summary: "creates an object for each object of another class, or for each distinct value",
    fields: [
      FieldSpec("class", .className, required: true, "the class of the new objects"),
      FieldSpec("for_each", .className, required: true, "the source class"),
      .condition,
      FieldSpec(
        "set", .assignments, required: true,
        "properties with their values, computed for the source object, SELF"),
      FieldSpec("distinct", .flag, "true: create only one object for equal values"),
      ObjectSource.link, ExistingPolicy.field, .missing,
    ])

  let className: Located<String>
  let source: ObjectSource
  let assignments: [Assigned]
  let isDistinct: Bool
  let existing: ExistingPolicy
  let missing: Located<MissingPolicy>?

  init?(_ fields: Fields) {
    guard let className = fields.name("class"), let source = ObjectSource.read(fields, class: "for_each"),
      let set = fields["set"], let assignments = fields.report.assignments(set, of: "create"),
      let existing = ExistingPolicy.read(fields), let missing = MissingPolicy.read(fields)
    else { return nil }
    (self.className, self.source, self.assignments) = (className, source, assignments)
    (self.existing, self.missing) = (existing, missing)
    isDistinct = fields.flag("distinct") ?? false
  }

  var subject: String { "\(className.value) for each \(source.className.value)" }

  func check(_ checker: inout SchemaChecker) {
    guard let known = checker.requireMade(className), source.check(&checker, making: className) != nil else {
      return
    }
    var searches: [SearchedProperty] = []
    for (name, value) in assignments {
      guard let property = checker.requireProperty(name, of: known) else { continue }
      if isDistinct, let type = property?.type, type.collection != nil || value.isComposed {
        checker.report.error(
          "distinct compares single values, and \(known.name).\(name.value) is \(type.word)", at: name.node)
      }
      searches += checker.check(
        value, in: .init(className: source.className.value), for: property?.type,
        named: "\(known.name).\(name.value)")
    }
    checker.check(searches, creating: missing)
    checker.requireValues(for: assignments.map(\.name.value), of: known, at: className)
  }

  func run(_ run: OperationRun) throws {
    let from = source.className.value
    let chosen = try source.condition.map { try run.keys($0, from) }
    guard let text = assignments.first?.value.firstText,
      try chosen?.count ?? run.transaction.count(run.tableKey(from)) > 0
    else { return }
    let changes = try run.changes(assignments, of: className.value, computedFor: from)
    let maker = try ObjectMaker(run, className.value, existing)
    let policy = missing?.value ?? .null
    if let made = try run.searching(
      policy, changes, of: className.value, for: chosen, of: from, text,
      { () throws(BindingFailure) in
        try maker.make(className.value, of: source, chosen, changes, isDistinct: isDistinct)
      })
    {
      return try maker.finish(made, from: source)
    }
    try makeEach(try chosen ?? run.keys(nil, from), changes, maker, run)
  }

  private func makeEach(
    _ keys: ObjectKeyList, _ changes: [PropertyChange], _ maker: ObjectMaker, _ run: OperationRun
  ) throws {
    guard let text = assignments.first?.value.firstText else { return }
    let from = source.className.value
    let isPiecewise = try OperationFailure.wrapping(text) { () throws(BindingFailure) in
      try run.transaction.readOwnValuesOnly(changes, of: from)
    }
    let made = (sources: CompressedIntegers(), objects: CompressedIntegers())
    var known: [[Value]: ObjectKey] = [:]
    let pieceCount = isPiecewise ? ObjectMaker.pieceCount : keys.count
    for start in stride(from: 0, to: keys.count, by: pieceCount) {
      let piece = ObjectKeyList(keys[start..<min(start + pieceCount, keys.count)])
      let (found, values) = try run.searching(
        missing?.value ?? .null, changes, of: className.value, for: piece, of: from, text
      ) { () throws(BindingFailure) in
        try run.transaction.values(
          changes, of: className.value, for: piece, of: from, environment: run.environment)
      }
      // Each source with the place of its object among the new ones.
      var places: [(source: ObjectKey, place: Int)] = []
      var objects: [ObjectMaker.Values] = []
      var new: [[Value]: Int] = [:]
      for (key, values) in zip(found, values) {
        if isDistinct {
          var parts: [Value] = []
          for value in values {
            guard case .single(let single) = value else { throw EngineError.indistinct }
            parts.append(single)
          }
          if let object = known[parts] {
            if source.link != nil {
              made.sources.append(key.value)
              made.objects.append(object.value)
            }
            continue
          }
          places.append((key, new[parts] ?? objects.count))
          if new[parts] != nil { continue }
          new[parts] = objects.count
        } else {
          places.append((key, objects.count))
        }
        objects.append(zip(changes, values).map { ($0.name, $1) })
      }
      let links = try maker.make(objects)
      for (parts, place) in new { known[parts] = links[place].key }
      if source.link != nil {
        made.sources.append(contentsOf: places.lazy.map(\.source.value))
        made.objects.append(contentsOf: places.lazy.map { links[$0.place].key.value })
      }
    }
    try maker.link(made.sources, to: made.objects, from: source)
  }
}

/// `copy_objects: { from, to, where, set, link, existing }`
struct CopyObjects: Operation {
  static let spec = OperationSpec(
    word: "copy_objects",
    summary:
      "copies objects to another class: properties of the same name and type keep their values",
    fields: [
      FieldSpec("from", .className, required: true, "the class whose objects are copied"),
      FieldSpec("to", .className, required: true, "the class of the copies"), .condition,
      FieldSpec("set", .assignments, "other properties with their values, computed for the original"),
      ObjectSource.link, ExistingPolicy.field,
    ])

  let className: Located<String>
  let source: ObjectSource
  let assignments: [Assigned]
  let existing: ExistingPolicy

  init?(_ fields: Fields) {
    guard let className = fields.name("to"), let source = ObjectSource.read(fields, class: "from"),
      let existing = ExistingPolicy.read(fields)
    else { return nil }
    (self.className, self.source, self.existing) = (className, source, existing)
    guard let set = fields["set"] else {
      assignments = []
      return
    }
    guard let assignments = fields.report.assignments(set, of: "copy_objects") else { return nil }
    self.assignments = assignments
  }

  var subject: String { "\(source.className.value) → \(className.value)" }

  func check(_ checker: inout SchemaChecker) {
    guard let known = checker.requireMade(className),
      let origin = source.check(&checker, making: className)
    else { return }
    for (name, value) in assignments {
      guard let property = checker.requireProperty(name, of: known) else { continue }
      checker.check(
        value, in: .init(className: origin.name), for: property?.type, named: "\(known.name).\(name.value)")
    }
    let set = Set(assignments.map(\.name.value))
    var copied: [String] = []
    for property in known.properties where !set.contains(property.name) {
      guard let twin = origin.property(property.name) else {
        // What the source may have besides is not known.
        if !origin.isComplete { copied.append(property.name) }
        continue
      }
      copied.append(property.name)
      guard !twin.type.isCopied(to: property.type) else { continue }
      checker.report.error(
        "\(origin.name).\(property.name) is \(twin.type.word), and \(known.name).\(property.name) \(property.type.word)",
        at: className.node, hint: "give it a value: set: { \(property.name): … }")
    }
    checker.requireValues(for: copied + set, of: known, at: className)
  }

  func run(_ run: OperationRun) throws {
    let from = source.className.value
    let chosen = try source.condition.map { try run.keys($0, from) }
    let realm = try run.view()
    guard let origin = realm.classTable(from), let target = realm.classTable(className.value),
      chosen?.count ?? origin.count > 0
    else { return }
    let set = Set(assignments.map(\.name.value))
    var names: Set<String> = []
    for property in target.schema.properties where !set.contains(property.name) {
      guard let twin = origin.schema.property(named: property.name) else { continue }
      guard realm.type(of: twin).isCopied(to: realm.type(of: property)) else {
        throw EngineError(.constraint, "\(from).\(property.name) has another type in \(className.value)")
      }
      names.insert(property.name)
    }
    let changes = try run.changes(assignments, of: className.value, computedFor: from)
    let maker = try ObjectMaker(run, className.value, existing)
    if let made = try wrapping({ () throws(BindingFailure) in
      try maker.make(className.value, of: source, chosen, changes, copied: names)
    }) {
      return try maker.finish(made, from: source)
    }
    try makeEach(try chosen ?? run.keys(nil, from), names, changes, maker, run)
  }

  private func wrapping<Result>(_ body: () throws(BindingFailure) -> Result) throws -> Result {
    if let text = assignments.first?.value.firstText { return try OperationFailure.wrapping(text, body) }
    do throws(BindingFailure) {
      return try body()
    } catch {
      throw OperationFailure(cause: error, source: [], node: className.node).error
    }
  }

  private func makeEach(
    _ keys: ObjectKeyList, _ names: Set<String>, _ changes: [PropertyChange], _ maker: ObjectMaker,
    _ run: OperationRun
  ) throws {
    let table = try run.tableKey(source.className.value)
    let isPiecewise = try !isReadingOthers(changes, run)
    let made = (sources: CompressedIntegers(), objects: CompressedIntegers())
    let pieceCount = isPiecewise ? ObjectMaker.pieceCount : keys.count
    for start in stride(from: 0, to: keys.count, by: pieceCount) {
      let piece = keys[start..<min(start + pieceCount, keys.count)]
      let computed = try values(changes, piece, run)
      let copies = try run.transaction.copiedValues(of: piece, in: table, names)
      let links = try maker.make(
        zip(copies, computed).map { copied, computed in
          copied + zip(changes, computed.1).map { ($0.name, $1) }
        })
      if source.link != nil {
        made.sources.append(contentsOf: piece.lazy.map(\.value))
        made.objects.append(contentsOf: links.lazy.map(\.key.value))
      }
    }
    try maker.link(made.sources, to: made.objects, from: source)
  }

  private func isReadingOthers(_ changes: [PropertyChange], _ run: OperationRun) throws -> Bool {
    guard let text = assignments.first?.value.firstText else { return false }
    return try OperationFailure.wrapping(text) { () throws(BindingFailure) in
      try !run.transaction.readOwnValuesOnly(changes, of: source.className.value)
    }
  }

  private func values(
    _ changes: [PropertyChange], _ keys: [ObjectKey], _ run: OperationRun
  ) throws -> [(ObjectKey, [NewValue])] {
    guard let text = assignments.first?.value.firstText else { return keys.map { ($0, []) } }
    let computed = try OperationFailure.wrapping(text) { () throws(BindingFailure) in
      try run.transaction.values(
        changes, of: className.value, for: ObjectKeyList(keys), of: source.className.value,
        environment: run.environment)
    }
    return Array(zip(computed.keys, computed.values))
  }
}

extension PropertyType {
  /// Whether values of this type are values of another as they are.
  fileprivate func isCopied(to other: PropertyType) -> Bool {
    self == other
      || type == other.type && collection == other.collection && target == other.target && other.isOptional
  }
}

extension ValueText {
  /// Whether it is put together of parts.
  fileprivate var isComposed: Bool { if case .expression = self { false } else { true } }
}

extension SchemaChecker {
  /// The class, of which objects can be made on their own.
  mutating func requireMade(_ name: Located<String>) -> SimulatedClass? {
    guard let known = requireClass(name) else { return nil }
    switch known.kind {
    case .embedded?:
      report.error(
        "objects of the embedded class '\(known.name)' are created with their owners", at: name.node,
        hint: "update the property that holds them: set: { address: { city: city } }")
    case .asymmetric?:
      report.error(
        "objects of the asymmetric class '\(known.name)' are never kept in the file", at: name.node)
    default: return known
    }
    return nil
  }

  /// Complains of properties without which no object can be made.
  func requireValues(for given: [String], of known: SimulatedClass, at name: Located<String>) {
    for lacking in known.required where !given.contains(lacking) {
      report.error(
        "\(known.name).\(lacking) is required and has no value", at: name.node, hint: "add \(lacking): …")
    }
  }
}
