#include "base/name_list.h"

#include <string.h>

static const char SEPARATORS[] = " ,";

bool name_list_has_beginning(const char *list, const char *name) {
    for (const char *at = list + strspn(list, SEPARATORS); *at; at += strspn(at, SEPARATORS)) {
        size_t length = strcspn(at, SEPARATORS);
        if (strncmp(name, at, length) == 0) return true;
        at += length;
    }
    return false;
}

/* Whether a word stands in a name at its beginning or behind a dot. */
static bool has_part(const char *name, const char *word, size_t length) {
    for (const char *part = name; part; part = strchr(part, '.')) {
        part += *part == '.';
        if (strncmp(part, word, length) == 0) return true;
    }
    return false;
}

bool name_list_leaves_out(const char *list, const char *name) {
    for (const char *at = list + strspn(list, SEPARATORS); *at; at += strspn(at, SEPARATORS)) {
        size_t length = strcspn(at, SEPARATORS);
        if (*at == '-' && length > 1 && has_part(name, at + 1, length - 1)) return true;
        at += length;
    }
    return false;
}
