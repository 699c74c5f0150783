// What Swift's mutexes on Linux are made of, in name only. See check.
#include <stdint.h>

static inline uint32_t _swift_stdlib_gettid(void) { return 0; }
static inline uint32_t _swift_stdlib_futex_lock(uint32_t *lock) { return *lock; }
static inline uint32_t _swift_stdlib_futex_trylock(uint32_t *lock) { return *lock; }
static inline uint32_t _swift_stdlib_futex_unlock(uint32_t *lock) { return *lock; }
