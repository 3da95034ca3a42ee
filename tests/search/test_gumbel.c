/* Gumbel search (Danihelka et al. 2022, "Policy improvement by planning with Gumbel"), with numbers
 * worked out by hand. */
#include "search/core/search_private.h"
#include "search/made_up.h"
#include "search/result/choose.h"
#include "search/select/gumbel.h"

static SearchSettings gumbel_settings(float scale) {
    SearchSettings settings = win_loss_settings();
    settings.gumbel.on = true;
    settings.gumbel.scale = (double)scale;
    settings.gumbel.min_visits = 0; /* as in the paper */
    return settings;
}

TEST(sigma_and_mixed_value_by_hand) {
    SearchSettings settings = gumbel_settings(0);
    EXPECT_NEAR(37.1, gumbel_sigma(&settings, 3, 0.7), 1e-6); /* (50 + 3) * 1 * 0.7 */
    settings.gumbel.visit_offset = 10;
    settings.gumbel.visit_scale = 0.1;
    EXPECT_NEAR(0.8, gumbel_sigma(&settings, 6, 0.5), 1e-6); /* (10 + 6) * 0.1 * 0.5 */
    /* The node's own value is 0.5. Moves of priors 0.3 and 0.1 have the values 0.8 and 0.4 and
     * together 3 visits: (0.5 + 3 * 0.28 / 0.4) / 4. */
    EXPECT_NEAR(0.65, gumbel_mixed_value(0.5, 3, 0.4, 0.28), 1e-9);
    EXPECT_NEAR(0.5, gumbel_mixed_value(0.5, 0, 0, 0), 1e-9);
}

/* Checks how many visits each of m moves gets from n simulations, best move first. */
static void expect_table(int64_t n, int m, const int *counts) {
    int64_t visits[16] = {0};
    for (int64_t t = 0; t < n; t++) {
        int64_t wanted = halving_scheduled(n, m, t);
        int at = 0;
        while (at < m && visits[at] != wanted)
            at++;
        EXPECT_TRUE(at < m);
        visits[at]++;
    }
    for (int i = 0; i < m; i++)
        EXPECT_INT(counts[i], visits[i]);
}

TEST(halving_gives_the_tables_of_the_paper) {
    expect_table(32, 4, (const int[]){12, 12, 4, 4});
    expect_table(2, 2, (const int[]){1, 1});
    expect_table(7, 2, (const int[]){4, 3}); /* 3 each, and one that is left */
    expect_table(5, 1, (const int[]){5});
    expect_table(3, 3, (const int[]){1, 1, 1});
    expect_table(15, 8, (const int[]){4, 3, 2, 2, 1, 1, 1, 1});
    expect_table(200, 16, (const int[]){49, 49, 21, 21, 9, 9, 9, 9, 3, 3, 3, 3, 3, 3, 3, 3});
}

/* The paper's algorithm, written out here, makes a list: for each simulation, the number of visits
 * that its move has had before. halving_scheduled() must give the same numbers. */
TEST(the_schedule_equals_the_list_of_the_paper) {
    static int64_t list[4096], seen[64];
    for (int m = 2; m <= 64; m++) {
        for (int n = 1; n <= 1000; n++) {
            int64_t count = 0, left = m;
            int phases = (int)ceil(log2(m));
            memset(seen, 0, sizeof seen);
            while (count < n) {
                int64_t each = n / (phases * left) > 1 ? n / (phases * left) : 1;
                for (; each > 0 && count < n; each--)
                    for (int64_t i = 0; i < left; i++)
                        list[count++] = seen[i]++;
                left = left / 2 > 2 ? left / 2 : 2;
            }
            int wrong = 0;
            for (int t = 0; t < n; t++)
                wrong += list[t] != halving_scheduled(n, m, t);
            EXPECT_INT(0, wrong);
        }
    }
}

/* An evaluator for the bandit with three arms on p3achygo's web page: three moves at the root with
 * the priors 0.5, 0.4, 0.1 and the values 0, 0, 1. */
typedef struct {
    Evaluator base;
    float priors[MOVES_MAX]; /* of the root, by move_index() */
    Point good;              /* Black wins if Black has this point, and loses otherwise */
} Bandit;

