#include "run/stages/curves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "eval/view/net_parts.h"
#include "train/event_file.h"

enum { METRICS_MAX = 64 };

/* Columns about the run itself. They come after the columns of the point and before the metrics. */
static const char *const COUNT_NAMES[] = {"games", "rows", "speed", "elo"};
enum { COUNTS = sizeof COUNT_NAMES / sizeof *COUNT_NAMES };

static void get_counts(const CurvePoint *point, double out[COUNTS]) {
    const CurveCounts *counts = point->counts;
    for (int i = 0; i < COUNTS; i++)
        out[i] = (double)NAN;
    if (!counts) return;
    out[0] = (double)counts->games;
    out[1] = (double)counts->rows;
    out[2] = counts->speed > 0 ? counts->speed : (double)NAN;
    out[3] = counts->over_first;
}

/* Returns the value of a metric, or NAN if it was not measured. If training does not use a loss,
 * its value is exactly 0, so such a loss counts as not measured. */
static double value_of(const CurvePoint *point, const MetricField *field) {
    double value = metrics_value(point->metrics, field);
    return value == 0 && strncmp(field->name, "loss.", 5) == 0 ? (double)NAN : value;
}

static void add_names(StrBuf *out) {
    strbuf_add(out, "kind,samples,seconds");
    for (int i = 0; i < COUNTS; i++)
        strbuf_addf(out, ",%s", COUNT_NAMES[i]);
    for (const MetricField *field = METRIC_FIELDS; field->name; field++)
        strbuf_addf(out, ",%s", field->name);
}

/* A cell of a line of the table. */
typedef struct {
    const char *text;
    int length;
} Cell;

/* Finds cell number `index` of the line. The cell is empty if the line is shorter. */
static Cell cell_at(const char *line, int index) {
    for (; index > 0; index--) {
        line += strcspn(line, ",\n");
        if (*line != ',') return (Cell){"", 0};
        line++;
    }
    return (Cell){line, (int)strcspn(line, ",\n")};
}

/* Returns the number of the column with this name in a first line, or -1 if there is none. */
static int find_column(const char *names, Cell name) {
    for (int i = 0;; i++) {
        Cell cell = cell_at(names, i);
        if (!cell.length) return -1;
        if (cell.length == name.length && memcmp(cell.text, name.text, (size_t)name.length) == 0)
            return i;
    }
}

/* Returns whether the first line `names` has all columns of the first line `wanted`. */
static bool has_columns(const char *names, const char *wanted) {
    for (int i = 0;; i++) {
        Cell cell = cell_at(wanted, i);
        if (!cell.length) return i > 0;
        if (find_column(names, cell) < 0) return false;
    }
}

/* Adds the complete lines of a file that an earlier version wrote. Puts their cells into the
 * columns of this version. Columns that the file lacks stay empty. */
static void add_rearranged(StrBuf *out, const char *names, const char *earlier) {
    int columns[METRICS_MAX + COUNTS + 3], count = 0;
    for (Cell cell; count < (int)(sizeof columns / sizeof *columns); count++) {
        cell = cell_at(names, count);
        if (!cell.length) break;
        columns[count] = find_column(earlier, cell);
    }
    const char *line = strchr(earlier, '\n') + 1;
    for (const char *end; (end = strchr(line, '\n')); line = end + 1) {
        for (int i = 0; i < count; i++) {
            Cell cell = columns[i] < 0 ? (Cell){"", 0} : cell_at(line, columns[i]);
            strbuf_addf(out, "%s%.*s", i ? "," : "", cell.length, cell.text);
        }
        strbuf_add(out, "\n");
    }
}

/* Fits the columns of a file to those of this version:
 *   - A file of an earlier version gets the columns that it lacks.
 *   - A file of this or a later version begins with the columns of this version and stays as it is.
 *   - A file with other columns is set aside.
 *   - A file without a complete first line is replaced. */
static Status fit_csv(const char *path, const char *names, Error *err) {
    Arena arena = {0};
    StrBuf text = {0};
    char *found;
    size_t length, ours = strlen(names);
    Status status = file_read(path, (size_t)1 << 30, &arena, &found, &length, err);
    if (status) goto done;
    bool ended = strchr(found, '\n') != NULL;
    bool later = ended && strncmp(found, names, ours) == 0 && strchr(",\n", found[ours]);
    bool earlier = ended && has_columns(names, found);
    if (later) goto done;
    if (ended && !earlier) run_directory_set_aside(path, "its columns are of another program");
    strbuf_addf(&text, "%s\n", names);
    if (earlier) add_rearranged(&text, names, found);
    status = strbuf_status(&text, err);
    if (!status) status = file_write(path, strbuf_text(&text), text.length, err);
done:
    strbuf_clear(&text);
    arena_clear(&arena);
    return status;
}

/* Writes or checks the first line of the file, which names the columns. After a success this
 * process does so again only if the file is gone. */
static Status begin_csv(const char *path, bool *fits, Error *err) {
    StrBuf names = {0};
    if (*fits && file_exists(path)) return OK;
    add_names(&names);
    Status status = strbuf_status(&names, err);
    if (!status && file_exists(path))
        status = fit_csv(path, strbuf_text(&names), err);
    else if (!status)
        status = file_append_line(path, strbuf_text(&names), err);
    strbuf_clear(&names);
    *fits = !status;
    return status;
}

static void add_cell(StrBuf *line, double value, int digits) {
    strbuf_add(line, ",");
    if (isfinite(value)) strbuf_addf(line, "%.*g", digits, value);
}

