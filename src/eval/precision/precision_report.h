/* precision_report.h - measures how far the evaluations of a net in a lower precision differ from
 * those in f32, and writes the result into a note of the net. With PRECISION_AUTO this note decides
 * which precisions may be used. Threading: free functions. */
#pragma once
#include "base/progress.h"
#include "eval/precision/compare.h"
#include "nn/infer/infer.h"

/* A precision passes under two conditions. In at least the fraction REPORT_AGREED_... of the clear
 * positions (compare.h) the best move is that of f32. The mean difference of the win rate from f32
 * is at most REPORT_WIN_... */
#define REPORT_AGREED_BF16 0.985
#define REPORT_AGREED_INT8 0.97
#define REPORT_WIN_BF16 0.01
#define REPORT_WIN_INT8 0.015

typedef struct {
    /* The comparison is faster if positions on boards of equal size stand together. */
    const Position *const *positions;
    int count;
    const char *human_profile;  /* for nets conditioned on the players; NULL means rank_1d */
    const ProgressWatch *watch; /* is told the progress in positions; may be NULL */
} PrecisionCall;

/* Compares the net in f32, as the first evaluator, with the net in `precision`. The positions are
 * not transformed by symmetries. Errors are those of evaluator_net_new(), evaluator_evaluate() and
 * `watch`. */
MUST_USE Status precision_compare(const Net *net, Precision precision, const PrecisionCall *call,
                                  Comparison *out, Error *err);
/* Does what precision_compare() does, but the second evaluator runs another net, `tried`, of the
 * same shape. */
MUST_USE Status precision_compare_nets(const Net *net, const Net *tried, Precision precision,
                                       const PrecisionCall *call, Comparison *out, Error *err);
/* Returns whether the precision passes. Without positions it does not. */
bool precision_passes(Precision precision, const Comparison *report);
/* Writes the report into the net's note, beside the reports of other precisions. */
MUST_USE Status precision_note(Net *net, Precision precision, const Comparison *report, Error *err);
/* Does what precision_note() does for a form of the net that is not in the enum Precision, such as
 * "int4"; the caller says whether this form passes. */
MUST_USE Status precision_note_as(Net *net, const char *name, bool passes, const Comparison *report,
                                  Error *err);
/* Removes all reports from the net. Called when its weights have changed, so that the reports are
 * no longer true. */
MUST_USE Status precision_clear_note(Net *net, Error *err);
