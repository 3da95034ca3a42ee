/* system_random.h - random numbers of the system, which nobody can foresee: for names and secrets.
 * Threading: any thread. */
#pragma once
#include "base/error.h"
#include <stddef.h>

/* ERR_IO: the system gives none. */
MUST_USE Status system_random(void *bytes, size_t count, Error *err);
/* Writes `bytes` random bytes as hexadecimal digits. `out` has room for 2 * bytes + 1 characters,
 * and `bytes` is at most 32. ERR_IO as above. */
MUST_USE Status system_random_hex(char *out, int bytes, Error *err);
