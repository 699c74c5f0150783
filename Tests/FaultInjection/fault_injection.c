// Running a program under a filter of the kernel that asks this process about its system calls. See fault_injection.h.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "fault_injection.h"

#include <errno.h>

#ifdef __linux__

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"

enum { program_size_max = 256, copy_size_max = 1 << 16 };

/// One run.
struct supervisor {
  pid_t process;
  int listener;
  const struct fault_plan *plan;
  struct fault_outcome *outcome;
  /// Whether the program's own work has begun: what the loader does is not its business.
  int has_begun;
  /// The call that fails from now on, and with what; null before.
  const struct fault_call *lasting;
  /// The call was interrupted when it was last made.
  int was_interrupted;
};

// MARK: The filter

/// The program's first act is to have SIGXFSZ ignored.
static int marks_beginning(const struct seccomp_data *data) {
  return data->nr == SYS_rt_sigaction && data->args[0] == SIGXFSZ;
}

static int is_asked_about(int number) {
  for (int index = 0; index < fault_call_count; index++) {
    if (fault_calls[index].number == number) return 1;
  }
  return number == SYS_rt_sigaction || number == SYS_brk;
}

/// Has the calls of the table reported, and lets all others pass. Returns the descriptor that they are reported by.
static int install_filter(void) {
  struct sock_filter program[program_size_max];
  int size = 0;
  program[size++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (int number = 0; number < 512; number++) {
    if (!is_asked_about(number)) continue;
    program[size++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1);
    program[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
  }
  program[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog filter = {.len = (unsigned short)size, .filter = program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter);
}

// MARK: Handing the listener over

static int send_descriptor(int channel, int descriptor) {
  char byte = 0;
  struct iovec part = {&byte, 1};
  char control[CMSG_SPACE(sizeof(int))] = {0};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  return sendmsg(channel, &message, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

static int receive_descriptor(int channel) {
  char byte = 0;
  struct iovec part = {&byte, 1};
  char control[CMSG_SPACE(sizeof(int))] = {0};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  ssize_t count;
  do {
    count = recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  struct cmsghdr *header = count == 1 ? CMSG_FIRSTHDR(&message) : NULL;
  if (!header || header->cmsg_type != SCM_RIGHTS) return -1;
  int descriptor;
  memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

// MARK: The child

/// The rest of this function runs between fork and exec, where only few calls are allowed.
static void become(const struct fault_process *process, int channel) {
  const int flags[3] = {O_RDONLY, O_WRONLY, O_WRONLY};
  const char *paths[3] = {process->input, process->output, process->error};
  for (int stream = 0; stream < 3; stream++) {
    int descriptor = open(paths[stream], flags[stream]);
    if (descriptor < 0 || dup2(descriptor, stream) < 0) _exit(126);
    if (descriptor > 2) close(descriptor);
  }
  if (chdir(process->folder) != 0) _exit(126);
  int listener = install_filter();
  // Nobody answers before the descriptor has been handed over, and none of these calls is asked about.
  if (listener < 0 || send_descriptor(channel, listener) != 0) _exit(125);
  execve(process->program, process->arguments, process->environment);
  _exit(127);
}

// MARK: What a call is about

static void read_memory(const struct supervisor *run, uint64_t address, void *buffer, size_t size, size_t *done) {
  struct iovec local = {buffer, size};
  struct iovec remote = {(void *)(uintptr_t)address, size};
  ssize_t count = process_vm_readv(run->process, &local, 1, &remote, 1, 0);
  *done = count < 0 ? 0 : (size_t)count;
}

static void note_path(struct supervisor *run, uint64_t address) {
  char *path = run->outcome->path;
  // A path may end where the next page is missing.
  size_t size = 0;
  size_t part;
  while (size < sizeof run->outcome->path - 1) {
    size_t chunk = 256 - (address + size) % 256;
    if (chunk > sizeof run->outcome->path - 1 - size) chunk = sizeof run->outcome->path - 1 - size;
    read_memory(run, address + size, path + size, chunk, &part);
    if (part == 0 || memchr(path + size, 0, part)) break;
    size += part;
  }
  path[sizeof run->outcome->path - 1] = 0;
}

static void note_subject(struct supervisor *run, const struct fault_call *call, const struct seccomp_data *data) {
  snprintf(run->outcome->call, sizeof run->outcome->call, "%s", call->name);
  run->outcome->path[0] = 0;
  char name[64];
  switch (call->subject) {
    case subject_none: break;
    case subject_path: note_path(run, data->args[0]); break;
    case subject_path_at: note_path(run, data->args[1]); break;
    case subject_target: note_path(run, data->args[1]); break;
    case subject_target_at: note_path(run, data->args[3]); break;
    case subject_descriptor:
      snprintf(name, sizeof name, "/proc/%d/fd/%d", (int)run->process, (int)data->args[0]);
      ssize_t size = readlink(name, run->outcome->path, sizeof run->outcome->path - 1);
      run->outcome->path[size < 0 ? 0 : size] = 0;
  }
}

static const struct fault_call *call_of(const struct supervisor *run, const struct seccomp_data *data) {
  // The allocator asks for memory by the same call as the program does. What it asks for cannot fail: without memory
  // for a value the language ends the process.
  if (data->nr == SYS_mmap && run->plan->kind != fault_no_memory) {
    int is_reservation = (data->args[3] & MAP_NORESERVE) && data->args[2] == (PROT_READ | PROT_WRITE);
    if ((int)data->args[4] < 0 && !is_reservation) return NULL;
  }
  for (int index = 0; index < fault_call_count; index++) {
    if (fault_calls[index].number == data->nr) return &fault_calls[index];
  }
  return NULL;
}

static int error_of(const struct fault_call *call, int variant) {
  int count = 0;
  while (count < fault_errors_max && call->errors[count]) count++;
  return call->errors[variant % count];
}

// MARK: Half a call

static ssize_t move_half(const struct supervisor *run, const struct seccomp_data *data) {
  size_t half = data->args[2] / 2;
  if (half == 0) return -1;
  if (half > copy_size_max) half = copy_size_max;
  int handle = (int)syscall(SYS_pidfd_open, run->process, 0);
  int descriptor = handle < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, handle, (int)data->args[0], 0);
  char *buffer = malloc(half);
  ssize_t count = -1;
  struct iovec local = {buffer, half};
  struct iovec remote = {(void *)(uintptr_t)data->args[1], half};
  if (descriptor >= 0 && buffer) {
    off_t offset = (off_t)data->args[3];
    switch (data->nr) {
      case SYS_write:
      case SYS_pwrite64:
        if (process_vm_readv(run->process, &local, 1, &remote, 1, 0) != (ssize_t)half) break;
        count = data->nr == SYS_write ? write(descriptor, buffer, half) : pwrite(descriptor, buffer, half, offset);
        break;
      case SYS_read:
      case SYS_pread64:
        count = data->nr == SYS_read ? read(descriptor, buffer, half) : pread(descriptor, buffer, half, offset);
        local.iov_len = remote.iov_len = count < 0 ? 0 : (size_t)count;
        if (count > 0 && process_vm_writev(run->process, &local, 1, &remote, 1, 0) != count) count = -1;
        break;
    }
  }
  free(buffer);
  if (descriptor >= 0) close(descriptor);
  if (handle >= 0) close(handle);
  return count;
}

static int moves_bytes(int number) {
  return number == SYS_write || number == SYS_pwrite64 || number == SYS_read || number == SYS_pread64;
}

// MARK: Answers

static void fail(struct supervisor *run, struct seccomp_notif_resp *answer, int error) {
  answer->flags = 0;
  answer->error = -error;
  run->outcome->error = error;
  run->outcome->is_applied = 1;
}

/// Whether this is a call that a fault of this kind happens to.
static int is_meant(struct supervisor *run, const struct fault_call *call, int position) {
  switch (run->plan->kind) {
    case fault_none: return 0;
    case fault_no_memory: return 1;
    case fault_error:
    case fault_signal: return position == run->plan->position;
    case fault_lasting_error: return position == run->plan->position || run->lasting == call;
    case fault_short_counts: return position >= run->plan->position;
    case fault_interruptions:
      run->was_interrupted = call->is_interruptible && !run->was_interrupted && position >= run->plan->position;
      return run->was_interrupted;
  }
}

/// What such a call gets to hear.
static void apply(
    struct supervisor *run, const struct fault_call *call, const struct seccomp_data *data,
    struct seccomp_notif_resp *answer) {
  if (!run->outcome->is_applied) note_subject(run, call, data);
  ssize_t count;
  switch (run->plan->kind) {
    case fault_none: break;
    case fault_lasting_error: run->lasting = call;  // fallthrough
    case fault_error: return fail(run, answer, error_of(call, run->plan->variant));
    case fault_no_memory: return fail(run, answer, ENOMEM);
    case fault_interruptions: return fail(run, answer, EINTR);
    case fault_short_counts:
      count = moves_bytes(data->nr) ? move_half(run, data) : -1;
      if (count <= 0) break;
      answer->flags = 0;
      answer->val = count;
      run->outcome->is_applied = 1;
      break;
    case fault_signal:
      kill(run->process, run->plan->variant);
      run->outcome->is_applied = 1;
      break;
  }
}

static void answer_memory(
    struct supervisor *run, const struct seccomp_data *data, struct seccomp_notif_resp *answer) {
  // To ask where the memory ends is no request for more.
  if (data->nr == SYS_brk && data->args[0] == 0) return;
  if (data->nr != SYS_brk && data->nr != SYS_mmap) return;
  if (run->outcome->count++ < run->plan->position) return;
  snprintf(run->outcome->call, sizeof run->outcome->call, "%s", data->nr == SYS_brk ? "brk" : "mmap");
  fail(run, answer, ENOMEM);
}

static void decide(struct supervisor *run, const struct seccomp_data *data, struct seccomp_notif_resp *answer) {
  if (marks_beginning(data)) run->has_begun = 1;
  if (!run->has_begun) return;
  if (run->plan->kind == fault_no_memory) return answer_memory(run, data, answer);
  const struct fault_call *call = call_of(run, data);
  if (!call) return;
  if (is_meant(run, call, run->outcome->count++)) apply(run, call, data, answer);
}

/// Answers calls until nobody is left to make any.
static int supervise(struct supervisor *run) {
  while (1) {
    struct pollfd request = {.fd = run->listener, .events = POLLIN};
    if (poll(&request, 1, -1) < 0 && errno != EINTR) return errno;
    if (request.revents & POLLIN) {
      // The kernel wants it cleared.
      struct seccomp_notif call;
      memset(&call, 0, sizeof call);
      // A caller that was killed meanwhile asks no more.
      if (ioctl(run->listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) continue;
      struct seccomp_notif_resp answer = {.id = call.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
      decide(run, &call.data, &answer);
      ioctl(run->listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    } else if (request.revents) {
      return 0;
    }
  }
}

// MARK: The run

static int await(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int fault_run(
    const struct fault_process *process, const struct fault_plan *plan, struct fault_outcome *outcome) {
  memset(outcome, 0, sizeof *outcome);
  int channel[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0) return errno;
  pid_t child = fork();
  if (child == 0) become(process, channel[1]);
  int failure = child < 0 ? errno : 0;
  close(channel[1]);
  struct supervisor run = {
      .process = child, .listener = failure ? -1 : receive_descriptor(channel[0]), .plan = plan,
      .outcome = outcome};
  close(channel[0]);
  if (failure) return failure;
  if (run.listener < 0) {
    await(child);
    return ENOTSUP;
  }
  failure = supervise(&run);
  close(run.listener);
  outcome->status = await(child);
  return failure;
}

#else

int fault_run(
    const struct fault_process *process, const struct fault_plan *plan, struct fault_outcome *outcome) {
  (void)process;
  (void)plan;
  (void)outcome;
  return ENOTSUP;
}

#endif
