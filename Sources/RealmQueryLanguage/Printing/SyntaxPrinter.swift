// From a syntax tree back to text that parses to the same tree. Layer: Printing.
// One spelling for each thing: `==`, `AND`, `.@count`, dates as ticks, binary as base64. Parentheses only where
// the tree needs them.

import ByteText

/// Collects the text of syntax trees.
struct SyntaxPrinter: ~Copyable {
  var buffer = ByteBuffer()

  mutating func write(_ text: String) { buffer.append(text: text) }

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
    return printer.buffer.text
  }
}

extension PropertyReference: CustomStringConvertible {
  package var description: String {
    var printer = SyntaxPrinter()
    printer.property(self)
    return printer.buffer.text
  }
}

extension SyntaxNode: CustomStringConvertible where Kind == ExpressionKind {
  package var description: String {
    var printer = SyntaxPrinter()
    printer.expression(self)
    return printer.buffer.text
  }
}
