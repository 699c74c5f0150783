// The page's files, which are inside the program: C, because Swift's compiler takes as long over their bytes as over thirteen
// thousand lines of code. Layer: below RealmServer.
#ifndef PAGE_H
#define PAGE_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  /// Below Page/.
  const char *_Nonnull path;
  const char *_Nonnull type;
  const uint8_t *_Nonnull content;
  size_t size;
} page_file;

/// Nil where there is no such file.
const page_file *_Nullable page_file_at(const char *_Nonnull path);

#endif