static Status add_csv(const RunDirectory *run, const CurvePoint *point, bool *fits, Error *err) {
    Path path;
    double counts[COUNTS];
    StrBuf line = {0};
    Status status = path_join(&path, run->report.text, "metrics.csv", err);
    if (!status) status = begin_csv(path.text, fits, err);
    if (status) return status;
    strbuf_addf(&line, "%s,%lld,%.1f", point->kind, (long long)point->samples, point->seconds);
    get_counts(point, counts);
    for (int i = 0; i < COUNTS; i++)
        add_cell(&line, counts[i], 15);
    for (const MetricField *field = METRIC_FIELDS; field->name; field++)
        add_cell(&line, value_of(point, field), 7);
    status = strbuf_status(&line, err);
    if (!status) status = file_append_line(path.text, strbuf_text(&line), err);
    strbuf_clear(&line);
    return status;
}

/* Adds scalars to the events of this kind. */
static Status add_scalars(const RunDirectory *run, const char *kind, int64_t samples,
                          const EventScalar *scalars, int count, Error *err) {
    Path folder, inner, path;
    Status status = path_join(&folder, run->report.text, "tensorboard", err);
    if (!status) status = path_join(&inner, folder.text, kind, err);
    if (!status) status = directory_make(inner.text, err);
    if (!status) status = path_join(&path, inner.text, "events.out.tfevents.0000000001.aji", err);
    if (status) return status;
    return event_file_add(path.text, (double)time(NULL), samples, scalars, count, err);
}

static Status add_events(const RunDirectory *run, const CurvePoint *point, Error *err) {
    EventScalar scalars[METRICS_MAX + COUNTS];
    double counts[COUNTS];
    int count = 0;
    get_counts(point, counts);
    for (int i = 0; i < COUNTS; i++) {
        if (isfinite(counts[i])) scalars[count++] = (EventScalar){COUNT_NAMES[i], counts[i]};
    }
    for (const MetricField *field = METRIC_FIELDS; field->name && count < METRICS_MAX; field++) {
        double value = value_of(point, field);
        if (isfinite(value)) scalars[count++] = (EventScalar){field->name, value};
    }
    return add_scalars(run, point->kind, point->samples, scalars, count, err);
}

void curves_add(const RunDirectory *run, const CurvePoint *point, bool *csv_fits) {
    Error fault = {0};
    if (add_csv(run, point, csv_fits, &fault) || add_events(run, point, &fault))
        log_warning("curves: %s", fault.message);
}

/* A number for each parameter or each op of a net. */
typedef struct {
    const char *file, *columns; /* the table in report/ and its first line */
    const char *tag;            /* the curve of a number is called TAG/NAME */
    const double *values;
    int count;
    void (*name)(const Net *net, int index, char out[96]);
} NetNumbers;

static void name_parameter(const Net *net, int index, char out[96]) {
    snprintf(out, 96, "%s", program_parameter(net_program(net), index)->name);
}

/* Layers without trained numbers may share a name, so the number of the op is part of the name. */
static void name_op(const Net *net, int index, char out[96]) {
    snprintf(out, 96, "%d:%s", index, net_layer_of(net, index).name);
}

/* Writes the known numbers as lines of a table to `lines`, and as scalars to `scalars`. The names
 * of the scalars are in `arena`. Returns how many there are. */
static int list_numbers(const Trainer *trainer, const NetNumbers *numbers, Arena *arena,
                        StrBuf *lines, EventScalar *scalars) {
    int count = 0;
    for (int i = 0; i < numbers->count; i++) {
        char name[96], tag[120];
        numbers->name(trainer_net(trainer), i, name);
        snprintf(tag, sizeof tag, "%s/%s", numbers->tag, name);
        scalars[count] = (EventScalar){arena_copy(arena, tag, strlen(tag)), numbers->values[i]};
        if (!isfinite(numbers->values[i]) || !scalars[count].tag) continue;
        strbuf_addf(lines, "%s%lld,%s,%.4g", count ? "\n" : "", (long long)trainer_samples(trainer),
                    name, numbers->values[i]);
        count++;
    }
    return count;
}

static Status add_numbers(const RunDirectory *run, const Trainer *trainer,
                          const NetNumbers *numbers, Error *err) {
    Path path;
    Arena arena = {0};
    StrBuf lines = {0};
    EventScalar *scalars;
    Status status = mem_new((size_t)numbers->count, sizeof *scalars, &scalars, err);
    if (status) return status;
    int count = list_numbers(trainer, numbers, &arena, &lines, scalars);
    status = strbuf_status(&lines, err);
    if (!status) status = path_join(&path, run->report.text, numbers->file, err);
    if (!status && !file_exists(path.text))
        status = file_append_line(path.text, numbers->columns, err);
    if (!status && count) status = file_append_line(path.text, strbuf_text(&lines), err);
    if (!status && count)
        status = add_scalars(run, "train", trainer_samples(trainer), scalars, count, err);
    free(scalars);
    strbuf_clear(&lines);
    arena_clear(&arena);
    return status;
}

void curves_add_net_numbers(const RunDirectory *run, const Trainer *trainer) {
    const Program *program = net_program(trainer_net(trainer));
    const NetNumbers all[] = {
        {"update_ratios.csv", "samples,parameter,ratio", "update_ratio",
         trainer_update_ratios(trainer), program_parameter_count(program), name_parameter},
        {"activations.csv", "samples,layer,mean_square", "activation", trainer_activations(trainer),
         program_op_count(program), name_op},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        Error fault = {0};
        if (all[i].values && add_numbers(run, trainer, &all[i], &fault))
            log_warning("%s: %s", all[i].file, fault.message);
    }
}
