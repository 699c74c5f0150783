// Models for SwiftData, and what reads a dump into them. Layer: RealmModels, Languages.
// SwiftData keeps no order in relationships and holds no dictionaries of links; the code and a warning say so where that matters.
// Two links that lead to each other's classes are one relationship to SwiftData, so each link names an inverse of its own.

import RealmEngine

extension ModelLanguage {
  private static let types = Spelling(
    "Int Bool String Data String? Date Float Double Decimal String UUID", optional: "#?", list: "[#]",
    set: "[#]", dictionary: "[String: #]", link: "#")

  private static let names: NameRules = {
    var rules = NameRules(
      swiftKeywords + """
         description debugDescription hashValue persistentModelID modelContext isDeleted hasChanges persistentBackingData \
        schemaMetadata
        """,
      types: """
        Int Bool String Data Date Float Double Decimal UUID Array Dictionary Set Optional Model Attribute Relationship \
        ModelContext ModelContainer PersistentModel Schema Foundation SwiftData Error Never Void Character RealmDump
        """,
      // What `RealmDump` calls and names where it makes objects.
      classes: swiftClassNames + """
         ISO8601DateFormatter JSONSerialization NSNull NSNumber Fault bool connect context data date decimal dictionary \
        double float int json key link list make name object objects read required tagged text uuid values
        """)
    rules.hasInversesOfEmbedding = true
    // What `@Model` makes beside a property; the columns of its files do not tell cases apart.
    rules.companions = { ["_\($0)", "column \($0.lowercased())"] }
    rules.hiddenTypes = .all
    rules.otherFile = "RealmDump"
    return rules
  }()

  static let swiftdata = ModelLanguage("swiftdata", names) { schema, _ in
    ModelCode(
      head: ["import Foundation", "import SwiftData"],
      schema.classes.map { .init($0.name, ".swift", $0.modelLines(types)) }
        + [.init("RealmDump", ".swift", schema.readerLines(types))],
      warning: schema.swiftDataLosses)
  }
}

extension ModelProperty {
  /// Links that SwiftData has no property for.
  fileprivate var isLeftOut: Bool { type.collection == .dictionary && target != nil }

  fileprivate func declaration(_ spelling: Spelling) -> [String] {
    if isLeftOut { return ["// \(stored.visibleName): SwiftData has no dictionaries of models"] }
    var lines = remarks(index: false)
    let original = isRenamed ? ", originalName: \(TextLiteral.braces(stored))" : ""
    if isPrimaryKey { lines.append("@Attribute(.unique\(original))") }
    if target != nil, type.collection != nil {
      lines.append("// SwiftData keeps neither order nor duplicates here.")
    }
    if let target, let inverseName {
      let rule = holdsEmbedded ? "deleteRule: .cascade, " : ""
      lines.append("@Relationship(\(rule)inverse: \\\(target).\(inverseName))")
    }
    lines.append("var \(name): \(typeName(spelling))")
    return lines
  }

  /// A link may always be null, and is never null in a collection.
  fileprivate func typeName(_ spelling: Spelling) -> String {
    if target != nil {
      return type.collection == nil ? spelling.word(self) + "?" : "[\(spelling.word(self))]"
    }
    return spelling(self)
  }

  /// What gives the property's value, from a dumped object.
  fileprivate func reading(_ spelling: Spelling) -> String {
    let key = TextLiteral.braces(stored)
    if target != nil { return type.collection == nil ? "nil" : "[]" }
    let isOptional = spelling.element(self).hasSuffix("?")
    func one(_ value: String) -> String {
      let read = "RealmDump.\(readerName)(\(value))"
      return isOptional ? read : "try RealmDump.required(\(read), \(key))"
    }
    return switch type.collection {
    case nil: one("values[\(key)]")
    case .list, .set: "try RealmDump.list(values[\(key)]).map { \(one("$0")) }"
    case .dictionary: "try RealmDump.dictionary(values[\(key)]).mapValues { \(one("$0")) }"
    }
  }

