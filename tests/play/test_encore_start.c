/* Games under territory scoring that begin in a phase of the encore, after some moves of the
 * policy: their frequencies, komi and ends, and the rows of these phases. */
#include "base/scratch.h"
#include "data/rows/row.h"
#include "data/rows/row_check.h"
#include "play/selfplay/selfplay.h"
#include "search/tree/search_presets.h"

enum { EDGE = 5, EVEN_KOMI = 3, FAR_KOMI = -12, LIKED = 4 };

/* White is ahead by komi - 3 points. Each point of the top row has LIKED times the policy of any
 * other point. */
static Status liking_evaluate(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                              Evaluation *out, Error *err) {
    (void)evaluator;
    (void)err;
    for (int i = 0; i < count; i++) {
        const Position *position = requests[i].position;
        int width = position->board.width, height = position->board.height, area = width * height;
        float white = position->rules.komi - EVEN_KOMI,
              lead = value_for_mover(white, position->mover), sum = 0;
        out[i] = (Evaluation){.width = (int16_t)width,
                              .height = (int16_t)height,
                              .score_mean = lead,
                              .lead = lead,
                              .var_time = -1,
                              .shortterm_winloss_error = -1,
                              .shortterm_score_error = -1};
        out[i].win = 0.5f + 0.5f * tanhf(lead / 6);
        out[i].loss = 1 - out[i].win;
        for (int k = 0; k <= area; k++) {
            bool legal =
                position_is_legal(position, k < area ? point_at(k % width, k / width) : POINT_PASS);
            out[i].policy[k] = !legal ? -1 : k < width ? LIKED : 1;
            if (legal) sum += out[i].policy[k];
        }
        for (int k = 0; k <= area; k++)
            if (out[i].policy[k] > 0) out[i].policy[k] /= sum;
    }
    return OK;
}

static const EvaluatorClass LIKING = {"liking", liking_evaluate, NULL};

typedef struct {
    SelfplaySettings settings;
    SearchSettings search;
    Evaluator evaluator;
    bool looks_at_rows;
    /* What the test counted and measured in the games. */
    int games, area_games, modes[GAME_MODES], phases[3], first[3], alone, liked, none, blocked;
    double moves, komi_worst, komi_of_others;
} Fixture;

static bool bit_at(const Rows *rows, size_t row, size_t plane, size_t at) {
    size_t bytes = (size_t)(rows->length * rows->length + 7) / 8;
    return rows->planes[(row * FEATURE_PLANES + plane) * bytes + at / 8] >> (7 - at % 8) & 1;
}

static void expect_row(Fixture *f, const Rows *rows, size_t n, const Position *position) {
    const float *globals = rows->globals + n * FEATURE_GLOBALS,
                *targets = rows->targets + n * ROW_GLOBAL_TARGETS;
    int phase = position->encore_phase;
    f->phases[phase]++;
    EXPECT_INT(phase > 0, globals[12] > 0);
    EXPECT_INT(phase > 1, globals[13] > 0);
    EXPECT_NEAR(phase == 2, targets[TARGET_AREA], 0);
    for (size_t at = 0; at < (size_t)(rows->length * rows->length); at++) {
        Point point = point_at((int)at % EDGE, (int)at / EDGE);
        Color then = (Color)position->second_encore_start[point];
        EXPECT_INT(position->recapture_blocked[point], bit_at(rows, n, 7, at));
        EXPECT_INT(phase == 2 && then == position->mover, bit_at(rows, n, 20, at));
        EXPECT_INT(phase == 2 && then == color_other(position->mover), bit_at(rows, n, 21, at));
        f->blocked += position->recapture_blocked[point];
    }
}

/* White's score is the number of White's points minus that of Black's, plus komi and white_bonus
 * (go/position.h). */
static void expect_end(const GameRecord *record, const Position *end) {
    float score = end->white_bonus + end->rules.komi;
    for (Point p = 0; p < POINT_COUNT; p++)
        score += (float)((record->owner[p] == COLOR_WHITE) - (record->owner[p] == COLOR_BLACK));
    EXPECT_TRUE(end->over || record->hit_move_limit);
    EXPECT_TRUE(record->hit_move_limit || record->outcome.no_result || end->encore_phase == 2);
    if (!record->outcome.no_result) EXPECT_NEAR(score, record->white_score, 0);
}

static void expect_rows(Fixture *f, const GameRecord *record) {
    Rows rows;
    Position now = {0};
    Rng rng = rng_seeded(1);
    EXPECT_OK(rows_init(&rows, EDGE, err));
    EXPECT_OK(rows_from_game(record, &rng, &rows, err));
    EXPECT_OK(rows_check(&rows, err));
    EXPECT_INT(record->turn_count, rows.count);
    EXPECT_OK(position_copy(&now, &record->start, err));
    for (size_t n = 0; n < rows.count; n++) {
        expect_row(f, &rows, n, &now);
        EXPECT_OK(position_play(&now, record->turns[n].move.point, err));
    }
    expect_end(record, &now);
    position_clear(&now);
    rows_clear(&rows);
}

