// A running `serve` and a client that sends it any bytes, as a browser never would.

import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// The program as a server of one folder's files.
final class ServedRealm {
  let scene: WholeFileScene
  let process = Process()
  private let errors = Pipe()
  let port: UInt16
  let token: String
  private(set) var cookie = ""

  struct Answer {
    let status: Int
    let head: String
    let body: Data
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  init(_ scene: WholeFileScene, _ words: [String]) throws {
    self.scene = scene
    process.executableURL = RealmProcess.executable
    process.arguments = ["serve"] + words
    process.currentDirectoryURL = scene.folder.url
    process.environment = RealmProcess.fixedEnvironment
    let output = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    var line = ""
    while !line.hasSuffix("\n") {
      let byte = output.fileHandleForReading.readData(ofLength: 1)
      guard !byte.isEmpty else { break }
      line += String(decoding: byte, as: UTF8.self)
    }
    let parts = try #require(line.firstMatch(of: /http:\/\/127\.0\.0\.1:([0-9]+)\/\?token=([0-9a-f]{32})/))
    port = try #require(UInt16(parts.1))
    token = String(parts.2)
    let admission = try send("GET /?token=\(token) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let set = try #require(admission.head.firstMatch(of: /Set-Cookie: ([^;]+);/))
    cookie = String(set.1)
  }

  /// What it says on standard error when a signal ends it.
  func lastWords() -> String {
    process.terminate()
    process.waitUntilExit()
    return String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  /// A connection that is open.
  func connect() throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0)
    var patience = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    return descriptor
  }

  /// What a server says through a socket in the file system to who asks for its page, when it listens.
  static func answer(throughSocket name: String, in folder: URL) throws -> Answer {
    // The name of a socket is at most 107 bytes long, where that of the folder may be longer.
    let place = open(folder.path, O_RDONLY | O_DIRECTORY)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer {
      close(descriptor)
      close(place)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: "/proc/self/fd/\(place)/\(name)".utf8)
    }
    var isConnected = false
    for _ in 0..<2400 where !isConnected {
      isConnected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
      }
      if !isConnected { usleep(50_000) }
    }
    try #require(isConnected, "\(String(cString: strerror(errno)))")
    write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", to: descriptor)
    return answer(from: descriptor)
  }

  /// Whether something comes within a tenth of a second.
  static func hasNews(_ descriptor: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 100) > 0
  }

  static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  /// Sends a request as it stands, and reads the answer to its end.
  func send(_ request: String) throws -> Answer {
    let descriptor = try connect()
    defer { close(descriptor) }
    Self.write(request, to: descriptor)
    return Self.answer(from: descriptor)
  }

  static func answer(from descriptor: Int32) -> Answer {
    var bytes = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if let end = bytes.range(of: Data("\r\n\r\n".utf8)) {
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let length = head.firstMatch(of: /Content-Length: ([0-9]+)/).flatMap { Int($0.1) }
        if let length, bytes.count >= end.upperBound + length {
          return parsed(head, bytes[end.upperBound...])
        }
        if head.contains("Transfer-Encoding: chunked"), bytes.suffix(5) == Data("0\r\n\r\n".utf8) {
          return parsed(head, joined(bytes[end.upperBound...]))
        }
      }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      bytes.append(contentsOf: buffer[..<count])
    }
    let end = bytes.range(of: Data("\r\n\r\n".utf8)) ?? bytes.endIndex..<bytes.endIndex
    return parsed(String(decoding: bytes[..<end.lowerBound], as: UTF8.self), bytes[end.upperBound...])
  }

  /// The pieces of an answer without their lengths.
  private static func joined(_ pieces: Data) -> Data {
    var (whole, rest) = (Data(), pieces)
    while let end = rest.range(of: Data("\r\n".utf8)),
      let length = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16), length > 0
    {
      whole += rest[end.upperBound...].prefix(length)
      rest = rest[end.upperBound...].dropFirst(length + 2)
    }
    return whole
  }

  private static func parsed(_ head: String, _ body: Data) -> Answer {
    Answer(
      status: head.firstMatch(of: /^HTTP\/1.1 ([0-9]+)/).flatMap { Int($0.1) } ?? 0, head: head,
      body: Data(body))
  }

  /// A request as the page sends it.
  func get(_ path: String, _ headers: String = "") throws -> Answer {
    try send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nCookie: \(cookie)\r\n\(headers)\r\n")
  }

  func post(_ path: String, _ body: String, origin: String? = nil) throws -> Answer {
    try send(
      """
      POST \(path) HTTP/1.1\r
      Host: 127.0.0.1:\(port)\r
      Cookie: \(cookie)\r
      Origin: \(origin ?? "http://127.0.0.1:\(port)")\r
      Content-Type: application/json\r
      Content-Length: \(body.utf8.count)\r
      \r
      \(body)
      """)
  }
}
