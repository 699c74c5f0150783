// The cipher by the processor's instructions beside OpenSSL's.

import CLibCrypto
import CPlatform
import TestSupport
import Testing

@Suite("AES-256-CBC")
struct CipherTests {
  @Test(
    "the processor's instructions and OpenSSL agree in both directions", .enabled(if: platform_has_aes() != 0)
  )
  func agreement() {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    // Fewer blocks than are decrypted at once, as many, and more.
    for blockCount in [1, 7, 8, 9, 16, 255, 256] {
      func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      }
      let (key, vector, plain) = (bytes(32), bytes(16), bytes(16 * blockCount))
      var rounds = platform_aes_keys()
      platform_aes_expand(&rounds, key)
      var encrypted = [UInt8](repeating: 0, count: plain.count)
      platform_aes_cbc_encrypt(&rounds, plain, &encrypted, plain.count, vector)

      var schedule = AES_KEY()
      AES_set_encrypt_key(key, 256, &schedule)
      var expected = [UInt8](repeating: 0, count: plain.count)
      var chained = vector
      AES_cbc_encrypt(plain, &expected, plain.count, &schedule, &chained, AES_ENCRYPT)
      #expect(encrypted == expected, "seed \(seed), \(blockCount) blocks")

      var decrypted = [UInt8](repeating: 0, count: plain.count)
      platform_aes_cbc_decrypt(&rounds, encrypted, &decrypted, plain.count, vector)
      #expect(decrypted == plain, "seed \(seed), \(blockCount) blocks")
    }
  }
}
