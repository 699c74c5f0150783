// See server.h.
#include "server.h"

#include <errno.h>
#include <CPlatform.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "connections.h"

/// Bytes of an answer that may be on their way at once.
enum { unsent_max = 1 << 20 };

/// Blocks of so many bytes are mapped on their own.
enum { mapped_block_min = 1 << 18 };

static const char *const header_names[web_header_count] = {"Host", "Origin", "Cookie", "Content-Type"};

struct web_request {
  web_server *server;
  /// The server until it has answered, and whoever took the request.
  int holders;
  /// Only for the server's thread.
  struct evhttp_request *http;
  struct evhttp_connection *connection;
  struct event *closing;
  int descriptor;
  /// What came.
  char *method;
  char *target;
  char *headers[web_header_count];
  uint8_t *body;
  size_t body_size;
  platform_work work;
  int is_feed;
  /// Whether only the head of an answer is wanted.
  int is_head;
  /// Under the server's lock.
  size_t unsent;
  web_request *next;
};

/// What another thread wants done.
typedef struct web_order {
  enum { order_reply, order_begin, order_send, order_end, order_break } kind;
  web_request *request;
  int status;
  char *headers;
  struct evbuffer *content;
  struct web_order *next;
} web_order;

struct web_server {
  web_limits limits;
  struct event_base *base;
  struct evhttp *http;
  struct event *ordered;
  struct event *survey;
  struct event *idle;
  int pipe[2];
  web_connections connections;
  int connections_guess;
  int is_surveying;
  /// Seconds since the last connection ended.
  int empty_seconds;
  int feed_count;
  long last_request;
  pthread_mutex_t lock;
  pthread_cond_t has_request;
  pthread_cond_t has_sent;
  web_request *first_waiting, *last_waiting;
  int waiting_count;
  /// To be told to one thread.
  int is_deserted;
  web_order *first_order, *last_order;
};

static long now_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (long)time.tv_sec;
}

// MARK: The server's thread

static void forget_connection(web_request *request) {
  if (request->closing) event_free(request->closing);
  request->closing = NULL;
  if (request->connection) evhttp_connection_set_closecb(request->connection, NULL, NULL);
  if (request->connection) {
    web_connections_set_busy(&request->server->connections, request->descriptor, 0, now_seconds());
  }
  request->connection = NULL;
}

static void note_left(web_request *request) {
  web_server *server = request->server;
  pthread_mutex_lock(&server->lock);
  __atomic_store_n(&request->work.is_unwanted, 1, __ATOMIC_RELAXED);
  pthread_cond_broadcast(&server->has_sent);
  pthread_mutex_unlock(&server->lock);
}

/// The client has closed its end.
static void on_closing(evutil_socket_t descriptor, short what, void *argument) {
  (void)descriptor, (void)what;
  web_request *request = argument;
  if (request->closing) event_free(request->closing);
  request->closing = NULL;
  note_left(request);
}

/// evhttp gives the connection up.
static void on_closed(struct evhttp_connection *connection, void *argument) {
  (void)connection;
  web_request *request = argument;
  forget_connection(request);
  note_left(request);
}

static char *copy(const char *text) { return text ? strdup(text) : NULL; }

static const char *method_name(struct evhttp_request *http) {
  switch (evhttp_request_get_command(http)) {
  case EVHTTP_REQ_HEAD:
  case EVHTTP_REQ_GET: return "GET";
  case EVHTTP_REQ_POST: return "POST";
  default: return "other";
  }
}

