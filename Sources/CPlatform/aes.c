// AES-256-CBC (FIPS 197, SP 800-38A) on x86-64 and ARM. Layer: below everything. See aes.h.
// One block is a vector, and the few operations that differ between processors stand together; other processors have none.
#include "aes.h"

#include <string.h>

#include "secrets.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#define AES_CODE __attribute__((target("aes,sse4.1")))
typedef __m128i block;
AES_CODE static inline block load(const uint8_t *bytes) { return _mm_loadu_si128((const __m128i *)bytes); }
AES_CODE static inline void store(uint8_t *bytes, block value) { _mm_storeu_si128((__m128i *)bytes, value); }
AES_CODE static inline block mix(block a, block b) { return _mm_xor_si128(a, b); }
AES_CODE static inline block inverse_columns(block key) { return _mm_aesimc_si128(key); }
// A block has been mixed with the first key before its first round.
AES_CODE static inline block begin(block value, block first) { return mix(value, first); }
AES_CODE static inline block encrypt_round(block value, block key) { return _mm_aesenc_si128(value, key); }
AES_CODE static inline block encrypt_last(block value, block key) { return _mm_aesenclast_si128(value, key); }
AES_CODE static inline block decrypt_round(block value, block key) { return _mm_aesdec_si128(value, key); }
AES_CODE static inline block decrypt_last(block value, block key) { return _mm_aesdeclast_si128(value, key); }

// The compiler's own question would be asked at every start, with or without a key; a virtual machine takes 20 µs for it.
int platform_has_aes(void) {
  unsigned a, b, features, d;
  return __get_cpuid(1, &a, &b, &features, &d) && (features & bit_AES) && (features & bit_SSE4_1);
}

#elif defined(__aarch64__)
#include <arm_neon.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif
#define AES_CODE __attribute__((target("aes")))
typedef uint8x16_t block;
AES_CODE static inline block load(const uint8_t *bytes) { return vld1q_u8(bytes); }
AES_CODE static inline void store(uint8_t *bytes, block value) { vst1q_u8(bytes, value); }
AES_CODE static inline block mix(block a, block b) { return veorq_u8(a, b); }
AES_CODE static inline block inverse_columns(block key) { return vaesimcq_u8(key); }
// These processors mix with the key first; with a key of zeros the rounds are those of x86-64.
AES_CODE static inline block begin(block value, block first) { return mix(value, first); }
AES_CODE static inline block encrypt_round(block value, block key) {
  return mix(vaesmcq_u8(vaeseq_u8(value, vdupq_n_u8(0))), key);
}
AES_CODE static inline block encrypt_last(block value, block key) { return mix(vaeseq_u8(value, vdupq_n_u8(0)), key); }
AES_CODE static inline block decrypt_round(block value, block key) {
  return mix(vaesimcq_u8(vaesdq_u8(value, vdupq_n_u8(0))), key);
}
AES_CODE static inline block decrypt_last(block value, block key) { return mix(vaesdq_u8(value, vdupq_n_u8(0)), key); }

int platform_has_aes(void) {
#ifdef __linux__
  return (getauxval(AT_HWCAP) & (1 << 3)) != 0; // HWCAP_AES
#else
  return 1; // Every Apple processor of this kind.
#endif
}
#endif

#ifdef AES_CODE

enum { rounds = 14, width = 16 };

static uint8_t times_two(uint8_t value) { return (uint8_t)(value << 1) ^ (value & 0x80 ? 0x1b : 0); }

/// The substitution table of the cipher: inverses in GF(2⁸), found by going through the powers of 3 and of its inverse.
static void make_substitutions(uint8_t table[256]) {
  uint8_t power = 1, inverse = 1;
  do {
    power ^= times_two(power);
    inverse ^= (uint8_t)(inverse << 1);
    inverse ^= (uint8_t)(inverse << 2);
    inverse ^= (uint8_t)(inverse << 4);
    if (inverse & 0x80) inverse ^= 0x09;
    uint8_t rotated = inverse;
    uint8_t sum = inverse;
    for (int turn = 0; turn < 4; turn++) {
      rotated = (uint8_t)(rotated << 1 | rotated >> 7);
      sum ^= rotated;
    }
    table[power] = sum ^ 0x63;
  } while (power != 1);
  table[0] = 0x63;
}

