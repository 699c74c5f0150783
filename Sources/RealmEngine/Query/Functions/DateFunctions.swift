// Functions on dates. Layer: Query. All dates are in UTC.

import ByteText

extension ExpressionFunction {
  static let dateFunctions: [ExpressionFunction] = [
    part("year(date)", "its year, in UTC as all parts of dates") { $0.year },
    part("month(date)", "its month, from 1") { Int64($0.month) },
    part("day(date)", "its day of the month, from 1") { Int64($0.day) },
    part("hour(date)", "its hour, from 0") { Int64($0.hour) },
    part("minute(date)", "its minute, from 0") { Int64($0.minute) },
    part("second(date)", "its second, from 0") { Int64($0.second) },
  ]

  private static func part(
    _ usage: String, _ summary: String, _ part: @escaping @Sendable (CivilTime) -> Int64
  ) -> ExpressionFunction {
    ExpressionFunction(
      usage, summary, [.date], gives: gives(.int),
      .values { arguments, _ throws(EngineError) in
        guard case .date(let date) = arguments[0] else {
          throw EngineError(.constraint, "expected a date, found \(arguments[0].kindName)")
        }
        let (carry, _) = Int64(date.nanoseconds).dividedRoundingDown(by: 1_000_000_000)
        return .int(part(CivilTime(secondsSince1970: date.seconds &+ carry)))
      })
  }
}
