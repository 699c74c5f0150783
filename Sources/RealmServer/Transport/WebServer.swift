// HTTP as the rest of the program sees it: requests that are taken one after the other on any thread, and answers to them.
// Layer: RealmServer, Transport; the bridge to libevent. Invariant: every request is answered, or its feed ended, once.

import ByteText
import CPlatform
import CServer
package import RealmEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Listens on sockets of this machine.
@safe package final class WebServer: @unchecked Sendable {
  private let server: OpaquePointer

  /// What strangers may take of the machine before they have said who they are.
  private static let connectionsMax: Int32 = 64
  private static let waitingMax: Int32 = 256
  /// A long condition is part of it.
  private static let headerSizeMax = 1 << 20
  /// A text or data of 16 MB, the largest that a realm holds, in JSON.
  package static let bodySizeMax = 24 << 20
  private static let patienceSeconds: Int32 = 15

  /// `idleSeconds`: the server ends when nobody has asked for so long; 0: never.
  package init(idleSeconds: Int) throws(EngineError) {
    var limits = web_limits(
      connections_max: Self.connectionsMax, waiting_max: Self.waitingMax, header_size_max: Self.headerSizeMax,
      body_size_max: Self.bodySizeMax, patience_seconds: Self.patienceSeconds,
      idle_seconds: Int32(clamping: idleSeconds))
    guard let made = unsafe web_server_create(&limits) else {
      throw EngineError(.other, "no memory or descriptors for a server")
    }
    unsafe server = made
  }

  /// Listens on 127.0.0.1 and, where there is one, ::1. Gives the port, which the system chooses for 0.
  package func listen(port wanted: UInt16) throws(EngineError) -> UInt16 {
    var port = wanted
    let descriptor = unsafe web_listen_on_loopback(AF_INET, &port)
    guard descriptor >= 0 else { throw Self.failure("port \(wanted) of 127.0.0.1", -descriptor) }
    try take(descriptor)
    // Who resolves localhost to ::1 finds the server there too; that it is missing harms nobody.
    let second = unsafe web_listen_on_loopback(AF_INET6, &port)
    if second >= 0 { try take(second) }
    return port
  }

  /// Listens at a path of the file system.
  package func listen(path: FilePath) throws(EngineError) {
    let descriptor = unsafe path.withCString { unsafe web_listen_at_path($0) }
    guard descriptor >= 0 else { throw FileHandle.failure("cannot listen at", path, code: -descriptor) }
    // A signal that ends the process takes the name away too.
    _ = unsafe path.withCString { unsafe platform_register_temporary($0) }
    try take(descriptor)
  }

  private func take(_ descriptor: Int32) throws(EngineError) {
    guard unsafe web_server_listen(server, descriptor) == 0 else {
      throw EngineError(.other, "no memory for a socket")
    }
  }

  private static func failure(_ place: String, _ code: Int32) -> EngineError {
    let reason = unsafe String(cString: strerror(code))
    return EngineError(code == EACCES ? .permission : .busy, "cannot listen at \(place) – \(reason)")
  }

  /// Serves until nobody asks any more.
  package func run() { unsafe web_server_run(server) }

  /// Waits for the next request. Nil, once, when all clients have gone.
  package func nextRequest() -> WebRequest? { unsafe web_server_take(server).map { unsafe WebRequest($0) } }
}

/// One request, whose answer is still to be given.
@safe package final class WebRequest: @unchecked Sendable {
  private let request: OpaquePointer
  package let method: String
  /// Path and query as they came.
  package let target: String

  fileprivate init(_ request: OpaquePointer) {
    unsafe self.request = unsafe request
    method = unsafe String(cString: web_request_method(request))
    target = unsafe String(cString: web_request_target(request))
  }

  deinit { unsafe web_request_let_go(request) }

  private func header(_ index: Int) -> String? {
    unsafe web_request_header(request, Int32(index)).map { unsafe String(cString: $0) }
  }

  package var host: String? { header(Int(web_header_host)) }
  package var origin: String? { header(Int(web_header_origin)) }
  package var cookie: String? { header(Int(web_header_cookie)) }
  package var contentType: String? { header(Int(web_header_type)) }

  package var body: [UInt8] {
    var size = 0
    guard let bytes = unsafe web_request_body(request, &size) else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: size))
  }

  /// Runs `body`, which is asked to end when the client has left.
  package func unlessLeft<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Interruption.working(on: unsafe web_request_work(request), body)
  }

  /// How much of what `unlessLeft` runs is done, of how much. Only before the answer.
  var progress: (done: Int, expected: Int) {
    var (done, expected) = (UInt64(0), UInt64(0))
    unsafe platform_work_read(web_request_work(request), &done, &expected)
    return (Int(clamping: done), Int(clamping: expected))
  }

  /// Answers the request.
  package func reply(_ answer: WebAnswer) {
    let count = answer.body.count
    unsafe answer.body.withUnsafeBufferPointer { body in
      unsafe web_request_reply(request, Int32(answer.status), answer.headerLines, body.baseAddress, count)
    }
  }

  /// Begins an answer that comes piece by piece; one that has no end of its own is a feed.
  package func begin(_ answer: WebAnswer, isFeed: Bool) {
    unsafe web_request_begin(request, Int32(answer.status), answer.headerLines, isFeed ? 1 : 0)
  }

  /// False: the client has left.
  package func send(_ piece: Span<UInt8>) -> Bool {
    if piece.isEmpty { return true }
    return unsafe piece.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return true }
      return unsafe web_request_send(request, start, bytes.count) == 0
    }
  }

  /// Ends an answer that was begun. One that is broken does not look whole to the client.
  package func end(isBroken: Bool = false) { unsafe web_request_end(request, isBroken ? 1 : 0) }
}
