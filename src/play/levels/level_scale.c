#include "play/levels/level_scale.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/settings.h"
#include "play/levels/rank_scale.h"
#include "search/result/level.h"

static const size_t FILE_BYTES_MAX = 1 << 20, NET_BYTES_MAX = (size_t)1 << 32;

Status level_scale_path(const char *net, int width, int height, Path *out, Error *err) {
    int length = (int)strlen(net) - (path_has_ending(net, ".aji") ? 4 : 0);
    int needed =
        snprintf(out->text, sizeof out->text, "%.*s.%dx%d.levels.json", length, net, width, height);
    if (needed < 0 || (size_t)needed >= sizeof out->text)
        return fail(err, ERR_ARGUMENT, "\"%.40s...\" is too long for the name of a file", net);
    return OK;
}

Status level_scale_hash(const char *net, HashText *out, Error *err) {
    Arena arena = {0};
    char *bytes;
    size_t length;
    Status status = file_read(net, NET_BYTES_MAX, &arena, &bytes, &length, err);
    if (!status) *out = hash_sha256(bytes, length);
    arena_clear(&arena);
    return status;
}

static json_t *points_to_json(const LevelScale *scale) {
    json_t *list = json_array();
    for (int i = 0; i < scale->count; i++) {
        const LevelPoint *point = &scale->points[i];
        json_array_append_new(list, json_pack("{s:f, s:f, s:f}", "strength", point->strength, "elo",
                                              point->elo, "deviation", point->deviation));
    }
    return list;
}

/* The levels are in the file for people and other programs; level_scale_load() ignores them. */
static json_t *levels_to_json(const LevelScale *scale) {
    Level levels[LEVELS_MAX];
    json_t *list = json_array();
    int count = level_scale_levels(scale, levels);
    for (int i = 0; i < count; i++) {
        const Level *level = &levels[i];
        json_t *object =
            json_pack("{s:i, s:f, s:f, s:f}", "level", level->number, "strength", level->strength,
                      "elo", level->elo, "deviation", level->deviation);
        if (scale->has_ranks) {
            json_object_set_new(object, "rank", json_string(rank_text(level->rank).text));
            json_object_set_new(object, "low", json_string(rank_text(level->rank_low).text));
            json_object_set_new(object, "high", json_string(rank_text(level->rank_high).text));
        }
        json_array_append_new(list, object);
    }
    return list;
}

Status level_scale_save(const LevelScale *scale, const char *path, Error *err) {
    json_t *root =
        json_pack("{s:i, s:s, s:s, s:i, s:i, s:i, s:s, s:f, s:i, s:b, s:o, s:o}", "format",
                  LEVEL_FORMAT, "net", scale->net, "sha256", scale->net_hash.text,
                  "strength_version", scale->strength_version, "width", scale->width, "height",
                  scale->height, "rules", rules_text(&scale->rules).text, "komi",
                  (double)scale->rules.komi, "games", scale->games, "has_ranks", scale->has_ranks,
                  "points", points_to_json(scale), "levels", levels_to_json(scale));
    char *text = root ? json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) : NULL;
    Status status = text ? file_write(path, text, strlen(text), err)
                         : fail(err, ERR_MEMORY, "too little memory for %s", path);
    free(text);
    json_decref(root);
    return status;
}

/* Reads a number within bounds. */
static Status read_number(const json_t *object, const char *key, double min, double max,
                          double *out, Error *err) {
    const json_t *value = json_object_get(object, key);
    *out = json_number_value(value);
    if (json_is_number(value) && *out >= min && *out <= max) return OK;
    return fail(err, ERR_SYNTAX, "\"%s\" is missing or not a number from %g to %g", key, min, max);
}

static Status read_int(const json_t *object, const char *key, int min, int max, int *out,
                       Error *err) {
    double number;
    Status status = read_number(object, key, min, max, &number, err);
    if (!status) *out = (int)number;
    return status;
}

static Status read_points(const json_t *root, LevelScale *out, Error *err) {
    const json_t *list = json_object_get(root, "points");
    size_t count = json_array_size(list);
    if (count < 2 || count > LEVEL_POINTS_MAX)
        return fail(err, ERR_SYNTAX, "\"points\" is not a list of 2 to %d points",
                    LEVEL_POINTS_MAX);
    for (size_t i = 0; i < count; i++) {
        const json_t *object = json_array_get(list, i);
        LevelPoint *point = &out->points[i];
        Status status = read_number(object, "strength", 0, 1, &point->strength, err);
        if (!status) status = read_number(object, "elo", -1e5, 1e5, &point->elo, err);
        if (!status) status = read_number(object, "deviation", 0, 1e5, &point->deviation, err);
        if (status) return status;
        if (i > 0 && (point->strength <= point[-1].strength || point->elo < point[-1].elo))
            return fail(err, ERR_SYNTAX, "the points are not in the order of their strengths");
    }
    out->count = (int)count;
    return OK;
}

static Status read_scale(const json_t *root, LevelScale *out, Error *err) {
    int format;
    double komi;
    const char *net, *hash, *rules;
    Status status = read_int(root, "format", 1, 1 << 20, &format, err);
    if (!status && format > LEVEL_FORMAT)
        return fail(err, ERR_UNSUPPORTED, "its format is %d, of a later version", format);
    if (!status) status = json_member_text(root, "net", true, &net, err);
    if (!status) status = json_member_text(root, "sha256", true, &hash, err);
    if (!status) status = json_member_text(root, "rules", true, &rules, err);
    if (!status)
        status = read_int(root, "strength_version", 1, 1 << 20, &out->strength_version, err);
    if (!status) status = read_int(root, "width", 2, 19, &out->width, err);
    if (!status) status = read_int(root, "height", 2, 19, &out->height, err);
    if (!status) status = read_int(root, "games", 0, 1 << 30, &out->games, err);
    if (!status) status = read_number(root, "komi", -RULES_KOMI_MAX, RULES_KOMI_MAX, &komi, err);
    if (!status) status = rules_parse(rules, &out->rules, err);
    if (!status) status = read_points(root, out, err);
    if (status) return status;
    out->rules.komi = (float)komi;
    out->has_ranks = json_is_true(json_object_get(root, "has_ranks"));
    snprintf(out->net, sizeof out->net, "%s", net);
    snprintf(out->net_hash.text, sizeof out->net_hash.text, "%s", hash);
    return OK;
}

