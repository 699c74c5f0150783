// One class whose objects arrive: its rows, what is known of their keys, and links that wait. Layer: RealmSession, Loading.

import RealmEngine
import TextFormats

/// The state of one class while objects arrive.
final class IngestClass {
  /// As it is now: properties may be added between two sources.
  var schema: ClassSchema
  /// Nil where objects go one by one.
  private(set) var rows: BulkTable?
  /// How many were made one by one.
  var singleCount = 0
  /// How many were made as rows.
  var bulkCount = 0
  private var lines = LineRanges()
  private var rowCount: Int64 = 0
  /// Hashes of the primary keys in `rows`: what has none of them is not there.
  private var keyHashes: Set<Int> = []
  private var waiting: [Int: [WaitingLink]] = [:]

  /// A link of an object to one that was not there when it came.
  struct WaitingLink {
    enum Target {
      case primaryKey(Value)
      case objectKey(ObjectKey)
    }

    let owner: ObjectKey
    let target: Target
    /// The document it stands in.
    let source: Int
    /// When it began to wait.
    let moment: Int
    private let offset: Int
    private let line: Int32
    private let column: Int32
    /// The object's place in an array that is the document; -1 where there is none.
    private let index: Int32

    init(_ owner: ObjectKey, _ target: Target, _ place: DocumentPlace, source: Int, since moment: Int) {
      self.owner = owner
      self.target = target
      self.source = source
      self.moment = moment
      offset = place.location.offset
      line = Int32(truncatingIfNeeded: place.location.line)
      column = Int32(truncatingIfNeeded: place.location.column)
      index =
        if case .key(.index(.root, let index), _) = place.path {
          Int32(truncatingIfNeeded: index)
        } else {
          -1
        }
    }

    func place(_ property: Property) -> DocumentPlace {
      DocumentPlace(
        path: .key(index < 0 ? .root : .index(.root, Int(index)), property.name),
        location: TextLocation(line: Int(line), column: Int(column), offset: offset))
    }

    /// The object, if it is there by now.
    func target(in schema: ClassSchema, _ transaction: WriteTransaction) throws -> ObjectKey? {
      switch target {
      case .primaryKey(let key): return try transaction.find(schema.tableKey, primaryKey: key)
      case .objectKey(let key):
        let link = ObjectLink(table: schema.tableKey, key: key)
        return try key.value >= 0 && transaction.hasObject(link) ? key : nil
      }
    }
  }

  init(_ schema: ClassSchema) { self.schema = schema }

  func begin(_ rows: BulkTable) {
    self.rows = rows
    lines = LineRanges()
    rowCount = 0
  }

  /// The rows are in place.
  func end() {
    rows = nil
    keyHashes = []
  }

  /// Notes the next row, and its primary key where that is asked for.
  func note(_ edit: ObjectEdit, keepingKey: Bool) {
    lines.note(rowCount, on: edit.place.location.line)
    rowCount += 1
    if keepingKey, let key = edit.primaryKey { keyHashes.insert(key.hashValue) }
  }

  func noteRows(_ count: Int, on line: Int) {
    lines.note(rowCount, on: line)
    rowCount += Int64(count)
  }

  func line(of ordinal: Int64) -> Int? { lines.line(of: ordinal) }

  /// Whether one of the rows may have this primary key.
  func mayHave(_ key: Value) -> Bool { keyHashes.contains(key.hashValue) }

  // MARK: Links

  /// Keeps a link for later; false where it is no link by name.
  func wait(
    _ value: EditValue, _ property: Int, _ owner: ObjectKey, source: Int, since moment: Int
  ) -> Bool {
    let link: WaitingLink
    switch value {
    case .primaryKey(let key, _, let place):
      link = WaitingLink(owner, .primaryKey(key), place, source: source, since: moment)
    case .objectKey(let target, _, let place):
      link = WaitingLink(owner, .objectKey(target.key), place, source: source, since: moment)
    default: return false
    }
    waiting[property, default: []].append(link)
    return true
  }

  var waitingProperties: [Int] { waiting.keys.sorted() }

  func takeWaiting(_ property: Int) -> [WaitingLink] { waiting.removeValue(forKey: property) ?? [] }

  func putBack(_ links: [WaitingLink], _ property: Int) {
    if !links.isEmpty { waiting[property] = links }
  }
}

/// The lines of objects that come one after the other.
struct LineRanges {
  /// Where lines begin that follow one another: how many objects come before, and the line's number.
  private var runs: [(count: Int64, line: Int64)] = []

  /// Notes that the object with `count` others before it stands on `line`.
  mutating func note(_ count: Int64, on line: Int) {
    let line = Int64(line)
    if let last = runs.last, line - last.line == count - last.count { return }
    runs.append((count, line))
  }

  /// The line of an object by its place among all.
  func line(of ordinal: Int64) -> Int? {
    runs.last { $0.count <= ordinal }.map { Int($0.line + ordinal - $0.count) }
  }
}
