#include "serve/run_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "run/store/index/net_ratings.h"
#include "run/store/index/run_index.h"
#include "run/store/run_config.h"
#include "run/store/run_directory.h"
#include "serve/runs.h"

enum { LOG_BYTES = 4000, NETS_FOR_SPEED = 5 };

static Status open_index(const RunDirectory *run, RunIndex **out, Error *err) {
    if (!file_exists(run->database.text)) return fail(err, ERR_IO, "the run has no run.db yet");
    return run_index_open_reader(run->database.text, out, err);
}

/* The largest board that the run plays. */
static void add_board(const RunConfig *config, json_t *state) {
    int width, height;
    if (runs_board(config, &width, &height))
        json_object_set_new(state, "board", json_pack("[i,i]", width, height));
}

static void add_settings(const RunDirectory *run, json_t *state) {
    RunConfig *config;
    if (mem_new(1, sizeof *config, &config, NULL)) return;
    if (!run_config_load(run->root.text, config, NULL)) {
        json_object_set_new(state, "boards",
                            json_string(selfplay_sizes_text(&config->selfplay).text));
        add_board(config, state);
        json_object_set_new(state, "komi", json_real(config->selfplay.komi.mean));
        json_object_set_new(state, "arch", json_string(config->run.arch));
        json_object_set_new(state, "seed", json_integer(config->run.seed));
        if (config->run.nets)
            json_object_set_new(state, "last_net", json_integer(config->run.nets));
    }
    free(config);
}

/* The last lines of the log. */
static void add_log(const RunDirectory *run, json_t *state) {
    char text[LOG_BYTES + 1];
    FILE *file = fopen(run->log.text, "rb");
    if (!file) return;
    int64_t bytes = file_bytes(run->log.text);
    bool cut = bytes > LOG_BYTES && fseek(file, -(long)LOG_BYTES, SEEK_END) == 0;
    text[fread(text, 1, LOG_BYTES, file)] = 0;
    fclose(file);
    const char *begin = cut ? strchr(text, '\n') : text;
    json_t *log = begin ? json_string(begin + cut) : NULL; /* NULL if it is not UTF-8 */
    if (log) json_object_set_new(state, "log", log);
}

static void set_gain(json_t *object, const char *elo, const char *deviation, const EloGain *gain) {
    json_object_set_new(object, elo, json_real(gain->elo));
    json_object_set_new(object, deviation, json_real(gain->deviation));
}

static json_t *net_json(const IndexedNet *net, const NetRating *rating, bool anchored) {
    json_t *object = json_pack("{s:i,s:I,s:I,s:I,s:I,s:f}", "number", net->number, "samples",
                               (json_int_t)net->samples, "rows", (json_int_t)net->rows, "games",
                               (json_int_t)net->games, "evaluations", (json_int_t)net->evaluations,
                               "seconds", net->seconds);
    if (!object || !rating) return object;
    set_gain(object, "elo", "deviation", &rating->first);
    set_gain(object, "gain", "gain_deviation", &rating->before);
    if (anchored && rating->anchor.deviation > 0)
        set_gain(object, "over_anchor", "anchor_deviation", &rating->anchor);
    return object;
}

static void add_nets(const IndexedNet *nets, int count, const NetRatings *ratings, json_t *state) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, net_json(&nets[i], net_ratings_find(ratings, nets[i].number),
                                             *ratings->anchor.text != 0));
    json_object_set_new(state, "nets", list);
    if (ratings->count)
        json_object_set_new(state, "first_rated", json_integer(ratings->nets[0].number));
    if (*ratings->anchor.text)
        json_object_set_new(state, "anchor", json_string(ratings->anchor.text));
    const NetRating *best = net_ratings_best(ratings);
    if (best) json_object_set_new(state, "best", json_integer(best->number));
    /* The mean time between the last nets. From it the page estimates when the next net comes. */
    int first = count > NETS_FOR_SPEED ? count - 1 - NETS_FOR_SPEED : 0;
    if (count - first > 1) {
        double seconds = nets[count - 1].seconds - nets[first].seconds;
        json_object_set_new(state, "net_seconds", json_real(seconds / (count - 1 - first)));
    }
}

/* All pairs of players that met: [first, second, wins, draws, losses]. Players are nets, or null
 * for the anchor, which is the player of run.anchor. The wins and losses are those of the first
 * player. */
static Status add_matches(RunIndex *index, json_t *state, Error *err) {
    EloGames *pairs;
    int count;
    Status status = run_index_pairings(index, &pairs, &count, err);
    if (status) return status;
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        const EloGames *pair = &pairs[i];
        json_t *second = pair->second == ANCHOR_NUMBER ? json_null() : json_integer(pair->second);
        json_array_append_new(list, json_pack("[i,o,f,f,f]", pair->first, second, pair->wins,
                                              pair->draws, pair->losses));
    }
    json_object_set_new(state, "matches", list);
    free(pairs);
    return OK;
}

