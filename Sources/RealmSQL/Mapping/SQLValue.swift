// Values as SQLite has them. Layer: RealmSQL, Mapping.

package import ByteText
package import RealmEngine
import Rendering

/// One of SQLite's five kinds of values.
package enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  /// Never NaN, which is null in SQLite, and never -0.0, which files of SQLite do not keep.
  case real(Double)
  case text(ByteString)
  case blob(ByteString)

  package init(_ value: Double) {
    self = value.isNaN ? .null : .real(value == 0 ? 0 : value)
  }

  /// A value as columns hold it, where no more than the value is needed: nil for links and collections.
  package init?(_ value: Value) {
    switch value {
    case .null: self = .null
    case .int(let value): self = .integer(value)
    case .bool(let value): self = .integer(value ? 1 : 0)
    case .float(let value): self.init(value.decimal)
    case .double(let value): self.init(value)
    case .string(let value): self = .text(value)
    case .data(let value): self = .blob(value)
    case .date, .decimal, .objectID, .uuid: self.init { _ = $0.append(spelled: value) }
    case .link, .list, .dictionary: return nil
    }
  }

  /// A key as text.
  var spelled: SQLValue {
    if case .integer(let number) = self { SQLValue { $0.append(decimal: number) } } else { self }
  }

  /// Text that is written by `write`.
  package init(text write: (inout ByteBuffer) -> Void) {
    var text = ByteBuffer(capacity: 40)
    write(&text)
    self = .text(ByteString(copying: text.span))
  }
}

extension Value {
  /// What SQLite has; borrows.
  package init(_ value: SQLValue) {
    switch value {
    case .null: self = .null
    case .integer(let value): self = .int(value)
    case .real(let value): self = .double(value)
    case .text(let value): self = .string(value)
    case .blob(let value): self = .data(value)
    }
  }
}

/// Turns values of one version of a realm into those of SQLite.
package struct SQLValues {
  private let form: SQLForm
  private var writer: JSONWriter
  private var keys: TargetKeys

  package init(_ realm: ReadTransaction, _ form: SQLForm = .plain) {
    keys = TargetKeys(realm)
    self.form = form
    writer = JSONWriter(realm, style: .plain)
  }

  /// A value of a property or element, or one inside a mixed value.
  package mutating func sql(_ value: Value) throws(EngineError) -> SQLValue {
    switch value {
    case .data(let value) where form.writesDataAsText: SQLValue { $0.append(base64: value.bytes.span) }
    case .date(let value): Self.date(value, form)
    case .link(let link): try name(of: link)
    default: if let value = SQLValue(value) { value } else { try json(value) }
    }
  }

  /// A mixed value in a column: as it is, or as JSON.
  mutating func mixed(_ value: Value) throws(EngineError) -> SQLValue {
    if case .null = value { return .null }
    return form.writesMixedAsJSON ? try json(value) : try sql(value)
  }

  /// Null where the form cannot say it. Called in many places, and of little weight in each.
  @inline(never)
  private static func date(_ value: Timestamp, _ form: SQLForm) -> SQLValue {
    guard form.dateSeconds.contains(value.seconds) else { return .null }
    switch form.dates {
    case .text:
      return form.library == nil
        ? date(value) : form.writesDatesAsGRDB ? grdbDate(value) : calendarDate(value)
    // Before 1970 the nanoseconds are negative: the second that had begun is the one before.
    case .seconds: return .integer(value.nanoseconds < 0 ? max(.min + 1, value.seconds) - 1 : value.seconds)
    case .milliseconds:
      let (product, overflows) = value.seconds.multipliedReportingOverflow(by: 1000)
      let (sum, isTooLarge) = product.addingReportingOverflow(
        Int64(value.nanoseconds - (value.nanoseconds < 0 ? 999_999 : 0)) / 1_000_000)
      return overflows || isTooLarge ? .null : .integer(sum)
    }
  }

  /// Libraries read the year 0 too, in which `Date.distantPast` of Swift lies.
  private static func calendarDate(_ value: Timestamp) -> SQLValue {
    SQLValue { if !value.write(to: &$0, fromYear: 0) { $0.append(date: value) } }
  }

  /// `2018-04-14 08:53:20.000`
  private static func grdbDate(_ value: Timestamp) -> SQLValue {
    var calendarForm = ByteBuffer(capacity: 40)
    guard value.write(to: &calendarForm, fromYear: 0) else { return .null }
    var text = ByteBuffer(capacity: 23)
    for index in 0..<23 {
      switch index {
      case 10: text.append(UInt8(ascii: " "))
      case 19: text.append(UInt8(ascii: "."))
      // The calendar form leaves zeros at its end out, and ends in a Z.
      default: text.append(index < calendarForm.count - 1 ? calendarForm[index] : UInt8(ascii: "0"))
      }
    }
    return .text(ByteString(copying: text.span))
  }

  /// Seconds and nanoseconds as JSON in years that have no calendar form.
  package static func date(_ value: Timestamp) -> SQLValue { SQLValue { $0.append(date: value) } }

  /// What names an object in other tables: its primary key, or its object key where the class has none.
  package mutating func name(of link: ObjectLink) throws(EngineError) -> SQLValue {
    let name = try sql(try keys.key(of: link))
    return form.namesRows ? name.spelled : name
  }

  private mutating func json(_ value: Value) throws(EngineError) -> SQLValue {
    var out = OutputBuffer()
    writer.beginWalk()
    try writer.write(value, to: &out)
    return .text(ByteString(copying: out.text.span))
  }
}

extension ByteBuffer {
  /// Appends a value of a type that columns hold as text; false, and nothing is appended, for others.
  mutating func append(spelled value: Value) -> Bool {
    switch value {
    case .date(let date): append(date: date)
    case .decimal, .objectID, .uuid: return value.write(to: &self)
    default: return false
    }
    return true
  }

  /// Seconds and nanoseconds as JSON in years that have no calendar form.
  mutating func append(date: Timestamp) {
    if date.write(to: &self) { return }
    append(literal: "[")
    append(decimal: date.seconds)
    append(literal: ",")
    append(decimal: Int64(date.nanoseconds))
    append(literal: "]")
  }
}

extension ByteString {
  /// Whether a date is written as seconds and nanoseconds: `[99999999999999999,0]`.
  var isCountedDate: Bool { bytes.count > 0 && bytes[0] == UInt8(ascii: "[") }
}
