/* Self-play games that begin elsewhere than on the empty board; side positions; leads of rows; and
 * numbers that change during a run. */
#include "base/scratch.h"
#include "data/rows/row.h"
#include "data/rows/row_check.h"
#include "play/selfplay/selfplay.h"
#include "play/setup/exploit.h"
#include "search/tree/search_presets.h"

enum { EDGE = 5, EVEN_KOMI = 3 };

/* The random evaluator, except that White is ahead by komi - 3, whatever is on the board. */
typedef struct {
    Evaluator base;
    Evaluator *inner;
} Ahead;

static Status ahead_evaluate(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                             Evaluation *out, Error *err) {
    Status status = evaluator_evaluate(((Ahead *)evaluator)->inner, requests, count, out, err);
    for (int i = 0; i < count; i++) {
        const Position *position = requests[i].position;
        float white = position->rules.komi - EVEN_KOMI,
              win = 0.5f + 0.5f * tanhf(value_for_mover(white, position->mover) / 6);
        out[i].score_mean = out[i].lead = value_for_mover(white, position->mover);
        out[i].win = win;
        out[i].loss = 1 - win;
        out[i].no_result = 0;
    }
    return status;
}

static const EvaluatorClass AHEAD = {"ahead", ahead_evaluate, NULL};

typedef struct {
    SelfplaySettings settings;
    SearchSettings search;
    SurpriseSettings surprise; /* used if policy_surprise_weight is above 0 */
    Ahead evaluator;
    SelfplayWorker *worker;
    /* What the test counted and measured in the games. */
    int games, turns, modes[8], sides, recorded, leads, cheap_leads, copies, moved, side_rows,
        side_wrong;
    int fulls, lost;  /* full searches; those of them without a row */
    double weight;    /* sum over all turns */
    int considered;   /* maximum number of moves that a first turn's search considered */
    int first_visits; /* sum over first turns */
    double komi_worst, lead_worst, draw_sum, draw_square;
    int alternations;
    int first_turns[4]; /* of games that begin at positions of files */
    GameMode last;
    bool hint_after; /* the last hint fork began with the hint on the board */
} Fixture;

static void count_rows(Fixture *f, const GameRecord *record) {
    Rows rows;
    Rng rng = rng_seeded(1);
    EXPECT_OK(rows_init(&rows, EDGE, err));
    EXPECT_OK(rows_from_game(record, &rng, &rows, err));
    EXPECT_OK(rows_check(&rows, err));
    for (size_t n = 0; n < rows.count; n++) {
        const float *to = rows.targets + n * ROW_GLOBAL_TARGETS;
        if (to[TARGET_WEIGHT_FUTURE] > 0) continue;
        f->side_rows++;
        bool same = memcmp(to, to + TARGET_SEARCH, 4 * sizeof *to) == 0;
        f->side_wrong += !same || to[TARGET_WEIGHT_BOARD] > 0 || to[TARGET_WEIGHT_SCORING] > 0 ||
                         to[TARGET_MAIN_LINE] > 0 || !(to[TARGET_WEIGHT_POLICY] > 0) ||
                         to[TARGET_WEIGHT_REPLY] > 0 || to[TARGET_NO_VALUE] > 0;
    }
    rows_clear(&rows);
}

