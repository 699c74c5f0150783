// An HTTP server whose requests are answered on other threads: libevent's evhttp on one thread, a queue to the others and one back.
// Layer: below RealmServer. Nothing here knows what is served or to whom.
// Invariants: only the thread in `web_server_run` touches libevent; every request that was taken is ended exactly once.
#ifndef CSERVER_SERVER_H
#define CSERVER_SERVER_H

#include <stddef.h>
#include <stdint.h>

typedef struct web_server web_server;
typedef struct web_request web_request;

typedef struct {
  /// Beyond so many connections the one that has been quiet longest is closed.
  int connections_max;
  /// Requests that wait for a thread; more are refused with status 503.
  int waiting_max;
  size_t header_size_max;
  size_t body_size_max;
  /// How long a connection may take to send a request, or be kept without one.
  int patience_seconds;
  /// The server ends after so long without a request; 0: never.
  int idle_seconds;
} web_limits;

/// Nil where memory or descriptors are short.
web_server *_Nullable web_server_create(const web_limits *_Nonnull limits);

/// Takes connections from a socket that listens. Nonzero on failure.
int web_server_listen(web_server *_Nonnull server, int descriptor);

/// Serves until nobody has asked for `idle_seconds` and nobody listens to events.
void web_server_run(web_server *_Nonnull server);

/// Waits for a request. Nil, once, when nobody has been connected for `patience_seconds`. Whoever takes one
/// lets go of it.
web_request *_Nullable web_server_take(web_server *_Nonnull server);

const char *_Nonnull web_request_method(const web_request *_Nonnull request);
/// Path and query as they came.
const char *_Nonnull web_request_target(const web_request *_Nonnull request);

enum { web_header_host, web_header_origin, web_header_cookie, web_header_type, web_header_count };

/// Nil where it did not come.
const char *_Nullable web_request_header(const web_request *_Nonnull request, int header);
const uint8_t *_Nullable web_request_body(const web_request *_Nonnull request, size_t *_Nonnull size);

/// The address of its `platform_work`, which is unwanted when the client has left; valid until the request is ended.
uintptr_t web_request_work(const web_request *_Nonnull request);

/// Answers and ends the request. `headers`: a line each, `Name: value\n`.
void web_request_reply(
    web_request *_Nonnull request, int status, const char *_Nonnull headers, const uint8_t *_Nullable body,
    size_t size);

/// Begins an answer that comes piece by piece. `is_feed`: it has no end of its own, and keeps the server running.
void web_request_begin(web_request *_Nonnull request, int status, const char *_Nonnull headers, int is_feed);

/// Sends a piece. Where too much is on its way already, waits, or fails for a feed. Nonzero: the client has left.
int web_request_send(web_request *_Nonnull request, const uint8_t *_Nonnull piece, size_t size);

/// Ends an answer that was begun. `is_broken`: it is not whole, which the client shall see.
void web_request_end(web_request *_Nonnull request, int is_broken);

/// Says that whoever took the request needs it no more.
void web_request_let_go(web_request *_Nonnull request);

/// A socket of family `AF_INET` or `AF_INET6` that listens on the loopback address, or a negative errno. Puts the port that it got
/// into `port`.
int web_listen_on_loopback(int family, uint16_t *_Nonnull port);

/// A socket that listens at `path`, which only its user may connect to, or a negative errno. A socket that nobody listens at is
/// replaced.
int web_listen_at_path(const char *_Nonnull path);

/// Gives memory that nobody uses back to the system.
void web_memory_return(void);

#endif
