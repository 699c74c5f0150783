// The 64 bytes that open an encrypted realm. Layer: Files.

/// 32 bytes for the cipher, 32 for the page checks.
package struct EncryptionKey: Sendable {
  package static let size = 64
  let bytes: [UInt8]

  /// Nil unless exactly 64 bytes are given.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    self.bytes = bytes
  }
}
