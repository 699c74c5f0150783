// An answer that comes piece by piece, whose first piece sends the head: until then a refusal can be told. Layer: RealmServer,
// Transport.

import ByteText
import RealmEngine

/// A file that the browser saves.
final class Download {
  private let request: WebRequest
  private let head: WebAnswer
  private var hasBegun = false

  init(_ request: WebRequest, _ name: String, _ type: String) {
    self.request = request
    head = WebAnswer(type: type, headers: ["Content-Disposition: attachment; filename=\"\(name)\""])
  }

  /// Throws `.cancelled` when the client has left.
  func send(_ piece: Span<UInt8>) throws(EngineError) {
    if !hasBegun { request.begin(head, isFeed: false) }
    hasBegun = true
    guard request.send(piece) else { throw EngineError(.cancelled, "nobody waits for it any more") }
  }

  /// Runs `body`, which sends. Gives what is still to be answered.
  func run(_ body: () throws -> Void) throws -> WebAnswer? {
    do {
      try body()
    } catch {
      guard hasBegun else { throw error }
      request.end(isBroken: true)
      return nil
    }
    guard hasBegun else { return head }
    request.end()
    return nil
  }
}
