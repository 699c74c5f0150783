// A line on the terminal which says that something still runs: a thread writes it, because what runs has no time to.
// Layer: below everything.
// Invariants: nothing is written before the first second; the thread writes nothing while others write to the terminal, who
// hide the line first.
#ifndef CPLATFORM_ACTIVITY_H
#define CPLATFORM_ACTIVITY_H

#include <stddef.h>
#include <stdint.h>

/// From now on, after a second, standard error shows `label` (clean text), how long it has taken, and the share that is
/// done where `platform_work_expect` (work.h) said how much there is. Only for a standard error that is a terminal.
void platform_activity_begin(const uint8_t *_Nonnull label, size_t size);

/// Nothing runs any more, or somebody else uses the terminal from now on: the line goes away and stays away.
void platform_activity_end(void);

/// Somebody is asked something: the line goes away, and comes again a second after `platform_activity_resume`.
void platform_activity_pause(void);
void platform_activity_resume(void);

/// The line goes away, for something else that is written; it comes again in a while.
void platform_activity_hide(void);

#endif
