#include "serve/run_events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "run/store/index/run_index.h"
#include "run/store/run_directory.h"
#include "serve/run_games.h"
#include "serve/run_view.h"
#include "serve/runs.h"

enum {
    METRICS_AT_ONCE = 1000,
    LINES_AT_ONCE = 500,
    /* How old the name of a file must be. The clock of a file system has steps of some
     * milliseconds, so a file that comes a moment later may seem to have come at the same time. */
    SETTLED_NS = 1000000000
};

struct RunEvents {
    RunDirectory run;
    EventCursor cursor;
    /* Whether the next call first sets the cursor to the end of the curves, or of the nets, without
     * telling them. */
    bool skips_metrics, skips_nets;
    bool has_backlog; /* the last call has left something to be read at once */
    /* A checksum of what was told of each net, in the order of their numbers. If `knows_nets` is
     * false, only the cursor says what was told. */
    uint32_t *nets;
    int net_count;
    bool knows_nets;
    bool told_state;
    uint64_t state; /* a hash of the last state that was told */
    double changed; /* of the last state */
    bool live;      /* of the last state */
    /* The place behind the last game that was told, in the file of the cursor. */
    GamesPlace place;
};

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

Status run_events_new(const char *folder, const EventCursor *last, RunEvents **out, Error *err) {
    Status status = mem_new(1, sizeof **out, out, err);
    if (status) return status;
    RunEvents *events = *out;
    status = run_directory_name(folder, &events->run, err);
    events->cursor = last ? *last : (EventCursor){.file_time = now_ns()};
    events->skips_metrics = events->skips_nets = !last;
    if (status) {
        run_events_free(events);
        *out = NULL;
    }
    return status;
}

void run_events_free(RunEvents *events) {
    if (events) free(events->nets);
    free(events);
}

bool run_events_has_fallen_asleep(const RunEvents *events) {
    return events->live && !runs_is_live(events->changed);
}

/* Adds an event, whose id is the present cursor. If `data` is NULL, adds nothing: a file is
 * damaged, or has a name that is not UTF-8. */
static void add_event(RunEvents *events, const char *kind, const json_t *data, StrBuf *out) {
    char *text = data ? json_dumps(data, JSON_COMPACT) : NULL;
    if (text)
        strbuf_addf(out, "event: %s\nid: %s\ndata: %s\n\n", kind,
                    event_cursor_text(&events->cursor).text, text);
    else if (data)
        out->failed = true;
    free(text);
}

/* ---- nets ---- */

/* A checksum of what is told of a net. Fractions do not count, since every match changes the
 * ratings of all nets a little. */
static uint32_t net_checksum(const json_t *net) {
    uint32_t sum = 0;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)net, key, value) {
        char text[64];
        double rounded = round(json_number_value(value)) + 0.0; /* not -0 */
        int length = snprintf(text, sizeof text, "%.30s=%.0f ", key, rounded);
        if (length >= (int)sizeof text) length = (int)sizeof text - 1; /* a huge number */
        sum = hash_crc32_more(sum, text, (size_t)length);
    }
    return sum;
}

static uint32_t nets_checksum(const uint32_t *nets, int count) {
    return hash_crc32(nets, (size_t)count * sizeof *nets);
}

static int number_of(const json_t *nets, int index) {
    const json_t *net = json_array_get(nets, (size_t)index);
    return (int)json_integer_value(json_object_get(net, "number"));
}

/* Finds out what was told, if only the cursor says it. `now` are the present checksums. */
static void compare_with_cursor(RunEvents *events, const json_t *list, const uint32_t *now,
                                int count) {
    EventCursor *cursor = &events->cursor;
    int told = 0;
    if (events->skips_nets && count) {
        cursor->net = number_of(list, count - 1);
        cursor->nets = nets_checksum(now, count);
    }
    while (told < count && number_of(list, told) <= cursor->net)
        told++;
    if (nets_checksum(now, told) != cursor->nets || !told) {
        cursor->net = 0; /* the client may know nothing of these nets */
        cursor->nets = nets_checksum(now, 0);
        told = 0;
    }
    events->nets = malloc(mem_array_bytes((size_t)count + 1, sizeof *now));
    if (events->nets) memcpy(events->nets, now, (size_t)told * sizeof *now);
    events->net_count = events->nets ? told : 0;
    events->knows_nets = true;
    events->skips_nets = false;
}