static Status bandit_evaluate(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                              Evaluation *out, Error *err) {
    Bandit *bandit = (Bandit *)evaluator;
    (void)err;
    for (int i = 0; i < count; i++) {
        const Position *position = requests[i].position;
        MadeUp even = made_up(1, POINT_PASS);
        made_up_one(&even, position, &out[i]);
        if (!position->board.stones) {
            for (int k = 0; k <= 9; k++)
                out[i].policy[k] = bandit->priors[k];
            continue;
        }
        bool black_wins = position->board.color[bandit->good] == COLOR_BLACK;
        out[i].win = black_wins == (position->mover == COLOR_BLACK) ? 1 : 0;
        out[i].loss = 1 - out[i].win;
    }
    return OK;
}

static const EvaluatorClass BANDIT = {"bandit", bandit_evaluate, NULL};

/* Makes the bandit on a board of 3x3: its arms are the moves 0, 1 and 2, and all other moves have
 * the prior 0. */
static Bandit bandit_of(float a, float b, float c) {
    Bandit bandit = {.base = {&BANDIT, 1, 0, false}, .good = move_at_index(2, 3, 3)};
    for (int i = 0; i <= 9; i++)
        bandit.priors[i] = 0;
    bandit.priors[0] = a;
    bandit.priors[1] = b;
    bandit.priors[2] = c;
    return bandit;
}

static Report *bandit_report(const SearchSettings *settings, uint64_t seed, int64_t visits) {
    Bandit bandit = bandit_of(0.5f, 0.4f, 0.1f);
    Search *search = search_of(settings, seed, position_empty(3, 0.5f));
    run_visits(search, &bandit.base, visits);
    Report *report = report_of_search(search);
    EXPECT_INT(visits, report->visits);
    search_free(search);
    return report;
}

/* All three moves are visited once, so the target does not depend on the noise. */
TEST(noise_does_not_enter_the_target) {
    SearchSettings settings = gumbel_settings(1);
    settings.gumbel.considered = 3;
    settings.gumbel.visit_scale = 0.1;
    double c = 0.1 * exp(5.1);
    for (uint64_t seed = 1; seed < 5; seed++) {
        Report *report = bandit_report(&settings, seed, 4);
        EXPECT_NEAR(0.5 / (0.9 + c), report->improved[0], 1e-4);
        EXPECT_NEAR(c / (0.9 + c), report->improved[2], 1e-4);
        free(report);
    }
}

/* Two simulations visit the moves 0 and 1, which both lose:
 *     v_mix = (0.5 + 2 * 0) / 3 = 1/6,   sigma(q) = (50 + 1) * 0.1 * q */
TEST(improved_policy_by_hand) {
    SearchSettings settings = gumbel_settings(0);
    settings.gumbel.considered = 2;
    settings.gumbel.visit_scale = 0.1;
    Report *report = bandit_report(&settings, 1, 3);
    double c = 0.1 * exp(5.1 / 6), total = 0.9 + c;
    EXPECT_TRUE(report->gumbel);
    EXPECT_NEAR(0.5 / total, report->improved[0], 1e-4);
    EXPECT_NEAR(0.4 / total, report->improved[1], 1e-4);
    EXPECT_NEAR(c / total, report->improved[2], 1e-4);
    EXPECT_INT(move_at_index(0, 3, 3), report->choice);
    EXPECT_INT(report->choice, report->moves[0].point);
    double surprise = (0.9 * log(1 / total) + c * log(c / 0.1 / total)) / total;
    EXPECT_NEAR(surprise, report->policy_surprise, 1e-4);
    free(report);
}

/* Four simulations visit each of three moves once, and then the best one again. The best move is
 * the third: its logit is ln 0.1, and sigma(1) = 5.2. All moves with a prior are visited, so v_mix
 * does not matter. */
TEST(the_choice_has_most_visits_and_the_best_value) {
    SearchSettings settings = gumbel_settings(0);
    settings.gumbel.considered = 3;
    settings.gumbel.visit_scale = 0.1;
    Report *report = bandit_report(&settings, 1, 5);
    EXPECT_INT(move_at_index(2, 3, 3), report->choice);
    EXPECT_INT(2, move_in(report, report->choice)->visits);
    double c = 0.1 * exp(5.2);
    EXPECT_NEAR(c / (0.9 + c), report->improved[2], 1e-4);
    EXPECT_NEAR(0.5 / (0.9 + c), report->improved[0], 1e-4);
    EXPECT_INT(report->choice, choose_move(report, 5, true, NULL));
    free(report);
}

/* The net's policy has the expected value 0.1. With two simulations, Gumbel search plays the
 * winning move with probability 0.2667, while PUCT never visits it. */
