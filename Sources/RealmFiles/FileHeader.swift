// The first 24 bytes of a realm: two slots, a selector, the magic. Layer: RealmFiles.
// Invariant: a `FileHeader` came from bytes that carry the magic; its refs are still unchecked numbers.

/// The header of a realm file, decoded.
package struct FileHeader: Sendable, Equatable {
  /// How the file keeps its newest snapshot.
  package enum Form: Sendable, Equatable {
    /// No snapshot yet.
    case empty
    /// The selected slot names the top array.
    case slots
    /// Written in one go: the top array is named by a footer.
    case streaming
  }

  package static let size = 24
  package static let footerSize = 16
  package static let footerCookie: UInt64 = 0x3034_1252_37E5_26C8
  private static let streamingMark = UInt64.max
  private static let magic: UInt32 = 0x4244_2D54
  static let magicOffset = 16
  package static let magicBytes = Array("T-DB".utf8)
  package static let magicRange = magicOffset..<magicOffset + magicBytes.count

  package let topRefs: (UInt64, UInt64)
  package let formats: (UInt8, UInt8)
  package let flags: UInt8

  /// Nil when the bytes do not carry a realm's magic.
  package init?(_ bytes: RawBytes) {
    guard bytes.count >= Self.size, bytes.load(UInt32.self, at: 16) == Self.magic else { return nil }
    topRefs = (bytes.load(UInt64.self, at: 0), bytes.load(UInt64.self, at: 8))
    formats = (bytes[20], bytes[21])
    flags = bytes[23]
  }

  /// The slot (0 or 1) that names the current snapshot.
  package var selectedSlot: Int { Int(flags & 1) }

  package func topRef(slot: Int) -> UInt64 { slot == 0 ? topRefs.0 : topRefs.1 }
  package func format(slot: Int) -> Int { Int(slot == 0 ? formats.0 : formats.1) }

  /// The format that the current snapshot states.
  package var selectedFormat: Int { format(slot: form == .streaming ? 0 : selectedSlot) }

  package var form: Form {
    if selectedSlot == 0 && topRefs.0 == Self.streamingMark { return .streaming }
    return topRef(slot: selectedSlot) == 0 ? .empty : .slots
  }

  /// Whether all data was written in one go and nothing was committed since, so that none of it was given up.
  package var isWrittenOnce: Bool {
    switch form {
    case .empty: false
    case .streaming: topRefs.1 == 0
    // Engines that open a file with a footer for writing put its top array into slot 1 and leave slot 0.
    case .slots: selectedSlot == 1 && topRefs.1 % 8 == 0 && [0, Self.streamingMark].contains(topRefs.0)
    }
  }

  package static func == (left: FileHeader, right: FileHeader) -> Bool {
    left.topRefs == right.topRefs && left.formats == right.formats && left.flags == right.flags
  }
}
