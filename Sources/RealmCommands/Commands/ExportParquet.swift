// `export --format parquet`: a class as one file, or all classes as a directory of files. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import Parquet
import RealmEngine
import RealmParquet
import RealmSession
import Rendering

extension Invocation {
  /// Writes what a query finds in one class.
  func exportParquet(_ text: QueryText, _ selection: SelectionText?) throws -> ExitStatus {
    let path = arguments.word(.output).flatMap { $0.isDash ? nil : FilePath($0.bytes) }
    if path == nil, SystemCalls.isTerminal(resultDescriptor) {
      throw Diagnostic.usage("a terminal cannot show Parquet", hint: "name a file: -o people.parquet")
    }
    var file: OutputFile?
    defer { file?.remove() }
    var hasWritten = false
    var nothing = OutputBuffer()
    try withSnapshot(of: arguments.required(.file), to: &nothing) { database, out in
      // The file may have changed in an attempt before this one.
      file?.remove()
      guard !hasWritten || path != nil else { throw Self.tornStream }
      let realm = database.transaction
      let isSecret = database.file.image.isEncrypted
      let query = try boundQuery(text, on: .exportedClass, in: realm)
      let table = query.table
      let columns = try chosen(
        try selection?.bound(to: table, in: realm), among: parquetColumns(of: table, in: realm))
      file = try path.map { path throws(EngineError) in try outputFile(path, isSecret: isSecret) }
      let (descriptor, name) = (
        file?.handle.descriptor ?? resultDescriptor, path?.displayName ?? "standard output"
      )
      let guardBeforeFlush = out.guardBeforeFlush
      let losses = try writeParquet(
        try QueryExecutor(query, in: realm), of: table, columns, in: realm
      ) { bytes throws(EngineError) in
        try guardBeforeFlush?()
        hasWritten = true
        try StandardStreams.write(bytes, to: descriptor, named: name)
      }
      warn(ofParquet: losses)
      if isSecret { warn("\(name) is not encrypted") }
    }
    warn(of: try file?.keep() ?? [])
    file = nil
    return .success
  }

  /// Writes all classes, a file for each.
  func exportParquetDirectory(_ path: FilePath) throws -> ExitStatus {
    var losses = ParquetLosses()
    try writeDirectory(path, hasData: true) { directory, realm in
      losses = ParquetLosses()
      for table in exportedTables(realm) {
        try directory.write(table.schema.name, suffix: ".parquet") { file throws(EngineError) in
          let query = BoundQuery(table: table, predicate: .constant(true), orderings: [])
          losses += try writeParquet(
            try QueryExecutor(query, in: realm), of: table, parquetColumns(of: table, in: realm), in: realm
          ) { bytes throws(EngineError) in try file.append(whole: bytes) }
        }
      }
    }
    warn(ofParquet: losses)
    return .success
  }

  /// Gives how many dates are not as they were.
  private func writeParquet(
    _ executor: QueryExecutor, of table: Table, _ columns: [TableColumn], in realm: ReadTransaction,
    to sink: TableWriting.Sink
  ) throws(EngineError) -> ParquetLosses {
    let fields = columns.map(\.field)
    warn(of: fields.renamings(in: table.schema.name))
    let named = zip(fields.distinct, columns).map { TableColumn($0, $1.source) }
    var writing = TableWriting(
      named.map(\.field), parquetCompression, isNanoseconds: parquetHasNanoseconds)
    try writing.add(executor, of: table, named, in: realm, to: sink)
    try writing.finish(to: sink)
    return writing.losses
  }

  /// Properties as they stand, in the order that was asked for.
  private func chosen(
    _ selection: [SelectedColumn]?, among columns: [TableColumn]
  ) throws(Diagnostic) -> [TableColumn] {
    guard let selection else { return columns }
    var chosen: [TableColumn] = []
    for (column, name) in zip(selection, selection.map(\.name).numbered) {
      switch column.source {
      case .objectKey: chosen.append(TableColumn(ParquetField(name, .leaf(.int64)), .objectKey))
      case .property(let hops, let property) where hops.isEmpty:
        guard let known = columns.first(where: { $0.field.name == property.name }) else { continue }
        chosen.append(TableColumn(ParquetField(name, known.field.content), known.source))
      case .property, .operand:
        throw Diagnostic.usage(
          "Parquet holds properties as they are, and '\(column.name)' is calculated",
          hint: "select properties alone")
      }
    }
    return chosen
  }

  private static var tornStream: EngineError {
    EngineError(
      .changedWhileRead, "another program changed the file while it was read, so the output is not complete",
      hint: "try again, or read a copy of the file")
  }
}
