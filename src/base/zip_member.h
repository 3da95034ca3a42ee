/* zip_member.h - a file in an archive. Threading: confined. */
#pragma once
#include <stddef.h>

typedef struct {
    char *name;
    unsigned char *bytes;
    size_t count;
} ZipMember;
