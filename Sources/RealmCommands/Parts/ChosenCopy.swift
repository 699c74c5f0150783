// What `copy` and `export` write of a realm: all of it, or a part, and what is said of it. Layer: RealmCommands, Parts.

import RealmEngine
import RealmParts
import RealmSession
import TextFormats

/// Content for a new file; how many objects of each class came is known when it was made.
final class ChosenCopy {
  private let request: RealmChoice
  private let masks: Masks?
  private var counts: ChangeCounts?

  init(_ request: RealmChoice, masks: Masks?) {
    self.request = request
    self.masks = masks
  }

  var content: WholeFileJob.Content {
    .changed { [self] database throws(EngineError) in
      let realm = try request.realm(from: database, masks: masks)
      var counts = ChangeCounts()
      for table in realm.classes() where table.count > 0 {
        counts.add(created: table.count, to: table.schema.name)
      }
      self.counts = counts
      return realm
    }
  }

  /// For programs.
  var entries: [DocumentEntry] { counts?.entries ?? [] }

  /// ` (3 Person, 2 Dog)`, by name.
  var summary: String {
    let parts = counts?.classes.map { "\($0.created) \($0.name)" } ?? []
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
  }
}

extension Invocation {
  /// The part that options ask for, checked against the realm at `path`; nil for all of it.
  func partCopy(of path: FilePath, _ key: EncryptionKey?) throws -> ChosenCopy? {
    guard let request = try partRequest() else { return nil }
    let outcome = try look(path, key) { database throws(EngineError) in
      Result { try check(request, in: database.transaction) }
    }
    do {
      try outcome.get()
    } catch {
      throw Diagnostic(error, file: path)
    }
    return ChosenCopy(request, masks: try masks(of: request))
  }

  /// Gives the part that options ask for of a realm that is open, or all of it.
  func partRealm() throws -> (Database) throws -> ReadTransaction {
    guard let request = try partRequest() else { return { $0.transaction } }
    let masks = try masks(of: request)
    return { [self] database in
      try check(request, in: database.transaction)
      return try request.realm(from: database, masks: masks)
    }
  }
}
