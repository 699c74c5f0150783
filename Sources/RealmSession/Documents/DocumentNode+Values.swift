// Values of a realm in JSON: as dumps write them, `{"$date":"…"}`, or plainly where the type is known.
// Layer: RealmSession, Documents.

import RealmEngine
import TextFormats

extension DocumentNode {
  /// The tag and the content of `{"$date":…}`; nil for anything else.
  var tagged: (tag: String, content: DocumentNode)? {
    guard let entries, entries.count == 1, let entry = entries.first, entry.key.hasPrefix("$") else {
      return nil
    }
    return (entry.key, entry.value)
  }

  /// The value of a type that has single values, except links and mixed ones; nil where the node spells none.
  func value(of type: ValueType) -> Value? {
    guard let tagged else { return untaggedValue(of: type) }
    guard let word = TypedWord(tagged.tag.utf8.span), word.types.contains(type) else { return nil }
    guard word == .string else { return tagged.content.untaggedValue(of: type) }
    guard case .scalar(let text, isQuoted: true) = tagged.content.content else { return nil }
    return Value.bytes(base64: text.utf8.span).map(Value.string)
  }

  private func untaggedValue(of type: ValueType) -> Value? {
    switch content {
    case .scalar(let text, let isQuoted): Value.spelled(text.utf8.span, isQuoted: isQuoted, as: type)
    case .sequence(let items) where type == .date:
      items.allSatisfy { $0.integer != nil } ? Value.date(parts: items.compactMap(\.integer)) : nil
    case .sequence, .mapping: nil
    }
  }

  /// The single value whose type shows in the node itself; nil for links, collections and unknown tags.
  var selfDescribingValue: Value? {
    if isNull { return .null }
    if let tagged {
      guard let word = TypedWord(tagged.tag.utf8.span), word != .link else { return nil }
      return value(of: word.types[0])
    }
    return value(of: .bool) ?? value(of: .int) ?? value(of: .string) ?? value(of: .double)
  }
}
