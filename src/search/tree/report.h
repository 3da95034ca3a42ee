/* report.h - what a search found, as plain data. Values of the root and its moves are the root
 * mover's. Threading: a plain value. */
#pragma once
#include "go/position.h"

#define REPORT_LINE_MAX 16
#define REPORT_VALUE_BUCKETS 51

typedef struct {
    Point point;
    int64_t visits; /* of the edge */
    float prior;    /* raw policy */
    float noised_prior;
    float weight; /* play-selection value before temperature: pruned, adjusted by LCB; also the
                     policy target */
    float plain_weight; /* the same without LCB, from which self-play chooses */
    float winrate;      /* mover's, no result counted half */
    float win_loss;     /* mover's, -1..1 */
    float score_mean, score_stdev, lead, utility, lcb;
    int order;
    float child_weight; /* of the playouts behind the values */
    float no_result;
    int line_length;
    Point line[REPORT_LINE_MAX]; /* best play, this move first */
    int line_visits[REPORT_LINE_MAX], line_edge_visits[REPORT_LINE_MAX]; /* of each of its nodes */
} MoveReport;

typedef struct {
    Color mover;
    int64_t visits;   /* of the root */
    int64_t playouts; /* of this search */
    float weight;     /* of the playouts behind the root's values; 0: none yet */
    float win, loss, no_result, win_loss, score_mean, score_stdev, lead, utility; /* mover's */
    float raw_win, raw_loss, raw_no_result, raw_score_mean, raw_score_stdev,
        raw_lead; /* the net's, mover's */
    float raw_policy_entropy, search_entropy,
        policy_surprise; /* nats; surprise: KL(target | noised prior), as data/surprise uses it */
    bool has_ownership;
    float raw_policy[MOVES_MAX];       /* illegal -1 */
    float ownership[BOARD_POINTS_MAX]; /* mover's; the root net's own */
    bool gumbel;  /* of a Gumbel search: the two below hold, weights of moves are shares of improved
                   */
    Point choice; /* what such a search plays; first of the moves, if it was visited */
    bool choice_by_temperature; /* ... or the moves' weights decide it, by a temperature */
    float improved[MOVES_MAX];  /* pi' = softmax(logits + sigma(completed q)): the target */
    int width, height;          /* of the board */
    bool by_shares; /* the choice is made from these: nothing was searched, or people's choice is
                       mixed in */
    float shares[MOVES_MAX];  /* sum 1; by move_index() */
    double temperature_below; /* larger shares are not tempered; 0: as 1 */
    bool has_value_counts;    /* search.value_buckets */
    /* of win - loss, mover's, from -1 to 1: visits, or in proportion to them where they are more
     * than 32767 */
    int16_t value_counts[REPORT_VALUE_BUCKETS];
    int move_count; /* sorted: best first */
    MoveReport moves[MOVES_MAX];
} Report;
