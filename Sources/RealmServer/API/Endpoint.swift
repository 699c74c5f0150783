// The one table of what the API can do: paths, parameters and answers, from which requests are checked and the OpenAPI document is
// written. Layer: RealmServer, API. To add an endpoint: write it in a file beside this one and list it in `Endpoint.all`.

import RealmEngine
import Rendering
import TextFormats

/// One thing that can be asked.
struct Endpoint: Sendable {
  enum Kind: Sendable {
    case text, integer
    case choice([String])
    /// A number from 0 to this.
    case count(Int)

    fileprivate var demand: String {
      switch self {
      case .text: "a text"
      case .integer: "a whole number"
      case .choice(let words): "one of \(words.joined(separator: ", "))"
      case .count(.max): "a number from 0 on"
      case .count(let most): "a number from 0 to \(most)"
      }
    }
  }

  struct Parameter: Sendable {
    let name: String
    var kind = Kind.text
    var isRequired = false
    let summary: String
  }

  var method = "GET"
  /// Below `/api/v1/`; words in braces are parameters.
  let path: String
  let summary: String
  var parameters: [Parameter] = []
  /// The JSON Schema of what is sent; nil for nothing.
  var body: DocumentNode?
  /// Of the answer.
  var type = "application/json"
  var shape = JSONShape.anything
  /// Whether its time grows with the file or with what somebody wrote.
  var takesLong = false
  /// Nil: it was given piece by piece.
  let answer: @Sendable (Call) throws -> WebAnswer?

  var segments: [Substring] { path.split(separator: "/") }

  static let all: [Endpoint] = [
    .openAPI, .realms, .classes, .rows, .object, .links, .schema, .code, .space, .query, .line,
    .complete, .summary, .export,
    .changes, .check, .compact, .file, .progress, .events,
  ]

  // MARK: Parameters that several have

  static let className = Parameter(name: "class", isRequired: true, summary: "the class")
  static let condition = Parameter(name: "where", summary: "a predicate; all objects without it")
  static let sort = Parameter(name: "sort", summary: "order by these: 'name, age desc'")
  static func from(_ what: String) -> Parameter {
    Parameter(name: "from", kind: .count(.max), summary: "how many \(what) to pass over")
  }
}

/// One request to an endpoint.
struct Call {
  let server: RealmServer
  let request: WebRequest
  /// From the path and the query, checked.
  let values: [String: String]

  func text(_ name: String) -> String? { values[name] }

  func required(_ name: String) throws(WebRefusal) -> String {
    if let value = values[name] { return value }
    throw WebRefusal(status: 400, kind: "usage", message: "the parameter '\(name)' is missing")
  }

  func count(_ name: String, default standard: Int = 0) -> Int {
    values[name].flatMap { Int($0) } ?? standard
  }

  var realm: ServedRealm {
    get throws(WebRefusal) {
      guard let index = Int(try required("realm")), server.realms.indices.contains(index) else {
        throw WebRefusal(status: 404, kind: "no-realm", message: "there is no realm of this number")
      }
      return server.realms[index]
    }
  }

  func key() throws(WebRefusal) -> ObjectKey {
    guard let number = Int64(try required("key")) else {
      throw WebRefusal(status: 404, kind: "no-object", message: "an object key is a number")
    }
    return ObjectKey(number)
  }

  /// The object that `class` and `key` name.
  func object(in realm: ReadTransaction) throws -> (table: Table, position: ObjectPosition) {
    let table = try table(in: realm)
    let key = try key()
    guard key.value >= 0, let position = try table.find(key) else {
      throw WebRefusal(
        status: 404, kind: "no-object",
        message: "\(table.schema.name) has no object with the key \(key.value)")
    }
    return (table, position)
  }

  func table(in realm: ReadTransaction) throws -> Table {
    let name = try required("class")
    if let table = realm.table(named: name, allTables: server.showsAllTables) { return table }
    throw WebRefusal.unknownClass(name, among: realm.classNames)
  }

  /// What `where` and `sort` ask of a class.
  func query(of table: Table) -> RowQuery {
    RowQuery(className: table.schema.name, condition: text("where") ?? "", sort: text("sort") ?? "")
  }
}

extension Endpoint {
  /// The parameters in the path of a request to this endpoint; nil where it is not one.
  func match(_ path: ArraySlice<String>) -> [String: String]? {
    let segments = segments
    guard path.count == segments.count else { return nil }
    var values: [String: String] = [:]
    for (segment, given) in zip(segments, path) {
      if segment.hasPrefix("{") {
        values[String(segment.dropFirst().dropLast())] = given
      } else if segment != given {
        return nil
      }
    }
    return values
  }

  /// What is wrong with the query of a request.
  func check(_ query: [String: String]) throws(WebRefusal) {
    for (name, value) in query {
      guard let parameter = parameters.first(where: { $0.name == name }) else {
        throw WebRefusal(status: 400, kind: "usage", message: "there is no parameter '\(name)' here")
      }
      let isValid =
        switch parameter.kind {
        case .text: true
        case .integer: Int64(value) != nil
        case .choice(let words): words.contains(value)
        case .count(let most): Int(value).map { (0...most).contains($0) } ?? false
        }
      guard isValid else {
        throw WebRefusal(
          status: 400, kind: "usage", message: "'\(name)' is \(parameter.kind.demand), not '\(value)'")
      }
    }
    for parameter in parameters where parameter.isRequired && query[parameter.name] == nil {
      throw WebRefusal(status: 400, kind: "usage", message: "the parameter '\(parameter.name)' is missing")
    }
  }
}
