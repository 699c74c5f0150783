// What has to happen before Swift's runtime starts. Layer: below everything.
#ifndef START_H
#define START_H

/// Takes back what the runtime was told by the environment, so that programs that are started later do not see it.
void platform_started(void);

#endif
