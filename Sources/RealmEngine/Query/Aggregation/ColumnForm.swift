// Where the values of a column of groups come from, and how a block of them is read: numbers unpacked, texts as they lie
// in the file, all else computed by the block. Layer: Query, Aggregation.

/// How a column is read.
enum ColumnForm: Sendable {
  case objectKey
  /// Of ints, floats and doubles, as `KeyEncoding` says.
  case number(NumberExpression)
  case bool(Property)
  /// Of strings or data.
  case text(Property)
  case computed(ComputedOperand)

  /// The columns of the class that are read of every block.
  var properties: [Property] {
    switch self {
    case .objectKey, .computed: []
    case .number(let expression): expression.properties
    case .bool(let property), .text(let property): [property]
    }
  }

  /// Whether texts live no longer than their block.
  var hasShortLivedTexts: Bool { if case .computed = self { true } else { false } }
}

/// A column as it is read, and what its values are.
struct SourceColumn: Sendable {
  let form: ColumnForm
  let kind: KeyEncoding

  /// Nil where values may be of any type, or are several.
  init?(
    _ operand: BoundOperand, _ type: ExpressionType, of table: Table, in realm: ReadTransaction,
    now: Timestamp
  ) throws(EngineError) {
    guard !type.isList, let kind = KeyEncoding(type) else { return nil }
    if case .path(let path) = operand, path.isObjectKey {
      (form, self.kind) = (.objectKey, .presentInt)
      return
    }
    if case .path(let path) = operand, path.shape != .single { return nil }
    if case .path(let path) = operand, let property = path.directProperty, property.collection == nil {
      switch property.type {
      case .bool:
        (form, self.kind) = (.bool(property), kind)
        return
      case .string, .data:
        (form, self.kind) = (.text(property), kind)
        return
      case .int where !property.isOptional:
        (form, self.kind) = (.number(.property(property)), .presentInt)
        return
      default: break
      }
    }
    self.kind = kind
    let planner = OperandPlanner(realm: realm, table: table, paths: PathPlanner(realm, on: table))
    if kind.isNumber, let number = try planner.number(operand), number.isOf(kind) {
      form = .number(try number.answered(in: realm))
    } else if case .computed(let computed) = operand {
      form = .computed(computed)
    } else {
      form = .computed(
        ComputedOperand(
          node: .operand(operand, isList: false), table: table.schema.tableKey, isList: false, now: now,
          isLenient: false))
    }
  }

  private init(form: ColumnForm, kind: KeyEncoding) {
    self.form = form
    self.kind = kind
  }

  /// A copy with objects of its own, for one of several threads.
  func forOneThread() -> SourceColumn {
    switch form {
    case .number(let expression): SourceColumn(form: .number(expression.forOneThread()), kind: kind)
    case .bool(let property): SourceColumn(form: .bool(property.forOneThread()), kind: kind)
    case .text(let property): SourceColumn(form: .text(property.forOneThread()), kind: kind)
    case .objectKey, .computed: self
    }
  }
}

extension NumberExpression {
  fileprivate func isOf(_ wanted: KeyEncoding) -> Bool {
    switch kind {
    case .int: wanted.type == .int
    case .float: wanted.type == .float
    case .double: wanted.type == .double
    }
  }
}

/// Reads a column for one thread.
final class GroupColumnReader {
  let column: SourceColumn
  /// Where nothing is to be computed.
  private let numberProperty: Property?
  private let textProperty: Property?
  private let table: Table
  private let snapshot: Snapshot
  private let numberEvaluator: NumberEvaluator
  private let evaluator: ExpressionEvaluator?
  /// What was read or computed, as numbers.
  private let computedNumbers = NumberVector()
  /// Texts that are in several pieces of the file: their copies live as long as this reader.
  private var owners: [ByteString] = []

  init(_ column: SourceColumn, of table: Table, in realm: ReadTransaction, _ snapshot: Snapshot)
    throws(EngineError)
  {
    let column = column.forOneThread()
    self.column = column
    numberProperty = if case .number(.property(let property)) = column.form { property } else { nil }
    textProperty = if case .text(let property) = column.form { property } else { nil }
    self.table = table
    self.snapshot = snapshot
    numberEvaluator = NumberEvaluator(snapshot)
    if case .computed(let operand) = column.form {
      evaluator = try ExpressionEvaluator(operand, of: table, in: realm)
    } else {
      evaluator = nil
    }
  }

  var areInts: Bool { column.kind.type == .int }

