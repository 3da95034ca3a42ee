/* The targets of a turn, found from the rest of the game (KataGo, cpp/dataio/trainingwrite.cpp and
 * docs/KataGoMethods.md). */
#include <math.h>
#include <string.h>

#include "data/rows/row_targets.h"
#include "go/area.h"
#include "go/score.h"

enum {
    NEAR_TURNS = 8, /* how far ahead the two planes of future stones look */
    FAR_TURNS = 32,
    MAX_Q = 32767
};

/* Probability that a move of the history is shown if all newer moves are shown. */
static const double HISTORY_KEPT = 0.98;

static double clip(double value, double limit) {
    return fmin(fmax(value, -limit), limit);
}

void row_targets_prepare(RowWriter *w) {
    value_ahead_result(w->record, w->final);
    for (int h = 0; h < VALUE_HORIZONS; h++) {
        double rate = value_ahead_rate(h, w->area), mean[VALUE_PARTS];
        memcpy(mean, w->final, sizeof mean);
        for (int t = w->turns - 1; t >= 0; t--) {
            value_ahead_add(&w->record->turns[t], rate, mean);
            memcpy(w->means[t][h], mean, sizeof mean);
        }
    }
}

/* Finds the region of `start`: the points that have the same owner as `start` and are connected
 * with it. Writes the points to `queue` and returns their number. */
static int gather_region(const uint8_t *owner, Point start, bool *seen, int16_t *queue) {
    int count = 0;
    queue[count++] = (int16_t)start;
    seen[start] = true;
    for (int at = 0; at < count; at++) {
        for (int i = 0; i < 4; i++) {
            Point near = queue[at] + POINT_STEPS[i];
            if (seen[near] || owner[near] != owner[start]) continue;
            seen[near] = true;
            queue[count++] = (int16_t)near;
        }
    }
    return count;
}

/* Finds what each point is worth to White. A point of White counts 1, and a point of Black counts
 * -1. If all groups are taxed, each region of one owner loses two points. This loss is divided
 * equally among the region's open points, which are points without a stone of the owner. A region
 * with one open point loses one point, and a region without open points loses nothing. */
static void find_scoring(RowWriter *w, const Board *end) {
    const uint8_t *owner = w->record->owner;
    bool seen[POINT_COUNT] = {false};
    int16_t queue[BOARD_POINTS_MAX];
    bool taxed = w->record->start.rules.tax == TAX_ALL;
    memset(w->scoring, 0, sizeof w->scoring);
    for (int i = 0; i < w->area; i++) {
        Point point = move_at_index(i, w->width, w->height);
        if (owner[point] == COLOR_EMPTY || seen[point]) continue;
        int count = gather_region(owner, point, seen, queue), open = 0;
        for (int at = 0; at < count; at++)
            open += end->color[queue[at]] != owner[point];
        float open_value = !taxed ? 1 : open > 2 ? (float)(open - 2) / (float)open : 0;
        float sign = owner[point] == COLOR_WHITE ? 1 : -1;
        for (int at = 0; at < count; at++)
            w->scoring[queue[at]] = sign * (end->color[queue[at]] == owner[point] ? 1 : open_value);
    }
}

static bool knows_score(const GameRecord *record) {
    return !record->outcome.no_result && !record->score_unknown;
}

static bool knows_owner(const GameRecord *record) {
    return knows_score(record) && !record->owner_unknown;
}

void row_targets_prepare_end(RowWriter *w, const Position *end) {
    const AreaOptions all = {.nonpassalive_stones = true,
                             .safe_big_territories = true,
                             .unsafe_big_territories = true,
                             .suicide = score_suicide(end)};
    if (knows_owner(w->record)) area_compute(&end->board, &all, w->full_area);
    find_scoring(w, &end->board);
    w->white_bonus = end->white_bonus;
}

static void write_outcome(float *to, const double white[4], bool is_white) {
    to[0] = (float)(is_white ? white[0] : white[1]);
    to[1] = (float)(is_white ? white[1] : white[0]);
    to[2] = (float)white[2];
    to[3] = (float)(is_white ? white[3] : -white[3]);
}

/* Returns the variance time of turn t, a measure of how late the values of the game still change.
 * It is the sum over k = 1, 2, ... of
 *     k * (change of win - loss at turn t + k)^2 */
static double variance_time(const RowWriter *w, int t) {
    double sum = 0, before = w->means[t][3][0] - w->means[t][3][1];
    for (int k = 1; t + k <= w->turns; k++) {
        const double *value = t + k < w->turns ? w->means[t + k][3] : w->final;
        double now = value[0] - value[1];
        sum += k * (now - before) * (now - before);
        before = now;
    }
    return sum;
}

static void write_hash(const GameRecord *record, float *to) {
    for (int i = 0; i < 2; i++) {
        to[3 * i] = (float)(record->hash[i] & 0x3fffff);
        to[3 * i + 1] = (float)(record->hash[i] >> 22 & 0x3fffff);
        to[3 * i + 2] = (float)(record->hash[i] >> 44);
    }
}