static void take_game(void *context, GameRecord *record) {
    Fixture *f = context;
    if (f->games) f->alternations += record->mode != f->last;
    f->last = record->mode;
    f->games++;
    f->modes[record->mode]++;
    f->turns += (int)record->turn_count;
    f->sides += (int)record->side_count;
    f->moved += record->start.move_count > 0;
    if (record->mode == GAME_SGF_POSITION) f->first_turns[record->start.move_count]++;
    double komi = (double)record->start.rules.komi - EVEN_KOMI,
           draw = (double)record->draw_equivalent_wins_for_white - 0.5;
    f->komi_worst = fmax(f->komi_worst, fabs(komi));
    f->draw_sum += draw;
    f->draw_square += draw * draw;
    if (record->turn_count) f->first_visits += record->turns[0].visits;
    if (record->mode == GAME_HINT_FORK)
        f->hint_after = record->start.board.color[point_at(1, 1)] == COLOR_WHITE;
    for (size_t t = 0; t < record->turn_count; t++) {
        const TurnRecord *turn = &record->turns[t];
        f->recorded += turn->row_weight > 0;
        f->leads += turn->lead_weight > 0;
        f->cheap_leads += turn->lead_weight > 0 && turn->visits <= f->settings.cheap.visits;
        f->copies += (int)turn->row_weight;
        f->weight += (double)turn->row_weight;
        bool full = turn->visits == f->settings.full.visits;
        f->fulls += full;
        f->lost += full && !(turn->row_weight > 0);
        if (!t && turn->value_count > f->considered) f->considered = turn->value_count;
        if (turn->lead_weight == 0) continue;
        EXPECT_TRUE(turn->row_weight > 0);
        f->lead_worst = fmax(f->lead_worst, fabs((double)turn->known_white_lead - komi));
    }
    if (record->side_count) count_rows(f, record);
}

static Fixture make(void) {
    Fixture f = {0};
    settings_defaults(SELFPLAY_FIELDS, &f.settings);
    search_preset_begin(SEARCH_PRESET_SELFPLAY, &f.search);
    snprintf(f.settings.sizes, sizeof f.settings.sizes, "%d:1", EDGE);
    f.settings.komi.mean = EVEN_KOMI;
    f.settings.full.visits = 4;
    f.settings.cheap.visits = 2;
    f.settings.reduce.turns = 0;
    f.settings.asymmetric.probability = 0;
    f.settings.fork.probability = 0;
    f.settings.opening.fair_probability = 0;
    f.settings.opening.area_fraction = 0;
    f.settings.move_limit_per_area_percent = 100;
    f.settings.games_at_once = 4;
    f.search.tree_memory_mb = 4;
    return f;
}

static Fixture *play(Fixture *f, int games) {
    SelfplayWorkerSetup setup = {.settings = &f->settings,
                                 .search = &f->search,
                                 .surprise =
                                     f->surprise.policy_surprise_weight > 0 ? &f->surprise : NULL,
                                 .seed = 5,
                                 .on_game = take_game,
                                 .context = f};
    f->evaluator.base = (Evaluator){&AHEAD, 8, 0, false};
    EXPECT_OK(evaluator_random_new(8, 1, &f->evaluator.inner, err));
    EXPECT_OK(selfplay_worker_new(&setup, &f->evaluator.base, "random", &f->worker, err));
    while (f->games < games)
        EXPECT_OK(selfplay_worker_step(f->worker, err));
    selfplay_worker_free(f->worker);
    evaluator_free(f->evaluator.inner);
    return f;
}

TEST(games_begin_in_the_archive_by_their_probability) {
    for (int kind = EXPLOIT_VISITED; kind <= EXPLOIT_REGRET; kind++) {
        Fixture f = make();
        f.settings.exploit.kind = kind;
        f.settings.exploit.add = 1;
        f.settings.exploit.probability = 0.3;
        f.settings.exploit.one_per_game = false;
        play(&f, 400);
        EXPECT_NEAR(0.3, (double)f.modes[GAME_FORK] / f.games, 0.08);
        EXPECT_TRUE(f.moved > 10 && f.moved <= f.modes[GAME_FORK]);
        EXPECT_INT(f.games, f.modes[GAME_FORK] + f.modes[GAME_NORMAL]);
    }
}

/* Each game that begins on the empty board adds one position. The next game begins at this
 * position, which is then removed. So every second game begins on the empty board. */
TEST(games_of_the_archive_add_nothing_to_it) {
    Fixture f = make();
    f.settings.exploit.kind = EXPLOIT_VISITED;
    f.settings.exploit.add = f.settings.exploit.probability = 1;
    f.settings.games_at_once = 1;
    play(&f, 41);
    EXPECT_INT(20, f.modes[GAME_FORK]);
    EXPECT_INT(40, f.alternations);
}

