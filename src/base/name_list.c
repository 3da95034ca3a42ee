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
