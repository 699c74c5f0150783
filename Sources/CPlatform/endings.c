// Held signals and file leases. Layer: below everything. See endings.h.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "endings.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "restore.h"
#include "signals.h"

static sigset_t end_signals(void) {
  sigset_t signals;
  sigemptyset(&signals);
  for (int index = 0; index < platform_end_signal_count; index++) sigaddset(&signals, platform_end_signals[index]);
  return signals;
}

void platform_hold_end_signals(int but_noted) {
  sigset_t signals = end_signals();
  int are_noted = platform_notes_interrupts();
  if (but_noted && are_noted) sigdelset(&signals, SIGINT);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  if (!but_noted && are_noted && platform_take_interrupt()) raise(SIGINT);
}

void platform_release_end_signals(void) {
  sigset_t signals = end_signals();
  sigprocmask(SIG_UNBLOCK, &signals, NULL);
}

int platform_is_sole_opener(int descriptor) {
// Apple's leases say nothing of other openers.
#if defined(F_SETLEASE) && defined(F_SETSIG)
  // Somebody who opens the file now is announced by a signal, which by default would end the process.
  fcntl(descriptor, F_SETSIG, SIGURG);
  if (fcntl(descriptor, F_SETLEASE, F_WRLCK) == 0) return 1;
  // Only its owner may ask that of a file, and root often not, in containers: an empty one was given away by us, and is
  // ours while we ask.
  struct stat status;
  if (errno != EACCES || fstat(descriptor, &status) != 0 || status.st_size != 0) return 0;
  if (fchown(descriptor, geteuid(), (gid_t)-1) != 0) return 0;
  if (fcntl(descriptor, F_SETLEASE, F_WRLCK) == 0) return 1;
  (void)!fchown(descriptor, status.st_uid, (gid_t)-1);
  return 0;
#else
  (void)descriptor;
  return 0;
#endif
}
