// Waiting for files to change. Layer: below everything.
#ifndef CPLATFORM_WAITING_H
#define CPLATFORM_WAITING_H

/// From now on changes of files in `folder` are noted; a descriptor, or -1 where the system does not tell.
int platform_open_folder_signals(const char *_Nonnull folder);

enum {
  /// Somebody opened a file.
  platform_folder_opened = 1,
  /// A file was written, made, closed by who could write to it, renamed or removed.
  platform_folder_changed = 2
};

/// Waits until something is noted, and forgets it. What was noted of files whose names begin with `name`; 0 where that is
/// nothing, after `milliseconds` and when a signal came.
int platform_await_folder_signal(int descriptor, int milliseconds, const char *_Nonnull name);

void platform_close_folder_signals(int descriptor);

/// Sleeps; less when a signal comes.
void platform_pause(int milliseconds);

#endif
