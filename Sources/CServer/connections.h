// Which connections there are, and which of them have been quiet too long. See server.h.
// evhttp tells nobody when a connection ends, and waits for ever for a request that comes a byte at a time. So sockets are
// looked at as the system knows them: every second while there are any, and when many were made.
#ifndef CSERVER_CONNECTIONS_H
#define CSERVER_CONNECTIONS_H

#include <sys/socket.h>

enum { listeners_max = 2, descriptors_max = 4096 };

typedef struct {
  struct sockaddr_storage listeners[listeners_max];
  socklen_t listener_sizes[listeners_max];
  int listener_count;
  struct {
    /// Of the socket, so that another one under the same number is seen to be another.
    unsigned long long identity;
    long quiet_since;
    int is_busy;
    int is_open;
  } known[descriptors_max];
} web_connections;

void web_connections_add_listener(web_connections *connections, int descriptor);

/// A request on it is being answered, or its answer has been handed on.
void web_connections_set_busy(web_connections *connections, int descriptor, int is_busy, long now);

/// Ends connections that have been quiet for more than `patience` seconds, and the quietest while there are more than `count_max`.
/// Gives how many are left.
int web_connections_survey(web_connections *connections, long now, int patience, int count_max);

#endif
