// Statements that do no more than hand on columns of one table, or count its rows. Layer: RealmSQL, SQLite.
// What a statement does is read from the program that SQLite has compiled it to.

import RealmQueryLanguage

/// What a statement counts that does nothing else.
enum CountedLoop {
  case rows
  /// Different values, nulls left out.
  case values(column: Int)
}

extension SQLConnection {
  private struct Instruction {
    let name: String
    let first: Int64
    let second: Int64
    let third: Int64
    let text: String
    let flags: Int64
  }

  /// What stands before and after the loop of a plain statement: values for the table's conditions, and the frame.
  private static let frame: Set<String> = [
    "Init", "VOpen", "Null", "Integer", "Int64", "Real", "String8", "Blob", "Variable", "Explain", "Noop",
    "Transaction", "Goto", "Halt",
  ]
  /// What makes the list of `IN`.
  private static let list: Set<String> = [
    "BeginSubrtn", "Once", "OpenEphemeral", "MakeRecord", "IdxInsert", "NullRow", "Return", "VInitIn",
  ]

  /// What a statement counts whose only value is a count of what one virtual table gives it, of which it makes nothing else.
  func countedLoop(of text: String) -> CountedLoop? {
    guard let program = try? program(of: text),
      let start = program.firstIndex(where: { $0.name == "VFilter" })
    else { return nil }
    let columns = Self.differentRows(program, start)
    if let columns, columns.count > 1 { return nil }
    let column = columns?.first
    let place = start + (column == nil ? 1 : 5)
    guard place + 4 < program.count,
      case (let step, let next) = (program[place], program[place + 1]),
      step.name == "AggStep", step.text == (column == nil ? "count(0)" : "count(1)"),
      next.name == "VNext", next.first == program[start].first, next.second == start + 1,
      case (let final, let copy, let row) = (program[place + 2], program[place + 3], program[place + 4]),
      final.name == "AggFinal", final.first == step.third,
      copy.name == "Copy", copy.first == final.first, copy.third == 0,
      row.name == "ResultRow", row.first == copy.second, row.second == 1,
      program[..<start].allSatisfy({ Self.frame.contains($0.name) || Self.list.contains($0.name) }),
      program[(place + 5)...].allSatisfy({ Self.frame.contains($0.name) })
    else { return nil }
    return column.map { .values(column: $0) } ?? .rows
  }

  /// The columns of which a loop that begins at `start` takes each combination of values once, before all else.
  private static func differentRows(_ program: [Instruction], _ start: Int) -> [Int]? {
    let columns = columns(program, start)
    let place = start + 1 + columns.count
    guard let target = program[(start + 1)...].first?.third, !columns.isEmpty, place + 2 < program.count,
      case (let found, let record, let insertion) = (program[place], program[place + 1], program[place + 2]),
      found.name == "Found", found.third == target, found.text == "\(columns.count)",
      record.name == "MakeRecord", insertion.name == "IdxInsert", insertion.first == found.first,
      let next = program.indices.contains(Int(found.second)) ? program[Int(found.second)] : nil,
      next.name == "VNext", next.first == program[start].first, next.second == start + 1
    else { return nil }
    return columns
  }

  /// What a loop that begins at `start` reads at first, one register after the other.
  private static func columns(_ program: [Instruction], _ start: Int) -> [Int] {
    var columns: [Int] = []
    for instruction in program[(start + 1)...] {
      guard instruction.name == "VColumn", instruction.first == program[start].first,
        instruction.third == program[start + 1].third + Int64(columns.count)
      else { break }
      columns.append(Int(instruction.second))
    }
    return columns
  }

  /// The columns of which the only loop of a statement, over a virtual table, takes each combination of values once; nil where it
  /// may end before it has seen all rows.
  func distinctColumns(of text: String) -> [Int]? {
    guard let program = try? program(of: text),
      let start = program.firstIndex(where: { $0.name == "VFilter" }),
      !program[(start + 1)...].contains(where: { $0.name == "VFilter" || $0.name == "DecrJumpZero" })
    else { return nil }
    return Self.differentRows(program, start)
  }

