/* The features are KataGo's (cpp/neuralnet/nninputs.cpp; Wu 2019, appendix A). Outline:
 *   1. features_encode_bits() computes the planes as bits, eight points at a time, each plane at
 *      the index that it has in version 7 of the features.
 *   2. features_to_version() moves planes and globals to their indices in an older version.
 *   3. features_encode() expands the bits to floats under a symmetry; training rows store the
 *      bits. */
#include "eval/features/features.h"

#include <math.h>
#include <string.h>

#include "eval/features/features_version.h"
#include "go/bits.h"
#include "go/score.h"

const FeatureOptions FEATURE_OPTIONS_DEFAULT = {.draw_equivalent_wins_for_white = 0.5f,
                                                .history_moves = 5};

typedef struct {
    const Position *position;
    const FeatureOptions *options;
    int version, width, height;
    Color own, other;
    uint8_t area[POINT_COUNT];
    /* The number of White's areas minus the number of Black's, for the group tax, or 0; see
     * feature_area() */
    int regions;
    float komi; /* the mover's */
    uint64_t (*planes)[6];
    float *globals;
} Encoding;

static void set_index(uint64_t plane[6], int index) {
    plane[index >> 6] |= (uint64_t)1 << (index & 63);
}

static void set_point(const Encoding *e, int plane, Point point) {
    set_index(e->planes[plane], point_y(point) * e->width + point_x(point));
}

/* Up to eight consecutive points of a row of the board. */
typedef struct {
    Point point; /* the first one */
    int index;   /* of the first point's bit in a plane */
    int count;
    unsigned mask; /* its low `count` bits are set */
} Cells;

static void put(Encoding *e, int plane, const Cells *cells, unsigned bits) {
    bits_put(e->planes[plane], cells->index, bits & cells->mask, cells->count);
}

/* Puts the points with the mover's color into `plane` and those with the opponent's color into the
 * next plane. */
static void put_colors(Encoding *e, int plane, const Cells *cells, const uint8_t *colors) {
    uint64_t bytes = bytes_load(colors + cells->point);
    unsigned low = bits_of_bytes(bytes), high = bits_of_bytes(bytes >> 1), black = low & ~high,
             white = high & ~low;
    put(e, plane, cells, e->own == COLOR_BLACK ? black : white);
    put(e, plane + 1, cells, e->own == COLOR_BLACK ? white : black);
}

static void put_marks(Encoding *e, int plane, const Cells *cells, const uint8_t *marks) {
    put(e, plane, cells, bits_of_bytes(bytes_load(marks + cells->point)));
}

static void encode_liberties(Encoding *e, const Cells *cells) {
    const Board *board = &e->position->board;
    for (int i = 0; i < cells->count; i++) {
        Point point = cells->point + i;
        if (board->color[point] == COLOR_EMPTY) continue;
        int liberties = board_liberties(board, point);
        if (liberties <= 3) set_index(e->planes[2 + liberties], cells->index + i);
    }
}

static void encode_stones(Encoding *e) {
    const Position *position = e->position;
    const Board *board = &position->board;
    for (int y = 0; y < e->height; y++) {
        for (int x = 0; x < e->width; x += 8) {
            int count = e->width - x < 8 ? e->width - x : 8;
            Cells cells = {point_at(x, y), y * e->width + x, count, (1u << count) - 1};
            put(e, 0, &cells, cells.mask);
            put_colors(e, 1, &cells, board->color);
            put_marks(e, 6, &cells, position->superko_banned);
            if (position->encore_phase) put_marks(e, 7, &cells, position->recapture_blocked);
            if (position->encore_phase == 2)
                put_colors(e, 20, &cells, position->second_encore_start);
            put_colors(e, 18, &cells, e->area);
            encode_liberties(e, &cells);
        }
    }
    if (!position->encore_phase && board->ko != POINT_NONE) set_point(e, 6, board->ko);
}

/* Returns whether the mover would not win if the game ended here. */
static bool would_not_win(const Encoding *e) {
    float sum = e->komi;
    for (Point p = 0; p < POINT_COUNT; p++)
        sum += (float)((e->area[p] == e->own) - (e->area[p] == e->other));
    sum -= 2 * (float)(e->own == COLOR_WHITE ? e->regions : -e->regions);
    return sum <= 0;
}

/* Encodes the last moves, and returns how many are shown. No move is shown if a pass would end the
 * game (see FeatureOptions) or, in versions 3 to 5, if the game is over. Sets `*hidden` to whether
 * this is so; encode_globals() then also hides that a pass would end the phase. */
static int encode_history(const Encoding *e, bool *hidden) {
    const Position *position = e->position;
    bool old = e->version <= 5, ended = position->over || position->past_normal_end,
         hacks = !old && e->options->passing_hacks && would_not_win(e);
    int max = 5;
    *hidden = position_pass_would_end_game(position) &&
              (e->options->conservative_pass || position_pass_ends_friendly(position) || hacks);
    *hidden |= old && ended;
    if (*hidden)
        max = 0;
    else if (ended)
        max = 1;
    if (!old && max > e->options->history_moves) max = e->options->history_moves;
    if (!old && max > position->valid_turns) max = position->valid_turns;
    if (e->version == 6 && max > position->legal_turns) max = position->legal_turns;
    int shown = 0;
    while (shown < max) {
        Move move = position_last_move(position, shown);
        if (move.point == POINT_NONE || move.color != (shown % 2 ? e->own : e->other)) break;
        if (move.point == POINT_PASS)
            e->globals[shown] = 1;
        else
            set_point(e, 9 + shown, move.point);
        shown++;
    }
    return shown;
}

