// What Swift cannot say safely: atomics on raw bytes and signal handlers. Layer: below everything.
#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <stdint.h>

#include "endings.h"
#include "processes.h"
#include "pseudo_terminal.h"
#include "signals.h"
#include "terminal.h"

/// Reads a byte flag that another thread may set; pairs with `platform_publish_flag`.
static inline uint8_t platform_load_flag(const uint8_t *_Nonnull flag) {
  return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

/// Sets a byte flag after everything written before it.
static inline void platform_publish_flag(uint8_t *_Nonnull flag, uint8_t value) {
  __atomic_store_n(flag, value, __ATOMIC_RELEASE);
}

/// Asks for the cache line at `address`; any address will do.
static inline void platform_prefetch(const void *_Nonnull address) {
  __builtin_prefetch(address, 0, 3);
}

/// The same, to come as near as the second cache.
static inline void platform_prefetch_to_second_cache(const void *_Nonnull address) {
  __builtin_prefetch(address, 0, 2);
}

#endif
