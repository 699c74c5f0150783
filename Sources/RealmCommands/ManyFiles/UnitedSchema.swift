// The classes of many files as one table each: columns by name, and what becomes of those that have two types.
// Layer: RealmCommands, ManyFiles.

import Parquet
import RealmEngine
import RealmParquet
import Rendering

/// What a file has, apart from the file.
struct FileSchema: Sendable {
  var classes: [(name: String, fields: [ParquetField])] = []
  var isEncrypted = false
  var failure: Diagnostic?
  var messages: [MessageLog.Message] = []
}

/// The columns of all files, in the order in which they are met.
struct UnitedSchema: Sendable {
  /// The column that says where a row comes from.
  static let fileColumn = "file"

  private(set) var names: [String] = []
  private var fields: [String: [ParquetField]] = [:]
  /// Where a property was met first.
  private var origins: [String: FilePath] = [:]
  /// Properties with two types, a sentence each.
  private(set) var clashes: [String] = []
  private var clashing: Set<String> = []

  subscript(name: String) -> [ParquetField] {
    let own = fields[name] ?? []
    let fileColumn = ResultSegment.sourceName(Self.fileColumn, beside: own.map(\.name))
    return [ParquetField(fileColumn, .leaf(.text))] + own
  }

  mutating func add(_ schema: FileSchema, of path: FilePath) {
    for (name, own) in schema.classes {
      guard let known = fields[name] else {
        names.append(name)
        fields[name] = own
        for field in own { origins["\(name).\(field.name)"] = path }
        continue
      }
      var found: [(String, ParquetField.Content, ParquetField.Content)] = []
      let types = Dictionary((known + own).map { ($0.name, $0.content) }) { first, _ in first }
      fields[name] =
        ParquetField.united(known, own) { field in
          let other = own.first { $0.name == field }?.content
          if let type = types[field], let other { found.append((field, type, other)) }
          // One text for each value holds them all.
          return .leaf(.text)
        } ?? known
      for field in own where origins["\(name).\(field.name)"] == nil {
        origins["\(name).\(field.name)"] = path
      }
      for (field, type, other) in found {
        let place = "\(name).\(field)"
        guard clashing.insert(place).inserted else { continue }
        let origin = origins[place]?.displayName ?? ""
        clashes.append(
          "\(place) is \(type.words) in \(origin) and \(other.words) in \(path.displayName)")
      }
    }
  }

  /// The columns of a class of one file.
  func columns(
    of table: Table, keyName: String?, in realm: ReadTransaction, isNanoseconds: Bool, file: FilePath
  ) -> [TableColumn] {
    let own = TableColumn.all(of: table, keyName: keyName, in: realm, isNanoseconds: isNanoseconds)
    let places = Dictionary(own.map { ($0.field.name, $0) }) { first, _ in first }
    return self[table.schema.name].enumerated().map { index, field in
      if index == 0 { return TableColumn(field, .constant(file.name)) }
      guard let column = places[field.name] else { return TableColumn(field, .missing) }
      switch column.source {
      case .property(let property, _) where clashing.contains("\(table.schema.name).\(field.name)"):
        return TableColumn(field, .text(of: property))
      case .property(let property, let shape):
        return TableColumn(field, .property(property, shape.fitted(to: field.content)))
      default: return TableColumn(field, column.source)
      }
    }
  }
}

extension ParquetField.Content {
  /// For messages.
  fileprivate var words: String {
    switch self {
    case .leaf(.bool): "bool"
    case .leaf(.int64): "int"
    case .leaf(.float): "float"
    case .leaf(.double): "double"
    case .leaf(.bytes): "data"
    case .leaf(.text): "text"
    case .leaf(.json): "mixed"
    case .leaf(.timestamp): "date"
    case .group: "an embedded object"
    case .list(let element): "a list of \(element.words)"
    case .map(let value): "a dictionary of \(value.words)"
    }
  }
}
