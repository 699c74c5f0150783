// Participants, pins and mutexes of a mapped lock file. Layer: below everything. See sessions.h.
// A mutex is tried, never waited for: so signals wait no longer than one short critical section, and a lock file whose
// mutex says that a process holds it which does not exist holds nobody up.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "session_memory.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "restore.h"
#include "signals.h"

#if HAS_SESSIONS

enum { leaving_ms = 200, first_pause_us = 50, longest_pause_us = 2000 };
enum { slot_free, slot_claimed, slot_active, slot_leaving };

session platform_sessions[session_count_max];

size_t platform_session_mutex_size(void) { return sizeof(pthread_mutex_t); }
size_t platform_session_condition_size(void) { return sizeof(pthread_cond_t); }

int platform_shared_mutex_kind(void) {
  pthread_mutexattr_t attributes;
  pthread_mutex_t mutex;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
  return mutex.__data.__kind;
}

static void pause_for(long microseconds) {
  struct timespec pause = {microseconds / 1000000, microseconds % 1000000 * 1000};
  nanosleep(&pause, NULL);
}

/// Whether what runs is to end: by an interrupt that was noted, or by a signal that is held back.
static int is_end_wanted(void) {
  if (platform_interrupt_pending()) return 1;
  sigset_t pending;
  if (sigpending(&pending) != 0) return 0;
  for (int index = 0; index < platform_end_signal_count; index++) {
    int signal_number = platform_end_signals[index];
    if (sigismember(&pending, signal_number) != 1) continue;
    // One that is ignored is pending too as long as it is held back.
    struct sigaction action;
    if (sigaction(signal_number, NULL, &action) == 0 && action.sa_handler != SIG_IGN) return 1;
  }
  return 0;
}

/// `gives_up`: with EINTR, where the mutex is not free and what runs is to end.
static int take_mutex(pthread_mutex_t *mutex, int timeout_ms, int gives_up, sigset_t *signals) {
  sigset_t all;
  sigfillset(&all);
  // A fault must not be met with its signal blocked: that ends the process without a word.
  sigdelset(&all, SIGBUS);
  sigdelset(&all, SIGSEGV);
  long waited_us = 0;
  for (long pause_us = first_pause_us;;) {
    pthread_sigmask(SIG_BLOCK, &all, signals);
    int failure = pthread_mutex_trylock(mutex);
    if (failure == EOWNERDEAD) failure = pthread_mutex_consistent(mutex);
    if (failure == 0) return 0;
    pthread_sigmask(SIG_SETMASK, signals, NULL);
    if (failure != EBUSY) return -failure;
    if (gives_up && is_end_wanted()) return -EINTR;
    if (waited_us >= 1000L * timeout_ms) return -ETIMEDOUT;
    pause_for(pause_us);
    waited_us += pause_us;
    if (pause_us < longest_pause_us) pause_us *= 2;
  }
}

int platform_take_mutex(pthread_mutex_t *mutex, int timeout_ms, sigset_t *signals) {
  return take_mutex(mutex, timeout_ms, 1, signals);
}

void platform_give_mutex_back(pthread_mutex_t *mutex, const sigset_t *signals) {
  pthread_mutex_unlock(mutex);
  pthread_sigmask(SIG_SETMASK, signals, NULL);
}

static void unpin(session *session, int timeout_ms) {
  if (!session->is_pinned) return;
  session->is_pinned = 0;
  pthread_mutex_t *mutex = mutex_at(session, session->places.versions_mutex);
  sigset_t signals;
  if (take_mutex(mutex, timeout_ms, 0, &signals) != 0) return;
  list_entry *entry = entries_of(session) + session->pinned_entry;
  if (entry->version == session->pinned_version && entry->live_count > 0) entry->live_count -= 1;
  platform_give_mutex_back(mutex, &signals);
}

