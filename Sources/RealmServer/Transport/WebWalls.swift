// Who may ask: whoever has the token, by a name of this machine, from the page itself. Layer: RealmServer, Transport.
// Other users of the machine can connect, and so can every page that a browser shows: neither has the token, and a name that was
// made to lead here (DNS rebinding) is none of this machine's.

import ByteText

/// The token of one run of the server, and what is asked of each request.
package struct WebWalls: Sendable {
  /// 128 bits.
  package let token: String
  /// Cookies are shared by all ports of a host: each server has a name of its own.
  private let cookieName: String

  package init() {
    var random = SystemRandomNumberGenerator()
    func word() -> String {
      let digits = String(random.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    token = word() + word()
    cookieName = "realm-cli-\(word())"
  }

  /// Throws where the request comes from elsewhere.
  func check(_ request: WebRequest) throws(WebRefusal) {
    guard let host = request.host, Self.isOwnHost(host) else {
      throw WebRefusal(
        status: 403, kind: "host", message: "this server answers to 127.0.0.1, [::1] and localhost only")
    }
    if request.origin != nil || request.method != "GET" {
      guard request.origin == "http://\(host)" else {
        throw WebRefusal(status: 403, kind: "origin", message: "the request comes from another page")
      }
    }
  }

  /// The answer to who comes with the token in the address: a cookie, and the same page without it. Nil: there is no token in it.
  func admission(_ target: WebTarget) -> WebAnswer? {
    guard let given = target.query["token"] else { return nil }
    guard isToken(given) else { return WebAnswer.text(Self.forStrangers + "\n", status: 403) }
    return WebAnswer(
      status: 303, type: "text/plain; charset=utf-8",
      headers: ["Set-Cookie: \(cookieName)=\(token); Path=/; HttpOnly; SameSite=Strict", "Location: /"])
  }

  /// Whether the request has the token.
  func admits(_ request: WebRequest) -> Bool {
    (request.cookie ?? "").split(separator: ";").contains { part in
      let pair = part.split(separator: "=", maxSplits: 1).map { $0.drop { $0 == " " } }
      return pair.count == 2 && pair[0] == cookieName && isToken(String(pair[1]))
    }
  }

  static let forStrangers =
    "This page belongs to the user who started realm-cli serve. Open the address that it printed, with its token."

  /// Takes as long whichever byte differs.
  private func isToken(_ given: String) -> Bool {
    let (left, right) = (Array(given.utf8), Array(token.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static func isOwnHost(_ host: String) -> Bool {
    for name in ["127.0.0.1", "[::1]", "localhost"] where host.hasPrefix(name) {
      let rest = host.dropFirst(name.count)
      if rest.isEmpty { return true }
      return rest.first == ":" && rest.count <= 6 && rest.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
    }
    return false
  }
}
