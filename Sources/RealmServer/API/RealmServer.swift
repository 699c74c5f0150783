// The server: what is asked goes through the walls to the page's files or to an endpoint of the API. Layer: RealmServer, API.
// Invariant: without the token nothing but one sentence is said; without `isWritable` nothing is changed.

import ByteText
import CServer
package import RealmEngine
import RealmSession
import TextFormats

/// Realms, served to one user.
package final class RealmServer: Sendable {
  package let walls = WebWalls()
  let realms: [ServedRealm]
  let isWritable: Bool
  let showsAllTables: Bool
  let host: any ServerHost
  let feeds: LiveFeeds
  private let web: WebServer

  /// Requests that run at once; a page sends six. Some threads are left for what is answered at once.
  private static let threadCount = 8
  private static let longMax = threadCount - 2
  private let longCount = Exclusive(0)

  package init(
    _ web: WebServer, _ paths: [FilePath], isWritable: Bool, showsAllTables: Bool, joining: Bool,
    _ host: any ServerHost
  ) {
    self.web = web
    self.isWritable = isWritable
    self.showsAllTables = showsAllTables
    self.host = host
    realms = paths.enumerated().map { ServedRealm($0.offset, $0.element, host) }
    feeds = LiveFeeds(realms, joining: joining)
  }

  /// Serves until nobody asks any more.
  package func run() throws(EngineError) {
    var count = 0
    while count < Self.threadCount, ParallelWork.begin({ [self] in work() }) != nil { count += 1 }
    guard count > 0 else { throw EngineError(.other, "the system has no thread left") }
    web.run()
  }

  /// What a thread has freed it keeps for itself until it ends, so that each request has its own.
  private func work() {
    repeat { takeRequest() } while ParallelWork.begin({ [self] in work() }) == nil
  }

  private func takeRequest() {
    guard let request = web.nextRequest() else {
      for realm in realms { realm.forget() }
      return web_memory_return()
    }
    if let answer = answer(request) { request.reply(answer) }
  }

  /// Nil: the answer was given piece by piece.
  private func answer(_ request: WebRequest) -> WebAnswer? {
    do throws(WebRefusal) {
      try walls.check(request)
      guard let target = WebTarget(request.target, host: request.host) else {
        throw WebRefusal(status: 400, kind: "usage", message: "the address is not one of this server")
      }
      if request.method == "GET", target.path.isEmpty, let answer = walls.admission(target) { return answer }
      let isCall = target.path.starts(with: ["api", "v1"])
      guard walls.admits(request) else {
        guard isCall else { return WebAnswer.text(WebWalls.forStrangers + "\n", status: 403) }
        throw WebRefusal(status: 403, kind: "token", message: WebWalls.forStrangers)
      }
      return try isCall ? called(request, target) : page(request, target)
    } catch {
      return Self.refusal(error)
    }
  }

  private static func refusal(_ refusal: WebRefusal) -> WebAnswer {
    var answer = WebAnswer.json(refusal.document, status: refusal.status)
    answer.headers = refusal.headers
    return answer
  }

  // MARK: The page

  private func page(_ request: WebRequest, _ target: WebTarget) throws(WebRefusal) -> WebAnswer {
    guard request.method == "GET" else {
      throw WebRefusal(
        status: 405, kind: "method", message: "this is only to be read", headers: ["Allow: GET"])
    }
    return WebAnswer.page(target.path.isEmpty ? "index.html" : target.path.joined(separator: "/"))
      ?? WebAnswer.text("there is no such page\n", status: 404)
  }

  // MARK: The API

  private func called(_ request: WebRequest, _ target: WebTarget) throws(WebRefusal) -> WebAnswer? {
    let found = Endpoint.all.compactMap { endpoint in
      endpoint.match(target.path.dropFirst(2)).map { (endpoint: endpoint, values: $0) }
    }
    guard !found.isEmpty else {
      throw WebRefusal(status: 404, kind: "not-found", message: "the API has nothing at this address")
    }
    guard let (endpoint, values) = found.first(where: { $0.endpoint.method == request.method }) else {
      throw WebRefusal(
        status: 405, kind: "method", message: "this address takes another method",
        headers: ["Allow: \(found.map(\.endpoint.method).joined(separator: ", "))"])
    }
    try endpoint.check(target.query)
    if endpoint.takesLong {
      let isTaken = longCount.lend { count in
        if count < Self.longMax { count += 1 } else { return false }
        return true
      }
      guard isTaken else {
        throw WebRefusal(status: 503, kind: "busy", message: "the server has too much to do: try again")
      }
    }
    defer { if endpoint.takesLong { longCount.lend { $0 -= 1 } } }
    let call = Call(
      server: self, request: request, values: target.query.merging(values) { _, path in path })
    do {
      // A change goes on to its end.
      if request.method == "POST" {
        guard isWritable else {
          throw WebRefusal(
            status: 403, kind: "read-only", message: "the page only reads: serve was started without -w")
        }
        guard endpoint.body == nil || request.contentType?.hasPrefix("application/json") ?? false else {
          throw WebRefusal(status: 415, kind: "usage", message: "changes come as application/json")
        }
        return try endpoint.answer(call)
      }
      return try request.unlessLeft { try endpoint.answer(call) }
    } catch let refusal as WebRefusal {
      throw refusal
    } catch {
      return problem(error, values["realm"].flatMap { Int($0) })
    }
  }

  private func problem(_ error: any Error, _ realm: Int?) -> WebAnswer {
    let (document, exit) = host.problem(error, realm.flatMap { realms.indices.contains($0) ? $0 : nil })
    return .json(document, status: Self.status(ofExit: exit))
  }

  /// What went wrong with a file is not the server's doing: nothing is 500.
  private static func status(ofExit exit: Int32) -> Int {
    switch exit {
    case 2, 7: 400
    case 10: 404
    case 3, 4, 5: 422
    default: 409
    }
  }
}
