// Where a part of a scalar's text stands in its document, however the scalar is written: plain, in quotes, folded over
// lines, or as a block. Layer: RealmSession, Schema.
// The scalar is read once more by the rules of YAML, and each byte of its text is noted with the bytes that stand for it.
// Invariant: what was read is compared with the text; where they differ, there is no place.

import ByteText
import TextFormats

/// The text of a scalar beside the bytes that it was read from.
struct ScalarText {
  private let bytes: [UInt8]
  private let start: TextLocation
  /// For each byte of the text what stands for it.
  private var origins: [Range<Int>] = []
  /// Behind the last of them.
  private var end = 0

  private static let space = UInt8(ascii: " ")

  /// `bytes`: the whole document, in which the scalar begins at `start`.
  init(_ text: [UInt8], at start: TextLocation, in bytes: [UInt8]) {
    self.bytes = bytes
    self.start = start
    guard start.offset < bytes.count else { return }
    let first = bytes[start.offset]
    var reading = Reading(bytes, position: start.offset)
    switch first {
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      // How far a block is indented where its header says it depends on what it stands in.
      for indentation in stride(from: reading.indentationOfBlock(), through: 1, by: -1) {
        reading = Reading(bytes, position: start.offset)
        reading.readBlock(isFolded: first == UInt8(ascii: ">"), indentation)
        if reading.text.starts(with: text) { break }
      }
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      reading.position += 1
      reading.readFlow(quote: first, until: text.count)
    default: reading.readFlow(quote: nil, until: text.count)
    }
    guard reading.text.starts(with: text) else { return }
    origins = Array(reading.origins.prefix(text.count))
    end = text.count < reading.origins.count ? reading.origins[text.count].lowerBound : reading.position
  }

