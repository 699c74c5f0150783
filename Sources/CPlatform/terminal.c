// Terminal settings. Layer: below everything. See terminal.h.
#include "terminal.h"

#include <errno.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

#include "restore.h"
#include "signals.h"

static struct termios settings_with_echo;
static int echo_is_off;
static struct termios session_settings;
static int session_is_kept;
/// What marked pastes are asked of; -1: nothing.
static int marking_descriptor = -1;

static int hide_echo(struct termios settings, int when) {
  settings.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK | ECHONL);
  return tcsetattr(STDIN_FILENO, when, &settings);
}

int platform_set_echo(int on) {
  if (on) {
    platform_restore_terminal();
    return 0;
  }
  struct termios settings;
  if (tcgetattr(STDIN_FILENO, &settings) != 0) return -1;
  settings_with_echo = settings;
  __atomic_store_n(&echo_is_off, 1, __ATOMIC_RELEASE);
  // A shell gives a process that it continues the settings of its own.
  platform_note_terminal_changes();
  return hide_echo(settings, TCSAFLUSH);
}

static int write_marking(int descriptor, const char *text) { return write(descriptor, text, 8) == 8 ? 0 : -1; }

int platform_mark_pastes(int descriptor) {
  __atomic_store_n(&marking_descriptor, descriptor, __ATOMIC_RELEASE);
  return write_marking(descriptor, "\x1b[?2004h");
}

void platform_stop_marking_pastes(void) {
  int descriptor = __atomic_exchange_n(&marking_descriptor, -1, __ATOMIC_ACQ_REL);
  if (descriptor >= 0) (void)write_marking(descriptor, "\x1b[?2004l");
}

void platform_restore_terminal(void) {
  platform_stop_marking_pastes();
  if (__atomic_exchange_n(&echo_is_off, 0, __ATOMIC_ACQ_REL)) {
    tcsetattr(STDIN_FILENO, TCSANOW, &settings_with_echo);
  } else if (__atomic_load_n(&session_is_kept, __ATOMIC_ACQUIRE)) {
    tcsetattr(STDIN_FILENO, TCSANOW, &session_settings);
  }
}

void platform_keep_terminal_settings(void) {
  if (tcgetattr(STDIN_FILENO, &session_settings) == 0) __atomic_store_n(&session_is_kept, 1, __ATOMIC_RELEASE);
}

int platform_wait_for_answer(int descriptor) {
  sigset_t noted, before;
  sigemptyset(&noted);
  sigaddset(&noted, SIGINT);
  for (;;) {
    // Held back, so that none comes unseen between the question and the wait.
    sigprocmask(SIG_BLOCK, &noted, &before);
    sigset_t waiting = before;
    sigdelset(&waiting, SIGINT);
    fd_set reading;
    FD_ZERO(&reading);
    FD_SET(descriptor, &reading);
    int is_interrupted = platform_interrupt_pending();
    int count = is_interrupted ? 0 : pselect(descriptor + 1, &reading, NULL, NULL, NULL, &waiting);
    int failure = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (is_interrupted) return 0;
    if (count > 0) return 1;
    if (count < 0 && failure != EINTR) return -1;
    // It may have been stopped and continued.
    if (__atomic_load_n(&echo_is_off, __ATOMIC_ACQUIRE)) hide_echo(settings_with_echo, TCSANOW);
  }
}

int platform_terminal_row_count(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

int platform_terminal_column_count(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
