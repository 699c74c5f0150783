/* A flag that is raised when a time is over: long work inside the engine looks at flags, not at clocks. */
#include "CLibSQLite.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

struct sql_alarm {
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t stopped;
  struct timespec end;
  int is_stopped;
  int flag;
};

static void *wait_until_end(void *object) {
  sql_alarm *alarm = object;
  pthread_mutex_lock(&alarm->mutex);
  while (!alarm->is_stopped &&
         pthread_cond_timedwait(&alarm->stopped, &alarm->mutex, &alarm->end) != ETIMEDOUT) {}
  if (!alarm->is_stopped) __atomic_store_n(&alarm->flag, 1, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&alarm->mutex);
  return NULL;
}

sql_alarm *sql_alarm_start(int64_t nanoseconds) {
  sql_alarm *alarm = calloc(1, sizeof *alarm);
  if (!alarm) return NULL;
  clock_gettime(CLOCK_REALTIME, &alarm->end);
  nanoseconds += alarm->end.tv_nsec;
  alarm->end.tv_sec += nanoseconds / 1000000000;
  alarm->end.tv_nsec = nanoseconds % 1000000000;
  pthread_mutex_init(&alarm->mutex, NULL);
  pthread_cond_init(&alarm->stopped, NULL);
  /* Signals are for the thread that reads. */
  sigset_t all, former;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &former);
  int code = pthread_create(&alarm->thread, NULL, wait_until_end, alarm);
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  if (code != 0) {
    free(alarm);
    return NULL;
  }
  return alarm;
}

uintptr_t sql_alarm_flag(const sql_alarm *alarm) { return (uintptr_t)&alarm->flag; }

void sql_alarm_stop(sql_alarm *alarm) {
  pthread_mutex_lock(&alarm->mutex);
  alarm->is_stopped = 1;
  pthread_cond_signal(&alarm->stopped);
  pthread_mutex_unlock(&alarm->mutex);
  pthread_join(alarm->thread, NULL);
  pthread_cond_destroy(&alarm->stopped);
  pthread_mutex_destroy(&alarm->mutex);
  free(alarm);
}
