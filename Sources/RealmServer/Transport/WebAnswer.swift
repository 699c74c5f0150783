// What goes back to a browser, with the headers that keep it to what this server hands out. Layer: RealmServer, Transport.

import ByteText
import RealmEngine
import RealmSession
import TextFormats

/// Status, headers and content of an answer.
package struct WebAnswer: Sendable {
  package var status = 200
  package var type = "application/json"
  package var body: [UInt8] = []
  /// Further headers, `Name: value` each.
  package var headers: [String] = []

  /// Nothing is loaded from elsewhere, nothing runs but the page's own modules, nobody puts the page into a frame.
  private static let walls = [
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
      + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options: nosniff",
    "Referrer-Policy: no-referrer",
    "Cross-Origin-Resource-Policy: same-origin",
    "Cross-Origin-Opener-Policy: same-origin",
    "Cache-Control: no-store",
  ]

  var headerLines: String {
    (["Content-Type: \(type)"] + Self.walls + headers).map { "\($0)\n" }.joined()
  }

  /// One JSON document.
  static func json(_ text: consuming ByteBuffer) -> WebAnswer { WebAnswer(body: text.bytes) }

  static func json(_ document: DocumentNode, status: Int = 200) -> WebAnswer {
    var text = ByteBuffer()
    text.append(json: document)
    return WebAnswer(status: status, body: text.bytes)
  }

  static func text(_ text: String, status: Int = 200) -> WebAnswer {
    WebAnswer(status: status, type: "text/plain; charset=utf-8", body: Array(text.utf8))
  }
}

/// Why a request is refused by the server itself.
struct WebRefusal: Error {
  let status: Int
  let kind: String
  let message: String
  var hint: String?
  /// Further headers of the answer.
  var headers: [String] = []

  /// As the errors of commands.
  var document: DocumentNode {
    .mapping([
      .object(
        "error",
        [
          .text("kind", kind), .text("message", message), .text("file", nil), .text("line", nil),
          .text("column", nil), .text("hint", hint), .text("exit", nil),
        ])
    ])
  }

  static func unknownClass(_ name: String, among names: [String]) -> WebRefusal {
    WebRefusal(
      status: 404, kind: SessionError.unknownClassCode, message: "there is no class '\(name)'",
      hint: SessionError.unknownClass(name, among: names).hint)
  }

  static func unknownProperty(_ name: String, of schema: ClassSchema) -> WebRefusal {
    WebRefusal(
      status: 404, kind: "unknown-property", message: "\(schema.name) has no property '\(name)'",
      hint: EditDistance.nearest(to: name, among: schema.properties.map(\.name)).map {
        "did you mean '\($0)'?"
      })
  }
}
