// Starting and awaiting other programs. Layer: below everything. See processes.h.
#include "processes.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sigaction pipe_action_before;
static int pipes_are_survived;

static int argument_count;
static char *const *argument_words;

/// The C library hands these to whoever is called before main; asking later goes by way of /proc.
__attribute__((constructor)) static void keep_arguments(int count, char **words) {
  argument_count = count;
  argument_words = words;
}

int platform_argument_count(void) { return argument_count; }

const char *platform_argument(int index) { return index < argument_count ? argument_words[index] : NULL; }

/// A handler does not outlive exec; what is ignored does.
static void use_default_signals(void) {
  if (pipes_are_survived) sigaction(SIGPIPE, &pipe_action_before, NULL);
}

int platform_start_shell_command(const char *command, int stream, int *other_end) {
  int ends[2] = {-1, -1};
  if (other_end && pipe(ends) != 0) return -1;
  int theirs = stream == STDIN_FILENO ? 0 : 1;
  // Other programs must not keep the pipe open.
  for (int end = 0; other_end && end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
  pid_t process = fork();
  if (process == 0) {
    if (other_end && dup2(ends[theirs], stream) < 0) _exit(127);
    use_default_signals();
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  int failure = errno;
  if (other_end) {
    close(ends[theirs]);
    if (process > 0) {
      *other_end = ends[1 - theirs];
    } else {
      close(ends[1 - theirs]);
    }
  }
  errno = failure;
  return process;
}

/// Zero where `options` forbid to wait and the process still runs.
static pid_t wait_for(pid_t process, int options, int *exit_status) {
  int status = 0;
  pid_t waited;
  do {
    waited = waitpid(process, &status, options);
  } while (waited < 0 && errno == EINTR);
  if (waited > 0) *exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return waited;
}

int platform_wait_for_process(int process) {
  int status = -1;
  wait_for(process, 0, &status);
  return status;
}

int platform_wait_briefly_for_process(int process, int milliseconds) {
  const int step = 5;
  int status = -1;
  for (int passed = 0;; passed += step) {
    if (wait_for(process, WNOHANG, &status) != 0) return status;
    if (passed >= milliseconds) break;
    usleep(step * 1000);
  }
  kill(process, SIGTERM);
  return -1;
}

void platform_survive_closed_pipes(int on) {
  if (on == pipes_are_survived) return;
  if (on) {
    struct sigaction ignoring = {0};
    ignoring.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignoring, &pipe_action_before);
  } else {
    sigaction(SIGPIPE, &pipe_action_before, NULL);
  }
  pipes_are_survived = on;
}
