// Programs that are run for the user beside this one: pagers and shell commands. Layer: below everything.
#ifndef CPLATFORM_PROCESSES_H
#define CPLATFORM_PROCESSES_H

/// How many words the process was started with, its own name included, and each of them; null behind the last one. They
/// are known without /proc.
int platform_argument_count(void);
const char *_Nullable platform_argument(int index);

/// Starts `command` with the shell; returns its process id, or -1 with errno set. With `other_end` its standard input or
/// output (`stream`) is a pipe whose other end is stored there; otherwise it has this process's own.
int platform_start_shell_command(const char *_Nonnull command, int stream, int *_Nullable other_end);

/// Waits for that process; returns its exit status, 128+n after a signal, or -1.
int platform_wait_for_process(int process);

/// Like that, for at most so many milliseconds; then the process is asked to end, and -1 returned.
int platform_wait_briefly_for_process(int process, int milliseconds);

/// While on, a pipe that nobody reads is an error of the write instead of the end of the process.
void platform_survive_closed_pipes(int on);

#endif
