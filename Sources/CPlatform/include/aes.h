// AES-256 in CBC mode by the processor's own instructions. Layer: below everything.
#ifndef CPLATFORM_AES_H
#define CPLATFORM_AES_H

#include <stddef.h>
#include <stdint.h>

/// The round keys of both directions: as secret as the key.
typedef struct {
  uint8_t encryption[15 * 16];
  uint8_t decryption[15 * 16];
} platform_aes_keys;

/// Whether this processor has the instructions. Without them, nothing below may be called.
int platform_has_aes(void);

/// Derives the round keys from 32 bytes.
void platform_aes_expand(platform_aes_keys *_Nonnull keys, const uint8_t *_Nonnull key);

/// `size` is a multiple of 16; `vector` has 16 bytes; the two buffers are equal or do not overlap.
void platform_aes_cbc_encrypt(
    const platform_aes_keys *_Nonnull keys, const uint8_t *_Nonnull input, uint8_t *_Nonnull output, size_t size,
    const uint8_t *_Nonnull vector);
void platform_aes_cbc_decrypt(
    const platform_aes_keys *_Nonnull keys, const uint8_t *_Nonnull input, uint8_t *_Nonnull output, size_t size,
    const uint8_t *_Nonnull vector);

#endif
