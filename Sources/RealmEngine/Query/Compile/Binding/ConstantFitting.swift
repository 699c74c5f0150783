// Fits a constant to the type it is compared with. Layer: Query, Compile, Binding.

import ByteText
import RealmQueryLanguage

extension ConstantTerm {
  /// The value to compare with values of `type`; nil where no such comparison can be meant.
  func fitted(to type: StaticType) -> Value? { fittedAsItStands(to: type) ?? fittedAsSpelled(to: type) }

  /// An argument, which is read as the other side's type asks.
  private func fittedAsSpelled(to type: StaticType) -> Value? {
    guard let spelling, case .value(let valueType) = type else { return nil }
    return Literal(spelling: spelling, of: valueType)?.plainValue
  }

  private func fittedAsItStands(to type: StaticType) -> Value? {
    switch kind {
    case .value(let value): return Self.fit(value, nil, type)
    case .object(let link):
      switch type {
      case .link(let target): return target.map { link.table == $0.table } ?? true ? .link(link) : nil
      case .mixed, .unknown, .null: return .link(link)
      default: return nil
      }
    case .literal(.objectKey(let key)):
      if type == .unknown { return .null }
      guard case .link(let target?) = type else { return nil }
      return .link(ObjectLink(table: target.table, key: ObjectKey(key)))
    case .literal(.typedObjectKey(let table, let key)):
      guard let table = TableKey(table), type.isOpen || type.leads(to: table) else { return nil }
      return .link(ObjectLink(table: table, key: ObjectKey(key)))
    case .literal(let literal):
      guard let value = literal.plainValue else { return nil }
      return Self.fit(value, literal.decimalText, type)
    }
  }

  /// What no integer is compared or calculated with.
  var isInfinite: Bool {
    switch plainValue {
    case .double(let value): value.isInfinite
    case .float(let value): value.isInfinite
    default: false
    }
  }

  /// The value as it stands, for a list whose element fits nothing.
  var plainValue: Value? {
    switch kind {
    case .value(let value): value
    case .object(let link): .link(link)
    case .literal(let literal): literal.plainValue
    }
  }

  /// For messages.
  var shown: String {
    switch kind {
    case .literal(let literal): literal.shown
    case .value(let value): value.shown
    case .object: "an object"
    }
  }
}

extension ConstantTerm {
  /// `text` is how a number was written, where its digits matter.
  private static func fit(_ value: Value, _ text: String?, _ type: StaticType) -> Value? {
    if value == .null { return type == .typeNames ? nil : .null }
    switch type {
    case .null, .mixed, .unknown: return value
    case .link: return nil
    case .typeNames:
      guard case .string(let word) = value else { return nil }
      return TypeNames(word: word.text).map { .int($0.rawValue) }
    case .value(.bool):
      switch value {
      case .bool: return value
      case .int(0): return .bool(false)
      case .int(1): return .bool(true)
      default: return nil
      }
    case .value(let numberType) where numberType.isNumber:
      if case .string(let word) = value { return number(word.text).flatMap { fit($0.value, $0.text, type) } }
      return value.isNumber ? fitNumber(value, text, numberType) : nil
    case .value:
      return StaticType(of: value) == type ? value : nil
    }
  }

  private static func fitNumber(_ value: Value, _ text: String?, _ type: ValueType) -> Value? {
    switch (type, value) {
    case (.int, .double(let number)): fitInteger(value, number)
    case (.int, .float(let number)): fitInteger(value, Double(number))
    case (.float, .double(let number)): .float(Float(number))
    case (.decimal128, .int(let number)): .decimal(Decimal128(number))
    case (.decimal128, .double(let number)):
      .decimal(text.flatMap(Decimal128.init(literal:)) ?? Decimal128(rounding: number))
    default: value
    }
  }

  /// Whole numbers become integers, other fractions stay: they are equal to none, but have their place among them.
  private static func fitInteger(_ value: Value, _ number: Double) -> Value? {
    if number.isInfinite { return nil }
    return Int64(exactly: number).map(Value.int) ?? value
  }

  /// A number written as a string, blanks around it or not.
  private static func number(_ word: String) -> (value: Value, text: String)? {
    let bytes = Array(word.utf8)
    guard let start = bytes.firstIndex(where: { !$0.isASCIIBlank }),
      let end = bytes.lastIndex(where: { !$0.isASCIIBlank })
    else { return nil }
    let text = String(decoding: bytes[start...end], as: UTF8.self)
    do throws(QueryError) {
      let operand = try Expression(argument: Array(bytes[start...end]))
      guard case .constant(let constant) = operand.kind, case .literal(let literal) = constant.kind,
        let value = literal.plainValue, value.isNumber
      else { return nil }
      return (value, literal.decimalText ?? text)
    } catch {
      return nil
    }
  }
}

extension Value {
  /// For messages.
  var shown: String {
    switch self {
    case .null: return "NULL"
    case .string(let text): return "'\(String(decoding: text.bytes.array().prefix(40), as: UTF8.self))'"
    case .bool(let flag): return "\(flag)"
    case .data: return "binary data"
    default: break
    }
    guard let decimalValue else { return kindName }
    var text = ByteBuffer()
    decimalValue.write(to: &text)
    return text.text
  }
}

extension StaticType {
  fileprivate func leads(to table: TableKey) -> Bool {
    guard case .link(let target?) = self else { return false }
    return target.table == table
  }
}

extension Literal {
  /// The digits of a fraction as they were written.
  fileprivate var decimalText: String? {
    switch self {
    case .double(_, let text): text
    default: nil
    }
  }
}
