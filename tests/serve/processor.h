/* processor.h - the processor time that another process has used. */
#pragma once
#include <sys/types.h>
#include <unistd.h>

#include "base/error.h"
#include "test.h"

/* The processor time of all its threads so far (proc(5)). */
static inline double processor_seconds(pid_t process) {
    char path[64];
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    EXPECT_TRUE(file != NULL);
    EXPECT_INT(2, fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                         &user, &system));
    fclose(file);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}
