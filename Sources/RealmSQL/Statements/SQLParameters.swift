// The values that `?1` and `:name` stand for. Layer: RealmSQL, Statements.

import ByteText
import RealmEngine

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
      if let name, name.first != "?" {
        guard let value = named[String(name.dropFirst())] else {
          throw EngineError(
            .badQuery, "\(name) is used but not given", hint: "give it with --param \(name.dropFirst())=VALUE"
          )
        }
        try statement.bind(number + 1, value)
        continue
      }
      guard number < numbered.count else {
        let given = numbered.count == 1 ? "1 value is" : "\(numbered.count) values are"
        throw EngineError(
          .badQuery, "\(name ?? "?\(number + 1)") is used but only \(given) given",
          hint: "give the values in order with --arg")
      }
      try statement.bind(number + 1, numbered[number])
    }
  }
}

extension SQLValue {
  /// What a user wrote: a number where it looks like one, else the text, without quotes around it.
  package init(written bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let number = Int64(text) {
      self = .integer(number)
    } else if bytes.contains(where: { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      bytes.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let number = Double(text)
    {
      self = SQLValue(number)
    } else if text == "null" || text == "NULL" {
      self = .null
    } else if bytes.count >= 2, let quote = bytes.first, quote == bytes.last,
      quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"")
    {
      self = .text(ByteString(copying: bytes[1..<bytes.count - 1]))
    } else {
      self = .text(ByteString(copying: bytes))
    }
  }
}
