#include "run/stages/curves.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/strbuf.h"
#include "train/event_file.h"

enum { METRICS_MAX = 64 };

static int commas_in(const char *line, size_t length) {
    int count = 0;
    for (size_t i = 0; i < length; i++)
        count += line[i] == ',';
    return count;
}

static void add_names(StrBuf *out) {
    strbuf_add(out, "kind,samples,seconds");
    for (const MetricField *field = METRIC_FIELDS; field->name; field++)
        strbuf_addf(out, ",%s", field->name);
}

/* Adds the whole lines of an earlier file, with empty columns for those that it does not have. */
static void add_filled(StrBuf *out, const char *lines, int commas) {
    for (const char *end; (end = strchr(lines, '\n')); lines = end + 1) {
        size_t length = (size_t)(end - lines);
        strbuf_addf(out, "%.*s", (int)length, lines);
        for (int i = commas_in(lines, length); i < commas; i++)
            strbuf_add(out, ",");
        strbuf_add(out, "\n");
    }
}

/* Fits the columns of a file to those of this version. A file of an earlier version has the first of
 * our columns and gets the others. A file of a later version has more columns and stays. A file
 * with other columns is set aside. */
static Status fit_csv(const char *path, const char *names, Error *err) {
    Arena arena = {0};
    StrBuf text = {0};
    char *found;
    size_t length, ours = strlen(names);
    Status status = file_read(path, (size_t)1 << 30, &arena, &found, &length, err);
    if (status) goto done;
    size_t first = strcspn(found, "\n");
    bool ended = found[first] == '\n';
    bool later = ended && strncmp(found, names, ours) == 0 && strchr(",\n", found[ours]);
    bool earlier =
        ended && first < ours && strncmp(found, names, first) == 0 && names[first] == ',';
    if (later) goto done;
    if (ended && !earlier) run_directory_set_aside(path, "its columns are of another program");
    strbuf_addf(&text, "%s\n", names);
    if (earlier) add_filled(&text, found + first + 1, commas_in(names, ours));
    status = strbuf_status(&text, err);
    if (!status) status = file_write(path, strbuf_text(&text), text.length, err);
done:
    strbuf_clear(&text);
    arena_clear(&arena);
    return status;
}

/* Writes or checks the first line, "kind,samples,seconds" and all metrics, once per start. */
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

static Status add_csv(const RunDirectory *run, const CurvePoint *point, bool *fits, Error *err) {
    Path path;
    StrBuf line = {0};
    Status status = path_join(&path, run->report.text, "metrics.csv", err);
    if (!status) status = begin_csv(path.text, fits, err);
    if (status) return status;
    strbuf_addf(&line, "%s,%lld,%.1f", point->kind, (long long)point->samples, point->seconds);
    for (const MetricField *field = METRIC_FIELDS; field->name; field++)
        strbuf_addf(&line, ",%.7g", metrics_value(point->metrics, field));
    status = strbuf_status(&line, err);
    if (!status) status = file_append_line(path.text, strbuf_text(&line), err);
    strbuf_clear(&line);
    return status;
}

static Status add_events(const RunDirectory *run, const CurvePoint *point, Error *err) {
    Path folder, inner, path;
    EventScalar scalars[METRICS_MAX];
    int count = 0;
    Status status = path_join(&folder, run->report.text, "tensorboard", err);
    if (!status) status = path_join(&inner, folder.text, point->kind, err);
    if (!status) status = directory_make(inner.text, err);
    if (!status) status = path_join(&path, inner.text, "events.out.tfevents.0000000001.aji", err);
    if (status) return status;
    for (const MetricField *field = METRIC_FIELDS; field->name && count < METRICS_MAX; field++)
        scalars[count++] = (EventScalar){field->name, metrics_value(point->metrics, field)};
    return event_file_add(path.text, (double)time(NULL), point->samples, scalars, count, err);
}

void curves_add(const RunDirectory *run, const CurvePoint *point, bool *csv_fits) {
    Error fault = {0};
    if (add_csv(run, point, csv_fits, &fault) || add_events(run, point, &fault))
        log_warning("curves: %s", fault.message);
}
