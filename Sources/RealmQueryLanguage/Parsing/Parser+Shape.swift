// Regions of the earth. Layer: Parsing. Only their form is checked here, not where their points lie.

extension Parser {
  /// What follows GEOWITHIN.
  mutating func shapeOrArgument() throws(QueryError) -> Expression {
    let start = current
    if start.kind == .argument || start.kind == .specifier {
      let constant = try constant(wanted: "a shape")
      return Expression(.constant(constant), range: constant.range)
    }
    let shape = try shape()
    return Expression(.shape(shape), range: shape.range)
  }

  mutating func shape() throws(QueryError) -> GeoShape {
    let word = current
    let wanted = "geoBox, geoCircle, geoPolygon or an argument"
    guard word.kind == .word, [.geoBox, .geoCircle, .geoPolygon].contains(word.keyword) else {
      throw unexpected(wanted)
    }
    advance()
    let opener = current
    try expect(.openParenthesis, "'('")
    let kind: GeoShapeKind
    switch word.keyword {
    case .geoBox:
      let corner = try point()
      try expectPart(word, "two opposite corners")
      kind = .box(corner, try point())
    case .geoCircle:
      let center = try point()
      try expectPart(word, "a centre and a radius")
      kind = .circle(center: center, radius: try number("a radius in radians"))
    default: kind = .polygon(try rings())
    }
    try expectCloser(.closeParenthesis, of: opener)
    return GeoShape(kind, range: range(from: word.range))
  }

  private mutating func expectPart(_ word: Token, _ parts: String) throws(QueryError) {
    if take(.comma) { return }
    if current.kind == .closeParenthesis {
      let range = range(from: word.range).joined(with: current.range)
      throw QueryError(.geospatial, "\(source.text(in: word.range)) needs \(parts)", at: range)
    }
    throw unexpected("','")
  }

  private mutating func rings() throws(QueryError) -> [GeoRing] {
    var rings: [GeoRing] = []
    repeat {
      let opener = current
      try expect(.openBrace, "a ring such as {[0.0, 0.0], …}")
      var points: [GeoPoint] = []
      repeat { points.append(try point()) } while take(.comma)
      try expectCloser(.closeBrace, of: opener, or: "','")
      rings.append(GeoRing(points: points, range: range(from: opener.range)))
    } while take(.comma)
    return rings
  }

  private mutating func point() throws(QueryError) -> GeoPoint {
    let opener = current
    try expect(.openBracket, "a point such as [12.5, 55.7]")
    let longitude = try number("a longitude")
    try expect(.comma, "',' and a latitude")
    let latitude = try number("a latitude")
    let altitude = take(.comma) ? try number("an altitude") : nil
    try expectCloser(.closeBracket, of: opener)
    return GeoPoint(
      longitude: longitude, latitude: latitude, altitude: altitude, range: range(from: opener.range))
  }

  private mutating func number(_ wanted: String) throws(QueryError) -> GeoNumber {
    let start = current
    switch start.kind {
    case .argument, .specifier: return GeoNumber(.argument(takeArgument()), range: start.range)
    case .integer, .double, .float: break
    default: throw unexpected(wanted)
    }
    let value: Double =
      switch try takeLiteral() {
      case .int(let value): Double(value)
      case .double(let value, _): value
      case .float(let value, _): Double(value)
      case .decimal(let text): Double(text) ?? .infinity
      default: preconditionFailure("a number token is a number")
      }
    guard value.isFinite else {
      throw QueryError(.geospatial, "\(describe(start)) is too large for a place", at: start.range)
    }
    return GeoNumber(.number(value), range: start.range)
  }
}
