// Waiting for files to change: inotify where there is one. Layer: below everything. See waiting.h.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "waiting.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <poll.h>
#include <sys/inotify.h>
#endif

#include "signals.h"

int platform_open_folder_signals(const char *folder) {
#ifdef __linux__
  int descriptor = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (descriptor < 0) return -1;
  const uint32_t changes =
      IN_MODIFY | IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE;
  if (inotify_add_watch(descriptor, folder, changes) >= 0) return descriptor;
  close(descriptor);
#else
  (void)folder;
#endif
  return -1;
}

/// Sleeps until `descriptor`, where there is one, has something to read. An interrupt that is noted and came before is not
/// slept over.
static int sleep_on(int descriptor, int milliseconds) {
  sigset_t noted, before;
  sigemptyset(&noted);
  sigaddset(&noted, SIGINT);
  const int notes = platform_notes_interrupts();
  if (notes) pthread_sigmask(SIG_BLOCK, &noted, &before);
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  const sigset_t *mask = notes ? &before : NULL;
  int count = 0;
  if (!platform_interrupt_pending()) {
#ifdef __linux__
    struct pollfd waited = {descriptor, POLLIN, 0};
    count = ppoll(&waited, 1, &time, mask);
#else
    (void)descriptor;
    count = pselect(0, NULL, NULL, NULL, &time, mask);
#endif
  }
  if (notes) pthread_sigmask(SIG_SETMASK, &before, NULL);
  return count;
}

int platform_await_folder_signal(int descriptor, int milliseconds) {
  if (sleep_on(descriptor, milliseconds) <= 0) return 0;
  char events[4096];
  while (read(descriptor, events, sizeof events) > 0) continue;
  return 1;
}

void platform_close_folder_signals(int descriptor) {
  if (descriptor >= 0) close(descriptor);
}

void platform_pause(int milliseconds) { sleep_on(-1, milliseconds); }
