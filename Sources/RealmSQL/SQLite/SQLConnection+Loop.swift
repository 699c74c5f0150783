// Statements that do no more than hand on columns of one table, or count its rows. Layer: RealmSQL, SQLite.
// What a statement does is read from the program that SQLite has compiled it to.

extension SQLConnection {
  private struct Instruction {
    let name: String
    let first: Int64
    let second: Int64
    let third: Int64
    let text: String
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

  /// Whether a statement's only value is the number of rows that one virtual table gives it, none of which it looks at.
  func countsRows(_ text: String) -> Bool {
    guard let program = try? program(of: text),
      let start = program.firstIndex(where: { $0.name == "VFilter" }), start + 5 < program.count,
      case (let step, let next) = (program[start + 1], program[start + 2]),
      step.name == "AggStep", step.text == "count(0)",
      next.name == "VNext", next.first == program[start].first, next.second == start + 1,
      case (let final, let copy, let row) = (program[start + 3], program[start + 4], program[start + 5]),
      final.name == "AggFinal", final.first == step.third,
      copy.name == "Copy", copy.first == final.first, copy.third == 0,
      row.name == "ResultRow", row.first == copy.second, row.second == 1
    else { return false }
    return program[..<start].allSatisfy { Self.frame.contains($0.name) || Self.list.contains($0.name) }
      && program[(start + 6)...].allSatisfy { Self.frame.contains($0.name) }
  }

  /// The columns that each row of a statement is made of, where it is one loop over one virtual table, whose every row
  /// becomes a row of the result. Nil for all other statements.
  func loopColumns(of text: String) -> [Int]? {
    guard let program = try? program(of: text),
      let start = program.firstIndex(where: { $0.name == "VFilter" })
    else { return nil }
    let cursor = program[start].first
    var columns: [Int] = []
    var place = start + 1
    let target = program[place...].first { $0.name == "ResultRow" }?.first ?? 0
    while place < program.count, program[place].name == "VColumn", program[place].first == cursor,
      program[place].third == target + Int64(columns.count)
    {
      columns.append(Int(program[place].second))
      place += 1
    }
    guard place + 1 < program.count, program[place].name == "ResultRow",
      program[place].second == columns.count,
      program[place + 1].name == "VNext", program[place + 1].first == cursor,
      program[place + 1].second == start + 1
    else { return nil }
    let rest = program[..<start] + program[(place + 2)...]
    return rest.allSatisfy { Self.frame.contains($0.name) } ? columns : nil
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
          text: statement.value(5).words))
    }
    return program
  }
}