TEST(two_simulations_improve_the_bandit_as_puct_does_not) {
    enum { RUNS = 2000 };
    SearchSettings settings = gumbel_settings(1);
    settings.gumbel.considered = 2;
    double improved = 0, played = 0;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        Report *report = bandit_report(&settings, seed, 3);
        improved += (double)report->improved[2] / RUNS;
        played += report->choice == move_at_index(2, 3, 3) ? 1.0 / RUNS : 0;
        free(report);
    }
    /* the probability that the third move is one of two drawn without replacement:
     * 0.1 + 0.5 * 0.1 / 0.5 + 0.4 * 0.1 / 0.6 = 0.2667 */
    EXPECT_NEAR(0.2667, played, 0.04);
    EXPECT_TRUE(improved > 0.2);
    settings.gumbel.on = false;
    Report *report = bandit_report(&settings, 1, 3);
    EXPECT_FALSE(report->gumbel);
    EXPECT_TRUE(!move_in(report, move_at_index(2, 3, 3)));
    free(report);
}

/* With one visit, that of the root, the choice is an exact sample of the policy. */
TEST(without_simulations_the_policy_is_sampled) {
    enum { RUNS = 4000 };
    SearchSettings settings = gumbel_settings(1);
    int counts[3] = {0};
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        Report *report = bandit_report(&settings, seed, 1);
        for (int i = 0; i < 3; i++)
            counts[i] += report->choice == move_at_index(i, 3, 3);
        free(report);
    }
    EXPECT_NEAR(0.5, (double)counts[0] / RUNS, 0.03);
    EXPECT_NEAR(0.4, (double)counts[1] / RUNS, 0.03);
    EXPECT_NEAR(0.1, (double)counts[2] / RUNS, 0.02);
}

static void expect_visits(const SearchSettings *settings, int64_t limit, int leaves) {
    MadeUp evaluator = made_up(8, point_at(2, 2));
    evaluator.illegal = 7;
    SearchSettings with = with_leaves(*settings, leaves);
    Search *search = search_of(&with, 3, position_empty(5, 0.5f));
    Driver *driver = NULL;
    EXPECT_OK(driver_new(&evaluator.base, &driver, err));
    for (int turn = 0; turn < 3; turn++) { /* later turns begin with kept visits */
        search_begin(search, &(SearchLimits){.visits = limit});
        EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
        Report *report = report_of_search(search);
        int64_t sum = 1;
        double total = 0;
        for (int i = 0; i < report->move_count; i++)
            sum += report->moves[i].visits;
        for (int i = 0; i <= 25; i++) {
            total += (double)report->improved[i];
            if (report->raw_policy[i] < 0) EXPECT_TRUE(report->improved[i] == 0);
        }
        EXPECT_INT(limit, report->visits);
        EXPECT_INT(limit, sum);
        EXPECT_NEAR(1, total, 1e-5);
        EXPECT_OK(search_play(search, report->choice, true, err));
        free(report);
    }
    driver_free(driver);
    search_free(search);
}

TEST(visits_add_up_to_the_limit) {
    for (int inner = 0; inner < 2; inner++) {
        SearchSettings settings = gumbel_settings(1);
        settings.gumbel.inner = (GumbelInner)inner;
        for (int k = 1; k <= 30; k += 7) {
            settings.gumbel.considered = k;
            for (int64_t limit = 1; limit <= 1500; limit = limit * 3 + 1) {
                expect_visits(&settings, limit, 1);
                expect_visits(&settings, limit, 8);
            }
        }
    }
}

/* With min_visits = 2, each of m moves must get n / (R m) >= 2 of n simulations in the first of R
 * rounds: 4 moves need 16 simulations (R = 2), 8 moves need 48 (R = 3), and 16 moves need 128
 * (R = 4). By p3achygo's rules R is 3 for 10 moves, so 10 moves need only 60. */
