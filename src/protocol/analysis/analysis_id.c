#include "protocol/analysis/analysis_id.h"

#include <string.h>

/* Returns the place behind the JSON string that begins at `quote`, or NULL if the string is cut
 * short. */
static const char *string_end(const char *quote) {
    const char *at = quote + 1;
    while (*at && *at != '"')
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : NULL;
}

static const char *skip_blanks(const char *at) {
    return at + strspn(at, " \t\r\n");
}

/* Parses the JSON string at `at`. Returns NULL if there is none or it is cut short. */
static json_t *read_string(const char *at) {
    const char *end = *at == '"' ? string_end(at) : NULL;
    return end ? json_loadb(at, (size_t)(end - at), JSON_DECODE_ANY, NULL) : NULL;
}

json_t *analysis_find_id(const char *line) {
    int depth = 0;
    for (const char *at = line; *at;) {
        if (*at != '"') {
            depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
            at++;
            continue;
        }
        const char *end = string_end(at), *colon = end ? skip_blanks(end) : NULL;
        if (!end) return NULL;
        if (depth == 1 && *colon == ':' && end - at == 4 && strncmp(at, "\"id\"", 4) == 0)
            return read_string(skip_blanks(colon + 1));
        at = end;
    }
    return NULL;
}
