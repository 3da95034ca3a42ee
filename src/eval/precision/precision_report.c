#include "eval/precision/precision_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "eval/features/metadata.h"
#include "nn/infer/infer_quantisation.h"

enum { BATCH = 8, BATCHES_PER_UPDATE = 2 };

typedef struct {
    const PrecisionCall *call;
    const Net *nets[2]; /* of the first and of the second evaluator */
    NetEvaluatorSetup config;
    EvaluationRequest *requests;
    Comparison *out;
} Comparing;

/* Compares positions from .. to - 1, which have the same board size. */
static Status compare_size(Comparing *all, int from, int to, Error *err) {
    const PrecisionCall *call = all->call;
    const Board *board = &call->positions[from]->board;
    NetEvaluatorSetup config = all->config;
    Evaluator *exact = NULL, *tried = NULL;
    config.buffer_width = board->width;
    config.buffer_height = board->height;
    Status status = evaluator_net_new(all->nets[1], &config, &tried, err);
    config.precision = PRECISION_F32;
    if (!status) status = evaluator_net_new(all->nets[0], &config, &exact, err);
    while (!status && from < to) {
        int now = to - from < BATCH * BATCHES_PER_UPDATE ? to - from : BATCH * BATCHES_PER_UPDATE;
        status = comparison_run(all->out, exact, tried, all->requests + from, now, err);
        from += now;
        if (!status) status = progress_report(call->watch, from, call->count, err);
    }
    evaluator_free(exact);
    evaluator_free(tried);
    return status;
}

static bool same_size(const Position *a, const Position *b) {
    return a->board.width == b->board.width && a->board.height == b->board.height;
}

Status precision_compare(const Net *net, Precision precision, const PrecisionCall *call,
                         Comparison *out, Error *err) {
    return precision_compare_nets(net, net, precision, call, out, err);
}

Status precision_compare_nets(const Net *net, const Net *tried, Precision precision,
                              const PrecisionCall *call, Comparison *out, Error *err) {
    Comparing all = {.call = call,
                     .nets = {net, tried},
                     .config = {.batch = BATCH,
                                .precision = precision,
                                .human_profile = call->human_profile ? call->human_profile
                                                                     : METADATA_PROFILE_DEFAULT,
                                .features = FEATURE_OPTIONS_DEFAULT},
                     .out = out};
    *out = (Comparison){0};
    Status status = mem_new((size_t)call->count, sizeof *all.requests, &all.requests, err);
    for (int i = 0; !status && i < call->count; i++)
        all.requests[i].position = call->positions[i];
    for (int from = 0, to = 0; !status && from < call->count; from = to) {
        while (to < call->count && same_size(call->positions[from], call->positions[to]))
            to++;
        status = compare_size(&all, from, to, err);
    }
    free(all.requests);
    return status;
}

bool precision_passes(Precision precision, const Comparison *report) {
    bool int8 = precision == PRECISION_INT8;
    double agreed = int8 ? REPORT_AGREED_INT8 : REPORT_AGREED_BF16,
           win = int8 ? REPORT_WIN_INT8 : REPORT_WIN_BF16;
    return report->positions > 0 &&
           (double)report->clear_same_top >= agreed * (double)report->clear &&
           differences_mean(&report->winrate) <= win;
}

static json_t *written(const Differences *differences) {
    return json_pack("{s:f, s:f}", "mean", differences_mean(differences), "worst",
                     differences->worst);
}

Status precision_note(Net *net, Precision precision, const Comparison *report, Error *err) {
    return precision_note_as(net, precision_name(precision), precision_passes(precision, report),
                             report, err);
}

Status precision_note_as(Net *net, const char *name, bool passes, const Comparison *report,
                         Error *err) {
    const char *old = net_note(net, QUANTISATION_REPORT_NOTE);
    json_t *root = NULL;
    if (old && json_parse(old, strlen(old), &root, NULL)) root = NULL;
    if (!json_is_object(root)) {
        json_decref(root);
        root = json_object();
    }
    json_t *one =
        json_pack("{s:b, s:I, s:I, s:I, s:o, s:o, s:o}", "passes", passes, "positions",
                  (json_int_t)report->positions, "clear", (json_int_t)report->clear, "agreed",
                  (json_int_t)report->clear_same_top, "policy", written(&report->policy_distance),
                  "win", written(&report->winrate), "lead", written(&report->lead));
    bool kept = !json_object_set_new(root, name, one);
    char *text = kept ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
    json_decref(root);
    if (!text) return fail(err, ERR_MEMORY, "no memory for a report");
    Status status = net_set_note(net, QUANTISATION_REPORT_NOTE, text, err);
    free(text);
    return status;
}

Status precision_clear_note(Net *net, Error *err) {
    return net_note(net, QUANTISATION_REPORT_NOTE)
               ? net_set_note(net, QUANTISATION_REPORT_NOTE, "{}", err)
               : OK;
}
