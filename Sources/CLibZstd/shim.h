/* Compression of pages. */
#include <zstd.h>
