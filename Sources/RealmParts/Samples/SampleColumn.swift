// Values of one property of sample objects, of each type that it can have. Layer: Samples.
// Each property has a source of numbers of its own: one more changes nothing of the others.

import RealmEngine

/// Makes the values of a property, one after the other.
struct SampleColumn {
  let index: Int
  let property: Property
  private let className: String
  private let isKey: Bool
  private var numbers: SeededNumbers
  private var text: SampleText
  /// The numbers that the name of the property speaks of; nil where it says nothing.
  private let range: ClosedRange<Int>?
  /// Whether the class is a point of GeoJSON, which geospatial queries read.
  private let isOfPoint: Bool

  private static let ranges: [String: ClosedRange<Int>] = [
    "lat": latitudes, "latitude": latitudes, "lng": longitudes, "lon": longitudes, "longitude": longitudes,
    "year": 1970...2030, "month": 1...12, "day": 1...31, "hour": 0...23, "minute": 0...59, "percent": 0...100,
  ]
  private static let latitudes = -90...90
  private static let longitudes = -180...180
  private static let nullShare = 8
  private static let elementsMax = 4
  private static let smallNumbers = 1000
  private static let wideShare = 16
  private static let dataSizeMax = 32
  /// 2010 to 2030, in milliseconds since 1970.
  private static let dates = (first: 1_262_304_000_000, count: 631_152_000_000)
  private static let hundredth = (
    Decimal128(text: "0.01".utf8.span) ?? .zero, Decimal128(text: "-0.01".utf8.span) ?? .zero
  )

  init(_ schema: ClassSchema, _ index: Int, seed: UInt64) {
    self.index = index
    property = schema.properties[index]
    className = schema.name
    isKey = schema.primaryKeyIndex == index
    numbers = SeededNumbers(seed: seed, "\(schema.name).\(property.name)")
    text = SampleText(property.name)
    range = Self.ranges[property.name.lowercased()]
    isOfPoint = schema.isGeoPoint
  }

  private mutating func isNull() -> Bool {
    !isKey && property.isOptional && numbers.below(Self.nullShare) == 0
  }

  /// Puts the value of the next object into its row. `number`: of the object, from 0 on. `inner`: what comes of links and embedded
  /// objects.
  mutating func put(
    into rows: BulkTable, number: Int, _ inner: inout SampleObjects
  ) throws(EngineError) {
    if property.collection != nil || property.type == .mixed || property.type == .object {
      return try rows.put(index, value(number: number, &inner, depth: 0))
    }
    if isNull() { return try rows.put(index, .null) }
    switch property.type {
    case .int: try rows.put(index, int: integer(number))
    case .bool: try rows.put(index, bool: numbers.below(2) == 1)
    case .double: try rows.put(index, double: fraction())
    case .string:
      writeText(number)
      try rows.put(index, text: text.bytes.span)
    default: try rows.put(index, .single(single(property.type, number)))
    }
  }

  /// The value of the next object. `depth`: how many embedded objects stand around it.
  mutating func value(number: Int, _ inner: inout SampleObjects, depth: Int) -> NewValue {
    if isOfPoint { return pointValue() }
    guard let collection = property.collection else { return element(number, &inner, depth) }
    let count = numbers.below(Self.elementsMax + 1)
    switch collection {
    case .list, .set:
      var elements: [NewValue] = []
      for position in 0..<count {
        let value = element(number &* Self.elementsMax &+ position, &inner, depth)
        // Lists and sets of links hold no nulls.
        if property.type == .object, case .single(.null) = value { continue }
        elements.append(value)
      }
      return collection == .list ? .list(elements) : .set(elements)
    case .dictionary:
      return .dictionary(
        (0..<count).map { (ByteString("key \($0)"), element(number, &inner, depth)) })
    }
  }

  private mutating func pointValue() -> NewValue {
    guard property.collection != nil else { return .single(.string(ByteString("Point"))) }
    let (longitude, latitude) = (hundredths(in: Self.longitudes), hundredths(in: Self.latitudes))
    return .list([.single(.double(Double(longitude) / 100)), .single(.double(Double(latitude) / 100))])
  }

  private mutating func element(_ number: Int, _ inner: inout SampleObjects, _ depth: Int) -> NewValue {
    switch property.type {
    case .object:
      guard let target = property.target, numbers.below(Self.nullShare) > 0 else { return .null }
      return inner.object(of: target, &numbers, depth: depth)
    case .mixed: return mixed(number, &inner, depth)
    default: return isNull() ? .null : .single(single(property.type, number))
    }
  }

