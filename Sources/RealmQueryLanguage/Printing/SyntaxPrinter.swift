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

/// Regions as text.
extension SyntaxPrinter {
  mutating func shape(_ shape: GeoShape) {
    switch shape.kind {
    case .box(let corner, let opposite):
      write("geoBox(")
      list([corner, opposite]) { $0.point($1) }
    case .circle(let center, let radius):
      write("geoCircle(")
      point(center)
      write(", ")
      number(radius)
    case .polygon(let rings):
      write("geoPolygon(")
      list(rings) { printer, ring in
        printer.write("{")
        printer.list(ring.points) { $0.point($1) }
        printer.write("}")
      }
    }
    write(")")
  }

  private mutating func point(_ point: GeoPoint) {
    write("[")
    list([point.longitude, point.latitude] + (point.altitude.map { [$0] } ?? [])) { $0.number($1) }
    write("]")
  }

  private mutating func number(_ number: GeoNumber) {
    switch number.kind {
    case .number(let value): write("\(value)")
    case .argument(let reference): argument(reference)
    }
  }
}
