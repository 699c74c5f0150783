/* Work that becomes unwanted when a time is over: what is long inside the engine looks at flags, not at clocks. */
#include "CLibSQLite.h"
#include <CPlatform.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct sql_alarm {
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t stopped;
  struct timespec end;
  int is_stopped;
  char *last_words;
  platform_work work;
};

static const int64_t second = 1000000000;
/* How long work that looks at the flag may take to end. */
static const int64_t grace = second / 100;

static void add(struct timespec *time, int64_t nanoseconds) {
  nanoseconds += time->tv_nsec;
  time->tv_sec += nanoseconds / second;
  time->tv_nsec = nanoseconds % second;
}

/* Whether the alarm was not stopped before its end. The mutex is held. */
static int waits_in_vain(sql_alarm *alarm) {
  while (!alarm->is_stopped &&
         pthread_cond_timedwait(&alarm->stopped, &alarm->mutex, &alarm->end) != ETIMEDOUT) {}
  return !alarm->is_stopped;
}

static void *wait_until_end(void *object) {
  sql_alarm *alarm = object;
  pthread_mutex_lock(&alarm->mutex);
  if (waits_in_vain(alarm)) {
    __atomic_store_n(&alarm->work.is_unwanted, 1, __ATOMIC_RELAXED);
    add(&alarm->end, grace);
    /* One call of a function of SQLite, such as instr, can take for ever. */
    if (alarm->last_words && waits_in_vain(alarm)) {
      platform_end_saying((const uint8_t *)alarm->last_words, strlen(alarm->last_words), 1);
    }
  }
  pthread_mutex_unlock(&alarm->mutex);
  return NULL;
}

sql_alarm *sql_alarm_start(int64_t nanoseconds, const char *last_words) {
  sql_alarm *alarm = calloc(1, sizeof *alarm);
  if (!alarm) return NULL;
  alarm->last_words = last_words ? strdup(last_words) : NULL;
  clock_gettime(CLOCK_REALTIME, &alarm->end);
  add(&alarm->end, nanoseconds);
  pthread_mutex_init(&alarm->mutex, NULL);
  pthread_cond_init(&alarm->stopped, NULL);
  /* Signals are for the thread that reads. */
  sigset_t all, former;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &former);
  int code = pthread_create(&alarm->thread, NULL, wait_until_end, alarm);
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  if (code != 0) {
    free(alarm->last_words);
    free(alarm);
    return NULL;
  }
  return alarm;
}

uintptr_t sql_alarm_work(const sql_alarm *alarm) { return (uintptr_t)&alarm->work; }

void sql_alarm_stop(sql_alarm *alarm) {
  pthread_mutex_lock(&alarm->mutex);
  alarm->is_stopped = 1;
  pthread_cond_signal(&alarm->stopped);
  pthread_mutex_unlock(&alarm->mutex);
  pthread_join(alarm->thread, NULL);
  pthread_cond_destroy(&alarm->stopped);
  pthread_mutex_destroy(&alarm->mutex);
  free(alarm->last_words);
  free(alarm);
}
