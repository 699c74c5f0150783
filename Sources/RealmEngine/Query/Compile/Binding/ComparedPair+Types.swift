// The type errors of a comparison, and constants fitted to the other side. Layer: Query, Compile, Binding.

import ByteText
import RealmQueryLanguage

extension ComparedPair {
  /// Links and types have no order.
  func checkOrder(_ type: StaticType) throws(BindingFailure) {
    guard relation.isOrdering else { return }
    switch type {
    case .link: throw BindingFailure(.orderingType, "only == and != work on links", at: symbolRange)
    case .typeNames: throw BindingFailure(.orderingType, "only == and != work on @type", at: symbolRange)
    case .unknown, .null, .value: break
    }
  }

  func requireText(_ type: StaticType, _ name: String, _ range: SourceRange) throws(BindingFailure) {
    if type.isText { return }
    let operation = relation.isTextOperator ? symbol.rawValue : "[c] and [d]"
    throw BindingFailure(
      .type, "\(operation) needs texts or binary data; \(name) is \(type.name)", at: range)
  }

  /// The constant beside `side`, which stands to its right when `isRight`.
  func value(
    _ term: ConstantTerm, for side: BoundSide, isRight: Bool
  ) throws(BindingFailure) -> Value {
    try checkOrder(side.kind)
    if relation.isTextOperator {
      try requireText(side.kind, name(side), side.range)
      // Text is never in binary data, nor the other way round, but to ask is no mistake of types.
      if !term.isArgument, let plain = term.plainValue, plain != .null, StaticType(of: plain).isText,
        !side.kind.isOpen,
        StaticType(of: plain) != side.kind
      {
        context.warn("\(term.shown) is never part of \(side.kind.name)", at: term.range)
        return plain
      }
    }
    guard let value = term.fitted(to: side.kind) else { throw misfit(term, side) }
    if value == .null { try checkNull(term, side) }
    try checkFoldable(value, term)
    if relation.isTextOperator, value != .null {
      try requireText(StaticType(of: value), context.quoted(term.range), term.range)
    }
    return value
  }

  /// Letters are texts' alone.
  func requireFoldable(_ side: BoundSide) throws(BindingFailure) {
    if relation.folding != .none, !side.kind.isText { throw unfoldable(side) }
  }

  func unfoldable(_ side: BoundSide) -> BindingFailure {
    BindingFailure(
      .type, "letters can only be disregarded in texts; \(name(side)) is \(side.kind.name)",
      at: symbolRange)
  }

  /// Letters cannot be folded in what is no text.
  private func checkFoldable(_ value: Value, _ term: ConstantTerm) throws(BindingFailure) {
    guard relation.folding != .none, case .string(let text) = value,
      firstInvalidUTF8Index(in: text.bytes.span) != nil
    else { return }
    throw BindingFailure(.encoding, "[c] and [d] need text in UTF-8", at: term.range)
  }

  private func checkNull(_ term: ConstantTerm, _ side: BoundSide) throws(BindingFailure) {
    if relation.isTextOperator, side.kind == .mixed {
      throw BindingFailure(.type, "\(symbol.rawValue) needs texts or binary data, not NULL", at: term.range)
    }
    if case .link = side.kind, side.mayBeSeveral {
      let path = context.source.text(in: side.range)
      throw BindingFailure(
        .type, "\(name(side)) is never NULL: it leads to several objects", at: term.range,
        hint: "write \(path).@count == 0")
    }
  }

  /// The constants of a list beside `side`, and those among them that can be equal to its values.
  func values(
    _ terms: [ConstantTerm], for side: BoundSide
  ) throws(BindingFailure) -> (all: [Value], comparable: [Value]) {
    try checkOrder(side.kind)
    if relation.isTextOperator { try requireText(side.kind, name(side), side.range) }
    switch side.kind {
    case .link, .typeNames: try requireFoldable(side)
    case .unknown, .null, .value: break
    }
    var all: [Value] = []
    var comparable: [Value] = []
    for term in terms {
      if let value = term.fitted(to: side.kind) {
        try checkFoldable(value, term)
        all.append(value)
        comparable.append(value)
        continue
      }
      switch side.kind {
      case .link, .typeNames: throw misfit(term, side)
      case .unknown, .null, .value: if term.isArgument || term.isInfinite { throw misfit(term, side) }
      }
      context.warn("\(term.shown) is never equal to \(side.kind.name) \(name(side))", at: term.range)
      if let value = term.plainValue { all.append(value) }
    }
    return (all, comparable)
  }

