// What a signal handler calls before the process ends. Layer: below everything; not seen by Swift.
#ifndef CPLATFORM_RESTORE_H
#define CPLATFORM_RESTORE_H

/// Shows typed characters again if they were hidden; allowed in a signal handler.
void platform_restore_terminal(void);

/// Leaves the sessions that the process takes part in; waits a moment at most.
void platform_leave_sessions(void);

/// The signals by which somebody ends the process: SIGINT, SIGTERM, SIGHUP, SIGQUIT, and those that would end it otherwise.
/// They wait while files change places.
extern const int platform_end_signals[];
extern const int platform_end_signal_count;

#endif
