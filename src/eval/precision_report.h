/* precision_report.h - what a precision of a net's arithmetic costs against f32, over positions,
 * and the note of the net that keeps it, by which `auto` chooses (nn/infer.h). Threading: free
 * functions. */
#pragma once
#include "base/progress.h"
#include "eval/compare.h"
#include "nn/infer.h"

/* A precision passes with at least such a share of clear positions whose best move is f32's, and at
 * most such a mean difference of the win rate. */
#define REPORT_AGREED_BF16 0.985
#define REPORT_AGREED_INT8 0.97
#define REPORT_WIN_BF16 0.01
#define REPORT_WIN_INT8 0.015

typedef struct {
    const Position *const *positions; /* those of one board size are best next to each other */
    int count;
    const char *human_profile;  /* of nets that are told who plays; NULL: rank_1d */
    const ProgressWatch *watch; /* told of the positions compared; NULL: none */
} PrecisionCall;

/* f32 is the first. Each position as it stands, without symmetry. Errors are those of making and
 * asking evaluators. */
MUST_USE Status precision_compare(const Net *net, Precision precision, const PrecisionCall *call,
                                  Comparison *out, Error *err);
bool precision_passes(Precision precision, const Comparison *report); /* false of no positions */
/* Keeps the report in the net's note; those of other precisions stay. */
MUST_USE Status precision_note(Net *net, Precision precision, const Comparison *report, Error *err);
