// Regions of the earth as they are written. Layer: Syntax.

/// A region of the earth; what it holds is checked by whoever binds it.
package typealias GeoShape = SyntaxNode<GeoShapeKind>

package enum GeoShapeKind: Hashable, Sendable {
  case box(GeoPoint, GeoPoint)
  /// The radius is in radians.
  case circle(center: GeoPoint, radius: GeoNumber)
  /// The outer ring first, then holes.
  case polygon([GeoRing])
}

package struct GeoRing: Hashable, Sendable {
  package let points: [GeoPoint]
  package let range: SourceRange

  package init(points: [GeoPoint], range: SourceRange) {
    self.points = points
    self.range = range
  }
}

package struct GeoPoint: Hashable, Sendable {
  package let longitude: GeoNumber
  package let latitude: GeoNumber
  package let altitude: GeoNumber?
  package let range: SourceRange

  package init(longitude: GeoNumber, latitude: GeoNumber, altitude: GeoNumber?, range: SourceRange) {
    self.longitude = longitude
    self.latitude = latitude
    self.altitude = altitude
    self.range = range
  }
}

package typealias GeoNumber = SyntaxNode<GeoNumberKind>

package enum GeoNumberKind: Hashable, Sendable {
  case number(Double)
  case argument(ArgumentReference)
}
