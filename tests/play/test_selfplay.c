/* Self-play games as the settings ask for them: full and cheap searches, visits that grow,
 * openings, forks, ends. A random evaluator plays. */
#include "play/selfplay/selfplay.h"
#include "search/tree/search_presets.h"
#include "test.h"

/* CHANGES: a search notes how the value of its root changes from 1 to 4 visits, from 4 to 16, and
 * so on. With FULL visits these are two changes. */
enum { EDGE = 5, FULL = 20, CHEAP = 5, CHANGES = 2 };

typedef struct {
    SelfplaySettings settings;
    SearchSettings search;
    SelfplayWorker *worker;
    Evaluator *evaluator;
    /* What the test counted and measured in the games. */
    int games, turns, asymmetric, full, cheap, other, full_rows, full_changes, cheap_rows, openings,
        forks, unfinished, limits, min;
} Fixture;

static void take_game(void *context, GameRecord *record) {
    Fixture *f = context;
    f->games++;
    f->openings += record->start.move_count;
    f->forks += record->mode == GAME_FORK;
    f->asymmetric += record->mode == GAME_ASYMMETRIC;
    if (record->mode != GAME_ASYMMETRIC)
        EXPECT_NEAR(0, record->playout_doubling_advantage[COLOR_WHITE], 0);
    f->unfinished += !record->finished;
    f->limits += record->hit_move_limit;
    for (size_t i = 0; i < record->turn_count; i++) {
        const TurnRecord *turn = &record->turns[i];
        if (!turn->valued) continue;
        bool is_full = turn->visits == f->settings.full.visits;
        /* A cheap search may have more visits, because it keeps a subtree of the last search. */
        bool is_cheap = turn->visits >= f->settings.cheap.visits && !is_full &&
                        turn->visits < f->settings.full.visits;
        f->turns++;
        if (!f->min || turn->visits < f->min) f->min = turn->visits;
        f->full += is_full;
        f->cheap += is_cheap;
        f->other += !is_full && !is_cheap;
        f->full_rows += is_full && turn->row_weight > 0;
        f->full_changes += is_full && turn->root_variance_count == CHANGES;
        f->cheap_rows += is_cheap && turn->row_weight > 0;
    }
}

static Fixture make(void) {
    Fixture f = {0};
    settings_defaults(SELFPLAY_FIELDS, &f.settings);
    search_preset_begin(SEARCH_PRESET_SELFPLAY, &f.search);
    snprintf(f.settings.sizes, sizeof f.settings.sizes, "%d:1", EDGE);
    f.settings.komi.mean = 3;
    f.settings.full.visits = FULL;
    f.settings.cheap.visits = CHEAP;
    f.settings.reduce.turns = 0;
    f.settings.asymmetric.probability = 0;
    f.settings.fork.probability = 0;
    f.settings.opening.fair_probability = 0;
    f.settings.games_at_once = 8;
    f.search.tree_memory_mb = 4;
    return f;
}

static void play(Fixture *f, int games) {
    SelfplayWorkerSetup setup = {.settings = &f->settings,
                                 .search = &f->search,
                                 .seed = 5,
                                 .on_game = take_game,
                                 .context = f};
    EXPECT_OK(evaluator_random_new(8, 1, &f->evaluator, err));
    EXPECT_OK(selfplay_worker_new(&setup, f->evaluator, "random", &f->worker, err));
    while (f->games < games)
        EXPECT_OK(selfplay_worker_step(f->worker, err));
}

static void clear(Fixture *f) {
    selfplay_worker_free(f->worker);
    evaluator_free(f->evaluator);
}

TEST(a_fraction_of_turns_is_searched_fully_and_recorded) {
    Fixture f = make();
    play(&f, 100);
    EXPECT_INT(0, f.other);
    EXPECT_INT(CHEAP, f.min);
    EXPECT_INT(0, f.unfinished);
    EXPECT_NEAR(0.25, (double)f.full / f.turns, 0.03);
    EXPECT_INT(f.full, f.full_rows);
    EXPECT_INT(f.full, f.full_changes); /* full searches begin with an empty tree */
    EXPECT_INT(0, f.cheap_rows);
    clear(&f);
}

TEST(cheap_searches_are_recorded_where_they_have_weight) {
    Fixture f = make();
    f.settings.cheap.row_weight = 0.5;
    play(&f, 20);
    EXPECT_TRUE(f.cheap > 0);
    EXPECT_INT(f.cheap, f.cheap_rows);
    clear(&f);
}

/* Checks the visits of searches after `rows` rows of a run. Within the first 1,000 rows the visits
 * grow from 0.4 of the usual number to all of it. */
