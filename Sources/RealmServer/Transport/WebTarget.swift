// The path and query of a request, decoded. Layer: RealmServer, Transport.

import ByteText

/// What a request asks for.
struct WebTarget {
  /// Decoded each by itself: a name may hold slashes.
  let path: [String]
  /// The last of those with the same name.
  let query: [String: String]

  private static let partsMax = 64

  /// Nil where it is not a path of this server, or not UTF-8. `host`: as the request names this server; an address may too.
  init?(_ address: String, host: String?) {
    let target = host.flatMap { address.behind("http://\($0)") } ?? address
    guard target.hasPrefix("/") else { return nil }
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path: [String] = []
    for part in halves[0].split(separator: "/", maxSplits: Self.partsMax) {
      guard let text = Self.decoded(part, plusIsBlank: false) else { return nil }
      path.append(text)
    }
    var query: [String: String] = [:]
    for pair in (halves.count > 1 ? halves[1] : "").split(separator: "&", maxSplits: Self.partsMax) {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(sides[0], plusIsBlank: true),
        let value = Self.decoded(sides.count > 1 ? sides[1] : "", plusIsBlank: true)
      else { return nil }
      query[name] = value
    }
    self.path = path
    self.query = query
  }

  private static func decoded(_ text: Substring, plusIsBlank: Bool) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(hexadecimalValue),
          let low = rest.popFirst().flatMap(hexadecimalValue)
        else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsBlank: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
