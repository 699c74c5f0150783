// The 64 bytes that open an encrypted realm. Layer: RealmFiles.

/// 32 bytes for the cipher, 32 for the page checks.
package struct EncryptionKey: Sendable {
  package static let size = 64
  private let secret: SecretBytes

  /// Nil unless exactly 64 bytes are given. They are copied; what they were read from is the caller's to wipe.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size, let secret = SecretBytes(copying: bytes) else { return nil }
    self.secret = secret
  }

  /// For the cipher.
  var cipherPart: RawBytes { secret.bytes.slice(0, Self.size / 2) }
  /// For the page checks.
  var checkPart: RawBytes { secret.bytes.slice(Self.size / 2, Self.size / 2) }
}
