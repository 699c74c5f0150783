// The terminal, and commands run for the user. Layer: below everything.
#ifndef CPLATFORM_TERMINAL_H
#define CPLATFORM_TERMINAL_H

#include <stddef.h>
#include <stdint.h>

/// Whether what is typed is shown. A signal that ends the process turns it on again first. Nonzero on failure.
int platform_set_echo(int on);

/// Notes the terminal's settings, which a signal that ends the process then puts back: an editor changes them.
void platform_keep_terminal_settings(void);

/// Waits until something can be read from `descriptor`: 1. An interrupt that the session notes ends the wait: 0, and it stays
/// noted. -1 where waiting fails.
int platform_wait_for_answer(int descriptor);

/// The height of the terminal behind `descriptor` in rows; 0 when it is none or does not say.
int platform_terminal_row_count(int descriptor);

/// The width of the terminal behind `descriptor` in columns; 0 when it is none or does not say.
int platform_terminal_column_count(int descriptor);

/// Runs `command` with the shell and reads at most `capacity` bytes of what it prints. Returns the number of bytes,
/// or -1 with errno set; `exit_status` gets what the shell returned, 128+n after a signal.
ptrdiff_t platform_capture_shell_command(
    const char *_Nonnull command, uint8_t *_Nonnull buffer, size_t capacity, int *_Nonnull exit_status);

#endif
