// Patterns of LIKE: `*` for anything, `?` for one character, a backslash before either or before itself for just
// that sign. Layer: Query.
// Matching goes back to the last `*` only, which finds every match: at most length times pattern steps.

/// A compiled pattern; it must match the whole text.
package struct LikePattern: Sendable {
  private enum Element: Sendable, Hashable {
    case byte(UInt8)
    /// One scalar of UTF-8; a byte that begins none counts as one.
    case oneCharacter
    case anything
  }

  private let elements: [Element]
  private let foldsCase: Bool

  package init(_ pattern: RawBytes, foldsCase: Bool) {
    let text = foldsCase ? LatinCase.folded(pattern) : pattern.array()
    var elements: [Element] = []
    var index = 0
    while index < text.count {
      let byte = text[index]
      index += 1
      switch byte {
      case UInt8(ascii: "*"): if elements.last != .anything { elements.append(.anything) }
      case UInt8(ascii: "?"): elements.append(.oneCharacter)
      case UInt8(ascii: "\\") where index < text.count && Self.isEscapable(text[index]):
        elements.append(.byte(text[index]))
        index += 1
      default: elements.append(.byte(byte))
      }
    }
    self.elements = elements
    self.foldsCase = foldsCase
  }

  private static func isEscapable(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "\\")
  }

  package func matches(_ text: RawBytes) -> Bool {
    var position = 0
    var element = 0
    // Where to try again: the element behind the last star, and the text that the star has not swallowed yet.
    var retry: (element: Int, position: Int)?
    while position < text.count || element < elements.count {
      if element < elements.count {
        switch elements[element] {
        case .anything:
          element += 1
          retry = (element, position)
          continue
        case .oneCharacter where position < text.count:
          position += Self.characterSize(text, position)
          element += 1
          continue
        case .byte(let byte) where position < text.count && byte == self.byte(text, position):
          position += 1
          element += 1
          continue
        default: break
        }
      }
      guard let last = retry, last.position < text.count else { return false }
      position = last.position + 1
      element = last.element
      retry = (element, position)
    }
    return true
  }

  private func byte(_ text: RawBytes, _ position: Int) -> UInt8 {
    let byte = text[position]
    return foldsCase ? LatinCase.folded(byte, after: position > 0 ? text[position - 1] : 0) : byte
  }

  private static func characterSize(_ text: RawBytes, _ position: Int) -> Int {
    let size =
      switch text[position] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    return min(size, text.count - position)
  }
}
