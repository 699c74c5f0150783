// Random SELECT statements over the tables of a realm: conditions of all kinds on values that are there, joins along links,
// groups, orders and limits.

import RealmSQL
import TestSupport

struct RandomStatement {
  private let tables: [SQLTable]
  private let values: (_ column: String, _ table: String) throws -> [String]
  private var random: SplitMix64

  init(
    _ tables: [SQLTable], values: @escaping (String, String) throws -> [String], _ random: inout SplitMix64
  ) {
    self.tables = tables
    self.values = values
    self.random = SplitMix64(state: random.next())
  }

  private mutating func pick<T>(_ choices: [T]) -> T { choices[random.below(choices.count)] }

  private static func name(_ table: SQLTable) -> String { SQLText.quoted(name: table.name) }

  /// The statement, and whether its rows have only one order.
  func text() throws -> (String, isOrdered: Bool) {
    var copy = self
    return try copy.make()
  }

  private mutating func make() throws -> (String, isOrdered: Bool) {
    let table = pick(tables)
    let from = try source(of: table)
    let condition = random.oneIn(4) ? "" : " where " + (try conditions(on: table, depth: 2))
    let columns = table.columns.filter { !$0.isHidden }
    switch random.below(12) {
    case 5:
      let other = pick(tables)
      let (column, side) = ("t." + SQLText.quoted(name: pick(columns).name), pickName(other))
      let kind = pick([
        "in (select \(side) from", "> (select min(\(side)) from", "in (select max(\(side)) from",
      ])
      return (
        "select \(column), \(expression(columns)) from \(Self.name(table)) t where \(column) \(kind) \(Self.name(other)))",
        false
      )
    case 6:
      let column = "t." + SQLText.quoted(name: pick(columns).name)
      return (
        "select \(expression(columns)), count(*) filter (where \(column) > 1) from \(from)\(condition) group by 1",
        false
      )
    case 10, 11: return try grouped(table, columns, "\(Self.name(table)) t\(condition)")
    case 8: return ("select count(*) from \(Self.name(table)) t\(condition)", true)
    case 9:
      let from = try ownedRows(of: table) ?? from
      return ("select \(expression(columns)), * from \(from)\(condition)", false)
    case 7:
      let other = pick(tables)
      let word = pick(["union", "union all", "except", "intersect"])
      return (
        "select \(expression(columns)) from \(Self.name(table)) t\(condition) \(word) select \(pickName(other)) from \(Self.name(other))",
        false
      )
    case 0:
      let column = "t." + SQLText.quoted(name: pick(columns).name)
      return (
        "select \(column), count(*), count(distinct \(column)), min(\(column)) from \(from)\(condition) group by 1",
        false
      )
    case 1:
      let column = name(of: pick(columns), in: table)
      return (
        "select count(*), max(\(column)), min(\(column)), total(length(\(column))) from \(from)\(condition)",
        false
      )
    case 2:
      let direction = random.oneIn(2) ? " desc" : ""
      let all = columns.map { "t.\(SQLText.quoted(name: $0.name))\(direction)" }.joined(separator: ", ")
      let first = pick(columns).name
      let limit = random.oneIn(2) ? " limit \(random.below(20)) offset \(random.below(5))" : ""
      return (
        "select t.* from \(Self.name(table)) t\(condition) order by t.\(SQLText.quoted(name: first))\(direction), \(all)\(limit)",
        true
      )
    case 3:
      let column = "t." + SQLText.quoted(name: pick(columns).name)
      let other = random.oneIn(2) ? "typeof(\(column))" : "t." + SQLText.quoted(name: pick(columns).name)
      return ("select distinct \(column), \(other) from \(from)\(condition)", false)
    default:
      let number = random.below(3)
      let window =
        number == 0 ? ", count(*) over (partition by t.\(SQLText.quoted(name: pick(columns).name)))" : ""
      return ("select t.*\(window) from \(from)\(condition)", false)
    }
  }

  /// What the query engine calculates for groups, or all rows, where it can.
  private mutating func grouped(
    _ table: SQLTable, _ columns: [SQLColumn], _ from: String
  ) throws -> (String, isOrdered: Bool) {
    func column(_ random: inout SplitMix64, among columns: [SQLColumn] = columns) -> String {
      "t." + SQLText.quoted(name: columns[random.below(columns.count)].name)
    }
    // Sums of others depend on their order, and on how they are added.
    let integers = try columns.filter {
      try $0.type == .integer
        && values(SQLText.quoted(name: $0.name), Self.name(table)).allSatisfy {
          Int($0).map { $0.magnitude < 1 << 40 } ?? true
        }
    }
    // Of equal values of several types SQLite shows the one that it meets first.
    let typed = columns.filter { $0.type != .any }
    let keys = typed.isEmpty ? [] : (0..<random.below(3)).map { _ in column(&random, among: typed) }
    if !keys.isEmpty, random.oneIn(3) { return different(keys, from) }
    let calculations = (0...random.below(3)).map { _ in
      switch random.below(8) {
      case 0: "count(*)"
      case 1: "count(\(column(&random)))"
      case 2: "max(\(column(&random)))"
      case 3: "min(\(column(&random)))"
      case let number where !integers.isEmpty:
        "printf('%.10g', \(["sum", "avg", "total", "sum"][number - 4])(\(column(&random, among: integers))))"
      default: "count(*) * 2"
      }
    }
    var text = "select \((keys + calculations).joined(separator: ", ")) from \(from)"
    guard !keys.isEmpty else { return (text, true) }
    text += " group by \(keys.joined(separator: ", "))"
    if random.oneIn(3) { text += " having count(*) > \(random.below(3))" }
    guard random.oneIn(2) else { return (text, false) }
    let orders = keys.indices.map { "\($0 + 1)\(random.oneIn(3) ? " desc" : "")" }
    let limit = random.oneIn(2) ? " limit \(random.below(9))" : ""
    return ("\(text) order by \(orders.joined(separator: ", "))\(limit)", true)
  }

