#include "sgf/sgf_token.h"

bool sgf_copy_name(const char *begin, const char *end, char name[SGF_NAME_LENGTH_MAX + 1]) {
    bool capitals = false;
    for (const char *c = begin; c < end && !capitals; c++)
        capitals = isupper((unsigned char)*c);
    size_t length = 0;
    for (const char *c = begin; c < end; c++) {
        if (capitals && islower((unsigned char)*c)) continue;
        if (!length && isdigit((unsigned char)*c)) continue; /* a name begins with a letter */
        if (length == SGF_NAME_LENGTH_MAX) return false;
        name[length++] = (char)toupper((unsigned char)*c);
    }
    name[length] = 0;
    return true;
}
