/* report.h - what a search found, as plain data. Values of the root and its moves are the root
 * mover's. Threading: a plain value. */
#pragma once
#include "go/position.h"

#define REPORT_LINE_MAX 16
#define REPORT_VALUE_BUCKETS 51

typedef struct {
    Point point;
    int64_t visits; /* of the edge to it */
    float prior;    /* the net's policy */
    float noised_prior;
    /* Play-selection value before temperature: pruned, and raised by LCB; also the policy
     * target. */
    float weight;
    float plain_weight; /* the same without LCB; self-play chooses by it */
    float winrate;      /* mover's, no result counted half */
    float win_loss;     /* mover's, -1..1 */
    float score_mean, score_stdev, lead, utility, lcb;
    int order;
    float child_weight; /* weight of the playouts that the values come from */
    float no_result;
    int line_length;
    Point line[REPORT_LINE_MAX]; /* the best line, which begins with this move */
    /* At each move of the line. */
    int line_visits[REPORT_LINE_MAX], line_edge_visits[REPORT_LINE_MAX];
} MoveReport;

typedef struct {
    Color mover;
    int64_t visits;   /* of the root */
    int64_t playouts; /* new ones of this search */
    float weight;     /* weight of the playouts behind the values; 0: none yet */
    float win, loss, no_result, win_loss, score_mean, score_stdev, lead, utility; /* mover's */
    float raw_win, raw_loss, raw_no_result, raw_score_mean, raw_score_stdev,
        raw_lead; /* the net's evaluation of the root, the mover's */
    float raw_policy_entropy, search_entropy,
        policy_surprise; /* nats; surprise: KL(target | noised prior), which data/surprise.h uses */
    bool has_ownership;
    float raw_policy[MOVES_MAX];       /* the net's policy; illegal -1 */
    float ownership[BOARD_POINTS_MAX]; /* the net's evaluation of the root, the mover's */
    /* It was a Gumbel search: `choice` and `improved` are set, and the weights of moves are
     * proportional to `improved`. */
    bool gumbel;
    Point choice; /* the move that a Gumbel search plays; the first of `moves` if it has visits */
    bool choice_by_temperature; /* the move is drawn from the weights by temperature instead */
    float improved[MOVES_MAX];  /* softmax(logits + sigma(completed q)): the policy target */
    int width, height;          /* of the board */
    /* The move is chosen by choice_probabilities instead of weights: nothing was searched, or
     * the human policy is mixed in. */
    bool by_probabilities;
    float choice_probabilities[MOVES_MAX]; /* by move_index(); their sum is 1 */
    double temperature_below; /* moves with a larger fraction are not tempered; 0: as 1 */
    bool has_value_counts;    /* with search.value_buckets */
    /* Visits by win - loss of their evaluation, the mover's, in equal buckets from -1 to 1;
     * scaled down where a bucket would have more than 32767. */
    int16_t value_counts[REPORT_VALUE_BUCKETS];
    int move_count; /* moves are sorted, the best first */
    MoveReport moves[MOVES_MAX];
} Report;
