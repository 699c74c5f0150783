// What `realm_type`, `realm_link` and `geo_within` mean. Layer: RealmSQL, Tables.

import ByteText
import RealmEngine

/// The functions that SQL lacks.
final class RealmFunctions {
  /// The realms of a connection, with what stands before their tables.
  private var realms: [(name: String?, realm: ReadTransaction, values: SQLValues)]
  /// The last region, which is mostly the same for all rows.
  private var region: (text: ByteString, region: GeoRegion)?

  /// Classes without a name before them are those of the first realm.
  init(_ realms: [(name: String?, realm: ReadTransaction)]) {
    self.realms = realms.map { ($0.name, $0.realm, SQLValues($0.realm)) }
  }

  /// What the first function is called.
  static let typeName = "realm_type"

  /// The type of a value as schemas spell it. `subtype`: what its column said of it.
  static func typeName(_ value: SQLValue, subtype: UInt8) -> String {
    if [RealmSubtype.json, RealmSubtype.collection].contains(subtype), case .text(let text) = value {
      return text.bytes.count > 0 && text.bytes[0] == UInt8(ascii: "[") ? "list" : "dictionary"
    }
    if subtype > 0, let type = ValueType(rawValue: subtype - 1) {
      // As predicates call it.
      return type == .object ? "link" : type.name
    }
    return switch value {
    case .null: "null"
    case .integer: ValueType.int.name
    case .real: ValueType.double.name
    case .text: ValueType.string.name
    case .blob: ValueType.data.name
    }
  }

  /// What link columns hold for `Person 7` (a primary key) or `old.Dog @17` (an object key); null where there is no such object.
  func link(_ text: ByteString) throws(EngineError) -> SQLValue {
    let bytes = text.bytes.array()
    guard let blank = bytes.lastIndex(of: UInt8(ascii: " ")) else { throw Self.malformed(text) }
    let name = String(decoding: bytes[..<blank], as: UTF8.self)
    let key = bytes[(blank + 1)...]
    guard let (number, table) = table(named: name) else {
      let names = realms.flatMap { entry in
        entry.realm.classes().map { (entry.name.map { "\($0)." } ?? "") + $0.schema.name }
      }
      throw EngineError(
        .unknownClass, "realm_link: there is no class '\(name)'",
        hint: EditDistance.nearest(to: name, among: names).map { "did you mean '\($0)'?" })
    }
    if key.first == UInt8(ascii: "@") {
      guard let objectKey = Int64(String(decoding: key.dropFirst(), as: UTF8.self)) else {
        throw Self.malformed(text)
      }
      guard let position = try table.find(ObjectKey(objectKey)) else { return .null }
      return try realms[number].values.name(of: ObjectLink(table: table.schema.tableKey, key: position.key))
    }
    let written = SQLValue(written: Array(key))
    let asText = SQLValue.text(ByteString(copying: key))
    for candidate in [written, asText] {
      guard let position = try table.find(named: candidate) else { continue }
      return try realms[number].values.name(of: ObjectLink(table: table.schema.tableKey, key: position.key))
    }
    return .null
  }

  private static func malformed(_ text: ByteString) -> EngineError {
    let words = String(decoding: text.bytes.array(), as: UTF8.self)
    return EngineError(
      .badQuery, "realm_link: '\(words)' is not a class and a key",
      hint: "realm_link('Person 7') names an object by primary key, realm_link('Person @7') by object key")
  }

  private func table(named name: String) -> (realm: Int, Table)? {
    for (number, entry) in realms.enumerated() {
      guard let prefix = entry.name.map({ SQLNames.folded($0) + "." }),
        SQLNames.folded(name).hasPrefix(prefix),
        let table = entry.realm.table(named: String(name.dropFirst(prefix.count)))
      else { continue }
      return (number, table)
    }
    return realms[0].realm.table(named: name).map { (0, $0) }
  }

  /// Whether a place lies in a region. `place`: a GeoJSON point or its coordinates, as JSON; null for what is no place.
  func isWithin(_ place: SQLValue, _ text: ByteString) throws(EngineError) -> Bool? {
    if region?.text != text { region = (text.owned(), try GeoRegion(written: text.bytes.array())) }
    guard let region, case .text(let place) = place, let position = GeoPosition(json: place.bytes.span) else {
      return nil
    }
    return region.region.contains(position)
  }
}

extension SQLConnection {
  /// `failure` hears of what the functions refuse.
  func addRealmFunctions(_ functions: RealmFunctions, _ failure: SQLFailure) throws(SQLError) {
    try add(
      SQLFunction(RealmFunctions.typeName, 1, failure) { arguments throws(EngineError) in
        let name = RealmFunctions.typeName(arguments[0].value, subtype: arguments[0].subtype)
        return .text(ByteString(name))
      })
    try add(
      SQLFunction("realm_link", 1, failure) { arguments throws(EngineError) in
        guard case .text(let text) = arguments[0].value else { return .null }
        return try functions.link(text)
      })
    try add(
      SQLFunction("geo_within", 2, failure) { arguments throws(EngineError) in
        guard case .text(let region) = arguments[1].value,
          let isWithin = try functions.isWithin(arguments[0].value, region)
        else { return .null }
        return .integer(isWithin ? 1 : 0)
      })
  }
}