  /// The columns that each row of a statement is made of, where it is one loop over one virtual table, whose every row
  /// becomes a row of the result. Nil for all other statements. `areDistinct`: no two rows of the table are the same in them.
  func loopColumns(of text: String, areDistinct: Bool) -> [Int]? {
    guard let program = try? program(of: text),
      let start = program.firstIndex(where: { $0.name == "VFilter" })
    else { return nil }
    let columns = Self.columns(program, start)
    let isDistinct = Self.differentRows(program, start) != nil
    let place = start + 1 + columns.count + (isDistinct ? 3 : 0)
    guard !isDistinct || areDistinct, place + 1 < program.count,
      case (let row, let next) = (program[place], program[place + 1]),
      row.name == "ResultRow", row.second == columns.count,
      columns.isEmpty || row.first == program[start + 1].third,
      next.name == "VNext", next.first == program[start].first, next.second == start + 1
    else { return nil }
    let rest = program[..<start] + program[(place + 2)...]
    return rest.allSatisfy { Self.frame.contains($0.name) || isDistinct && $0.name == "OpenEphemeral" }
      ? columns : nil
  }

  /// What a loop over a table does between its rows where it groups them as they come.
  private static let grouping: Set<String> = [
    "Compare", "Jump", "Move", "Gosub", "IfPos", "If", "Integer", "VColumn", "AggStep", "Explain", "Noop",
  ]

  /// What groups of the rows of the only table that it reads a statement makes something of, and nothing of the rows themselves: each
  /// combination of values once, or what our functions calculate; nil for all other statements.
  func groupedLoop(of text: String) -> GroupedLoop? {
    guard let program = try? program(of: text),
      let start = program.firstIndex(where: { $0.name == "VFilter" }),
      let end = program.firstIndex(where: { $0.name == "VNext" }), end > start,
      program[end].first == program[start].first, program[end].second == start + 1,
      program.count(where: { $0.name == "VOpen" }) == 1, !Self.isRepeated(end, in: program)
    else { return nil }
    let (body, rest) = (program[(start + 1)..<end], program[..<start] + program[(end + 1)...])
    func holdNone(_ names: Set<String>, _ part: some Sequence<Instruction>) -> Bool {
      !part.contains { names.contains($0.name) }
    }
    guard holdNone(["VFilter", "VColumn", "VNext", "OpenRead", "Rowid"], rest) else { return nil }
    if let keys = Self.differentRows(program, start) {
      // What may end before it has seen all rows does so sooner without groups.
      guard holdNone(["DecrJumpZero", "VFilter", "OpenRead", "Rowid"], program[(start + 1)...]),
        body.allSatisfy({ $0.name != "VColumn" || keys.contains(Int($0.second)) }),
        program.contains(where: {
          $0.name == "OpenEphemeral" && $0.first == program[start + 1 + keys.count].first
            && Self.comparesBytes($0.text, keys.count)
        })
      else { return nil }
      return GroupedLoop(keys: keys, calculations: [], isDistinct: true)
    }
    guard holdNone(["AggStep", "Yield"], rest), body.allSatisfy({ Self.grouping.contains($0.name) })
    else { return nil }
    var keys: [Int] = []
    if let comparison = body.firstIndex(where: { $0.name == "Compare" }) {
      keys = Self.columns(program, start)
      guard comparison == start + 1 + keys.count, program[comparison].third == keys.count,
        Self.comparesBytes(program[comparison].text, keys.count)
      else { return nil }
    }
    var calculations: [GroupedLoop.Calculation] = []
    /// By register: a column whose value nothing has used yet.
    var unused: [Int64: Int] = [:]
    for instruction in body.dropFirst(keys.count) {
      if instruction.name == "VColumn" {
        if let column = unused[instruction.third], !keys.contains(column) { return nil }
        unused[instruction.third] = Int(instruction.second)
      } else if instruction.name == "AggStep" {
        guard let calculation = Self.calculation(instruction.text, unused[instruction.second]),
          calculation.column.map(keys.contains) != true
        else { return nil }
        if calculation.column != nil { unused[instruction.second] = nil }
        if !calculations.contains(calculation) { calculations.append(calculation) }
      }
    }
    return unused.values.allSatisfy(keys.contains) && !(keys.isEmpty && calculations.isEmpty)
      ? GroupedLoop(keys: keys, calculations: calculations, isDistinct: false) : nil
  }

  /// `text`: `k(2,B,-B)`.
  private static func comparesBytes(_ text: String, _ count: Int) -> Bool {
    let orders = text.split(separator: ",").dropFirst()
    return orders.count == count && orders.allSatisfy { ["B", "-B", "B)", "-B)"].contains($0) }
  }

