// One table of a realm as SQLite plans it. Layer: RealmSQL, Tables.

import RealmEngine

/// A realm whose tables a connection reads.
final class SQLRealm {
  let transaction: ReadTransaction
  let schema: SQLSchema
  let failure: SQLFailure
  /// Whether conditions and orders are handed to the query engine: tests compare both.
  let pushesDown: Bool
  /// The cursor that was last begun.
  weak var begunCursor: RealmTableCursor?
  /// Of a statement that does nothing but count what one cursor gives.
  var count = Count.unwanted
  /// Of a statement whose groups the query engine makes: what it calculates, and where that is to be put.
  var groups: (loop: GroupedLoop, answers: SQLGroups)?
  /// What the statement that is being prepared has in it.
  var traps = PlanTraps()

  /// Whether the statement that is being prepared compares texts with texts alone, as they are.
  var comparesTextsOnly = false
  /// Whether a plan finds rows by a text that another table holds.
  var joinsByText = false

  /// Decimals that the statement that is being prepared puts in an order, which is that of texts.
  var orderedDecimals: Set<String> = []

  /// What a statement makes of the only table that it reads: each combination of values in these columns once.
  var distinctColumns: [Int]?

  enum Count {
    case unwanted
    case wanted(CountedLoop)
    case counted(Int)
  }

  init(_ transaction: ReadTransaction, _ failure: SQLFailure, pushesDown: Bool) {
    self.transaction = transaction
    schema = SQLSchema(transaction)
    self.failure = failure
    self.pushesDown = pushesDown
  }
}

extension SQLRealm: VirtualTableProvider {
  func table(_ number: Int) throws(EngineError) -> any VirtualTable {
    guard schema.tables.indices.contains(number) else { throw EngineError(.other, "there is no such table") }
    if let refusal = schema.tables[number].refusal { throw refusal }
    return RealmTable(schema.tables[number], of: self)
  }
}

/// How rows are found.
struct TablePlan: Sendable {
  enum Access: Sendable {
    /// All rows that meet the conditions.
    case query
    /// The one object with a key.
    case objectKey
    /// What an object owns.
    case owner
  }

  struct Condition: Sendable {
    let column: Int
    let comparison: SQLComparison
  }

  var access = Access.query
  /// What the values of a cursor belong to, in their order.
  var conditions: [Condition] = []
  var orderings: [BoundSortKey] = []
  var rowsLimit = 4096
  /// Of a side table: what the statement reads.
  var elementColumns: [Int] = []
  /// Into `conditions`: an equality with what another table holds, so that there will be many look-ups.
  var joinIndex: Int?
  /// Whether what is no text is equal to nothing there.
  var joinsTextsOnly = false
}

final class RealmTable: VirtualTable {
  let description: SQLTable
  let realm: SQLRealm
  private(set) var plans: [TablePlan] = []
  /// Of an embedded class.
  let owners: SQLOwnerSearch?
  /// The rows of the whole table by the values of a column, once there have been many look-ups.
  var keyedRows: [RowsByValue.Column: RowsByValue] = [:]
  var lookUpCounts: [Int: Int] = [:]

  init(_ description: SQLTable, of realm: SQLRealm) {
    self.description = description
    self.realm = realm
    if case .objects(let owners) = description.rows, description.table.schema.kind == .embedded {
      self.owners = SQLOwnerSearch(description.table, owners, in: realm.transaction)
    } else {
      owners = nil
    }
  }

  var columnCount: Int { description.columns.count }
  var failure: SQLFailure { realm.failure }

  var definition: String {
    // SQLite tells keys and NOT NULL to those who ask for them, and leaves out conditions that these answer.
    let columns = description.columns.map {
      $0.isHidden
        ? "\(SQLText.quoted(name: $0.name)) \($0.type.rawValue) HIDDEN"
        : $0.definition(isKey: $0.name == description.keyName, description.form)
    }
    return "CREATE TABLE x(\(columns.joined(separator: ", ")))"
  }

  func makeCursor(_ batch: BatchMemory) -> any VirtualCursor { RealmTableCursor(self, batch) }

  /// What reads the rows of a side table; nil for other tables.
  func makeElements() -> ElementRows? {
    if case .elements(let property) = description.rows {
      ElementRows(property, description.table)
    } else {
      nil
    }
  }

  /// Of elements only their owners are counted: few of these may have many.
  private var rowCount: Double {
    let count = Double(max(1, description.table.count))
    return holdsElements ? max(Self.elementsMin, count * Self.elementsPerOwner) : count
  }
  private static let elementsPerOwner = 4.0
  private static let elementsMin = 1000.0
  private var holdsElements: Bool { if case .elements = description.rows { true } else { false } }

  // MARK: Planning

