/* problem.h - decides whether a position of a game is a problem for players of some rank: stronger
 * players find the best move, and players of this rank often miss it (GoNN, find_poses.py). The
 * policies of nets that imitate players of each rank tell how these would play. The policy of a
 * strong net (the "strong player") tells what is the best move.
 * Threading: free functions; an Rng is confined. */
#pragma once
#include "base/rng.h"
#include "base/settings.h"

typedef struct {
    int first_turn, last_turns; /* turns of a game that are left out at its start and end */
    double min_probability;     /* that the strong player gives to the best move */
    double min_score, max_score;
    double better_at_min, better_at_max;
    int better_ranks; /* how many ranks above the problem's rank the stronger rank is */
    double keep_ko, keep_easy_2, keep_easy_3;
} ProblemSettings;
extern const SettingsField PROBLEM_FIELDS[];
/* ERR_ARGUMENT: a field is out of range, or min_score is above max_score. */
MUST_USE Status problem_settings_check(const ProblemSettings *settings, Error *err);

/* Sets the credit of each move, which says how far the move solves the problem, from 0 to 1. The
 * credit of a move follows from
 *     ratio = probability of the move / probability of the best move
 * in the policy of the strong player. It is 1 for the best move itself, and for other moves
 *     0.60  if ratio is at least 0.30
 *     0.35  if ratio is at least 0.15
 *     0.15  if ratio is at least 0.05
 *     0     otherwise
 * Both arrays are by move_index(). Illegal moves have -1 in `strong`. */
void problem_credits(const float *strong, int moves, double *credits);
/* Returns the expected score of a player: the sum over the moves of probability * credit. */
double problem_score(const float *policy, const double *credits, int moves);

typedef enum {
    PROBLEM_KEPT,
    PROBLEM_NOT_BEST,  /* the move that was played is not the strong player's best move */
    PROBLEM_UNCERTAIN, /* the strong player gives the move at most min_probability */
    PROBLEM_KO,        /* the move takes a ko, and the problem was dropped at random */
    PROBLEM_NO_RANK,   /* no rank meets the first two conditions of problem_judge_ranks() */
    PROBLEM_EASY,      /* weaker ranks solve the problem, and it was dropped for this */
    PROBLEM_FATES
} ProblemFate;
const char *problem_fate_name(ProblemFate fate); /* for texts that people read */

/* Decides whether the move that was played may be the answer of a problem. Returns PROBLEM_KEPT,
 * PROBLEM_NOT_BEST, PROBLEM_UNCERTAIN or PROBLEM_KO. `takes_ko`: after the move, the rule of simple
 * ko forbids the opponent to take back. */
ProblemFate problem_judge_move(const ProblemSettings *settings, const float *strong, int moves,
                               int played, bool takes_ko, Rng *rng);
/* Finds the rank for which the position is a problem. scores[r] is the expected score of rank r;
 * the weakest rank comes first. The answer is the first rank r that meets three conditions:
 *   1. scores[r] is at least min_score and at most max_score.
 *   2. The score of a stronger rank is larger by at least a bound. The stronger rank is
 *      r + better_ranks, or the strongest rank if r + better_ranks is above it. The bound depends
 *      linearly on scores[r]: it is better_at_min at min_score and better_at_max at max_score.
 *   3. The problem is not too easy. It counts as solved by ranks with a score above max_score. If a
 *      rank r - 4 or weaker solves it, it is dropped. Otherwise it is kept with the probability
 *      keep_easy_3 if rank r - 3 solves it, and else keep_easy_2 if rank r - 2 solves it.
 * The strongest rank has no problems, since no rank is stronger. Returns PROBLEM_KEPT and sets
 * `*rank` to r if there is such a rank. Otherwise returns PROBLEM_EASY if some rank met the first
 * two conditions, or PROBLEM_NO_RANK if none did; then `*rank` has no meaning. */
ProblemFate problem_judge_ranks(const ProblemSettings *settings, const double *scores, int ranks,
                                int *rank, Rng *rng);
