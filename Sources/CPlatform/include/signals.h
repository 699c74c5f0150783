// How the process ends when it is told to: signals, and a mapped file that shrinks. Layer: below everything.
// Invariant: the handlers call only what POSIX allows in a handler (unlink, rmdir, write, sigaction, raise, _exit).
#ifndef CPLATFORM_SIGNALS_H
#define CPLATFORM_SIGNALS_H

#include <stddef.h>
#include <stdint.h>

/// From now on SIGPIPE and the signals that end the process (`platform_end_signals`) remove the registered temporary files
/// and then end the process as they would have done; signals that were ignored at start stay ignored. A fault in a mapping
/// of a file that became shorter prints the message of `platform_set_shrunk_file_message` and exits with status 6.
void platform_install_signal_handlers(void);

/// While on, SIGINT only sets a flag: a session goes on after the statement that was interrupted.
void platform_note_interrupts(int on);

int platform_notes_interrupts(void);

/// Whether SIGINT came while `platform_note_interrupts` was on; cheap enough for a loop.
int platform_interrupt_pending(void);

/// The same, and forgets it.
int platform_take_interrupt(void);

/// From now on a resized window and a continued process are noted, and interrupt the call that waits for input.
void platform_note_terminal_changes(void);

/// Whether one of these came, and forgets it.
int platform_take_terminal_change(void);

/// Ends the process as the signal would have ended it, quietly.
void platform_end_by_signal(int signal_number);

/// Ends the process in the middle of whatever it does: removes the registered temporary files, says `message` on standard error and
/// exits with `status`. Callable on any thread.
void platform_end_saying(const uint8_t *_Nonnull message, size_t size, int status);

/// Has the file removed if a signal ends the process; returns a slot, or -1 when all slots are taken or the path is
/// too long. A path of several kilobytes is copied.
int platform_register_temporary(const char *_Nonnull path);

/// Registers a directory, which stays where something is in it.
int platform_register_directory(const char *_Nonnull path);

/// Registers a lock file that `descriptor` holds locked: it is left where somebody else has it open.
int platform_register_lock_file(const char *_Nonnull path, int descriptor);

/// The file of that slot is finished, or gone.
void platform_forget_temporary(int slot);

/// What is written to standard error when a mapped file turns out to be shorter; copied, at most 4 KiB.
void platform_set_shrunk_file_message(const uint8_t *_Nonnull bytes, size_t size);

/// The sentence that a signal which ends the process says on standard error: its beginning, a number where something is counted, and
/// one of two ends, depending on whether anything was finished. Parts are copied, at most 1 KiB each.
enum { platform_ending_start, platform_ending_nothing_finished, platform_ending_some_finished, platform_ending_part_count };
void platform_set_ending_part(int part, const uint8_t *_Nonnull bytes, size_t size);
/// What is counted. What comes later tells more.
enum { platform_counts_nothing, platform_counts_objects, platform_counts_statements };
void platform_say_ending(int counted);
void platform_say_no_ending(void);
/// What the sentence counts.
int platform_counted_by_ending(void);
/// So many are done, which the sentence tells where it counts these.
void platform_ending_count(int counted, uint64_t done);
/// A change has become true, and stays.
void platform_note_finished(void);

/// Opens /dev/null the wrong way round for standard streams that are closed, so that no file that is opened later
/// is mistaken for one, and so that writing to them fails as it should.
void platform_reserve_standard_streams(void);

/// Makes character functions of the C library read UTF-8, whatever the user's locale is.
void platform_use_utf8_locale(void);

#endif