/* Games that begin at late forks of the archive add nothing to the archive, like games that begin
 * at other positions of the archive. The komi of these games is made even. */
TEST(late_forks_of_the_archive_are_begun_at) {
    Fixture f = make();
    f.settings.exploit.kind = EXPLOIT_VISITED;
    f.settings.exploit.late_fraction = f.settings.exploit.probability = 1;
    f.settings.komi.stdev = f.settings.komi.big_stdev = 0;
    f.settings.games_at_once = 1;
    play(&f, 41);
    EXPECT_TRUE(f.modes[GAME_FORK] > 12 && f.modes[GAME_FORK] <= 20);
    EXPECT_INT(f.modes[GAME_FORK], f.moved);
    EXPECT_INT(2 * f.modes[GAME_FORK], f.alternations);
    EXPECT_TRUE(f.komi_worst <= 0.5);
}

/* A turn has a side position with the probability p, and after each side position another one with
 * the probability m: p / (1 - m) on average. */
TEST(side_positions_by_their_probability) {
    static const float MORE[] = {0, 0.25f, 0.6f};
    for (int i = 0; i < 3; i++) {
        Fixture f = make();
        f.settings.side.probability = 0.3;
        f.settings.side.more_probability = (double)MORE[i];
        play(&f, 150);
        double wanted = 0.3 / (1 - (double)MORE[i]);
        EXPECT_NEAR(wanted, (double)f.sides / f.turns, 0.1 * wanted);
        EXPECT_INT(f.sides, f.side_rows);
        EXPECT_INT(0, f.side_wrong);
    }
}

TEST(leads_are_found_for_a_fraction_of_the_rows) {
    Fixture f = make();
    f.settings.lead.probability = 0.3;
    f.settings.lead.visits = 1; /* a search of one visit does not reach the end of the game */
    f.settings.komi.stdev = 30; /* on this board 30 * 5 / 19 = 8 */
    play(&f, 100);
    EXPECT_NEAR(0.3, (double)f.leads / f.recorded, 0.05);
    EXPECT_TRUE(f.lead_worst < 0.3);
    f = make();
    play(&f, 10);
    EXPECT_INT(0, f.leads);
}

/* Policy surprise moves the weight of full searches to the searches, full or cheap, that surprise
 * most. Then weights become whole numbers, and leads are found for a fraction of the rows that are
 * left. */
TEST(leads_are_found_for_rows_that_are_kept) {
    Fixture f = make();
    f.surprise = (SurpriseSettings){0.8, 0};
    f.settings.full.visits = 24;
    f.settings.lead.probability = 0.3;
    f.settings.lead.visits = 1;
    play(&f, 300);
    EXPECT_NEAR(0.3, (double)f.leads / f.recorded, 0.05);
    EXPECT_NEAR(f.copies, f.weight, 0);
    EXPECT_NEAR(f.fulls, f.weight, 0.05 * f.fulls); /* 1 for each full search */
    EXPECT_TRUE(f.lost > 100);
    EXPECT_TRUE(f.cheap_leads > 10);
}

TEST(searches_find_the_fair_komi) {
    Fixture f = make();
    f.settings.komi.auto_mean = true;
    f.settings.komi.visits = 3;
    f.settings.komi.mean = -12;
    f.settings.komi.stdev = f.settings.komi.big_stdev = 0;
    play(&f, 30);
    EXPECT_TRUE(f.komi_worst <= 0.5);
}

TEST(late_forks_and_fair_forks) {
    Fixture f = make();
    f.settings.late_fork.probability = 0.5;
    f.settings.fork.fair_probability = 1;
    f.settings.komi.stdev = f.settings.komi.big_stdev = 0;
    f.settings.komi.mean = EVEN_KOMI;
    play(&f, 200);
    EXPECT_TRUE(f.modes[GAME_FORK] > 40 && f.modes[GAME_FORK] < 110);
    EXPECT_INT(f.modes[GAME_FORK], f.moved);
    EXPECT_TRUE(f.komi_worst <= 0.5);
}

