// Whole values as trees, for documents small enough to hold. Layer: TextFormats, JSON.

extension JSONReader {
  /// Reads the rest of the value whose first token is `first`, as a tree. Refuses a key that stands twice in one object.
  package mutating func readDocument(from first: JSONToken) throws(TextFormatError) -> DocumentNode {
    var builder = DocumentBuilder(depthMax: .max)
    var token = first
    while true {
      let place = location()
      var document: DocumentNode?
      switch token {
      case .beginObject: try builder.begin(isMapping: true, at: place)
      case .beginArray: try builder.begin(isMapping: false, at: place)
      case .endObject, .endArray: document = builder.end()
      case .key: try builder.key(text.string, at: place)
      case .string: document = builder.scalar(text.string, isQuoted: true, at: place)
      case .integer, .number: document = builder.scalar(text.string, isQuoted: false, at: place)
      case .true: document = builder.scalar("true", isQuoted: false, at: place)
      case .false: document = builder.scalar("false", isQuoted: false, at: place)
      case .null: document = builder.scalar("null", isQuoted: false, at: place)
      case .end: throw TextFormatError("expected a value, but the text ends", at: place)
      }
      if let document { return document }
      token = try next()
    }
  }
}

extension DocumentNode {
  /// Reads the one value of a JSON text.
  package static func json(_ bytes: Span<UInt8>) throws(TextFormatError) -> DocumentNode {
    var reader = JSONReader(bytes)
    let document = try reader.readDocument(from: try reader.next())
    _ = try reader.next()
    return document
  }
}
