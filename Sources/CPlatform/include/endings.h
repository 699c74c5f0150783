// Putting off the end of the process while files change places, and being the only one who has a file open.
// Layer: below everything.
#ifndef CPLATFORM_ENDINGS_H
#define CPLATFORM_ENDINGS_H

/// From now on the signals that end the process (`platform_end_signals`) wait, in this thread and in those that it
/// starts. An interrupt that was noted waits with them. `but_noted`: where interrupts are noted, they still are.
void platform_hold_end_signals(int but_noted);

/// Lets through what waited and what comes.
void platform_release_end_signals(void);

/// Whether no other open file description of this file exists anywhere; also 0 where the system cannot tell.
/// Whoever opens it a moment later waits in `open` until `descriptor` is closed.
int platform_is_sole_opener(int descriptor);

#endif
