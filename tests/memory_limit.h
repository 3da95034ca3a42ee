/* memory_limit.h - a limit on the memory of a child process of a test. */
#pragma once
#include "test.h"
#include <sys/resource.h>
#include <unistd.h>

/* Limits this process to `bytes` more memory than it has now. Returns false if that is not
 * possible, for example in a build with a sanitizer, whose allocator would end the process. */
static bool limit_memory(size_t bytes) {
    unsigned long long pages = 0;
    FILE *stream = fopen("/proc/self/statm", "r");
    bool known = stream && fscanf(stream, "%llu", &pages) == 1;
    if (stream) fclose(stream);
    rlim_t max = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + bytes;
    return !SANITIZED && known && !setrlimit(RLIMIT_AS, &(struct rlimit){max, max});
}