AES_CODE void platform_aes_expand(platform_aes_keys *keys, const uint8_t *key) {
  uint8_t substitution[256];
  make_substitutions(substitution);
  uint8_t *bytes = keys->encryption;
  memcpy(bytes, key, 32);
  uint8_t constant = 1;
  for (size_t at = 32; at < sizeof keys->encryption; at += 4) {
    uint8_t word[4];
    memcpy(word, bytes + at - 4, 4);
    if (at % 32 == 0) {
      uint8_t first = word[0];
      word[0] = substitution[word[1]] ^ constant;
      word[1] = substitution[word[2]];
      word[2] = substitution[word[3]];
      word[3] = substitution[first];
      constant = times_two(constant);
    } else if (at % 32 == 16) {
      for (int index = 0; index < 4; index++) word[index] = substitution[word[index]];
    }
    for (size_t index = 0; index < 4; index++) bytes[at + index] = bytes[at + index - 32] ^ word[index];
    platform_wipe(word, sizeof word);
  }
  for (int round = 0; round <= rounds; round++) {
    block value = load(bytes + width * (rounds - round));
    store(keys->decryption + width * round, round == 0 || round == rounds ? value : inverse_columns(value));
  }
}

AES_CODE void platform_aes_cbc_encrypt(
    const platform_aes_keys *keys, const uint8_t *input, uint8_t *output, size_t size, const uint8_t *vector) {
  block key[rounds + 1];
  for (int round = 0; round <= rounds; round++) key[round] = load(keys->encryption + width * round);
  block previous = load(vector);
  for (size_t at = 0; at + width <= size; at += width) {
    block value = begin(mix(load(input + at), previous), key[0]);
    for (int round = 1; round < rounds; round++) value = encrypt_round(value, key[round]);
    previous = encrypt_last(value, key[rounds]);
    store(output + at, previous);
  }
  platform_wipe(key, sizeof key);
}

AES_CODE void platform_aes_cbc_decrypt(
    const platform_aes_keys *keys, const uint8_t *input, uint8_t *output, size_t size, const uint8_t *vector) {
  // So many blocks at once as hide how long a round takes.
  enum { lanes = 8 };
  block key[rounds + 1];
  for (int round = 0; round <= rounds; round++) key[round] = load(keys->decryption + width * round);
  block previous = load(vector);
  size_t at = 0;
  for (; at + lanes * width <= size; at += lanes * width) {
    block given[lanes], value[lanes];
    for (int lane = 0; lane < lanes; lane++) {
      given[lane] = load(input + at + (size_t)(width * lane));
      value[lane] = begin(given[lane], key[0]);
    }
    for (int round = 1; round < rounds; round++) {
      for (int lane = 0; lane < lanes; lane++) value[lane] = decrypt_round(value[lane], key[round]);
    }
    for (int lane = 0; lane < lanes; lane++) {
      store(
          output + at + (size_t)(width * lane),
          mix(decrypt_last(value[lane], key[rounds]), lane == 0 ? previous : given[lane - 1]));
    }
    previous = given[lanes - 1];
  }
  for (; at + width <= size; at += width) {
    block given = load(input + at);
    block value = begin(given, key[0]);
    for (int round = 1; round < rounds; round++) value = decrypt_round(value, key[round]);
    store(output + at, mix(decrypt_last(value, key[rounds]), previous));
    previous = given;
  }
  platform_wipe(key, sizeof key);
}

#else

int platform_has_aes(void) { return 0; }
void platform_aes_expand(platform_aes_keys *keys, const uint8_t *key) { (void)keys, (void)key; }
void platform_aes_cbc_encrypt(
    const platform_aes_keys *keys, const uint8_t *input, uint8_t *output, size_t size, const uint8_t *vector) {
  (void)keys, (void)input, (void)output, (void)size, (void)vector;
}
void platform_aes_cbc_decrypt(
    const platform_aes_keys *keys, const uint8_t *input, uint8_t *output, size_t size, const uint8_t *vector) {
  (void)keys, (void)input, (void)output, (void)size, (void)vector;
}

#endif
