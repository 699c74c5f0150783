// Taking a mapping of a document apart by the names that it may have. Layer: TextFormats, Document.
// Invariant: whatever is not known is refused with its place and the nearest word that is.

import ByteText

extension DocumentNode {
  /// What it is, for messages.
  private var kindName: String {
    switch content {
    case .scalar: isNull ? "nothing" : "a single value"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }

  /// The entries of a mapping, all of which must be among `known`. `what` names the mapping in messages.
  package func fields(
    of what: String, _ known: [String]
  ) throws(TextFormatError) -> [DocumentEntry] {
    let entries = try mapping(what)
    for entry in entries where !known.contains(entry.key) {
      let nearest = EditDistance.nearest(to: entry.key, among: known)
      throw TextFormatError(
        "\(what) has no field '\(entry.key)'", at: entry.keyLocation,
        hint: nearest.map { "did you mean '\($0)'?" } ?? "fields are \(known.joined(separator: ", "))")
    }
    return entries
  }

  /// The entries of a mapping, whatever their names.
  package func mapping(_ what: String) throws(TextFormatError) -> [DocumentEntry] {
    if let entries { return entries }
    throw TextFormatError("\(what) must be a mapping, not \(kindName)", at: location)
  }

  /// The value of a field that must be there.
  package func required(_ key: String, of what: String) throws(TextFormatError) -> DocumentNode {
    if let value = self[key] { return value }
    throw TextFormatError("\(what) must have the field '\(key)'", at: location)
  }

  /// The text of a scalar that is not empty.
  package func requiredText(_ what: String) throws(TextFormatError) -> String {
    if let text, !text.isEmpty { return text }
    throw TextFormatError("\(what) must be a text, not \(kindName)", at: location)
  }

  package func requiredInteger(_ what: String) throws(TextFormatError) -> Int64 {
    if let integer { return integer }
    throw TextFormatError("\(what) must be an integer, not \(text ?? kindName)", at: location)
  }

  package func requiredBool(_ what: String) throws(TextFormatError) -> Bool {
    if let bool { return bool }
    throw TextFormatError("\(what) must be true or false, not \(text ?? kindName)", at: location)
  }

  /// One of some words.
  package func requiredWord(
    _ what: String, among words: [String]
  ) throws(TextFormatError) -> String {
    let word = try requiredText(what)
    if words.contains(word) { return word }
    let nearest = EditDistance.nearest(to: word, among: words)
    throw TextFormatError(
      "\(what) cannot be '\(word)'", at: location,
      hint: nearest.map { "did you mean '\($0)'?" } ?? "expected one of \(words.joined(separator: ", "))")
  }
}