/* Tells the nets that are new or have changed. While nets that were told before are told again, the
 * cursor stays as it was, so that a client that leaves in between gets all of them again. */
static void add_nets(RunEvents *events, const json_t *list, const uint32_t *now, int count,
                     StrBuf *out) {
    EventCursor *cursor = &events->cursor;
    int last_changed = -1;
    for (int i = 0; i < count && i < events->net_count; i++)
        if (now[i] != events->nets[i]) last_changed = i;
    for (int i = 0; i < count; i++) {
        bool is_new = i >= events->net_count;
        if (!is_new && now[i] == events->nets[i]) continue;
        if (is_new || i == last_changed) {
            int told = is_new ? i + 1 : events->net_count < count ? events->net_count : count;
            cursor->net = number_of(list, told - 1);
            cursor->nets = nets_checksum(now, told);
        }
        add_event(events, "net", json_array_get(list, (size_t)i), out);
    }
}

static void tell_nets(RunEvents *events, const json_t *list, StrBuf *out) {
    int count = (int)json_array_size(list);
    uint32_t *now = malloc(mem_array_bytes((size_t)count + 1, sizeof *now));
    if (!now) return;
    for (int i = 0; i < count; i++)
        now[i] = net_checksum(json_array_get(list, (size_t)i));
    if (!events->knows_nets) compare_with_cursor(events, list, now, count);
    add_nets(events, list, now, count, out);
    free(events->nets);
    events->nets = now;
    events->net_count = count;
}

/* ---- the state ---- */

static void tell_state(RunEvents *events, json_t *state, StrBuf *out) {
    static const char *const LEFT_OUT[] = {"nets", "matches", "log", "metrics"};
    for (size_t i = 0; i < sizeof LEFT_OUT / sizeof *LEFT_OUT; i++)
        json_object_del(state, LEFT_OUT[i]);
    char *text = json_dumps(state, JSON_COMPACT);
    uint64_t hash = text ? hash_bytes(text, strlen(text), 0) : 0;
    free(text);
    if (events->told_state && hash == events->state) return;
    add_event(events, "state", state, out);
    events->told_state = true;
    events->state = hash;
}

/* Tells the nets, and then the state, or why the state cannot be read. */
static void tell_nets_and_state(RunEvents *events, StrBuf *out) {
    Fault fault = {0};
    json_t *state = run_view_state(events->run.root.text, &fault);
    events->changed = json_number_value(json_object_get(state, "changed"));
    events->live = json_is_true(json_object_get(state, "live"));
    if (state)
        tell_nets(events, json_object_get(state, "nets"), out);
    else if (fault.code)
        state = json_pack("{s:o}", "error", fault_json(&fault));
    if (state) tell_state(events, state, out);
    json_decref(state);
}

/* ---- curves ---- */

static uint32_t metric_key(const PlacedMetric *metric) {
    uint32_t sum = hash_crc32(metric->name, strlen(metric->name));
    return hash_crc32_more(sum, &metric->point.samples, sizeof metric->point.samples);
}

static uint32_t metric_value(const PlacedMetric *metric) {
    const double values[2] = {metric->point.seconds, metric->point.value};
    return hash_crc32(values, sizeof values);
}

static void set_metric(EventCursor *cursor, const PlacedMetric *metric) {
    cursor->metric = metric ? metric->place : 0;
    cursor->metric_key = metric ? metric_key(metric) : 0;
    cursor->metric_value = metric ? metric_value(metric) : 0;
}

static json_t *number_json(double value) {
    return isfinite(value) ? json_real(value) : json_null(); /* JSON has no infinity */
}

static void tell_metric(RunEvents *events, const PlacedMetric *metric, StrBuf *out) {
    json_t *data = json_pack(
        "{s:s,s:I,s:o,s:o}", "name", metric->name, "samples", (json_int_t)metric->point.samples,
        "seconds", number_json(metric->point.seconds), "value", number_json(metric->point.value));
    set_metric(&events->cursor, metric);
    add_event(events, "metric", data, out);
    json_decref(data);
}

/* What the index has at the place of the last point that was told. */
typedef enum {
    LAST_IS_SAME,
    LAST_IS_REPLACED,      /* by another value of the same point */
    LAST_IS_GONE,          /* or is being replaced at this moment */
    LAST_IS_OF_OTHER_INDEX /* the index was made anew since */
} LastMetric;

