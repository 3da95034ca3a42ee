/* Visits for the pass and for other moves where a pass would end a phase of the game, and settings
 * for games with people. */
#include "made_root.h"
#include "search/methods/passing.h"
#include "search/result/choose.h"
#include "search/tree/search_presets.h"

static SearchSettings plain_settings(void) {
    SearchSettings settings = play_settings();
    settings.more_passing_hacks = true;
    return settings;
}

/* Makes a root with White to move, after Black's pass or another move. Two moves and the pass have
 * the priors 0.6, 0.3 and 0.1. */
static Search *search_made(bool after_pass) {
    float policy[10] = {0.6f, 0.3f, -1, -1, -1, -1, -1, -1, -1, 0.1f};
    SearchSettings settings = plain_settings();
    return search_with_root_after(&settings, after_pass ? POINT_PASS : point_at(2, 2), policy, 100);
}

static Edge *add(Search *search, int move, int visits) {
    int index = tree_add_child_of(&search->tree, 0, move, COLOR_BLACK);
    Edge *edge = root_edge(search, index);
    edge->visits = visits;
    return edge;
}

/* Returns the edge that must get a visit, or -1; see search_unseen_choice(). */
static int unseen(Search *search) {
    return search_unseen_choice(search, NULL, &search->root, 0);
}

TEST(the_pass_gets_a_visit_after_two_visits) {
    Search *search = search_made(true);
    add(search, 0, 1);
    EXPECT_INT(-1, unseen(search));
    add(search, 1, 1);
    EXPECT_INT(2, unseen(search)); /* a new edge */
    EXPECT_INT(9, root_edge(search, 2)->move);
    EXPECT_INT(2, unseen(search)); /* the edge exists now, but has no visit */
    Edge *pass = root_edge(search, 2);
    pass->waiting = 1;
    EXPECT_INT(-1, unseen(search));
    pass->waiting = 0;
    search->tree.nodes[pass->child].visits = 1; /* a visit that the edge does not count */
    EXPECT_INT(-1, unseen(search));
    search_free(search);
}

TEST(another_move_gets_a_visit_after_passes) {
    Search *search = search_made(true);
    add(search, 9, 2);
    EXPECT_INT(1, unseen(search)); /* `child_count` stands for the best move without a node */
    add(search, 1, 0);
    EXPECT_INT(2, unseen(search)); /* the move without a node has the larger prior, 0.6 */
    add(search, 0, 0)->prior = 0.2f;
    EXPECT_INT(1, unseen(search));
    search_free(search);
}

TEST(elsewhere_no_move_is_forced) {
    Search *search = search_made(false);
    add(search, 0, 5);
    EXPECT_INT(-1, unseen(search));
    search_free(search);
}

/* On a board of 19x19, priors below 1/32 are stored as bytes. Moves with such priors can get nodes,
 * in any order. */
TEST(moves_of_small_priors_get_nodes) {
    float policy[MOVES_MAX];
    Tree tree = {.limit_bytes = 1 << 20, .move_count = 362};
    tree_add(&tree, COLOR_WHITE);
    for (int i = 0; i < 362; i++)
        policy[i] = i == 7 ? 0.5f : i == 8 ? -1 : 0.5f / 360;
    EXPECT_TRUE(tree_set_policy(&tree, 0, policy, false));
    EXPECT_INT(0, tree_add_child_of(&tree, 0, 361, COLOR_BLACK));
    EXPECT_NEAR(0.5 / 360, tree.edges[tree.nodes[0].edges].prior, 5e-5);
    EXPECT_INT(-1, tree_add_child_of(&tree, 0, 361, COLOR_BLACK));
    EXPECT_INT(-1, tree_add_child_of(&tree, 0, 8, COLOR_BLACK));
    EXPECT_INT(7, tree_next_move(tree.nodes)); /* still the best move without a node */
    EXPECT_INT(1, tree_add_child(&tree, 0, COLOR_BLACK));
    EXPECT_INT(7, tree.edges[tree.nodes[0].edges + 1].move);
    for (int i = 0; i < 359; i++)
        EXPECT_TRUE(tree_add_child(&tree, 0, COLOR_BLACK) >= 0);
    EXPECT_TRUE(tree_next_prior(tree.nodes) < 0);
    EXPECT_INT(361, tree.nodes[0].child_count);
    tree_free(&tree);
}

/* An evaluator for which every game is even, and the pass has a prior of only 1e-6. */
typedef struct {
    Evaluator base;
    MadeUp made;
} Shy;

static Status shy_evaluate(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                           Evaluation *out, Error *err) {
    (void)err;
    for (int i = 0; i < count; i++) {
        const Board *board = &requests[i].position->board;
        made_up_one(&((Shy *)evaluator)->made, requests[i].position, &out[i]);
        out[i].policy[board->width * board->height] = 1e-6f;
    }
    return OK;
}

static const EvaluatorClass SHY = {"shy", shy_evaluate, NULL};

/* White has passed, and the whole board is Black's, so Black wins by a pass. */
static Search *search_at_the_end(const SearchSettings *settings) {
    Position position = position_made(".X.X.\nXX.XX\n.X.X.\nXX.XX\n.X.X.", 5, COLOR_WHITE, 0.5f);
    EXPECT_OK(position_play(&position, POINT_PASS, err));
    return search_of(settings, 1, position);
}

