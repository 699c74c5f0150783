// The text of a new migration: what it suggests, and in which order what goes goes.

import Migrations
import RealmEngine
import Testing

@Suite("New migrations of two schemas")
struct SkeletonTests {
  private static func lines(_ old: [ClassDefinition], _ new: [ClassDefinition]) -> [String] {
    let before = SchemaDescription(version: 1, classes: old)
    let changes = before.changes(to: SchemaDescription(version: 2, classes: new))
    return MigrationSkeleton.text(from: 1, to: 2, name: "step", changes: changes)
      .split(separator: "\n").dropFirst(5).map { $0.trimmingPrefix("  ") }.map(String.init)
  }

  private static func described(
    _ name: String, _ properties: [String], _ type: ValueType = .int
  ) -> ClassDefinition {
    ClassDefinition(
      name, properties: properties.map { PropertyDefinition($0, PropertyType(type, isOptional: false)) })
  }

  private static func linking(_ name: String, _ targets: [String]) -> ClassDefinition {
    ClassDefinition(
      name,
      properties: targets.map {
        PropertyDefinition("to\($0)", PropertyType(.object, isOptional: true, target: $0))
      })
  }

  @Test("of a few properties of one type each pair is suggested")
  func fewProperties() {
    let lines = Self.lines([Self.described("A", ["a", "b"])], [Self.described("A", ["c", "d"])])
    let suggestions = lines.filter { $0.hasPrefix("#") }
    #expect(
      suggestions
        == [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")].map {
          "# maybe instead: - rename_property: { class: A, from: \($0.0), to: \($0.1) }"
        })
  }

  @Test("of many properties the likeliest pairs are suggested, and the others are counted")
  func manyProperties() {
    let old = (0..<1000).map { "p\($0)" } + ["favouriteColour"]
    let new = (0..<1000).map { "q\($0)" } + ["favoriteColor"]
    let lines = Self.lines([Self.described("A", old)], [Self.described("A", new)])
    let suggestions = lines.filter { $0.hasPrefix("# maybe") }
    #expect(suggestions.count == 100)
    #expect(lines.contains("# and \(1001 * 1001 - 100) less likely pairs of properties of the same type"))
    #expect(suggestions.contains { $0.hasSuffix("{ class: A, from: p7, to: q7 }") })
    #expect(lines.count == 100 + 1 + 2 * 1001)
  }

  @Test("a likely name is found among many unlikely ones")
  func likelyName() {
    let new = (0..<1000).map { "q\($0)" } + ["favoriteColor"]
    let lines = Self.lines([Self.described("A", ["favouriteColour"])], [Self.described("A", new)])
    #expect(lines.contains { $0.hasSuffix("{ class: A, from: favouriteColour, to: favoriteColor }") })
    #expect(lines.filter { $0.hasPrefix("# maybe") }.count == 3)
  }

  @Test("properties of other types or classes are no renames of each other")
  func otherKinds() {
    let lines = Self.lines(
      [Self.described("A", ["a"]), Self.described("B", ["b"])],
      [Self.described("A", ["x"], .string), Self.described("B", [])])
    #expect(!lines.contains { $0.hasPrefix("#") })
  }

  @Test(
    "a property of another type is converted, a float by way of a double",
    arguments: [
      (ValueType.float, "double(old)"), (.decimal128, "decimal(old)"), (.int, "int(old)"), (.data, "old"),
    ])
  func conversions(type: ValueType, value: String) {
    let lines = Self.lines([Self.described("A", ["a"], .string)], [Self.described("A", ["a"], type)])
    #expect(lines.contains { $0.contains("change_type") && $0.contains(value) }, "\(lines)")
  }

  @Test(
    "elements are converted each, one value becomes a list, and nobody guesses which element stays",
    arguments: [
      (.int, .list, .string, .list, "map(old, string(it))"), (.string, .list, .string, .set, "value: old"),
      (.string, nil, .string, .list, "list(old)"), (.int, nil, .string, .set, "list(string(old))"),
      (.int, .list, .int, nil, "what do existing objects get?"),
    ] as [(ValueType, CollectionKind?, ValueType, CollectionKind?, String)])
  func collections(
    old: ValueType, oldCollection: CollectionKind?, new: ValueType, newCollection: CollectionKind?,
    value: String
  ) {
    func described(_ type: ValueType, _ collection: CollectionKind?) -> ClassDefinition {
      let type = PropertyType(type, collection: collection, isOptional: false)
      return ClassDefinition("A", properties: [PropertyDefinition("a", type)])
    }
    let lines = Self.lines([described(old, oldCollection)], [described(new, newCollection)])
    #expect(lines.contains { $0.contains("change_type") && $0.contains(value) }, "\(lines)")
  }

  @Test("of many classes the likeliest pairs are suggested, too")
  func manyClasses() {
    let old = (0..<200).map { Self.described("P\($0)", ["a"]) }
    let new = (0..<200).map { Self.described("Q\($0)", ["a"]) }
    let lines = Self.lines(old, new)
    #expect(lines.filter { $0.hasPrefix("# maybe instead: - rename_class") }.count == 100)
    #expect(lines.contains("# and \(200 * 200 - 100) less likely pairs of classes with the same properties"))
  }

  @Test("classes go before those that they link to; in a circle, properties go first")
  func removals() {
    let old = [
      Self.linking("A", []), Self.linking("B", ["A", "B"]), Self.linking("C", ["D"]),
      Self.linking("D", ["C", "A"]), Self.linking("E", ["C"]), Self.linking("F", []),
    ]
    #expect(
      Self.lines(old, []) == [
        "- drop_class: { class: B }", "- drop_class: { class: E }", "- drop_class: { class: F }",
        "- drop_property: { class: D, name: toA }", "- drop_class: { class: A }",
        "- drop_property: { class: D, name: toC }", "- drop_class: { class: C }",
        "- drop_class: { class: D }",
      ])
  }
}
