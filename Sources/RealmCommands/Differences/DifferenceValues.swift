// Values as differences show them to people, from the JSON of dumps. Layer: RealmCommands, Differences.

import ByteText
import TextFormats

extension ByteBuffer {
  /// Appends a value of a dump: text in single quotes, dates and identifiers as they are, links as `Person 7`.
  mutating func append(shown node: DocumentNode) {
    switch node.content {
    case .scalar(let text, isQuoted: true): append(quoted: text)
    case .scalar(let text, isQuoted: false): append(text: text)
    case .sequence(let items):
      append(UInt8(ascii: "["))
      for (index, item) in items.enumerated() {
        if index > 0 { append(literal: ", ") }
        append(shown: item)
      }
      append(UInt8(ascii: "]"))
    case .mapping(let entries):
      if let tagged = node.tag { return append(tag: tagged.tag, tagged.content) }
      append(entries: entries) { buffer, key in buffer.append(text: key.visible) }
    }
  }

  private mutating func append(
    entries: [DocumentEntry], _ name: (inout ByteBuffer, String) -> Void
  ) {
    append(UInt8(ascii: "{"))
    for (index, entry) in entries.enumerated() {
      if index > 0 { append(literal: ", ") }
      name(&self, entry.key)
      append(literal: ": ")
      append(shown: entry.value)
    }
    append(UInt8(ascii: "}"))
  }

  private mutating func append(tag: String, _ content: DocumentNode) {
    switch (tag, content.content) {
    case ("$dict", .mapping(let entries)):
      append(entries: entries) { buffer, key in buffer.append(quoted: key) }
    case ("$link", .mapping):
      append(text: (content["class"]?.text ?? "?").visible)
      if let key = content["primary_key"] {
        append(UInt8(ascii: " "))
        append(shown: key)
      } else if let key = content["key"]?.text {
        append(text: " @\(key)")
      }
    case ("$binary", .scalar(let text, _)): append(text: "base64 '\(text)'")
    case ("$string", .scalar(let text, _)): append(text: "B64\"\(text)\"")
    case ("$date", .sequence(let parts)):
      append(text: "T" + parts.compactMap(\.text).joined(separator: ":"))
    case (_, .scalar(let text, _)): append(text: text)
    default: append(shown: content)
    }
  }

  /// Appends text in single quotes, on one line.
  mutating func append(quoted text: String) {
    append(UInt8(ascii: "'"))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'": append(literal: "\\'")
      case "\\": append(literal: "\\\\")
      case _ where scalar.isUnseen: append(escapeOf: scalar)
      default: append(text: String(scalar))
      }
    }
    append(UInt8(ascii: "'"))
  }
}

extension DocumentNode {
  /// The tag and the content of `{"$date":…}`; nil for anything else.
  var tag: (tag: String, content: DocumentNode)? {
    guard let entries, entries.count == 1, let entry = entries.first, entry.key.hasPrefix("$") else {
      return nil
    }
    return (entry.key, entry.value)
  }

  /// Of a mixed value in a dump.
  fileprivate var typeName: String {
    switch (tag?.tag, content) {
    case ("$decimal"?, _): "decimal128"
    case (let tag?, _): String(tag.dropFirst())
    case (nil, .scalar(_, isQuoted: true)): "string"
    case (nil, .scalar(let text, isQuoted: false)): Int64(text) == nil ? "double" : "int"
    case (nil, _): "list"
    }
  }

  /// The content behind a tag; nil where there is another one or none.
  func content(of tag: String) -> DocumentNode? { self.tag.flatMap { $0.tag == tag ? $0.content : nil } }
}

/// How a value became another one, for people: `name: 'Ada' → 'Bea'`, `tags: +'x' -'y'`.
struct ValueChange {
  private(set) var texts: [String] = []

  /// `name`: how the property is called, embedded objects before it.
  init(_ name: String, _ before: DocumentNode, _ after: DocumentNode) { add(name, before, after) }

  private mutating func add(_ name: String, _ before: DocumentNode, _ after: DocumentNode) {
    if let old = before.content(of: "$embedded")?.entries, let new = after.content(of: "$embedded")?.entries {
      return addEntries(name, old, new)
    }
    if let old = before.content(of: "$dict")?.entries, let new = after.content(of: "$dict")?.entries {
      return addKeys(name, old, new)
    }
    let (oldItems, newItems) = (before.elements, after.elements)
    if let oldItems, let newItems, let change = Self.elements(oldItems, newItems) {
      return texts.append("\(name): \(change)")
    }
    texts.append("\(name): \(Self.change(before, after))")
  }

  /// Of an embedded object; a property that is not written has nothing to tell.
  private mutating func addEntries(_ name: String, _ old: [DocumentEntry], _ new: [DocumentEntry]) {
    var before: [String: DocumentNode] = [:]
    for entry in old { before[entry.key] = entry.value }
    for entry in new {
      let value = before.removeValue(forKey: entry.key) ?? .null
      if value != entry.value { add("\(name).\(entry.key.visible)", value, entry.value) }
    }
    for entry in old where before[entry.key] != nil {
      add("\(name).\(entry.key.visible)", entry.value, .null)
    }
  }

  private mutating func addKeys(_ name: String, _ old: [DocumentEntry], _ new: [DocumentEntry]) {
    var before: [String: DocumentNode] = [:]
    for entry in old { before[entry.key] = entry.value }
    var changes: [String] = []
    for entry in new {
      let key = Self.quoted(entry.key)
      guard let value = before.removeValue(forKey: entry.key) else {
        changes.append("+\(key): \(Self.shown(entry.value))")
        continue
      }
      if value != entry.value { changes.append("\(key): \(Self.change(value, entry.value))") }
    }
    for entry in old where before[entry.key] != nil { changes.append("-\(Self.quoted(entry.key))") }
    texts.append("\(name): \(changes.joined(separator: " "))")
  }

  /// Values that look alike differ in their types.
  private static func change(_ before: DocumentNode, _ after: DocumentNode) -> String {
    let (old, new) = (shown(before), shown(after))
    if old != new { return "\(old) → \(new)" }
    return "\(old) (\(before.typeName)) → \(new) (\(after.typeName))"
  }

  /// What came and what went; nil where only the order is another one.
  private static func elements(_ old: [DocumentNode], _ new: [DocumentNode]) -> String? {
    var counts: [String: Int] = [:]
    for item in old { counts[shown(item), default: 0] += 1 }
    var changes: [String] = []
    for item in new {
      let text = shown(item)
      if let count = counts[text], count > 0 { counts[text] = count - 1 } else { changes.append("+\(text)") }
    }
    for item in old {
      let text = shown(item)
      if let count = counts[text], count > 0 {
        counts[text] = count - 1
        changes.append("-\(text)")
      }
    }
    return changes.isEmpty ? nil : changes.joined(separator: " ")
  }

  private static func shown(_ node: DocumentNode) -> String {
    var text = ByteBuffer()
    text.append(shown: node)
    return text.text
  }

  private static func quoted(_ text: String) -> String {
    var buffer = ByteBuffer()
    buffer.append(quoted: text)
    return buffer.text
  }
}

extension DocumentNode {
  /// The elements of a list or a set.
  fileprivate var elements: [DocumentNode]? { items ?? content(of: "$set")?.items }
}