  /// The complaint about a constant that no value of `side` can be compared with.
  private func misfit(_ term: ConstantTerm, _ side: BoundSide) -> BindingFailure {
    switch (side.kind, term.kind) {
    case (.typeNames, .literal(.string(let bytes))):
      let word = String(decoding: bytes, as: UTF8.self)
      return BindingFailure(
        .typeName, "unknown type name '\(word)'; use \(TypeNames.commonWords)", at: term.range,
        suggestion: TypeNames.nearestWord(to: word))
    case (.typeNames, _):
      return BindingFailure(
        .type, "@type is compared with a name such as 'int', not with \(term.shown)", at: term.range,
        hint: term.kind.isNull ? "write 'null'" : nil)
    case (.link(let target), .object(let link)):
      let (wanted, given) = (target?.name ?? "?", context.view.linkedClass(link.table).name)
      return BindingFailure(
        .object, "\(name(side)) links to '\(wanted)', not to '\(given)'", at: term.range)
    case (.link(let target), _):
      return BindingFailure(
        .type, mismatch(term, side), at: term.range, hint: hint(for: term, besideLinkTo: target, side))
    default:
      return BindingFailure(
        .type, mismatch(term, side), at: term.range, hint: term.literalHint(for: side.kind))
    }
  }

  private func mismatch(_ term: ConstantTerm, _ side: BoundSide) -> String {
    let type = term.typeName.map { "\($0) " } ?? ""
    return "cannot compare \(side.kind.name) \(name(side)) with \(type)\(term.shown)"
  }

  /// How to name an object by its primary key, or by another property where its class has none.
  private func hint(
    for term: ConstantTerm, besideLinkTo target: LinkedClass?, _ side: BoundSide
  ) -> String? {
    guard let schema = target.flatMap({ context.view.schema($0.table) }) else { return nil }
    if let primaryKey = schema.primaryKey {
      let isKey = term.plainValue.map { StaticType(of: $0).name } == primaryKey.type.name
      return "write obj('\(schema.name)', \(isKey ? "\(term.shown))" : "…) with its \(primaryKey.name)")"
    }
    let path = context.source.text(in: side.range)
    return schema.properties.first { $0.collection == nil && !$0.isLink }.map {
      "compare a property of it, such as \(path).\($0.name)"
    }
  }
}

extension ConstantTerm.Kind {
  fileprivate var isNull: Bool {
    switch self {
    case .literal(.null), .value(.null): true
    default: false
    }
  }
}

extension ConstantTerm {
  /// Nil where `shown` says it.
  fileprivate var typeName: String? {
    guard let value = plainValue, value.isNumber || [.string, .bool].contains(value.type) else { return nil }
    return StaticType(of: value).name
  }

  /// Whether a string is a date but for its quotes.
  private static func looksLikeDate(_ bytes: [UInt8]) -> Bool {
    let lengths = [10, 16, 19, 20]
    return lengths.contains(bytes.count)
      && bytes.enumerated().allSatisfy { position, byte in
        switch position {
        case 4, 7: byte == UInt8(ascii: "-")
        case 10: [UInt8(ascii: "T"), UInt8(ascii: "@"), UInt8(ascii: " ")].contains(byte)
        case 13, 16: byte == UInt8(ascii: ":")
        case 19: byte == UInt8(ascii: "Z")
        default: (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
      }
  }

  private static let examples: [ValueType: String] = [
    .bool: "true or false", .data: "binary('…') or binary(B64\"…\")", .uuid: "uuid(…)", .objectID: "oid(…)",
    .date: "a date without quotes: 2020-12-31 or 2020-12-31T23:59:59",
  ]

  /// The date that a number was meant to be: a year, or seconds or milliseconds since 1970; an example for others.
  private static func dateExample(for number: Int64) -> String? {
    switch number {
    case 1900...2100: return "\(number)-01-01"
    // From 1973 on, in either unit; up to the year 5138.
    case 100_000_000..<100_000_000_000: return "T\(number):0 or 2020-12-31T23:59:59"
    case 100_000_000_000..<100_000_000_000_000:
      return "T\(number / 1000):\(number % 1000 * 1_000_000) or 2020-12-31T23:59:59"
    default: return examples[.date]
    }
  }

  /// What to write to get a constant of `type`.
  fileprivate func literalHint(for type: StaticType) -> String? {
    guard case .value(let type) = type else { return nil }
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    let wanted: String?
    switch (type, kind) {
    case (.uuid, .literal(.string(let bytes))) where bytes.count == 36: wanted = "uuid(\(text(bytes)))"
    case (.objectID, .literal(.string(let bytes))) where bytes.count == 24: wanted = "oid(\(text(bytes)))"
    case (.date, .literal(.int(let number))): wanted = Self.dateExample(for: number)
    case (.date, .literal(.string(let bytes))) where Self.looksLikeDate(bytes):
      let blank = UInt8(ascii: " ")
      wanted = text(bytes.map { $0 == blank ? UInt8(ascii: "T") : $0 })
    case (.string, _):
      wanted =
        plainValue?.type == .data ? "the text in quotes" : plainValue?.isNumber == true ? "'\(shown)'" : nil
    case (.int, .literal(.objectKey(let key))): wanted = "\(key)"
    default: wanted = Self.examples[type]
    }
    return wanted.map { "write \($0)" }
  }
}
