/* OpenSSL's digests and, for processors without instructions of their own, its cipher. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/aes.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>
