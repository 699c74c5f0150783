// Locked memory and core files. Layer: below everything. See secrets.h.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "secrets.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static pthread_mutex_t secrets_lock = PTHREAD_MUTEX_INITIALIZER;
static int secret_count;
static struct rlimit former_core_limit;
#ifdef __linux__
static int former_dumpable;
#endif

static void forbid_core_files(void) {
  pthread_mutex_lock(&secrets_lock);
  if (secret_count++ == 0) {
    if (getrlimit(RLIMIT_CORE, &former_core_limit) == 0) {
      struct rlimit none = {.rlim_cur = 0, .rlim_max = former_core_limit.rlim_max};
      setrlimit(RLIMIT_CORE, &none);
    }
#ifdef __linux__
    // A core file that goes to a program has no limit.
    former_dumpable = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
    if (former_dumpable == 1) prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
  }
  pthread_mutex_unlock(&secrets_lock);
}

static void allow_core_files(void) {
  pthread_mutex_lock(&secrets_lock);
  if (--secret_count == 0) {
    setrlimit(RLIMIT_CORE, &former_core_limit);
#ifdef __linux__
    if (former_dumpable == 1) prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
#endif
  }
  pthread_mutex_unlock(&secrets_lock);
}

void *platform_take_secret_memory(size_t size) {
  void *start = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return NULL;
  forbid_core_files();
  // A user may lock only so much; the rest of the care does not depend on it.
  mlock(start, size);
#ifdef MADV_DONTDUMP
  madvise(start, size, MADV_DONTDUMP);
#endif
  return start;
}

void platform_give_secret_memory_back(void *start, size_t size) {
  platform_wipe(start, size);
  munmap(start, size);
  allow_core_files();
}

void platform_wipe(void *start, size_t size) {
  memset(start, 0, size);
  // The bytes count as read, so that writing them has a purpose.
  __asm__ volatile("" : : "r"(start) : "memory");
}
