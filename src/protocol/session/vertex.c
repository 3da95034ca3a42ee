#include "protocol/session/vertex.h"

#include <stdio.h>
#include <strings.h>

bool color_parse(const char *text, Color *out) {
    if (strcasecmp(text, "b") == 0 || strcasecmp(text, "black") == 0)
        *out = COLOR_BLACK;
    else if (strcasecmp(text, "w") == 0 || strcasecmp(text, "white") == 0)
        *out = COLOR_WHITE;
    else
        return false;
    return true;
}

/* Parses a number of one to three digits and moves *text behind it. */
static bool parse_number(const char **text, int *out) {
    int digits = 0;
    for (*out = 0; **text >= '0' && **text <= '9' && digits < 3; (*text)++, digits++)
        *out = 10 * *out + (**text - '0');
    return digits > 0;
}

static bool parse_pair(const char *text, int width, int height, Point *out) {
    int x, y;
    text++;
    if (!parse_number(&text, &x) || *text++ != ',' || !parse_number(&text, &y)) return false;
    if (text[0] != ')' || text[1] || x >= width || y >= height) return false;
    *out = point_at(x, y);
    return true;
}

bool vertex_parse(const char *text, int width, int height, Point *out) {
    if (*text == '(') return parse_pair(text, width, height, out);
    return !point_parse(strcasecmp(text, "pss") == 0 ? "pass" : text, width, height, out, NULL);
}
