/* zip_member.h - a file in an archive. Its memory belongs to the arena or the reader that it came
 * from. Threading: confined. */
#pragma once
#include <stddef.h>

typedef struct {
    char *name;
    unsigned char *bytes;
    size_t count;
} ZipMember;
