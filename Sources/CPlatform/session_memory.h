// What sessions.c and session_commits.c share: the processes' list of versions, and our part in a session.
// Layer: below everything; not seen by Swift.
#ifndef CPLATFORM_SESSION_MEMORY_H
#define CPLATFORM_SESSION_MEMORY_H

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "sessions.h"

// Other libraries' mutexes of the same size look different inside, and other systems' stand in files of their own.
#if defined(__linux__) && defined(__GLIBC__) && defined(__LP64__)
#define HAS_SESSIONS 1
#else
#define HAS_SESSIONS 0
#endif

#if HAS_SESSIONS

enum { session_count_max = 16 };

/// One version in the list: as the reference engine lays it out.
typedef struct {
  uint64_t version;
  uint64_t file_size;
  uint64_t top;
  uint32_t live_count;
  uint32_t frozen_count;
  uint32_t full_count;
} list_entry;

typedef struct {
  int state;
  uint8_t *lock_file;
  size_t size;
  platform_session_places places;
  int is_pinned;
  uint32_t pinned_entry;
  uint64_t pinned_version;
  int is_writing;
} session;

extern session platform_sessions[session_count_max];

static inline pthread_mutex_t *mutex_at(const session *session, size_t place) {
  return (pthread_mutex_t *)(void *)(session->lock_file + place);
}

static inline uint32_t *count_at(const session *session, size_t place) {
  return (uint32_t *)(void *)(session->lock_file + place);
}

static inline uint64_t *number_at(const session *session, size_t place) {
  return (uint64_t *)(void *)(session->lock_file + place);
}

static inline list_entry *entries_of(const session *session) {
  return (list_entry *)(void *)(session->lock_file + session->places.first_entry);
}

static inline size_t room_for_entries(const session *session) {
  return (session->size - session->places.first_entry) / sizeof(list_entry);
}

/// The kind that a robust mutex has which processes share; anything else would be locked by other rules.
int platform_shared_mutex_kind(void);

/// Takes the mutex with all signals blocked; `signals` keeps what was blocked before. 0 or a negative errno.
int platform_take_mutex(pthread_mutex_t *mutex, int timeout_ms, sigset_t *signals);

void platform_give_mutex_back(pthread_mutex_t *mutex, const sigset_t *signals);

#endif
#endif
