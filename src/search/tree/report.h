/* report.h - what a search found, as plain data. Values of the root and of its moves are those of
 * the mover, the player to move at the root. Threading: a plain value. */
#pragma once
#include "go/position.h"

#define REPORT_LINE_MAX 16
#define REPORT_VALUE_BUCKETS 51
#define REPORT_ROOT_VARIANCES 4

typedef struct {
    Point point;
    int64_t visits;     /* visits of the edge from the root */
    float prior;        /* the net's policy, with the changes that methods made to it */
    float noised_prior; /* the prior in the search, with temperature and noise */
    /* Play-selection weight before temperature: the weight of the move's visits after target
     * pruning. If the move has the best lower confidence bound (LCB), the weight is raised. The
     * policy target is made from these weights, after LCB has raised one of them. A Gumbel search
     * has other weights and another target; see `gumbel`. */
    float weight;
    float plain_weight; /* `weight` without LCB; self-play chooses its moves by this weight */
    float winrate;      /* the mover's; a game without result counts as half a win */
    float win_loss;     /* win - loss, the mover's, -1 to 1 */
    float score_mean, score_stdev, lead, utility, lcb;
    int order;          /* 0 for the best move */
    float child_weight; /* weight of the visits that the values come from */
    float no_result;
    int line_length;
    Point line[REPORT_LINE_MAX]; /* the best line, which begins with this move */
    /* Visits of the node after each move of the line, and of the edge to it. */
    int line_visits[REPORT_LINE_MAX], line_edge_visits[REPORT_LINE_MAX];
} MoveReport;

typedef struct {
    Color mover;
    int64_t visits;   /* of the root */
    int64_t playouts; /* visits that this search added */
    float weight;     /* weight of the visits that the values come from; 0 before the first one */
    float win, loss, no_result, win_loss, score_mean, score_stdev, lead, utility; /* mover's */
    float raw_win, raw_loss, raw_no_result, raw_score_mean, raw_score_stdev,
        raw_lead; /* the net's evaluation of the root, the mover's */
    /* In nats. policy_surprise is KL(policy target | noised prior); in a Gumbel search it is
     * KL(improved | net's policy). data/surprise.h uses policy_surprise. */
    float raw_policy_entropy, search_entropy, policy_surprise;
    bool has_ownership;
    /* The net's policy of the root, with the changes that methods made to it, by move_index().
     * Illegal moves have -1. Before the root has its evaluation, all moves have -1. */
    float raw_policy[MOVES_MAX];
    float open_policy[MOVES_MAX];      /* raw_policy, with -1 for avoided and useless moves too */
    float ownership[BOARD_POINTS_MAX]; /* by the net at the root, the mover's; if has_ownership */
    /* Whether this was a Gumbel search. If so, `choice` and `improved` are set, and the weights of
     * moves are proportional to `improved`. */
    bool gumbel;
    Point choice; /* the move that a Gumbel search plays; if it has visits, it is moves[0] */
    bool choice_by_temperature; /* the move is drawn from the weights by temperature instead */
    float improved[MOVES_MAX];  /* softmax(logits + sigma(completed q)): the policy target */
    int width, height;          /* of the board */
    /* Whether the move is drawn from choice_probabilities instead of the weights, because no move
     * was searched or because a human policy is mixed in. */
    bool by_probabilities;
    float choice_probabilities[MOVES_MAX]; /* by move_index(); their sum is 1 */
    double temperature_below;              /* search.temperature_below; 0 counts as 1 */
    bool has_value_counts;                 /* value_counts is set */
    /* A histogram of the mover's win - loss in the evaluations of the visits. The buckets divide
     * the range from -1 to 1 into equal parts. If a bucket would have more than 32767 visits, all
     * counts are scaled down. The counts are set only if search.value_buckets is true. */
    int16_t value_counts[REPORT_VALUE_BUCKETS];
    /* The squares of the changes of the root's utility from 1 to 4, 4 to 16, 16 to 64 and 64 to 256
     * visits (Wu 2019, appendix B: root variance). The first `root_variance_count` of them are
     * known. None is known after a search that kept a part of an older tree, or that several
     * threads shared. */
    int root_variance_count;
    float root_variances[REPORT_ROOT_VARIANCES];
    int move_count; /* moves are sorted, the best first */
    MoveReport moves[MOVES_MAX];
} Report;
