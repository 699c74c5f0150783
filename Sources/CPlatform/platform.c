// Layer: below everything. The inline parts live in the header; handlers with state live in files of their own.
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CPlatform.h"

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#endif
#include <sys/mman.h>

void platform_begin_writing(int descriptor, int64_t offset, int64_t count) {
#ifdef __linux__
  (void)sync_file_range(descriptor, offset, count, SYNC_FILE_RANGE_WRITE);
#else
  (void)descriptor, (void)offset, (void)count;
#endif
}

int platform_reserve_room(int descriptor, int64_t offset, int64_t count) {
#ifdef __linux__
  int result;
  do result = fallocate(descriptor, 0, offset, count);
  while (result != 0 && errno == EINTR);
  return result;
#else
  (void)descriptor, (void)offset, (void)count;
  return -1;
#endif
}

int platform_map_for_writing(void *address, size_t count, int descriptor, int64_t offset) {
  int protection = PROT_READ | PROT_WRITE;
  if (mmap(address, count, protection, MAP_SHARED | MAP_FIXED, descriptor, offset) == MAP_FAILED) return -1;
#ifdef MADV_POPULATE_WRITE
  // All pages at once cost a fraction of one by one. What could end the process when it is met by a write is told here.
  if (madvise(address, count, MADV_POPULATE_WRITE) != 0 && errno != EINVAL) return -1;
#endif
  return 0;
}
