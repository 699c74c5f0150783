// Values as the page is given them, written back: made into the documents that commands take. Layer: RealmServer, Values.
// Invariant: what was cut on the way out is refused, so that nothing is lost by writing back what was read.

import ByteText
import TextFormats

extension DocumentNode {
  /// The same value without the forms that only `CellWriter` has.
  func writtenBack() throws(TextFormatError) -> DocumentNode {
    if let items { return DocumentNode(.sequence(try Self.writtenBack(items)), at: location) }
    guard let entries else { return self }
    if entries.count == 1, let form = try form(entries[0].key, entries[0].value) { return form }
    var restored: [DocumentEntry] = []
    for entry in entries {
      restored.append(
        DocumentEntry(entry.key, try entry.value.writtenBack(), keyLocation: entry.keyLocation))
    }
    return DocumentNode(.mapping(restored), at: location)
  }

  private static func writtenBack(_ items: [DocumentNode]) throws(TextFormatError) -> [DocumentNode] {
    var restored: [DocumentNode] = []
    for item in items { restored.append(try item.writtenBack()) }
    return restored
  }

  /// Nil where the tag is none of these forms, or means the same here.
  private func form(_ tag: String, _ content: DocumentNode) throws(TextFormatError) -> DocumentNode? {
    switch tag {
    case "$int":
      guard let text = content.text else { return nil }
      guard let number = Int64(decimalText: text.utf8.span) else {
        throw TextFormatError("'\(text)' is no 64-bit integer", at: location)
      }
      return .integer(number)
    case "$list", "$set":
      return try content.wholeItems(of: self).map { items throws(TextFormatError) in
        DocumentNode(.sequence(try Self.writtenBack(items)), at: location)
      }
    case "$dict":
      guard let items = try content.wholeItems(of: self) else { return nil }
      var entries: [DocumentEntry] = []
      for item in items {
        guard let pair = item.items, pair.count == 2, let key = pair[0].text else {
          throw TextFormatError("an entry is [key, value] with a text as its key", at: item.location)
        }
        entries.append(DocumentEntry(key, try pair[1].writtenBack()))
      }
      return .mapping([.object("$dict", entries)])
    case "$link":
      guard let name = content["class"], let key = content["key"]?.text else { return nil }
      guard let number = Int64(decimalText: key.utf8.span).map(DocumentNode.integer) else { return nil }
      return .mapping([.object("$link", [DocumentEntry("class", name), DocumentEntry("key", number)])])
    case "$embedded": return try content["values"]?.writtenBack()
    case "$binary":
      guard let start = content["start"], let size = content["bytes"]?.integer else { return nil }
      // Four characters for three bytes, without those that fill the last four.
      let length = start.text?.utf8.count { $0 != UInt8(ascii: "=") } ?? 0
      guard size == length / 4 * 3 + length % 4 * 3 / 4 else { throw cut }
      return .mapping([DocumentEntry("$binary", start)])
    case "$text": throw cut
    default: return nil
    }
  }

  /// The elements of a collection as it was read; nil where this is none.
  private func wholeItems(of value: DocumentNode) throws(TextFormatError) -> [DocumentNode]? {
    guard let items = self["items"]?.items, let count = self["count"]?.integer, self["from"] != nil,
      entries?.count == 3
    else { return nil }
    guard count == items.count else { throw value.cut }
    return items
  }

  private var cut: TextFormatError {
    TextFormatError("this value was cut when it was read; ask for all of it first", at: location)
  }
}
