// Dates of the calendar: which fields are one.

import ByteText
import Testing

@Suite("Dates of the calendar")
struct CivilTimeTests {
  @Test(
    "the first and the last value of each field are a date, and what stands beside them is none",
    arguments: [
      (month: 1...12, day: 1...31, year: Int64(2023)), (month: 2...2, day: 1...28, year: 2023),
      (month: 2...2, day: 1...29, year: 2024), (month: 2...2, day: 1...28, year: 1900),
      (month: 2...2, day: 1...29, year: 2000), (month: 4...4, day: 1...30, year: 2023),
    ])
  func bounds(_ date: (month: ClosedRange<Int>, day: ClosedRange<Int>, year: Int64)) {
    func isDate(_ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0) -> Bool {
      CivilTime(year: date.year, month: month, day: day, hour: hour, minute: minute, second: second) != nil
    }
    let (month, day) = (date.month, date.day)
    #expect(isDate(month.lowerBound, day.lowerBound) && isDate(month.upperBound, day.upperBound, 23, 59, 59))
    for other in [day.lowerBound - 1, day.upperBound + 1, -1] { #expect(!isDate(month.lowerBound, other)) }
    for other in [0, 13, -1] { #expect(!isDate(other, 1)) }
    #expect(!isDate(month.lowerBound, 1, 24) && !isDate(month.lowerBound, 1, -1))
    #expect(!isDate(month.lowerBound, 1, 0, 60) && !isDate(month.lowerBound, 1, 0, -1))
    #expect(!isDate(month.lowerBound, 1, 0, 0, 60) && !isDate(month.lowerBound, 1, 0, 0, -1))
  }
}
