// Taking part in the session of processes that have one realm open: counters in a mapped lock file, guarded by robust
// mutexes that stand in it. Layer: below everything.
// Invariants: no mutex is held when a function returns; while one is held, no signal ends the thread that holds it; a
// session that is left, by a call, by `exit` or by a signal, has no pin and does not count any more; after control-C
// nobody waits for a mutex but who leaves, nor, but for the turn to write, while a signal is held back that would end the
// process: that is EINTR.
#ifndef CPLATFORM_SESSIONS_H
#define CPLATFORM_SESSIONS_H

#include <stddef.h>
#include <stdint.h>

/// Where in a lock file things stand.
typedef struct {
  size_t write_mutex;
  size_t control_mutex;
  size_t versions_mutex;
  size_t commit_is_critical;
  size_t participant_count;
  size_t latest_version;
  size_t version_count;
  size_t sync_agent;
  size_t next_ticket;
  size_t served_ticket;
  size_t entry_count;
  size_t filling_entry;
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

/// Becomes the only one who may commit, until `platform_session_end_writing` or the session is left, on one thread. Waits up
/// to `timeout_ms`. 0, or a negative errno: ETIMEDOUT, EINTR after control-C, ECANCELED where a process ended in the midst of
/// a commit, EINVAL where the mutex is none of ours.
int platform_session_begin_writing(int slot, int timeout_ms);

void platform_session_end_writing(int slot);

/// What the readers of a session need.
typedef struct {
  /// The oldest version that somebody reads, and the oldest that somebody will go on from.
  uint64_t oldest;
  uint64_t oldest_live;
  uint64_t count;
} platform_session_readers;

/// Forgets the versions that nobody reads, and makes room in the list for one more; `descriptor` is the lock file's. Only
/// for who may commit, with the newest version pinned. 0, or a negative errno: ENOMEM where what is mapped is too short.
int platform_session_survey(
    int slot, int descriptor, int timeout_ms, platform_session_readers *_Nonnull readers);

/// Holds the mutex of the session, under which nobody can join it: for the time of a commit, on one thread.
int platform_session_hold(int slot, int timeout_ms);

void platform_session_release(int slot);

/// Adds a version to the list, for which `platform_session_survey` made room, and pins it instead of the one before.
int platform_session_publish(
    int slot, int timeout_ms, const platform_session_version *_Nonnull version);

/// Notes the number of the newest version, which those look at who wait for one, and that `count` are in the list. With the mutex
/// of the session held.
void platform_session_announce(int slot, uint64_t version, uint64_t count);

/// Makes the pipe at `descriptor`, if it is one, ready for those who wait for bytes in it.
void platform_wake_pipe(int descriptor);

/// Reads a number that other processes change.
static inline uint64_t platform_load_number(const void *_Nonnull address) {
  return __atomic_load_n((const uint64_t *)address, __ATOMIC_ACQUIRE);
}

#endif
