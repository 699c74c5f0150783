// The text of a new migration file. Layer: Migrations, Documents.
// Invariant: nothing is guessed. What a difference of schemas does not say for sure stands in comments.

import ByteText
import RealmEngine
import TextFormats

package enum MigrationSkeleton {
  /// A file to fill in; with `changes` also the operations that make them.
  package static func text(from: Int64, to: Int64, name: String, changes: [SchemaChange]?) -> String {
    var text = """
      realm_migration: 1
      from: \(from)
      to: \(to)
      name: \(DocumentNode.string(name).yamlLine)
      up:

      """
    guard let changes else {
      return text + """
          # one operation per line, for example:
          # - add_property: { class: Person, name: nick, type: "string?" }
          []

        """
    }
    if changes.isEmpty { return text + "  []\n" }
    for line in suggestions(changes) { text += "  # \(line)\n" }
    for line in additions(changes) { text += "  \(line)\n" }
    for change in inOrder(changes) { for line in lines(change) { text += "  \(line)\n" } }
    return text
  }

  /// What makes the new classes, which may link to each other: together where there are several.
  private static func additions(_ changes: [SchemaChange]) -> [String] {
    var new: [DocumentEntry] = []
    for case .classAdded(let added) in changes {
      new.append(DocumentEntry(added.name, .mapping(added.document.entries ?? [], isFlow: true)))
    }
    if new.count == 1 {
      let fields = (new[0].value.entries ?? []).map { ($0.key, $0.value) }
      return [line("add_class", [("name", .string(new[0].key))] + fields)]
    }
    if new.isEmpty { return [] }
    return ["- add_classes:", "    classes:"]
      + new.map { "      " + DocumentNode.mapping([$0]).yamlLine }
  }

  /// Changes of classes that stay, and those that go, so that each finds what it needs: what is new comes first, what goes
  /// comes last, when nothing leads to it any more.
  private static func inOrder(_ changes: [SchemaChange]) -> [SchemaChange] {
    func rank(_ change: SchemaChange) -> Int {
      switch change {
      case .classAdded: 0
      case .propertyAdded: 1
      case .typeChanged: 2
      // An embedded class has no primary key.
      case .kindChanged(_, _, let to): to == .embedded ? 5 : 3
      case .primaryKeyChanged: 4
      case .indexChanged: 6
      case .propertyRemoved: 7
      case .classRemoved: 8
      }
    }
    var removed: [ClassDefinition] = []
    for case .classRemoved(let old) in changes { removed.append(old) }
    let others = changes.enumerated().filter {
      (1...7).contains(rank($0.element)) && !isDropped($0.element, by: changes)
    }.sorted {
      (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
    }
    return others.map(\.element) + removals(removed)
  }

  /// Whether an index goes with the type that could have it.
  private static func isDropped(_ change: SchemaChange, by changes: [SchemaChange]) -> Bool {
    guard case .indexChanged(let className, let property, let old, .none) = change else { return false }
    return changes.contains { change in
      guard case .typeChanged(className, property, _, let to) = change else { return false }
      return !PropertyDefinition.canIndex(to.type, to.collection, old)
    }
  }

  /// Classes before those that they link to; in a circle, properties before classes.
  private static func removals(_ removed: [ClassDefinition]) -> [SchemaChange] {
    let links = RemovedLinks(removed)
    var waitsFor = links.owners.map(\.count)
    var isGone = [Bool](repeating: false, count: removed.count)
    // The last one goes next.
    var free = Array(removed.indices.filter { waitsFor[$0] == 0 }.reversed())
    var firstLeft = 0
    var changes: [SchemaChange] = []
    for _ in removed.indices {
      while isGone[firstLeft] { firstLeft += 1 }
      let next = free.popLast() ?? firstLeft
      isGone[next] = true
      for owner in links.owners[next] where !isGone[owner] {
        for property in removed[owner].properties where property.type.target == removed[next].name {
          changes.append(.propertyRemoved(className: removed[owner].name, property))
        }
      }
      changes.append(.classRemoved(removed[next]))
      for target in links.targets[next] {
        waitsFor[target] -= 1
        guard waitsFor[target] == 0, !isGone[target] else { continue }
        free.insert(target, at: free.firstIndex { $0 < target } ?? free.count)
      }
    }
    return changes
  }

  /// Which of some classes link to which others of them.
  private struct RemovedLinks {
    /// By the number of a class: those that it links to.
    private(set) var targets: [Set<Int>]
    /// By the number of a class: those that link to it, in their order.
    private(set) var owners: [[Int]]

    init(_ classes: [ClassDefinition]) {
      let numbers = Dictionary(zip(classes.map(\.name), classes.indices)) { first, _ in first }
      targets = classes.enumerated().map { number, owner in
        Set(owner.properties.compactMap { $0.type.target.flatMap { numbers[$0] } }).subtracting([number])
      }
      owners = [[Int]](repeating: [], count: classes.count)
      for (number, linked) in targets.enumerated() {
        for target in linked { owners[target].append(number) }
      }
    }
  }

  /// What may be renames.
  private static func suggestions(_ changes: [SchemaChange]) -> [String] {
    propertyRenames(changes) + classRenames(changes)
  }

  private static func propertyRenames(_ changes: [SchemaChange]) -> [String] {
    /// Properties of one class with one type.
    struct Kind: Hashable {
      let className: String
      let type: PropertyType
    }
    var old: [(kind: Kind, name: String)] = []
    var new: [(kind: Kind, name: String)] = []
    for change in changes {
      switch change {
      case .propertyRemoved(let name, let property):
        old.append((Kind(className: name, type: property.type), property.name))
      case .propertyAdded(let name, let property):
        new.append((Kind(className: name, type: property.type), property.name))
      default: continue
      }
    }
    let renames = LikelyRenames(old, new)
    let lines = renames.pairs.map { pair in
      suggestion(
        "rename_property",
        [
          ("class", .string(old[pair.old].kind.className)), ("from", .string(old[pair.old].name)),
          ("to", .string(new[pair.new].name)),
        ])
    }
    return lines + remark(renames.omittedCount, "properties of the same type")
  }

  private static func classRenames(_ changes: [SchemaChange]) -> [String] {
    var old: [(kind: Set<String>, name: String)] = []
    var new: [(kind: Set<String>, name: String)] = []
    for change in changes {
      switch change {
      case .classRemoved(let removed): old.append((Set(removed.properties.map(\.name)), removed.name))
      case .classAdded(let added): new.append((Set(added.properties.map(\.name)), added.name))
      default: continue
      }
    }
    let renames = LikelyRenames(old, new)
    let lines = renames.pairs.map { pair in
      suggestion(
        "rename_class", [("from", .string(old[pair.old].name)), ("to", .string(new[pair.new].name))])
    }
    return lines + remark(renames.omittedCount, "classes with the same properties")
  }

  private static func suggestion(_ word: String, _ fields: [(String, DocumentNode)]) -> String {
    "maybe instead: " + line(word, fields)
  }

  /// What was not suggested, if anything.
  private static func remark(_ omittedCount: Int, _ what: String) -> [String] {
    omittedCount == 0 ? [] : ["and \(omittedCount) less likely pairs of \(what)"]
  }

  /// The operations that make a change.
  private static func lines(_ change: SchemaChange) -> [String] {
    switch change {
    case .classAdded: return []
    case .classRemoved(let old): return [line("drop_class", ("class", .string(old.name)))]
    case .kindChanged(let name, _, let to):
      return to == .embedded
        ? [
          line(
            "make_embedded", ("class", .string(name)), ("orphans", .string("fail")),
            ("shared", .string("fail")))
        ]
        : [line("make_object", ("class", .string(name)))]
    case .primaryKeyChanged(let name, _, let to):
      let key = to.map { DocumentNode.string($0) } ?? .null
      return [
        line("change_primary_key", ("class", .string(name)), ("to", key), ("duplicates", .string("fail")))
      ]
    case .propertyAdded(let name, let property): return [addition(of: property, to: name)]
    case .propertyRemoved(let name, let property):
      return [line("drop_property", ("class", .string(name)), ("name", .string(property.name)))]
    case .typeChanged(let name, let property, let from, let to):
      return [line(conversion(of: property, in: name, from: from, to: to))]
    case .indexChanged(let name, let property, _, let to):
      let place: [(String, DocumentNode)] = [("class", .string(name)), ("property", .string(property))]
      guard to != .none else { return [line("drop_index", place)] }
      return [line("add_index", place + [("kind", .string(to == .fullText ? "fulltext" : "general"))])]
    }
  }

  private static func addition(of property: PropertyDefinition, to className: String) -> String {
    var fields: [(String, DocumentNode)] = [
      ("class", .string(className)), ("name", .string(property.name)), ("type", property.type.document),
    ]
    if property.index != .none {
      fields.append(("indexed", property.index == .fullText ? .string("fulltext") : .bool(true)))
    }
    let isFree =
      property.type.isOptional || property.type.collection != nil || property.type.type == .mixed
    if !isFree { fields.append(("value", .string(unknownValue))) }
    return line("add_property", fields)
  }

  private static func conversion(
    of property: String, in className: String, from: PropertyType, to: PropertyType
  ) -> (String, [(String, DocumentNode)]) {
    let place: [(String, DocumentNode)] = [("class", .string(className)), ("property", .string(property))]
    return switch TypeConversion(from: from, to: to) {
    case .makesOptional: ("make_optional", place)
    case .makesRequired: ("make_required", place + [("nulls", .string("fail"))])
    case .computes(let value): ("change_type", place + [("to", to.document), ("value", .string(value))])
    case .unknown: ("change_type", place + [("to", to.document), ("value", .string(unknownValue))])
    }
  }

  private static func line(_ word: String, _ fields: (String, DocumentNode)...) -> String {
    line(word, fields)
  }

  private static func line(_ operation: (word: String, fields: [(String, DocumentNode)])) -> String {
    line(operation.word, operation.fields)
  }

  /// `- word: { … }`: names are the document's business, so that none can end its text.
  private static func line(_ word: String, _ fields: [(String, DocumentNode)]) -> String {
    "- \(word): \(DocumentNode.mapping(fields.map { DocumentEntry($0.0, $0.1) }, isFlow: true).yamlLine)"
  }

  private static let unknownValue = "fail('what do existing objects get?')"
}

extension DocumentNode {
  /// A scalar or a flow as YAML, without a line end.
  fileprivate var yamlLine: String {
    var text = ByteBuffer()
    text.append(yaml: self)
    text.truncate(to: text.count - 1)
    return text.text
  }
}
