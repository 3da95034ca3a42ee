#include "base/system_random.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

enum { BYTES_MAX = 32 };

Status system_random(void *bytes, size_t count, Error *err) {
    if (getrandom(bytes, count, 0) != (ssize_t)count)
        return fail(err, ERR_IO, "the system has no random numbers: %s", strerror(errno));
    return OK;
}

Status system_random_hex(char *out, int bytes, Error *err) {
    unsigned char random[BYTES_MAX];
    Status status = system_random(random, (size_t)bytes, err);
    *out = 0;
    for (int i = 0; i < bytes && !status; i++)
        snprintf(out + 2 * i, 3, "%02x", random[i]);
    return status;
}
