/* libraries.h - the libraries that the program runs with, and their versions. Threading: free
 * function. */
#pragma once
#include <stdbool.h>

typedef struct {
    const char *name, *purpose;
    char version[48];
} Library;

/* Fills `out` with the library at this index. Returns false after the last one. */
bool library_at(int index, Library *out);