/* The ends of games with neutral points are played again. A game that begins at one of these ends
 * adds no further ends. */
TEST(ends_with_neutral_points_are_played_again) {
    Fixture f = make();
    f.settings.seki_fork_probability = 0.5;
    f.settings.move_limit_per_area_percent = 1000;
    f.settings.passalive_end_probability = 0;
    play(&f, 200);
    EXPECT_TRUE(f.modes[GAME_FORK] > 0 && f.modes[GAME_FORK] < 140);
    EXPECT_INT(f.games, f.modes[GAME_FORK] + f.modes[GAME_NORMAL]);
    EXPECT_TRUE(f.moved > 0 && f.moved <= f.modes[GAME_FORK]);
}

/* What a draw is worth is uniform on 0.5 +- r, which has the variance r^2 / 3. */
TEST(draws_are_worth_something_else_in_each_game) {
    Fixture f = make();
    f.settings.draw_radius = 0.4;
    f.settings.no_result_stdev = 0.1;
    play(&f, 400);
    EXPECT_NEAR(0, f.draw_sum / f.games, 0.05);
    EXPECT_NEAR(0.16 / 3, f.draw_square / f.games, 0.01);
}

static Scratch folder_with(const char *game) {
    Scratch folder = scratch_new();
    scratch_file(&folder, "0.sgf", game, strlen(game));
    return folder;
}

TEST(games_begin_at_positions_of_files) {
    Scratch folder = folder_with("(;GM[1]SZ[5]KM[6];B[cc];W[bb]C[%HINT%];B[dd];W[db])");
    Fixture f = make();
    snprintf(f.settings.start.sgfs, sizeof f.settings.start.sgfs, "%.200s", folder.path);
    snprintf(f.settings.hint.sgfs, sizeof f.settings.hint.sgfs, "%.200s", folder.path);
    f.settings.start.probability = 0.5;
    f.settings.komi.stdev = f.settings.komi.big_stdev = 0;
    play(&f, 300);
    EXPECT_NEAR(0.5, (double)f.modes[GAME_SGF_POSITION] / f.games, 0.08);
    EXPECT_TRUE(f.komi_worst <= 0.5); /* komi is the mean of the settings, not that of the file */
    f = make();
    snprintf(f.settings.hint.sgfs, sizeof f.settings.hint.sgfs, "%.200s", folder.path);
    f.settings.hint.probability = 1;
    f.settings.start.fair_probability = 0;
    play(&f, 60);
    EXPECT_INT(f.games, f.modes[GAME_HINT_POSITION] + f.modes[GAME_HINT_FORK]);
    EXPECT_TRUE(f.modes[GAME_HINT_FORK] > 5 && f.hint_after);
    EXPECT_TRUE(f.first_visits >= 16 * f.modes[GAME_HINT_POSITION]); /* 4 x 4 visits */
    scratch_remove(&folder);
}

/* The probability of the position at turn t is proportional to exp(-0.7 t). */
TEST(early_positions_of_files_come_more_often) {
    Scratch folder = folder_with("(;GM[1]SZ[5]KM[6];B[cc];W[bb];B[dd];W[db])");
    Fixture f = make();
    double sum = 0;
    snprintf(f.settings.start.sgfs, sizeof f.settings.start.sgfs, "%.200s", folder.path);
    f.settings.start.probability = 1;
    f.settings.start.turn_decay = 0.7;
    play(&f, 800);
    for (int t = 0; t < 4; t++)
        sum += exp(-0.7 * t);
    for (int t = 0; t < 4; t++)
        EXPECT_NEAR(exp(-0.7 * t) / sum, (double)f.first_turns[t] / f.games, 0.05);
    scratch_remove(&folder);
}

/* In the file the players went on after two passes. By the rules that are drawn here, the game was
 * over by then, so that no game begins at the later positions. */
