/* Random samples of the positions that a search has evaluated, and hints: moves that a search must
 * try well (search_set_hint()). */
#include "search/made_up.h"
#include "search/tree/search_presets.h"

static Search *searched(MadeUp *made, int visits, Point hint) {
    SearchSettings settings;
    Driver *driver;
    search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    settings.tree_memory_mb = 16;
    Search *search = search_of(&settings, 1, position_empty(5, 3));
    search_set_hint(search, hint);
    search_begin(search, &(SearchLimits){.visits = visits});
    EXPECT_OK(driver_new(&made->base, &driver, err));
    EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
    driver_free(driver);
    return search;
}

/* Each of the 30 nodes of a search is sampled with probability 1/30. */
TEST(every_evaluated_position_is_sampled_equally_often) {
    enum { VISITS = 30, DRAWS = 60000 };
    MadeUp made = made_up(1, point_at(2, 2));
    Search *search = searched(&made, VISITS, POINT_NONE);
    Rng rng = rng_seeded(1);
    uint64_t hashes[VISITS];
    int counts[VISITS] = {0}, distinct = 0;
    for (int i = 0; i < DRAWS; i++) {
        SearchSample sample;
        Position position = {0};
        int at = 0;
        search_sample(search, &rng, &sample);
        EXPECT_OK(position_copy(&position, search_position(search), err));
        for (int k = 0; k < sample.count; k++)
            EXPECT_OK(position_play(&position, sample.line[k], err));
        uint64_t hash = position_path_hash(&position, false);
        while (at < distinct && hashes[at] != hash)
            at++;
        if (at == distinct) {
            assert_true(distinct < VISITS);
            hashes[distinct++] = hash;
        }
        counts[at]++;
        position_clear(&position);
    }
    EXPECT_INT(VISITS, distinct);
    for (int i = 0; i < VISITS; i++)
        EXPECT_NEAR(1.0 / VISITS, (double)counts[i] / DRAWS, 0.004); /* 5 standard deviations */
    search_free(search);
}

/* A sample of the root has the values of the search. A sample one move deeper has the values of
 * this move. Values of samples are White's, and Black is to move at the root. */
TEST(a_sample_has_the_value_of_its_own_position) {
    enum { DRAWS = 500 };
    static Report report;
    MadeUp made = made_up(1, point_at(2, 2));
    Search *search = searched(&made, 200, POINT_NONE);
    Rng rng = rng_seeded(1);
    int counts[3] = {0};
    search_report(search, &report);
    for (int i = 0; i < DRAWS; i++) {
        SearchSample sample;
        search_sample(search, &rng, &sample);
        counts[sample.count < 2 ? sample.count : 2]++;
        float win_loss = report.win_loss, score = report.score_mean;
        for (int k = 0; sample.count && k < report.move_count; k++) {
            if (report.moves[k].point != sample.line[0]) continue;
            win_loss = report.moves[k].win_loss;
            score = report.moves[k].score_mean;
        }
        if (sample.count > 1) continue;
        EXPECT_NEAR(-win_loss, sample.white_win_loss, 1e-6);
        EXPECT_NEAR(-score, sample.white_score, 1e-5);
    }
    EXPECT_TRUE(counts[0] && counts[1] > 20 && counts[2] > 20);
    EXPECT_TRUE(report.win_loss > 0.1f);
    search_free(search);
}

/* Returns the weight of a move, and sets `*max` to the largest weight of another move. */
static double weight_of(const Report *report, Point point, double *max) {
    double weight = 0;
    *max = 0;
    for (int i = 0; i < report->move_count; i++) {
        const MoveReport *move = &report->moves[i];
        if (move->point == point)
            weight = (double)move->child_weight;
        else
            *max = fmax(*max, (double)move->child_weight);
    }
    return weight;
}

TEST(a_hint_has_nearly_the_weight_of_the_best) {
    static Report report;
    MadeUp made = made_up(1, point_at(2, 2));
    Point hint = point_at(0, 0);
    double max, weight[2];
    for (int hinted = 0; hinted < 2; hinted++) {
        Search *search = searched(&made, 200, hinted ? hint : POINT_NONE);
        search_report(search, &report);
        weight[hinted] = weight_of(&report, hint, &max);
        if (hinted) EXPECT_TRUE(weight[1] >= 0.75 * max && weight[1] <= 1.05 * max);
        search_free(search);
    }
    EXPECT_TRUE(weight[0] < 10);
}

TEST(an_illegal_hint_is_ignored) {
    MadeUp made = made_up(1, point_at(2, 2));
    SearchSettings settings;
    Driver *driver;
    search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    settings.tree_memory_mb = 16;
    Position position = position_empty(5, 3);
    EXPECT_OK(position_play(&position, point_at(2, 2), err));
    Search *search = search_of(&settings, 1, position);
    search_set_hint(search, point_at(2, 2)); /* occupied */
    search_begin(search, &(SearchLimits){.visits = 50});
    EXPECT_OK(driver_new(&made.base, &driver, err));
    EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
    EXPECT_INT(50, search_root_visits(search));
    driver_free(driver);
    search_free(search);
}

TEST_MAIN(RUN(every_evaluated_position_is_sampled_equally_often),
          RUN(a_sample_has_the_value_of_its_own_position),
          RUN(a_hint_has_nearly_the_weight_of_the_best), RUN(an_illegal_hint_is_ignored))
