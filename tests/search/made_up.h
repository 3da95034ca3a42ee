/* made_up.h - an evaluator with made-up values, positions and settings for the tests of the
 * search. */
#pragma once
#include "base/clock.h"
#include "eval/evaluators/evaluator.h"
#include "go/drawing.h"
#include "go/score.h"
#include "search/driver/driver.h"
#include "search/tree/search_presets.h"
#include "test.h"

/* An evaluator that knows one good point: the player who has a stone there wins with probability
 * 0.9. The game is even while the point is empty, or if `good` is the pass. All legal moves have
 * the same prior. */
typedef struct {
    Evaluator base;
    Point good;
    int fail_after;              /* evaluations before the evaluator fails; 0: never */
    int illegal;                 /* move_index() of an illegal move that has a prior; -1: none */
    int pause_us, leaf_pause_us; /* pause for each call, and for each position in it */
    int largest;                 /* maximum number of positions in a call so far */
    bool ownership;              /* evaluations have ownership: 0.25 at all points */
    bool buckets;      /* evaluations have value_buckets: all is in the last bucket but one */
    float error;       /* short-term errors of value and score; 0: evaluations have none */
    float value_error; /* error of the value; 0: evaluations have none */
    bool moves_left;   /* evaluations have the turns to the end: the number of legal moves */
    bool by_area;      /* the win rate follows the area score of the board, not the good point */
} MadeUp;

static inline void made_up_one(const MadeUp *made, const Position *position, Evaluation *out) {
    int width = position->board.width, height = position->board.height, count = 0;
    memset(out, 0, sizeof *out);
    for (int i = 0; i <= width * height; i++) {
        bool legal = position_is_legal(position, move_at_index(i, width, height));
        out->policy[i] = legal || i == made->illegal ? 1 : -1;
        count += out->policy[i] > 0;
    }
    for (int i = 0; i <= width * height; i++)
        if (out->policy[i] > 0) out->policy[i] /= (float)count;
    Color holder =
        made->good == POINT_PASS ? COLOR_EMPTY : (Color)position->board.color[made->good];
    out->win = holder == COLOR_EMPTY ? 0.5f : holder == position->mover ? 0.9f : 0.1f;
    double score = (double)value_for_mover(score_position(position, NULL), position->mover);
    if (made->by_area) out->win = (float)(0.5 + 0.4 * tanh(score / 4));
    out->loss = 1 - out->win;
    out->var_time = -1;
    out->shortterm_winloss_error = out->shortterm_score_error = made->error > 0 ? made->error : -1;
    out->moves_left = made->moves_left ? (float)count : -1;
    out->value_error = made->value_error > 0 ? made->value_error : -1;
    out->has_ownership = made->ownership;
    out->has_value_buckets = made->buckets;
    if (made->buckets) out->value_buckets[EVALUATION_BUCKETS - 2] = 1;
    for (int i = 0; i < width * height; i++)
        out->ownership[i] = 0.25f;
}

static Status made_up_evaluate(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                               Evaluation *out, Error *err) {
    MadeUp *made = (MadeUp *)evaluator;
    for (int i = 0; i < count; i++)
        made_up_one(made, requests[i].position, &out[i]);
    evaluator->evaluations += count;
    if (count > made->largest) made->largest = count;
    int pause = made->pause_us + count * made->leaf_pause_us;
    if (pause) clock_sleep_us(pause);
    if (made->fail_after && evaluator->evaluations > made->fail_after)
        return (fail)(err, ERR_IO, "made up"); /* the function, not the macro of cmocka */
    return OK;
}

static const EvaluatorClass MADE_UP = {"made up", made_up_evaluate, NULL};

static inline MadeUp made_up(int batch, Point good) {
    return (MadeUp){.base = {&MADE_UP, batch, 0, false}, .good = good, .illegal = -1};
}

static inline Position position_made(const char *drawing, int size, Color mover, float komi) {
    Position position = {0};
    Board board;
    Rules rules = rules_tromp_taylor();
    rules.komi = komi;
    EXPECT_OK(board_parse(drawing, size, size, &board, err));
    EXPECT_OK(position_init_board(&position, &board, mover, &rules, err));
    return position;
}

static inline Position position_empty(int size, float komi) {
    Position position = {0};
    Rules rules = rules_tromp_taylor();
    rules.komi = komi;
    EXPECT_OK(position_init(&position, size, size, &rules, err));
    return position;
}

static inline SearchSettings play_settings(void) {
    SearchSettings settings;
    search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    settings.tree_memory_mb = 64;
    return settings;
}

/* The settings of play, except that utility is win - loss alone, and averages weigh all visits
 * alike. */
static inline SearchSettings win_loss_settings(void) {
    SearchSettings settings = play_settings();
    settings.static_score_factor = settings.dynamic_score_factor = 0;
    settings.value_weight_exponent = 0;
    settings.noise_pruning.on = settings.uncertainty.on = false;
    return settings;
}

/* Returns the settings with which a search collects up to `leaves` leaves at once, from a few
 * visits of the root on. */
static inline SearchSettings with_leaves(SearchSettings settings, int leaves) {
    settings.leaves = leaves;
    settings.leaf_visits = 1;
    return settings;
}

/* Makes a search of a copy of `position`, and clears `position`. */
static inline Search *search_of(const SearchSettings *settings, uint64_t seed, Position position) {
    Search *search = NULL;
    EXPECT_OK(search_new(settings, seed, &search, err));
    EXPECT_OK(search_set_position(search, &position, err));
    position_clear(&position);
    return search;
}

static inline void run_visits(Search *search, Evaluator *evaluator, int64_t visits) {
    Driver *driver = NULL;
    EXPECT_OK(driver_new(evaluator, &driver, err));
    search_begin(search, &(SearchLimits){.visits = visits});
    EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
    driver_free(driver);
}

static inline Report *report_of_search(const Search *search) {
    Report *report = calloc(1, sizeof *report);
    search_report(search, report);
    return report;
}

/* Returns NULL if the move was not visited. */
static inline const MoveReport *move_in(const Report *report, Point point) {
    for (int i = 0; i < report->move_count; i++)
        if (report->moves[i].point == point) return &report->moves[i];
    return NULL;
}
