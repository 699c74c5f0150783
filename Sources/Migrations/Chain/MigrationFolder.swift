// The migration files of a directory, read and put in order. Layer: Migrations, Chain.

package import RealmEngine
package import RealmSession
import TextFormats

/// A directory of migration files.
package struct MigrationFolder {
  package let path: FilePath
  package let chain: MigrationChain
  /// One a file, steps in the order of the chain first, then files that could not be read.
  package let reports: [ProblemReport]
  /// All files, by name.
  package let sources: [DocumentSource]

  package static let sumFileName = "migrations.sum"

  /// Reads all files; complaints are in `reports`. A path to one file is a chain of one step. Throws `.notFound` where
  /// there are none.
  package init(_ path: FilePath) throws(EngineError) {
    guard let status = try path.status else {
      throw EngineError(
        .notFound, "there is no directory \(path.displayName)", naming: path.displayName,
        hint: "name the folder of the migration files; the first one is made by: realm-cli migrate new NAME")
    }
    var sources: [DocumentSource] = []
    if status.isDirectory {
      let names = try path.entryNames.filter(Self.isDocument).sorted { $0.lexicographicallyPrecedes($1) }
      for name in names { sources.append(try Self.source(path.child(name))) }
    } else {
      sources = [try Self.source(path)]
    }
    try self.init(path, sources, besideFilesOf: status.isDirectory ? path : path.directory)
  }

  /// A chain of the one step that `document` holds; files that it names are looked for in the current directory.
  package init(_ document: DocumentSource) throws(EngineError) {
    try self.init(FilePath(document.name), [document], besideFilesOf: FilePath("."))
  }

  private init(
    _ path: FilePath, _ sources: [DocumentSource], besideFilesOf folder: FilePath
  ) throws(EngineError) {
    self.path = path
    var files: [(file: MigrationFile, report: ProblemReport)] = []
    var broken: [ProblemReport] = []
    var read: [DocumentSource] = []
    for source in sources where !Self.isSchema(source) {
      read.append(source)
      let report = ProblemReport(source)
      let file = MigrationFile(report) { name in try? Self.source(folder.resolving(Array(name.utf8))) }
      if let file { files.append((file, report)) } else { broken.append(report) }
    }
    guard !read.isEmpty else {
      throw EngineError(
        .notFound, "there are no migration files in \(path.displayName)", naming: path.displayName,
        hint: "the first one is made by: realm-cli migrate new NAME")
    }
    chain = MigrationChain(files)
    reports = files.sorted { ($0.file.from, $0.file.to) < ($1.file.from, $1.file.to) }.map(\.report) + broken
    self.sources = read
  }

  private static func isDocument(_ name: [UInt8]) -> Bool {
    [".yaml", ".yml", ".json"].contains {
      name.count > $0.utf8.count && name.suffix($0.utf8.count).elementsEqual($0.utf8)
    }
  }

  /// Schema documents may stand beside the steps that name them.
  private static func isSchema(_ source: DocumentSource) -> Bool {
    guard let document = try? DocumentNode.yamlOrJSON(source.bytes.span) else { return false }
    return document["realm_schema"] != nil && document["realm_migration"] == nil
  }

  private static func source(_ path: FilePath) throws(EngineError) -> DocumentSource {
    DocumentSource(
      name: path.displayName, bytes: try FileHandle.openForReading(path).readText())
  }

  /// Checks all steps; `schema` is what the first of them finds, where it is known.
  package func check(_ schema: SchemaDescription? = nil) -> [StepSchemas] {
    var simulated = schema.map { SimulatedSchema($0) } ?? SimulatedSchema()
    var schemas: [StepSchemas] = []
    for (step, report) in zip(chain.steps, reports) {
      schemas.append(ChainChecker.check(step, &simulated, report))
    }
    return schemas
  }

  /// The text of `migrations.sum`; nil where there is none.
  package func sums() throws(EngineError) -> String? {
    let file = path.child(Array(Self.sumFileName.utf8))
    guard try file.status != nil else { return nil }
    return String(decoding: try FileHandle.openForReading(file).readText(), as: UTF8.self)
  }

  /// In the order of files and their lines.
  package var problems: [MigrationProblem] {
    reports.flatMap { report in report.problems.sorted { $0.location.offset < $1.location.offset } }
  }

  package var hasErrors: Bool { reports.contains(where: \.hasErrors) }
}

extension FilePath {
  /// What a document in this directory means by a path: its own when it is absolute.
  fileprivate func resolving(_ name: [UInt8]) -> FilePath {
    name.first == UInt8(ascii: "/") ? FilePath(name) : child(name)
  }
}
