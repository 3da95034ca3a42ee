/* test_path.h - a file of this process in /tmp, for the test to remove. */
#pragma once
#include <stdio.h>
#include <unistd.h>

typedef struct {
    char text[128];
} TestPath;

static inline TestPath test_path(const char *name) {
    TestPath path;
    snprintf(path.text, sizeof path.text, "/tmp/aji_test_%d_%s", (int)getpid(), name);
    return path;
}
