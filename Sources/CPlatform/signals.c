// Signal handlers and their state. Layer: below everything. See signals.h.
#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "endings.h"
#include "restore.h"
#include "work.h"

enum { temporary_count_max = 8, path_size_max = 4096, message_size_max = 4096, exit_status_busy = 6 };
enum { slot_free, slot_claimed, slot_active };

const int platform_end_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU};
const int platform_end_signal_count = sizeof platform_end_signals / sizeof *platform_end_signals;

static char temporary_paths[temporary_count_max][path_size_max];
static int temporary_states[temporary_count_max];
/// Of a lock file, which goes only while nobody else has it open; or one of the kinds below.
static int temporary_lock_descriptors[temporary_count_max];
enum { plain_file = -1, directory = -2 };

static uint8_t shrunk_file_message[message_size_max];
static size_t shrunk_file_message_size;

enum { ending_part_size_max = 1024 };
static uint8_t ending_parts[platform_ending_part_count][ending_part_size_max];
static size_t ending_part_sizes[platform_ending_part_count];
static int ending_is_said, ending_counted;
static uint64_t ending_count, finished_count;

static volatile sig_atomic_t notes_interrupts;
static volatile sig_atomic_t interrupt_is_pending;

static volatile sig_atomic_t terminal_has_changed;

static void remove_temporaries(void) {
  for (int slot = 0; slot < temporary_count_max; slot++) {
    if (__atomic_load_n(&temporary_states[slot], __ATOMIC_ACQUIRE) != slot_active) continue;
    int descriptor = temporary_lock_descriptors[slot];
    if (descriptor == directory) continue;
    if (descriptor < 0 || platform_is_sole_opener(descriptor)) unlink(temporary_paths[slot]);
  }
  // What stood in them is gone now; then those in which others stood.
  for (int turn = 0; turn < 2 * temporary_count_max; turn++) {
    int slot = turn % temporary_count_max;
    if (__atomic_load_n(&temporary_states[slot], __ATOMIC_ACQUIRE) != slot_active) continue;
    if (temporary_lock_descriptors[slot] == directory) rmdir(temporary_paths[slot]);
  }
}

static size_t append_ending(uint8_t *text, size_t size, int part) {
  memcpy(text + size, ending_parts[part], ending_part_sizes[part]);
  return size + ending_part_sizes[part];
}

/// Says what was kept.
static void say_ending(void) {
  if (!__atomic_exchange_n(&ending_is_said, 0, __ATOMIC_ACQ_REL)) return;
  uint8_t text[2 * ending_part_size_max + 20], digits[20];
  size_t size = append_ending(text, 0, platform_ending_start);
  int digit_count = 0;
  uint64_t number = __atomic_load_n(&ending_count, __ATOMIC_RELAXED);
  do digits[digit_count++] = (uint8_t)('0' + number % 10);
  while ((number /= 10) > 0);
  while (ending_counted != platform_counts_nothing && digit_count > 0) text[size++] = digits[--digit_count];
  int has_finished = __atomic_load_n(&finished_count, __ATOMIC_RELAXED) > 0;
  size = append_ending(text, size, has_finished ? platform_ending_some_finished : platform_ending_nothing_finished);
  ssize_t ignored = write(STDERR_FILENO, text, size);
  (void)ignored;
}

static void unblock(int signal_number) {
  sigset_t only_this;
  sigemptyset(&only_this);
  sigaddset(&only_this, signal_number);
  sigprocmask(SIG_UNBLOCK, &only_this, NULL);
}

void platform_end_by_signal(int signal_number) {
  remove_temporaries();
  platform_leave_sessions();
  platform_restore_terminal();
  // What nobody reads any more is no news.
  if (signal_number != SIGPIPE) say_ending();
  struct sigaction action = {0};
  action.sa_handler = SIG_DFL;
  sigaction(signal_number, &action, NULL);
  unblock(signal_number);
  raise(signal_number);
  _exit(128 + signal_number);
}

static void handle_end(int signal_number) {
  if (signal_number == SIGINT && notes_interrupts) {
    interrupt_is_pending = 1;
    return;
  }
  platform_end_by_signal(signal_number);
}

void platform_end_saying(const uint8_t *message, size_t size, int status) {
  // Nothing sensible is left to do when standard error cannot be written.
  ssize_t ignored = write(STDERR_FILENO, message, size);
  (void)ignored;
  remove_temporaries();
  platform_restore_terminal();
  _exit(status);
}

