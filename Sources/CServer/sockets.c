// Sockets that listen on this machine alone. See server.h.
#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { backlog = 128 };

static int failed(int descriptor) {
  int error = errno;
  if (descriptor >= 0) close(descriptor);
  return -error;
}

static int open_socket(int family) {
  int descriptor = socket(family, SOCK_STREAM, 0);
  if (descriptor < 0) return -1;
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  return descriptor;
}

int web_listen_on_loopback(int family, uint16_t *port) {
  int descriptor = open_socket(family);
  if (descriptor < 0) return failed(descriptor);
  int on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  // Connections inherit it: the last piece of an answer does not wait until the client, who delays that for 40 ms, has confirmed the
  // first.
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  struct sockaddr_in v4 = {0};
  struct sockaddr_in6 v6 = {0};
  v4.sin_family = AF_INET;
  v4.sin_port = htons(*port);
  v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(*port);
  v6.sin6_addr = in6addr_loopback;
  struct sockaddr *address = family == AF_INET ? (struct sockaddr *)&v4 : (struct sockaddr *)&v6;
  socklen_t size = family == AF_INET ? sizeof v4 : sizeof v6;
  if (bind(descriptor, address, size) != 0 || listen(descriptor, backlog) != 0) return failed(descriptor);
  if (getsockname(descriptor, address, &size) != 0) return failed(descriptor);
  *port = ntohs(family == AF_INET ? v4.sin_port : v6.sin6_port);
  return descriptor;
}

int web_listen_at_path(const char *path) {
  struct sockaddr_un address = {0};
  address.sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address.sun_path) return -ENAMETOOLONG;
  strcpy(address.sun_path, path);

  struct stat status;
  if (lstat(path, &status) == 0 && S_ISSOCK(status.st_mode)) {
    int probe = open_socket(AF_UNIX);
    if (probe < 0) return failed(probe);
    int is_dead = connect(probe, (struct sockaddr *)&address, sizeof address) != 0 && errno == ECONNREFUSED;
    close(probe);
    if (is_dead) unlink(path);
  }

  int descriptor = open_socket(AF_UNIX);
  if (descriptor < 0) return failed(descriptor);
  // The mode counts from the moment at which the name is there.
  mode_t former = umask(0177);
  int result = bind(descriptor, (struct sockaddr *)&address, sizeof address);
  umask(former);
  if (result != 0 || listen(descriptor, backlog) != 0) return failed(descriptor);
  return descriptor;
}
