// The system calls that may be made to fail, and the errors that each of them may have.
#ifndef FAULT_INJECTION_CALLS_H
#define FAULT_INJECTION_CALLS_H

enum { fault_errors_max = 4 };

/// What the first argument of a call says about the file.
enum fault_subject {
  subject_none,
  subject_path,
  subject_descriptor,
  /// A directory's descriptor, and the path behind it.
  subject_path_at,
  /// The same, for the target of a link: the fourth argument.
  subject_target_at,
  subject_target,
};

struct fault_call {
  int number;
  const char *name;
  enum fault_subject subject;
  /// May be interrupted by a signal.
  int is_interruptible;
  /// Ends with a 0 where there are fewer.
  int errors[fault_errors_max];
};

extern const struct fault_call fault_calls[];
extern const int fault_call_count;

#endif
