/* plural.h - the plural of regular nouns in messages. Threading: free functions. */
#pragma once

/* Returns the ending of a regular noun that follows this number: "" for 1, otherwise "s". */
static inline const char *plural_ending(long long count) {
    return count == 1 ? "" : "s";
}
