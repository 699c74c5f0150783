// From a syntax tree back to text that parses to the same tree. Layer: Printing.
// One spelling for each thing: `==`, `AND`, `.@count`, dates as ticks, binary as base64. Parentheses only where
// the tree needs them.

/// Collects the text of syntax trees.
struct SyntaxPrinter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func write(bytes text: some Sequence<UInt8>) { bytes.append(contentsOf: text) }

  mutating func list<Element>(
    _ elements: [Element], separator: String = ", ", _ write: (inout SyntaxPrinter, Element) -> Void
  ) {
    for (position, element) in elements.enumerated() {
      if position > 0 { self.write(separator) }
      write(&self, element)
    }
  }

  mutating func parenthesized(if isNeeded: Bool, _ write: (inout SyntaxPrinter) -> Void) {
    if isNeeded { self.write("(") }
    write(&self)
    if isNeeded { self.write(")") }
  }
}

extension Predicate: CustomStringConvertible {
  package var description: String {
    var printer = SyntaxPrinter()
    printer.predicate(self)
    return String(decoding: printer.bytes, as: UTF8.self)
  }
}

extension PropertyReference: CustomStringConvertible {
  package var description: String {
    var printer = SyntaxPrinter()
    printer.property(self)
    return String(decoding: printer.bytes, as: UTF8.self)
  }
}

extension SyntaxNode: CustomStringConvertible where Kind == ValueExpressionKind {
  package var description: String {
    var printer = SyntaxPrinter()
    printer.expression(self)
    return String(decoding: printer.bytes, as: UTF8.self)
  }
}
