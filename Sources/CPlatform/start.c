// What has to happen before Swift's runtime starts. Layer: below everything. See start.h.
#include "start.h"

#include <stdbool.h>
#include <stdlib.h>

static bool has_set;

#if defined(__OPTIMIZE__) && defined(__linux__)
// The runtime looks for a program that prints backtraces, which is not installed with this one: ten system calls at every start,
// and where /proc is not mounted, as in a plain chroot, it ends the process. Told where that program is, it does not look.
__attribute__((constructor(101))) static void skip_search_for_backtracer(void) {
  if (getenv("SWIFT_BACKTRACE") != NULL) return;
  has_set = setenv("SWIFT_BACKTRACE", "enable=no,swift-backtrace=/nonexistent", 0) == 0;
}
#endif

void platform_started(void) {
  if (has_set) unsetenv("SWIFT_BACKTRACE");
}