static Status add_facts(RunIndex *index, json_t *state, Error *err) {
    static const struct {
        const char *key, *name;
    } FACTS[] = {{"seconds", "seconds"},      {"evaluations", "evaluations"},
                 {GAMES_FACT, "games"},       {COMPUTE_FACT, "multiply_adds"},
                 {OUTLIERS_FACT, "outliers"}, {SETBACKS_FACT, "setbacks"},
                 {REFUSED_FACT, "refused"}};
    Status status = OK;
    for (size_t i = 0; i < sizeof FACTS / sizeof *FACTS && !status; i++) {
        double value;
        status = run_index_read(index, FACTS[i].key, &value, err);
        if (!status) json_object_set_new(state, FACTS[i].name, json_real(value));
    }
    return status;
}

static Status add_metric_names(RunIndex *index, json_t *state, Error *err) {
    Arena arena = {0};
    char **names;
    int count;
    json_t *list = json_array();
    Status status = run_index_metric_names(index, "", &arena, &names, &count, err);
    for (int i = 0; i < count && !status; i++)
        json_array_append_new(list, json_string(names[i]));
    json_object_set_new(state, "metrics", list);
    arena_clear(&arena);
    return status;
}

static Status add_index(const RunDirectory *run, json_t *state, Error *err) {
    RunIndex *index;
    IndexedNet *nets = NULL;
    NetRatings ratings = {0};
    int count = 0;
    Status status = open_index(run, &index, err);
    if (status) return status;
    status = run_index_nets(index, &nets, &count, err);
    if (!status) status = net_ratings_fit(index, count ? nets[count - 1].number : 0, &ratings, err);
    if (!status) add_nets(nets, count, &ratings, state);
    if (!status) status = add_matches(index, state, err);
    if (!status) status = add_facts(index, state, err);
    if (!status) status = add_metric_names(index, state, err);
    net_ratings_clear(&ratings);
    free(nets);
    run_index_close(index);
    return status;
}

json_t *run_view_state(const char *folder, Fault *fault) {
    RunDirectory run;
    Error err = {0};
    double changed = runs_changed(folder);
    json_t *state = json_pack("{s:s,s:s,s:f,s:b}", "name", run_name(folder).text, "folder", folder,
                              "changed", changed, "live", runs_is_live(changed));
    Status status = run_directory_name(folder, &run, &err);
    if (state && !status) {
        add_settings(&run, state);
        add_log(&run, state);
        /* A run that has just begun has no index yet. */
        if (file_exists(run.database.text)) status = add_index(&run, state, &err);
    }
    if (!status) return state;
    fault_set(fault, "bad_run", "run", "The run cannot be read: %s", err.message);
    json_decref(state);
    return NULL;
}

/* Adds one entry to each array, for `count` neighbouring points of a curve: the samples and seconds
 * of the last of these points, and the mean, minimum and maximum of their values. */
static void add_part(const MetricPoint *points, int count, json_t *const arrays[5]) {
    double sum = 0, low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < count; i++) {
        sum += points[i].value;
        low = fmin(low, points[i].value);
        high = fmax(high, points[i].value);
    }
    const MetricPoint *last = &points[count - 1];
    const double values[5] = {(double)last->samples, last->seconds, sum / count, low, high};
    for (int i = 0; i < 5; i++) /* JSON has no infinity */
        json_array_append_new(arrays[i], isfinite(values[i]) ? json_real(values[i]) : json_null());
}

static json_t *curve_json(const MetricPoint *points, int count, int parts) {
    json_t *const arrays[5] = {json_array(), json_array(), json_array(), json_array(),
                               json_array()};
    if (parts > count) parts = count;
    for (int i = 0; i < parts; i++) {
        int first = (int)((int64_t)count * i / parts),
            next = (int)((int64_t)count * (i + 1) / parts);
        add_part(points + first, next - first, arrays);
    }
    return json_pack("{s:o,s:o,s:o,s:o,s:o}", "samples", arrays[0], "seconds", arrays[1], "value",
                     arrays[2], "low", arrays[3], "high", arrays[4]);
}

json_t *run_view_curves(const char *folder, const json_t *names, int points, Fault *fault) {
    RunDirectory run;
    RunIndex *index = NULL;
    Error err = {0};
    json_t *curves = json_object();
    Status status = run_directory_name(folder, &run, &err);
    if (!status) status = open_index(&run, &index, &err);
    for (size_t i = 0; i < json_array_size(names) && i < RUN_CURVES_MAX && !status; i++) {
        const char *name = json_string_value(json_array_get(names, i));
        MetricPoint *list;
        int count;
        if (!name) continue;
        status = run_index_metric(index, name, &list, &count, &err);
        if (status) break;
        if (count) json_object_set_new(curves, name, curve_json(list, count, points));
        free(list);
    }
    run_index_close(index);
    if (!status) return json_pack("{s:o}", "curves", curves);
    fault_set(fault, "bad_run", "run", "The run cannot be read: %s", err.message);
    json_decref(curves);
    return NULL;
}
