// Which format a source has: by what its user says, by its name, by its first bytes. Layer: RealmSession, Importing.

import ByteText
import RealmEngine
package import TextFormats

/// How a source is read.
package enum SourceFormat: Sendable, Equatable {
  case records(DelimitedFormat)
  /// Objects one after the other, an array, or an object of arrays.
  case objects
  /// An object a line.
  case lines

  var isTable: Bool { if case .records = self { true } else { false } }

  package enum Name: String, CaseIterable, Sendable { case csv, tsv, json, jsonl }

  /// The endings of names that say how a source is read.
  package static let endings = Name.allCases.map(\.rawValue) + [otherLinesEnding]
  private static let otherLinesEnding = "ndjson"

  /// What a user says of a source.
  package struct Wish: Sendable {
    package var name: Name?
    package var separator: UInt8?
    /// Nil inside: no field is quoted.
    package var quote: UInt8??
    package var comment: UInt8?
    package var skippedLines = 0

    package init() {}
  }

  /// The format of the source called `fileName`, of which nothing was read.
  package init(
    _ wish: Wish, fileName: String, _ input: inout TextInput
  ) throws(TextFormatError) {
    let head = try input.head(DelimitedFormat.headSize)
    if head.count >= FileHeader.size, head[FileHeader.magicRange].elementsEqual(FileHeader.magicBytes) {
      throw TextFormatError(
        "the source is a realm file", at: .start,
        hint: "export its objects first: realm-cli export \(shellWord(fileName)) --json -o objects.json")
    }
    if let kind = FileSignature(head: head).kind, !kind.isText {
      let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
      throw TextFormatError(
        "the source is \(kind.name); import reads \(names)", at: .start, hint: kind.remedy)
    }
    let suffix = fileName.split(separator: ".").last?.lowercased()
    let named = wish.name ?? (suffix == Self.otherLinesEnding ? .jsonl : suffix.flatMap(Name.init))
    switch named {
    case .json?: self = .objects
    case .jsonl?: self = .lines
    case .tsv?: self = .records(Self.adjusted(.tsv, wish))
    case .csv?, nil:
      if named == nil, wish.separator == nil, let found = Self.json(head) {
        self = found
        return
      }
      try Self.refuseUnmarkedUTF16(head)
      if wish.name == nil { try Self.refuseOtherFormats(head) }
      var format = Self.adjusted(.csv, wish)
      if let separator = DelimitedFormat.separatorLine(in: head) {
        format.hasSeparatorLine = true
        format.separator = wish.separator ?? separator
      } else if wish.separator == nil {
        format.separator = format.foundSeparator(
          in: head, isWhole: head.count < DelimitedFormat.headSize, skipping: wish.skippedLines)
        // What this program writes for pipes has escapes; a text with quotes is what spreadsheets write.
        if named == nil, format.separator == UInt8(ascii: "\t"), !head.contains(UInt8(ascii: "\"")) {
          format = Self.adjusted(.tsv, wish)
        }
      }
      self = .records(format)
    }
  }

  private static func adjusted(_ format: DelimitedFormat, _ wish: Wish) -> DelimitedFormat {
    var format = format
    if let separator = wish.separator { format.separator = separator }
    if let quote = wish.quote { format.quote = quote }
    format.comment = wish.comment
    return format
  }

  /// The kind of JSON that a text begins with.
  private static func json(_ head: [UInt8]) -> SourceFormat? {
    guard let first = head.first(where: { !isBlank($0) }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return nil }
    guard first == UInt8(ascii: "{"), let end = head.firstIndex(of: UInt8(ascii: "\n")) else {
      return .objects
    }
    return head[..<end].last { !isBlank($0) } == UInt8(ascii: "}") ? .lines : .objects
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n")
      || byte == UInt8(ascii: "\r")
  }

  /// What plainly is no table, though its name says so.
  private static func refuseOtherFormats(_ head: [UInt8]) throws(TextFormatError) {
    let text = head.drop(while: isBlank)
    guard let first = text.first else { return }
    let other =
      first == UInt8(ascii: "<")
      ? "XML or HTML" : text.starts(with: Array("---\n".utf8)) ? "YAML" : beginsJSON(head) ? "JSON" : nil
    guard let other else { return }
    throw TextFormatError(
      "the source is \(other), not a table", at: .start,
      hint: other == "JSON" ? "--format json reads it" : "--format csv reads it nonetheless")
  }

  /// Whether an array or object begins as no row of a table does.
  private static func beginsJSON(_ head: [UInt8]) -> Bool {
    guard json(head) != nil else { return false }
    var reader = JSONReader(head.span)
    do throws(TextFormatError) {
      let first = try reader.next()
      let second = try reader.next()
      return first == .beginObject ? second == .key || second == .endObject : second != .end
    } catch {
      return false
    }
  }

  /// Latin letters in UTF-16 have a zero in every other byte.
  private static func refuseUnmarkedUTF16(_ head: [UInt8]) throws(TextFormatError) {
    guard head.count >= 4 else { return }
    let zeros = head[..<4].map { $0 == 0 }
    let isLittle = zeros == [false, true, false, true]
    guard isLittle || zeros == [true, false, true, false] else { return }
    throw TextFormatError(
      "the text seems to be in UTF-16 without a byte order mark", at: .start,
      hint: "convert it first: iconv -f UTF-16\(isLittle ? "LE" : "BE") -t UTF-8")
  }
}
