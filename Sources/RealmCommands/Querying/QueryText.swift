// The part of a query that stands on the command line: predicate, arguments, orderings. Layer: RealmCommands,
// Querying. Parsed before the file is opened, bound to its schema afterwards; complaints show the text they are about.

import Arguments
import RealmEngine
import RealmQueryLanguage
import RealmSession

extension Option {
  static let argument = Option(
    "arg", repeatable: true, takes: .text, "VALUE",
    "the value for $0, then $1 …: 30, 'Ada', 2020-01-31, {1, 2}; read as the property's type asks")
  static let parameter = Option(
    "param", repeatable: true, takes: .text, "NAME=VALUE", "the value for $NAME, as with --arg")
  static let argumentText = Option(
    "arg-text", repeatable: true, takes: .text, "TEXT", "as --arg, but always a string")
  /// What a condition takes its values from.
  static let parameters = [argument, argumentText, parameter]
  static let sort = Option("sort", takes: .properties, "KEYS", "order by KEYS: 'name, age desc'")
  static let distinct = Option(
    "distinct", takes: .properties, "PATHS", "only the first object of each combination of PATHS")
  static let select = Option(
    "select", takes: .properties, "COLUMNS", "show these: 'name, bestFriend.age, dogs.@count as dogs, @key'")
  /// What may ask for values beside a condition.
  fileprivate static let queryTexts = [sort, distinct, set]
  static let typed = Option("typed", "with --json and --jsonl: values as 'dump' writes them")
  static let limit = Option("limit", takes: .count, "N", "at most N objects")
  static let offset = Option("offset", takes: .count, "N", "leave out the first N objects")
}

extension Arguments.Operand {
  /// The class that a command asks about.
  static let className = Operand("CLASS", .className)
  /// A condition; all objects without it.
  static let predicate = Operand("PREDICATE", .condition, .atMostOnce)
}

/// A predicate with all that belongs to it, not yet bound to a schema.
struct QueryText {
  private let source: [UInt8]
  private let predicate: Predicate
  private let arguments: QueryArguments
  private var sort: (keys: [RealmQueryLanguage.SortKey], source: [UInt8])?
  private var distinct: (values: [Expression], source: [UInt8])?
  private var offset: Int?
  private var limit: Int?

  init(_ arguments: ParsedArguments) throws(Diagnostic) {
    try self.init(predicateOf: arguments)
    if let keys = arguments.word(.sort)?.bytes {
      let parsed = try Self.parse(keys) { source throws(QueryError) in try SortKey.list(parsing: source) }
      sort = (parsed, keys)
    }
    if let paths = arguments.word(.distinct)?.bytes {
      let parsed = try Self.parse(paths) { source throws(QueryError) in try Self.values(source) }
      distinct = (parsed, paths)
    }
    offset = arguments.integer(.offset).map { Int(clamping: $0) }
    limit = arguments.integer(.limit).map { Int(clamping: $0) }
  }

  /// The predicate alone: what sorts and limits is of something else.
  init(predicateOf arguments: ParsedArguments) throws(Diagnostic) {
    source = arguments.word(.predicate)?.bytes ?? Array("TRUEPREDICATE".utf8)
    predicate = try Self.parse(source) { source throws(QueryError) in try Predicate(parsing: source) }
    self.arguments = try Self.values(arguments)
  }

  /// The query as it applies to the objects of a class.
  func bound(to table: Table, in realm: ReadTransaction) throws -> BoundQuery {
    var query = try Self.bind(source) { () throws(BindingFailure) in
      try BoundQuery(predicate, source: source, of: table, in: realm, arguments: arguments)
    }
    if let sort {
      query = try Self.bind(sort.source) { () throws(BindingFailure) in
        try query.sorted(by: sort.keys, source: sort.source, in: realm)
      }
    }
    if let distinct {
      query = try Self.bind(distinct.source) { () throws(BindingFailure) in
        try query.distinct(by: distinct.values, source: distinct.source, in: realm)
      }
    }
    if let offset { query = query.adding(.offset(offset)) }
    if let limit { query = query.adding(.limit(limit)) }
    return query
  }

  /// What `--arg` and `--arg-text` give for `$0`, `$1` …, and `--param` for names.
  static func values(_ arguments: ParsedArguments) throws(Diagnostic) -> QueryArguments {
    try Parameters(arguments).arguments
  }

