// How properties become columns: scalars, lists, maps and embedded objects. Layer: RealmParquet.

package import Parquet
package import RealmEngine

/// What the values of a property are, down to the leaves.
package indirect enum ValueShape: Sendable {
  case leaf(ParquetType)
  /// A property is nil where only other files have it.
  case embedded(TableKey, [(property: Property?, shape: ValueShape)])
  case list(ValueShape)
  case map(ValueShape)
  /// Of so many leaves that have nothing here.
  case absent(leafCount: Int)

  /// Embedded objects inside each other are text beyond so many levels, as are those inside of one of their own class.
  private static let depthMax = 8

  package init(of property: Property, in realm: ReadTransaction, isNanoseconds: Bool) {
    self.init(of: property, in: realm, isNanoseconds, inside: [])
  }

  private init(
    of property: Property, in realm: ReadTransaction, _ isNanoseconds: Bool, inside classes: [TableKey]
  ) {
    let value = Self.value(of: property, in: realm, isNanoseconds, inside: classes)
    switch property.collection {
    case nil: self = value
    case .dictionary: self = .map(value)
    default: self = .list(value)
    }
  }

  private static func value(
    of property: Property, in realm: ReadTransaction, _ isNanoseconds: Bool, inside classes: [TableKey]
  ) -> ValueShape {
    switch property.type {
    case .int: return .leaf(.int64)
    case .bool: return .leaf(.bool)
    case .float: return .leaf(.float)
    case .double: return .leaf(.double)
    case .string, .decimal128, .objectID, .uuid: return .leaf(.text)
    case .data: return .leaf(.bytes)
    case .date: return .leaf(.timestamp(isNanoseconds: isNanoseconds))
    case .mixed, .typedLink, .backlink: return .leaf(.json)
    case .object: break
    }
    guard let target = property.target.flatMap(realm.table) else { return .leaf(.int64) }
    guard target.schema.kind == .embedded else {
      return .leaf(target.schema.primaryKey.map { $0.type == .int ? .int64 : .text } ?? .int64)
    }
    let key = target.schema.tableKey
    let properties = target.schema.properties
    guard !classes.contains(key), classes.count < depthMax, !properties.isEmpty else { return .leaf(.json) }
    return .embedded(
      key,
      properties.map { ($0, ValueShape(of: $0, in: realm, isNanoseconds, inside: classes + [key])) })
  }

  package var content: ParquetField.Content {
    switch self {
    case .leaf(let type): .leaf(type)
    case .list(let element): .list(element.content)
    case .map(let value): .map(value.content)
    case .embedded(_, let properties):
      .group(properties.map { ParquetField($0.property?.name ?? "", $0.shape.content) })
    case .absent: preconditionFailure("what is absent is of another file")
    }
  }

  /// How many leaves are below it.
  var leafCount: Int {
    switch self {
    case .leaf: 1
    case .list(let element): element.leafCount
    case .map(let value): 1 + value.leafCount
    case .embedded(_, let properties): properties.reduce(0) { $0 + $1.shape.leafCount }
    case .absent(let count): count
    }
  }

  /// With the leaves of `content`, which unites it with others.
  package func fitted(to content: ParquetField.Content) -> ValueShape {
    switch (self, content) {
    case (.list(let element), .list(let content)): return .list(element.fitted(to: content))
    case (.map(let value), .map(let content)): return .map(value.fitted(to: content))
    case (.embedded(let key, let properties), .group(let fields)):
      return .embedded(
        key,
        fields.map { field in
          let own = properties.first { $0.property?.name == field.name }
          return (
            own?.property,
            own?.shape.fitted(to: field.content) ?? .absent(leafCount: field.content.leafCount)
          )
        })
    default: return self
    }
  }
}

/// A column of the table that is written.
package struct TableColumn: Sendable {
  package enum Source: Sendable {
    case objectKey
    /// One text for all objects.
    case constant(String)
    case property(Property, ValueShape)
    /// The property's values as one text each, because other files have values of another type.
    case text(of: Property)
    /// Nowhere in this class: null.
    case missing
  }

  package let field: ParquetField
  package let source: Source

  package init(_ field: ParquetField, _ source: Source) {
    self.field = field
    self.source = source
  }

  /// The columns of a class. `keyName`: what the object key is called; nil where it is left out.
  package static func all(
    of table: Table, keyName: String?, in realm: ReadTransaction, isNanoseconds: Bool
  ) -> [TableColumn] {
    let key = keyName.map { TableColumn(ParquetField($0, .leaf(.int64)), .objectKey) }
    return (key.map { [$0] } ?? [])
      + table.schema.properties.map { property in
        let shape = ValueShape(of: property, in: realm, isNanoseconds: isNanoseconds)
        return TableColumn(ParquetField(property.name, shape.content), .property(property, shape))
      }
  }
}
