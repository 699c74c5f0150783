// Some rows of a table on their way out of a realm, column by column. Layer: RealmSQL, Exporting.

package import RealmEngine

/// Rows as SQLite has them.
package struct RowBatch {
  /// A value that SQLite does not hold as it is.
  package struct Exception {
    package let row: Int
    package let column: Int
    package let value: Value
  }

  /// An entry of a dictionary of embedded objects that holds none, and so is no row.
  package struct NullEntry {
    let className: String
    let owner: SQLValue
    let property: String
    let key: SQLValue
  }

  /// As many values in each as there are rows.
  package fileprivate(set) var columns: [[SQLValue]]
  package fileprivate(set) var count = 0
  package fileprivate(set) var exceptions: [Exception] = []
  package fileprivate(set) var nullEntries: [NullEntry] = []

  /// Links in the place of which stands null.
  var nullLinkCount: Int {
    exceptions.count {
      if case .link = $0.value { columns[$0.column][$0.row] == .null } else { false }
    }
  }

  static let rowsMax = 1000

  init(columnCount: Int) { columns = Array(repeating: [], count: columnCount) }

  mutating func removeAll() {
    for index in columns.indices { columns[index].removeAll(keepingCapacity: true) }
    exceptions.removeAll(keepingCapacity: true)
    nullEntries.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Says that every column has got the values of so many more rows.
  mutating func endRows(_ rowCount: Int) {
    count += rowCount
    assert(columns.allSatisfy { $0.count == count }, "a value for each row")
  }

  mutating func append(_ value: SQLValue, to column: Int) { columns[column].append(value) }

  mutating func note(_ entry: NullEntry) { nullEntries.append(entry) }

  /// Notes that the value that was just appended is not all of `value`.
  mutating func noteException(_ value: Value, in column: Int) {
    exceptions.append(Exception(row: columns[column].count - 1, column: column, value: value))
  }
}

extension Value {
  /// Whether a property of the type gets this value back from what SQLite holds of it.
  func isExact(in type: ValueType, _ form: SQLForm) -> Bool {
    switch self {
    case .date(let date):
      type != .mixed && form.dateSeconds.contains(date.seconds)
        && Int64(date.nanoseconds) % form.nanosecondsPerDateStep == 0
    case .null, .int, .string, .data: true
    case .double(let number): number.isExactInSQL
    case .float(let number): type == .float && Double(number).isExactInSQL
    case .bool where form.writesMixedAsJSON, .list where form.writesMixedAsJSON,
      .dictionary where form.writesMixedAsJSON:
      true
    case .bool, .decimal, .objectID, .uuid: type != .mixed
    // Names of objects are told by `TableReader`.
    case .link: type == .object
    case .list, .dictionary: false
    }
  }
}

extension Double {
  /// Neither NaN nor -0.0.
  var isExactInSQL: Bool { !isNaN && (self != 0 || sign == .plus) }
}