  func plan(_ asked: PlanRequest) -> PlanAnswer? {
    let request = description.rowNumberIndex.map(asked.naming(rowNumber:)) ?? asked
    for column in request.orderedColumns where column >= 0 && description.columns[column].type == .decimal {
      realm.orderedDecimals.insert("\(description.name).\(description.columns[column].name)")
    }
    var plan = TablePlan()
    var answer = PlanAnswer(cost: rowCount * 3, rowCount: Int64(rowCount))
    var words: [String] = []
    let pushed = realm.pushesDown ? request.constraints : []
    if let index = pushed.firstIndex(where: isLookUp) {
      plan.access = isOwner(pushed[index].column) ? .owner : .objectKey
      take(pushed[index], PlanAnswer.Use(constraint: index), to: &plan, &answer, &words)
      answer.isUnique = plan.access == .objectKey
      if plan.access == .owner { plan.joinIndex = 0 }
      (answer.cost, answer.rowCount) = plan.access == .objectKey ? (8, 1) : (5, Int64(Self.elementsPerOwner))
    } else if !holdsElements {
      add(pushed, to: &plan, &answer, &words)
      if realm.pushesDown { addOrder(request, to: &plan, &answer, &words) }
    } else if let index = pushed.firstIndex(where: isJoinOfElements) {
      take(pushed[index], PlanAnswer.Use(constraint: index), to: &plan, &answer, &words)
      plan.joinIndex = 0
      (answer.cost, answer.rowCount) = (20, Int64(max(1, rowCount / 100)))
    }
    if description.columns.indices.contains(where: { isDocument($0) && request.uses($0) }) {
      plan.rowsLimit = 64
    }
    if holdsElements { plan.elementColumns = description.columns.indices.filter { request.uses($0) } }
    answer.number = Int32(plans.count)
    answer.description = words.isEmpty ? "all rows" : words.joined(separator: " AND ")
    plans.append(plan)
    return answer
  }

  /// Has a condition handed to the cursor.
  private func take(
    _ constraint: PlanRequest.Constraint, _ use: PlanAnswer.Use, to plan: inout TablePlan,
    _ answer: inout PlanAnswer, _ words: inout [String]
  ) {
    guard let comparison = constraint.comparison else { return }
    plan.conditions.append(TablePlan.Condition(column: constraint.column, comparison: comparison))
    answer.uses.append(use)
    words.append("\(name(constraint.column))\(comparison.symbol)?")
  }

  private func name(_ column: Int) -> String {
    column < 0 ? SQLSchema.ColumnName.objectKey : description.columns[column].name
  }

  private func isOwner(_ column: Int) -> Bool {
    guard column >= 0, case .owner = description.columns[column].source else { return false }
    return true
  }

  private func isDocument(_ column: Int) -> Bool {
    if case .document = description.columns[column].source { true } else { false }
  }

  private func isObjectKey(_ column: Int) -> Bool {
    if column < 0 { return !holdsElements }
    if case .objectKey = description.columns[column].source { return true }
    return false
  }

  /// Whether one value names the rows without any search.
  private func isLookUp(_ constraint: PlanRequest.Constraint) -> Bool {
    isEquality(constraint) && (isOwner(constraint.column) || isObjectKey(constraint.column))
  }

  /// Whether elements are wanted by what another table holds.
  private func isJoinOfElements(_ constraint: PlanRequest.Constraint) -> Bool {
    guard isEquality(constraint), constraint.constant == nil, constraint.column >= 0,
      case .element = description.columns[constraint.column].source
    else { return false }
    return [.integer, .text].contains(description.columns[constraint.column].type)
  }

  private func isEquality(_ constraint: PlanRequest.Constraint) -> Bool {
    constraint.isUsable && constraint.comparison?.isEquality == true && constraint.comparesBytes
      && !realm.traps.mistakes(
        constraint, isText: isText(constraint.column) || holdsAnything(constraint.column))
  }

  private func holdsAnything(_ column: Int) -> Bool {
    column >= 0 && description.columns[column].type == .any
  }

  private func isText(_ column: Int) -> Bool { column >= 0 && description.columns[column].type == .text }

  private func add(
    _ constraints: [PlanRequest.Constraint], to plan: inout TablePlan, _ answer: inout PlanAnswer,
    _ words: inout [String]
  ) {
    var selectivity = 1.0
    /// The part of the rows that the best index finds, which are then looked at for the other conditions.
    var indexed: Double?
    /// The part that the value of another table finds by which rows are looked up.
    var joined = Double.infinity
    for (index, constraint) in constraints.enumerated() {
      guard constraint.isUsable, let comparison = constraint.comparison, constraint.column >= 0,
        case .property(let property) = description.columns[constraint.column].source,
        !realm.traps.misleads(constraint, among: constraints, isText: isText(constraint.column))
      else { continue }
      let offer = PushedCondition.offer(comparison, on: property, constraint)
      guard offer.isPushed else { continue }
      let use = PlanAnswer.Use(constraint: index, isExact: offer.isExact, takesList: constraint.isList)
      take(constraint, use, to: &plan, &answer, &words)
      let isKey = property === description.table.schema.primaryKey
      if comparison.isEquality, !constraint.isList {
        let share = isKey ? 1 / rowCount : shareOfOneValue(property)
        if constraint.constant == nil, share < joined {
          joined = share
          plan.joinIndex = plan.conditions.count - 1
          let joinsByText =
            isText(constraint.column) && (property.type == .string || property.type == .object)
          plan.joinsTextsOnly = joinsByText && realm.comparesTextsOnly && comparison == .equal
          realm.joinsByText = realm.joinsByText || joinsByText
        }
        if isKey || property.index == .general || property.isLink
          || constraint.constant == nil && description.table.count <= RowsByValue.rowsMax
        {
          indexed = min(indexed ?? 1, share)
        }
        answer.isUnique = answer.isUnique || isKey
        selectivity *= share
      } else {
        selectivity *=
          comparison == .notEqual || comparison == .isNotNull ? 0.9 : constraint.isList ? 0.05 : 0.25
      }
    }
    guard !plan.conditions.isEmpty else { return }
    // Rows that are found by one value meet this condition alone.
    if let joinIndex = plan.joinIndex {
      for index in answer.uses.indices where index != joinIndex { answer.uses[index].isExact = false }
      if plan.joinsTextsOnly { answer.uses[joinIndex].isExact = true }
    }
    let rows = max(1, rowCount * selectivity)
    answer.rowCount = Int64(rows)
    answer.cost =
      if let indexed { (answer.isUnique ? 3 : 20) + max(1, rowCount * indexed) * 2 } else {
        rowCount * 0.3 + rows * 3
      }
  }

