// See connections.h.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "connections.h"

#include <poll.h>
#include <string.h>
#include <sys/stat.h>

static unsigned long long identity(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 ? (unsigned long long)status.st_ino : 0;
}

void web_connections_add_listener(web_connections *connections, int descriptor) {
  if (connections->listener_count == listeners_max) return;
  int index = connections->listener_count++;
  connections->listener_sizes[index] = sizeof connections->listeners[index];
  getsockname(
      descriptor, (struct sockaddr *)&connections->listeners[index], &connections->listener_sizes[index]);
}

void web_connections_set_busy(web_connections *connections, int descriptor, int is_busy, long now) {
  if (descriptor < 0 || descriptor >= descriptors_max) return;
  connections->known[descriptor].identity = identity(descriptor);
  connections->known[descriptor].quiet_since = now;
  connections->known[descriptor].is_busy = is_busy;
}

/// Whether it is a connection that one of the listeners made.
static int is_connection(const web_connections *connections, int descriptor) {
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  if (getpeername(descriptor, (struct sockaddr *)&address, &size) != 0) return 0;
  memset(&address, 0, sizeof address);
  size = sizeof address;
  if (getsockname(descriptor, (struct sockaddr *)&address, &size) != 0) return 0;
  for (int index = 0; index < connections->listener_count; index++) {
    if (size == connections->listener_sizes[index] && memcmp(&address, &connections->listeners[index], size) == 0) {
      return 1;
    }
  }
  return 0;
}

/// Whether the client has closed its end, whatever of its requests is still to be read.
static int has_left(int descriptor) {
#ifdef POLLRDHUP
  struct pollfd ending = {.fd = descriptor, .events = POLLRDHUP};
#else
  struct pollfd ending = {.fd = descriptor};
#endif
  return poll(&ending, 1, 0) > 0;
}

int web_connections_survey(web_connections *connections, long now, int patience, int count_max) {
  int count = 0;
  for (int descriptor = 3; descriptor < descriptors_max; descriptor++) {
    connections->known[descriptor].is_open = is_connection(connections, descriptor);
    if (!connections->known[descriptor].is_open) continue;
    if (connections->known[descriptor].identity != identity(descriptor)) {
      web_connections_set_busy(connections, descriptor, 0, now);
    }
    // It makes room before any other does, and not a new one, whose client waits.
    if (has_left(descriptor)) web_connections_set_busy(connections, descriptor, 0, 0);
    count++;
  }
  // Room for several, so that not every new one makes all be looked at.
  int count_left = count > count_max ? count_max * 3 / 4 : count;
  for (;;) {
    int quietest = -1;
    for (int descriptor = 3; descriptor < descriptors_max; descriptor++) {
      if (!connections->known[descriptor].is_open || connections->known[descriptor].is_busy) continue;
      if (quietest < 0
          || connections->known[descriptor].quiet_since < connections->known[quietest].quiet_since) {
        quietest = descriptor;
      }
    }
    if (quietest < 0) return count;
    if (count <= count_left && now - connections->known[quietest].quiet_since <= patience) return count;
    // evhttp reads the end of the connection and closes it.
    shutdown(quietest, SHUT_RDWR);
    connections->known[quietest].is_open = 0;
    count--;
  }
}
