// A strict subset of YAML as a document tree: mappings, sequences and scalars.
// Layer: TextFormats, YAML. Anchors, aliases, tags, merge keys, directives, several documents, keys that are not
// scalars and keys that stand twice are refused with their place. Nothing is typed: scalars are text, and a
// flag says whether they stood in quotes (or as a block of lines).

import ByteText

extension DocumentNode {
  /// The deepest nesting that a document may have.
  package static let depthMax = 256

  /// Reads the one document of a YAML text.
  package static func yaml(_ bytes: Span<UInt8>) throws(TextFormatError) -> DocumentNode {
    do throws(TextFormatError) {
      return try read(yaml: bytes)
    } catch {
      guard error.hint == nil, let line = emptyListLine(of: bytes) else { throw error }
      throw TextFormatError(
        error.message, at: error.location, hint: "delete line \(line): its [] is an empty list of its own")
    }
  }

  /// The number of the first line that is nothing but `[]`, as a new file has it where elements are to go.
  private static func emptyListLine(of bytes: Span<UInt8>) -> Int? {
    var number = 1
    var line: [UInt8] = []
    for index in bytes.indices {
      guard bytes[index] == UInt8(ascii: "\n") else {
        if bytes[index] > UInt8(ascii: " "), line.count < 3 { line.append(bytes[index]) }
        continue
      }
      if line == Array("[]".utf8) { return number }
      line = []
      number += 1
    }
    return nil
  }

  private static func read(yaml bytes: Span<UInt8>) throws(TextFormatError) -> DocumentNode {
    let source = try YAMLEventSource(bytes)
    var builder = DocumentBuilder(depthMax: depthMax)
    var document: DocumentNode?
    while true {
      let event = try source.next()
      try refuseExtras(of: event)
      switch event.kind {
      case .streamStart, .documentEnd:
        break
      case .streamEnd:
        guard let document else { throw TextFormatError("the document is empty", at: event.location) }
        return document
      case .documentStart(let hasDirectives):
        if hasDirectives { throw TextFormatError("directives (%) are not accepted", at: event.location) }
        if document != nil { throw TextFormatError("a second document is not accepted", at: event.location) }
      case .alias:
        throw TextFormatError("aliases (*) are not accepted; write the value out", at: event.location)
      case .scalar(let text, let isPlain):
        if builder.expectsKey {
          if isPlain && text == "<<" {
            throw TextFormatError(
              "merge keys (<<) are not accepted; write the entries out", at: event.location)
          }
          try builder.key(text, at: event.location)
        } else {
          document = builder.scalar(text, isQuoted: !isPlain, at: event.location)
        }
      case .sequenceStart:
        try builder.begin(isMapping: false, at: event.location)
      case .mappingStart:
        try builder.begin(isMapping: true, at: event.location)
      case .sequenceEnd, .mappingEnd:
        document = builder.end()
      }
    }
  }

  /// Reads a document in whichever of the two formats it is: JSON when it begins with a brace or bracket.
  package static func yamlOrJSON(_ bytes: Span<UInt8>) throws(TextFormatError) -> DocumentNode {
    var index = byteOrderMarkSize(of: bytes)
    while index < bytes.count, bytes[index].isASCIIBlank { index += 1 }
    let isJSON =
      index < bytes.count && (bytes[index] == UInt8(ascii: "{") || bytes[index] == UInt8(ascii: "["))
    return isJSON ? try json(bytes) : try yaml(bytes)
  }

  private static func refuseExtras(of event: YAMLEvent) throws(TextFormatError) {
    if event.hasAnchor {
      throw TextFormatError("anchors (&) are not accepted; write the value out", at: event.location)
    }
    if event.hasTag { throw TextFormatError("tags (!) are not accepted", at: event.location) }
  }
}
