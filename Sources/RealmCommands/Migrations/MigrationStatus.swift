// Where a file stands among the steps: its version, what it still needs, and whether it is what the steps left.
// Layer: RealmCommands, Migrations.

import Arguments
import ByteText
import Migrations
import RealmEngine
import Rendering
import TextFormats

extension Option {
  static let acceptDrift = Option(
    "accept-drift", "continue although the file's schema or a frozen step has changed")
}

/// What `migrate status` tells of one file.
struct MigrationStatus {
  let path: FilePath
  let version: Int64
  let fingerprint: String
  let pending: [MigrationFile]
  /// How the file differs from what the steps know; nil where it does not.
  let drift: String?

  var hasNews: Bool { !pending.isEmpty || drift != nil }

  var text: String {
    var text = "\(path.displayName) has schema version \(version)\n"
    for step in pending { text += "  pending: \(step.source.name) (\(step.from) → \(step.to))\n" }
    if let drift { text += "  drift: \(drift)\n" }
    return hasNews ? text : text + "  nothing to do\n"
  }

  static let fields: [JSONField] = [
    .integer("version"), .integer("newest"), .text("fingerprint"), .texts("pending"), .text("drift").orNull,
  ]

  func entries(newest: Int64?) -> [DocumentEntry] {
    [
      DocumentEntry.number("version", version), .number("newest", newest ?? version),
      .text("fingerprint", fingerprint), .list("pending", pending.map { .string($0.source.name) }),
      .text("drift", drift),
    ]
  }
}

extension Invocation {
  func migrationStatus(of path: FilePath, _ folder: MigrationFolder) throws -> MigrationStatus {
    let (version, fingerprint) = try look(path, try keyOfFile(path)) { database throws(EngineError) in
      let realm = database.transaction
      return (realm.schemaVersion ?? 0, try realm.schemaDescription().fingerprint())
    }
    let pending: [MigrationFile]
    do throws(EngineError) {
      // A file that is newer than all steps has drifted, and there is nothing to be done.
      let isNewer = folder.chain.newest.map { version > $0 } ?? false
      pending = isNewer ? [] : try folder.chain.pending(from: version, to: nil)
    } catch {
      throw Diagnostic(error, file: path)
    }
    return MigrationStatus(
      path: path, version: version, fingerprint: fingerprint, pending: pending,
      drift: try drift(fingerprint, version, folder, pending))
  }

  /// Refuses to run steps that were changed since they were frozen, and to run any on a file that is not what the steps
  /// before have left.
  func refuseDrift(
    of path: FilePath, _ fingerprint: String, _ version: Int64, _ folder: MigrationFolder,
    _ pending: [MigrationFile]
  ) throws {
    guard !arguments.has(.acceptDrift) else { return }
    let changed = try SumFile.changedSteps(folder).map(\.source.name)
    let drift = try drift(fingerprint, version, folder, pending)
    guard !changed.isEmpty || drift != nil else { return }
    var faults = drift.map { ["\(path.displayName) has drifted: \($0)"] } ?? []
    if !changed.isEmpty {
      let names = changed.joined(separator: ", ")
      faults.append(
        "\(names) \(changed.count == 1 ? "was" : "were") changed since \(MigrationFolder.sumFileName) was written"
      )
    }
    throw Diagnostic(
      .refused, code: "drift", faults.joined(separator: "; "),
      hint: changed.isEmpty
        ? "--accept-drift continues anyway"
        : "--accept-drift continues anyway; `migrate verify --freeze` accepts the steps as they are",
      file: path)
  }

  /// Whether the schema is another than the one that the chain knows for this version.
  private func drift(
    _ found: String, _ version: Int64, _ folder: MigrationFolder, _ pending: [MigrationFile]
  ) throws -> String? {
    if let expected = pending.first?.expectedFingerprint, expected != found {
      return "the next step expects another schema (\(expected)); this is \(found)"
    }
    if let sums = try folder.sums(),
      let expected = SumFile.fingerprint(at: version, in: sums, of: folder.chain), expected != found
    {
      return
        "\(MigrationFolder.sumFileName) has another schema for version \(version) (\(expected)); this is \(found)"
    }
    if let newest = folder.chain.newest, version > newest {
      return "the file is newer than all steps, which end at \(newest)"
    }
    return nil
  }
}