static LastMetric compare_last(const EventCursor *cursor, const PlacedMetric *first,
                               int64_t last_place) {
    if (!cursor->metric) return LAST_IS_GONE;
    if (!first || first->place != cursor->metric)
        return last_place < cursor->metric - 1 ? LAST_IS_OF_OTHER_INDEX : LAST_IS_GONE;
    if (metric_key(first) != cursor->metric_key) return LAST_IS_OF_OTHER_INDEX;
    return metric_value(first) == cursor->metric_value ? LAST_IS_SAME : LAST_IS_REPLACED;
}

static Status tell_metrics_of(RunEvents *events, RunIndex *index, Arena *arena, StrBuf *out,
                              RunEventsRest *rest, Error *err) {
    EventCursor *cursor = &events->cursor;
    PlacedMetric *metrics;
    int64_t last_place;
    int count = 0;
    Status status = run_index_last_place(index, &last_place, err);
    if (!status && events->skips_metrics) cursor->metric = last_place;
    if (!status)
        status = run_index_metrics_from(index, cursor->metric ? cursor->metric : 1, METRICS_AT_ONCE,
                                        arena, &metrics, &count, err);
    if (status) return status;
    if (events->skips_metrics) {
        set_metric(cursor, count ? &metrics[count - 1] : NULL);
        events->skips_metrics = false;
        return OK;
    }
    LastMetric last = compare_last(cursor, count ? &metrics[0] : NULL, last_place);
    if (last == LAST_IS_OF_OTHER_INDEX) {
        set_metric(cursor, NULL);
        *rest = RUN_EVENTS_MORE;
        return OK;
    }
    for (int i = last == LAST_IS_SAME; i < count; i++)
        tell_metric(events, &metrics[i], out);
    if (count == METRICS_AT_ONCE) *rest = RUN_EVENTS_MORE;
    return OK;
}

/* Tells new points. If the index cannot be read, the state says so. */
static RunEventsRest tell_metrics(RunEvents *events, StrBuf *out) {
    RunIndex *index;
    Arena arena = {0};
    RunEventsRest rest = RUN_EVENTS_TOLD;
    if (!file_exists(events->run.database.text)) {
        events->skips_metrics = false; /* the run has just begun: all its points are news */
        return rest;
    }
    if (run_index_open_reader(events->run.database.text, &index, NULL)) return rest;
    if (tell_metrics_of(events, index, &arena, out, &rest, NULL)) rest = RUN_EVENTS_TOLD;
    run_index_close(index);
    arena_clear(&arena);
    return rest;
}

/* ---- games ---- */

/* A file of games that may have news. */
typedef struct {
    int64_t time; /* when it got its name */
    uint32_t sum; /* of its name */
    const char *folder, *name;
} GameFile;

typedef struct {
    Arena arena;
    GameFile *files;
    size_t capacity;
    int count;
} GameFiles;

static int compare_places(int64_t time, uint32_t sum, int64_t other_time, uint32_t other_sum) {
    if (time != other_time) return time < other_time ? -1 : 1;
    return sum < other_sum ? -1 : sum > other_sum;
}

static int in_order(const void *a, const void *b) {
    const GameFile *one = a, *two = b;
    return compare_places(one->time, one->sum, two->time, two->sum);
}

/* When a file got its name or a folder was changed, in nanoseconds since 1970; 0 if it cannot be
 * read. A file gets its name when it is complete, and this is the last change of it. */
static int64_t change_time(const char *path) {
    struct stat info;
    if (stat(path, &info)) return 0;
    return (int64_t)info.st_ctim.tv_sec * 1000000000 + info.st_ctim.tv_nsec;
}

/* Adds the file, if it comes after the cursor. A file that is too new is left for later. */
static RunEventsRest add_file(const RunEvents *events, const Path *path, const char *folder,
                              const char *name, int64_t settled, GameFiles *out) {
    const EventCursor *cursor = &events->cursor;
    GameFile file = {.time = change_time(path->text),
                     .sum = hash_crc32_more(hash_crc32(folder, strlen(folder)), name, strlen(name)),
                     .folder = folder,
                     .name = name};
    int order = compare_places(file.time, file.sum, cursor->file_time, cursor->file);
    if (order < 0 || (order == 0 && cursor->lines == EVENT_FILE_DONE)) return RUN_EVENTS_TOLD;
    if (file.time > settled) return RUN_EVENTS_LATER;
    if (mem_grow(&out->files, &out->capacity, (size_t)out->count + 1, sizeof file, NULL))
        return RUN_EVENTS_LATER;
    out->files[out->count++] = file;
    return RUN_EVENTS_TOLD;
}

