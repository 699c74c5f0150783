// Layer: below everything. The inline parts live in the header; handlers with state live in files of their own.
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CPlatform.h"

#ifdef __linux__
#include <fcntl.h>
#endif

void platform_begin_writing(int descriptor, int64_t offset, int64_t count) {
#ifdef __linux__
  (void)sync_file_range(descriptor, offset, count, SYNC_FILE_RANGE_WRITE);
#else
  (void)descriptor, (void)offset, (void)count;
#endif
}
