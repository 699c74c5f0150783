// Waiting for files to change: inotify where there is one. Layer: below everything. See waiting.h.
#include "waiting.h"

#include <fcntl.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/inotify.h>
#endif

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

int platform_await_folder_signal(int descriptor, int milliseconds) {
  struct pollfd waited = {descriptor, POLLIN, 0};
  if (poll(&waited, 1, milliseconds) <= 0) return 0;
  char events[4096];
  while (read(descriptor, events, sizeof events) > 0) continue;
  return 1;
}

void platform_close_folder_signals(int descriptor) {
  if (descriptor >= 0) close(descriptor);
}

void platform_pause(int milliseconds) {
  struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  nanosleep(&pause, NULL);
}
