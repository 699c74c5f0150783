// What the static program asks its processor at a start. In a virtual machine each of these questions leaves the machine, for 1 to
// 8 µs, and the libraries ask 72 of them: half the time of a start. These here ask 28.

#include <pthread.h>
#include <unistd.h>

#if __x86_64__
#include <cpuid.h>

/// In the place of the C library's function of the name `handle_intel`, which asks three or four times for each of twelve numbers;
/// .ci/ask-less leads its callers here. They come before anything is set up: no other function may be called.
/// Sizes are in bytes. 0: there is no such cache.
__attribute__((used, retain)) long cache_of_intel(int name) {
  enum { kinds = 5, numbers = 3 };
  static long caches[kinds][numbers];
  static int is_known;
  for (unsigned index = 0; !is_known; index += 1) {
    unsigned a, b, c, d;
    __cpuid_count(4, index, a, b, c, d);
    unsigned type = a & 31, level = a >> 5 & 7;
    is_known = type == 0 || index == 15;
    if (is_known || level == 0 || level > 4) continue;
    // The caches of instructions come first, as in the names that sysconf has for them.
    long *cache = caches[level == 1 && type == 2 ? 0 : level];
    long line = (b & 4095) + 1, ways = (b >> 22) + 1;
    cache[0] = ways * line * (long)((b >> 12 & 1023) + 1) * (long)(c + 1);
    cache[1] = ways;
    cache[2] = line;
  }
  int place = name - _SC_LEVEL1_ICACHE_SIZE;
  return place < 0 || place >= kinds * numbers ? 0 : caches[place / numbers][place % numbers];
}
#endif

// OpenSSL asks when it is loaded: here when a digest begins, which is all that is used of it where the processor has instructions
// for the cipher.
void __real_OPENSSL_cpuid_setup(void);
void __wrap_OPENSSL_cpuid_setup(void) {}
static pthread_once_t asked = PTHREAD_ONCE_INIT;

#define ASKS_FIRST(begin)                               \
  int __real_##begin(void *digest);                     \
  int __wrap_##begin(void *digest) {                    \
    pthread_once(&asked, __real_OPENSSL_cpuid_setup);   \
    return __real_##begin(digest);                      \
  }
ASKS_FIRST(SHA224_Init)
ASKS_FIRST(SHA256_Init)