/* Returns the stones of handicap of a game from SGF. For a game of self-play that may have a
 * handicap, returns how many more stones Black has than White at the start. Else returns 0. */
static int extra_black_stones(const GameRecord *record) {
    if (record->handicap) return record->handicap;
    if (record->mode != GAME_HANDICAP && record->mode != GAME_ASYMMETRIC) return 0;
    const Board *board = position_start_board(&record->start);
    int count = 0;
    for (Point p = 0; p < POINT_COUNT; p++)
        count += (board->color[p] == COLOR_BLACK) - (board->color[p] == COLOR_WHITE);
    return count;
}

static void write_statistics(const RowWriter *w, const TurnRecord *turn, const Position *position,
                             float *to) {
    const GameRecord *record = w->record;
    float sign = position->mover == COLOR_WHITE ? 1 : -1;
    to[TARGET_SURPRISE] = turn->policy_surprise;
    to[TARGET_NET_ENTROPY] = turn->raw_policy_entropy;
    to[TARGET_SEARCH_ENTROPY] = turn->search_entropy;
    write_hash(record, to + TARGET_HASH);
    to[TARGET_KOMI] = position_mover_komi(position, record->draw_equivalent_wins_for_white);
    to[TARGET_AREA] = position->rules.scoring == SCORING_AREA || position->encore_phase == 2;
    to[TARGET_NET_CHANGED] = record->net_count > 1;
    to[TARGET_NETS_BEHIND] =
        record->net_count ? (float)record->net_count - 1 - (float)turn->net : 0;
    to[TARGET_TURN] = (float)position->move_count;
    to[TARGET_CUT_OFF] = record->hit_move_limit;
    to[TARGET_START_TURN] = (float)record->start.move_count;
    to[TARGET_HANDICAP] = (float)extra_black_stones(record);
    to[TARGET_MODE] = (float)record->mode;
    to[TARGET_FIRST_STONES] = (float)record->initial_turn;
    to[TARGET_NET_WIN_LOSS] = sign * turn->raw_white_win_loss;
    to[TARGET_NET_SCORE] = sign * turn->raw_white_score;
    to[TARGET_NET_ENTROPY_AGAIN] = turn->raw_policy_entropy;
    to[TARGET_VISITS] = (float)turn->visits;
    to[TARGET_VERSION] = ROW_VERSION;
    to[TARGET_PASS_ALIVE] = position->passalive_under_suicide;
}

static void write_root_variances(const TurnRecord *turn, float *to) {
    to[TARGET_ROOT_VARIANCE_COUNT] = (float)turn->root_variance_count;
    for (int i = 0; i < turn->root_variance_count; i++)
        to[TARGET_ROOT_VARIANCES + i] = turn->root_variances[i];
}

static void draw_history(Rng *rng, float *to) {
    for (int i = 0; i < 5; i++) {
        bool newer = i == 0 || to[TARGET_HISTORY + i - 1] > 0;
        to[TARGET_HISTORY + i] = newer && rng_uniform(rng) < HISTORY_KEPT;
    }
}

static void write_later_moves(const RowWriter *w, int t, float *to) {
    for (int i = 0; i < LATER_MOVES && t + LATER_MOVE_FIRST + i < w->turns; i++) {
        Point point = w->record->turns[t + LATER_MOVE_FIRST + i].move.point;
        if (point == POINT_NONE) return;
        int at = move_index(point, w->width, w->height);
        to[i] = (float)(at < w->area ? 1 + at / w->width * BOARD_SIDE_MAX + at % w->width
                                     : LATER_MOVE_PASS);
    }
}

void row_targets_write(const RowWriter *w, int t, const Position *position, const float weights[2],
                       float *to) {
    const GameRecord *record = w->record;
    bool white = position->mover == COLOR_WHITE, owned = knows_owner(record);
    memset(to, 0, ROW_GLOBAL_TARGETS * sizeof *to);
    write_outcome(to + TARGET_FINAL, w->final, white);
    for (int h = 0; h < 4; h++)
        write_outcome(to + TARGET_TD_LONG + 4 * h, w->means[t][h], white);
    to[TARGET_SCORE] = owned ? to[TARGET_FINAL + 3] : 0;
    if (knows_score(record) && record->turns[t].lead_weight > 0) {
        float lead = record->turns[t].known_white_lead;
        to[TARGET_LEAD] = white ? lead : -lead;
        to[TARGET_WEIGHT_LEAD] = record->turns[t].lead_weight;
    }
    to[TARGET_VARIANCE_TIME] = (float)variance_time(w, t);
    /* The means of later searches have a score too, so they are unknown if the score is. */
    to[TARGET_NO_TD] = !record->turns[t].valued || record->score_unknown;
    to[TARGET_WEIGHT] = 1;
    to[TARGET_WEIGHT_POLICY] = weights[0];
    to[TARGET_WEIGHT_BOARD] = owned;
    to[TARGET_WEIGHT_REPLY] = weights[1];
    to[TARGET_WEIGHT_FUTURE] = !record->end_unknown || t + FAR_TURNS < w->turns;
    to[TARGET_WEIGHT_SCORING] = owned;
    to[TARGET_NO_VALUE] = record->outcome_unknown;
    draw_history(w->rng, to);
    write_statistics(w, &record->turns[t], position, to);
    to[TARGET_BONUS] = (white ? 1 : -1) * (w->white_bonus - position->white_bonus);
    to[TARGET_MAIN_LINE] = record->finished && !record->hit_move_limit;
    if (owned && to[TARGET_MAIN_LINE] > 0) to[TARGET_MOVES_LEFT] = (float)(w->turns - t);
    write_later_moves(w, t, to + TARGET_LATER_MOVES);
    write_root_variances(&record->turns[t], to);
}

