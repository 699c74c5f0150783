// How a query is answered, for people and for programs: `query --explain` and statements that explain.
// Layer: RealmCommands, Querying.

import ByteText
import RealmEngine
import Rendering
import TextFormats

/// What is said about an answered query.
struct QueryReport {
  private let facts: QueryExplanation
  /// For reading the query and looking its names up.
  private let bindNanoseconds: Int

  /// Answers `query`. `startNanoseconds`: the steady clock before the query was read.
  init(_ query: BoundQuery, in realm: ReadTransaction, startNanoseconds: Int) throws(EngineError) {
    bindNanoseconds = SystemClock.nanoseconds - startNanoseconds
    facts = try QueryExplanation(query, in: realm)
  }

  /// A fact a line.
  var text: String {
    var lines: [(label: String, value: String)] = [
      ("class", "\(facts.query.table.schema.name.visible), \(counted(facts.query.table.count, "object"))"),
      ("plan", planText),
    ]
    for step in steps { lines.append(("", String(repeating: "  ", count: step.depth) + step.text.visible)) }
    for use in facts.plan.indexUses {
      lines.append(
        ("index", "\(use.property.name.visible): \(use.isUsed ? "used" : "not used") – \(use.reason)"))
    }
    lines.append(("examined", counted(facts.examinedCount, "object")))
    lines.append(("matched", counted(facts.matchedCount, "object")))
    if !facts.query.orderings.isEmpty {
      lines.append(("ordering", facts.query.orderings.map(\.text.visible).joined(separator: ", then ")))
      lines.append(("result", counted(facts.resultCount, "object")))
    }
    lines.append(("time", times.map { "\($0.name) \(milliseconds($0.nanoseconds))" }.joined(separator: ", ")))
    return lines.map { TerminalWidth.padded($0.label, to: 10) + $0.value + "\n" }.joined()
  }

  /// What programs get.
  static let shape = JSONShape.object(
    .text("class"), JSONField("plan", .word(["index", "scan"])), .integer("threads"), .texts("steps"),
    JSONField("indexes", .list(.object(.text("property"), .flag("used"), .text("reason")))),
    .integer("examined"), .integer("matched"), .integer("result"), JSONField("nanoseconds", .row),
    JSONField("then", .list(.text), isRequired: false))

  var document: DocumentNode { .mapping(entries) }

  var entries: [DocumentEntry] {
    var entries = [
      DocumentEntry.text("class", facts.query.table.schema.name), .text("plan", isByIndex ? "index" : "scan"),
      .number("threads", facts.threadCount), .list("steps", steps.map { .string($0.text) }),
      .list("indexes", facts.plan.indexUses.map(\.document)), .number("examined", facts.examinedCount),
      .number("matched", facts.matchedCount), .number("result", facts.resultCount),
    ]
    entries.append(
      .object("nanoseconds", times.map { DocumentEntry.number($0.name, $0.nanoseconds) }))
    return entries
  }

  private var isByIndex: Bool { if case .index = facts.plan.access { true } else { false } }

  private var planText: String {
    guard isByIndex else {
      return "scan, \(counted(facts.threadCount, "thread"))"
    }
    return facts.plan.remainder == nil ? "index" : "index, then the other conditions object by object"
  }

  private var steps: [(depth: Int, text: String)] { isByIndex ? [] : facts.plan.condition.steps }

  private var times: [(name: String, nanoseconds: Int)] {
    var times = [
      ("read", bindNanoseconds), ("plan", facts.planNanoseconds), ("search", facts.searchNanoseconds),
    ]
    if let order = facts.orderNanoseconds { times.append(("order", order)) }
    return times
  }

  private func milliseconds(_ nanoseconds: Int) -> String {
    let thousandths = "\(nanoseconds / 1000 % 1000)"
    return "\(nanoseconds / 1_000_000)." + String(repeating: "0", count: 3 - thousandths.count) + thousandths
      + " ms"
  }
}

extension QueryPlan.IndexUse {
  fileprivate var reason: String {
    switch outcome {
    case .valuesLookedUp(let count): count == 1 ? "one value looked up" : "\(count) values looked up"
    case .linksFollowedBack: "links followed back from the objects they lead to"
    case .wordsLookedUp: "words looked up"
    case .linkedObjectsNamed: "it names the objects that links are compared with"
    case .noIndex: "there is none"
    case .notAnEquality: "it answers equality only"
    case .unknownValues: "it cannot look up these values"
    case .tooManyObjects: "it names so many objects that a scan is faster"
    }
  }

  fileprivate var document: DocumentNode {
    .mapping([.text("property", property.name), .flag("used", isUsed), .text("reason", reason)])
  }
}

extension BoundOrdering {
  fileprivate var text: String {
    switch self {
    case .sort(let keys):
      "sort by " + keys.map { $0.value.text + ($0.isAscending ? "" : " descending") }.joined(separator: ", ")
    case .distinct(let values): "distinct " + values.map(\.text).joined(separator: ", ")
    case .limit(let limit): "limit \(limit)"
    case .offset(let offset): "offset \(offset)"
    }
  }
}

extension BoundSortValue {
  fileprivate var text: String {
    switch self {
    case .path(let path): path.text
    case .computed(_, let text): text
    }
  }
}

extension BoundSortPath {
  fileprivate var text: String {
    let names = (links.map(\.property.name) + [property.name]).joined(separator: ".")
    return dictionaryKey.map { "\(names)['\($0.text)']" } ?? names
  }
}
