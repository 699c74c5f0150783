// Memory for keys: not swapped out, not in core files, gone when it is given back. Layer: below everything.
#ifndef CPLATFORM_SECRETS_H
#define CPLATFORM_SECRETS_H

#include <stddef.h>
// getentropy: the module of Apple's C library has no place for it.
#include <sys/random.h>

/// Fresh pages of zeros for at least `size` bytes, or null. While any are held the process leaves no core file, and no
/// other process of the same user may look into it. Where the system does not lock them, they are secret all the same
/// but for swap space.
void *_Nullable platform_take_secret_memory(size_t size);

/// Overwrites and gives back what was taken with that size.
void platform_give_secret_memory_back(void *_Nonnull start, size_t size);

/// Overwrites bytes that nobody needs any more, which no compiler leaves out.
void platform_wipe(void *_Nonnull start, size_t size);

#endif
