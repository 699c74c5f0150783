// Values of a realm in JSON: as dumps write them, `{"$date":"…"}`, or plainly where the type is known.
// Layer: RealmCommands, Documents.

import ByteText
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

  /// The content behind one of the tags, or the node itself where it has none; nil behind another tag.
  private func content(taggedWith tags: String...) -> DocumentNode? {
    guard let tagged else { return self }
    return tags.contains(tagged.tag) ? tagged.content : nil
  }

  private var quotedText: String? {
    guard case .scalar(let text, isQuoted: true) = content else { return nil }
    return text
  }

  /// The value of a type that has single values, except links and mixed ones; nil where the node spells none.
  func value(of type: ValueType) -> Value? {
    switch type {
    case .int: return integer.map(Value.int)
    case .bool: return bool.map(Value.bool)
    case .float: return content(taggedWith: "$float", "$double")?.double.map { .float(Float($0)) }
    case .double: return content(taggedWith: "$double", "$float")?.double.map(Value.double)
    case .string: return string
    case .data: return content(taggedWith: "$binary")?.quotedText.flatMap(Self.decoded).map(Value.data)
    case .date: return content(taggedWith: "$date")?.date.map(Value.date)
    case .decimal128:
      return content(taggedWith: "$decimal")?.text.flatMap { Decimal128(text: $0.utf8.span) }.map(
        Value.decimal)
    case .objectID:
      return content(taggedWith: "$oid")?.quotedText.flatMap { ObjectID(text: $0.utf8.span) }.map(
        Value.objectID)
    case .uuid:
      return content(taggedWith: "$uuid")?.quotedText.flatMap { UUIDValue(text: $0.utf8.span) }.map(
        Value.uuid)
    case .mixed, .object, .backlink, .typedLink: return nil
    }
  }

  /// The single value whose type shows in the node itself; nil for links, collections and unknown tags.
  var selfDescribingValue: Value? {
    if isNull { return .null }
    switch tagged?.tag {
    case "$float": return value(of: .float)
    case "$double": return value(of: .double)
    case "$string": return string
    case "$binary": return value(of: .data)
    case "$date": return value(of: .date)
    case "$decimal": return value(of: .decimal128)
    case "$oid": return value(of: .objectID)
    case "$uuid": return value(of: .uuid)
    case .some: return nil
    case nil:
      return value(of: .bool) ?? value(of: .int) ?? string ?? plainText.flatMap { _ in value(of: .double) }
    }
  }

  private var string: Value? {
    if let tagged {
      guard tagged.tag == "$string" else { return nil }
      return tagged.content.quotedText.flatMap(Self.decoded).map(Value.string)
    }
    return quotedText.map { .string(ByteString($0)) }
  }

  /// A number, or in quotes a word for what is no finite one.
  private var double: Double? {
    switch quotedText {
    case "NaN": .nan
    case "Infinity": .infinity
    case "-Infinity": -.infinity
    case .some: nil
    case nil: plainText.flatMap { Double(decimalText: $0.utf8.span) }
    }
  }

  /// `"2020-01-01T00:00:00Z"`, `"2020-01-01"`, or seconds and nanoseconds since 1970 in a list.
  private var date: Timestamp? {
    if let text = quotedText {
      return Timestamp(text: text.utf8.span) ?? Timestamp(text: (text + "T00:00:00Z").utf8.span)
    }
    guard let items, items.count == 2, let seconds = items[0].integer,
      let nanoseconds = items[1].integer.flatMap({ Int32(exactly: $0) })
    else { return nil }
    return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
  }

  private static func decoded(_ base64: String) -> ByteString? {
    var bytes = ByteBuffer(capacity: base64.utf8.count)
    return bytes.append(decodingBase64: base64.utf8.span) ? ByteString(copying: bytes.bytes) : nil
  }
}