static void on_request(struct evhttp_request *http, void *argument) {
  web_server *server = argument;
  server->last_request = now_seconds();
  web_request *request = server->waiting_count < server->limits.waiting_max ? calloc(1, sizeof *request) : NULL;
  if (!request) {
    evhttp_send_error(http, 503, NULL);
    return;
  }
  request->server = server;
  request->holders = 2;
  request->http = http;
  request->method = copy(method_name(http));
  request->is_head = evhttp_request_get_command(http) == EVHTTP_REQ_HEAD;
  request->target = copy(evhttp_request_get_uri(http));
  struct evkeyvalq *headers = evhttp_request_get_input_headers(http);
  for (int index = 0; index < web_header_count; index++) {
    request->headers[index] = copy(evhttp_find_header(headers, header_names[index]));
  }
  struct evbuffer *input = evhttp_request_get_input_buffer(http);
  request->body_size = evbuffer_get_length(input);
  request->body = request->body_size > 0 ? malloc(request->body_size) : NULL;
  if (request->body) evbuffer_remove(input, request->body, request->body_size);
  else request->body_size = 0;

  request->connection = evhttp_request_get_connection(http);
  request->descriptor = bufferevent_getfd(evhttp_connection_get_bufferevent(request->connection));
  web_connections_set_busy(&server->connections, request->descriptor, 1, now_seconds());
  evhttp_connection_set_closecb(request->connection, on_closed, request);
  request->closing = event_new(server->base, request->descriptor, EV_CLOSED, on_closing, request);
  if (request->closing) event_add(request->closing, NULL);

  pthread_mutex_lock(&server->lock);
  if (server->last_waiting) server->last_waiting->next = request;
  else server->first_waiting = request;
  server->last_waiting = request;
  server->waiting_count++;
  server->is_deserted = 0;
  pthread_cond_signal(&server->has_request);
  pthread_mutex_unlock(&server->lock);
}

static void add_headers(struct evhttp_request *http, char *headers) {
  struct evkeyvalq *output = evhttp_request_get_output_headers(http);
  for (char *rest = headers, *line; (line = strsep(&rest, "\n")) != NULL;) {
    char *colon = strstr(line, ": ");
    if (!colon) continue;
    *colon = 0;
    evhttp_add_header(output, line, colon + 2);
  }
}

void web_request_let_go(web_request *request) {
  if (__atomic_sub_fetch(&request->holders, 1, __ATOMIC_ACQ_REL) > 0) return;
  for (int index = 0; index < web_header_count; index++) free(request->headers[index]);
  free(request->method);
  free(request->target);
  free(request->body);
  free(request);
}

static void on_sent(struct evhttp_connection *connection, void *argument) {
  (void)connection;
  web_request *request = argument;
  pthread_mutex_lock(&request->server->lock);
  request->unsent = 0;
  pthread_cond_broadcast(&request->server->has_sent);
  pthread_mutex_unlock(&request->server->lock);
}

static void carry_out(web_order *order) {
  web_request *request = order->request;
  switch (order->kind) {
  case order_reply:
    forget_connection(request);
    add_headers(request->http, order->headers);
    if (request->is_head) {
      char size[24];
      snprintf(size, sizeof size, "%zu", order->content ? evbuffer_get_length(order->content) : 0);
      evhttp_add_header(evhttp_request_get_output_headers(request->http), "Content-Length", size);
    }
    evhttp_send_reply(request->http, order->status, NULL, request->is_head ? NULL : order->content);
    web_request_let_go(request);
    break;
  case order_begin:
    request->server->feed_count += request->is_feed;
    add_headers(request->http, order->headers);
    evhttp_send_reply_start(request->http, order->status, NULL);
    break;
  case order_send:
    if (request->connection) {
      evhttp_send_reply_chunk_with_cb(request->http, order->content, on_sent, request);
    }
    break;
  case order_end:
  case order_break:
    request->server->feed_count -= request->is_feed;
    // Without its last piece an answer is seen to be cut.
    if (order->kind == order_break && request->connection) shutdown(request->descriptor, SHUT_RDWR);
    forget_connection(request);
    evhttp_send_reply_end(request->http);
    web_request_let_go(request);
    break;
  }
}

