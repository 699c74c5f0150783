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

  /// Every parameter of the statement must have a value.
  func bind(to statement: SQLStatement) throws {
    for number in 0..<statement.parameterCount {
      let name = statement.parameterName(number + 1)
      // `$0` is the first, as in conditions.
      let place = name.flatMap { $0.first == "$" ? Int($0.dropFirst()) : nil }
      if let name, name.first != "?", place == nil {
        guard let value = named[String(name.dropFirst())] else {
          throw EngineError(
            .badQuery, "\(name) is used but not given",
            hint: "give it with --param \(name.dropFirst())=VALUE, at the prompt with .param set")
        }
        try statement.bind(number + 1, value)
        continue
      }
      let index = place ?? number
      guard numbered.indices.contains(index) else {
        let given = counted(numbered.count, "value is", "values are")
        throw EngineError(
          .badQuery, "\(name ?? "?\(number + 1)") is used but only \(given) given",
          hint: "give the values in order with --arg, at the prompt with .param set 0 VALUE")
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

  /// An argument as columns hold its value, so that it equals what stands there; else its text. A day alone is what
  /// `date(born)` gives, and less than every time of it.
  package init(_ argument: QueryArgument, written bytes: [UInt8]) {
    let text = SQLValue.text(ByteString(copying: bytes))
    switch argument.value {
    case .date? where Self.isDay(bytes): self = text
    // A number that is too large for 64 bits.
    case .decimal?: self = Double(String(decoding: bytes, as: UTF8.self)).map { SQLValue($0) } ?? text
    case let value?: self = SQLValue(value) ?? text
    case nil: self = text
    }
  }

  /// `2020-01-31`
  private static func isDay(_ bytes: [UInt8]) -> Bool {
    bytes.count == 10 && bytes[4] == UInt8(ascii: "-") && bytes[7] == UInt8(ascii: "-")
  }
}
