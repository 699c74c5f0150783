// AES-256-CBC and HMAC-SHA-224 over one page, SHA-256, and random bytes for keys, by OpenSSL. Layer: Files; the bridge to libcrypto.
// A cipher or digest is used by one thread at a time: it keeps its contexts between calls.

package import ByteText
import CLibCrypto

/// Makes the library ready without a configuration file and without strings: half of its start-up time.
private func startLibrary() {
  OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG) | UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
}

/// Checks, decrypts and encrypts pages under one key.
@safe final class PageCipher: @unchecked Sendable {
  private let key: EncryptionKey
  private let decryption: OpaquePointer
  private let encryption: OpaquePointer

  static let checkSize = 28

  init(key: EncryptionKey) throws(EngineError) {
    self.key = key
    startLibrary()
    guard let decryption = unsafe EVP_CIPHER_CTX_new(), let encryption = unsafe EVP_CIPHER_CTX_new() else {
      throw EngineError(.other, "no memory for the cipher")
    }
    unsafe self.decryption = decryption
    unsafe self.encryption = encryption
    let isReady = unsafe key.cipherPart.withBuffer { part in
      let bytes = unsafe part.baseAddress?.assumingMemoryBound(to: UInt8.self)
      return unsafe EVP_DecryptInit_ex(decryption, EVP_aes_256_cbc(), nil, bytes, nil) == 1
        && EVP_EncryptInit_ex(encryption, EVP_aes_256_cbc(), nil, bytes, nil) == 1
    }
    guard isReady
    else { throw EngineError(.other, "the cipher AES-256-CBC is not available") }
    unsafe EVP_CIPHER_CTX_set_padding(decryption, 0)
    unsafe EVP_CIPHER_CTX_set_padding(encryption, 0)
  }

  deinit {
    unsafe EVP_CIPHER_CTX_free(decryption)
    unsafe EVP_CIPHER_CTX_free(encryption)
  }

  /// The check value of an encrypted page.
  func check(of page: RawBytes) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: Self.checkSize)
    var length: UInt32 = 0
    unsafe page.withBuffer { buffer in
      unsafe key.checkPart.withBuffer { part in
        _ = unsafe HMAC(
          EVP_sha224(), part.baseAddress, Int32(part.count),
          buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), buffer.count, &result, &length)
      }
    }
    return result
  }

  /// Decrypts one page. False: the library refused.
  func decrypt(_ page: RawBytes, into output: MutableRawBytes, iv: UInt32, dataPosition: Int) -> Bool {
    let vector = Self.vector(iv: iv, dataPosition: dataPosition)
    var length: Int32 = 0
    return unsafe page.withBuffer { source in
      unsafe output.withBuffer { target in
        unsafe EVP_DecryptInit_ex(decryption, nil, nil, nil, vector) == 1
          && EVP_DecryptUpdate(
            decryption, target.baseAddress?.assumingMemoryBound(to: UInt8.self), &length,
            source.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(source.count)) == 1
      }
    }
  }

  /// Encrypts one page. False: the library refused.
  func encrypt(_ page: RawBytes, into output: MutableRawBytes, iv: UInt32, dataPosition: Int) -> Bool {
    let vector = Self.vector(iv: iv, dataPosition: dataPosition)
    var length: Int32 = 0
    return unsafe page.withBuffer { source in
      unsafe output.withBuffer { target in
        unsafe EVP_EncryptInit_ex(encryption, nil, nil, nil, vector) == 1
          && EVP_EncryptUpdate(
            encryption, target.baseAddress?.assumingMemoryBound(to: UInt8.self), &length,
            source.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(source.count)) == 1
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

/// SHA-256 over whatever is given, piece by piece.
@safe package final class SHA256Digest {
  private let context: OpaquePointer

  private static let size = 32

  package init() throws(EngineError) {
    startLibrary()
    guard let context = unsafe EVP_MD_CTX_new() else { throw EngineError(.other, "no memory for a digest") }
    unsafe self.context = context
    guard unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { throw Self.failure }
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  package func update(_ bytes: borrowing ByteBuffer) throws(EngineError) {
    let status = unsafe bytes.withUnsafeBytes {
      unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count)
    }
    guard status == 1 else { throw Self.failure }
  }

  /// The digest of everything; nothing may follow.
  package func finish() throws(EngineError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Self.size)
    guard unsafe EVP_DigestFinal_ex(context, &digest, nil) == 1 else { throw Self.failure }
    return digest
  }

  private static var failure: EngineError { EngineError(.other, "SHA-256 is not available") }
}

/// Bytes that nobody can guess: from the system's random source.
package enum Randomness {
  package static func bytes(count: Int) throws(EngineError) -> [UInt8] {
    startLibrary()
    var bytes = [UInt8](repeating: 0, count: count)
    guard unsafe RAND_priv_bytes(&bytes, Int32(count)) == 1 else {
      throw EngineError(.other, "the system has no random bytes to give")
    }
    return bytes
  }
}