static void leave(session *session, int timeout_ms) {
  int expected = slot_active;
  // A signal may come while it is left already.
  if (!__atomic_compare_exchange_n(
          &session->state, &expected, slot_leaving, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    return;
  }
  unpin(session, timeout_ms);
  platform_session_end_writing((int)(session - platform_sessions));
  pthread_mutex_t *mutex = mutex_at(session, session->places.control_mutex);
  sigset_t signals;
  if (take_mutex(mutex, timeout_ms, 0, &signals) == 0) {
    uint32_t *count = count_at(session, session->places.participant_count);
    if (*count > 0) *count -= 1;
    platform_give_mutex_back(mutex, &signals);
  }
  __atomic_store_n(&session->state, slot_free, __ATOMIC_RELEASE);
}

/// Somebody who was stopped with a mutex keeps nobody from ending.
void platform_leave_sessions(void) {
  for (int slot = 0; slot < session_count_max; slot++) leave(platform_sessions + slot, leaving_ms);
}

static void leave_at_exit(void) { atexit(platform_leave_sessions); }

static int claim_slot(void) {
  for (int slot = 0; slot < session_count_max; slot++) {
    int expected = slot_free;
    if (__atomic_compare_exchange_n(
            &platform_sessions[slot].state, &expected, slot_claimed, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
      return slot;
    }
  }
  return -ENOSPC;
}

/// Counts this process, if there is a session that it may take part in. 0 or a negative errno.
static int enter(session *session, int timeout_ms) {
  const int kind = platform_shared_mutex_kind();
  pthread_mutex_t *control = mutex_at(session, session->places.control_mutex);
  if (control->__data.__kind != kind) return -EINVAL;
  if (mutex_at(session, session->places.versions_mutex)->__data.__kind != kind) return -EINVAL;
  sigset_t signals;
  int result = platform_take_mutex(control, timeout_ms, &signals);
  if (result != 0) return result;
  uint32_t *count = count_at(session, session->places.participant_count);
  if (*count == 0) {
    result = -ESRCH;
  } else if (session->lock_file[session->places.sync_agent]) {
    result = -EPERM;
  } else {
    *count += 1;
    __atomic_store_n(&session->state, slot_active, __ATOMIC_RELEASE);
  }
  platform_give_mutex_back(control, &signals);
  return result;
}

int platform_session_join(
    uint8_t *lock_file, size_t size, const platform_session_places *places, int timeout_ms) {
  static pthread_once_t is_prepared = PTHREAD_ONCE_INIT;
  int slot = claim_slot();
  if (slot < 0) return slot;
  pthread_once(&is_prepared, leave_at_exit);
  session *session = platform_sessions + slot;
  session->lock_file = lock_file;
  session->size = size;
  session->places = *places;
  session->is_pinned = 0;
  session->is_writing = 0;
  int result = enter(session, timeout_ms);
  if (result == 0) return slot;
  __atomic_store_n(&session->state, slot_free, __ATOMIC_RELEASE);
  return result;
}

int platform_session_pin(int slot, int timeout_ms, platform_session_version *version) {
  session *session = platform_sessions + slot;
  pthread_mutex_t *mutex = mutex_at(session, session->places.versions_mutex);
  sigset_t signals;
  int result = platform_take_mutex(mutex, timeout_ms, &signals);
  if (result != 0) return result;
  uint32_t newest = *count_at(session, session->places.newest_entry);
  if (newest >= *count_at(session, session->places.entry_count) || newest >= room_for_entries(session)) {
    result = -ERANGE;
  } else {
    list_entry *entry = entries_of(session) + newest;
    version->version = session->pinned_version = entry->version;
    version->top = entry->top;
    version->file_size = entry->file_size;
    session->pinned_entry = newest;
    entry->live_count += 1;
    session->is_pinned = 1;
  }
  platform_give_mutex_back(mutex, &signals);
  return result;
}

void platform_session_leave(int slot) { leave(platform_sessions + slot, leaving_ms); }

#else

size_t platform_session_mutex_size(void) { return 0; }
size_t platform_session_condition_size(void) { return 0; }

void platform_leave_sessions(void) {}

int platform_session_join(
    uint8_t *lock_file, size_t size, const platform_session_places *places, int timeout_ms) {
  (void)lock_file, (void)size, (void)places, (void)timeout_ms;
  return -EINVAL;
}

int platform_session_pin(int slot, int timeout_ms, platform_session_version *version) {
  (void)slot, (void)timeout_ms, (void)version;
  return -EINVAL;
}

void platform_session_leave(int slot) { (void)slot; }

#endif
