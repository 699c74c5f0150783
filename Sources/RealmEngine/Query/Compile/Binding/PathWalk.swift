// The steps of a path, looked up one after the other. Layer: Query, Compile, Binding.

import RealmQueryLanguage

/// A path as far as its steps have been taken.
struct PathWalk {
  /// What the steps so far lead to.
  enum Target {
    /// The objects of `table`: before the first step, or behind SELF or a subquery's variable.
    case object
    /// A link that the next step may follow.
    case link(Hop)
    case value(Property)
    /// Elements of a list or set of values; `isChosen` when brackets said which.
    case elements(Property, ElementChoice, isChosen: Bool)
    case dictionary(Property)
    /// All of them, behind `[*]` or `@values`; only the former lets steps into the values follow.
    case dictionaryValues(Property, mayFollow: Bool)
    case dictionaryValue(Property, ByteString)
    case keys(Property)
    /// `.@key`
    case objectKey
    /// `.length`
    case lengths(Property, ElementChoice)
    /// `@links`, before `.@count`
    case allIncoming
    /// Something of a schema that is known in part.
    case unknown

    /// Whether it is mixed values, which steps in brackets lead into.
    var isMixedValue: Bool {
      switch self {
      case .elements(let property, _, isChosen: true), .dictionaryValues(let property, mayFollow: true),
        .dictionaryValue(let property, _), .value(let property):
        property.type == .mixed
      default: false
      }
    }
  }

  private(set) var hops: [Hop] = []
  /// The class of the objects that `hops` lead to.
  private(set) var schema: ClassSchema
  private(set) var place = Target.object
  /// Steps into mixed values.
  private(set) var steps: [ValueStep] = []
  /// Of the steps taken.
  private(set) var range: SourceRange

  let context: BindingContext

  init(from schema: ClassSchema, at range: SourceRange, _ context: BindingContext) {
    self.schema = schema
    self.range = SourceRange(offset: range.offset, length: 0)
    self.context = context
  }

  mutating func take(_ step: PathStep) throws(BindingFailure) {
    defer { range = range.joined(with: step.range) }
    if case .unknown = place { return }
    switch step.kind {
    case .name(let name): try takeName(name)
    case .backlink(let className, let property):
      try followLink(before: step.range)
      place = try incoming(className, property, at: step.range)
    case .allBacklinks:
      try followLink(before: step.range)
      place = .allIncoming
    case .objectKey:
      try followLink(before: step.range)
      place = .objectKey
    case .keys: try takeKeys(step.range)
    case .values: try takeValues(step.range)
    case .position(let position): try choose(.at(Int(clamping: position)), at: step.range)
    case .first: try choose(.first, at: step.range)
    case .last: try choose(.last, at: step.range)
    case .all: try choose(.all, at: step.range)
    case .key(let key): try takeKey(ByteString(copying: key), at: step.range)
    case .argument(let reference): try takeArgument(reference, at: step.range)
    case .keyPathArgument: preconditionFailure("paths in arguments are put in place before the walk")
    }
  }
}

extension PathWalk {
  private mutating func takeName(_ name: Name) throws(BindingFailure) {
    let key = ByteString(name.text)
    switch place {
    case .object: place = try property(name)
    case .link(.entries(let property, let target)) where !hasProperty(name, target):
      place = .link(.entry(property, target, key: key))
    case .link:
      try followLink(before: name.range)
      place = try property(name)
    case .value(let property) where property.type == .mixed,
      .dictionaryValue(let property, _) where property.type == .mixed,
      .dictionaryValues(let property, mayFollow: true) where property.type == .mixed:
      steps.append(.key(key))
    case .dictionary(let property): place = .dictionaryValue(property, key)
    case .elements(let property, let choice, let isChosen):
      if isChosen, property.type == .mixed {
        steps.append(.key(key))
      } else if name.text.lowercased() == "length", [.string, .data, .mixed].contains(property.type) {
        place = .lengths(property, choice)
      } else {
        throw nothingCanFollow(name)
      }
    case .value, .dictionaryValue, .dictionaryValues, .objectKey, .keys, .lengths, .allIncoming, .unknown:
      throw nothingCanFollow(name)
    }
  }

  private func nothingCanFollow(_ name: Name) -> BindingFailure {
    let path = context.source.text(in: range)
    let hint: String? =
      switch (name.text.lowercased(), place) {
      case ("length", _): "write .@size for the number of bytes"
      case ("isempty", .value(let property)) where property.type == .string: "write \(path) == ''"
      case ("isempty", .elements), ("isempty", .dictionary): "write \(path).@count == 0"
      default: nil
      }
    return BindingFailure(
      .step, "\(description); nothing can follow it", at: name.range, hint: hint)
  }

  private func hasProperty(_ name: Name, _ target: TableKey) -> Bool {
    context.view.schema(target).map {
      $0.property(named: name.text) != nil || context.view.mayHave(name.text, in: $0)
    } ?? false
  }

  private func property(_ name: Name) throws(BindingFailure) -> Target {
    guard let property = schema.property(named: name.text) else {
      if context.view.mayHave(name.text, in: schema) { return .unknown }
      throw UnknownProperty(name: name, schema: schema, view: context.view).failure
    }
    if property.isLink, let target = property.target {
      switch property.collection {
      case nil: return .link(.toOne(property, target))
      case .list?, .set?: return .link(.elements(property, target, .all))
      case .dictionary?: return .link(.entries(property, target))
      }
    }
    switch property.collection {
    case nil: return .value(property)
    case .list?, .set?: return .elements(property, .all, isChosen: false)
    case .dictionary?: return .dictionary(property)
    }
  }

