#include "serve/net_facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "eval/formats/net_file.h"
#include "eval/view/net_parts.h"
#include "go/board.h"
#include "play/levels/level_scale.h"
#include "play/levels/rank_scale.h"

/* The numbers of blocks of each kind, such as {"residual":4,"global pooling":2}. */
static json_t *block_kinds(const NetPart *parts, int count) {
    json_t *kinds = json_object();
    for (int i = 0; i < count; i++) {
        if (!*parts[i].kind) continue;
        json_int_t before = json_integer_value(json_object_get(kinds, parts[i].kind));
        json_object_set_new(kinds, parts[i].kind, json_integer(before + 1));
    }
    return kinds;
}

static Status describe_net(const char *file, json_t *facts, Error *err) {
    static const char *const NOTES[] = {"name", "made"};
    Net *net;
    NetPart *parts;
    int count, blocks = 0, channels = 0;
    Status status = net_file_load(file, &net, err);
    if (status) return status;
    status = net_parts(net, &parts, &count, err);
    for (int i = 0; i < count && !status; i++) {
        if (!*parts[i].kind) continue;
        if (!blocks++) channels = parts[i].channels;
    }
    if (!status) {
        json_object_set_new(facts, "blocks", json_integer(blocks));
        json_object_set_new(facts, "channels", json_integer(channels));
        json_object_set_new(facts, "kinds", block_kinds(parts, count));
        json_object_set_new(facts, "parameters", json_integer(net_parameter_total(net)));
        json_object_set_new(facts, "bytes", json_integer(file_bytes(file)));
        for (size_t i = 0; i < sizeof NOTES / sizeof *NOTES; i++) {
            const char *note = net_note(net, NOTES[i]);
            if (note) json_object_set_new(facts, NOTES[i], json_string(note));
        }
        int64_t samples = net_note_count(net, "samples");
        if (samples) json_object_set_new(facts, "samples", json_integer(samples));
        free(parts);
    }
    net_free(net);
    return status;
}

/* Reads the file with the scale of levels (level_scale.h) of a net on a board. Returns false if
 * there is no such file, or if it cannot be read. */
static bool find_scale(const char *file, int width, int height, LevelScale *scale) {
    Path path;
    return !level_scale_path(file, width, height, &path, NULL) && file_exists(path.text) &&
           !level_scale_load(path.text, scale, NULL);
}

/* The boards for which the net has levels, with the weakest and the strongest of them. */
static json_t *list_scales(const char *file) {
    json_t *list = json_array();
    for (int side = 2; side <= BOARD_SIDE_MAX; side++) {
        LevelScale scale;
        Level levels[LEVELS_MAX];
        if (!find_scale(file, side, side, &scale)) continue;
        int count = level_scale_levels(&scale, levels);
        json_array_append_new(
            list, json_pack("{s:i,s:i,s:i,s:s,s:s,s:i}", "width", side, "height", side, "count",
                            count, "weakest", level_text(&scale, &levels[0]).text, "strongest",
                            level_text(&scale, &levels[count - 1]).text, "games", scale.games));
    }
    return list;
}

Status net_facts_read(const char *file, json_t **out, Error *err) {
    Status status = OK;
    *out = json_pack("{s:o}", "levels", list_scales(file));
    if (!*out) return fail(err, ERR_MEMORY, "no memory to describe a net");
    if (strcmp(file, "uniform") != 0) status = describe_net(file, *out, err);
    if (status) {
        json_decref(*out);
        *out = NULL;
    }
    return status;
}

static json_t *level_json(const LevelScale *scale, const Level *level) {
    json_t *object = json_pack("{s:i,s:f,s:f,s:f,s:s}", "number", level->number, "strength",
                               level->strength, "elo", level->elo, "deviation", level->deviation,
                               "label", level_text(scale, level).text);
    if (!object || !scale->has_ranks) return object;
    json_object_set_new(object, "rank", json_string(rank_text(level->rank).text));
    json_object_set_new(object, "low", json_string(rank_text(level->rank_low).text));
    json_object_set_new(object, "high", json_string(rank_text(level->rank_high).text));
    return object;
}

json_t *net_facts_levels(const char *file, int width, int height, const Rules *rules) {
    LevelScale scale;
    Level levels[LEVELS_MAX];
    json_t *list = json_array(), *answer = json_pack("{s:o}", "levels", list);
    if (!answer || !find_scale(file, width, height, &scale)) return answer;
    int count = level_scale_levels(&scale, levels);
    for (int i = 0; i < count; i++)
        json_array_append_new(list, level_json(&scale, &levels[i]));
    const char *doubt = level_scale_doubt(&scale, file, rules);
    if (doubt)
        json_object_set_new(answer, "warning", json_sprintf("The levels were measured %s.", doubt));
    return answer;
}

Status net_facts_find_level(const char *file, int width, int height, const char *name,
                            double *strength, char *label, size_t label_max, Error *err) {
    LevelScale scale;
    Level level;
    Path path;
    Status status = level_scale_path(file, width, height, &path, err);
    if (!status && !file_exists(path.text))
        return fail(err, ERR_ARGUMENT, "no levels of %s were measured on %dx%d", path_name(file),
                    width, height);
    if (!status) status = level_scale_load(path.text, &scale, err);
    if (!status) status = level_scale_find(&scale, name, &level, err);
    if (status) return status;
    *strength = level.strength;
    snprintf(label, label_max, "%s", level_text(&scale, &level).text);
    return OK;
}
