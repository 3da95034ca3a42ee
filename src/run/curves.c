/* The run's curves as files besides its index: report/metrics.csv, and report/tensorboard for
 * `tensorboard --logdir`. */
#include <stdio.h>
#include <time.h>

#include "base/log.h"
#include "run/cycle_private.h"
#include "train/event_file.h"

enum { METRICS_MOST = 64 };

/* kind,samples,seconds and all metrics; the first line names them. */
static Status add_csv(const Cycle *cycle, const char *kind, const Metrics *metrics, Error *err) {
    Path path;
    StrBuf line = {0};
    Status status = path_join(&path, cycle->directory.report.text, "metrics.csv", err);
    if (status) return status;
    if (!file_exists(path.text)) {
        strbuf_add(&line, "kind,samples,seconds");
        for (const MetricField *field = METRIC_FIELDS; field->name; field++)
            strbuf_addf(&line, ",%s", field->name);
        status = strbuf_status(&line, err);
        if (!status) status = file_append_line(path.text, strbuf_text(&line), err);
        strbuf_reset(&line);
    }
    strbuf_addf(&line, "%s,%lld,%.1f", kind, (long long)trainer_samples(cycle->trainer),
                cycle_seconds(cycle));
    for (const MetricField *field = METRIC_FIELDS; field->name; field++)
        strbuf_addf(&line, ",%.7g", metrics_value(metrics, field));
    if (!status) status = strbuf_status(&line, err);
    if (!status) status = file_append_line(path.text, strbuf_text(&line), err);
    strbuf_clear(&line);
    return status;
}

static Status add_events(const Cycle *cycle, const char *kind, const Metrics *metrics, Error *err) {
    Path folder, inner, path;
    EventScalar scalars[METRICS_MOST];
    int count = 0;
    Status status = path_join(&folder, cycle->directory.report.text, "tensorboard", err);
    if (!status) status = path_join(&inner, folder.text, kind, err);
    if (!status) status = directory_make(inner.text, err);
    if (!status) status = path_join(&path, inner.text, "events.out.tfevents.0000000001.aji", err);
    if (status) return status;
    for (const MetricField *field = METRIC_FIELDS; field->name && count < METRICS_MOST; field++)
        scalars[count++] = (EventScalar){field->name, metrics_value(metrics, field)};
    return event_file_add(path.text, (double)time(NULL), trainer_samples(cycle->trainer), scalars,
                          count, err);
}

void cycle_keep_curves(const Cycle *cycle, const char *kind, const Metrics *metrics) {
    Error fault = {0};
    if (add_csv(cycle, kind, metrics, &fault) || add_events(cycle, kind, metrics, &fault))
        log_warning("curves: %s", fault.message);
}