static void on_orders(evutil_socket_t descriptor, short what, void *argument) {
  (void)what;
  web_server *server = argument;
  char bytes[256];
  while (read(descriptor, bytes, sizeof bytes) > 0) {}
  pthread_mutex_lock(&server->lock);
  web_order *order = server->first_order;
  server->first_order = server->last_order = NULL;
  pthread_mutex_unlock(&server->lock);
  while (order) {
    web_order *next = order->next;
    carry_out(order);
    free(order->headers);
    if (order->content) evbuffer_free(order->content);
    free(order);
    order = next;
  }
}

static void on_survey(evutil_socket_t descriptor, short what, void *argument) {
  (void)descriptor, (void)what;
  web_server *server = argument;
  server->connections_guess = web_connections_survey(
      &server->connections, now_seconds(), server->limits.patience_seconds, server->limits.connections_max);
  server->empty_seconds = server->connections_guess > 0 ? 0 : server->empty_seconds + 1;
  if (server->empty_seconds < server->limits.patience_seconds) {
    event_add(server->survey, &(struct timeval){1, 0});
    return;
  }
  server->is_surveying = server->empty_seconds = 0;
  pthread_mutex_lock(&server->lock);
  server->is_deserted = 1;
  pthread_cond_signal(&server->has_request);
  pthread_mutex_unlock(&server->lock);
}

/// A connection is about to be made.
static struct bufferevent *make_buffer(struct event_base *base, void *argument) {
  web_server *server = argument;
  if (++server->connections_guess > server->limits.connections_max) {
    on_survey(-1, 0, server);
  } else if (!server->is_surveying) {
    server->is_surveying = 1;
    event_add(server->survey, &(struct timeval){1, 0});
  }
  return bufferevent_socket_new(base, -1, 0);
}

static void on_idle(evutil_socket_t descriptor, short what, void *argument) {
  (void)descriptor, (void)what;
  web_server *server = argument;
  long left = server->feed_count > 0 ? server->limits.idle_seconds
                                     : server->last_request + server->limits.idle_seconds - now_seconds();
  if (left <= 0) event_base_loopbreak(server->base);
  else event_add(server->idle, &(struct timeval){left, 0});
}

web_server *web_server_create(const web_limits *limits) {
  web_server *server = calloc(1, sizeof *server);
  if (!server) return NULL;
#ifdef __GLIBC__
  // What an order of a million rows took goes back to the system when it is freed. Left alone the allocator learns to keep blocks of
  // up to 32 MB.
  mallopt(M_MMAP_THRESHOLD, mapped_block_min);
  // A heap for each thread would keep what was in use at its fullest, once a thread.
  mallopt(M_ARENA_MAX, 1);
  // Small blocks that are free are joined with their neighbours at once. Kept apart, they keep whole pages in use.
  mallopt(M_MXFAST, 0);
#endif
  server->limits = *limits;
  server->base = event_base_new();
  server->http = server->base ? evhttp_new(server->base) : NULL;
  if (!server->http || pipe(server->pipe) != 0) return NULL;
  for (int end = 0; end < 2; end++) {
    fcntl(server->pipe[end], F_SETFD, FD_CLOEXEC);
    fcntl(server->pipe[end], F_SETFL, O_NONBLOCK);
  }
  pthread_mutex_init(&server->lock, NULL);
  pthread_cond_init(&server->has_request, NULL);
  pthread_cond_init(&server->has_sent, NULL);
  evhttp_set_max_headers_size(server->http, (ev_ssize_t)limits->header_size_max);
  evhttp_set_max_body_size(server->http, (ev_ssize_t)limits->body_size_max);
  evhttp_set_timeout(server->http, limits->patience_seconds);
  evhttp_set_default_content_type(server->http, NULL);
  evhttp_set_allowed_methods(server->http, 0xffff);
  evhttp_set_bevcb(server->http, make_buffer, server);
  evhttp_set_gencb(server->http, on_request, server);
  server->ordered = event_new(server->base, server->pipe[0], EV_READ | EV_PERSIST, on_orders, server);
  server->survey = evtimer_new(server->base, on_survey, server);
  server->idle = evtimer_new(server->base, on_idle, server);
  if (!server->ordered || !server->survey || !server->idle) return NULL;
  event_add(server->ordered, NULL);
  return server;
}

