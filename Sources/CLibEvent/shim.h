/* libevent's HTTP server. */
#include <event2/http.h>
