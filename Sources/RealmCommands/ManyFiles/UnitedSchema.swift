// The classes of many files as one table each: columns by name, and what becomes of those that have two types.
// Layer: RealmCommands, ManyFiles.

import Parquet
import RealmEngine
import RealmModels
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
  /// What the folder of a class is called: some systems do not tell names that differ only in case.
  private(set) var folderNames: [String: String] = [:]
  private var takenNames = ModelNames(tellingCases: false)
  private var fields: [String: [ParquetField]] = [:]
  /// Where a property was met first.
  private var origins: [String: FilePath] = [:]
  /// Properties with two types, a sentence each.
  private(set) var clashes: [String] = []
  private var clashing: Set<String> = []

  /// The columns of the class's parts.
  subscript(name: String) -> [ParquetField] { namedFields(of: name).distinct }

  /// With the names of properties.
  private func namedFields(of name: String) -> [ParquetField] {
    let own = fields[name] ?? []
    let fileColumn = ResultSegment.sourceName(Self.fileColumn, beside: own.map(\.name))
    return [ParquetField(fileColumn, .leaf(.text))] + own
  }

  mutating func add(_ schema: FileSchema, of path: FilePath) {
    for (name, own) in schema.classes {
      guard let known = fields[name] else {
        names.append(name)
        folderNames[name] = takenNames.take(all: [name]) { $0 }[0]
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
    let fields = namedFields(of: table.schema.name)
    return zip(self[table.schema.name], fields).enumerated().map { index, both in
      let (shown, field) = both
      if index == 0 { return TableColumn(shown, .constant(file.name)) }
      guard let column = places[field.name] else { return TableColumn(shown, .missing) }
      switch column.source {
      case .property(let property, _) where clashing.contains("\(table.schema.name).\(field.name)"):
        return TableColumn(shown, .text(of: property))
      case .property(let property, let shape):
        return TableColumn(shown, .property(property, shape.fitted(to: field.content)))
      default: return TableColumn(shown, column.source)
      }
    }
  }

  /// Folders and columns that are not called as classes and properties, a sentence each.
  var renamings: [String] {
    names.flatMap { name in
      let folder = folderNames[name] ?? name
      return (folder == name ? [] : ["\(name): its folder is called \(folder)"])
        + namedFields(of: name).renamings(in: name)
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
