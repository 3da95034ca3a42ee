/* precision_report.h - how far the evaluations of a net in a lower precision differ from those in
 * f32, and the note of the net that holds the result, from which `auto` chooses the precision
 * (nn/infer.h). Threading: free functions. */
#pragma once
#include "base/progress.h"
#include "eval/precision/compare.h"
#include "nn/infer/infer.h"

/* A precision passes if the best move is the same as in f32 in at least this fraction of the clear
 * positions (AGREED), and the mean difference of the win rate is at most this (WIN). */
#define REPORT_AGREED_BF16 0.985
#define REPORT_AGREED_INT8 0.97
#define REPORT_WIN_BF16 0.01
#define REPORT_WIN_INT8 0.015

typedef struct {
    const Position *const *positions; /* faster if equal board sizes are next to each other */
    int count;
    const char *human_profile;  /* for nets that are conditioned on the players; NULL: rank_1d */
    const ProgressWatch *watch; /* progress in positions; NULL: none */
} PrecisionCall;

/* Compares f32 (the first) with `precision` (the second), without symmetries. Errors are those of
 * evaluator_net_new() and evaluator_evaluate(). */
MUST_USE Status precision_compare(const Net *net, Precision precision, const PrecisionCall *call,
                                  Comparison *out, Error *err);
bool precision_passes(Precision precision, const Comparison *report); /* false without positions */
/* Writes the report into the net's note, beside those of other precisions. */
MUST_USE Status precision_note(Net *net, Precision precision, const Comparison *report, Error *err);
