// Regions as text. Layer: Printing.

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
