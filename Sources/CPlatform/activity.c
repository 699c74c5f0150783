// A line on the terminal which says that something still runs. Layer: below everything. See activity.h.
#include "activity.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "work.h"

enum { delay_ms = 1000, pause_ms = 100, label_size_max = 160, line_size_max = label_size_max + 64 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t begun = PTHREAD_COND_INITIALIZER;
// All of these are guarded by the mutex.
static bool has_thread;
static bool is_active;
static bool is_paused;
static bool is_shown;
static char label[label_size_max];
static size_t label_size;
static uint64_t start_ms;
static uint64_t quiet_until_ms;

static uint64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void put(const char *text, size_t size) {
  while (size > 0) {
    const ssize_t count = write(STDERR_FILENO, text, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    text += count;
    size -= (size_t)count;
  }
}

static void hide(void) {
  if (is_shown) put("\r\033[K", 4);
  is_shown = false;
}

static void show(uint64_t elapsed_ms) {
  char line[line_size_max];
  int size = snprintf(
      line, sizeof line, "\r\033[K%.*s: %llu s", (int)label_size, label,
      (unsigned long long)(elapsed_ms / 1000));
  uint64_t part, total;
  platform_work_read(0, &part, &total);
  if (total > 0 && part > 0 && size > 0 && (size_t)size < sizeof line) {
    const double share = part < total ? (double)part / (double)total : 1;
    size += snprintf(line + size, sizeof line - (size_t)size, ", %d %%", (int)(share * 100));
  }
  if (size <= 0) return;
  put(line, (size_t)size < sizeof line ? (size_t)size : sizeof line - 1);
  is_shown = true;
}

static void *tell(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  for (;;) {
    while (!is_active) pthread_cond_wait(&begun, &mutex);
    const uint64_t now = now_ms();
    if (now >= start_ms + delay_ms && now >= quiet_until_ms) show(now - start_ms);
    pthread_mutex_unlock(&mutex);
    const struct timespec pause = {0, pause_ms * 1000000L};
    nanosleep(&pause, NULL);
    pthread_mutex_lock(&mutex);
  }
  return NULL;
}

// Signals are for the threads that work.
static bool start_thread(void) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pthread_t thread;
  const bool is_started = pthread_create(&thread, NULL, tell, NULL) == 0;
  if (is_started) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return is_started;
}

void platform_activity_begin(const uint8_t *text, size_t size) {
  pthread_mutex_lock(&mutex);
  if (!has_thread) has_thread = start_thread();
  label_size = size < label_size_max ? size : label_size_max;
  memcpy(label, text, label_size);
  start_ms = now_ms();
  quiet_until_ms = 0;
  is_active = has_thread;
  platform_work_expect(0);
  pthread_cond_signal(&begun);
  pthread_mutex_unlock(&mutex);
}

void platform_activity_end(void) {
  pthread_mutex_lock(&mutex);
  hide();
  is_active = false;
  is_paused = false;
  pthread_mutex_unlock(&mutex);
}

void platform_activity_pause(void) {
  pthread_mutex_lock(&mutex);
  hide();
  is_paused = is_active;
  is_active = false;
  pthread_mutex_unlock(&mutex);
}

void platform_activity_resume(void) {
  pthread_mutex_lock(&mutex);
  is_active = is_active || is_paused;
  is_paused = false;
  start_ms = now_ms();
  pthread_cond_signal(&begun);
  pthread_mutex_unlock(&mutex);
}

void platform_activity_hide(void) {
  pthread_mutex_lock(&mutex);
  hide();
  quiet_until_ms = now_ms() + pause_ms;
  pthread_mutex_unlock(&mutex);
}