  /// Goes through a link that stands before another step.
  private mutating func followLink(before range: SourceRange) throws(BindingFailure) {
    switch place {
    case .object: return
    case .link(let hop):
      guard let target = context.view.schema(hop.target) else {
        throw BindingFailure(
          .property, "\(context.quoted(self.range)) links to a class that the file does not have", at: range)
      }
      hops.append(hop)
      schema = target
      place = .object
    default: throw BindingFailure(.step, "\(description); nothing can follow it", at: range)
    }
  }

  private func incoming(
    _ className: Name, _ propertyName: Name, at range: SourceRange
  ) throws(BindingFailure) -> Target {
    let origin: ClassSchema
    switch context.view.schema(named: className.text) {
    case .known(let schema): origin = schema
    case .unknown: return .unknown
    case .absent:
      throw BindingFailure(
        .backlink, "no class '\(className.text)'", at: className.range,
        suggestion: context.view.nearestClassName(to: className.text))
    }
    guard let property = origin.property(named: propertyName.text) else {
      if context.view.mayHave(propertyName.text, in: origin) { return .unknown }
      throw UnknownProperty(name: propertyName, schema: origin, view: context.view).failure(.backlink)
    }
    if schema.isUnknown { return .unknown }
    let key = origin.tableKey
    let column = schema.backlinks.first {
      $0.originTable == key && $0.originColumn == property.columnKey
    }
    guard let column, property.type == .mixed || property.isLink && property.target == schema.tableKey else {
      throw BindingFailure(
        .backlink,
        "'\(className.text).\(propertyName.text)' does not link to '\(schema.name)'", at: range)
    }
    return .link(.incoming(column, table: key, property: property))
  }
}

extension PathWalk {
  private mutating func takeKeys(_ range: SourceRange) throws(BindingFailure) {
    switch place {
    case .dictionary(let property), .link(.entries(let property, _)): place = .keys(property)
    case .value(let property) where property.type == .mixed,
      .dictionaryValue(let property, _) where property.type == .mixed:
      steps.append(.keys)
    default: throw BindingFailure(.step, "@keys needs a dictionary; \(description)", at: range)
    }
  }

  private mutating func takeValues(_ range: SourceRange) throws(BindingFailure) {
    switch place {
    case .dictionary(let property): place = .dictionaryValues(property, mayFollow: false)
    case .link(.entries): break
    case .value(let property) where property.type == .mixed,
      .dictionaryValue(let property, _) where property.type == .mixed:
      steps.append(.element(.all))
    default: throw BindingFailure(.step, "@values needs a dictionary; \(description)", at: range)
    }
  }

  /// A position, or `[*]`.
  private mutating func choose(_ choice: ElementChoice, at range: SourceRange) throws(BindingFailure) {
    switch place {
    case .link(.elements(let property, let target, .all))
    where property.collection == .list || choice == .all:
      place = .link(.elements(property, target, choice))
    case .link(.entries) where choice == .all: break
    case .elements(let property, .all, isChosen: false) where property.collection == .list || choice == .all:
      place = .elements(property, choice, isChosen: true)
    case .dictionary(let property) where choice == .all:
      place = .dictionaryValues(property, mayFollow: true)
    case _ where place.isMixedValue: steps.append(.element(choice))
    default: throw BindingFailure(.index, "\(description) and has no positions", at: range)
    }
  }

  private mutating func takeKey(_ key: ByteString, at range: SourceRange) throws(BindingFailure) {
    switch place {
    case .dictionary(let property): place = .dictionaryValue(property, key)
    case .link(.entries(let property, let target)): place = .link(.entry(property, target, key: key))
    // Of an object a key is a property.
    case .link(.toOne): try takeName(Name(key.text, isQuoted: true, range: range))
    case _ where place.isMixedValue: steps.append(.key(key))
    default: throw BindingFailure(.index, "\(description) and has no keys", at: range)
    }
  }

  private mutating func takeArgument(
    _ reference: ArgumentReference, at range: SourceRange
  ) throws(BindingFailure) {
    switch try context.arguments.constant(reference, at: range) {
    case .int(let position) where position >= 0: try choose(.at(Int(position)), at: range)
    case .string(let key): try takeKey(ByteString(copying: key), at: range)
    default: throw BindingFailure(.argument, "\(reference.shown) must be a position or a key here", at: range)
    }
  }
}

/// What a path has led to, in words.
extension PathWalk {
  /// `'tags' is a list of string`
  var description: String { "\(context.quoted(range)) is \(kind)" }

  private var kind: String {
    switch place {
    case .object: "an object"
    case .link(.toOne), .link(.entry): "a link"
    case .link(.elements(let property, _, _)): "a \(property.collection?.name ?? "list") of links"
    case .link(.entries): "a dictionary of links"
    case .link(.incoming): "a list of objects"
    case .value(let property): property.type.articled
    case .elements(let property, let choice, let isChosen):
      isChosen && choice != .all
        ? property.type.articled : "a \(property.collection?.name ?? "list") of \(property.type.name)"
    case .dictionary: "a dictionary"
    case .dictionaryValue(let property, _): property.type.articled
    case .dictionaryValues: "a list of values"
    case .objectKey: "an object key"
    case .keys: "a list of keys"
    case .lengths: "a list of lengths"
    case .allIncoming: "a list of objects"
    case .unknown: "not known"
    }
  }
}

extension ValueType {
  /// `an int`, `a string`
  var articled: String {
    let vowels: [Character] = ["a", "e", "i", "o"]
    return name.first.map(vowels.contains) == true ? "an \(name)" : "a \(name)"
  }
}