static void expect_grown(int64_t rows, int full, int cheap) {
    Fixture f = make();
    f.settings.ramp.start = 0.4;
    f.settings.ramp.rows = 1000;
    f.settings.full.probability = 0.5;
    play(&f, 0);
    selfplay_worker_set_rows(f.worker, rows);
    while (f.games < 16) /* these games began before the number of rows was set */
        EXPECT_OK(selfplay_worker_step(f.worker, err));
    f.turns = f.other = f.full = f.cheap = f.min = 0;
    f.settings.full.visits = full;
    f.settings.cheap.visits = cheap;
    while (f.games < 32)
        EXPECT_OK(selfplay_worker_step(f.worker, err));
    EXPECT_TRUE(f.full > f.turns / 3 && f.cheap > f.turns / 3);
    EXPECT_INT(cheap, f.min);
    EXPECT_INT(0, f.other);
    clear(&f);
}

TEST(visits_grow_evenly_with_the_rows) {
    expect_grown(0, 8, 2);
    expect_grown(500, 14, 4); /* 0.7 of them; 3.5 rounds up */
    expect_grown(1000, FULL, CHEAP);
    expect_grown(5000000000, FULL, CHEAP);
}

/* If an exponential number has the mean m, its floor has the mean 1 / (e^(1/m) - 1). */
TEST(openings_have_their_mean_length) {
    Fixture f = make();
    f.settings.opening.area_fraction = 0.1;
    f.settings.cheap.visits = f.settings.full.visits = 2;
    play(&f, 600);
    EXPECT_NEAR(1 / (exp(1 / (0.1 * EDGE * EDGE)) - 1), (double)f.openings / f.games, 0.3);
    clear(&f);
}

/* Counts the openings of 1, 2 and 3 random moves, which have equal probability, and their first
 * moves. counts[0] is the number of games. */
static void take_random_opening(void *context, GameRecord *record) {
    int *counts = context;
    EXPECT_TRUE(record->start.move_count >= 1 && record->start.move_count <= 3);
    Move first = position_move(&record->start, 0);
    EXPECT_TRUE(first.point != POINT_PASS);
    counts[record->start.move_count]++;
    counts[4 + move_index(first.point, EDGE, EDGE)]++;
    counts[0]++;
}

TEST(random_openings_are_of_all_legal_moves) {
    Fixture f = make();
    int counts[4 + EDGE * EDGE] = {0};
    f.settings.opening.area_fraction = 0;
    f.settings.opening.random_fraction = 1;
    f.settings.opening.random_moves = 3;
    f.settings.cheap.visits = f.settings.full.visits = 1;
    f.settings.move_limit_per_area_percent = 20;
    SelfplayWorkerSetup setup = {.settings = &f.settings,
                                 .search = &f.search,
                                 .seed = 5,
                                 .on_game = take_random_opening,
                                 .context = counts};
    EXPECT_OK(evaluator_random_new(8, 1, &f.evaluator, err));
    EXPECT_OK(selfplay_worker_new(&setup, f.evaluator, "random", &f.worker, err));
    while (counts[0] < 2500)
        EXPECT_OK(selfplay_worker_step(f.worker, err));
    for (int k = 1; k <= 3; k++)
        EXPECT_NEAR(1 / 3.0, (double)counts[k] / counts[0], 0.04);
    for (int i = 0; i < EDGE * EDGE; i++) /* 100 each, deviation 10 */
        EXPECT_TRUE(counts[4 + i] > 55 && counts[4 + i] < 150);
    clear(&f);
}

/* A random evaluator for which a doubling of White's playouts is worth four points. It records the
 * playout doubling advantages of White that it gets. */
typedef struct {
    Evaluator base;
    Evaluator *inner;
    float min, max;
    int told, games, full, cheap, wrong;
    const SelfplaySettings *settings;
    double sum;
    bool fair;    /* komi should make up for the advantage; otherwise it should be 3 */
    double worst; /* the largest distance of a komi from what it should be */
} Told;

static Status told_evaluate(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                            Evaluation *out, Error *err) {
    Told *told = (Told *)evaluator;
    for (int i = 0; i < count; i++, told->told++) {
        float now = requests[i].options.white_doublings;
        if (!told->told || now < told->min) told->min = now;
        if (!told->told || now > told->max) told->max = now;
    }
    Status status = evaluator_evaluate(told->inner, requests, count, out, err);
    for (int i = 0; i < count; i++) {
        const Position *position = requests[i].position;
        float white = 4 * requests[i].options.white_doublings + position->rules.komi - 3;
        out[i].score_mean = out[i].lead = value_for_mover(white, position->mover);
    }
    return status;
}

static const EvaluatorClass TOLD = {"told", told_evaluate, NULL};