  /// Whether a loop that ends at `end` is inside of another one.
  private static func isRepeated(_ end: Int, in program: [Instruction]) -> Bool {
    // The last instruction goes to the first one, where the first one went to what stands before it.
    program.indices.dropLast().contains { place in
      place > end && ["Next", "Prev", "SorterNext", "Goto"].contains(program[place].name)
        && program[place].second < end
    }
  }

  /// `text`: `realm_group_avg(1)`.
  private static func calculation(_ text: String, _ column: Int?) -> GroupedLoop.Calculation? {
    guard text.hasPrefix(groupFunctionPrefix), text.hasSuffix(")") else { return nil }
    let parts = text.dropFirst(groupFunctionPrefix.count).dropLast().split(separator: "(")
    guard parts.count == 2,
      let function = AggregateFunction(rawValue: parts[0] == "total" ? "sum" : String(parts[0]))
    else { return nil }
    if parts[1] == "0" { return GroupedLoop.Calculation(function: function, column: nil) }
    return column.map { GroupedLoop.Calculation(function: function, column: $0) }
  }

  private static let comparisons: Set<String> = ["Eq", "Ne", "Lt", "Le", "Gt", "Ge"]
  /// Of the flags of a comparison: what its sides are made to before; and that they stay what they are.
  private static let conversionMask: Int64 = 0x47
  private static let noConversion: Int64 = 0x41

  /// Whether all that SQLite itself compares in a statement are texts and data as they are, byte by byte.
  func comparesBytesOnly(_ text: String) -> Bool {
    guard let program = try? program(of: text) else { return false }
    return program.allSatisfy {
      !Self.comparisons.contains($0.name)
        || $0.flags & Self.conversionMask == Self.noConversion && $0.text.hasPrefix("BINARY")
    }
  }

  private static let copies: Set<String> = ["Copy", "SCopy", "Move"]
  /// Of the flags of a copy: it is the value alone.
  private static let strippingFlag: Int64 = 2

  /// What gives one of the values that it was given, with what their column said of it.
  private static let choices: Set<String> = ["max(1)", "min(1)"]

  /// Whether a function is given what SQLite took out of a table that it has made to sort, group or keep rows: such values have
  /// lost what their column said of them.
  func losesSubtypes(of function: String, in text: String) -> Bool {
    guard let program = try? program(of: text) else { return false }
    return program.indices.contains { place in
      ["Function", "PureFunc"].contains(program[place].name)
        && program[place].text.hasPrefix("\(function)(")
        && Self.isBare(program[place].second, before: place, in: program)
    }
  }

  /// Whether the value of a register has lost what its column said of it.
  private static func isBare(_ register: Int64, before place: Int, in program: [Instruction]) -> Bool {
    var (register, isStripped) = (register, false)
    for (index, instruction) in program[..<place].enumerated().reversed() {
      let result = instruction.name == "AggValue" ? instruction.third : instruction.first
      if copies.contains(instruction.name),
        (0...max(0, instruction.third)).contains(register - instruction.second)
      {
        register += instruction.first - instruction.second
        isStripped = isStripped || instruction.flags & strippingFlag != 0
      } else if instruction.name.hasSuffix("Column"), instruction.third == register {
        let isOfFile = program.contains { $0.name == "OpenRead" && $0.first == instruction.first }
        return isStripped || instruction.name == "Column" && !isOfFile
      } else if ["AggFinal", "AggValue"].contains(instruction.name), result == register,
        choices.contains(instruction.text)
      {
        return program[..<index].indices.contains {
          program[$0].name == "AggStep" && program[$0].third == instruction.first
            && isBare(program[$0].second, before: $0, in: program)
        }
      }
    }
    return false
  }

  private func program(of text: String) throws(SQLError) -> [Instruction] {
    let statement = try prepare("EXPLAIN \(text)")
    func number(_ column: Int) -> Int64 {
      if case .integer(let number) = statement.value(column) { number } else { -1 }
    }
    var program: [Instruction] = []
    while try statement.step() {
      program.append(
        Instruction(
          name: statement.value(1).words, first: number(2), second: number(3), third: number(4),
          text: statement.value(5).words, flags: number(6)))
    }
    return program
  }
}
