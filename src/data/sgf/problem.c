#include "data/sgf/problem.h"

#include <math.h>
#include <stddef.h>

#define GONN "GoNN, find_poses.py"

const SettingsField PROBLEM_FIELDS[] = {
    FIELD_INT(ProblemSettings, first_turn, 15, 0, 1000,
              "turns at the start of a game that are no problems", .source = GONN),
    FIELD_INT(ProblemSettings, last_turns, 20, 0, 1000,
              "turns at the end of a game that are no problems", .source = GONN),
    FIELD_DOUBLE(ProblemSettings, min_probability, 0.65, 0, 1,
                 "minimum probability that the strong player gives to the move that was played",
                 .source = GONN),
    FIELD_DOUBLE(ProblemSettings, min_score, 0.1, 0, 1,
                 "minimum expected score of players of the rank for which a position is a problem",
                 .source = GONN "; the number is our own"),
    FIELD_DOUBLE(ProblemSettings, max_score, 0.5, 0, 1,
                 "maximum expected score of these players; above it they count as solving the "
                 "problem",
                 .source = GONN "; the number is our own"),
    FIELD_DOUBLE(ProblemSettings, better_at_min, 0.3, 0, 1,
                 "how much larger the score of the stronger rank must at least be if the score of "
                 "the problem's rank is min_score",
                 .source = GONN "; the number is our own"),
    FIELD_DOUBLE(ProblemSettings, better_at_max, 0.2, 0, 1,
                 "the same if the score of the problem's rank is max_score; for scores between "
                 "min_score and max_score this bound is linear",
                 .source = GONN "; the number is our own"),
    FIELD_INT(ProblemSettings, better_ranks, 4, 1, 40,
              "how many ranks of the list the stronger rank is above the problem's rank",
              .source = GONN "; the number is our own"),
    FIELD_DOUBLE(ProblemSettings, keep_ko, 0.15, 0, 1,
                 "fraction that is kept of the problems whose answer takes a ko", .source = GONN),
    FIELD_DOUBLE(ProblemSettings, keep_easy_2, 0.6, 0, 1,
                 "fraction that is kept of the problems that players two ranks weaker solve",
                 .source = GONN),
    FIELD_DOUBLE(ProblemSettings, keep_easy_3, 0.25, 0, 1,
                 "fraction that is kept of the problems that players three ranks weaker solve",
                 .source = GONN),
    {0},
};

Status problem_settings_check(const ProblemSettings *settings, Error *err) {
    Status status = settings_check(PROBLEM_FIELDS, "problem", settings, err);
    if (status || settings->min_score <= settings->max_score) return status;
    return fail(err, ERR_ARGUMENT, "problem.min_score is %g, above problem.max_score, %g",
                settings->min_score, settings->max_score);
}

const char *problem_fate_name(ProblemFate fate) {
    static const char *const NAMES[PROBLEM_FATES] = {
        "problems",
        "another move was played than the strong player's best",
        "the strong player is not sure enough",
        "the move takes a ko",
        "no rank fits",
        "weaker ranks solve them"};
    return NAMES[fate];
}

/* Returns the index of the largest probability. */
static int best_move(const float *policy, int moves) {
    int best = 0;
    for (int i = 1; i < moves; i++)
        if (policy[i] > policy[best]) best = i;
    return best;
}

void problem_credits(const float *strong, int moves, double *credits) {
    static const struct {
        double ratio, credit;
    } LEVELS[] = {{0.30, 0.60}, {0.15, 0.35}, {0.05, 0.15}};
    int best = best_move(strong, moves);
    for (int i = 0; i < moves; i++) {
        double ratio = strong[best] > 0 ? (double)strong[i] / (double)strong[best] : 0;
        credits[i] = i == best ? 1 : 0;
        for (size_t k = 0; k < sizeof LEVELS / sizeof *LEVELS && i != best; k++) {
            if (ratio < LEVELS[k].ratio) continue;
            credits[i] = LEVELS[k].credit;
            break;
        }
    }
}

double problem_score(const float *policy, const double *credits, int moves) {
    double sum = 0;
    for (int i = 0; i < moves; i++)
        if (policy[i] > 0) sum += (double)policy[i] * credits[i];
    return sum;
}

ProblemFate problem_judge_move(const ProblemSettings *settings, const float *strong, int moves,
                               int played, bool takes_ko, Rng *rng) {
    if (best_move(strong, moves) != played) return PROBLEM_NOT_BEST;
    if ((double)strong[played] <= settings->min_probability) return PROBLEM_UNCERTAIN;
    return takes_ko && rng_uniform(rng) >= settings->keep_ko ? PROBLEM_KO : PROBLEM_KEPT;
}

/* Returns whether the score of rank r is between min_score and max_score, and the stronger rank
 * does better by at least the bound (see problem_judge_ranks()). */
static bool fits(const ProblemSettings *settings, const double *scores, int ranks, int r) {
    double width = settings->max_score - settings->min_score;
    if (scores[r] < settings->min_score || scores[r] > settings->max_score) return false;
    double part = width > 0 ? (scores[r] - settings->min_score) / width : 0,
           bound =
               settings->better_at_min + part * (settings->better_at_max - settings->better_at_min);
    int stronger = r + settings->better_ranks < ranks ? r + settings->better_ranks : ranks - 1;
    return stronger > r && scores[stronger] - scores[r] >= bound;
}

/* Returns the probability that a problem for rank r is kept. It is below 1 if weaker ranks solve
 * the problem. */
static double kept_fraction(const ProblemSettings *settings, const double *scores, int r) {
    for (int i = 0; i <= r - 4; i++)
        if (scores[i] > settings->max_score) return 0;
    if (r >= 3 && scores[r - 3] > settings->max_score) return settings->keep_easy_3;
    if (r >= 2 && scores[r - 2] > settings->max_score) return settings->keep_easy_2;
    return 1;
}

ProblemFate problem_judge_ranks(const ProblemSettings *settings, const double *scores, int ranks,
                                int *rank, Rng *rng) {
    ProblemFate fate = PROBLEM_NO_RANK;
    double draw = rng_uniform(rng);
    for (int r = 0; r < ranks; r++) {
        if (!fits(settings, scores, ranks, r)) continue;
        *rank = r;
        if (draw < kept_fraction(settings, scores, r)) return PROBLEM_KEPT;
        fate = PROBLEM_EASY;
    }
    return fate;
}
