// The terminal. Layer: below everything.
#ifndef CPLATFORM_TERMINAL_H
#define CPLATFORM_TERMINAL_H

/// Whether what is typed is shown. A signal that ends the process turns it on again first. Nonzero on failure.
int platform_set_echo(int on);

/// Notes the terminal's settings, which a signal that ends the process then puts back: an editor changes them.
void platform_keep_terminal_settings(void);

/// Asks the terminal behind `descriptor` to mark what is pasted, until it is asked to stop or a signal ends the process.
/// Nonzero on failure.
int platform_mark_pastes(int descriptor);
void platform_stop_marking_pastes(void);

/// Waits until something can be read from `descriptor`: 1. An interrupt that the session notes ends the wait: 0, and it stays
/// noted. -1 where waiting fails.
int platform_wait_for_answer(int descriptor);

/// The height of the terminal behind `descriptor` in rows; 0 when it is none or does not say.
int platform_terminal_row_count(int descriptor);

/// The width of the terminal behind `descriptor` in columns; 0 when it is none or does not say.
int platform_terminal_column_count(int descriptor);

#endif
