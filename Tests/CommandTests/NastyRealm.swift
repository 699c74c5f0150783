// Realms whose names and values hold whatever has ever got out of a name: quotes, controls, line ends, characters that turn
// the direction of text, the syntax of statements, YAML and shells.

import Foundation
import TestSupport

struct NastyRealm {
  struct Property: Equatable {
    var name: String
    var type: String
    var target: String?
  }

  struct Class: Equatable {
    var name: String
    var properties: [Property]
  }

  var classes: [Class]
  private var values: [String] = []

  static let pieces: [String] =
    (0x01...0x20).map { String(Unicode.Scalar($0)) }
    + (0x7F...0xA0).map { String(Unicode.Scalar($0)) }
    + [
      "\u{61C}", "\u{200B}", "\u{200E}", "\u{200F}", "\u{2028}", "\u{2029}", "\u{202A}", "\u{202B}",
      "\u{202C}", "\u{202D}",
      "\u{202E}", "\u{2060}", "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}", "\u{FEFF}", "\u{FFFD}",
      "\u{1D173}",
      "\u{E0041}", "`", "``", "'", "\"", "\\", "\\n", "\\u0041", "$", "#", "@", "%", "-", "--", ":", ": ",
      ",", ";",
      ".", ".shell touch PWNED", "{", "}", "[", "]", "(", ")", "<", ">", "?", "|", "&", "*", "!", "\r\n",
      "\n.shell touch PWNED\n", "` {}\n.shell touch PWNED\n", "}\n  - drop_class: { class: A", "\u{1B}[2J",
      "\u{1B}]0;t\u{7}",
      "\u{9B}31m", "T5", "O5", "true", "null", "create", "count", "int", "list", "a", "B", "7", "é", "李", "😀",
      " ",
    ]

  static func text(_ random: inout SplitMix64, upTo countMax: Int = 5) -> String {
    (0...random.below(countMax)).map { _ in pieces[random.below(pieces.count)] }.joined()
  }

  /// A name that is not among `taken` and no longer than names may be.
  static func name(_ random: inout SplitMix64, _ taken: inout [String]) -> String {
    while true {
      let name = text(&random, upTo: 3)
      // Names that differ in nothing but how letters are put together would be one name to Swift.
      guard name.utf8.count <= 57, !taken.contains(name) else { continue }
      taken.append(name)
      return name
    }
  }

  init(_ random: inout SplitMix64) {
    var taken: [String] = []
    let names = (0..<4).map { _ in Self.name(&random, &taken) }
    classes = names.map { name in
      var taken: [String] = []
      let types: [(String, String?)] = [
        ("string", nil), ("int", nil), ("mixed", nil), ("object", names[random.below(4)]),
      ]
      return Class(
        name: name,
        properties: types.map { Property(name: Self.name(&random, &taken), type: $0.0, target: $0.1) })
    }
    values = (0..<3).map { _ in Self.text(&random, upTo: 9) }
  }

  /// As `load` takes it; every class has objects with nasty texts where `hasObjects`.
  func dump(hasObjects: Bool) -> String {
    var lines = ["{\"realm\":{\"file_format\":24,\"schema_version\":1}}"]
    for described in classes {
      let properties = described.properties.map { property in
        let isOptional = property.type == "mixed" || property.target != nil
        return "{\"name\":\(Self.json(property.name)),\"type\":\"\(property.type)\""
          + (isOptional ? ",\"optional\":true" : "")
          + (property.target.map { ",\"target\":\(Self.json($0))" } ?? "") + "}"
      }
      lines.append(
        "{\"class\":\(Self.json(described.name)),\"kind\":\"object\",\"primary_key\":null,\"properties\":["
          + properties.joined(separator: ",") + "],\"count\":\(hasObjects ? values.count : 0)}")
    }
    for described in hasObjects ? classes : [] {
      for (key, value) in values.enumerated() {
        let properties = described.properties
        lines.append(
          "{\"object\":\(Self.json(described.name)),\"key\":\(key),\"values\":{\(Self.json(properties[0].name)):"
            + "\(Self.json(value)),\(Self.json(properties[1].name)):\(key),"
            + "\(Self.json(properties[2].name)):\(Self.json(value)),\(Self.json(properties[3].name)):null}}")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// In plain ASCII.
  static func json(_ text: String) -> String {
    "\"" + text.utf16.map { String(format: "\\u%04x", $0) }.joined() + "\""
  }
}