  /// Each combination of values once.
  private mutating func different(_ keys: [String], _ from: String) -> (String, isOrdered: Bool) {
    let all = keys.joined(separator: ", ")
    let text =
      random.oneIn(3) ? "select \(all) from \(from) group by \(all)" : "select distinct \(all) from \(from)"
    switch random.below(5) {
    case 0: return ("select count(*), min(length(hex(\(keys[0].dropFirst(2))))) from (\(text))", true)
    case 1: return ("\(text) order by length(\(keys[0])), \(all) limit \(random.below(9))", true)
    case 2: return ("\(text) order by \(keys[0])", false)
    case 3: return (text, false)
    default:
      let orders = keys.map { "\($0)\(random.oneIn(3) ? " desc" : "")" }.joined(separator: ", ")
      return ("\(text) order by \(orders)\(random.oneIn(2) ? " limit \(random.below(9))" : "")", true)
    }
  }

  private mutating func pickName(_ table: SQLTable) -> String {
    SQLText.quoted(name: pick(table.columns.filter { !$0.isHidden }).name)
  }

  /// A column in the hands of one of SQLite's functions.
  private mutating func expression(_ columns: [SQLColumn]) -> String {
    let column = "t." + SQLText.quoted(name: pick(columns).name)
    return pick([
      column, "typeof(\(column))", "date(\(column))", "strftime('%Y-%j', \(column), '+1 day')",
      "json_array(hex(\(column)))", "json_extract(json_object('a', length(\(column))), '$.a')",
      "cast(\(column) as integer)", "substr(\(column), 2, 3)", "coalesce(\(column), 'none')",
      "case when \(column) then 1 else \(column) end",
    ])
  }

  /// The table alone, or beside one that it refers to.
  private mutating func source(of table: SQLTable) throws -> String {
    let references = table.columns.compactMap { column in column.reference.map { (column, $0) } }
    guard !references.isEmpty, random.oneIn(2) else { return "\(Self.name(table)) t" }
    let (column, reference) = pick(references)
    let kind = random.oneIn(2) ? "left join" : "join"
    return "\(Self.name(table)) t \(kind) \(SQLText.quoted(name: reference.table)) u on "
      + "t.\(SQLText.quoted(name: column.name)) \(pick(["=", "is"])) u.\(SQLText.quoted(name: reference.column))"
  }

  /// The table beside one whose rows refer to it, such as a side table.
  private mutating func ownedRows(of table: SQLTable) throws -> String? {
    let references = tables.flatMap { other in
      other.columns.compactMap { column in column.reference.map { (other, column, $0) } }
    }.filter { $0.2.table == table.name }
    guard !references.isEmpty else { return nil }
    let (other, column, reference) = pick(references)
    return "\(Self.name(table)) t \(pick(["join", "left join"])) \(Self.name(other)) u on "
      + "u.\(SQLText.quoted(name: column.name)) \(pick(["=", "is"])) t.\(SQLText.quoted(name: reference.column))"
  }

  private mutating func conditions(on table: SQLTable, depth: Int) throws -> String {
    guard depth > 0, random.oneIn(2) else { return try condition(on: table) }
    let (left, right) = (
      try conditions(on: table, depth: depth - 1), try conditions(on: table, depth: depth - 1)
    )
    switch random.below(5) {
    case 0: return "not (\(left))"
    case 1: return "(\(left) or \(right))"
    default: return "\(left) and \(right)"
    }
  }

  /// A column, or another name for it where it has one.
  private mutating func name(of column: SQLColumn, in table: SQLTable) -> String {
    let isRowNumber = column.name == table.keyName && column.type == .integer && !column.isOptional
    let other = pick(["rowid", "_rowid_"])
    return isRowNumber && random.oneIn(2) ? "t.\(other)" : "t.\(SQLText.quoted(name: column.name))"
  }

  private static let constants = [
    "0", "1", "-1", "5", "2.5", "1e300", "-9223372036854775808", "9223372036854775807", "'5'", "'abc'", "''",
    "'2.5 '",
    "'2020-01-01'", "'2020'", "x'00'", "null", "'9'", "0.1", "9007199254740993",
  ]

  private mutating func condition(on table: SQLTable) throws -> String {
    let column = pick(table.columns.filter { !$0.isHidden })
    let name = name(of: column, in: table)
    let known = try values(SQLText.quoted(name: column.name), Self.name(table))
    func value(_ random: inout SplitMix64) -> String {
      let choices = known.isEmpty || random.oneIn(3) ? Self.constants : known
      return choices[random.below(choices.count)]
    }
    switch random.below(11) {
    case 0: return "\(name) is null"
    case 1: return "\(name) is not null"
    case 2: return "\(name) between \(value(&random)) and \(value(&random))"
    case 3: return "\(name) in (\(value(&random)), \(value(&random)), \(value(&random)))"
    case 4:
      let prefix = value(&random).filter { $0.isLetter || $0.isNumber }.prefix(random.below(4))
      return random.oneIn(2) ? "\(name) like '\(prefix)%'" : "\(name) glob '\(prefix)*'"
    case 5: return "\(name) is \(value(&random))"
    case 6: return "\(name) = \(value(&random)) collate nocase"
    case 7: return "case when \(name) > \(value(&random)) then 1 else 0 end = \(random.below(2))"
    default: return "\(name) \(pick(["=", "<", "<=", ">", ">=", "<>", "=="])) \(value(&random))"
    }
  }
}
