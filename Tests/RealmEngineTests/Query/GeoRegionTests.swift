import RealmEngine
import Testing

private func at(_ longitude: Double, _ latitude: Double) -> GeoPosition {
  GeoPosition(longitude: longitude, latitude: latitude)
}

private func square(_ half: Double, around center: GeoPosition = at(0, 0)) -> [GeoPosition] {
  let (x, y) = (center.longitude, center.latitude)
  return [
    at(x - half, y - half), at(x + half, y - half), at(x + half, y + half), at(x - half, y + half),
    at(x - half, y - half),
  ]
}

@Suite("Shapes for GEOWITHIN")
struct GeoRegionTests {
  @Test("a circle holds its rim and what is nearer")
  func circle() throws {
    let circle = GeoRegion.circle(try GeoCircle(center: at(10, 50), radiusRadians: 0.1))
    #expect(circle.contains(at(10, 50)))
    #expect(circle.contains(at(10, 50 + 5.72)))
    #expect(!circle.contains(at(10, 50 + 5.74)))
    #expect(try GeoRegion.circle(GeoCircle(center: at(0, 0), radiusRadians: 0)).contains(at(0, 0)))
    #expect(try GeoRegion.circle(GeoCircle(center: at(0, 0), radiusRadians: 4)).contains(at(180, 0)))
    #expect(!circle.contains(at(.nan, 0)) && !circle.contains(at(10, 91)))
  }

  @Test("the edges of a box are great circles, not parallels")
  func box() throws {
    let box = try GeoRegion.box(at(-40, 10), at(40, 50))
    // The arc between two places at 50° north passes north of the parallel, the one at 10° likewise.
    #expect(box.contains(at(0, 55)))
    #expect(!box.contains(at(0, 60)))
    #expect(!box.contains(at(0, 11)))
    #expect(box.contains(at(0, 20)) && box.contains(at(39.9, 30)) && !box.contains(at(41, 30)))
    #expect(try GeoRegion.box(at(40, 50), at(-40, 10)).contains(at(0, 20)))
  }

  @Test("a point where boxes meet is in one of them")
  func sharedEdges() throws {
    let lines = [-20.0, -10, 0, 10, 20]
    var boxes: [GeoRegion] = []
    for (west, east) in zip(lines, lines.dropFirst()) {
      for (south, north) in zip(lines, lines.dropFirst()) {
        boxes.append(try GeoRegion.box(at(west, south), at(east, north)))
      }
    }
    for longitude in stride(from: -15.0, through: 15, by: 2.5) {
      for latitude in stride(from: -15.0, through: 15, by: 2.5) {
        let position = at(longitude, latitude)
        #expect(boxes.count { $0.contains(position) } == 1, "\(position)")
      }
    }
  }

  @Test("the direction of a ring does not matter, and it encloses the smaller side")
  func direction() throws {
    let clockwise = GeoRegion.polygon(try GeoPolygon(rings: [square(20).reversed()]))
    let counterclockwise = GeoRegion.polygon(try GeoPolygon(rings: [square(20)]))
    for region in [clockwise, counterclockwise] {
      #expect(region.contains(at(0, 0)) && region.contains(at(-19, 19)))
      #expect(!region.contains(at(21, 0)) && !region.contains(at(180, 0)) && !region.contains(at(0, 90)))
    }
  }

  @Test("a ring around a pole holds the pole")
  func pole() throws {
    let cap = GeoRegion.polygon(
      try GeoPolygon(rings: [[at(0, 70), at(90, 70), at(180, 70), at(-90, 70), at(0, 70)]]))
    #expect(cap.contains(at(45, 89)) && cap.contains(at(0, 90)) && !cap.contains(at(45, 60)))
  }

  @Test("holes are outside")
  func holes() throws {
    let region = GeoRegion.polygon(
      try GeoPolygon(rings: [square(20), square(5), square(2, around: at(10, 10))]))
    #expect(region.contains(at(7, 0)) && !region.contains(at(1, 1)) && !region.contains(at(10, 11)))
  }

  @Test("holes may meet in a corner, and in no more")
  func touchingHoles() throws {
    let region = GeoRegion.polygon(
      try GeoPolygon(rings: [square(20), square(5, around: at(-5, -5)), square(5, around: at(5, 5))]))
    #expect(region.contains(at(5, -5)) && !region.contains(at(5, 5)) && !region.contains(at(-5, -5)))
    #expect(throws: GeoFault.overlappingHoles) {
      try GeoPolygon(rings: [square(20), square(5, around: at(-5, 0)), square(5, around: at(5, 0))])
    }
  }

  @Test("rings that enclose nothing definite are refused")
  func faults() {
    #expect(throws: GeoFault.openRing) { try GeoPolygon(rings: [square(5).dropLast()]) }
    #expect(throws: GeoFault.tooFewVertices) { try GeoPolygon(rings: [[at(0, 0), at(5, 0), at(0, 0)]]) }
    #expect(throws: GeoFault.outOfRange) {
      try GeoPolygon(rings: [[at(0, 0), at(200, 0), at(1, 1), at(0, 0)]])
    }
    #expect(throws: GeoFault.outOfRange) { try GeoRegion.box(at(-500, 0), at(5, 5)) }
    #expect(throws: GeoFault.crossingEdges) {
      try GeoPolygon(rings: [[at(0, 0), at(10, 0), at(0, 10), at(10, 10), at(0, 0)]])
    }
    #expect(throws: GeoFault.repeatedVertex) {
      try GeoPolygon(rings: [[at(0, 0), at(9, 0), at(5, 5), at(9, 9), at(5, 5), at(0, 9), at(0, 0)]])
    }
    #expect(throws: GeoFault.holeOutside) {
      try GeoPolygon(rings: [square(5), square(1, around: at(50, 50))])
    }
    #expect(throws: GeoFault.holeOutside) { try GeoPolygon(rings: [square(5), square(1, around: at(5, 0))]) }
    #expect(throws: GeoFault.overlappingHoles) { try GeoPolygon(rings: [square(9), square(5), square(2)]) }
    #expect(throws: GeoFault.badRadius) { try GeoCircle(center: at(0, 0), radiusRadians: -1) }
    #expect(throws: GeoFault.badRadius) { try GeoCircle(center: at(0, 0), radiusRadians: .nan) }
  }
}