  private var storedTarget: String { type.target ?? "" }

  private var readerName: String {
    switch type.type {
    case .decimal128: "decimal"
    case .mixed: "json"
    case .string, .objectID, .object, .typedLink, .backlink: "text"
    default: type.type.name
    }
  }

  /// What sets the links of an object that was made, once all are there.
  fileprivate var linking: String? {
    guard let target, !isLeftOut else { return nil }
    let key = TextLiteral.braces(stored)
    let embedded = holdsEmbedded ? ", owned: \(TextLiteral.braces(storedTarget))" : ""
    if type.collection == nil { return "object.\(name) = try link(values[\(key)]\(embedded)) as \(target)?" }
    return
      "object.\(name) = try RealmDump.list(values[\(key)]).compactMap { try link($0\(embedded)) as \(target)? }"
  }
}

extension ModelSchema {
  /// What the reader of a dump does not keep.
  fileprivate var swiftDataLosses: String? {
    func names(_ isLost: (ModelProperty) -> Bool) -> String? {
      let names = classes.flatMap { entity in
        entity.properties.filter(isLost).map { "\(entity.stored).\($0.stored)" }
      }
      return names.isEmpty ? nil : names.shortList
    }
    let losses = [
      names(\.isLeftOut).map { "dictionaries of objects are left out: \($0)" },
      names { $0.target != nil && $0.type.collection == .list }.map {
        "lists of objects lose their order and duplicates: \($0)"
      },
      names { $0.type.type == .mixed }.map {
        "links in mixed values are read as object keys, which models do not have: \($0)"
      },
    ].compactMap(\.self)
    return losses.isEmpty ? nil : "in SwiftData " + losses.joined(separator: "; ")
  }
}

extension ModelClass {
  fileprivate func modelLines(_ spelling: Spelling) -> [String] {
    let held = properties.filter { !$0.isLeftOut }
    var lines = properties.flatMap { $0.declaration(spelling) }
    // One object holds an embedded one.
    lines += inverses.map {
      "var \($0.name): \(kind == .embedded ? "\($0.origin)?" : "[\($0.origin)] = []")"
    }
    let parameters = held.map { "\($0.name): \($0.typeName(spelling))" }.joined(separator: ", ")
    lines += ["", "init(\(parameters)) {"] + held.map { "    self.\($0.name) = \($0.name)" } + ["}"]
    return ["@Model", "final class \(name) {"] + lines.indented(by: 4) + ["}"]
  }

  fileprivate func making(_ spelling: Spelling) -> [String] {
    let held = properties.filter { !$0.isLeftOut }
    let arguments = held.map { "\($0.name): \($0.reading(spelling))" }.joined(separator: ",\n            ")
    return ["case \(TextLiteral.braces(stored)):", "    return \(name)(\(arguments))"]
  }

  fileprivate var linking: [String] {
    let links = properties.compactMap(\.linking)
    return links.isEmpty
      ? [] : ["case let object as \(name):"] + links.indented(by: 4)
  }
}

extension ModelSchema {
  /// The reader of a dump: objects first, links when all are there.
  fileprivate func readerLines(_ spelling: Spelling) -> [String] {
    Self.readerBeginning + classes.flatMap { $0.making(spelling) }.indented(by: 8)
      + ["        default: return nil", "        }", "    }", "", Self.linkHead, "        switch object {"]
      + classes.flatMap(\.linking).indented(by: 8)
      + ["        default: break", "        }", "    }"] + Self.readerEnd
  }

  private static let linkHead =
    "    private func connect(_ object: any PersistentModel, _ values: [String: Any]) throws {"