static Report *report_at_the_end(bool hacks, int64_t *playouts) {
    SearchSettings settings = plain_settings();
    settings.more_passing_hacks = hacks;
    Shy shy = {.base = {&SHY, 1, 0, false}, .made = made_up(1, POINT_PASS)};
    Search *search = search_at_the_end(&settings);
    run_visits(search, &shy.base, 40);
    Report *report = report_of_search(search);
    *playouts = report->playouts;
    search_free(search);
    return report;
}

TEST(a_pass_that_wins_is_found) {
    int64_t playouts;
    Report *report = report_at_the_end(false, &playouts);
    EXPECT_TRUE(!move_in(report, POINT_PASS));
    EXPECT_INT(40, report->visits);
    EXPECT_INT(40, playouts);
    free(report);
    report = report_at_the_end(true, &playouts);
    EXPECT_INT(40, report->visits); /* the forced visit of the pass does not count */
    EXPECT_INT(40, playouts);
    EXPECT_INT(POINT_PASS, report->moves[0].point);
    EXPECT_TRUE(report->moves[0].visits > 20);
    int64_t sum = 0;
    for (int i = 0; i < report->move_count; i++)
        sum += report->moves[i].visits;
    EXPECT_INT(39, sum);
    free(report);
}

/* Three threads with several leaves at once make exactly the visits of the limit, as one thread
 * does. */
TEST(threads_keep_the_limit_of_visits) {
    SearchSettings settings = with_leaves(plain_settings(), 4);
    Shy shy[3];
    Evaluator *evaluators[3];
    Driver *driver = NULL;
    for (int i = 0; i < 3; i++) {
        shy[i] = (Shy){.base = {&SHY, 4, 0, false}, .made = made_up(4, POINT_PASS)};
        evaluators[i] = &shy[i].base;
    }
    EXPECT_OK(driver_new_threads(evaluators, 3, &driver, err));
    Search *search = search_at_the_end(&settings);
    search_begin(search, &(SearchLimits){.visits = 300});
    EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
    EXPECT_INT(300, search_root_visits(search));
    Report *report = report_of_search(search);
    EXPECT_INT(POINT_PASS, report->moves[0].point);
    free(report);
    driver_free(driver);
    search_free(search);
}

/* An evaluator for which every game is even. The pass has the prior 0.9 before the first pass, and
 * 1e-6 after a pass. */
static Status rash_evaluate(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                            Evaluation *out, Error *err) {
    (void)err;
    for (int i = 0; i < count; i++) {
        const Position *position = requests[i].position;
        int pass = position->board.width * position->board.height;
        bool passed = position_last_move(position, 0).point == POINT_PASS;
        made_up_one(&((Shy *)evaluator)->made, position, &out[i]);
        for (int k = 0; k < pass && !passed; k++)
            if (out[i].policy[k] > 0) out[i].policy[k] *= 0.1f;
        out[i].policy[pass] = passed ? 1e-6f : 0.9f;
    }
    return OK;
}

static const EvaluatorClass RASH = {"rash", rash_evaluate, NULL};

static Point rash_choice(const SearchSettings *settings, float komi) {
    Shy rash = {.base = {&RASH, 1, 0, false}, .made = made_up(1, POINT_PASS)};
    Position position = position_made("..X..\n..X..\n..X..\n..X.O\n..X..", 5, COLOR_WHITE, komi);
    Search *search = search_of(settings, 1, position);
    run_visits(search, &rash.base, 100);
    Report *report = report_of_search(search);
    Rng rng = rng_seeded(1);
    Point choice = choose_move(report, 0, false, &rng);
    free(report);
    search_free(search);
    return choice;
}

/* If White passes, Black can end the game by a pass and win, but the net does not know that. With
 * the default settings White passes nevertheless. With the settings for people, the search sees
 * Black's pass. With a komi of 100, White wins, and so White passes. */
TEST(settings_for_people_avoid_a_losing_pass) {
    SearchSettings match = play_settings(), people;
    search_preset_begin(SEARCH_PRESET_PEOPLE, &people);
    EXPECT_FALSE(match.conservative_pass || match.passing_hacks || match.more_passing_hacks);
    EXPECT_TRUE(people.conservative_pass && people.passing_hacks && people.more_passing_hacks);
    people.tree_memory_mb = match.tree_memory_mb;
    EXPECT_INT(POINT_PASS, rash_choice(&match, 0.5f));
    EXPECT_TRUE(rash_choice(&people, 0.5f) != POINT_PASS);
    EXPECT_INT(POINT_PASS, rash_choice(&people, 100));
}

TEST_MAIN(RUN(the_pass_gets_a_visit_after_two_visits), RUN(another_move_gets_a_visit_after_passes),
          RUN(elsewhere_no_move_is_forced), RUN(moves_of_small_priors_get_nodes),
          RUN(a_pass_that_wins_is_found), RUN(threads_keep_the_limit_of_visits),
          RUN(settings_for_people_avoid_a_losing_pass))
