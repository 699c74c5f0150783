// One of the realms that are served: read by many threads at once, changed by one at a time. Layer: RealmServer, Realms.
// Invariants: a source of snapshots is used by one thread at a time; results that are kept are of the version that they were found in.

import CServer
package import RealmEngine
import RealmSession

/// A realm, with what is kept of it between requests.
package final class ServedRealm: Sendable {
  package let index: Int
  package let path: FilePath
  let host: any ServerHost
  /// Sources that nobody uses at the moment; the one that was used last comes first, since it has read the most.
  /// A page that has loaded asks for two things at a time as a rule: what more sources have read is not kept.
  private let idle = Exclusive<[SnapshotSource]>([])
  private let results = Exclusive<[KeptResult]>([])
  private let session = Exclusive<StatementSession?>(nil)
  private let job = Exclusive<Job?>(nil)

  /// What is done with the whole file, and who waits for it.
  private struct Job {
    let name: String
    let request: WebRequest
  }

  private struct KeptResult {
    let query: RowQuery
    let version: SnapshotIdentity
    let keys: GridKeys
  }

  /// A sort that is changed and changed back. Beside the newest result, the others take so many bytes at most.
  private static let resultsMax = 3
  private static let idleMax = 2
  private static let olderSizeMax = 8 << 20
  private static let manyRows = 100_000

  package init(_ index: Int, _ path: FilePath, _ host: any ServerHost) {
    (self.index, self.path, self.host) = (index, path, host)
  }

  /// Runs `body` on the newest version, again where it changed meanwhile.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    var nothing = NoOutput()
    return try read(to: &nothing) { database, _ in try body(database) }
  }

  /// Reads what goes out piece by piece.
  func read<Output: RetractableOutput & ~Copyable, Result>(
    to out: inout Output, _ body: (Database, inout Output) throws -> Result
  ) throws -> Result {
    let source = try idle.lend { $0.popLast() } ?? host.source(index)
    defer { idle.lend { $0 = $0.suffix(Self.idleMax - 1) + [source] } }
    return try source.read(to: &out, body)
  }

  /// The objects of a query in the version that is open, as far as `end`.
  func keys(of query: RowQuery, upTo end: Int, _ table: Table, in database: Database) throws -> GridKeys {
    let version = database.version
    let known = results.lend { results in
      results.first { $0.query == query && $0.version == version && $0.keys.reach(end) }
    }
    if let known { return known.keys }
    // What was looked at before makes room first.
    results.lend { results in
      results.removeAll { $0.query == query || $0.version != version }
      while results.reduce(0, { $0 + $1.keys.size }) > Self.olderSizeMax { results.removeFirst() }
    }
    let realm = database.transaction
    let keys = try GridKeys(try query.bound(in: realm, table), upTo: end, in: realm)
    if case .all = keys { return keys }
    // What putting many in order took in small pieces.
    if keys.count >= Self.manyRows { web_memory_return() }
    results.lend { results in
      results.removeAll { $0.query == query || $0.version != version }
      while results.count >= Self.resultsMax { results.removeFirst() }
      results.append(KeptResult(query: query, version: version, keys: keys))
    }
    return keys
  }

  /// Nobody looks any more: what is kept can be found again.
  func forget() {
    results.lend { $0 = [] }
    idle.lend { $0 = [] }
  }

  /// Runs what takes long and is told of meanwhile; one at a time.
  func running<Result>(_ name: String, for request: WebRequest, _ body: () throws -> Result) throws -> Result
  {
    let running = job.lend { job -> String? in
      if let job { return job.name }
      job = Job(name: name, request: request)
      return nil
    }
    if let running {
      throw WebRefusal(status: 409, kind: "busy", message: "wait for the \(running) of this file to end")
    }
    defer { job.lend { $0 = nil } }
    return try body()
  }

  /// How far what `running` runs is.
  var progress: (job: String, done: Int, expected: Int)? {
    job.lend { job in
      job.map { ($0.name, $0.request.progress.done, $0.request.progress.expected) }
    }
  }

  /// Runs what must not meet a change.
  func alone<Result>(_ body: () throws -> Result) rethrows -> Result { try session.lend { _ in try body() } }

  /// Runs a change, which others wait for.
  func change<Result>(_ body: (StatementSession) throws -> Result) throws -> Result {
    try session.lend { session in
      let open = try session ?? host.session(index)
      session = open
      return try body(open)
    }
  }
}
