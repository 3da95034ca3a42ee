/* focus.h - training uses rows more often if their search found something that the net did not
 * expect (lczero-training, chunkparser.py: value focus and diff focus). A row that is drawn is used
 * with the probability that focus_probability() returns, and otherwise passed over.
 * Threading: free functions. */
#pragma once

/* FOCUS_VALUE looks only at win - loss, FOCUS_DIFF at win - loss and policy. */
typedef enum { FOCUS_OFF, FOCUS_VALUE, FOCUS_DIFF } FocusKind;
typedef struct {
    int kind;   /* FocusKind */
    double min; /* the probability of a row in which search and net agree */
    double slope;
    double value_weight, policy_scale; /* of FOCUS_DIFF */
} FocusSettings;

/* Returns the probability that a row is used:
 *     FOCUS_VALUE:  min + slope d
 *     FOCUS_DIFF:   min + slope (value_weight d + k) / (value_weight + policy_scale)
 * but at most 1.
 *   d: absolute difference between the win - loss of the search and that of the net
 *   k: KL divergence of the search's policy from the net's policy, in nats
 * The probability is 1 if the row has no search. With FOCUS_DIFF it is also 1 if k is 0, because 0
 * means that the divergence is not known.
 * targets: Rows.targets of the row (row.h). */
double focus_probability(const FocusSettings *settings, const float *targets);
