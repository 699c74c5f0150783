// Taking part in the session of processes that have one realm open: counters in a mapped lock file, guarded by robust
// mutexes that stand in it. Layer: below everything.
// Invariants: no mutex is held when a function returns; while one is held, no signal ends the thread that holds it; a
// session that is left, by a call, by `exit` or by a signal, has no pin and does not count any more.
#ifndef CPLATFORM_SESSIONS_H
#define CPLATFORM_SESSIONS_H

#include <stddef.h>
#include <stdint.h>

/// Where in a lock file things stand.
typedef struct {
  size_t control_mutex;
  size_t versions_mutex;
  size_t participant_count;
  size_t sync_agent;
  size_t entry_count;
  size_t newest_entry;
  size_t first_entry;
} platform_session_places;

/// A version of the data that the session keeps.
typedef struct {
  uint64_t version;
  uint64_t top;
  uint64_t file_size;
} platform_session_version;

/// Bytes of a mutex and of a condition variable that processes share; both 0 where this system's are not those that the
/// engines put into a lock file.
size_t platform_session_mutex_size(void);
size_t platform_session_condition_size(void);

/// Becomes one more participant of the session in `size` bytes at `lock_file`, which stay mapped until it is left. Waits
/// up to `timeout_ms`. Gives a slot, or a negative errno: ESRCH where there is no session, EPERM where it has a sync
/// agent, EINVAL where its mutexes are none of ours, ETIMEDOUT, and ENOSPC where this process is in too many.
int platform_session_join(
    uint8_t *_Nonnull lock_file, size_t size, const platform_session_places *_Nonnull places, int timeout_ms);

/// Has the session keep its newest version until it is left; once in a slot. 0, or a negative errno: ERANGE where the
/// list of versions does not lie in the bytes that are mapped.
int platform_session_pin(int slot, int timeout_ms, platform_session_version *_Nonnull version);

void platform_session_leave(int slot);

/// Reads a number that other processes change.
static inline uint64_t platform_load_number(const void *_Nonnull address) {
  return __atomic_load_n((const uint64_t *)address, __ATOMIC_ACQUIRE);
}

#endif