void row_targets_write_side(const RowWriter *w, const SideRecord *side, float policy_weight,
                            float *to) {
    const TurnRecord *turn = &side->turn;
    const Position *position = &side->position;
    const double now[4] = {(double)turn->white_win, (double)turn->white_loss,
                           (double)turn->white_no_result,
                           value_ahead_score((double)turn->white_score)};
    memset(to, 0, ROW_GLOBAL_TARGETS * sizeof *to);
    for (int h = 0; h < 5; h++)
        write_outcome(to + 4 * h, now, position->mover == COLOR_WHITE);
    to[TARGET_WEIGHT] = 1;
    to[TARGET_WEIGHT_POLICY] = policy_weight;
    draw_history(w->rng, to);
    write_statistics(w, turn, position, to);
    write_root_variances(turn, to);
}

void row_targets_write_score(const RowWriter *w, double score, bool known, int8_t *to) {
    int size = 2 * w->rows->length * w->rows->length + 2 * ROW_SCORE_PAD, middle = size / 2;
    memset(to, 0, (size_t)size);
    if (!known) {
        to[middle - 1] = to[middle] = 50;
        return;
    }
    /* A score between the middles of two bins is divided between them. */
    double center = round(score);
    int lower = (int)center + middle - 1, percent = (int)lround(100 * (score - (center - 0.5)));
    if (lower < 0) {
        to[0] = 100;
    } else if (lower >= size - 1) {
        to[size - 1] = 100;
    } else {
        to[lower] = (int8_t)(100 - percent);
        to[lower + 1] = (int8_t)percent;
    }
}

/* Returns 1 for the color `own`, -1 for that of the opponent, 0 for neither. */
static int8_t side_of(uint8_t color, Color own) {
    bool stone = color == COLOR_BLACK || color == COLOR_WHITE;
    return (int8_t)(!stone ? 0 : color == own ? 1 : -1);
}

/* Rounds up or down at random, so that the mean is `value`. */
static int round_randomly(double value, Rng *rng) {
    double low = floor(value);
    return (int)low + (value > low && rng_uniform(rng) < value - low);
}

void row_targets_write_boards(const RowWriter *w, int t, Color own, int8_t *to) {
    int frame = w->rows->length * w->rows->length;
    int near = t + NEAR_TURNS < w->turns ? t + NEAR_TURNS : w->turns;
    int far = t + FAR_TURNS < w->turns ? t + FAR_TURNS : w->turns;
    memset(to, 0, (size_t)(5 * frame));
    for (int i = 0; i < w->area; i++) {
        Point point = move_at_index(i, w->width, w->height);
        uint8_t owner = w->record->owner[point];
        double scoring = (double)w->scoring[point] * 120;
        int8_t *cell = to + row_frame_index(w, i);
        cell[0] = side_of(owner, own);
        /* Seki: points that a side occupies or surrounds, and that count for nobody. */
        cell[frame] = owner == COLOR_EMPTY ? side_of(w->full_area[point], own) : 0;
        cell[2 * frame] = side_of(w->boards[near * w->area + i], own);
        cell[3 * frame] = side_of(w->boards[far * w->area + i], own);
        cell[4 * frame] = (int8_t)round_randomly(own == COLOR_WHITE ? scoring : -scoring, w->rng);
    }
}

void row_targets_write_moves(const RowWriter *w, const TurnRecord *turn, Color own, int16_t *to) {
    int moves = w->rows->length * w->rows->length + 1;
    double sign = own == COLOR_WHITE ? 1 : -1;
    memset(to, 0, 3 * (size_t)moves * sizeof *to);
    for (int i = 0; i < turn->value_count; i++) {
        const MoveValue *value = &turn->values[i];
        int16_t *cell = to + row_frame_index(w, value->index);
        double score = value_ahead_score((double)value->white_score);
        double win_loss = clip((double)value->white_win_loss, 1);
        cell[0] = (int16_t)clip(round_randomly(sign * win_loss * 32000, w->rng), MAX_Q);
        cell[moves] = (int16_t)clip(round_randomly(sign * score * 60, w->rng), MAX_Q);
        cell[2 * moves] = value->visits;
    }
}
