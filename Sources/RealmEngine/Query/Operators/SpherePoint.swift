// Points on the unit sphere and how the arcs between them meet. Layer: Query, Operators.

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
    // Multiplied by what is rounded once, as the reference engine does it: no digit may differ.
    let latitude = position.latitude * (Double.pi / 180)
    let longitude = position.longitude * (Double.pi / 180)
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

  /// The angle between two vectors of any length, in radians.
  func angle(to other: SpherePoint) -> Double {
    let normal = cross(other)
    return atan2(normal.dot(normal).squareRoot(), dot(other))
  }

  /// Whether `a`, `b` and `c` are met in this order on a counterclockwise way round `center`.
  static func areOrdered(
    _ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint, around center: SpherePoint
  ) -> Bool {
    let turns = [turn(b, center, a) != .right, turn(c, center, b) != .right, turn(a, center, c) == .left]
    return turns.count(where: \.self) >= 2
  }

  /// A unit vector at a right angle to this one, always the same, and along no axis or meridian.
  var perpendicular: SpherePoint {
    let direction =
      if abs(x) > abs(y) {
        abs(x) > abs(z) ? SpherePoint(x: 0.012, y: 0.0053, z: 1) : SpherePoint(x: 0.012, y: 1, z: 0.00457)
      } else {
        abs(y) > abs(z) ? SpherePoint(x: 1, y: 0.0053, z: 0.00457) : SpherePoint(x: 0.012, y: 1, z: 0.00457)
      }
    return cross(direction).normalized
  }

  var normalized: SpherePoint {
    let factor = 1 / dot(self).squareRoot()
    return SpherePoint(x: x * factor, y: y * factor, z: z * factor)
  }

  /// How two arcs, each shorter than half a circle, meet.
  enum Meeting: Sendable {
    case crossing, apart
    /// They share an end.
    case touching
  }

  static func meeting(
    _ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint, _ d: SpherePoint
  ) -> Meeting {
    let (cSide, dSide) = (turn(a, b, c), turn(a, b, d))
    if cSide == .none || dSide == .none { return .touching }
    // The four triangles between the ends go round the same way only where the arcs meet on this side of the
    // sphere rather than on the opposite one.
    return cSide != dSide && turn(c, d, b) == cSide && turn(c, d, a) == dSide ? .crossing : .apart
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
