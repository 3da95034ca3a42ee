/* Problems by rank: the credits of moves (how far a move solves the problem, from 0 to 1), expected
 * scores, and for which rank a position is a problem. */
#include "data/sgf/problem.h"
#include "test.h"

static ProblemSettings defaults(void) {
    ProblemSettings settings;
    settings_defaults(PROBLEM_FIELDS, &settings);
    return settings;
}

/* The best move has the probability 0.4. The credit of another move rises at three probabilities:
 * 0.05, 0.15 and 0.30 times 0.4, which are 0.02, 0.06 and 0.12. */
TEST(credits_and_scores_by_hand) {
    const float strong[8] = {0.119f, 0.4f, 0.121f, 0.061f, 0.059f, 0.021f, 0.019f, -1};
    const double wanted[8] = {0.35, 1, 0.6, 0.35, 0.15, 0.15, 0, 0};
    double credits[8];
    problem_credits(strong, 8, credits);
    for (int i = 0; i < 8; i++)
        EXPECT_NEAR(wanted[i], credits[i], 1e-9);
    const float weak[8] = {0.1f, 0.2f, 0.3f, 0, 0, 0, 0.4f, -1};
    EXPECT_NEAR(0.1 * 0.35 + 0.2 + 0.3 * 0.6, problem_score(weak, credits, 8), 1e-6);
}

TEST(the_answer_is_a_sure_move_that_was_played) {
    ProblemSettings settings = defaults();
    Rng rng = rng_seeded(1);
    const float sure[3] = {0.2f, 0.7f, 0.1f}, unsure[3] = {0.3f, 0.6f, 0.1f};
    EXPECT_INT(PROBLEM_KEPT, problem_judge_move(&settings, sure, 3, 1, false, &rng));
    EXPECT_INT(PROBLEM_NOT_BEST, problem_judge_move(&settings, sure, 3, 0, false, &rng));
    EXPECT_INT(PROBLEM_UNCERTAIN, problem_judge_move(&settings, unsure, 3, 1, false, &rng));
    int kept = 0;
    for (int i = 0; i < 4000; i++)
        kept += problem_judge_move(&settings, sure, 3, 1, true, &rng) == PROBLEM_KEPT;
    EXPECT_NEAR(0.15 * 4000, kept, 100); /* 4.4 standard deviations */
    settings.keep_ko = 0;
    EXPECT_INT(PROBLEM_KO, problem_judge_move(&settings, sure, 3, 1, true, &rng));
}

static ProblemFate judge(const ProblemSettings *settings, const double *scores, int ranks,
                         int *rank) {
    Rng rng = rng_seeded(1);
    *rank = -1;
    return problem_judge_ranks(settings, scores, ranks, rank, &rng);
}

/* A rank has a problem if its score is from 0.1 to 0.5 and the score of the rank two above it is
 * higher by at least a bound. The bound falls from 0.3 at the score 0.1 to 0.2 at the score 0.5. At
 * the score 0.3 it is 0.25. */
TEST(a_stronger_rank_must_do_better) {
    ProblemSettings settings = defaults();
    int rank;
    settings.better_ranks = 2;
    const double enough[4] = {0.05, 0.3, 0.4, 0.56}, missing[4] = {0.05, 0.3, 0.4, 0.54};
    EXPECT_INT(PROBLEM_KEPT, judge(&settings, enough, 4, &rank));
    EXPECT_INT(1, rank);
    EXPECT_INT(PROBLEM_NO_RANK, judge(&settings, missing, 4, &rank));
    /* Ranks count from 0, the weakest. Here only rank 2 is above rank 1, so the two are compared:
     * 0.65 - 0.4 is above the bound at the score 0.4, which is 0.225. */
    const double last[3] = {0.05, 0.4, 0.65};
    EXPECT_INT(PROBLEM_KEPT, judge(&settings, last, 3, &rank));
    EXPECT_INT(1, rank);
    /* The strongest rank has no problems. A rank whose score is not from 0.1 to 0.5 has none,
     * either. */
    const double outside[3] = {0.05, 0.06, 0.3}, solved[3] = {0.6, 0.9, 0.95};
    EXPECT_INT(PROBLEM_NO_RANK, judge(&settings, outside, 3, &rank));
    EXPECT_INT(PROBLEM_NO_RANK, judge(&settings, solved, 3, &rank));
    EXPECT_INT(PROBLEM_KEPT, judge(&settings, (double[2]){0.1, 0.4}, 2, &rank));
    EXPECT_INT(0, rank);
}

static double kept_of(const double *scores, int ranks) {
    enum { DRAWS = 4000 };
    ProblemSettings settings = defaults();
    Rng rng = rng_seeded(3);
    int kept = 0, rank;
    for (int i = 0; i < DRAWS; i++)
        kept += problem_judge_ranks(&settings, scores, ranks, &rank, &rng) == PROBLEM_KEPT;
    return (double)kept / DRAWS;
}

/* The position would be a problem for the rank with the score 0.3. But the weakest rank, which is
 * 4, 3, 2 or 1 below this rank, solves it. The fewer ranks are between the two, the more of these
 * positions are kept. */
TEST(problems_that_weaker_ranks_solve_are_thinned_out) {
    const double four[6] = {0.6, 0.05, 0.05, 0.05, 0.3, 0.9},
                 three[5] = {0.6, 0.05, 0.05, 0.3, 0.9}, two[4] = {0.6, 0.05, 0.3, 0.9},
                 one[3] = {0.6, 0.3, 0.9};
    EXPECT_NEAR(0, kept_of(four, 6), 0);
    EXPECT_NEAR(0.25, kept_of(three, 5), 0.03);
    EXPECT_NEAR(0.6, kept_of(two, 4), 0.03);
    EXPECT_NEAR(1, kept_of(one, 3), 0);
    int rank;
    ProblemSettings settings = defaults();
    EXPECT_INT(PROBLEM_EASY, judge(&settings, four, 6, &rank));
}

TEST(settings_are_checked) {
    ProblemSettings settings = defaults();
    Error err = {0};
    EXPECT_STATUS(OK, problem_settings_check(&settings, &err));
    settings.min_score = 0.6;
    EXPECT_STATUS(ERR_ARGUMENT, problem_settings_check(&settings, &err));
    EXPECT_CONTAINS(err.message, "above problem.max_score");
    settings.min_score = 2;
    EXPECT_STATUS(ERR_ARGUMENT, problem_settings_check(&settings, &err));
}

TEST_MAIN(RUN(credits_and_scores_by_hand), RUN(the_answer_is_a_sure_move_that_was_played),
          RUN(a_stronger_rank_must_do_better),
          RUN(problems_that_weaker_ranks_solve_are_thinned_out), RUN(settings_are_checked))
