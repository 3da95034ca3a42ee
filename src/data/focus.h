/* focus.h - training looks more often at rows whose search found something that the net did not
 * expect (lczero-training, chunkparser.py: value focus and diff focus). A row that is drawn is used
 * with some probability, and otherwise passed over. Threading: free functions. */
#pragma once

/* FOCUS_VALUE looks only at win - loss, FOCUS_DIFF at win - loss and policy. */
typedef enum { FOCUS_OFF, FOCUS_VALUE, FOCUS_DIFF } FocusKind;
typedef struct {
    int kind;   /* FocusKind */
    double min; /* the probability of a row in which search and net agree */
    double slope;
    double value_weight, policy_scale; /* of FOCUS_DIFF */
} FocusSettings;

/* Returns the probability that a row is used. With d, the distance between win - loss of the search
 * and of the net, and k, the KL divergence of the search's policy from the net's in nats, it is
 *     FOCUS_VALUE:  min + slope d
 *     FOCUS_DIFF:   min + slope (value_weight d + k) / (value_weight + policy_scale)
 * but at most 1. It is 1 if the row has no search or, with FOCUS_DIFF, if k is 0, which stands for
 * an unknown divergence.
 * targets: those of the row (row.h). */
double focus_probability(const FocusSettings *settings, const float *targets);
