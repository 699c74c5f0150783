// What names of the language are looked up in: the classes of a file, or of a schema without one. Layer: Query, Types.
// A schema may be known in part only: migration files are checked without the file they will change.

import ByteText

/// What is known of a name.
package enum NameLookup<Found: Sendable>: Sendable {
  case known(Found)
  case absent
  /// It may be there or not.
  case unknown
}

/// Classes by name and by key. Everything is bound to one; bound to the view of a file, properties are its columns.
package protocol SchemaView: Sendable {
  /// Nil where there is no such class, or where nothing is known of it.
  func schema(_ key: TableKey) -> ClassSchema?
  func schema(named name: String) -> NameLookup<ClassSchema>
  var classNames: [String] { get }
  /// Whether a class may have a property that is not known here.
  func mayHave(_ property: String, in schema: ClassSchema) -> Bool
  /// Why a class has no such property, where more than that is known.
  func remark(onAbsent property: String, in schema: ClassSchema) -> String?
  /// The object with a primary key; nil where there is none, or where there are no objects at all.
  func object(withPrimaryKey value: Value, of key: TableKey) throws(EngineError) -> ObjectKey?
}

extension SchemaView {
  package func mayHave(_ property: String, in schema: ClassSchema) -> Bool { schema.isUnknown }
  package func remark(onAbsent property: String, in schema: ClassSchema) -> String? { nil }

  /// A class whose name is much like `name`.
  func nearestClassName(to name: String) -> String? { EditDistance.nearest(to: name, among: classNames) }

  /// What is known of values of a property, null aside.
  func type(of property: Property) -> StaticType {
    guard property.type == .object, let target = property.target else {
      let isMixed = property.type == .object || property.type == .typedLink
      return isMixed ? .mixed : .value(property.type)
    }
    return .link(linkedClass(target))
  }

  func linkedClass(_ key: TableKey) -> LinkedClass {
    let schema = schema(key)
    return LinkedClass(table: key, name: schema?.name ?? "?", isEmbedded: schema?.kind == .embedded)
  }
}

extension ReadTransaction: SchemaView {
  package func schema(_ key: TableKey) -> ClassSchema? { table(key)?.schema }

  package func schema(named name: String) -> NameLookup<ClassSchema> {
    table(named: name).map { .known($0.schema) } ?? .absent
  }

  package var classNames: [String] { classes().map(\.schema.name) }

  package func object(withPrimaryKey value: Value, of key: TableKey) throws(EngineError) -> ObjectKey? {
    try table(key)?.find(primaryKey: value)?.key
  }

  /// The table of the class that users call `name`.
  package func classTable(_ name: String) -> Table? { table(named: name) }
}

extension ClassSchema {
  /// A class of which nothing is known, not even its name.
  static let unknown = ClassSchema(
    name: "?", tableName: "?", kind: .object, tableKey: unknownKey, properties: [], backlinks: [],
    primaryKeyIndex: nil)

  private static let unknownKey: TableKey = {
    guard let key = TableKey(0x7FFF_FFFE) else { preconditionFailure("a table key has 31 bits") }
    return key
  }()

  var isUnknown: Bool { tableKey == Self.unknownKey }
}