static void handle_bus_error(int signal_number, siginfo_t *information, void *context) {
  (void)context;
  // Several threads may meet the end of the file at once; one of them ends the process for all.
  static int is_ending;
  if (__atomic_exchange_n(&is_ending, 1, __ATOMIC_ACQ_REL)) {
    for (;;) pause();
  }
  if (information->si_code != BUS_ADRERR) platform_end_by_signal(signal_number);
  platform_end_saying(shrunk_file_message, shrunk_file_message_size, exit_status_busy);
}

static void install_unless_ignored(int signal_number) {
  struct sigaction action = {0};
  if (sigaction(signal_number, NULL, &action) == 0 && action.sa_handler == SIG_IGN) return;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle_end;
  sigaction(signal_number, &action, NULL);
  // A worker thread of the program that started this one may have had it blocked.
  unblock(signal_number);
}

void platform_install_signal_handlers(void) {
  for (int index = 0; index < platform_end_signal_count; index++) {
    install_unless_ignored(platform_end_signals[index]);
  }
  install_unless_ignored(SIGPIPE);
  // A file that may not become larger is an error of the write, like a full disk.
  signal(SIGXFSZ, SIG_IGN);
  struct sigaction action = {0};
  action.sa_sigaction = handle_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, NULL);
}

void platform_note_interrupts(int on) {
  interrupt_is_pending = 0;
  notes_interrupts = on;
}

int platform_notes_interrupts(void) { return notes_interrupts; }

int platform_interrupt_pending(void) { return interrupt_is_pending || platform_work_is_unwanted(); }

int platform_take_interrupt(void) {
  int was_pending = interrupt_is_pending;
  interrupt_is_pending = 0;
  return was_pending;
}

static void handle_terminal_change(int signal_number) {
  (void)signal_number;
  terminal_has_changed = 1;
}

void platform_note_terminal_changes(void) {
  struct sigaction action = {0};
  action.sa_handler = handle_terminal_change;
  sigaction(SIGWINCH, &action, NULL);
  sigaction(SIGCONT, &action, NULL);
}

int platform_take_terminal_change(void) {
  int has_changed = terminal_has_changed;
  terminal_has_changed = 0;
  return has_changed;
}

int platform_register_temporary(const char *path) { return platform_register_lock_file(path, plain_file); }

int platform_register_directory(const char *path) { return platform_register_lock_file(path, directory); }

int platform_register_lock_file(const char *path, int descriptor) {
  size_t size = strlen(path) + 1;
  if (size > path_size_max) return -1;
  for (int slot = 0; slot < temporary_count_max; slot++) {
    int expected = slot_free;
    if (!__atomic_compare_exchange_n(
            &temporary_states[slot], &expected, slot_claimed, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
      continue;
    }
    memcpy(temporary_paths[slot], path, size);
    temporary_lock_descriptors[slot] = descriptor;
    __atomic_store_n(&temporary_states[slot], slot_active, __ATOMIC_RELEASE);
    return slot;
  }
  return -1;
}

void platform_forget_temporary(int slot) {
  if (slot < 0 || slot >= temporary_count_max) return;
  __atomic_store_n(&temporary_states[slot], slot_free, __ATOMIC_RELEASE);
}

void platform_set_shrunk_file_message(const uint8_t *bytes, size_t size) {
  if (size > message_size_max) size = message_size_max;
  memcpy(shrunk_file_message, bytes, size);
  shrunk_file_message_size = size;
}

void platform_set_ending_part(int part, const uint8_t *bytes, size_t size) {
  if (size > ending_part_size_max) size = ending_part_size_max;
  memcpy(ending_parts[part], bytes, size);
  ending_part_sizes[part] = size;
}

void platform_say_ending(int counted) {
  ending_counted = counted;
  __atomic_store_n(&ending_count, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&ending_is_said, 1, __ATOMIC_RELEASE);
}

void platform_say_no_ending(void) {
  __atomic_store_n(&ending_is_said, 0, __ATOMIC_RELEASE);
  // What comes later is not said either.
  ending_counted = INT_MAX;
}

int platform_counted_by_ending(void) { return ending_counted; }

void platform_ending_count(int counted, uint64_t done) {
  if (counted == ending_counted) __atomic_store_n(&ending_count, done, __ATOMIC_RELAXED);
}

void platform_note_finished(void) { __atomic_fetch_add(&finished_count, 1, __ATOMIC_RELAXED); }

void platform_reserve_standard_streams(void) {
  for (int descriptor = 0; descriptor <= 2; descriptor++) {
    // The lowest free number is the one that is closed.
    if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) {
      open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
  }
}

void platform_use_utf8_locale(void) {
  setlocale(LC_CTYPE, "");
  if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) setlocale(LC_CTYPE, "C.UTF-8");
}
