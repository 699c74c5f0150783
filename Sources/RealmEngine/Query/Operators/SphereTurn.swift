// Which way three points of the sphere turn, decided also where they lie on one great circle. Layer: Query, Operators.
// Invariants: exchanging two of the points turns the answer round; it is the same however they are rotated; it is
// none only where two of them are the same. The rules are those of the geometry inside the reference engine, so
// that a point on an edge is in the same one of two regions that share it.

extension SpherePoint {
  enum Turn: Int, Sendable {
    case right = -1
    case none = 0
    case left = 1

    init(_ value: Double) { self = value > 0 ? .left : value < 0 ? .right : .none }
  }

  /// What a determinant of three unit vectors may be wrong by.
  private static let errorMax = 0.8e-15

  /// To the left when `a`, `b` and `c` go round counterclockwise, seen from outside.
  static func turn(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint) -> Turn {
    let determinant = a.cross(b).dot(c)
    return abs(determinant) > errorMax ? Turn(determinant) : closeTurn(a, b, c)
  }

  /// The turn of points that lie nearly on one great circle.
  private static func closeTurn(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint) -> Turn {
    if a == b || b == c || c == a { return .none }
    // Differences of points that are close, or opposite each other, are exact to the last digit.
    let (ab, bc, ca) = (Difference(a, b), Difference(b, c), Difference(c, a))
    // The longest is left out.
    let isBCLongerThanCA = ca.length < bc.length || ca.length == bc.length && a.isBefore(b)
    let (longer, left, right) = isBCLongerThanCA ? (bc, a, c) : (ca, b, c)
    let isABLongest = !(ab.length < longer.length || ab.length == longer.length && left.isBefore(right))
    let determinant =
      isABLongest
      ? ca.vector.cross(bc.vector).dot(c) * ca.sign
      : isBCLongerThanCA
        ? ab.vector.cross(ca.vector).dot(a) * ab.sign : bc.vector.cross(ab.vector).dot(b) * bc.sign
    if determinant != 0 { return Turn(determinant) }
    // On one great circle as far as can be told. All points are thought moved by next to nothing, most along x and
    // least along z: then they turn as they do round the origin in the first of these planes where they do.
    for (first, second) in [(\SpherePoint.y, \SpherePoint.z), (\.z, \.x), (\.x, \.y)] {
      func flat(_ point: SpherePoint) -> FlatPoint {
        FlatPoint(x: point[keyPath: first], y: point[keyPath: second])
      }
      let turn = FlatPoint.turn(flat(a), flat(b), flat(c))
      if turn != .none { return turn }
    }
    return .none
  }

  private func isBefore(_ other: SpherePoint) -> Bool { (x, y, z) < (other.x, other.y, other.z) }

  /// The shorter one of the sum and the difference of two points.
  private struct Difference {
    /// Of the second point.
    let sign: Double
    let vector: SpherePoint
    /// Squared.
    let length: Double

    init(_ a: SpherePoint, _ b: SpherePoint) {
      sign = a.dot(b) > 0 ? -1 : 1
      vector = SpherePoint(x: a.x + sign * b.x, y: a.y + sign * b.y, z: a.z + sign * b.z)
      length = vector.dot(vector)
    }
  }
}

/// A point of a plane through the origin.
private struct FlatPoint {
  let x: Double
  let y: Double

  private func dot(_ other: FlatPoint) -> Double { x * other.x + y * other.y }
  private func cross(_ other: FlatPoint) -> Double { x * other.y - y * other.x }

  /// Which way most of the steps from `a` over `b` and `c` back to `a` go round the origin.
  static func turn(_ a: FlatPoint, _ b: FlatPoint, _ c: FlatPoint) -> SpherePoint.Turn {
    SpherePoint.Turn(Double(turn(a, b).rawValue + turn(b, c).rawValue + turn(c, a).rawValue))
  }

  private static func turn(_ a: FlatPoint, _ b: FlatPoint) -> SpherePoint.Turn {
    let sign: Double = a.dot(b) > 0 ? -1 : 1
    let difference = FlatPoint(x: a.x + sign * b.x, y: a.y + sign * b.y)
    let (aLength, bLength) = (a.dot(a), b.dot(b))
    let isFirstShorter = aLength < bLength || aLength == bLength && (a.x, a.y) < (b.x, b.y)
    return SpherePoint.Turn(isFirstShorter ? a.cross(difference) * sign : difference.cross(b))
  }
}
