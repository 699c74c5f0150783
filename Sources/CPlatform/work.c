// Work that somebody waits for. Layer: below everything. See work.h.
#include "work.h"

static platform_work own;
static _Thread_local platform_work *current;

void platform_work_on(uintptr_t work) { current = (platform_work *)work; }

uintptr_t platform_work_current(void) { return (uintptr_t)current; }

int platform_work_is_unwanted(void) {
  return current && __atomic_load_n(&current->is_unwanted, __ATOMIC_RELAXED);
}

void platform_work_expect(uint64_t total) {
  platform_work *work = current ? current : &own;
  __atomic_store_n(&work->done, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&work->expected, total, __ATOMIC_RELAXED);
}

void platform_work_advance(uint64_t count) {
  __atomic_fetch_add(current ? &current->done : &own.done, count, __ATOMIC_RELAXED);
}

void platform_work_read(uintptr_t address, uint64_t *done, uint64_t *expected) {
  const platform_work *work = address ? (const platform_work *)address : &own;
  *done = __atomic_load_n(&work->done, __ATOMIC_RELAXED);
  *expected = __atomic_load_n(&work->expected, __ATOMIC_RELAXED);
}
