// Committing in the session of a mapped lock file: the turn to write, the versions that are still read, and the new one.
// Layer: below everything. See sessions.h.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "session_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "signals.h"

void platform_wake_pipe(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISFIFO(status.st_mode)) return;
  // A pipe that has bytes in it already does not become ready once more.
  char bytes[1024];
  for (int round = 0; round < 64 && read(descriptor, bytes, sizeof bytes) > 0; round++) {
  }
  bytes[0] = 0;
  if (write(descriptor, bytes, 1) != 1) return;
}

#if HAS_SESSIONS

enum { entries_added = 32, waiting_step_ms = 100 };

/// A moment that many milliseconds from now, of the clock by which mutexes wait.
static struct timespec moment_after(int milliseconds) {
  struct timespec moment;
  clock_gettime(CLOCK_REALTIME, &moment);
  moment.tv_sec += milliseconds / 1000;
  moment.tv_nsec += milliseconds % 1000 * 1000000L;
  if (moment.tv_nsec >= 1000000000L) {
    moment.tv_nsec -= 1000000000L;
    moment.tv_sec += 1;
  }
  return moment;
}

/// Takes the mutex when its owner gives it back. Here it is waited for in the system's queue: who only tried it would come
/// too late each time where several apps commit one after the other.
static int await_mutex(pthread_mutex_t *mutex, int timeout_ms) {
  for (int rest = timeout_ms;; rest -= waiting_step_ms) {
    struct timespec end = moment_after(rest < waiting_step_ms ? rest : waiting_step_ms);
    int failure = pthread_mutex_timedlock(mutex, &end);
    if (failure == EOWNERDEAD) failure = pthread_mutex_consistent(mutex);
    if (failure != ETIMEDOUT || rest <= waiting_step_ms) return -failure;
    if (platform_interrupt_pending()) return -EINTR;
  }
}

int platform_session_begin_writing(int slot, int timeout_ms) {
  session *session = platform_sessions + slot;
  pthread_mutex_t *mutex = mutex_at(session, session->places.write_mutex);
  if (mutex->__data.__kind != platform_shared_mutex_kind()) return -EINVAL;
  // Writers that take the mutex before their turn wait again, so that nobody waits for ever.
  uint32_t ticket = __atomic_fetch_add(count_at(session, session->places.next_ticket), 1, __ATOMIC_RELAXED);
  int result = await_mutex(mutex, timeout_ms);
  if (result != 0) return result;
  if (session->lock_file[session->places.commit_is_critical]) {
    pthread_mutex_unlock(mutex);
    return -ECANCELED;
  }
  __atomic_store_n(count_at(session, session->places.served_ticket), ticket, __ATOMIC_RELAXED);
  session->is_writing = 1;
  return 0;
}

/// A thread that did not take the mutex cannot give it back; it is free when the process ends.
void platform_session_end_writing(int slot) {
  session *session = platform_sessions + slot;
  if (!session->is_writing) return;
  session->is_writing = 0;
  __atomic_fetch_add(count_at(session, session->places.served_ticket), 1, __ATOMIC_RELAXED);
  // Who waits for his turn looks again after half a second. He is not woken: where a process was killed that waited, to wake
  // the others would never end.
  pthread_mutex_unlock(mutex_at(session, session->places.write_mutex));
}

static void forget(list_entry *entry) {
  entry->top = entry->file_size = UINT64_MAX;
  entry->live_count = entry->frozen_count = entry->full_count = 0;
  entry->version = 0;
}

/// Drops what nobody reads. Whoever keeps all versions from one on keeps those behind it.
static void purge(session *session, uint32_t count, platform_session_readers *readers) {
  list_entry *entries = entries_of(session);
  uint32_t newest = *count_at(session, session->places.newest_entry);
  uint32_t filling = *count_at(session, session->places.filling_entry);
  // Somebody ended before the entry that he filled was the newest.
  if (filling != newest && filling < count) forget(entries + filling);
  uint64_t oldest_full = UINT64_MAX;
  for (uint32_t index = 0; index < count; index++) {
    const list_entry *entry = entries + index;
    if (entry->version && entry->full_count && entry->version < oldest_full) oldest_full = entry->version;
  }
  readers->oldest = readers->oldest_live = UINT64_MAX;
  readers->count = 0;
  for (uint32_t index = 0; index < count; index++) {
    list_entry *entry = entries + index;
    if (!entry->version) continue;
    int is_live = entry->live_count || entry->version >= oldest_full || index == newest;
    if (!is_live && !entry->frozen_count) {
      forget(entry);
      continue;
    }
    readers->count += 1;
    if (entry->version < readers->oldest) readers->oldest = entry->version;
    if (is_live && entry->version < readers->oldest_live) readers->oldest_live = entry->version;
  }
}