static void take_start(Fixture *f, const Position *start) {
    const Board *board = &start->board;
    int moves = board->stones + board->captured[COLOR_BLACK] + board->captured[COLOR_WHITE];
    EXPECT_INT(SCORING_TERRITORY, start->rules.scoring);
    EXPECT_INT(start->encore_phase, position_start_phase(start));
    EXPECT_INT(0, start->move_count);
    EXPECT_INT(0, start->valid_turns);
    EXPECT_INT(POINT_NONE, board->ko);
    if (!(f->settings.seki_fork_probability > 0)) /* a seki fork may begin after a pass */
        EXPECT_INT(moves % 2 ? COLOR_WHITE : COLOR_BLACK, start->mover);
    f->first[start->encore_phase]++;
    f->moves += moves;
    f->none += !moves;
    f->komi_worst = fmax(f->komi_worst, fabs((double)start->rules.komi - EVEN_KOMI));
    if (moves != 1) return;
    f->alone++;
    for (int x = 0; x < board->width; x++)
        f->liked += board->color[point_at(x, 0)] != COLOR_EMPTY;
}

static void take_game(void *context, GameRecord *record) {
    Fixture *f = context;
    const Position *start = &record->start;
    f->games++;
    f->modes[record->mode]++;
    f->area_games += start->rules.scoring == SCORING_AREA;
    if (record->mode != GAME_FORK)
        EXPECT_INT(record->mode == GAME_CLEANUP, start->encore_phase > 0);
    if (record->mode == GAME_CLEANUP)
        take_start(f, start);
    else
        f->komi_of_others = (double)start->rules.komi;
    if (record->mode == GAME_NORMAL) EXPECT_INT(0, start->board.stones);
    if (f->looks_at_rows) expect_rows(f, record);
}

static Fixture make(const char *scoring) {
    Fixture f = {0};
    settings_defaults(SELFPLAY_FIELDS, &f.settings);
    search_preset_begin(SEARCH_PRESET_SELFPLAY, &f.search);
    snprintf(f.settings.sizes, sizeof f.settings.sizes, "%d:1", EDGE);
    snprintf(f.settings.scoring_rules, sizeof f.settings.scoring_rules, "%s", scoring);
    f.settings.komi.mean = FAR_KOMI;
    f.settings.komi.stdev = f.settings.komi.big_stdev = 0;
    f.settings.full.visits = f.settings.cheap.visits = 2;
    f.settings.reduce.turns = 0;
    f.settings.asymmetric.probability = 0;
    f.settings.fork.probability = 0;
    f.settings.opening.area_fraction = 0;
    f.settings.move_limit_per_area_percent = 100;
    f.settings.games_at_once = 4;
    f.search.tree_memory_mb = 4;
    return f;
}

static void play(Fixture *f, int games) {
    SelfplayWorker *worker;
    SelfplayWorkerSetup setup = {.settings = &f->settings,
                                 .search = &f->search,
                                 .seed = 5,
                                 .on_game = take_game,
                                 .context = f};
    f->evaluator = (Evaluator){&LIKING, 8, 0, false};
    EXPECT_OK(selfplay_worker_new(&setup, &f->evaluator, "liking", &worker, err));
    while (f->games < games)
        EXPECT_OK(selfplay_worker_step(worker, err));
    selfplay_worker_free(worker);
}

TEST(encore_games_come_by_their_probability_under_territory_scoring_alone) {
    Fixture f = make("AREA, TERRITORY, TERRITORY");
    f.settings.encore.probability = 0.3;
    play(&f, 1500);
    EXPECT_NEAR(0.3, (double)f.modes[GAME_CLEANUP] / (f.games - f.area_games), 0.05);
    EXPECT_NEAR(0.5, (double)f.first[1] / f.modes[GAME_CLEANUP], 0.1);
    EXPECT_INT(f.games, f.modes[GAME_CLEANUP] + f.modes[GAME_NORMAL]);
    f = make("TERRITORY");
    f.settings.encore.probability = 0;
    play(&f, 50);
    EXPECT_INT(0, f.modes[GAME_CLEANUP]);
    f = make("TERRITORY");
    play(&f, 1500);
    EXPECT_NEAR(0.04, (double)f.modes[GAME_CLEANUP] / f.games, 0.02);
}

/* The number of moves before the encore is floor(m e) with e exponential. Its mean is
 * 1 / (exp(1 / m) - 1), and it is 0 with the probability 1 - exp(-1 / m). */
TEST(moves_before_an_encore_have_their_mean_number) {
    Fixture f = make("TERRITORY");
    double mean = 0.1 * EDGE * EDGE;
    f.settings.encore.probability = 1;
    f.settings.encore.area_fraction = 0.1;
    play(&f, 1200);
    EXPECT_INT(f.games, f.modes[GAME_CLEANUP]);
    EXPECT_NEAR(1 / (exp(1 / mean) - 1), f.moves / f.games, 0.25);
    EXPECT_NEAR(1 - exp(-1 / mean), (double)f.none / f.games, 0.05);
}

