// Work that somebody waits for: whether it is still wanted, and how much of it is done. Layer: below everything.
// A thread works for the process unless it was told otherwise: then nobody else is stopped or counted with it.
#ifndef CPLATFORM_WORK_H
#define CPLATFORM_WORK_H

#include <stdint.h>

/// All members are read and written by any thread.
typedef struct {
  /// 1 when nobody waits for it any more.
  int is_unwanted;
  /// In whatever is counted; 0 for not known.
  uint64_t expected;
  uint64_t done;
} platform_work;

/// From now on this thread does the work at that address; 0: the process's own.
void platform_work_on(uintptr_t work);

/// The address that was given last on this thread.
uintptr_t platform_work_current(void);

/// Whether the work of this thread is unwanted.
int platform_work_is_unwanted(void);

/// How much there is to do from now on, in whatever is counted; 0 for not known.
void platform_work_expect(uint64_t total);

/// So much of it has been done; from any thread.
void platform_work_advance(uint64_t count);

/// How much of some work is done; address 0: of the process's own.
void platform_work_read(uintptr_t work, uint64_t *_Nonnull done, uint64_t *_Nonnull expected);

#endif