static int has_room(const session *session, uint32_t count) {
  const list_entry *entries = entries_of(session);
  for (uint32_t index = 0; index < count; index++) {
    if (!entries[index].version) return 1;
  }
  return 0;
}

/// Lengthens the list; whoever has mapped less of it maps it again.
static int lengthen(session *session, int descriptor, uint32_t count) {
  uint32_t wanted = count + entries_added;
  if (wanted > room_for_entries(session)) return -ENOMEM;
  size_t size = session->places.first_entry + wanted * sizeof(list_entry);
  int failure;
  do failure = posix_fallocate(descriptor, 0, (off_t)size);
  while (failure == EINTR);
  if (failure != 0) return -failure;
  for (uint32_t index = count; index < wanted; index++) forget(entries_of(session) + index);
  __atomic_store_n(count_at(session, session->places.entry_count), wanted, __ATOMIC_RELEASE);
  return 0;
}

int platform_session_survey(
    int slot, int descriptor, int timeout_ms, platform_session_readers *readers) {
  session *session = platform_sessions + slot;
  pthread_mutex_t *mutex = mutex_at(session, session->places.versions_mutex);
  sigset_t signals;
  int result = platform_take_mutex(mutex, timeout_ms, &signals);
  if (result != 0) return result;
  uint32_t count = *count_at(session, session->places.entry_count);
  if (count > room_for_entries(session)) {
    result = -ENOMEM;
  } else {
    purge(session, count, readers);
    if (!has_room(session, count)) result = lengthen(session, descriptor, count);
  }
  platform_give_mutex_back(mutex, &signals);
  return result;
}

int platform_session_hold(int slot, int timeout_ms) {
  session *session = platform_sessions + slot;
  sigset_t signals;
  int result = platform_take_mutex(mutex_at(session, session->places.control_mutex), timeout_ms, &signals);
  // A commit holds back the signals that would end the process; what ends it all the same frees the mutex.
  if (result == 0) pthread_sigmask(SIG_SETMASK, &signals, NULL);
  return result;
}

void platform_session_release(int slot) {
  pthread_mutex_unlock(mutex_at(platform_sessions + slot, platform_sessions[slot].places.control_mutex));
}

int platform_session_publish(int slot, int timeout_ms, const platform_session_version *version) {
  session *session = platform_sessions + slot;
  pthread_mutex_t *mutex = mutex_at(session, session->places.versions_mutex);
  sigset_t signals;
  int result = platform_take_mutex(mutex, timeout_ms, &signals);
  if (result != 0) return result;
  list_entry *entries = entries_of(session);
  uint32_t count = *count_at(session, session->places.entry_count);
  uint32_t index = 0;
  while (index < count && entries[index].version) index += 1;
  if (index == count) {
    result = -ENOMEM;
  } else {
    // Who ends between two of these steps leaves a list in which the entry is not the newest, and is forgotten.
    __atomic_store_n(count_at(session, session->places.filling_entry), index, __ATOMIC_SEQ_CST);
    list_entry *entry = entries + index;
    entry->top = version->top;
    entry->file_size = version->file_size;
    entry->live_count = 1;
    entry->frozen_count = entry->full_count = 0;
    __atomic_store_n(&entry->version, version->version, __ATOMIC_SEQ_CST);
    __atomic_store_n(count_at(session, session->places.newest_entry), index, __ATOMIC_SEQ_CST);
    list_entry *former = entries + session->pinned_entry;
    if (session->is_pinned && former->version == session->pinned_version && former->live_count > 0) {
      former->live_count -= 1;
    }
    session->pinned_entry = index;
    session->pinned_version = version->version;
    session->is_pinned = 1;
  }
  platform_give_mutex_back(mutex, &signals);
  return result;
}

void platform_session_announce(int slot, uint64_t version, uint64_t count) {
  session *session = platform_sessions + slot;
  __atomic_store_n(number_at(session, session->places.version_count), count, __ATOMIC_SEQ_CST);
  __atomic_store_n(number_at(session, session->places.latest_version), version, __ATOMIC_SEQ_CST);
}

#else

int platform_session_begin_writing(int slot, int timeout_ms) {
  (void)slot, (void)timeout_ms;
  return -EINVAL;
}

void platform_session_end_writing(int slot) { (void)slot; }

int platform_session_survey(
    int slot, int descriptor, int timeout_ms, platform_session_readers *readers) {
  (void)slot, (void)descriptor, (void)timeout_ms, (void)readers;
  return -EINVAL;
}

int platform_session_hold(int slot, int timeout_ms) {
  (void)slot, (void)timeout_ms;
  return -EINVAL;
}

void platform_session_release(int slot) { (void)slot; }

int platform_session_publish(int slot, int timeout_ms, const platform_session_version *version) {
  (void)slot, (void)timeout_ms, (void)version;
  return -EINVAL;
}

void platform_session_announce(int slot, uint64_t version, uint64_t count) {
  (void)slot, (void)version, (void)count;
}

#endif
