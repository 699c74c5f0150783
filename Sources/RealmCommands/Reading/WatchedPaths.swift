// The properties, and paths along links, whose changes are watched: 'name, owner.address.city'. Layer: RealmCommands, Reading.

import RealmEngine
import RealmQueryLanguage
import Rendering

/// Watched paths of one class, in one version.
struct WatchedPaths {
  let columns: [SelectedColumn]
  /// Of each column.
  let steps: [[LinkStep]]

  /// As far as the SDKs of apps follow links by themselves.
  private static let linksMax = 4

  init(_ text: SelectionText, of table: Table, in realm: ReadTransaction) throws {
    columns = try text.bound(to: table, in: realm)
    steps = try columns.map { column in
      guard let steps = column.linkSteps(from: table) else {
        throw Diagnostic.usage(
          "'\(column.name)' cannot be watched",
          hint: "--properties takes properties, and paths along links: name, owner.address.city")
      }
      guard steps.count <= Self.linksMax + 1 else {
        throw Diagnostic.usage(
          "'\(column.name)' cannot be watched: it follows more than \(Self.linksMax) links")
      }
      return steps
    }
  }

  /// The objects' own properties among them.
  var ownProperties: Set<ColumnKey> { Set(steps.compactMap { $0.first?.column }) }

  /// Objects that store the same as before, while what their links lead to was changed.
  func origins(of change: RealmChange, _ owners: OwnerChanges) throws(EngineError) -> Set<ObjectKey> {
    var origins: Set<ObjectKey> = []
    for path in Set(steps) where path.count > 1 {
      origins.formUnion(try change.origins(ofChangesAlong: path, owners))
    }
    return origins
  }
}
