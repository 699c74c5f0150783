// What can be said of all values of one property: how many are null or different, the ends, the mean, the most frequent
// ones and how they spread.
// Layer: Query, Aggregation. Everything follows from one run that groups objects by the value.

import RealmQueryLanguage

/// A property over the objects of a query.
package struct PropertySummary: Sendable {
  package let property: Property
  package private(set) var nullCount = 0
  package private(set) var distinctCount = 0
  package private(set) var least = Value.null
  package private(set) var greatest = Value.null
  /// Null where values are no numbers.
  package private(set) var mean = Value.null
  /// The three that most objects have, the first of them first.
  package private(set) var frequent: [(value: Value, count: Int)] = []
  /// How many numbers or dates are in each eighth of the range between the least and the greatest; empty where values
  /// are none.
  package private(set) var histogram: [Int] = []

  private static let frequentMax = 3
  private static let histogramLength = 8

  /// Of lists, sets and dictionaries the lengths count. Cost: that of a group for each different value.
  package init(
    _ property: Property, of query: BoundQuery, in realm: ReadTransaction, memoryLimit: Int
  ) throws(EngineError) {
    self.property = property
    let result = try Self.groups(property, query, realm, memoryLimit)
    var sum = CompensatedSum()
    var numberCount = 0
    try result.forEachRow { row throws(EngineError) in
      guard case .int(let number) = row[1] else { return true }
      let (value, count) = (row[0], Int(number))
      if value == .null {
        nullCount += count
        return true
      }
      distinctCount += 1
      if least == .null, !value.isNaN { least = value }
      if !value.isNaN { greatest = value }
      note(value, count)
      // As `avg` has it.
      if let number = value.doubleValue, !number.isNaN {
        numberCount += count
        sum.add(number * Double(count))
      }
      return true
    }
    if numberCount > 0 { mean = .double(sum.value / Double(numberCount)) }
    // Decimals have more digits than doubles.
    if property.type == .decimal128, property.collection == nil, numberCount > 0 {
      let name = spelledName(property.name, as: .property)
      try Self.aggregate("avg \(name) of", "", query, realm, memoryLimit).forEachRow { row in
        mean = row[0]
        return false
      }
    }
    try fillHistogram(result)
  }

  private static func groups(
    _ property: Property, _ query: BoundQuery, _ realm: ReadTransaction, _ memoryLimit: Int
  ) throws(EngineError) -> AggregateResult {
    let name = spelledName(property.name, as: .property) + (property.collection == nil ? "" : ".@count")
    return try aggregate("count of", "by \(name)", query, realm, memoryLimit)
  }

  private static func aggregate(
    _ items: String, _ groups: String, _ query: BoundQuery, _ realm: ReadTransaction, _ memoryLimit: Int
  ) throws(EngineError) -> AggregateResult {
    let name = spelledName(query.table.schema.name, as: .className)
    let source = Array("\(items) \(name) \(groups)".utf8)
    do {
      guard case .aggregate(let aggregation) = try Statement(parsing: source).kind else {
        preconditionFailure("what was put together is a count")
      }
      let aggregate = try AggregateQuery(
        aggregation.items, by: aggregation.groups, source: source, of: query.table, in: realm)
      return try aggregate.result(try QueryExecutor(query, in: realm), in: realm, memoryLimit: memoryLimit)
    } catch let error as EngineError {
      throw error
    } catch BindingFailure.engine(let error) {
      throw error
    } catch {
      throw EngineError(.badQuery, "\(name) cannot be summarized")
    }
  }

  private mutating func note(_ value: Value, _ count: Int) {
    let place = frequent.firstIndex { $0.count < count } ?? frequent.count
    guard place < Self.frequentMax else { return }
    frequent.insert((value, count), at: place)
    if frequent.count > Self.frequentMax { frequent.removeLast() }
  }

  /// Where a value stands among those of its property; nil where that is no number.
  private static func place(_ value: Value) -> Double? {
    guard case .date(let date) = value else { return value.doubleValue }
    return Double(date.seconds) + Double(date.nanoseconds) / 1e9
  }

  private mutating func fillHistogram(_ result: AggregateResult) throws(EngineError) {
    guard let low = Self.place(least), let high = Self.place(greatest), (high - low).isFinite else { return }
    var counts = [Int](repeating: 0, count: Self.histogramLength)
    try result.forEachRowInAnyOrder { row in
      guard case .int(let count) = row[1], let number = Self.place(row[0]), !number.isNaN else { return }
      let share = high > low ? (number - low) / (high - low) : 0
      counts[min(counts.count - 1, Int(share * Double(counts.count)))] += Int(count)
    }
    histogram = counts
  }
}