int web_server_listen(web_server *server, int descriptor) {
  web_connections_add_listener(&server->connections, descriptor);
  return evhttp_accept_socket_with_handle(server->http, descriptor) ? 0 : -1;
}

void web_server_run(web_server *server) {
  // Who has gone cannot be answered: an error of the write, not the end of the server.
  platform_survive_closed_pipes(1);
  server->last_request = now_seconds();
  if (server->limits.idle_seconds > 0) on_idle(-1, 0, server);
  event_base_dispatch(server->base);
}

// MARK: Other threads

web_request *web_server_take(web_server *server) {
  pthread_mutex_lock(&server->lock);
  while (!server->first_waiting && !server->is_deserted) pthread_cond_wait(&server->has_request, &server->lock);
  web_request *request = server->first_waiting;
  if (!request) {
    server->is_deserted = 0;
    pthread_mutex_unlock(&server->lock);
    return NULL;
  }
  server->first_waiting = request->next;
  if (!server->first_waiting) server->last_waiting = NULL;
  server->waiting_count--;
  pthread_mutex_unlock(&server->lock);
  return request;
}

const char *web_request_method(const web_request *request) { return request->method ? request->method : ""; }
const char *web_request_target(const web_request *request) { return request->target ? request->target : ""; }
const char *web_request_header(const web_request *request, int header) { return request->headers[header]; }

const uint8_t *web_request_body(const web_request *request, size_t *size) {
  *size = request->body_size;
  return request->body;
}

uintptr_t web_request_work(const web_request *request) { return (uintptr_t)&request->work; }

static void give_order(
    web_request *request, int kind, int status, const char *headers, const uint8_t *content, size_t size) {
  web_server *server = request->server;
  web_order *order = calloc(1, sizeof *order);
  // An order that cannot be given would leave its client waiting for ever.
  if (!order) abort();
  order->kind = kind;
  order->request = request;
  order->status = status;
  order->headers = strdup(headers);
  order->content = evbuffer_new();
  if (order->content && size > 0) evbuffer_add(order->content, content, size);
  pthread_mutex_lock(&server->lock);
  if (server->last_order) server->last_order->next = order;
  else server->first_order = order;
  server->last_order = order;
  pthread_mutex_unlock(&server->lock);
  // A full pipe wakes the server as well.
  ssize_t ignored = write(server->pipe[1], "", 1);
  (void)ignored;
}

void web_request_reply(
    web_request *request, int status, const char *headers, const uint8_t *body, size_t size) {
  give_order(request, order_reply, status, headers, body, size);
}

void web_request_begin(web_request *request, int status, const char *headers, int is_feed) {
  request->is_feed = is_feed;
  give_order(request, order_begin, status, headers, NULL, 0);
}

int web_request_send(web_request *request, const uint8_t *piece, size_t size) {
  web_server *server = request->server;
  if (request->is_head) return request->work.is_unwanted ? -1 : 0;
  pthread_mutex_lock(&server->lock);
  while (request->unsent > unsent_max && !request->work.is_unwanted && !request->is_feed) {
    pthread_cond_wait(&server->has_sent, &server->lock);
  }
  int has_left = request->work.is_unwanted || request->unsent > unsent_max;
  if (!has_left) request->unsent += size;
  pthread_mutex_unlock(&server->lock);
  if (has_left) return -1;
  give_order(request, order_send, 0, "", piece, size);
  return 0;
}

void web_request_end(web_request *request, int is_broken) {
  give_order(request, is_broken ? order_break : order_end, 0, "", NULL, 0);
}

void web_memory_return(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
