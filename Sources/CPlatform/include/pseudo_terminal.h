// A terminal without a screen, for the tests of what happens on one. Layer: below everything.
#ifndef CPLATFORM_PSEUDO_TERMINAL_H
#define CPLATFORM_PSEUDO_TERMINAL_H

/// Opens both ends: what is written to `master` is typed, what is shown can be read from it; `slave` is the
/// terminal for a program. Nonzero on failure.
int platform_open_pseudo_terminal(int *_Nonnull master, int *_Nonnull slave);

/// Starts a program whose terminal, of that size, is the other end of `master`: control characters that are typed
/// become signals. Lists end with a null pointer. Returns its process id, or -1.
int platform_start_on_terminal(
    const char *_Nonnull program, char *_Nullable const *_Nonnull arguments,
    char *_Nullable const *_Nonnull environment, const char *_Nonnull folder, int rows, int columns,
    int *_Nonnull master);

/// Changes the size of the terminal, which its program is told by a signal.
int platform_resize_terminal(int master, int rows, int columns);

#endif
