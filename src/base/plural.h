/* plural.h - the plural of regular nouns in messages. Threading: free functions. */
#pragma once

/* What a regular noun ends with behind this number: "" for one thing, otherwise "s". */
static inline const char *plural_ending(long long count) {
    return count == 1 ? "" : "s";
}