TEST(few_visits_are_for_few_moves) {
    SearchSettings settings = gumbel_settings(0);
    EXPECT_INT(16, halving_considered(&settings, 16, 16));
    settings.gumbel.min_visits = 2;
    const struct {
        int simulations, considered;
    } CASES[] = {{2, 2}, {4, 2}, {15, 3}, {16, 4}, {63, 8}, {64, 8}, {127, 15}, {128, 16}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        EXPECT_INT(CASES[i].considered, halving_considered(&settings, CASES[i].simulations, 16));
    EXPECT_INT(1, halving_considered(&settings, 2, 1));
    settings.gumbel.halving = GUMBEL_HALVING_2023;
    EXPECT_INT(10, halving_considered(&settings, 64, 16));
    settings.gumbel.halving = GUMBEL_HALVING_2026;
    /* The number of moves is reduced until repeated halving never leaves three moves. 10 moves are
     * halved to 5, 2 and 1, so 10 is not reduced. 13 and 12 moves would be halved to 6 and 3, so 13
     * is reduced to 11. */
    EXPECT_INT(10, halving_considered(&settings, 64, 16));
    EXPECT_INT(11, halving_considered(&settings, 2 * 3 * 13, 16));
    settings.gumbel.halving = GUMBEL_HALVING_TABLE;
    MadeUp evaluator = made_up(1, POINT_PASS);
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    run_visits(search, &evaluator.base, 17); /* the root's own visit and 16 simulations */
    Report *report = report_of_search(search);
    EXPECT_INT(4, report->move_count);
    free(report);
    search_free(search);
}

/* Visits from an earlier search of the same root do not count: the new visits are distributed as in
 * a new search. */
TEST(only_new_visits_are_halved) {
    SearchSettings settings = gumbel_settings(0);
    settings.gumbel.considered = 4;
    MadeUp evaluator = made_up(1, POINT_PASS);
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    run_visits(search, &evaluator.base, 33);
    Report *first = report_of_search(search);
    int64_t counts[4] = {12, 12, 4, 4};
    EXPECT_INT(4, first->move_count);
    int64_t squares = 0;
    for (int i = 0; i < 4; i++)
        squares += first->moves[i].visits * first->moves[i].visits - counts[i] * counts[i];
    EXPECT_INT(0, squares);
    run_visits(search, &evaluator.base, 65); /* 32 more of the same root */
    const Gumbel *gumbel = &search->gumbel;
    EXPECT_INT(4, gumbel->count);
    squares = 12 * 12 * 2 + 4 * 4 * 2;
    for (int i = 0; i < 4; i++) {
        const Edge *edge =
            &search->tree.edges[search->tree.nodes[0].edges + (uint32_t)gumbel->candidates[i].edge];
        int64_t fresh = edge->visits - gumbel->candidates[i].start;
        squares -= fresh * fresh;
    }
    EXPECT_INT(0, squares);
    free(first);
    search_free(search);
}

/* Without a limit of visits, each halving is followed by one with twice as many simulations. */
TEST(halvings_double_in_searches_without_a_limit) {
    SearchSettings settings = gumbel_settings(0);
    settings.gumbel.considered = 4;
    MadeUp evaluator = made_up(1, point_at(2, 2));
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    EvaluationRequest leaves[1];
    Evaluation evaluation;
    search_begin(search, &(SearchLimits){0});
    for (int i = 0; i < 200; i++) {
        if (search_collect(search, leaves, 1) != 1) continue;
        made_up_one(&evaluator, leaves[0].position, &evaluation);
        search_receive(search, &evaluation, 1);
    }
    EXPECT_TRUE(search_root_visits(search) >= 200);
    EXPECT_TRUE(search->gumbel.simulations == 128); /* after 8 + 16 + 32 + 64 = 120 simulations */
    search_free(search);
}

/* The first halving has 4 simulations for two moves. Each further halving has twice as many
 * simulations as the one before. It has as many moves as can have two visits each in the first
 * round: 8 simulations for 2 moves, 16 for 4, 32 for 5 (2 * 3 * 5 = 30), and 64 for 8. */
TEST(searches_without_a_limit_begin_with_few_moves) {
    const struct {
        int visits, moves;
    } CASES[] = {{1 + 4, 2}, {1 + 12, 2}, {1 + 28, 4}, {1 + 60, 5}, {1 + 124, 8}};
    SearchSettings settings = gumbel_settings(0);
    settings.gumbel.min_visits = 2;
    MadeUp evaluator = made_up(1, point_at(2, 2));
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    EvaluationRequest leaf;
    Evaluation evaluation;
    size_t at = 0;
    search_begin(search, &(SearchLimits){0});
    for (int i = 0; i < 400 && at < sizeof CASES / sizeof *CASES; i++) {
        if (search_root_visits(search) == CASES[at].visits) {
            Report *report = report_of_search(search);
            EXPECT_INT(CASES[at++].moves, report->move_count);
            free(report);
        }
        if (search_collect(search, &leaf, 1) != 1) continue;
        made_up_one(&evaluator, leaf.position, &evaluation);
        search_receive(search, &evaluation, 1);
    }
    EXPECT_INT(5, at);
    search_free(search);
}

/* A candidate that turns out illegal is replaced by the next move. */
TEST(illegal_candidates_are_replaced) {
    SearchSettings settings = gumbel_settings(1);
    settings.gumbel.considered = 25;
    MadeUp evaluator = made_up(1, point_at(2, 2));
    evaluator.illegal = 0;
    Search *search = search_of(
        &settings, 1, position_made("X....\n.....\n.....\n.....\n.....", 5, COLOR_BLACK, 0.5f));
    run_visits(search, &evaluator.base, 100);
    Report *report = report_of_search(search);
    EXPECT_INT(100, report->visits);
    EXPECT_TRUE(report->improved[0] == 0);
    EXPECT_INT(25, report->move_count);
    free(report);
    search_free(search);
}

/* An inner node with White to move has priors 0.5, 0.3, 0.2 and, from its own evaluation, the
 * utility 0. The first two moves have 3 visits and 1, with the utilities 0.2 and -0.2. On [0, 1]
 * these are 0.6 and 0.4. Then
 *     v_mix = (0.5 + 4 (0.5 * 0.6 + 0.3 * 0.4) / 0.8) / 5 = 0.52,   sigma(q) = 0.1 (50 + 3) q
 * The improved policy is 0.680, 0.141, 0.178. */
TEST(inner_choice_by_hand) {
    SearchSettings settings = gumbel_settings(0);
    settings.gumbel.visit_scale = 0.1;
    Frame frame = {.settings = &settings, .board_scale = 5};
    Tree tree = {.limit_bytes = 1 << 20, .move_count = 10};
    const float policy[10] = {0.5f, 0.3f, 0.2f, -1, -1, -1, -1, -1, -1, -1};
    const float utilities[2] = {0.2f, -0.2f};
    const int visits[2] = {3, 1};
    tree_add(&tree, COLOR_WHITE);
    EXPECT_TRUE(tree_set_policy(&tree, 0, policy, true));
    for (int i = 0; i < 2; i++) {
        int edge = tree_add_child(&tree, 0, COLOR_BLACK);
        tree.edges[tree.nodes[0].edges + (uint32_t)edge].visits = visits[i];
        tree.edges[tree.nodes[0].edges + (uint32_t)edge].utility = utilities[i];
    }
    /* 0.680 - 3/5 and 0.141 - 1/5 are less than 0.178, that of the move without a node */
    EXPECT_INT(2, gumbel_select_inner(&frame, &tree, 0));
    /* sigma(q) = 5.1 q, v_mix = 0.51667: 0.676 - 1/3 is more than 0.177 */
    tree.edges[tree.nodes[0].edges].visits = 1;
    EXPECT_INT(0, gumbel_select_inner(&frame, &tree, 0));
    tree.edges[tree.nodes[0].edges].waiting = 2; /* visits under way count: 0.676 - 3/5 */
    EXPECT_INT(2, gumbel_select_inner(&frame, &tree, 0));
    tree.edges[tree.nodes[0].edges].waiting = 1;
    tree.edges[tree.nodes[0].edges + 1].waiting = 1; /* 0.676 - 2/5 */
    EXPECT_INT(0, gumbel_select_inner(&frame, &tree, 0));
    tree.edges[tree.nodes[0].edges + 1].waiting = 0;
    tree.nodes[0].mover = COLOR_BLACK; /* for Black, the values are 0.4 and 0.6 */
    tree.edges[tree.nodes[0].edges].waiting = 0;
    EXPECT_INT(2, tree.nodes[0].child_count);
    EXPECT_TRUE(gumbel_select_inner(&frame, &tree, 0) != 0);
    tree_free(&tree);
}

static void set_edge(Tree *tree, int index, int visits, float utility) {
    Edge *edge = &tree->edges[tree->nodes[0].edges + (uint32_t)index];
    edge->visits = visits;
    edge->utility = utility;
}

/* The priors are 0.5, 0.3, 0.2. In a kept tree, the first move has 3 visits and loses, so
 * v_mix = 0.5 / 4 and sigma(q) = (50 + 3) q. The candidates are ranked by ln 0.5 + 0, ln 0.3 + 6.6
 * and ln 0.2 + 6.6. In the rounds and for the choice, only visits of this search count. */
TEST(kept_values_rank_and_only_new_visits_count) {
    SearchSettings settings = gumbel_settings(0);
    Frame frame = {.settings = &settings, .board_scale = 5};
    Tree tree = {.limit_bytes = 1 << 20, .move_count = 10};
    Gumbel *gumbel = calloc(1, sizeof *gumbel);
    const float policy[10] = {0.5f, 0.3f, 0.2f, -1, -1, -1, -1, -1, -1, -1};
    tree_add(&tree, COLOR_WHITE);
    EXPECT_TRUE(tree_set_policy(&tree, 0, policy, true));
    EXPECT_INT(0, tree_add_child(&tree, 0, COLOR_BLACK));
    set_edge(&tree, 0, 3, -1);
    settings.gumbel.considered = 2;
    gumbel_begin(gumbel, &frame, &tree, policy, 4, NULL);
    EXPECT_INT(2, gumbel->count);
    EXPECT_INT(1, gumbel->candidates[0].move);
    EXPECT_INT(2, gumbel->candidates[1].move);
    settings.gumbel.considered = 3;
    gumbel_begin(gumbel, &frame, &tree, policy, 4, NULL);
    EXPECT_INT(1, gumbel_select(gumbel, &frame, &tree, NULL));
    set_edge(&tree, 1, 1, 0.5f);
    EXPECT_INT(2, gumbel_select(gumbel, &frame, &tree, NULL));
    set_edge(&tree, 2, 1, 0.2f);
    EXPECT_INT(0, gumbel_select(gumbel, &frame, &tree, NULL)); /* its kept visits do not count */
    set_edge(&tree, 0, 4, -1);
    EXPECT_INT(1, gumbel_choice(gumbel, &frame, &tree)); /* one new visit each: the best value */
    set_edge(&tree, 2, 2, 0.2f);
    EXPECT_INT(2, gumbel_choice(gumbel, &frame, &tree)); /* the most visits, whatever the value */
    free(gumbel);
    tree_free(&tree);
}

/* Visits below the root find the one winning reply. (If a sign were wrong, they would avoid it.) */
TEST(inner_visits_find_the_winning_reply) {
    SearchSettings settings = gumbel_settings(0);
    settings.gumbel.inner = GUMBEL_INNER_DETERMINISTIC;
    settings.gumbel.considered = 1;
    MadeUp evaluator = made_up(1, point_at(2, 2));
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    run_visits(search, &evaluator.base, 201);
    Report *report = report_of_search(search);
    EXPECT_INT(1, report->move_count);
    if (report->choice != point_at(2, 2)) EXPECT_INT(point_at(2, 2), report->moves[0].line[1]);
    free(report);
    search_free(search);
}

/* In a Gumbel search, Dirichlet noise, root temperature, forced playouts, target pruning and LCB
 * have no effect. */
TEST(what_gumbel_replaces_is_off) {
    SearchSettings plain = gumbel_settings(0), noisy = plain;
    noisy.noise.on = noisy.target_pruning = noisy.lcb.on = true;
    noisy.forced_playouts = 10;
    noisy.root_temperature = noisy.root_temperature_early = 3;
    plain.target_pruning = plain.lcb.on = false;
    Report *a = bandit_report(&plain, 1, 60), *b = bandit_report(&noisy, 2, 60);
    EXPECT_INT(a->move_count, b->move_count);
    for (int i = 0; i < a->move_count; i++) {
        EXPECT_INT(a->moves[i].point, b->moves[i].point);
        EXPECT_INT(a->moves[i].visits, b->moves[i].visits);
        EXPECT_NEAR(a->moves[i].weight, b->moves[i].weight, 0);
        EXPECT_NEAR(a->moves[i].prior, b->moves[i].noised_prior, 1e-3);
    }
    free(a);
    free(b);
}

TEST_MAIN(RUN(sigma_and_mixed_value_by_hand), RUN(halving_gives_the_tables_of_the_paper),
          RUN(the_schedule_equals_the_list_of_the_paper), RUN(improved_policy_by_hand),
          RUN(noise_does_not_enter_the_target), RUN(the_choice_has_most_visits_and_the_best_value),
          RUN(two_simulations_improve_the_bandit_as_puct_does_not),
          RUN(without_simulations_the_policy_is_sampled), RUN(visits_add_up_to_the_limit),
          RUN(few_visits_are_for_few_moves), RUN(only_new_visits_are_halved),
          RUN(halvings_double_in_searches_without_a_limit),
          RUN(searches_without_a_limit_begin_with_few_moves), RUN(illegal_candidates_are_replaced),
          RUN(inner_choice_by_hand), RUN(kept_values_rank_and_only_new_visits_count),
          RUN(inner_visits_find_the_winning_reply), RUN(what_gumbel_replaces_is_off))
