// What GEOWITHIN can ask for: circles and polygons on the sphere. Layer: Query, Operators.
// Edges are great-circle arcs, also those of a box. A point on the rim of a circle is inside; one on an edge or vertex
// of polygons is in exactly one of those that meet there, which is the one that the reference engine finds it in.

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A region of the earth.
package enum GeoRegion: Sendable {
  case circle(GeoCircle)
  case polygon(GeoPolygon)

  /// The box between two opposite corners.
  package static func box(_ first: GeoPosition, _ second: GeoPosition) throws(GeoFault) -> GeoRegion {
    let other = GeoPosition(longitude: first.longitude, latitude: second.latitude)
    let opposite = GeoPosition(longitude: second.longitude, latitude: first.latitude)
    return .polygon(try GeoPolygon(rings: [[first, other, second, opposite, first]]))
  }

  /// False for positions that are not on earth.
  package func contains(_ position: GeoPosition) -> Bool {
    guard position.isValid else { return false }
    let point = SpherePoint(position)
    return switch self {
    case .circle(let circle): circle.contains(point)
    case .polygon(let polygon): polygon.contains(point)
    }
  }
}

package struct GeoCircle: Sendable {
  private let center: SpherePoint
  private let squaredChordMax: Double

  package init(center: GeoPosition, radiusRadians: Double) throws(GeoFault) {
    guard center.isValid else { throw .outOfRange }
    guard radiusRadians >= 0 else { throw .badRadius }
    self.center = SpherePoint(center)
    let halfChord = radiusRadians >= .pi ? 1 : sin(radiusRadians / 2)
    squaredChordMax = radiusRadians >= .pi ? .infinity : 4 * halfChord * halfChord
  }

  func contains(_ point: SpherePoint) -> Bool { center.squaredChord(to: point) <= squaredChordMax }
}

package struct GeoPolygon: Sendable {
  private let outer: SphereLoop
  private let holes: [SphereLoop]

  /// `rings`: the outer one, then holes; each ends where it begins. Cost: quadratic in the number of vertices.
  package init(rings: [[GeoPosition]]) throws(GeoFault) {
    guard let first = rings.first else { throw .tooFewVertices }
    outer = try Self.loop(first)
    var holes: [SphereLoop] = []
    for ring in rings.dropFirst() {
      let hole = try Self.loop(ring)
      try Self.require(hole, inside: outer)
      for other in holes where Self.overlap(hole, other) { throw .overlappingHoles }
      holes.append(hole)
    }
    self.holes = holes
  }

  func contains(_ point: SpherePoint) -> Bool {
    outer.contains(point) && !holes.contains { $0.contains(point) }
  }

  private static func loop(_ ring: [GeoPosition]) throws(GeoFault) -> SphereLoop {
    guard ring.allSatisfy(\.isValid) else { throw .outOfRange }
    guard let first = ring.first, first == ring.last, ring.count > 1 else { throw .openRing }
    var vertices: [SpherePoint] = []
    for position in ring.dropLast() {
      let point = SpherePoint(position)
      if vertices.last != point { vertices.append(point) }
    }
    if vertices.count > 1, vertices.last == vertices.first { vertices.removeLast() }
    return try SphereLoop(vertices)
  }

  private static func require(_ hole: SphereLoop, inside outer: SphereLoop) throws(GeoFault) {
    let shared = Set(outer.vertices).intersection(hole.vertices)
    let isInside = hole.vertices.allSatisfy { shared.contains($0) || outer.contains($0) }
    guard isInside, shared.count <= 1, !hole.crosses(outer) else { throw .holeOutside }
  }

  private static func overlap(_ one: SphereLoop, _ other: SphereLoop) -> Bool {
    let shared = Set(one.vertices).intersection(other.vertices)
    return shared.count > 1 || one.crosses(other)
      || one.vertices.contains { !shared.contains($0) && other.contains($0) }
      || other.vertices.contains { !shared.contains($0) && one.contains($0) }
  }
}