  private static let mixedTypes: [ValueType] = [
    .int, .bool, .string, .data, .date, .float, .double, .decimal128, .objectID, .uuid,
  ]

  private mutating func mixed(_ number: Int, _ inner: inout SampleObjects, _ depth: Int) -> NewValue {
    let choice = numbers.below(Self.mixedTypes.count + 4)
    if choice < Self.mixedTypes.count { return .single(single(Self.mixedTypes[choice], number)) }
    switch choice - Self.mixedTypes.count {
    case 0: return .null
    // An index is for values.
    case 1 where property.index == .none: return inner.link(&numbers)
    // What a set holds is single.
    case 2 where property.collection != .set:
      return .list([.single(single(.int, number)), .single(single(.string, number)), .null])
    case 3 where property.collection != .set:
      return .dictionary([(ByteString("name"), .single(single(.string, number)))])
    default: return .single(single(.string, number))
    }
  }

  private mutating func writeText(_ number: Int) {
    if isKey { text.writeKey(number, of: className) } else { text.write(&numbers) }
  }

  private mutating func integer(_ number: Int) -> Int64 {
    if isKey { return Int64(number) + 1 }
    if let range { return Int64(range.lowerBound + numbers.below(range.count)) }
    guard numbers.below(Self.wideShare) == 0 else { return Int64(numbers.below(Self.smallNumbers)) }
    return Int64(bitPattern: numbers.next()) >> Int64(numbers.below(48))
  }

  private mutating func hundredths(in range: ClosedRange<Int>) -> Int {
    100 * range.lowerBound + numbers.below(100 * (range.upperBound - range.lowerBound) + 1)
  }

  private mutating func fraction() -> Double {
    if let range { return Double(hundredths(in: range)) / 100 }
    let hundredths = Double(numbers.below(100 * Self.smallNumbers))
    return (numbers.below(Self.nullShare) == 0 ? -hundredths : hundredths) / 100
  }

  private mutating func single(_ type: ValueType, _ number: Int) -> Value {
    switch type {
    case .int: return .int(integer(number))
    case .bool: return .bool(numbers.below(2) == 1)
    case .float: return .float(Float(fraction()))
    case .double: return .double(fraction())
    case .string:
      writeText(number)
      return .string(ByteString(copying: text.bytes))
    case .data:
      let size = numbers.below(Self.dataSizeMax + 1)
      return .data(
        ByteString(copying: (0..<size).map { _ in UInt8(truncatingIfNeeded: numbers.next() >> 8) }))
    case .date:
      let milliseconds = Self.dates.first + numbers.below(Self.dates.count)
      return .date(
        Timestamp(
          seconds: Int64(milliseconds / 1000), nanoseconds: Int32(milliseconds % 1000) * 1_000_000))
    case .decimal128:
      if let range {
        let count = hundredths(in: range)
        let unit = count < 0 ? Self.hundredth.1 : Self.hundredth.0
        return .decimal(unit.with(digits: UInt128(count.magnitude), exponent: -2))
      }
      let unit = numbers.below(Self.nullShare) == 0 ? Self.hundredth.1 : Self.hundredth.0
      return .decimal(unit.with(digits: UInt128(numbers.below(100 * Self.smallNumbers)), exponent: -2))
    case .objectID:
      // The end tells objects apart.
      return .objectID(ObjectID(high: numbers.next(), low: UInt32(truncatingIfNeeded: number)))
    case .uuid:
      let high = numbers.next()
      return .uuid(
        UUIDValue(
          randomHigh: high, low: (numbers.next() >> 34) << 32 | UInt64(UInt32(truncatingIfNeeded: number))))
    case .mixed, .object, .typedLink, .backlink: return .null
    }
  }
}

extension ClassSchema {
  /// Whether objects are `{type: "Point", coordinates: [longitude, latitude]}` and nothing else.
  fileprivate var isGeoPoint: Bool {
    guard kind == .embedded, properties.count == 2, let type = property(named: "type"),
      let coordinates = property(named: "coordinates")
    else { return false }
    return type.type == .string && type.collection == nil && coordinates.type == .double
      && coordinates.collection == .list
  }
}
