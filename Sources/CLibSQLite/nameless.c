/* Files of this process that have no name: SQLite opens them by the paths of their descriptors, /proc/PID/fd/N. */
#include "CLibSQLite.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef int (*open_call)(const char *path, int flags, int mode);
typedef int (*status_call)(const char *path, struct stat *status);

static open_call system_open;
static status_call system_lstat;

static int is_own(const char *path) {
  char start[40];
  int size = snprintf(start, sizeof start, "/proc/%d/fd/", (int)getpid());
  return strncmp(path, start, (size_t)size) == 0;
}

/* These paths look like links to names that are not there, which SQLite would read or refuse. */
static int open_followed(const char *path, int flags, int mode) {
  return system_open(path, is_own(path) ? flags & ~O_NOFOLLOW : flags, mode);
}

static int status_followed(const char *path, struct stat *status) {
  return is_own(path) ? stat(path, status) : system_lstat(path, status);
}

static void follow(void) {
  sqlite3_vfs *system = sqlite3_vfs_find(NULL);
  if (!system || system->iVersion < 3) return;
  system_open = (open_call)system->xGetSystemCall(system, "open");
  system_lstat = (status_call)system->xGetSystemCall(system, "lstat");
  if (!system_open || !system_lstat) return;
  system->xSetSystemCall(system, "open", (sqlite3_syscall_ptr)open_followed);
  system->xSetSystemCall(system, "lstat", (sqlite3_syscall_ptr)status_followed);
}

void sql_follow_own_files(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, follow);
}
