#include "sgf/sgf_komi.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/settings.h"
#include "go/handicap.h"

/* Reads a number, which may have a decimal point or a decimal comma, and blanks around it. */
static bool read_number(const char *text, double *out) {
    char number[32];
    size_t length = 0;
    while (isspace((unsigned char)*text))
        text++;
    for (; *text && !isspace((unsigned char)*text); text++) {
        if (length + 1 == sizeof number || !strchr("+-.,0123456789", *text)) return false;
        number[length++] = *text == ',' ? '.' : *text;
    }
    number[length] = 0;
    while (isspace((unsigned char)*text))
        text++;
    return !*text && !parse_double(number, "komi", -1e6, 1e6, out, NULL);
}

/* Converts the komi of a file from Fox to points. If the number is not understood, returns a huge
 * number, which is no valid komi. */
static double correct_fox_komi(double komi) {
    static const struct {
        double written, points;
    } KNOWN[] = {{550, 5.5}, {275, 5.5}, {325, 6.5}, {650, 6.5},
                 {375, 7.5}, {750, 7.5}, {350, 7.0}, {700, 7.0}};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        if (KNOWN[i].written == komi) return KNOWN[i].points;
    }
    return fabs(komi) < 50 ? komi : 1e9;
}

static bool is_gogod_chinese(const char *source, const char *rules_name) {
    return strncmp(source, "GoGoD", 5) == 0 && (strcasecmp(rules_name, "chinese") == 0 ||
                                                strcasecmp(rules_name, "chinese, pair go") == 0);
}

bool sgf_komi_parse(const char *text, const char *application, const char *source,
                    const char *rules_name, float *out) {
    double komi;
    if (!read_number(text, &komi)) return false;
    bool fox = strstr(application, "foxwq") || strstr(application, "SGFC:2.0");
    if (fox) komi = correct_fox_komi(komi);
    bool quarter = 4 * komi == floor(4 * komi) && 2 * komi != floor(2 * komi);
    if (quarter && is_gogod_chinese(source, rules_name)) komi *= 2;
    if (!rules_komi_is_valid(komi)) return false;
    *out = (float)komi;
    return true;
}

static bool looks_like_fox(const SgfGame *game, bool white_is_second) {
    bool fox = strstr(game->about.application, "foxwq") ||
               (strcmp(game->about.application, "GNU Go:3.8") == 0 && !*game->about.name);
    if (!fox || !white_is_second || game->width != BOARD_SIDE_MAX || game->height != BOARD_SIDE_MAX)
        return false;
    for (Point p = 0; p < POINT_COUNT; p++) {
        if (game->setup[p] == COLOR_BLACK || game->setup[p] == COLOR_WHITE) return false;
    }
    return game->handicap >= 2 && game->handicap <= 9;
}

int sgf_komi_add_handicap(SgfGame *game, bool white_is_second) {
    if (!looks_like_fox(game, white_is_second)) return 0;
    Point points[9];
    int count = handicap_fixed(game->width, game->height, game->handicap, points);
    /* With 6 or 7 stones, `points` has three stones on the left and three on the right. Before
     * 2018, Fox put three at the top and three at the bottom. */
    bool transposed = (count == 6 || count == 7) && *game->about.date &&
                      strcmp(game->about.date, "2018-01-01") < 0;
    for (int i = 0; i < count; i++) {
        Point point = transposed ? point_at(point_y(points[i]), point_x(points[i])) : points[i];
        game->setup[point] = COLOR_BLACK;
    }
    return count;
}