  private static func values(_ source: [UInt8]) throws(QueryError) -> [Expression] {
    var values: [Expression] = []
    for item in try SelectItem.list(parsing: source) {
      guard item.alias == nil else {
        throw QueryError(.sorting, "a value of distinct cannot have a name", at: item.range)
      }
      values.append(item.value)
    }
    return values
  }

  static func parse<Result>(
    _ source: [UInt8], _ body: ([UInt8]) throws(QueryError) -> Result
  ) throws(Diagnostic) -> Result {
    do throws(QueryError) {
      return try body(source)
    } catch {
      throw Diagnostic(error, in: source)
    }
  }

  static func bind<Result>(
    _ source: [UInt8], _ body: () throws(BindingFailure) -> Result
  ) throws -> Result {
    try SessionError.binding(source, body)
  }
}

/// The columns that a result is to have, not yet bound to a schema.
struct SelectionText {
  private let source: [UInt8]
  private let items: [SelectItem]

  init(_ source: [UInt8]) throws(Diagnostic) {
    self.source = source
    items = try QueryText.parse(source) { source throws(QueryError) in try SelectItem.list(parsing: source) }
  }

  func bound(to table: Table, in realm: ReadTransaction) throws -> [SelectedColumn] {
    try QueryText.bind(source) { () throws(BindingFailure) in
      try SelectedColumn.bind(items, source: source, of: table, in: realm)
    }
  }
}

extension Invocation {
  /// What the command line asks for. Who has given a value that nothing asks for is told: mostly a shell has taken `$0` for its
  /// own, or it stands in quotes.
  func queryText() throws(Diagnostic) -> QueryText {
    let text = try QueryText(arguments)
    // Who has written a whole query in place of the class is told that.
    let words = [.className, .predicate].map(arguments.word) + Option.queryTexts.map(arguments.word)
    warnOfUnaskedValues(words.compactMap { $0?.bytes })
    return text
  }

  /// Says so where the command line gives a value that none of the texts asks for.
  func warnOfUnaskedValues(_ texts: [[UInt8]]) {
    let asked = texts.reduce(into: Set<String>()) { $0.formUnion(valuesAsked(by: $1)) }
    var count = 0
    for given in arguments.occurrences(of: .argument, .argumentText, .parameter) {
      var name = "\(count)"
      if given.name == Option.parameter.name {
        name = String(given.value?.displayText.drop { $0 == "$" }.prefix { $0 != "=" } ?? "")
      } else {
        count += 1
      }
      guard !asked.contains(name) else { continue }
      warn(
        "--\(given.name) gives a value that nothing asks for: name == $\(name) does, without quotes of its own"
      )
      break
    }
  }

  /// The numbers and names of the values.
  private func valuesAsked(by text: [UInt8]) -> [String] {
    var specifierCount = 0
    return tokens(of: text).compactMap { token in
      switch token.kind {
      case .argument, .keyPathArgument:
        let digits = String(decoding: text[token.range.bounds], as: UTF8.self).drop { !$0.isNumber }
        return Int(digits).map { "\($0)" }
      case .specifier, .keyPathSpecifier:
        specifierCount += 1
        return "\(specifierCount - 1)"
      case .word where text[token.range.offset] == UInt8(ascii: "$"):
        return String(decoding: text[token.range.bounds].dropFirst(), as: UTF8.self)
      default: return nil
      }
    }
  }

  /// The query of `text` on the class that `operand` names.
  func boundQuery(
    _ text: QueryText, on operand: Arguments.Operand = .className, in realm: ReadTransaction
  ) throws -> BoundQuery {
    let name = arguments.required(operand).displayText
    let query = try text.bound(to: try realm.requiredClass(name, allTables: showsAllTables), in: realm)
    warn(about: query)
    return query
  }

  /// Says what a query probably does not mean.
  func warn(about query: BoundQuery) {
    for warning in query.warnings where !warning.isAdvice || terminal.errorIsTerminal {
      warn(warning.message)
    }
  }
}

extension Diagnostic {
  /// A complaint about a text of the query language.
  init(_ error: QueryError, in source: [UInt8]) { self.init(SessionError(error, in: source)) }
}
