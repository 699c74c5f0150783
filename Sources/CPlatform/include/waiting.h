// Waiting for files to change. Layer: below everything.
#ifndef CPLATFORM_WAITING_H
#define CPLATFORM_WAITING_H

/// From now on changes of files in `folder` are noted; a descriptor, or -1 where the system does not tell.
int platform_open_folder_signals(const char *_Nonnull folder);

/// Waits until something is noted, and forgets it. 1 where it is of a file whose name begins with `name`; 0 for others, after
/// `milliseconds` and when a signal came.
int platform_await_folder_signal(int descriptor, int milliseconds, const char *_Nonnull name);

void platform_close_folder_signals(int descriptor);

/// Sleeps; less when a signal comes.
void platform_pause(int milliseconds);

#endif