static void take_asymmetric(void *context, GameRecord *record) {
    Told *told = context;
    double white = (double)record->playout_doubling_advantage[COLOR_WHITE];
    EXPECT_INT(GAME_ASYMMETRIC, record->mode);
    EXPECT_NEAR(-white, record->playout_doubling_advantage[COLOR_BLACK], 0);
    EXPECT_NEAR(white, told->min, 0);
    EXPECT_NEAR(white, told->max, 0);
    EXPECT_TRUE(fabs(white) <= 3);
    told->sum += fabs(white);
    double komi = (double)record->start.rules.komi - (told->fair ? 3 - 4 * white : 3);
    told->worst = fmax(told->worst, fabs(komi));
    told->games++;
    told->told = 0;
    for (size_t i = 0; i < record->turn_count; i++) {
        const TurnRecord *turn = &record->turns[i];
        double own = turn->move.color == COLOR_WHITE ? white : -white;
        bool full = turn->visits == asymmetric_visits(told->settings->full.visits, own),
             cheap = turn->visits == asymmetric_visits(told->settings->cheap.visits, own);
        told->full += full;
        told->cheap += cheap;
        told->wrong += !full && !cheap;
    }
}

static Told play_told(Fixture *f, int games, bool fair) {
    Told told = {.base = {&TOLD, 1, 0, false}, .settings = &f->settings, .fair = fair};
    SelfplayWorkerSetup setup = {.settings = &f->settings,
                                 .search = &f->search,
                                 .seed = 5,
                                 .on_game = take_asymmetric,
                                 .context = &told};
    f->settings.asymmetric.probability = 1;
    f->settings.games_at_once = 1;
    EXPECT_OK(evaluator_random_new(1, 1, &told.inner, err));
    EXPECT_OK(selfplay_worker_new(&setup, &told.base, "random", &f->worker, err));
    while (told.games < games)
        EXPECT_OK(selfplay_worker_step(f->worker, err));
    selfplay_worker_free(f->worker);
    evaluator_free(told.inner);
    return told;
}

/* The visits are exact, because no tree is kept. The net sees the advantage in openings, too. */
TEST(nets_see_unequal_playouts_that_are_played) {
    Fixture f = make();
    f.settings.full.visits = 40;
    f.settings.cheap.visits = 16;
    Told told = play_told(&f, 40, false);
    EXPECT_INT(0, told.wrong);
    EXPECT_TRUE(told.full > 50 && told.cheap > 150);
    EXPECT_NEAR(1.5, told.sum / told.games, 0.4);
}

/* With the probability asymmetric.fair_probability, komi makes up for unequal playouts. This komi is rounded to half a point. The probability that komi is made fair after an opening has no effect on these games. */
TEST(fair_komi_makes_up_for_unequal_playouts) {
    for (int fair = 0; fair < 2; fair++) {
        Fixture f = make();
        f.settings.komi.stdev = 0;
        f.settings.komi.big_probability = 0;
        f.settings.opening.area_fraction = 0.2;
        f.settings.opening.fair_probability = !fair;
        f.settings.asymmetric.fair_probability = fair;
        f.settings.cheap.visits = f.settings.full.visits = 5;
        Told told = play_told(&f, 40, fair);
        EXPECT_TRUE(told.worst <= (fair ? 0.5 : 0));
        EXPECT_TRUE(told.sum > 20);
    }
}

TEST(forks_leave_unequal_games_for_equal_ones) {
    Fixture f = make();
    f.settings.fork.probability = 1;
    f.settings.asymmetric.probability = 1;
    f.settings.cheap.visits = f.settings.full.visits = 5;
    play(&f, 100);
    EXPECT_TRUE(f.forks > 20 && f.asymmetric > 5);
    EXPECT_INT(f.games, f.forks + f.asymmetric);
    clear(&f);
}

TEST(forks_come_by_their_probability) {
    Fixture f = make();
    f.settings.fork.probability = 0.5;
    f.settings.cheap.visits = f.settings.full.visits = 2;
    play(&f, 600);
    /* A fork follows half of the games. The first games_at_once games are no forks. */
    EXPECT_NEAR(0.5, (double)f.forks / (f.games - f.settings.games_at_once), 0.06);
    clear(&f);
}

TEST(games_end_at_the_move_limit) {
    Fixture f = make();
    f.settings.move_limit_per_area_percent = 20; /* five moves */
    f.settings.opening.area_fraction = 0;
    play(&f, 20);
    EXPECT_INT(f.games, f.limits);
    EXPECT_INT(5 * f.games, f.turns);
    EXPECT_INT(0, f.unfinished);
    clear(&f);
}

TEST_MAIN(RUN(a_fraction_of_turns_is_searched_fully_and_recorded),
          RUN(cheap_searches_are_recorded_where_they_have_weight),
          RUN(visits_grow_evenly_with_the_rows), RUN(openings_have_their_mean_length),
          RUN(random_openings_are_of_all_legal_moves),
          RUN(nets_see_unequal_playouts_that_are_played),
          RUN(fair_komi_makes_up_for_unequal_playouts),
          RUN(forks_leave_unequal_games_for_equal_ones), RUN(forks_come_by_their_probability),
          RUN(games_end_at_the_move_limit))
