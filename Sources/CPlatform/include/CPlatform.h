// What Swift cannot say, or not safely: atomics on raw bytes, signal handlers, a bit for each byte of a vector.
// Layer: below everything.
#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <stddef.h>
#include <stdint.h>

#include "activity.h"
#include "aes.h"
#include "endings.h"
#include "processes.h"
#include "pseudo_terminal.h"
#include "secrets.h"
#include "sessions.h"
#include "signals.h"
#include "start.h"
#include "terminal.h"
#include "waiting.h"
#include "work.h"
#include "zone.h"

/// Reads a byte flag that another thread may set; pairs with `platform_publish_flag`.
static inline uint8_t platform_load_flag(const uint8_t *_Nonnull flag) {
  return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

/// Sets a byte flag after everything written before it.
static inline void platform_publish_flag(uint8_t *_Nonnull flag, uint8_t value) {
  __atomic_store_n(flag, value, __ATOMIC_RELEASE);
}

/// Sets the bits of `mask` in the word at `index`, at once with whatever other threads set; gives the word as it was.
static inline uint64_t platform_set_bits(uint64_t *_Nonnull words, size_t index, uint64_t mask) {
  return __atomic_fetch_or(words + index, mask, __ATOMIC_RELAXED);
}

/// Sets the byte at `index`, at once with whatever other threads do with it.
static inline void platform_store_byte(uint8_t *_Nonnull bytes, size_t index, uint8_t value) {
  __atomic_store_n(bytes + index, value, __ATOMIC_RELAXED);
}

/// Asks for the cache line at `address`; any address will do.
static inline void platform_prefetch(const void *_Nonnull address) {
  __builtin_prefetch(address, 0, 3);
}

/// The same, to come as near as the second cache.
static inline void platform_prefetch_to_second_cache(const void *_Nonnull address) {
  __builtin_prefetch(address, 0, 2);
}

/// Has the system begin to write bytes of a file to the disk. Promises nothing.
void platform_begin_writing(int descriptor, int64_t offset, int64_t count);

/// Gives a file room on the disk for bytes of it that have none, and makes it long enough. Not 0: the disk is full, or the
/// file system cannot promise it.
int platform_reserve_room(int descriptor, int64_t offset, int64_t count);

/// Maps bytes of a file at `address`, in the place of what is mapped there, ready to be written to. Not 0: another thing is
/// mapped there now, or nothing is.
int platform_map_for_writing(void *_Nonnull address, size_t count, int descriptor, int64_t offset);

/// Which of 64 bytes are not 0, as bits: that of the first byte is the lowest.
static inline uint64_t platform_bits_of_bytes(const uint8_t *_Nonnull bytes) {
  typedef uint8_t sixteen_bytes __attribute__((vector_size(16)));
  typedef _Bool sixteen_bits __attribute__((ext_vector_type(16)));
  uint64_t result = 0;
  for (int part = 0; part < 4; part++) {
    sixteen_bytes answers;
    uint16_t bits;
    __builtin_memcpy(&answers, bytes + 16 * part, sizeof answers);
    const sixteen_bits packed = __builtin_convertvector(answers != 0, sixteen_bits);
    __builtin_memcpy(&bits, &packed, sizeof bits);
    result |= (uint64_t)bits << (16 * part);
  }
  return result;
}

#endif