TEST(games_that_are_over_are_not_begun_at) {
    Scratch folder = folder_with("(;GM[1]SZ[5]KM[6];B[cc];W[];B[];W[bb]C[%HINT%];B[dd])");
    Fixture f = make();
    snprintf(f.settings.hint.sgfs, sizeof f.settings.hint.sgfs, "%.200s", folder.path);
    f.settings.hint.probability = 1;
    play(&f, 20);
    EXPECT_INT(f.games, f.modes[GAME_NORMAL]);
    EXPECT_INT(0, f.moved);
    scratch_remove(&folder);
}

TEST(a_folder_without_games_is_refused) {
    Fixture f = make();
    Error fault = {0};
    f.settings.start.probability = 0.5;
    snprintf(f.settings.start.sgfs, sizeof f.settings.start.sgfs, "/nowhere");
    SelfplayWorkerSetup setup = {.settings = &f.settings, .search = &f.search, .seed = 5};
    EXPECT_OK(evaluator_random_new(8, 1, &f.evaluator.inner, err));
    EXPECT_STATUS(ERR_ARGUMENT,
                  selfplay_worker_new(&setup, f.evaluator.inner, "random", &f.worker, &fault));
    EXPECT_CONTAINS(fault.message, "/nowhere");
    evaluator_free(f.evaluator.inner);
}

/* A search considers 2 moves in a new run, and 6 after 1,000 rows. It has 6 visits below the root,
 * enough to visit each of these moves. With `cheap` these are cheap searches, and full searches
 * always consider 5 moves. */
static void expect_considered(bool cheap) {
    static const int64_t ROWS[] = {0, 500, 1000};
    for (int k = 0; k < 3; k++) {
        Fixture f = make();
        f.search.gumbel.on = true;
        f.search.gumbel.considered = cheap ? 5 : 6;
        f.settings.cheap.considered = cheap ? 6 : 0;
        f.settings.ramp.considered = cheap ? 5 : 2;
        f.settings.ramp.cheap_considered = 2;
        f.settings.ramp.rows = 1000;
        f.settings.full.probability = !cheap;
        f.settings.full.visits = f.settings.cheap.visits = 7;
        SelfplayWorkerSetup setup = {.settings = &f.settings,
                                     .search = &f.search,
                                     .seed = 5,
                                     .on_game = take_game,
                                     .context = &f};
        f.evaluator.base = (Evaluator){&AHEAD, 8, 0, false};
        EXPECT_OK(evaluator_random_new(8, 1, &f.evaluator.inner, err));
        EXPECT_OK(selfplay_worker_new(&setup, &f.evaluator.base, "random", &f.worker, err));
        selfplay_worker_set_rows(f.worker, ROWS[k]);
        while (f.games < 8) /* these games may have begun before the number of rows was set */
            EXPECT_OK(selfplay_worker_step(f.worker, err));
        f.considered = 0;
        while (f.games < 16)
            EXPECT_OK(selfplay_worker_step(f.worker, err));
        EXPECT_INT(2 + 2 * k, f.considered);
        selfplay_worker_free(f.worker);
        evaluator_free(f.evaluator.inner);
    }
}

TEST(considered_moves_grow_with_the_rows) {
    expect_considered(false);
}

TEST(cheap_searches_have_considered_moves_of_their_own) {
    expect_considered(true);
}

TEST_MAIN(RUN(games_begin_in_the_archive_by_their_probability),
          RUN(games_of_the_archive_add_nothing_to_it), RUN(late_forks_of_the_archive_are_begun_at),
          RUN(side_positions_by_their_probability), RUN(leads_are_found_for_a_fraction_of_the_rows),
          RUN(leads_are_found_for_rows_that_are_kept), RUN(searches_find_the_fair_komi),
          RUN(late_forks_and_fair_forks), RUN(ends_with_neutral_points_are_played_again),
          RUN(draws_are_worth_something_else_in_each_game), RUN(games_begin_at_positions_of_files),
          RUN(early_positions_of_files_come_more_often), RUN(games_that_are_over_are_not_begun_at),
          RUN(a_folder_without_games_is_refused), RUN(considered_moves_grow_with_the_rows),
          RUN(cheap_searches_have_considered_moves_of_their_own))