  /// The part of the rows that have one of the property's values, which nobody has counted: links may lead to any object.
  private func shareOfOneValue(_ property: Property) -> Double {
    guard let target = property.target.flatMap(realm.transaction.table) else { return 0.01 }
    return 1 / Double(max(1, target.count))
  }

  private func addOrder(
    _ request: PlanRequest, to plan: inout TablePlan, _ answer: inout PlanAnswer, _ words: inout [String]
  ) {
    var keys: [BoundSortKey] = []
    if !request.orderings.isEmpty {
      for (index, ordering) in request.orderings.enumerated() {
        let isLast = index == request.orderings.count - 1
        if isObjectKey(ordering.column) {
          // Objects come in key order as it is, and after a key nothing is left to be ordered.
          if index == 0, !ordering.isDescending { break }
          return
        }
        // Rows that are looked up for those of another table come as they lie.
        guard plan.joinIndex == nil, ordering.column >= 0,
          case .property(let property) = description.columns[ordering.column].source,
          property.sortsAsInSQL(isLast: isLast)
        else { return }
        keys.append(
          BoundSortKey(
            .path(BoundSortPath(property: property)), isAscending: !ordering.isDescending))
        words.append("ORDER BY \(name(ordering.column))\(ordering.isDescending ? " DESC" : "")")
      }
      answer.isOrdered = true
      plan.orderings = keys
      if !keys.isEmpty { answer.cost += Double(answer.rowCount) * 2 }
    }
    addLimit(request, to: &plan, &answer, &words)
  }

  /// A limit counts rows that have met all conditions, so it can only be handed down with all of them.
  private func addLimit(
    _ request: PlanRequest, to plan: inout TablePlan, _ answer: inout PlanAnswer, _ words: inout [String]
  ) {
    let used = Set(answer.uses.lazy.filter { $0.isExact && !$0.takesList }.map(\.constraint))
    var limits: [Int] = []
    for (index, constraint) in request.constraints.enumerated() {
      switch constraint.comparison {
      case .limit where constraint.isUsable: limits.insert(index, at: 0)
      case .offset where constraint.isUsable: limits.append(index)
      default: if !used.contains(index) { return }
      }
    }
    guard let first = limits.first, request.constraints[first].comparison == .limit else { return }
    for index in limits {
      guard let comparison = request.constraints[index].comparison else { continue }
      plan.conditions.append(TablePlan.Condition(column: -1, comparison: comparison))
      answer.uses.append(PlanAnswer.Use(constraint: index))
      words.append(comparison.symbol)
    }
  }
}

extension SQLComparison {
  /// In `explain query plan`.
  fileprivate var symbol: String {
    switch self {
    case .equal: "="
    case .same: " IS "
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .notEqual: "<>"
    case .isNull: " IS NULL"
    case .isNotNull: " IS NOT NULL"
    case .like: " LIKE "
    case .glob: " GLOB "
    case .limit: "LIMIT"
    case .offset: "OFFSET"
    }
  }
}

// MARK: What properties are for SQLite

extension Property {
  /// Whether values that are the same here are so for SQLite, and are told apart quickly.
  var isOrdered: Bool {
    [.int, .bool, .float, .double, .string, .date, .objectID, .uuid].contains(type)
  }

  /// Whether values are the same for SQLite if and only if they are so here.
  var hasOneFormOfAValue: Bool {
    [.int, .bool, .string, .data, .date, .objectID, .uuid].contains(type)
  }

  /// Whether the engine's order is SQLite's. Zero and NaN have several forms that SQLite takes for one, so what comes after
  /// them in an order would differ.
  fileprivate func sortsAsInSQL(isLast: Bool) -> Bool {
    switch type {
    case .int, .bool, .string: true
    case .float, .double: isLast
    default: false
    }
  }
}
