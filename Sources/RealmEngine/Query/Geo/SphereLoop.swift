// A closed line of great-circle arcs and what it encloses: the smaller of the two parts of the sphere, so that the
// direction in which its vertices are written does not matter. Layer: Query.
// Invariants: at least three vertices, all different; edges only meet at their ends.

/// One ring of a polygon.
struct SphereLoop: Sendable {
  /// Counterclockwise: the inside is to the left of each edge.
  let vertices: [SpherePoint]
  /// Somewhere away from what people draw around, and whether that is inside.
  private static let reference = SpherePoint(
    x: -0.009_994_664_350_250_197, y: 0.002_592_454_260_932_413_4, z: 0.999_946_692_512_174)
  private let containsReference: Bool

  /// `vertices` without the repeated first one. Throws `GeoFault` unless the invariants hold.
  init(_ vertices: [SpherePoint]) throws(GeoFault) {
    guard vertices.count >= 3 else { throw .tooFewVertices }
    guard Set(vertices).count == vertices.count else { throw .repeatedVertex }
    self.vertices = Self.turning(vertices) >= 0 ? vertices : vertices.reversed()
    containsReference = Self.contains(Self.reference, loop: self.vertices)
    guard !crossesItself else { throw .crossingEdges }
  }

  var edges: some Sequence<(SpherePoint, SpherePoint)> { zip(vertices, vertices.dropFirst() + [vertices[0]]) }

  func contains(_ point: SpherePoint) -> Bool {
    if let index = vertices.firstIndex(of: point) { return containsVertex(index) }
    var isInside = containsReference
    for (start, end) in edges where SpherePoint.cross(Self.reference, point, start, end) { isInside.toggle() }
    return isInside
  }

  /// A vertex is inside when a direction that belongs to the point alone leads inside, so that of all loops that
  /// meet there without overlapping exactly one contains it.
  private func containsVertex(_ index: Int) -> Bool {
    let vertex = vertices[index]
    let before = vertices[index == 0 ? vertices.count - 1 : index - 1]
    let after = vertices[index + 1 == vertices.count ? 0 : index + 1]
    return SpherePoint.areOrdered(vertex.perpendicular, before, after, around: vertex)
  }

  /// Whether an edge of this loop crosses one of `other`.
  func crosses(_ other: SphereLoop) -> Bool {
    edges.contains { start, end in
      other.edges.contains { Self.crossInside(start, end, $0.0, $0.1) }
    }
  }

  /// How much the direction changes on the way round, to the left: what a whole turn exceeds the enclosed area by.
  private static func turning(_ vertices: [SpherePoint]) -> Double {
    var sum = 0.0
    for index in vertices.indices {
      let before = vertices[index == 0 ? vertices.count - 1 : index - 1]
      let after = vertices[index + 1 == vertices.count ? 0 : index + 1]
      let vertex = vertices[index]
      let angle = before.cross(vertex).angle(to: vertex.cross(after))
      sum += SpherePoint.turn(before, vertex, after) > 0 ? angle : -angle
    }
    return sum
  }

  /// Whether `point`, which is on no edge, is to the left of the loop: goes from it to the middle of the first
  /// edge, where the sides are known, and counts the other edges on the way.
  private static func contains(_ point: SpherePoint, loop: [SpherePoint]) -> Bool {
    let middle = loop[0].middle(to: loop[1])
    var isInside = SpherePoint.turn(loop[0], loop[1], point) > 0
    for index in 1..<loop.count {
      let end = loop[index + 1 == loop.count ? 0 : index + 1]
      if SpherePoint.cross(point, middle, loop[index], end) { isInside.toggle() }
    }
    return isInside
  }

  private var crossesItself: Bool {
    let edges = Array(edges)
    for first in edges.indices {
      for second in edges.indices.dropFirst(first + 2)
      where Self.crossInside(edges[first].0, edges[first].1, edges[second].0, edges[second].1) {
        return true
      }
    }
    return false
  }

  /// Edges that share an end do not count as crossing.
  private static func crossInside(
    _ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint, _ d: SpherePoint
  ) -> Bool {
    a != c && a != d && b != c && b != d && SpherePoint.cross(a, b, c, d)
  }
}

/// Why corners make no shape.
package enum GeoFault: Error, Hashable, Sendable {
  case outOfRange
  case badRadius
  case openRing
  case tooFewVertices
  case repeatedVertex
  case crossingEdges
  case holeOutside
  case overlappingHoles

  package var message: String {
    switch self {
    case .outOfRange: "longitude must be within ±180 and latitude within ±90"
    case .badRadius: "the radius must be a number of radians that is not negative"
    case .openRing: "ring is not closed: its last point must be its first"
    case .tooFewVertices: "a ring needs at least three different points"
    case .repeatedVertex: "a ring passes through a point twice"
    case .crossingEdges: "the edges of a ring cross each other"
    case .holeOutside: "a hole must lie inside the outer ring"
    case .overlappingHoles: "holes must not overlap"
    }
  }
}