/* By default the temperature is 2/3. Then each of the five points of the top row is LIKED^1.5 = 8
 * times as likely as each of the other 20 points, so the top row gets 40 / 60 of the moves. At
 * temperature 1 it gets 20 / 40. */
TEST(moves_before_an_encore_have_a_temperature_of_their_own) {
    static const double WANTED[] = {2 / 3.0, 0.5};
    for (int k = 0; k < 2; k++) {
        Fixture f = make("TERRITORY");
        f.settings.encore.probability = 1;
        f.settings.encore.area_fraction = 0.04;
        f.settings.opening.temperature = 10;
        if (k) f.settings.encore.temperature = 1;
        play(&f, 2000);
        EXPECT_TRUE(f.alone > 350);
        EXPECT_NEAR(WANTED[k], (double)f.liked / f.alone, 0.06);
    }
}

TEST(encore_games_have_a_fair_komi) {
    Fixture f = make("TERRITORY");
    f.settings.encore.probability = 0.5;
    play(&f, 100);
    EXPECT_TRUE(f.modes[GAME_CLEANUP] > 30 && f.modes[GAME_NORMAL] > 30);
    EXPECT_TRUE(f.komi_worst <= 0.5);
    EXPECT_NEAR(FAR_KOMI, f.komi_of_others, 0);
}

/* On 2x2 the moves before the encore may end the game. The game then begins anew. */
TEST(a_game_that_ends_before_its_encore_begins_anew) {
    Fixture f = make("TERRITORY");
    snprintf(f.settings.sizes, sizeof f.settings.sizes, "2:1");
    snprintf(f.settings.ko_rules, sizeof f.settings.ko_rules, "SIMPLE");
    f.settings.encore.probability = f.settings.encore.area_fraction = 1;
    play(&f, 1000);
    EXPECT_TRUE(f.modes[GAME_NORMAL] > 3 && f.modes[GAME_CLEANUP] > 900);
    EXPECT_INT(f.games, f.modes[GAME_CLEANUP] + f.modes[GAME_NORMAL]);
}

/* Games at hint positions begin there and not in an encore. The forks of these games may begin in
 * one. */
TEST(hint_positions_begin_in_no_encore) {
    static const char GAME[] = "(;GM[1]SZ[5]KM[6];B[cc];W[bb]C[%HINT%];B[dd];W[db])";
    Scratch folder = scratch_new();
    Fixture f = make("TERRITORY");
    scratch_file(&folder, "0.sgf", GAME, strlen(GAME));
    snprintf(f.settings.hint.sgfs, sizeof f.settings.hint.sgfs, "%.200s", folder.path);
    f.settings.hint.probability = f.settings.encore.probability = 1;
    play(&f, 60);
    EXPECT_TRUE(f.modes[GAME_HINT_POSITION] >= 30);
    EXPECT_INT(f.games, f.modes[GAME_CLEANUP] + f.modes[GAME_HINT_POSITION]);
    scratch_remove(&folder);
}

TEST(no_fork_leaves_an_encore_game) {
    Fixture f = make("TERRITORY");
    f.settings.encore.probability = f.settings.late_fork.probability = 1;
    play(&f, 50);
    EXPECT_INT(f.games, f.modes[GAME_CLEANUP]);
    f = make("TERRITORY");
    f.settings.encore.probability = 0;
    f.settings.late_fork.probability = 1;
    play(&f, 50);
    EXPECT_TRUE(f.modes[GAME_FORK] > 20);
}

TEST(rows_show_phase_bans_and_stones_of_the_second_encore) {
    Fixture f = make("TERRITORY");
    f.looks_at_rows = true;
    f.settings.encore.probability = 0.5;
    f.settings.full.probability = 1;
    f.settings.passalive_end_probability = 0;
    f.settings.move_limit_per_area_percent = 1000;
    play(&f, 150);
    EXPECT_TRUE(f.phases[0] > 500 && f.phases[1] > 500 && f.phases[2] > 500);
    EXPECT_TRUE(f.blocked > 20);
}

/* The ends of games are played again under rules that are drawn anew. Under area scoring there is
 * no move that lifts a ko block. */
TEST(ends_of_encore_games_are_played_again) {
    Fixture f = make("AREA, TERRITORY");
    snprintf(f.settings.sizes, sizeof f.settings.sizes, "4:1");
    f.settings.encore.probability = 1;
    f.settings.seki_fork_probability = 0.5;
    f.settings.passalive_end_probability = 0;
    f.settings.move_limit_per_area_percent = 1000;
    play(&f, 2000);
    EXPECT_TRUE(f.modes[GAME_FORK] > 100);
}

TEST_MAIN(RUN(encore_games_come_by_their_probability_under_territory_scoring_alone),
          RUN(moves_before_an_encore_have_their_mean_number),
          RUN(moves_before_an_encore_have_a_temperature_of_their_own),
          RUN(encore_games_have_a_fair_komi), RUN(a_game_that_ends_before_its_encore_begins_anew),
          RUN(hint_positions_begin_in_no_encore), RUN(no_fork_leaves_an_encore_game),
          RUN(ends_of_encore_games_are_played_again),
          RUN(rows_show_phase_bans_and_stones_of_the_second_encore))
