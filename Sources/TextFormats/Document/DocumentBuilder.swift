// Builds a document tree from the events of a reader, without recursion.
// Layer: TextFormats, Document. Refuses a key that its mapping already has, and nesting beyond the limit.

/// Collects events into one `DocumentNode`.
struct DocumentBuilder {
  private struct Level {
    let location: TextLocation
    let isMapping: Bool
    var items: [DocumentNode] = []
    var entries: [DocumentEntry] = []
    /// Filled only when there are too many entries to look through.
    var keys: Set<[UInt8]> = []
    var pendingKey: (text: String, location: TextLocation)?

    /// Whether the mapping does not have this key yet; keys are compared byte by byte.
    mutating func claimKey(_ text: String) -> Bool {
      if entries.count < 16 { return !entries.contains { $0.key.utf8.elementsEqual(text.utf8) } }
      if keys.isEmpty { for entry in entries { keys.insert(Array(entry.key.utf8)) } }
      return keys.insert(Array(text.utf8)).inserted
    }
  }

  private var levels: [Level] = []
  private let depthMax: Int

  init(depthMax: Int) {
    self.depthMax = depthMax
  }

  /// Whether the next scalar is a key.
  var expectsKey: Bool {
    levels.last.map { $0.isMapping && $0.pendingKey == nil } ?? false
  }

  mutating func begin(isMapping: Bool, at location: TextLocation) throws(TextFormatError) {
    if expectsKey { throw TextFormatError("a key must be a single word or text", at: location) }
    if levels.count == depthMax {
      throw TextFormatError("nested more than \(depthMax) deep", at: location)
    }
    levels.append(Level(location: location, isMapping: isMapping))
  }

  mutating func key(_ text: String, at location: TextLocation) throws(TextFormatError) {
    let top = levels.count - 1
    if !levels[top].claimKey(text) {
      let first = levels[top].entries.first { $0.key.utf8.elementsEqual(text.utf8) }
      let place = first.map { ", first in line \($0.keyLocation.line)" } ?? ""
      throw TextFormatError("the key '\(text)' appears twice\(place)", at: location)
    }
    levels[top].pendingKey = (text, location)
  }

  /// Returns the document when this was its only value, else nil.
  mutating func scalar(_ text: String, isQuoted: Bool, at location: TextLocation) -> DocumentNode? {
    finish(DocumentNode(.scalar(text: text, isQuoted: isQuoted), at: location))
  }

  /// Ends the innermost sequence or mapping; returns the document when that was its outermost.
  mutating func end() -> DocumentNode? {
    let level = levels.removeLast()
    let content: DocumentNode.Content = level.isMapping ? .mapping(level.entries) : .sequence(level.items)
    return finish(DocumentNode(content, at: level.location))
  }

  private mutating func finish(_ node: DocumentNode) -> DocumentNode? {
    let top = levels.count - 1
    guard top >= 0 else { return node }
    if let key = levels[top].pendingKey {
      levels[top].entries.append(DocumentEntry(key.text, node, keyLocation: key.location))
      levels[top].pendingKey = nil
    } else {
      levels[top].items.append(node)
    }
    return nil
  }
}
