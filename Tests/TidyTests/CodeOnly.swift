// Swift source without its comments and string literals, so that words can be looked for in what is left.

/// Replaces comments and string literals by blanks. Code inside `\(…)` is a part of its literal and goes too.
enum CodeOnly {
  static func of(_ source: String) -> String {
    var reader = Reader(Array(source.utf8))
    reader.readCode()
    return String(decoding: reader.output, as: UTF8.self)
  }

  private struct Reader {
    let input: [UInt8]
    var output: [UInt8] = []
    var index = 0

    init(_ input: [UInt8]) { self.input = input }

    mutating func readCode() {
      while index < input.count {
        if skipComment() || skipLiteral() { continue }
        output.append(input[index])
        index += 1
      }
    }

    private func at(_ text: String, _ offset: Int = 0) -> Bool {
      let start = index + offset
      return start <= input.count && input[start...].starts(with: text.utf8)
    }

    /// Keeps line ends, so that line numbers stay right.
    private mutating func blank(_ count: Int) {
      for _ in 0..<count where index < input.count {
        output.append(input[index] == UInt8(ascii: "\n") ? input[index] : UInt8(ascii: " "))
        index += 1
      }
    }

    private mutating func skipComment() -> Bool {
      if at("//") {
        while index < input.count, !at("\n") { blank(1) }
        return true
      }
      guard at("/*") else { return false }
      var depth = 0
      repeat {
        if at("/*") {
          depth += 1
          blank(2)
        } else if at("*/") {
          depth -= 1
          blank(2)
        } else {
          blank(1)
        }
      } while depth > 0 && index < input.count
      return true
    }

    private mutating func skipLiteral() -> Bool {
      let pounds = input[index...].prefix { $0 == UInt8(ascii: "#") }.count
      guard at("\"", pounds) else { return false }
      let quote = at("\"\"\"", pounds) ? "\"\"\"" : "\""
      let end = quote + String(repeating: "#", count: pounds)
      let escape = "\\" + String(repeating: "#", count: pounds)
      blank(pounds + quote.utf8.count)
      while index < input.count, !at(end) {
        if at(escape + "(") {
          blank(escape.utf8.count + 1)
          skipInterpolation()
        } else {
          blank(at(escape) ? escape.utf8.count + 1 : 1)
        }
      }
      blank(end.utf8.count)
      return true
    }

    private mutating func skipInterpolation() {
      var depth = 1
      while index < input.count, depth > 0 {
        if skipComment() || skipLiteral() { continue }
        if at("(") { depth += 1 }
        if at(")") { depth -= 1 }
        blank(1)
      }
    }
  }
}
