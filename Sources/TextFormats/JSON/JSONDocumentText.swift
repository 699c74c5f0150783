// Documents as JSON text. Layer: TextFormats, JSON. Values in bulk are written by whoever knows their types, straight
// into the buffer; this is for documents: schemas, reports, error objects.

import ByteText

extension ByteBuffer {
  /// Appends a document as JSON: on one line without blanks, or with `indentation` blanks a level.
  ///
  /// Scalars without quotes are written as they are, so they must be JSON numbers or words.
  /// Recursion is as deep as the document, whose readers limit it.
  package mutating func append(json node: DocumentNode, indentation: Int? = nil) {
    var writer = JSONDocumentWriter(indentation: indentation)
    writer.write(node, to: &self)
  }
}

private struct JSONDocumentWriter {
  let indentation: Int?
  private var depth = 0

  init(indentation: Int?) {
    self.indentation = indentation
  }

  mutating func write(_ node: DocumentNode, to buffer: inout ByteBuffer) {
    switch node.content {
    case .scalar(let text, let isQuoted):
      if isQuoted { buffer.append(jsonString: text) } else { buffer.append(text: text) }
    case .sequence(let items):
      begin("[", to: &buffer)
      for (index, item) in items.enumerated() {
        beginItem(isFirst: index == 0, to: &buffer)
        write(item, to: &buffer)
      }
      end("]", isEmpty: items.isEmpty, to: &buffer)
    case .mapping(let entries):
      begin("{", to: &buffer)
      for (index, entry) in entries.enumerated() {
        beginItem(isFirst: index == 0, to: &buffer)
        buffer.append(jsonString: entry.key)
        buffer.append(literal: indentation == nil ? ":" : ": ")
        write(entry.value, to: &buffer)
      }
      end("}", isEmpty: entries.isEmpty, to: &buffer)
    }
  }

  private mutating func begin(_ bracket: StaticString, to buffer: inout ByteBuffer) {
    buffer.append(literal: bracket)
    depth += 1
  }

  private func beginItem(isFirst: Bool, to buffer: inout ByteBuffer) {
    if !isFirst { buffer.append(UInt8(ascii: ",")) }
    breakLine(in: &buffer)
  }

  private mutating func end(_ bracket: StaticString, isEmpty: Bool, to buffer: inout ByteBuffer) {
    depth -= 1
    if !isEmpty { breakLine(in: &buffer) }
    buffer.append(literal: bracket)
  }

  private func breakLine(in buffer: inout ByteBuffer) {
    guard let indentation else { return }
    buffer.append(UInt8(ascii: "\n"))
    buffer.append(repeating: UInt8(ascii: " "), count: indentation * depth)
  }
}
