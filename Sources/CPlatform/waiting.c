// Waiting for files to change: inotify where there is one. Layer: below everything. See waiting.h.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "waiting.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <poll.h>
#include <sys/inotify.h>
#endif

#include "signals.h"

enum { rounds_max = 16 };

#ifdef __linux__
static const uint32_t changes =
    IN_MODIFY | IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_Q_OVERFLOW;
#endif

int platform_open_folder_signals(const char *folder) {
#ifdef __linux__
  int descriptor = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (descriptor < 0) return -1;
  if (inotify_add_watch(descriptor, folder, changes | IN_OPEN) >= 0) return descriptor;
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

#ifdef __linux__
/// What the events in `bytes` tell of files whose names begin with `name`.
static int told(const char *bytes, size_t size, const char *name) {
  const size_t name_size = strlen(name);
  int what = 0;
  struct inotify_event event;
  for (size_t place = 0; place + sizeof event <= size; place += sizeof event + event.len) {
    memcpy(&event, bytes + place, sizeof event);
    const int is_concerned = event.mask & IN_Q_OVERFLOW ||
                             (event.len > name_size && memcmp(bytes + place + sizeof event, name, name_size) == 0);
    if (is_concerned) what |= event.mask & changes ? platform_folder_changed : platform_folder_opened;
  }
  return what;
}
#endif

int platform_await_folder_signal(int descriptor, int milliseconds, const char *name) {
  if (sleep_on(descriptor, milliseconds) <= 0) return 0;
  int what = 0;
#ifdef __linux__
  // Others may go on for ever.
  for (int round = 0; round < rounds_max; round++) {
    char bytes[4096];
    ssize_t size = read(descriptor, bytes, sizeof bytes);
    if (size <= 0) break;
    what |= told(bytes, (size_t)size, name);
  }
#else
  (void)name;
#endif
  return what;
}

void platform_close_folder_signals(int descriptor) {
  if (descriptor >= 0) close(descriptor);
}

void platform_pause(int milliseconds) { sleep_on(-1, milliseconds); }