/* Adds the files of one folder. A folder that was changed long before the cursor has no news. */
static RunEventsRest add_folder(const RunEvents *events, const char *name, int64_t settled,
                                GameFiles *out) {
    Path folder, path;
    char **names;
    int count = 0;
    RunEventsRest rest = RUN_EVENTS_TOLD;
    if (path_join(&folder, events->run.games.text, name, NULL) ||
        change_time(folder.text) < events->cursor.file_time - SETTLED_NS ||
        directory_list(folder.text, &out->arena, &names, &count, NULL))
        return rest;
    for (int i = 0; i < count; i++) {
        if (path_has_ending(names[i], ".sgfs") && !path_join(&path, folder.text, names[i], NULL) &&
            add_file(events, &path, name, names[i], settled, out))
            rest = RUN_EVENTS_LATER;
    }
    return rest;
}

/* Tells some games of a file. */
static void tell_file(RunEvents *events, const GameFile *file, int *lines, StrBuf *out) {
    EventCursor *cursor = &events->cursor;
    Fault fault = {0};
    bool is_begun = file->time == cursor->file_time && file->sum == cursor->file;
    int first = is_begun && cursor->lines < INT32_MAX ? (int)cursor->lines : 0;
    GamesPlace place = events->place;
    if (!is_begun || place.line != first) place = (GamesPlace){.line = first};
    json_t *games = run_games_lines(events->run.root.text, file->folder, file->name, &place, *lines,
                                    &fault),
           *game;
    size_t i;
    if (!games) place = GAMES_PLACE_END;
    if (!games && !fault.code) out->failed = true; /* there is no memory */
    if (fault.code) log_warning("%s/%s: %s", file->folder, file->name, fault.message);
    cursor->file_time = file->time;
    cursor->file = file->sum;
    json_array_foreach(games, i, game) {
        int line = (int)json_integer_value(json_object_get(game, "index"));
        json_object_set_new(game, "folder", json_string(file->folder));
        json_object_set_new(game, "file", json_string(file->name));
        cursor->lines = (uint32_t)line + 1;
        if (place.line < 0 && i + 1 == json_array_size(games)) cursor->lines = EVENT_FILE_DONE;
        add_event(events, "game", game, out);
    }
    cursor->lines = place.line < 0 ? EVENT_FILE_DONE : (uint32_t)place.line;
    *lines -= place.line < 0 ? (int)json_array_size(games) : place.line - first;
    events->place = place;
    json_decref(games);
}

static RunEventsRest tell_games(RunEvents *events, StrBuf *out) {
    GameFiles files = {0};
    char **names;
    int count = 0, lines = LINES_AT_ONCE, done = 0;
    int64_t settled = now_ns() - SETTLED_NS;
    RunEventsRest rest = RUN_EVENTS_TOLD;
    if (directory_list(events->run.games.text, &files.arena, &names, &count, NULL)) count = 0;
    for (int i = 0; i < count; i++)
        if (add_folder(events, names[i], settled, &files)) rest = RUN_EVENTS_LATER;
    if (files.count) qsort(files.files, (size_t)files.count, sizeof *files.files, in_order);
    for (; done < files.count && lines > 0; done++)
        tell_file(events, &files.files[done], &lines, out);
    if (done < files.count || (done && events->cursor.lines != EVENT_FILE_DONE))
        rest = RUN_EVENTS_MORE;
    free(files.files);
    arena_clear(&files.arena);
    return rest;
}

RunEventsRest run_events_read(RunEvents *events, StrBuf *out) {
    /* The id of the state must not stand before points that are skipped. */
    if (events->skips_metrics) (void)tell_metrics(events, out);
    /* While old news are read, the state is not read again and again. */
    if (!events->has_backlog) tell_nets_and_state(events, out);
    RunEventsRest rest = tell_metrics(events, out);
    if (rest == RUN_EVENTS_TOLD) rest = tell_games(events, out);
    events->has_backlog = rest == RUN_EVENTS_MORE;
    return rest;
}
