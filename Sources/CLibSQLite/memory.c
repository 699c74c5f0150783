/* Large memory in large pages: to fill what is fresh, and to give it back at the end, takes the system a step for each page. */
#include "CLibSQLite.h"
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>

enum { page_size = 2 << 20, size_min = 2 * page_size };

void sql_prefer_large_pages(void *start, size_t size) {
#ifdef MADV_HUGEPAGE
  if (!start || size < size_min) return;
  size_t before = -(uintptr_t)start & (page_size - 1);
  /* Only a wish: where it is not granted, nothing else changes. */
  madvise((char *)start + before, (size - before) & ~(size_t)(page_size - 1), MADV_HUGEPAGE);
#else
  (void)start;
  (void)size;
#endif
}

static sqlite3_mem_methods methods;
static void *(*usual_malloc)(int size);
static void *(*usual_realloc)(void *memory, int size);

static void *large_malloc(int size) {
  void *memory = usual_malloc(size);
  sql_prefer_large_pages(memory, (size_t)size);
  return memory;
}

static void *large_realloc(void *memory, int size) {
  void *moved = usual_realloc(memory, size);
  sql_prefer_large_pages(moved, (size_t)size);
  return moved;
}

static void prepare(void) {
  if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &methods) != SQLITE_OK) return;
  usual_malloc = methods.xMalloc;
  usual_realloc = methods.xRealloc;
  methods.xMalloc = large_malloc;
  methods.xRealloc = large_realloc;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}

void sql_prepare_memory(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, prepare);
}

int sql_system_error(void) { return errno; }
