// Runs the real program and lets its n-th system call fail. Linux only; elsewhere every call says so.
// The program is the one that ships: a filter of the kernel hands its calls to this process, which lets them through,
// answers them with an error, or shortens them. So nothing of this is in the executable.
#ifndef FAULT_INJECTION_H
#define FAULT_INJECTION_H

#include <sys/types.h>

/// What happens at the chosen call.
enum fault_kind {
  /// Nothing: the calls are only counted.
  fault_none,
  /// The call fails with one of the errors it may have; `variant` chooses which.
  fault_error,
  /// The same, and so does every later call of its name: a disk that stays full, or broken.
  fault_lasting_error,
  /// From the chosen call on, every one that may be interrupted fails with EINTR the first time.
  fault_interruptions,
  /// From the chosen call on, reads and writes of several bytes move half of them.
  fault_short_counts,
  /// A signal comes before the call; `variant` is its number.
  fault_signal,
  /// The n-th request for memory of any kind fails, those of the allocator among them, and so do all later ones.
  fault_no_memory,
};

struct fault_plan {
  enum fault_kind kind;
  /// Counted from 0, from the moment at which the program has installed its signal handlers.
  int position;
  int variant;
};

struct fault_outcome {
  /// The exit status, 128+n after a signal.
  int status;
  /// How many calls there were.
  int count;
  /// Whether the fault took place.
  int is_applied;
  /// The error that was given; 0 for other faults.
  int error;
  /// The name of the call that it happened to first.
  char call[32];
  /// The path that it named, or that its descriptor stands for; empty where there is none.
  char path[4096];
};

/// Where the program runs, and with what. Standard streams are paths.
struct fault_process {
  const char *_Nonnull program;
  char *_Nullable const *_Nonnull arguments;
  char *_Nullable const *_Nonnull environment;
  const char *_Nonnull folder;
  const char *_Nonnull input;
  const char *_Nonnull output;
  const char *_Nonnull error;
};

/// Runs the program to its end. Returns 0, or the errno of what kept it from being run this way.
int fault_run(
    const struct fault_process *_Nonnull process, const struct fault_plan *_Nonnull plan,
    struct fault_outcome *_Nonnull outcome);

#endif
