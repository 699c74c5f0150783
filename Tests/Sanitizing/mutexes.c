// Tells the thread sanitizer what it cannot see of the standard library's Mutex on Linux. Preloaded by Tests/sanitize.
// A mutex that is free is taken and given back by atomic operations in code that the sanitizer looks at. One that others hold
// is waited for inside the library, which it does not look at, and handed over by the kernel: without these functions, which
// stand in front of the library's, it knows no order between the two threads.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// Missing in processes without the sanitizer.
__attribute__((weak)) void __tsan_acquire(void *place);
__attribute__((weak)) void __tsan_release(void *place);

#define SELF __attribute__((swift_context)) void *self
#define SWIFT __attribute__((swiftcall))

typedef SWIFT void lock_function(uint32_t thread, SELF);
typedef SWIFT void unlock_function(SELF);
typedef SWIFT bool try_lock_function(SELF);

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"

/// What the library has of that name.
static void *original(const char *name) { return dlsym(RTLD_NEXT, name); }

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK_SLOW);
SWIFT void lock_slow(uint32_t thread, SELF) {
  ((lock_function *)original(LOCK_SLOW))(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT void unlock_slow(SELF) __asm__(UNLOCK_SLOW);
SWIFT void unlock_slow(SELF) {
  if (__tsan_release) __tsan_release(self);
  ((unlock_function *)original(UNLOCK_SLOW))(self);
}

SWIFT bool try_lock_slow(SELF) __asm__(TRY_LOCK_SLOW);
SWIFT bool try_lock_slow(SELF) {
  bool is_locked = ((try_lock_function *)original(TRY_LOCK_SLOW))(self);
  if (is_locked && __tsan_acquire) __tsan_acquire(self);
  return is_locked;
}