  private static let readerBeginning = lines(
    """
    /// Reads what `realm-cli dump app.realm >app.jsonl` wrote into SwiftData.
    final class RealmDump {
        struct Fault: Error { let message: String }
        private var objects: [String: any PersistentModel] = [:]
        private let context: ModelContext

        init(_ context: ModelContext) { self.context = context }

        func read(_ file: URL) throws {
            var waiting: [(object: any PersistentModel, values: [String: Any])] = []
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\\n") {
                guard let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                    let name = entry["object"] as? String, let key = entry["key"],
                    let values = entry["values"] as? [String: Any],
                    let object = try make(name, values)
                else { continue }
                objects["\\(name) \\(key)"] = object
                context.insert(object)
                waiting.append((object, values))
            }
            for (object, values) in waiting { try connect(object, values) }
            try context.save()
        }

        private func make(_ name: String, _ values: [String: Any]) throws -> (any PersistentModel)? {
            switch name {
    """)

  private static let readerEnd = lines(
    """

        /// The object that a link leads to, or that is embedded.
        private func link<Model: PersistentModel>(_ value: Any?, owned name: String = "") throws -> Model? {
            guard let value = value as? [String: Any] else { return nil }
            if let values = value["$embedded"] as? [String: Any] {
                guard let object = try make(name, values) as? Model else { return nil }
                context.insert(object)
                try connect(object, values)
                return object
            }
            guard let link = value["$link"] as? [String: Any], let name = link["class"] as? String, let key = link["key"]
            else { return nil }
            return objects["\\(name) \\(key)"] as? Model
        }

        private static func tagged(_ value: Any?, _ tag: String) -> Any? {
            guard let value, !(value is NSNull) else { return nil }
            return (value as? [String: Any])?[tag] ?? value
        }

        static func required<Value>(_ value: Value?, _ name: String) throws -> Value {
            guard let value else { throw Fault(message: "\\(name) is missing") }
            return value
        }
        static func list(_ value: Any?) throws -> [Any] { tagged(value, "$set") as? [Any] ?? [] }
        static func dictionary(_ value: Any?) throws -> [String: Any] { tagged(value, "$dict") as? [String: Any] ?? [:] }
        static func int(_ value: Any?) -> Int? { (value as? NSNumber)?.intValue }
        static func bool(_ value: Any?) -> Bool? { (value as? NSNumber)?.boolValue }
        static func double(_ value: Any?) -> Double? {
            let number = tagged(value, "$double")
            return (number as? NSNumber)?.doubleValue ?? (number as? String).flatMap(Double.init)
        }
        static func float(_ value: Any?) -> Float? {
            let number = tagged(value, "$float")
            return (number as? NSNumber)?.floatValue ?? (number as? String).flatMap(Float.init)
        }
        static func decimal(_ value: Any?) -> Decimal? { (tagged(value, "$decimal") as? String).map { Decimal(string: $0) ?? .nan } }
        static func text(_ value: Any?) -> String? { (tagged(value, "$oid") ?? nil) as? String }
        static func uuid(_ value: Any?) -> UUID? { (tagged(value, "$uuid") as? String).flatMap(UUID.init(uuidString:)) }
        static func data(_ value: Any?) -> Data? { (tagged(value, "$binary") as? String).flatMap { Data(base64Encoded: $0) } }
        static func date(_ value: Any?) -> Date? {
            let date = tagged(value, "$date")
            // Beyond the years 1 to 9999: seconds and nanoseconds since 1970.
            if let pair = date as? [NSNumber], pair.count == 2 {
                return Date(timeIntervalSince1970: pair[0].doubleValue + pair[1].doubleValue / 1_000_000_000)
            }
            guard let text = date as? String else { return nil }
            let parts = text.dropLast().split(separator: ".")
            guard let day = ISO8601DateFormatter().date(from: "\\(parts[0])Z") else { return nil }
            return day + (parts.count > 1 ? Double("0.\\(parts[1])") ?? 0 : 0)
        }
        static func json(_ value: Any?) -> String? {
            guard let value, !(value is NSNull) else { return nil }
            let data = try? JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
            return data.map { String(decoding: $0, as: UTF8.self) }
        }
    }
    """)

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
