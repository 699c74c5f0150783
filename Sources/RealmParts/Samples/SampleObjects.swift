// Sample objects of all classes of an empty realm, the same for the same seed. Layer: Samples.
// They come in the order of classes and keys on one thread, so that their bytes depend on nothing else.

import ByteText
package import RealmEngine

/// How many objects each class gets.
package enum SampleCounts: Sendable {
  /// Of each class but embedded ones, whose objects come with their owners.
  case each(Int)
  case named([(className: String, count: Int)])
}

/// Fills the classes of a realm.
package struct SampleObjects {
  /// A class whose objects are linked to.
  private struct Target {
    let schema: ClassSchema
    let count: Int
    /// Of an embedded class.
    var columns: [SampleColumn] = []
  }

  private var targets: [TableKey: Target] = [:]
  /// Those with objects of their own.
  private var linked: [TableKey] = []

  /// So many embedded objects stand in each other.
  private static let depthMax = 2

  private init() {}

  /// Makes all objects by one load.
  package static func fill(
    _ transaction: WriteTransaction, _ counts: SampleCounts, seed: UInt64
  ) throws(EngineError) {
    let schemas = try transaction.view().classes().map(\.schema)
    let numbers = try Self.counts(counts, schemas)
    try requireRoom(for: numbers, schemas)
    var objects = SampleObjects()
    for schema in schemas {
      var target = Target(schema: schema, count: numbers[schema.name] ?? 0)
      if schema.kind == .embedded {
        target.columns = schema.properties.indices.map { SampleColumn(schema, $0, seed: seed) }
      } else if target.count > 0 {
        objects.linked.append(schema.tableKey)
      }
      objects.targets[schema.tableKey] = target
    }
    let load = try transaction.beginLoad()
    for schema in schemas {
      guard let count = numbers[schema.name], count > 0 else { continue }
      let rows = try load.table(schema.tableKey)
      var columns = schema.properties.indices.map { SampleColumn(schema, $0, seed: seed) }
      for number in 0..<count {
        try rows.beginObject()
        for index in columns.indices { try columns[index].put(into: rows, number: number, &objects) }
        try rows.endObject()
      }
    }
    try load.finish()
  }

  /// Objects are made in memory, where each value takes about a word.
  private static func requireRoom(for numbers: [String: Int], _ schemas: [ClassSchema]) throws(EngineError) {
    let size = schemas.reduce(0.0) { size, schema in
      size + Double(numbers[schema.name] ?? 0) * Double(max(1, schema.properties.count))
    }
    guard size * Double(MemoryLayout<Int>.size) < Double(SystemMemory.size) else {
      throw EngineError(.refused, "so many sample objects take more memory than this machine has")
    }
  }

  private static func counts(
    _ counts: SampleCounts, _ schemas: [ClassSchema]
  ) throws(EngineError) -> [String: Int] {
    let own = schemas.filter { $0.kind == .object }
    guard case .named(let named) = counts else {
      guard case .each(let count) = counts else { return [:] }
      return Dictionary(own.map { ($0.name, count) }) { first, _ in first }
    }
    var numbers: [String: Int] = [:]
    for (name, count) in named {
      guard let schema = schemas.first(where: { $0.name == name }) else {
        throw EngineError(
          .unknownClass, "there is no class '\(name)' to fill",
          hint: EditDistance.suggestion(for: name, among: schemas.map(\.name)))
      }
      guard schema.kind == .object else {
        throw EngineError(
          .constraint, "objects of \(name) cannot be created on their own: it is \(schema.kind.name)")
      }
      numbers[name] = count
    }
    return numbers
  }

  /// A link to an object of a class, or an embedded object; null where there is none to link to.
  mutating func object(of key: TableKey, _ numbers: inout SeededNumbers, depth: Int) -> NewValue {
    guard let target = targets[key] else { return .null }
    guard target.schema.kind == .embedded else { return link(to: target, &numbers) }
    guard depth < Self.depthMax else { return .null }
    var values: [(property: String, value: NewValue)] = []
    for index in target.columns.indices {
      // The columns of this class may be at work inside of their own objects.
      guard var column = targets[key]?.columns[index] else { continue }
      let value = column.value(number: numbers.below(1 << 31), &self, depth: depth + 1)
      targets[key]?.columns[index] = column
      values.append((column.property.name, value))
    }
    return .embedded(values)
  }

  /// A link to any object.
  func link(_ numbers: inout SeededNumbers) -> NewValue {
    guard !linked.isEmpty, let target = targets[linked[numbers.below(linked.count)]] else { return .null }
    return link(to: target, &numbers)
  }

  private func link(to target: Target, _ numbers: inout SeededNumbers) -> NewValue {
    guard target.count > 0 else { return .null }
    let key = target.schema.key(ofNewObject: Int64(numbers.below(target.count)))
    return .single(.link(ObjectLink(table: target.schema.tableKey, key: key)))
  }
}