  /// The place of the byte at `offset` of the text, and how many bytes from there on stand for `length` of the text; nil
  /// where the document cannot be followed.
  func place(_ offset: Int, _ length: Int) -> (TextLocation, length: Int)? {
    guard !origins.isEmpty, offset <= origins.count else { return nil }
    let first = offset < origins.count ? origins[offset].lowerBound : end
    let last = min(offset + length, origins.count)
    let behind = last > offset ? origins[last - 1].upperBound : first
    // What goes over several lines is marked up to the end of the first.
    let lineEnd = bytes[first...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    return (location(of: first), max(1, min(behind, lineEnd) - first))
  }

  private func location(of offset: Int) -> TextLocation {
    start.moved(over: bytes.span.extracting(start.offset..<offset))
  }

  /// One way through the bytes of a scalar.
  private struct Reading {
    let bytes: [UInt8]
    var position: Int
    var text: [UInt8] = []
    var origins: [Range<Int>] = []

    init(_ bytes: [UInt8], position: Int) { (self.bytes, self.position) = (bytes, position) }

    private func byte(_ offset: Int = 0) -> UInt8? {
      position + offset < bytes.count ? bytes[position + offset] : nil
    }

    private var isAtBlank: Bool { byte() == ScalarText.space || byte() == UInt8(ascii: "\t") }

    private var isAtBreak: Bool { byte() == UInt8(ascii: "\n") || byte() == UInt8(ascii: "\r") }

    private mutating func append(_ made: some Sequence<UInt8>, from start: Int) {
      for byte in made {
        text.append(byte)
        origins.append(start..<position)
      }
    }

    /// Takes the next byte as it is.
    private mutating func take() {
      let byte = bytes[position]
      position += 1
      append(CollectionOfOne(byte), from: position - 1)
    }

    private mutating func passBreak() {
      position += byte() == UInt8(ascii: "\r") && byte(1) == UInt8(ascii: "\n") ? 2 : 1
    }

    private mutating func passLine() {
      while byte() != nil, !isAtBreak { position += 1 }
      if byte() != nil { passBreak() }
    }

    private mutating func passSpaces(_ countMax: Int = .max) -> Int {
      var count = 0
      while count < countMax, byte() == ScalarText.space {
        position += 1
        count += 1
      }
      return count
    }

    // MARK: Blocks

    /// Of the first line of a block that is not empty.
    mutating func indentationOfBlock() -> Int {
      passLine()
      while byte() != nil {
        let count = passSpaces()
        guard isAtBreak else { return count }
        passBreak()
      }
      return 0
    }

    mutating func readBlock(isFolded: Bool, _ indentation: Int) {
      passLine()
      /// Breaks since the last line that was not empty, with their places.
      var breaks: [Int] = []
      var wasFoldable: Bool?
      while byte() != nil {
        let lineStart = position
        let count = passSpaces(indentation)
        if isAtBreak {
          breaks.append(position)
          passBreak()
          continue
        }
        guard count == indentation, byte() != nil else {
          position = lineStart
          break
        }
        let isFoldable = isFolded && !isAtBlank
        if isFoldable, wasFoldable == true {
          appendFolded(breaks)
        } else {
          appendBreaks(breaks)
        }
        while byte() != nil, !isAtBreak { take() }
        wasFoldable = isFoldable
        breaks = []
        if byte() != nil {
          breaks.append(position)
          passBreak()
        }
      }
      appendBreaks(breaks)
    }

    private mutating func appendBreaks(_ places: some Sequence<Int>) {
      for place in places { append(CollectionOfOne(UInt8(ascii: "\n")), from: place) }
    }

    /// Breaks between two lines that are one: one is a blank, of more the first goes.
    private mutating func appendFolded(_ places: [Int]) {
      guard let first = places.first else { return }
      if places.count == 1 { append(CollectionOfOne(ScalarText.space), from: first) }
      appendBreaks(places.dropFirst())
    }

    // MARK: Quotes and plain text

    /// Reads up to the closing quote, or until there is as much text as wanted.
    mutating func readFlow(quote: UInt8?, until count: Int) {
      while let byte = byte(), text.count < count {
        if isAtBlank || isAtBreak {
          readBlanks()
        } else if byte == quote {
          guard quote == UInt8(ascii: "'"), self.byte(1) == quote else { return }
          position += 2
          append(CollectionOfOne(byte), from: position - 2)
        } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
          guard readEscape() else { return }
        } else {
          take()
        }
      }
    }

    /// Blanks are text unless a line ends behind them.
    private mutating func readBlanks() {
      let start = position
      while isAtBlank { position += 1 }
      guard isAtBreak else {
        let behind = position
        position = start
        while position < behind { take() }
        return
      }
      var places: [Int] = []
      while isAtBreak {
        places.append(position)
        passBreak()
        while isAtBlank { position += 1 }
      }
      appendFolded(places)
    }

    private static let escapes: [UInt8: UInt32] = [
      UInt8(ascii: "0"): 0, UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8, UInt8(ascii: "t"): 9, 9: 9,
      UInt8(ascii: "n"): 10, UInt8(ascii: "v"): 11, UInt8(ascii: "f"): 12, UInt8(ascii: "r"): 13,
      UInt8(ascii: "e"): 27, ScalarText.space: 32, UInt8(ascii: "\""): 34, UInt8(ascii: "/"): 47,
      UInt8(ascii: "\\"): 92,
      UInt8(ascii: "N"): 0x85, UInt8(ascii: "_"): 0xA0, UInt8(ascii: "L"): 0x2028, UInt8(ascii: "P"): 0x2029,
    ]

    private static let digitCounts: [UInt8: Int] = [
      UInt8(ascii: "x"): 2, UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8,
    ]

    /// False where there is no such escape.
    private mutating func readEscape() -> Bool {
      let start = position
      guard let kind = byte(1) else { return false }
      position += 1
      if isAtBreak {
        // A line that goes on; what the next one begins with is no text.
        passBreak()
        while isAtBlank { position += 1 }
        return true
      }
      position += 1
      var code = Self.escapes[kind]
      if let digitCount = Self.digitCounts[kind] {
        guard position + digitCount <= bytes.count else { return false }
        let digits = bytes[position..<position + digitCount]
        code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        position += digitCount
      }
      guard let scalar = code.flatMap(Unicode.Scalar.init) else { return false }
      append(UTF8.encode(scalar) ?? .init(), from: start)
      return true
    }
  }
}
