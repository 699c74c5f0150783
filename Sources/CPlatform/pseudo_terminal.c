// A pair of connected terminal ends. Layer: below everything. See pseudo_terminal.h.
#define _GNU_SOURCE
#include "pseudo_terminal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int platform_open_pseudo_terminal(int *master, int *slave) {
  *master = posix_openpt(O_RDWR | O_NOCTTY);
  if (*master < 0) return -1;
  const char *name = grantpt(*master) == 0 && unlockpt(*master) == 0 ? ptsname(*master) : NULL;
  *slave = name ? open(name, O_RDWR | O_NOCTTY) : -1;
  if (*slave >= 0) return 0;
  close(*master);
  return -1;
}
