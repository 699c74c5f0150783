// AES-256-CBC and HMAC-SHA-224 over one page, SHA-256, and random bytes for keys. Layer: RealmFiles; the bridge to libcrypto, of
// which only the digests' own functions are used: whatever asks OpenSSL for an algorithm by name links all that it has, 2.5 MB.

package import ByteText
import CLibCrypto
import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Checks, decrypts and encrypts pages under one key.
@safe final class PageCipher: @unchecked Sendable {
  /// Everything that is made of the key once: the keys of the cipher's rounds, and the digests begun with the two pads of HMAC.
  private struct Secrets {
    var rounds = platform_aes_keys()
    /// For processors without instructions for the cipher.
    var encryption = AES_KEY()
    var decryption = AES_KEY()
    var inner = SHA256_CTX()
    var outer = SHA256_CTX()
  }

  private let secrets: UnsafeMutablePointer<Secrets>
  private let hasInstructions = platform_has_aes() != 0

  static let checkSize = 28
  private static let digestBlockSize = 64

  init(key: EncryptionKey) throws(EngineError) {
    guard let memory = unsafe platform_take_secret_memory(MemoryLayout<Secrets>.size) else {
      throw EngineError(.other, "no memory for the cipher")
    }
    unsafe secrets = memory.bindMemory(to: Secrets.self, capacity: 1)
    unsafe secrets.initialize(to: Secrets())
    unsafe key.cipherPart.withBuffer { part in
      let bytes = unsafe part.baseAddress!.assumingMemoryBound(to: UInt8.self)
      if hasInstructions {
        unsafe platform_aes_expand(&secrets.pointee.rounds, bytes)
      } else {
        unsafe AES_set_encrypt_key(bytes, 256, &secrets.pointee.encryption)
        unsafe AES_set_decrypt_key(bytes, 256, &secrets.pointee.decryption)
      }
    }
    unsafe key.checkPart.withBuffer { part in
      unsafe Self.begin(&secrets.pointee.inner, with: part, pad: 0x36)
      unsafe Self.begin(&secrets.pointee.outer, with: part, pad: 0x5C)
    }
  }

  deinit { unsafe platform_give_secret_memory_back(secrets, MemoryLayout<Secrets>.size) }

  /// A digest that has read the key under one of the pads of HMAC; a key is shorter than a block.
  private static func begin(
    _ digest: UnsafeMutablePointer<SHA256_CTX>, with key: UnsafeRawBufferPointer, pad: UInt8
  ) {
    var block = [UInt8](repeating: pad, count: digestBlockSize)
    for index in 0..<key.count { block[index] ^= unsafe key[index] }
    unsafe SHA224_Init(digest)
    unsafe SHA224_Update(digest, block, block.count)
    unsafe platform_wipe(&block, block.count)
  }

  /// The check value of an encrypted page: HMAC-SHA-224.
  func check(of page: RawBytes) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: Self.checkSize)
    unsafe page.withBuffer { buffer in
      var digest = unsafe secrets.pointee.inner
      unsafe SHA224_Update(&digest, buffer.baseAddress, buffer.count)
      unsafe SHA224_Final(&result, &digest)
      digest = unsafe secrets.pointee.outer
      unsafe SHA224_Update(&digest, result, result.count)
      unsafe SHA224_Final(&result, &digest)
    }
    return result
  }

  /// Compares in a time that does not tell where the first difference is.
  static func isCheck(_ check: [UInt8], _ stored: RawBytes) -> Bool {
    guard stored.count == check.count else { return false }
    return unsafe stored.withBuffer { unsafe CRYPTO_memcmp($0.baseAddress, check, $0.count) == 0 }
  }

  /// Decrypts one page, whose size is a multiple of 16.
  func decrypt(_ page: RawBytes, into output: MutableRawBytes, iv: UInt32, dataPosition: Int) {
    crypt(page, into: output, iv: iv, dataPosition: dataPosition, encrypts: false)
  }

  /// Encrypts one page, whose size is a multiple of 16.
  func encrypt(_ page: RawBytes, into output: MutableRawBytes, iv: UInt32, dataPosition: Int) {
    crypt(page, into: output, iv: iv, dataPosition: dataPosition, encrypts: true)
  }

  private func crypt(
    _ page: RawBytes, into output: MutableRawBytes, iv: UInt32, dataPosition: Int, encrypts: Bool
  ) {
    var vector = Self.vector(iv: iv, dataPosition: dataPosition)
    unsafe page.withBuffer { source in
      unsafe output.withBuffer { target in
        guard let from = unsafe source.baseAddress?.assumingMemoryBound(to: UInt8.self),
          let to = unsafe target.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return }
        precondition(source.count % 16 == 0 && source.count <= target.count)
        if !hasInstructions {
          if encrypts {
            unsafe AES_cbc_encrypt(from, to, source.count, &secrets.pointee.encryption, &vector, AES_ENCRYPT)
          } else {
            unsafe AES_cbc_encrypt(from, to, source.count, &secrets.pointee.decryption, &vector, AES_DECRYPT)
          }
        } else if encrypts {
          unsafe platform_aes_cbc_encrypt(&secrets.pointee.rounds, from, to, source.count, vector)
        } else {
          unsafe platform_aes_cbc_decrypt(&secrets.pointee.rounds, from, to, source.count, vector)
        }
      }
    }
  }

  /// Counter, position and zeros: 16 bytes, little-endian.
  private static func vector(iv: UInt32, dataPosition: Int) -> [UInt8] {
    var vector = [UInt8](repeating: 0, count: 16)
    for index in 0..<4 { vector[index] = UInt8(truncatingIfNeeded: iv >> (8 * UInt32(index))) }
    for index in 0..<8 { vector[4 + index] = UInt8(truncatingIfNeeded: dataPosition >> (8 * index)) }
    return vector
  }
}

extension EncryptionKey {
  /// 28 bytes for another use of the key, from which nobody finds the key or those for other uses: HMAC-SHA-224 of a label.
  package func subkey(for label: String) throws(EngineError) -> [UInt8] {
    let cipher = try PageCipher(key: self)
    return Array(label.utf8).withRawBytes { cipher.check(of: $0) }
  }
}

/// SHA-256 over whatever is given, piece by piece.
@safe package final class SHA256Digest {
  private var context = SHA256_CTX()

  private static let size = 32

  package init() { unsafe SHA256_Init(&context) }

  package func update(_ bytes: borrowing ByteBuffer) {
    unsafe bytes.withUnsafeBytes { _ = unsafe SHA256_Update(&context, $0.baseAddress, $0.count) }
  }

  /// The digest of everything; nothing may follow.
  package func finish() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Self.size)
    unsafe SHA256_Final(&digest, &context)
    return digest
  }
}

/// Bytes that nobody can guess: from the system's random source.
package enum Randomness {
  package static func bytes(count: Int) throws(EngineError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    // At most 256 bytes are had at once.
    for start in stride(from: 0, to: count, by: 256) {
      let status = unsafe bytes.withUnsafeMutableBytes { buffer in
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start..<min(start + 256, count)])
        return unsafe getentropy(part.baseAddress, part.count)
      }
      guard status == 0 else { throw EngineError(.other, "the system has no random bytes to give") }
    }
    return bytes
  }
}
