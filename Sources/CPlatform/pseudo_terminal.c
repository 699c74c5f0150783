// A pair of connected terminal ends. Layer: below everything. See pseudo_terminal.h.
#define _GNU_SOURCE
#include "pseudo_terminal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
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

int platform_resize_terminal(int master, int rows, int columns) {
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  return ioctl(master, TIOCSWINSZ, &size);
}

int platform_start_on_terminal(
    const char *program, char *const *arguments, char *const *environment, const char *folder, int rows,
    int columns, int *master) {
  int slave = -1;
  if (platform_open_pseudo_terminal(master, &slave) != 0) return -1;
  platform_resize_terminal(*master, rows, columns);
  fcntl(*master, F_SETFD, FD_CLOEXEC);
  pid_t process = fork();
  if (process == 0) {
    setsid();
    ioctl(slave, TIOCSCTTY, 0);
    for (int stream = 0; stream <= 2; stream++) dup2(slave, stream);
    if (slave > 2) close(slave);
    if (chdir(folder) == 0) execve(program, arguments, environment);
    _exit(127);
  }
  close(slave);
  if (process < 0) close(*master);
  return process;
}
