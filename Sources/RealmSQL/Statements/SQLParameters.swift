// The values that `?1` and `:name` stand for. Layer: RealmSQL, Statements.

import ByteText
package import RealmEngine

/// Values by number, from 0 on, and by name.
package struct SQLParameters: Sendable {
  private let numbered: [SQLValue]
  private let named: [String: SQLValue]

  package init(_ numbered: [SQLValue] = [], named: [String: SQLValue] = [:]) {
    self.numbered = numbered
    self.named = named
  }

  /// How many of the values by number a statement asks for, those before them included.
  package func askedCount(by statement: SQLStatement) -> Int {
    (0..<statement.parameterCount).reduce(0) { count, number in
      guard let index = index(of: number, in: statement) else { return count }
      return max(count, index + 1)
    }
  }

  /// The number of the value that a parameter stands for; nil for one with a name.
  private func index(of number: Int, in statement: SQLStatement) -> Int? {
    guard let name = statement.parameterName(number + 1), name.first != "?" else { return number }
    // `$0` is the first, as in conditions.
    return name.first == "$" ? Int(name.dropFirst()) : nil
  }

  package var numberedCount: Int { numbered.count }

  /// Every parameter of the statement must have a value.
  func bind(to statement: SQLStatement) throws {
    for number in 0..<statement.parameterCount {
      let name = statement.parameterName(number + 1)
      guard let index = index(of: number, in: statement) else {
        let name = name ?? ""
        guard let value = named[String(name.dropFirst())] else {
          if name.contains("(") {
            throw EngineError(
              .badQuery, "\(name) is no function", hint: "write \(name.dropFirst()), without a sign before it"
            )
          }
          throw EngineError(
            .badQuery, "\(name) is used but not given", parameter: .named(String(name.dropFirst())))
        }
        try statement.bind(number + 1, value)
        continue
      }
      guard numbered.indices.contains(index) else {
        let given = counted(numbered.count, "value is", "values are")
        // Numbers that are passed over have no name: what passes over them has one.
        let named = (number..<statement.parameterCount).lazy.compactMap { statement.parameterName($0 + 1) }
        throw EngineError(
          .badQuery,
          "\(named.first { $0.first == "?" || $0.first == "$" } ?? "?\(number + 1)") is used but only \(given) given",
          parameter: .numbered)
      }
      try statement.bind(number + 1, numbered[index])
    }
  }
}

extension SQLValue {
  /// What a user wrote, as conditions read it.
  package init(written bytes: [UInt8]) {
    self.init(
      (try? QueryArgument(spelling: bytes)) ?? QueryArgument(QueryArguments.text(bytes)), written: bytes)
  }

  /// An argument: a number, `true`, `false`, `null` or a text in quotes; else what was written, as a text.
  package init(_ argument: QueryArgument, written bytes: [UInt8]) {
    let text = SQLValue.text(ByteString(copying: bytes))
    switch argument.value {
    // A code or a phone number; a column of numbers takes it as one.
    case _ where Self.hasLeadingZeros(bytes): self = text
    case .bool?, .null?:
      let isWord = ["true", "false", "null"].contains(String(decoding: bytes, as: UTF8.self).lowercased())
      self = isWord ? argument.value.flatMap(SQLValue.init) ?? text : text
    // A number that is too large for 64 bits.
    case .decimal(let decimal)?:
      let double = decimal.doubleValue
      self = decimal.spells(double) ? SQLValue(double) : text
    case .double(let number)?: self = number.isFinite ? SQLValue(number) : text
    case .int(let number)?: self = .integer(number)
    case .string(let string)?: self = .text(string)
    default: self = text
    }
  }

  /// `00712`
  private static func hasLeadingZeros(_ bytes: [UInt8]) -> Bool {
    let digits = bytes.drop { $0 == UInt8(ascii: "-") }.prefix(2)
    return digits.count == 2 && digits.first == UInt8(ascii: "0") && digits.allSatisfy(\.isDigit)
  }
}
