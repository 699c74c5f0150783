// The bridge to libyaml: its events as Swift values, with places. Layer: TextFormats, YAML; the only file here
// that touches C memory. The parser and its copy of the text live and end with the object.

import ByteText
import CLibYAML

/// One event of a YAML text.
struct YAMLEvent {
  enum Kind {
    case streamStart, streamEnd, documentEnd, alias, sequenceEnd, mappingEnd
    case documentStart(hasDirectives: Bool)
    /// `isPlain` means without quotes and not as a block of lines.
    case scalar(text: String, isPlain: Bool)
    case sequenceStart(isFlow: Bool)
    case mappingStart(isFlow: Bool)
  }

  let kind: Kind
  let location: TextLocation
  var hasAnchor = false
  var hasTag = false
}

/// Produces the events of one text.
@safe final class YAMLEventSource {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  /// A copy of the text, which the parser reads while it goes; room for one byte where there is none.
  private let text: UnsafeMutableBufferPointer<UInt8>
  private let byteCount: Int
  private var places: PlaceFinder

  init(_ bytes: Span<UInt8>) throws(TextFormatError) {
    byteCount = bytes.count
    unsafe parser = .allocate(capacity: 1)
    unsafe parser.initialize(to: yaml_parser_t())
    unsafe text = .allocate(capacity: max(1, bytes.count))
    for index in bytes.indices { unsafe text[index] = bytes[index] }
    let markSize = byteOrderMarkSize(of: bytes)
    places = PlaceFinder(firstOffset: markSize)
    guard unsafe yaml_parser_initialize(parser) == 1 else {
      throw TextFormatError("no memory for reading YAML", at: .start)
    }
    // With the encoding set, the parser takes a byte order mark for text.
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    unsafe yaml_parser_set_input_string(
      parser, text.baseAddress.map { unsafe $0 + markSize }, byteCount - markSize)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe text.deallocate()
  }

  /// The next event. Throws when the text is not YAML.
  func next() throws(TextFormatError) -> YAMLEvent {
    var event = unsafe yaml_event_t()
    guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw failure() }
    defer { unsafe yaml_event_delete(&event) }
    return unsafe converted(event)
  }

  private func converted(_ event: yaml_event_t) -> YAMLEvent {
    let location = unsafe place(event.start_mark)
    switch unsafe event.type {
    case YAML_DOCUMENT_START_EVENT:
      let start = unsafe event.data.document_start
      let hasDirectives =
        unsafe start.version_directive != nil || start.tag_directives.start != start.tag_directives.end
      return YAMLEvent(kind: .documentStart(hasDirectives: hasDirectives), location: location)
    case YAML_DOCUMENT_END_EVENT: return YAMLEvent(kind: .documentEnd, location: location)
    case YAML_STREAM_END_EVENT: return YAMLEvent(kind: .streamEnd, location: location)
    case YAML_ALIAS_EVENT: return YAMLEvent(kind: .alias, location: location)
    case YAML_SEQUENCE_END_EVENT: return YAMLEvent(kind: .sequenceEnd, location: location)
    case YAML_MAPPING_END_EVENT: return YAMLEvent(kind: .mappingEnd, location: location)
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      let kind = unsafe YAMLEvent.Kind.scalar(
        text: String(decoding: bytes, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
      return unsafe YAMLEvent(
        kind: kind, location: location, hasAnchor: scalar.anchor != nil, hasTag: scalar.tag != nil)
    case YAML_SEQUENCE_START_EVENT:
      let start = unsafe event.data.sequence_start
      return unsafe YAMLEvent(
        kind: .sequenceStart(isFlow: start.style == YAML_FLOW_SEQUENCE_STYLE), location: location,
        hasAnchor: start.anchor != nil, hasTag: start.tag != nil)
    case YAML_MAPPING_START_EVENT:
      let start = unsafe event.data.mapping_start
      return unsafe YAMLEvent(
        kind: .mappingStart(isFlow: start.style == YAML_FLOW_MAPPING_STYLE), location: location,
        hasAnchor: start.anchor != nil, hasTag: start.tag != nil)
    default: return YAMLEvent(kind: .streamStart, location: location)
    }
  }

  private func failure() -> TextFormatError {
    let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "it cannot be read"
    guard unsafe parser.pointee.error != YAML_READER_ERROR else {
      let offset = unsafe Int(clamping: parser.pointee.problem_offset) + places.firstOffset
      return TextFormatError("not valid YAML: \(problem)", at: place { $0.passBytes(to: offset, in: $1) })
    }
    let context = unsafe parser.pointee.context.map { unsafe " \(String(cString: $0))" } ?? ""
    let location = unsafe place(parser.pointee.problem_mark)
    return TextFormatError("not valid YAML:\(context) \(problem)", at: location)
  }

  private func place(_ mark: yaml_mark_t) -> TextLocation {
    let character = Int(clamping: mark.index)
    return place { $0.passCharacters(to: character, in: $1) }
  }

  private func place(_ pass: (inout PlaceFinder, Span<UInt8>) -> Void) -> TextLocation {
    let bytes = unsafe UnsafeBufferPointer(rebasing: text[..<byteCount])
    unsafe pass(&places, Span(_unsafeElements: bytes))
    return places.location
  }
}

/// Finds the byte, line and column of the characters that the parser counts.
///
/// Its own lines and columns are not taken: at the end of a text it adds a line that is not there.
private struct PlaceFinder {
  /// Where the first character stands: behind the byte order mark, if there is one.
  let firstOffset: Int
  private var character = 0
  private(set) var location: TextLocation

  init(firstOffset: Int) {
    self.firstOffset = firstOffset
    location = TextLocation(line: 1, column: 1, offset: firstOffset)
  }

  mutating func passCharacters(to wanted: Int, in bytes: Span<UInt8>) {
    if wanted < character { self = PlaceFinder(firstOffset: firstOffset) }
    while character < wanted, location.offset < bytes.count { passOne(in: bytes) }
  }

  mutating func passBytes(to wanted: Int, in bytes: Span<UInt8>) {
    if wanted < location.offset { self = PlaceFinder(firstOffset: firstOffset) }
    while location.offset < min(wanted, bytes.count) { passOne(in: bytes) }
  }

  private mutating func passOne(in bytes: Span<UInt8>) {
    let isLineEnd = bytes[location.offset] == UInt8(ascii: "\n")
    character += 1
    location = TextLocation(
      line: location.line + (isLineEnd ? 1 : 0), column: isLineEnd ? 1 : location.column + 1,
      offset: location.offset + utf8Sequence(in: bytes, at: location.offset).length)
  }
}
