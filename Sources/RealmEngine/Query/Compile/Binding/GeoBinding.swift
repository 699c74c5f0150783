// GEOWITHIN: a path to places, and the region they must lie in. Layer: Query, Compile, Binding.

import RealmQueryLanguage

extension Binder {
  func bindGeoWithin(_ comparison: Comparison) throws(BindingFailure) -> BoundPredicate {
    guard case .property(let quantifier, let reference) = comparison.left.kind, reference.question == nil
    else {
      throw BindingFailure(
        .geospatial, "GEOWITHIN needs a property with places before it", at: comparison.left.range)
    }
    // Bound as any path for the errors that any path can have.
    _ = try bind(reference, quantifier, at: comparison.left.range)
    let walk = try walk(try expanded(reference.path))
    if case .unknown = walk.place { return .constant(true) }
    guard case .link(let hop) = walk.place, let target = view.schema(hop.target),
      target.kind == .embedded,
      let type = target.property(named: "type"), type.type == .string, type.collection == nil,
      let coordinates = target.property(named: "coordinates"), coordinates.type == .double,
      coordinates.collection == .list
    else {
      throw BindingFailure(
        .geospatial, "GEOWITHIN needs embedded GeoJSON points; \(walk.description)", at: reference.range,
        hint: "a point has 'type' (string) and 'coordinates' (list of double)")
    }
    let region = try region(comparison.right)
    let path = BoundPath(hops: walk.hops + [hop], end: .object, quantifier: quantifier)
    return .geoWithin(
      GeoCondition(path: path, typeProperty: type, coordinatesProperty: coordinates, region: region))
  }

  private func region(_ operand: Expression) throws(BindingFailure) -> GeoRegion {
    guard case .region(let shape) = try side(operand) else {
      throw BindingFailure(
        .geospatial, "GEOWITHIN needs geoBox, geoCircle or geoPolygon after it", at: operand.range)
    }
    let outline = try outline(shape)
    do throws(GeoFault) {
      return try outline.region()
    } catch {
      throw BindingFailure(.geospatial, error.message, at: shape.range)
    }
  }

  private func outline(_ shape: GeoShape) throws(BindingFailure) -> GeoOutline {
    try GeoOutline(shape) { number throws(BindingFailure) in
      switch number.kind {
      case .number(let value): return value
      case .argument(let reference): return try context.arguments.number(reference, at: number.range)
      }
    }
  }
}

extension GeoRegion {
  /// The region that a text of its own describes, such as `geoCircle([7.5, 46.9], 0.01)`.
  package init(written text: [UInt8]) throws(EngineError) {
    let hint = "geoBox, geoCircle or geoPolygon, as in conditions"
    do {
      let expression = try Expression(argument: text)
      guard case .shape(let shape) = expression.kind else {
        throw BindingFailure(
          .geospatial, "expected geoBox(…), geoCircle(…) or geoPolygon(…)", at: expression.range)
      }
      self = try GeoOutline(shape) { number throws(BindingFailure) in
        guard case .number(let value) = number.kind else {
          throw BindingFailure(.geospatial, "a number is needed here", at: number.range)
        }
        return value
      }.region()
    } catch let error as QueryError {
      throw EngineError(.badQuery, "geo_within: \(error.message)", hint: hint)
    } catch BindingFailure.query(let error) {
      throw EngineError(.badQuery, "geo_within: \(error.message)", hint: hint)
    } catch {
      let fault = (error as? GeoFault)?.message
      throw EngineError(.badQuery, "geo_within: \(fault ?? "this is no region")", hint: hint)
    }
  }
}

/// A region before it is known to be one.
private enum GeoOutline {
  case box(GeoPosition, GeoPosition)
  case circle(GeoPosition, Double)
  case polygon([[GeoPosition]])

  init(
    _ shape: GeoShape, _ number: (GeoNumber) throws(BindingFailure) -> Double
  ) throws(BindingFailure) {
    func position(_ point: GeoPoint) throws(BindingFailure) -> GeoPosition {
      GeoPosition(longitude: try number(point.longitude), latitude: try number(point.latitude))
    }
    switch shape.kind {
    case .box(let first, let second): self = .box(try position(first), try position(second))
    case .circle(let center, let radius): self = .circle(try position(center), try number(radius))
    case .polygon(let rings):
      var outlines: [[GeoPosition]] = []
      for ring in rings {
        let positions = try ring.points.map { point throws(BindingFailure) in try position(point) }
        outlines.append(positions)
      }
      self = .polygon(outlines)
    }
  }

  func region() throws(GeoFault) -> GeoRegion {
    switch self {
    case .box(let first, let second): try .box(first, second)
    case .circle(let center, let radius): .circle(try GeoCircle(center: center, radiusRadians: radius))
    case .polygon(let rings): .polygon(try GeoPolygon(rings: rings))
    }
  }
}
