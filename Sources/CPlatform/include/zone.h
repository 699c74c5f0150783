// The time zone that dates are shown in. Layer: below everything.
#ifndef ZONE_H
#define ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Selects `local`, `UTC` or a zone of the system's list, such as `Europe/Paris`. False, and nothing changes, where the
/// system has no zone of that name. Not while other threads ask for offsets.
bool platform_zone_select(const char *_Nonnull name);

/// Whether a zone other than UTC is selected.
bool platform_zone_is_selected(void);

/// Seconds that clocks in the zone are ahead of UTC at a time, in seconds since 1970.
int32_t platform_zone_offset(int64_t seconds);

#endif
