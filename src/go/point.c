#include "go/point.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/settings.h"

static const char LETTERS[] = "ABCDEFGHJKLMNOPQRST";

Status point_parse(const char *text, int width, int height, Point *out, Error *err) {
    if (strcasecmp(text, "pass") == 0) {
        *out = POINT_PASS;
        return OK;
    }
    const char *letter = *text ? strchr(LETTERS, toupper((unsigned char)*text)) : NULL;
    long long row = 0;
    if (!letter || !isdigit((unsigned char)text[1]) ||
        parse_int(text + 1, "row", 0, 99, &row, NULL))
        return fail(err, ERR_SYNTAX, "\"%.20s\" is not a point such as C3, or pass", text);
    int x = (int)(letter - LETTERS), y = height - (int)row;
    if (x >= width || y < 0 || y >= height)
        return fail(err, ERR_SYNTAX, "point \"%.20s\" is off a %dx%d board", text, width, height);
    *out = point_at(x, y);
    return OK;
}

PointText point_text(Point point, int height) {
    PointText text;
    if (point == POINT_PASS)
        snprintf(text.text, sizeof text.text, "pass");
    else if (point == POINT_NONE)
        snprintf(text.text, sizeof text.text, "none");
    else
        snprintf(text.text, sizeof text.text, "%c%d", LETTERS[point_x(point)],
                 height - point_y(point));
    return text;
}
