// Random syntax trees, such as the parser could have made, without places.

import RealmQueryLanguage
import TestSupport

let nowhere = SourceRange(offset: 0, length: 0)

/// Draws trees from a seed. Arguments are of one style per generator, as in one text.
struct RandomSyntax {
  private var generator: SplitMix64
  private let takesSpecifiers: Bool
  private var specifierCount = 0
  private var subqueryDepth = 0

  init(seed: UInt64, takesSpecifiers: Bool) {
    generator = SplitMix64(state: seed)
    self.takesSpecifiers = takesSpecifiers
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  private mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(0...elements.count - 1)]
  }

  private mutating func several<Element>(
    _ counts: ClosedRange<Int>, _ make: (inout RandomSyntax) -> Element
  ) -> [Element] {
    (0..<number(counts)).map { _ in make(&self) }
  }

  // MARK: Names and paths

  mutating func name() -> Name {
    if chance(15) {
      return Name(
        pick([
          "and", "null", "NOT", "true", "TRUEPREDICATE", "obj", "age", "first name", "É", "T5", "inf", "O5",
        ]),
        isQuoted: true, range: nowhere)
    }
    return Name(
      pick([
        "a", "nick", "_id", "first name", "É", "李", "x-1", "tab\tname", "in", "text", "like", "contains",
        "between",
        "sort", "limit", "asc", "binary", "first", "size", "yes", "True", "SELF", "Not", "Any", "None",
        "uuid", "T",
        "O", "is", "matches", "b64", "info", "old",
      ]), range: nowhere)
  }

  mutating func reference(kind: ArgumentReference.Specifier = .anything) -> ArgumentReference {
    guard takesSpecifiers else { return ArgumentReference(index: number(0...12), style: .dollar) }
    specifierCount += 1
    let specifier = kind == .keyPath ? kind : pick([.anything, .integer, .floatingPoint])
    return ArgumentReference(index: specifierCount - 1, style: .specifier(specifier))
  }

  mutating func path() -> PropertyPath {
    var steps: [PathStepKind] = []
    switch number(1...12) {
    case 1 where !takesSpecifiers:
      return PropertyPath(
        steps: [PathStep(.keyPathArgument(reference(kind: .keyPath)), range: nowhere)], range: nowhere)
    case 2: steps.append(.backlink(className: name(), property: name()))
    case 3: steps.append(pick([.keys, .values, .objectKey]))
    case 4 where takesSpecifiers: steps.append(.keyPathArgument(reference(kind: .keyPath)))
    case 5 where subqueryDepth > 0:
      steps.append(.name(Name("$v\(number(1...subqueryDepth))", range: nowhere)))
    default: steps.append(.name(name()))
    }
    while chance(40) {
      switch number(1...10) {
      case 1: steps.append(.position(pick([0, 1, 99, .max])))
      case 2: steps.append(pick([.first, .last, .all]))
      case 3: steps.append(.key(text()))
      case 4: steps.append(.argument(reference()))
      case 5: steps.append(pick([.keys, .values]))
      case 6: steps.append(.backlink(className: name(), property: name()))
      default: steps.append(.name(name()))
      }
    }
    return PropertyPath(steps: steps.map { PathStep($0, range: nowhere) }, range: nowhere)
  }

  mutating func property(allowsAggregate: Bool = true) -> PropertyReference {
    // A path that is drawn and thrown away would take specifiers that are not in the text.
    let countsAllBacklinks = chance(10)
    let path =
      countsAllBacklinks
      ? PropertyPath(steps: [PathStep(.allBacklinks, range: nowhere)], range: nowhere) : path()
    let question: PropertyQuestionKind?
    switch countsAllBacklinks ? 1 : number(1...10) {
    case 1, 2: question = .count
    case 3: question = .type
    case 4, 5:
      question =
        allowsAggregate ? .aggregate(pick(Aggregate.allCases), property: chance(50) ? name() : nil) : nil
    default: question = nil
    }
    return PropertyReference(
      path: path, question: question.map { PropertyQuestion($0, range: nowhere) }, range: nowhere)
  }

  // MARK: Constants

  mutating func text() -> [UInt8] {
    let scalars = [
      "a", "Z", "'", "\"", "\\", "\n", "\t", "\u{0}", "\u{7F}", "\u{1B}", "é", "李", "😀", "%", "$0", " ", "/",
    ]
    return several(0...6) { $0.pick(scalars) }.flatMap { Array($0.utf8) }
  }

  mutating func literal() -> Literal {
    switch number(1...16) {
    case 1: return .null
    case 2: return .bool(chance(50))
    case 3: return .decimal(text: pick(["9223372036854775808", "-99999999999999999999"]))
    case 4:
      let digits = pick(["1.5", "1.", ".5", "-.5", "1e3", "1.5E-3", "-0.0"])
      return .double(Double(digits)!, text: digits)
    case 5:
      let digits = pick(["1.5", "30", "-.5", "1e3"])
      return .float(Float(digits)!, text: digits)
    case 6: return .infinity(isNegative: chance(50))
    case 7: return .notANumber
    case 8: return .string([0xFF, 0x00, 0x61])
    case 9: return .binary(several(0...5) { UInt8($0.number(0...255)) })
    case 10:
      let sign: Int64 = chance(50) ? 1 : -1
      return .date(
        seconds: sign * Int64(number(0...4_000_000_000)),
        nanoseconds: Int32(sign) * Int32(number(0...999_999_999)))
    case 11: return .uuid(several(16...16) { UInt8($0.number(0...255)) })
    case 12: return .objectID(several(12...12) { UInt8($0.number(0...255)) })
    case 13: return pick([.objectKey(7), .typedObjectKey(table: 3, key: 12)])
    case 14, 15: return .string(text())
    default: return .int(pick([0, 1, -1, 42, .max, .min]))
    }
  }

  mutating func constant() -> Constant {
    switch number(1...8) {
    case 1: return Constant(.argument(reference()), range: nowhere)
    case 2:
      let className = Name(pick(["Dog", "class_Dog", "it's"]), range: nowhere)
      let key: ObjectReference.PrimaryKey =
        chance(30)
        ? .argument(reference()) : .literal(pick([.int(-7), .string(text()), .objectID(Array(0..<12))]))
      return Constant(
        .object(ObjectReference(className: className, primaryKey: key, primaryKeyRange: nowhere)),
        range: nowhere)
    default: return Constant(.literal(literal()), range: nowhere)
    }
  }

  mutating func list() -> ConstantList {
    ConstantList(elements: several(0...4) { $0.constant() }, range: nowhere)
  }

  // MARK: Predicates

  mutating func predicate() -> Predicate {
    let condition = condition(depth: 4)
    return Predicate(condition: condition, orderings: several(0...3) { $0.ordering() })
  }

  private mutating func ordering() -> Ordering {
    switch number(1...4) {
    case 1:
      return Ordering(
        .sort(several(1...3) { SortKey($0.sorted(), isAscending: $0.chance(50), range: nowhere) }),
        range: nowhere)
    case 2: return Ordering(.distinct(several(1...3) { $0.sorted() }), range: nowhere)
    case 3: return Ordering(.limit(.number(pick([0, 7, .max]))), range: nowhere)
    default: return Ordering(.limit(.argument(reference())), range: nowhere)
    }
  }

  private mutating func sorted() -> Expression {
    Expression(.property(nil, PropertyReference(path: path(), range: nowhere)), range: nowhere)
  }

  private mutating func condition(depth: Int) -> Expression {
    switch depth > 0 ? number(1...10) : 10 {
    case 1, 2: return Expression(.and(several(2...4) { $0.condition(depth: depth - 1) }), range: nowhere)
    case 3, 4: return Expression(.or(several(2...4) { $0.condition(depth: depth - 1) }), range: nowhere)
    case 5, 6: return Expression(.not(condition(depth: depth - 1)), range: nowhere)
    case 7: return Expression(.truth(chance(50)), range: nowhere)
    default: return Expression(.comparison(comparison(depth: depth)), range: nowhere)
    }
  }

  private mutating func comparison(depth: Int) -> Comparison {
    let symbol = pick(ComparisonSymbol.allCases)
    let left: Expression
    let right: Expression
    var options: StringOptions = []
    switch symbol {
    case .geoWithin:
      left = Expression(.property(chance(30) ? .all : nil, property(allowsAggregate: false)), range: nowhere)
      right = chance(20) ? argument() : Expression(.shape(shape()), range: nowhere)
    case .between:
      left = value(depth: depth)
      right = chance(20) ? argument() : Expression(.list(nil, list()), range: nowhere)
    case .beginsWith, .endsWith, .contains, .like, .matches, .text:
      left = value(depth: depth)
      if symbol != .text {
        let isPattern = symbol == .like || symbol == .matches
        options = isPattern ? .caseInsensitive : [.caseInsensitive, .diacriticInsensitive]
      }
      right = value(depth: depth)
    case .equal, .notEqual, .in:
      left = operand(depth: depth)
      options = pick([[], .caseInsensitive, .diacriticInsensitive])
      right = operand(depth: depth)
    default:
      left = operand(depth: depth)
      right = operand(depth: depth)
    }
    return Comparison(left: left, symbol: symbol, symbolRange: nowhere, options: options, right: right)
  }

  private mutating func argument() -> Expression {
    Expression(.constant(Constant(.argument(reference()), range: nowhere)), range: nowhere)
  }

  private mutating func operand(depth: Int) -> Expression {
    guard depth > 0, chance(35) else { return value(depth: depth) }
    let symbols: [ArithmeticOperator] = chance(50) ? [.add, .subtract] : [.multiply, .divide]
    return Expression(
      .arithmetic(
        first: operand(depth: depth - 1),
        rest: several(1...3) {
          ArithmeticStep(
            $0.pick(symbols), symbolRange: nowhere, operand: $0.operand(depth: depth - 1))
        }), range: nowhere)
  }

  private mutating func value(depth: Int) -> Expression {
    let quantifier: Quantifier? = chance(25) ? pick([.any, .all, .noneOf]) : nil
    switch number(1...10) {
    case 1, 2, 3:
      let constant = constant()
      return Expression(.constant(constant), range: nowhere)
    case 4: return Expression(.list(quantifier, list()), range: nowhere)
    case 5: return Expression(.quantifiedArgument(pick([.any, .all, .noneOf]), reference()), range: nowhere)
    case 6 where depth > 0:
      let collection = path()
      subqueryDepth += 1
      let variable = Name("$v\(subqueryDepth)", range: nowhere)
      let inner = condition(depth: depth - 1)
      subqueryDepth -= 1
      return Expression(
        .subquery(Subquery(collection: collection, variable: variable, condition: inner)), range: nowhere)
    default:
      return Expression(.property(quantifier, property(allowsAggregate: quantifier == nil)), range: nowhere)
    }
  }

  private mutating func shape() -> GeoShape {
    switch number(1...3) {
    case 1: return GeoShape(.box(point(), point()), range: nowhere)
    case 2: return GeoShape(.circle(center: point(), radius: coordinate()), range: nowhere)
    default:
      return GeoShape(
        .polygon(several(1...3) { GeoRing(points: $0.several(1...4) { $0.point() }, range: nowhere) }),
        range: nowhere)
    }
  }

  private mutating func point() -> GeoPoint {
    GeoPoint(
      longitude: coordinate(), latitude: coordinate(), altitude: chance(20) ? coordinate() : nil,
      range: nowhere)
  }

  private mutating func coordinate() -> GeoNumber {
    GeoNumber(
      chance(10) ? .argument(reference()) : .number(pick([0, -0.5, 12.25, 1e20, -180])), range: nowhere)
  }

  // MARK: Expressions

  mutating func expression(depth: Int) -> Expression {
    Expression(expressionKind(depth: depth), range: nowhere)
  }

  private mutating func expressionKind(depth: Int) -> ExpressionKind {
    guard depth > 0 else {
      return chance(40) ? .constant(constant()) : .property(nil, property())
    }
    let next = depth - 1
    switch number(1...14) {
    case 1: return .list(nil, list())
    case 2:
      let name = Name(
        pick(["trim", "first", "last", "count", "uuid", "objectId", "min", "fail"]), range: nowhere)
      return .call(FunctionCall(name: name, arguments: several(0...3) { $0.expression(depth: next) }))
    case 3: return .not(expression(depth: next))
    case 4: return .negative(expression(depth: next))
    case 5, 6:
      let symbols: [ArithmeticOperator] = chance(50) ? [.add, .subtract] : [.multiply, .divide, .remainder]
      return .arithmetic(
        first: expression(depth: next),
        rest: several(1...3) {
          ArithmeticStep(
            $0.pick(symbols), symbolRange: nowhere, operand: $0.expression(depth: next))
        })
    case 7:
      let symbols: [ComparisonSymbol] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
      return .comparison(
        Comparison(
          left: expression(depth: next), symbol: pick(symbols), symbolRange: nowhere,
          right: expression(depth: next)))
    case 8: return .and(several(2...3) { $0.expression(depth: next) })
    case 9: return .or(several(2...3) { $0.expression(depth: next) })
    case 10: return .coalescing(several(2...3) { $0.expression(depth: next) })
    case 11, 12:
      return .conditional(
        several(1...3) {
          ConditionalBranch(condition: $0.expression(depth: next), value: $0.expression(depth: next))
        }, otherwise: expression(depth: next))
    case 13: return .constant(constant())
    default: return .property(nil, property())
    }
  }
}
