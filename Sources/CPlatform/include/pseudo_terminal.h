// A terminal without a screen, for the tests of what happens on one. Layer: below everything.
#ifndef CPLATFORM_PSEUDO_TERMINAL_H
#define CPLATFORM_PSEUDO_TERMINAL_H

/// Opens both ends: what is written to `master` is typed, what is shown can be read from it; `slave` is the
/// terminal for a program. Nonzero on failure.
int platform_open_pseudo_terminal(int *_Nonnull master, int *_Nonnull slave);

#endif
