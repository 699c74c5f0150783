// A closed line of great-circle arcs and what it encloses: the smaller of the two parts of the sphere, so that the
// direction in which its vertices are written does not matter. Layer: Query, Operators.
// Invariants: at least three vertices, all different; edges only meet at their ends.

/// One ring of a polygon.
struct SphereLoop: Sendable {
  /// Counterclockwise: the inside is to the left of each edge.
  let vertices: [SpherePoint]
  /// Somewhere away from what people draw around, and whether that is inside.
  private static let reference = SpherePoint(x: 0.00457, y: 1, z: 0.0321).normalized
  private let containsReference: Bool

  /// `vertices` without the repeated first one. Throws `GeoFault` unless the invariants hold.
  init(_ vertices: [SpherePoint]) throws(GeoFault) {
    guard vertices.count >= 3 else { throw .tooFewVertices }
    guard Set(vertices).count == vertices.count else { throw .repeatedVertex }
    // A loop around half of the sphere, but for errors of rounding, stays as it is.
    let vertices = Self.turning(vertices) >= -1e-14 ? vertices : vertices.reversed()
    self.vertices = vertices
    // Whether a vertex is inside is known: the reference has to be where the way from there says so.
    containsReference = Self.containsVertex(1, of: vertices) != Self.isOddWay(to: vertices[1], vertices)
    guard !crossesItself else { throw .crossingEdges }
  }

  var edges: some Sequence<(SpherePoint, SpherePoint)> { Self.edges(of: vertices) }

  private static func edges(of vertices: [SpherePoint]) -> some Sequence<(SpherePoint, SpherePoint)> {
    zip(vertices, vertices.dropFirst() + [vertices[0]])
  }

  func contains(_ point: SpherePoint) -> Bool {
    containsReference != Self.isOddWay(to: point, vertices)
  }

  /// Whether the way from the reference to `point` goes through an odd number of edges.
  private static func isOddWay(to point: SpherePoint, _ vertices: [SpherePoint]) -> Bool {
    var isOdd = false
    for (start, end) in edges(of: vertices) {
      switch SpherePoint.meeting(reference, point, start, end) {
      case .apart: break
      case .crossing: isOdd.toggle()
      case .touching: if crosses(at: point, start, end) { isOdd.toggle() }
      }
    }
    return isOdd
  }

  /// Whether the way to `point`, where an edge begins or ends, goes through that edge: by a direction that belongs to
  /// the point alone, so that one of the loops that meet there has it.
  private static func crosses(at point: SpherePoint, _ start: SpherePoint, _ end: SpherePoint) -> Bool {
    if start == end || point == reference { return false }
    if point == start { return SpherePoint.areOrdered(point.perpendicular, end, reference, around: point) }
    if point == end { return SpherePoint.areOrdered(point.perpendicular, start, reference, around: point) }
    // An edge that ends in the reference itself.
    let perpendicular = reference.perpendicular
    if start == reference { return SpherePoint.areOrdered(perpendicular, end, point, around: reference) }
    return end == reference && SpherePoint.areOrdered(perpendicular, start, point, around: reference)
  }

  /// A vertex is inside when a direction that belongs to the point alone leads inside, so that of all loops that
  /// meet there without overlapping exactly one contains it.
  private static func containsVertex(_ index: Int, of vertices: [SpherePoint]) -> Bool {
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
      sum += SpherePoint.turn(before, vertex, after) == .left ? angle : -angle
    }
    return sum
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
    SpherePoint.meeting(a, b, c, d) == .crossing
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