Status level_scale_load(const char *path, LevelScale *out, Error *err) {
    Arena arena = {0};
    char *text;
    size_t length;
    json_t *root = NULL;
    *out = (LevelScale){0};
    Status status = file_read(path, FILE_BYTES_MAX, &arena, &text, &length, err);
    if (status) return status;
    status = json_parse(text, length, &root, err);
    if (!status) status = read_scale(root, out, err);
    json_decref(root);
    arena_clear(&arena);
    return status ? fail_within(err, status, "%s is not a file of aji calibrate", path) : OK;
}

/* Interpolates between the two points that surround this Elo. The weakest level has the strength
 * of the first point, even if the next points are no stronger. */
static LevelPoint point_of_elo(const LevelScale *scale, double elo) {
    const LevelPoint *high = scale->points + 1;
    while (high < scale->points + scale->count - 1 && high->elo < elo)
        high++;
    const LevelPoint *low = high - 1;
    double width = high->elo - low->elo;
    double fraction = elo > low->elo ? fmin(1, (elo - low->elo) / fmax(width, 1e-9)) : 0;
    return (LevelPoint){low->strength + fraction * (high->strength - low->strength),
                        low->elo + fraction * width, fmax(low->deviation, high->deviation)};
}

static Level level_of(const LevelScale *scale, int number, double elo) {
    LevelPoint point = point_of_elo(scale, elo);
    Level level = {number, point.strength, point.elo, point.deviation, 0, 0, 0};
    if (!scale->has_ranks) return level;
    int area = scale->width * scale->height;
    double rank = rank_of_elo(point.elo, area), weaker = rank_of_elo(point.elo - 1, area);
    /* The first two terms are guesses: GNU Go's rank may differ from 8k by 2 ranks, and each rank
     * of distance to GNU Go adds 0.3 ranks. */
    double half_width =
        2 + 0.3 * fabs(rank - rank_of_elo(0, area)) + 1.96 * point.deviation * (rank - weaker);
    level.rank = rank;
    level.rank_low = rank - half_width;
    level.rank_high = rank + half_width;
    return level;
}

const char *level_scale_doubt(const LevelScale *scale, const char *net, const Rules *rules) {
    const Rules *measured = &scale->rules;
    HashText hash;
    if (level_scale_hash(net, &hash, NULL) || strcmp(hash.text, scale->net_hash.text) != 0)
        return "with another net file";
    if (scale->strength_version != LEVEL_STRENGTH_VERSION)
        return "by another version of the program";
    if (rules && (measured->scoring != rules->scoring || measured->tax != rules->tax))
        return "under rules that count other points";
    return NULL;
}

int level_scale_levels(const LevelScale *scale, Level out[LEVELS_MAX]) {
    double weakest = scale->points[0].elo, range = scale->points[scale->count - 1].elo - weakest;
    int steps = (int)fmax(1, fmin(LEVELS_MAX - 1, floor(range / LEVEL_ELO_STEP)));
    for (int i = 0; i <= steps; i++)
        out[i] = level_of(scale, i + 1, weakest + range * i / steps);
    return steps + 1;
}

Status level_scale_find(const LevelScale *scale, const char *name, Level *out, Error *err) {
    Level levels[LEVELS_MAX];
    int count = level_scale_levels(scale, levels), area = scale->width * scale->height;
    double rank;
    long long number;
    if (!parse_int(name, "level", 1, count, &number, NULL)) {
        *out = levels[number - 1];
        return OK;
    }
    if (!scale->has_ranks)
        return fail(err, ERR_ARGUMENT,
                    "there is no level \"%.20s\" of %s on %dx%d: its levels are 1 to %d, and have "
                    "no ranks because GNU Go was not measured",
                    name, scale->net, scale->width, scale->height, count);
    bool is_rank = rank_parse(name, &rank);
    if (is_rank && rank >= round(levels[0].rank) && rank <= round(levels[count - 1].rank)) {
        double elo = rank_elo(rank, area);
        int nearest = 0;
        for (int i = 1; i < count; i++)
            if (fabs(levels[i].elo - elo) < fabs(levels[nearest].elo - elo)) nearest = i;
        *out = level_of(scale, levels[nearest].number, elo);
        return OK;
    }
    return fail(err, ERR_ARGUMENT,
                "there is no level \"%.20s\" of %s on %dx%d: its levels are 1 to %d, or %s to %s",
                name, scale->net, scale->width, scale->height, count,
                rank_text(levels[0].rank).text, rank_text(levels[count - 1].rank).text);
}

LevelText level_text(const LevelScale *scale, const Level *level) {
    LevelText out;
    int length = snprintf(out.text, sizeof out.text, "level %d", level->number);
    if (scale->has_ranks)
        snprintf(out.text + length, sizeof out.text - (size_t)length, ", about %s (%s to %s)",
                 rank_text(level->rank).text, rank_text(level->rank_low).text,
                 rank_text(level->rank_high).text);
    return out;
}