static bool same_board(const Board *a, const Board *b) {
    return a->hash == b->hash && a->ko == b->ko;
}

static void encode_ladders(Encoding *e, int shown) {
    const Position *position = e->position;
    const Board *boards[3] = {&position->board, &position->board, &position->board};
    if (shown >= 1) boards[1] = boards[2] = position_previous(position, 0);
    if (shown >= 2) boards[2] = position_previous(position, 1);
    size_t bytes = (size_t)board_words(&position->board) * sizeof(uint64_t);
    LadderMap map;
    for (int i = 0; i < 3; i++) {
        if (!i || !same_board(boards[i], boards[i - 1]))
            ladder_recall(e->options->ladders, boards[i], &map);
        memcpy(e->planes[14 + i], map.laddered, bytes);
        if (!i) memcpy(e->planes[17], map.working[e->other == COLOR_WHITE], bytes);
    }
}

/* Returns a triangular wave of komi with period 2 and values from -0.5 to 0.5. The wave is 0 and
 * rises at each komi that has the parity of the area, so that a draw is possible (Wu 2019, appendix
 * A). */
static float parity_wave(float komi, int area) {
    double k = (double)komi, low = area % 2 == 0 ? 2 * floor(k / 2) : 2 * floor((k - 1) / 2) + 1,
           d = k - low;
    return (float)(d < 0.5 ? d : d < 1.5 ? 1 - d : d - 2);
}

static void encode_globals(Encoding *e, bool hidden) {
    const Position *position = e->position;
    const Rules *rules = &position->rules;
    float *g = e->globals, limit = (float)(e->width * e->height + (e->version < 7 ? 1 : 20)),
          komi = fminf(fmaxf(e->komi, -limit), limit);
    g[5] = komi / (e->version <= 5 ? 15 : 20);
    if (rules->ko != KO_SIMPLE) {
        g[6] = 1;
        g[7] = rules->ko == KO_SITUATIONAL ? -0.5f : 0.5f;
    }
    g[8] = rules->suicide;
    g[9] = rules->scoring == SCORING_TERRITORY;
    g[10] = rules->tax != TAX_NONE;
    g[11] = rules->tax == TAX_ALL;
    g[12] = position->encore_phase >= 1;
    g[13] = position->encore_phase >= 2;
    g[14] = !hidden && position_pass_would_end_phase(position);
    g[15] = e->options->playout_doubling_advantage != 0;
    g[16] = 0.5f * e->options->playout_doubling_advantage;
    g[17] = position->button;
    if (rules->scoring == SCORING_AREA || position->encore_phase >= 2)
        g[18] = parity_wave(komi, e->width * e->height);
}

void features_encode_bits(const Position *position, const FeatureOptions *options,
                          uint64_t planes[FEATURE_PLANES][6], float globals[FEATURE_GLOBALS]) {
    memset(planes, 0, FEATURE_PLANES * sizeof *planes);
    memset(globals, 0, FEATURE_GLOBALS * sizeof *globals);
    Encoding e = {.position = position,
                  .options = options,
                  .version = options->version ? options->version : 7,
                  .width = position->board.width,
                  .height = position->board.height,
                  .own = position->mover,
                  .other = color_other(position->mover),
                  .planes = planes,
                  .globals = globals};
    e.komi = position_mover_komi(position, options->draw_equivalent_wins_for_white);
    e.regions = feature_area(position, e.version, e.area);
    bool hidden;
    encode_stones(&e);
    int shown = encode_history(&e, &hidden);
    if (e.version != 5) encode_ladders(&e, shown);
    encode_globals(&e, hidden);
    features_to_version(e.version, planes, globals);
}

/* Adds `weight` times the features of a position to `planes` and `globals`. `places` are the cells
 * of the board's points in the buffer. */
static void add_features(const Position *position, const FeatureOptions *options, float weight,
                         const int16_t *places, float *planes, float *globals) {
    uint64_t bits[FEATURE_PLANES][6];
    float all[FEATURE_GLOBALS];
    int points = position->board.width * position->board.height,
        version = options->version ? options->version : 7, count = feature_planes(version);
    features_encode_bits(position, options, bits, all);
    for (int i = 0; i < feature_globals(version); i++)
        globals[i] += weight * all[i];
    for (int plane = 0; plane < count; plane++) {
        for (int word = 0; word * 64 < points; word++) {
            for (uint64_t rest = bits[plane][word]; rest; rest &= rest - 1) {
                int index = word * 64 + __builtin_ctzll(rest);
                planes[places[index] * count + plane] += weight;
            }
        }
    }
}

void features_encode(const Position *position, const FeatureOptions *options, Symmetry symmetry,
                     int buffer_width, int buffer_height, float *planes, float *globals) {
    const Board *board = &position->board;
    int version = options->version ? options->version : 7;
    size_t cells = (size_t)(buffer_width * buffer_height);
    int16_t places[BOARD_POINTS_MAX];
    memset(planes, 0, cells * (size_t)feature_planes(version) * sizeof *planes);
    memset(globals, 0, (size_t)feature_globals(version) * sizeof *globals);
    symmetry_places(symmetry, board->width, board->height, buffer_width, buffer_height, places);
    add_features(position, options, 1 - options->history_hidden, places, planes, globals);
    if (!(options->history_hidden > 0)) return;
    FeatureOptions without = *options;
    without.history_moves = 0;
    add_features(position, &without, options->history_hidden, places, planes, globals);
}
