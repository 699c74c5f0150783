// Names, paths and constants as text. Layer: Printing.

import ByteText

extension SyntaxPrinter {
  mutating func constant(_ constant: Constant) {
    switch constant.kind {
    case .literal(let literal): self.literal(literal)
    case .argument(let reference): argument(reference)
    case .object(let reference):
      write("obj(")
      string(Array(reference.className.text.utf8))
      write(", ")
      switch reference.primaryKey {
      case .literal(let literal): self.literal(literal)
      case .argument(let reference): argument(reference)
      }
      write(")")
    }
  }

  mutating func constantList(_ list: ConstantList) {
    write("{")
    self.list(list.elements) { $0.constant($1) }
    write("}")
  }

  mutating func argument(_ reference: ArgumentReference) {
    switch reference.style {
    case .dollar: write("$\(reference.index)")
    case .specifier(.anything): write("%@")
    case .specifier(.integer): write("%d")
    case .specifier(.floatingPoint): write("%f")
    case .specifier(.keyPath): write("%K")
    }
  }

  private mutating func literal(_ literal: Literal) {
    switch literal {
    case .null: write("NULL")
    case .bool(let value): write(value ? "true" : "false")
    case .int(let value): write("\(value)")
    case .decimal(let text), .double(_, let text): write(text)
    case .float(_, let text): write("\(text)f")
    case .infinity(let isNegative): write(isNegative ? "-inf" : "inf")
    case .notANumber: write("nan")
    case .string(let bytes):
      if firstInvalidUTF8Index(in: bytes.span) == nil { string(bytes) } else { base64(bytes) }
    case .binary(let bytes):
      write("binary(")
      base64(bytes)
      write(")")
    case .date(let seconds, let nanoseconds): write("T\(seconds):\(nanoseconds)")
    case .uuid(let bytes):
      write("uuid(")
      hexadecimal(bytes, dashesBefore: [4, 6, 8, 10])
      write(")")
    case .objectID(let bytes):
      write("oid(")
      hexadecimal(bytes, dashesBefore: [])
      write(")")
    case .objectKey(let key): write("O\(key)")
    case .typedObjectKey(let table, let key): write("L\(table):\(key)")
    }
  }

  private mutating func hexadecimal(_ bytes: [UInt8], dashesBefore dashes: [Int]) {
    for (position, byte) in bytes.enumerated() {
      if dashes.contains(position) { write("-") }
      buffer.append(hexadecimal: byte)
    }
  }

  private mutating func string(_ text: [UInt8]) {
    write("'")
    for byte in text {
      switch byte {
      case UInt8(ascii: "'"): write("\\'")
      case UInt8(ascii: "\\"): write("\\\\")
      case 0x0A: write("\\n")
      case 0x0D: write("\\r")
      case 0x09: write("\\t")
      case 0..<0x20, 0x7F:
        write("\\u00")
        buffer.append(hexadecimal: byte)
      default: buffer.append(byte)
      }
    }
    write("'")
  }

  private mutating func base64(_ bytes: [UInt8]) {
    write("B64\"")
    buffer.append(base64: bytes.span)
    write("\"")
  }
}

extension SyntaxPrinter {
  mutating func property(_ reference: PropertyReference) {
    path(reference.path)
    switch reference.question?.kind {
    case .count: write(".@count")
    case .type: write(".@type")
    case .aggregate(let aggregate, let property):
      write(".@\(aggregate.rawValue)")
      if let property {
        write(".")
        name(property)
      }
    case nil: break
    }
  }

  mutating func path(_ path: PropertyPath) {
    for (position, step) in path.steps.enumerated() {
      if position > 0, !step.kind.isIndex { write(".") }
      self.step(step.kind)
    }
  }

  private mutating func step(_ step: PathStepKind) {
    switch step {
    case .name(let name): self.name(name)
    case .backlink(let className, let property):
      write("@links.")
      name(className)
      write(".")
      name(property)
    case .allBacklinks: write("@links")
    case .objectKey: write("@key")
    case .keys: write("@keys")
    case .values: write("@values")
    case .position(let position): write("[\(position)]")
    case .first: write("[FIRST]")
    case .last: write("[LAST]")
    case .all: write("[*]")
    case .key(let key):
      write("[")
      string(key)
      write("]")
    case .argument(let reference):
      write("[")
      argument(reference)
      write("]")
    case .keyPathArgument(let reference):
      if reference.style == .dollar { write("$K\(reference.index)") } else { argument(reference) }
    }
  }

  /// A name as an identifier; in backquotes where it can be none.
  mutating func name(_ name: Name) {
    let bytes = Array(name.text.utf8)
    let isIdentifier =
      bytes.first.map { $0.isIdentifierStart && !(name.isQuoted && $0 == UInt8(ascii: "$")) } ?? false
      && bytes.allSatisfy { $0.isIdentifierPart || $0.nameEscape != nil }
      && !name.text.unicodeScalars.contains { $0.isUnseen && !$0.isASCII }
    guard isIdentifier else { return buffer.append(backquoted: name.text) }
    if name.isQuoted { write("#") }
    for byte in bytes {
      if let escape = byte.nameEscape {
        buffer.append(UInt8(ascii: "\\"), escape)
      } else {
        buffer.append(byte)
      }
    }
  }
}

extension PathStepKind {
  fileprivate var isIndex: Bool {
    switch self {
    case .position, .first, .last, .all, .key, .argument: true
    default: false
    }
  }
}

extension UInt8 {
  /// The letter that stands for this byte behind a backslash in a name.
  fileprivate var nameEscape: UInt8? {
    switch self {
    case UInt8(ascii: " "): UInt8(ascii: " ")
    case UInt8(ascii: "\n"): UInt8(ascii: "n")
    case UInt8(ascii: "\r"): UInt8(ascii: "r")
    case UInt8(ascii: "\t"): UInt8(ascii: "t")
    default: nil
    }
  }
}
