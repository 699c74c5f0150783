// Points on the unit sphere and on which side of each other's great circles they are. Layer: Query.
// All in double precision: what lies within some 1e-15 of an edge may fall to either side.

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A unit vector from the centre of the earth.
struct SpherePoint: Sendable, Hashable {
  let x: Double
  let y: Double
  let z: Double

  init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  init(_ position: GeoPosition) {
    let latitude = position.latitude * .pi / 180
    let longitude = position.longitude * .pi / 180
    self.init(
      x: cos(latitude) * cos(longitude), y: cos(latitude) * sin(longitude), z: sin(latitude))
  }

  func dot(_ other: SpherePoint) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: SpherePoint) -> SpherePoint {
    SpherePoint(
      x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  /// The square of the straight distance, 0 to 4.
  func squaredChord(to other: SpherePoint) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return dx * dx + dy * dy + dz * dz
  }

  /// Halfway to `other` on the shorter arc.
  func middle(to other: SpherePoint) -> SpherePoint {
    let sum = SpherePoint(x: x + other.x, y: y + other.y, z: z + other.z)
    let length = sum.dot(sum).squareRoot()
    return SpherePoint(x: sum.x / length, y: sum.y / length, z: sum.z / length)
  }

  /// The angle between two vectors of any length, in radians.
  func angle(to other: SpherePoint) -> Double {
    let normal = cross(other)
    return atan2(normal.dot(normal).squareRoot(), dot(other))
  }

  /// Positive when `a`, `b` and `c` go round counterclockwise, seen from outside.
  static func turn(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint) -> Double { a.cross(b).dot(c) }

  /// Whether `a`, `b` and `c` are met in this order on a counterclockwise way round `center`.
  static func areOrdered(
    _ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint, around center: SpherePoint
  ) -> Bool {
    let turns = [turn(b, center, a) >= 0, turn(c, center, b) >= 0, turn(a, center, c) > 0]
    return turns.count(where: \.self) >= 2
  }

  /// A vector at a right angle to this one, always the same, and along no axis or meridian.
  var perpendicular: SpherePoint {
    let direction =
      if abs(x) > abs(y) {
        abs(x) > abs(z) ? SpherePoint(x: 0.012, y: 0.0053, z: 1) : SpherePoint(x: 0.012, y: 1, z: 0.00457)
      } else {
        abs(y) > abs(z) ? SpherePoint(x: 1, y: 0.0053, z: 0.00457) : SpherePoint(x: 0.012, y: 1, z: 0.00457)
      }
    return cross(direction)
  }

  /// Whether the arcs `a`–`b` and `c`–`d`, each shorter than half a circle, cross inside both.
  static func cross(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint, _ d: SpherePoint) -> Bool {
    let cSide = turn(a, b, c) > 0
    guard cSide != (turn(a, b, d) > 0) else { return false }
    let aSide = turn(c, d, a) > 0
    // The four triangles between the ends go round the same way only where the arcs meet on this side of the
    // sphere rather than on the opposite one.
    return aSide != (turn(c, d, b) > 0) && aSide != cSide
  }
}

/// Degrees east and north.
package struct GeoPosition: Sendable, Hashable {
  package let longitude: Double
  package let latitude: Double

  package init(longitude: Double, latitude: Double) {
    self.longitude = longitude
    self.latitude = latitude
  }

  /// Not for NaN, nor outside the earth's degrees.
  package var isValid: Bool { abs(longitude) <= 180 && abs(latitude) <= 90 }
}
