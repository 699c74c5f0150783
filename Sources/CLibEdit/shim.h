/* libedit's native interface; its variadic calls are wrapped here because Swift cannot make them. No state: a shim is
   seen by every file that imports it. */
#include <histedit.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/select.h>

/* The editor on the process's own standard streams; what is typed shows on standard error when `on_error`. */
static inline EditLine *edit_begin(const char *program, int on_error) {
  return el_init(program, stdin, on_error ? stderr : stdout, stderr);
}

static inline int edit_use_emacs_keys(EditLine *editor) { return el_set(editor, EL_EDITOR, "emacs"); }

static inline int edit_set_prompt(EditLine *editor, char *(*prompt)(EditLine *), char escape) {
  return el_set(editor, EL_PROMPT_ESC, prompt, escape);
}

static inline int edit_set_reader(EditLine *editor, int (*reader)(EditLine *, wchar_t *)) {
  return el_set(editor, EL_GETCFN, reader);
}

static inline int edit_add_function(
    EditLine *editor, const char *name, const char *help, unsigned char (*function)(EditLine *, int)) {
  return el_set(editor, EL_ADDFN, name, help, function);
}

static inline int edit_bind(EditLine *editor, const char *key, const char *function) {
  return el_set(editor, EL_BIND, key, function, NULL);
}

static inline int edit_set_owner(EditLine *editor, void *owner) {
  return el_set(editor, EL_CLIENTDATA, owner);
}

static inline void *edit_owner(EditLine *editor) {
  void *owner = NULL;
  return el_get(editor, EL_CLIENTDATA, &owner) == 0 ? owner : NULL;
}

static inline int edit_use_history(EditLine *editor, History *past) {
  return el_set(editor, EL_HIST, history, past);
}

static inline int edit_prepare_terminal(EditLine *editor, int on) {
  return el_set(editor, EL_PREP_TERM, on);
}

static inline int edit_refresh(EditLine *editor) { return el_set(editor, EL_REFRESH); }

static inline int edit_limit_history(History *past, int count) {
  HistEvent event;
  return history(past, &event, H_SETSIZE, count) | history(past, &event, H_SETUNIQUE, 1);
}

static inline int edit_remember(History *past, const char *line) {
  HistEvent event;
  return history(past, &event, H_ENTER, line);
}

/* How many bytes can be read at once; -1 where that is not known. */
static inline int edit_waiting_byte_count(int descriptor) {
  int count = 0;
  return ioctl(descriptor, FIONREAD, &count) == 0 ? count : -1;
}

/* Waits until `descriptor` can be read, or a signal came that the session notes. Such signals are held back before
   `is_interrupted` is asked, so that none comes unseen between the question and the wait. Returns 1 where there is
   something to read, 0 after a signal, EDIT_IDLE after so many milliseconds (none: less than 0), -1 where waiting fails. */
enum { EDIT_IDLE = 2 };
static inline int edit_wait_for_input(int descriptor, int milliseconds, int (*is_interrupted)(void)) {
  sigset_t noted, before;
  sigemptyset(&noted);
  sigaddset(&noted, SIGINT);
  sigaddset(&noted, SIGWINCH);
  sigaddset(&noted, SIGCONT);
  sigprocmask(SIG_BLOCK, &noted, &before);
  fd_set reading;
  FD_ZERO(&reading);
  FD_SET(descriptor, &reading);
  struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};
  int was_interrupted = is_interrupted();
  int count = was_interrupted
                  ? 0
                  : pselect(descriptor + 1, &reading, NULL, NULL, milliseconds < 0 ? NULL : &time, &before);
  int failure = errno;
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (count == 0 && !was_interrupted) return EDIT_IDLE;
  return count < 0 && failure != EINTR ? -1 : count > 0;
}
