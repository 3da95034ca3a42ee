/* driven_game.h - one self-play game that a test drives step by step, with an evaluator whose
 * answers the test sets. */
#pragma once
#include "play/selfplay/selfplay_branches.h"
#include "play/selfplay/selfplay_game.h"
#include "search/driver/driver.h"
#include "search/tree/search_presets.h"
#include "test.h"

enum { DRIVEN_EDGE = 5, DRIVEN_EVEN_KOMI = 3 };

/* The evaluator. Its policy is the same for all points and nearly 0 for the pass, so that no search
 * reaches the end of the game. If `likes` is set, the policy is proportional to these numbers,
 * whose indices are those of move_index(). White is ahead by komi - 3 points, less `black_stone`
 * for each black stone, plus `white_doubling` for each doubling of White's playouts. */
typedef struct {
    Evaluator base;
    const float *likes;
    float black_stone, white_doubling; /* in points for Black and for White */
    const float *white_win_loss;       /* White's win - loss; NULL: it follows from the score */
    /* If true, the rule above does not hold: the player who moved last is ahead by the index of
     * that move, in points. */
    bool last_move_decides;
} Saying;

static inline int black_stones(const Board *board) {
    int count = 0;
    for (int p = 0; p < POINT_COUNT; p++)
        count += board->color[p] == COLOR_BLACK;
    return count;
}

static inline void saying_of(const Saying *saying, const EvaluationRequest *request,
                             Evaluation *out) {
    const Position *position = request->position;
    int width = position->board.width, area = width * position->board.height;
    float white = position->rules.komi - DRIVEN_EVEN_KOMI -
                  saying->black_stone * (float)black_stones(&position->board) +
                  saying->white_doubling * request->options.white_doublings,
          sum = 0;
    if (saying->last_move_decides && position->move_count) {
        Move last = position_move(position, position->move_count - 1);
        int index = move_index(last.point, width, position->board.height);
        white = last.color == COLOR_WHITE ? (float)index : (float)-index;
    }
    float win_loss = saying->white_win_loss ? *saying->white_win_loss : tanhf(white / 6);
    *out = (Evaluation){.width = (int16_t)width,
                        .height = position->board.height,
                        .win = 0.5f + value_for_mover(win_loss, position->mover) / 2,
                        .score_mean = value_for_mover(white, position->mover),
                        .lead = value_for_mover(white, position->mover),
                        .var_time = -1,
                        .shortterm_winloss_error = -1,
                        .shortterm_score_error = -1};
    out->loss = 1 - out->win;
    for (int i = 0; i <= area; i++) {
        Point point = i < area ? point_at(i % width, i / width) : POINT_PASS;
        float liked = saying->likes ? saying->likes[i] : i < area ? 1 : 1e-6f;
        out->policy[i] = position_is_legal(position, point) ? liked : -1;
        sum += fmaxf(out->policy[i], 0);
    }
    for (int i = 0; i <= area; i++)
        if (out->policy[i] > 0) out->policy[i] /= sum;
}

static inline Status saying_evaluate(Evaluator *evaluator, const EvaluationRequest *requests,
                                     int count, Evaluation *out, Error *err) {
    (void)err;
    for (int i = 0; i < count; i++)
        saying_of((const Saying *)evaluator, &requests[i], &out[i]);
    return OK;
}

typedef struct {
    SelfplaySettings settings;
    SearchSettings search;
    GameChoices choices;
    Saying saying;
    Driver *driver;
    SelfplayGame *game;
    Report *report;
    const char *net;
} Driven;

/* Sets up games of 5x5 with komi 3. The settings turn off random komi, openings from the policy,
 * and unequal playouts; tests turn on what they need. */
static inline void driven_init(Driven *d) {
    static const EvaluatorClass SAYING = {"saying", saying_evaluate, NULL};
    *d = (Driven){.saying.base = {&SAYING, 8, 0, false}, .net = "first"};
    settings_defaults(SELFPLAY_FIELDS, &d->settings);
    search_preset_begin(SEARCH_PRESET_SELFPLAY, &d->search);
    snprintf(d->settings.sizes, sizeof d->settings.sizes, "%d:1", DRIVEN_EDGE);
    d->settings.komi.mean = DRIVEN_EVEN_KOMI;
    d->settings.komi.stdev = d->settings.komi.big_stdev = 0;
    d->settings.full.visits = d->settings.cheap.visits = 1;
    d->settings.reduce.turns = 0;
    d->settings.asymmetric.probability = d->settings.asymmetric.handicap_probability = 0;
    d->settings.opening.area_fraction = 0;
    d->settings.opening.fair_probability = 0;
    d->settings.move_limit_per_area_percent = 100;
    d->settings.passalive_end_probability = 0;
    d->search.tree_memory_mb = 1;
    d->report = calloc(1, sizeof *d->report);
    EXPECT_OK(driver_new(&d->saying.base, &d->driver, err));
}

static inline void driven_begin_as(Driven *d, SelfplayGameSetup setup, uint64_t seed) {
    EXPECT_OK(game_choices_read(&d->settings, &d->choices, err));
    setup.settings = &d->settings;
    setup.choices = &d->choices;
    setup.full = setup.cheap = &d->search;
    setup.net_name = d->net;
    EXPECT_OK(selfplay_game_new(&setup, rng_seeded(seed), &d->game, err));
}

static inline void driven_begin(Driven *d, const Position *fork, SelfplayOrigin origin,
                                uint64_t seed) {
    driven_begin_as(d, (SelfplayGameSetup){.fork = fork, .origin = origin}, seed);
}

static inline void driven_begin_hint(Driven *d, const Position *start, Point hint, uint64_t seed) {
    driven_begin_as(d, (SelfplayGameSetup){.fork = start, .origin = ORIGIN_HINT, .hint = hint},
                    seed);
}

/* Runs the present search to its end and lets the game use the result. Returns whether the game's
 * record is complete. */
static inline bool driven_step(Driven *d) {
    bool over;
    EXPECT_OK(driver_run(d->driver, selfplay_game_search(d->game), &(DriverRun){0}, err));
    EXPECT_OK(selfplay_game_advance(d->game, d->net, d->report, &over, err));
    return over;
}

/* Runs the game until it records turns. Openings and searches for komi are then over. */
static inline const GameRecord *driven_to_turns(Driven *d) {
    while (!d->game->recording)
        EXPECT_FALSE(driven_step(d));
    return &d->game->record;
}

static inline const GameRecord *driven_to_end(Driven *d) {
    while (!driven_step(d)) {
    }
    return &d->game->record;
}

static inline void driven_end(Driven *d) {
    selfplay_game_free(d->game);
    d->game = NULL;
}

static inline void driven_clear(Driven *d) {
    driven_end(d);
    driver_free(d->driver);
    free(d->report);
}
