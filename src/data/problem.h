/* problem.h - whether a position of a game is a problem for players of some rank: strong players
 * see the move, and weaker ones miss it (GoNN, find_poses.py). Nets that imitate players of each
 * rank say how they would play. Threading: free functions; an Rng is confined. */
#pragma once
#include "base/rng.h"
#include "base/settings.h"

typedef struct {
    int first_turn, last_turns; /* turns of a game that are left out at its start and end */
    double min_probability;     /* of the best move, by the strong player */
    double min_score, max_score;
    double better_at_min, better_at_max;
    int better_ranks; /* how many ranks above a set its stronger rank is */
    double keep_ko, keep_easy_2, keep_easy_3;
} ProblemSettings;
extern const SettingsField PROBLEM_FIELDS[];
/* ERR_ARGUMENT: a field is out of range, or min_score is above max_score. */
MUST_USE Status problem_settings_check(const ProblemSettings *settings, Error *err);

/* The part of a point that a move is worth in a problem, by its probability relative to that of
 * the best move, p / p_max: 1 for the best move itself, 0.6 from 0.30 on, 0.35 from 0.15 on, 0.15
 * from 0.05 on, else 0. The policy of the strong player is by move_index(); illegal moves have
 * -1. */
void problem_credits(const float *strong, int moves, double *credits);
/* The expected score of a player: the sum over the moves of probability * credit. */
double problem_score(const float *policy, const double *credits, int moves);

typedef enum {
    PROBLEM_KEPT,
    PROBLEM_NOT_BEST,  /* the move that was played is not the best one of the strong player */
    PROBLEM_UNCERTAIN, /* the strong player gives it less than min_probability */
    PROBLEM_KO,        /* it takes a ko, and the draw has dropped it */
    PROBLEM_NO_RANK,   /* no rank has a score in the window with a stronger one enough better */
    PROBLEM_EASY,      /* ranks a little weaker solve it, and it was dropped for this */
    PROBLEM_FATES
} ProblemFate;
const char *problem_fate_name(ProblemFate fate); /* for texts that people read */

/* Whether the move that was played may be the answer of a problem: PROBLEM_KEPT, PROBLEM_NOT_BEST,
 * PROBLEM_UNCERTAIN or PROBLEM_KO. `takes_ko`: after it, simple ko forbids to take back. */
ProblemFate problem_judge_move(const ProblemSettings *settings, const float *strong, int moves,
                               int played, bool takes_ko, Rng *rng);
/* For which rank the position is a problem, by the expected scores of the ranks, the weakest first.
 * It is the first rank r for which
 *   - score[r] is between min_score and max_score,
 *   - the rank better_ranks above it, or the strongest one if there are fewer, does better by at
 *     least a bound, which goes linearly from better_at_min, at min_score, to better_at_max, at
 *     max_score,
 *   - no rank 4 or more below it has a score above max_score; where the rank 3 below it has one,
 *     the fraction keep_easy_3 is kept, else where the rank 2 below has one, keep_easy_2.
 * The strongest rank has no problems, since no rank does better. Sets *rank to r if the result is
 * PROBLEM_KEPT; otherwise it is PROBLEM_NO_RANK or PROBLEM_EASY. */
ProblemFate problem_judge_ranks(const ProblemSettings *settings, const double *scores, int ranks,
                                int *rank, Rng *rng);
