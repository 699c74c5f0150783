// Parts of the C library that the program never comes to, in fewer words: linked before it, they keep 0.2 MB out of the
// static executable. The page listens on sockets that are open already, so that no name of a host is ever looked up;
// the prompt's history is searched for texts as they stand.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netdb.h>
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Libevent notes where a connection comes from: in figures, as it asks for them.
int getnameinfo(const struct sockaddr *restrict address, socklen_t length, char *restrict host, socklen_t host_size,
                char *restrict port, socklen_t port_size, int flags) {
  (void)flags;
  const void *number = NULL;
  unsigned place = 0;
  if (address->sa_family == AF_INET && length >= sizeof(struct sockaddr_in)) {
    const struct sockaddr_in *four = (const struct sockaddr_in *)address;
    number = &four->sin_addr;
    place = ntohs(four->sin_port);
  } else if (address->sa_family == AF_INET6 && length >= sizeof(struct sockaddr_in6)) {
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
    number = &six->sin6_addr;
    place = ntohs(six->sin6_port);
  }
  // A socket in the file system has neither, and must not be refused: Libevent ends the program then.
  if (!number) {
    if (host && snprintf(host, host_size, "local") >= (int)host_size) return EAI_OVERFLOW;
  } else if (host && !inet_ntop(address->sa_family, number, host, host_size)) {
    return EAI_OVERFLOW;
  }
  if (port && snprintf(port, port_size, "%u", place) >= (int)port_size) return EAI_OVERFLOW;
  return 0;
}

int getaddrinfo(const char *restrict name, const char *restrict service, const struct addrinfo *restrict hints,
                struct addrinfo **restrict found) {
  (void)name, (void)service, (void)hints, (void)found;
  return EAI_FAIL;
}
void freeaddrinfo(struct addrinfo *found) { (void)found; }
const char *gai_strerror(int code) {
  (void)code;
  return "names of hosts are not looked up";
}
struct servent *getservbyname(const char *name, const char *protocol) {
  (void)name, (void)protocol;
  return NULL;
}
struct protoent *getprotobynumber(int number) {
  (void)number;
  return NULL;
}
unsigned if_nametoindex(const char *name) {
  (void)name;
  return 0;
}

/// Numbers and single characters, as libevent reads the versions of requests and addresses, and the C library rules of time zones.
static int scan(const char *text, const char *form, va_list places) {
  const char *start = text;
  int count = 0;
  for (; *form; form += 1) {
    if (*form != '%') {
      if (*text != *form) return *text || count ? count : EOF;
      text += 1;
      continue;
    }
    form += 1;
    int is_short = *form == 'h';
    form += is_short;
    if (*form == 'n') {
      *va_arg(places, int *) = (int)(text - start);
      continue;
    }
    if (*form != 'c') text += strspn(text, " \t\n\v\f\r");
    if (!*text) return count ? count : EOF;
    char *end = NULL;
    unsigned long number = 0;
    switch (*form) {
    case 'c': *va_arg(places, char *) = *text; break;
    case 'd': number = (unsigned long)strtol(text, &end, 10); break;
    case 'u': number = strtoul(text, &end, 10); break;
    case 'x': number = strtoul(text, &end, 16); break;
    default: abort();
    }
    if (end == text) return count;
    if (end && is_short) *va_arg(places, unsigned short *) = (unsigned short)number;
    if (end && !is_short) *va_arg(places, unsigned *) = (unsigned)number;
    text = end ? end : text + 1;
    count += 1;
  }
  return count;
}

// Under the names that headers of the C library give it.
#define SCANNER(name)                                \
  int name(const char *text, const char *form, ...) { \
    va_list places;                                  \
    va_start(places, form);                          \
    int count = scan(text, form, places);            \
    va_end(places);                                  \
    return count;                                    \
  }
SCANNER(__isoc99_sscanf)
SCANNER(__isoc23_sscanf)

/// The prompt's history is searched for a text, which libedit puts before and behind any text, or at the beginning.
int regcomp(regex_t *restrict pattern, const char *restrict text, int flags) {
  (void)flags;
  pattern->buffer = (void *)strdup(text);
  return pattern->buffer ? 0 : REG_ESPACE;
}
int regexec(const regex_t *restrict pattern, const char *restrict text, size_t count, regmatch_t *restrict matches,
            int flags) {
  (void)count, (void)matches, (void)flags;
  const char *sought = (const char *)pattern->buffer;
  int is_beginning = *sought == '^';
  if (is_beginning) sought += 1;
  else if (strncmp(sought, ".*", 2) == 0) sought += 2;
  size_t length = strlen(sought);
  if (length >= 2 && strcmp(sought + length - 2, ".*") == 0) length -= 2;
  for (;; text += 1) {
    if (strncmp(text, sought, length) == 0) return 0;
    if (is_beginning || *text == 0) return REG_NOMATCH;
  }
}
void regfree(regex_t *pattern) { free((void *)pattern->buffer); }