  /// The numbers of a block, of which those at `rows` count, until the next call.
  func numbers(_ block: RowBlock, _ rows: borrowing Span<Int32>) throws(EngineError) -> NumberVector {
    if let numberProperty {
      guard try block.leaf(numberProperty).loadNumbers(into: computedNumbers) else {
        throw numberProperty.mismatch
      }
      return computedNumbers
    }
    switch column.form {
    case .number(let expression): return try numberEvaluator.numbers(expression, block)
    case .objectKey:
      computedNumbers.resize(block.count)
      rows.forEachRow { computedNumbers.set($0, block.key($0).value) }
    case .computed:
      let values = try computed(block, rows)
      computedNumbers.fill(Int64(0), count: block.count)
      computedNumbers.fill(0.0, count: block.count)
      for index in 0..<rows.count {
        let row = Int(rows[index])
        switch try values.value(index) {
        case .null: computedNumbers.setNull(row)
        case .int(let number) where areInts: computedNumbers.set(row, number)
        case let value:
          guard !areInts, let number = value.doubleValue else { throw mismatch(value) }
          computedNumbers.set(row, number)
        }
      }
    case .bool, .text: preconditionFailure("only numbers are asked for as numbers")
    }
    return computedNumbers
  }

  private func mismatch(_ value: Value) -> EngineError {
    EngineError(damage: "\(value.kindName) is where a number belongs")
  }

  private func computed(
    _ block: RowBlock, _ rows: borrowing Span<Int32>
  ) throws(EngineError) -> ExpressionColumn {
    guard let evaluator else { preconditionFailure("what is computed has an evaluator") }
    var numbers: [Int] = []
    numbers.reserveCapacity(rows.count)
    rows.forEachRow { numbers.append($0) }
    return try evaluator.column(block, rows: numbers)
  }

  /// Gives the rows of `target` the words of the values at `rows`.
  func putWords(
    of block: RowBlock, _ rows: borrowing Span<Int32>, to target: GroupKeyVector, at place: Int
  ) throws(EngineError) {
    switch column.form {
    case .number(let expression):
      let numbers = try numberEvaluator.numbers(expression, block)
      if column.kind.type == .int {
        target.set(place, ints: numbers, rows: rows, isNullable: column.kind.isNullable)
      } else {
        target.set(place, doubles: numbers, rows: rows)
      }
    case .objectKey:
      target.set(place, ints: try numbers(block, rows), rows: rows, isNullable: false)
    case .bool(let property):
      guard case .bools(let leaf) = try block.leaf(property) else { throw property.mismatch }
      for index in 0..<rows.count {
        let flag = leaf[Int(rows[index])]
        target.set(index, place, flag.map { $0 ? 2 : 1 } ?? 0, isNull: flag == nil)
      }
    case .text(let property):
      try putTexts(of: block, property, rows, to: target, at: place)
    case .computed:
      let values = try computed(block, rows)
      for index in 0..<rows.count {
        try column.kind.put(try values.value(index), to: target, index, at: place)
      }
    }
  }

  /// The block's texts as they lie in their leaf, if these are short and may be taken apart later.
  func paddedTexts(_ block: RowBlock) throws(EngineError) -> PaddedTexts? {
    guard let textProperty, case .strings(.short(let leaf)) = try block.leaf(textProperty) else { return nil }
    return leaf.padded
  }

  private func putTexts(
    of block: RowBlock, _ property: Property, _ rows: borrowing Span<Int32>, to target: GroupKeyVector,
    at place: Int
  ) throws(EngineError) {
    switch try block.leaf(property) {
    case .strings(.short(let leaf)):
      try leaf.put(rows, to: target, at: place) { index, row throws(EngineError) in
        target.set(index, place, text: try leaf.bytes(row))
      }
    case .strings(.medium(let leaf)), .data(.small(let leaf)):
      for index in 0..<rows.count {
        target.set(index, place, text: try leaf.bytes(Int(rows[index])))
      }
    case .strings(let leaf):
      for index in 0..<rows.count {
        try put(try leaf.bytes(Int(rows[index]), in: snapshot), to: target, index, at: place)
      }
    case .data(let leaf):
      for index in 0..<rows.count {
        try put(try leaf.bytes(Int(rows[index]), in: snapshot), to: target, index, at: place)
      }
    default: throw property.mismatch
    }
  }

  private func put(
    _ text: ByteString?, to target: GroupKeyVector, _ row: Int, at place: Int
  ) throws(EngineError) {
    if let text, !text.isBorrowed { owners.append(text) }
    try column.kind.put(
      text.map { column.kind.type == .data ? .data($0) : .string($0) } ?? .null, to: target, row, at: place)
  }
}
