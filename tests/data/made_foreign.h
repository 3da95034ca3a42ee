/* made_foreign.h - games of random moves, written as the training files of Leela Zero and lc0. */
#pragma once
#include "base/rng.h"
#include "base/strbuf.h"
#include "data/foreign/foreign_position.h"
#include "data/game_record.h"
#include "test.h"

enum { MADE_TURNS = 60 };

/* A game and its positions. */
typedef struct {
    int side, turns;
    Color winner;
    Point moves[MADE_TURNS]; /* moves[t] is played at turn t */
    ForeignPosition positions[MADE_TURNS];
} MadeGame;

static inline void made_cells(const Board *board, uint8_t *cells) {
    for (int i = 0; i < board->width * board->height; i++)
        cells[i] = board->color[move_at_index(i, board->width, board->height)];
}

/* Plays random moves, a pass now and then. Gives each turn a policy that contains a few moves. */
static inline void made_game(MadeGame *game, int side, int turns, int seed) {
    Rng rng = rng_seeded((uint64_t)seed);
    Rules rules = rules_tromp_taylor();
    Position position;
    rules.suicide = false;
    *game =
        (MadeGame){.side = side, .turns = turns, .winner = seed % 2 ? COLOR_BLACK : COLOR_WHITE};
    EXPECT_OK(position_init(&position, side, side, &rules, err));
    for (int t = 0; t < turns; t++) {
        ForeignPosition *now = &game->positions[t];
        Point legal[MOVES_MAX];
        int count = position_legal_moves(&position, legal);
        *now = (ForeignPosition){.width = side,
                                 .height = side,
                                 .mover = position.mover,
                                 .winner = game->winner,
                                 .komi = 7.5f};
        made_cells(&position.board, now->boards[0]);
        for (int k = 1; k < FOREIGN_BOARDS && k <= t; k++)
            memcpy(now->boards[k], now[-k].boards[0], sizeof now->boards[k]);
        for (int i = 0; i < 3; i++)
            now->policy[move_index(legal[rng_below(&rng, count)], side, side)] =
                0.25f * (float)(i + 1);
        /* the pass is the last of the legal moves, and is played only after the first stones */
        bool pass = t > 3 && t % 20 == 7;
        game->moves[t] = pass ? POINT_PASS : legal[rng_below(&rng, count - 1)];
        EXPECT_OK(position_play(&position, game->moves[t], err));
    }
    position_clear(&position);
}

/* Returns whether there is a stone on a point in a plane of Leela Zero's files. The files number
 * points row by row from the bottom. */
static inline bool made_stone(const ForeignPosition *position, int plane, int number) {
    int index = (18 - number / 19) * 19 + number % 19;
    Color color = plane < 8 ? position->mover : color_other(position->mover);
    return position->boards[plane % 8][index] == color;
}

static inline float made_share(const ForeignPosition *position, int number) {
    return position->policy[number == 361 ? 361 : (18 - number / 19) * 19 + number % 19];
}

/* Adds a position as Leela Zero's 19 lines. */
static inline void made_leela_text(const ForeignPosition *position, StrBuf *out) {
    for (int plane = 0; plane < 16; plane++) {
        for (int i = 0; i < 360; i += 4) {
            int digit = 0;
            for (int k = 0; k < 4; k++)
                digit = 2 * digit + made_stone(position, plane, i + k);
            strbuf_addf(out, "%x", digit);
        }
        strbuf_addf(out, "%d\n", made_stone(position, plane, 360));
    }
    strbuf_add(out, position->mover == COLOR_BLACK ? "0\n" : "1\n");
    for (int i = 0; i <= 361; i++)
        strbuf_addf(out, "%g%s", (double)made_share(position, i), i < 361 ? " " : "\n");
    strbuf_add(out, position->winner == position->mover ? "1\n" : "-1\n");
}

/* Adds a position as a record of Leela Zero's version 2. */
static inline void made_leela_packed(const ForeignPosition *position, StrBuf *out) {
    unsigned char planes[722] = {0};
    float policy[362];
    const uint32_t version = 1;
    for (int i = 0; i < 16 * 361; i++)
        planes[i / 8] |= (unsigned char)(made_stone(position, i / 361, i % 361) << (7 - i % 8));
    for (int i = 0; i <= 361; i++)
        policy[i] = made_share(position, i);
    const unsigned char end[2] = {position->mover == COLOR_WHITE,
                                  position->winner == position->mover};
    strbuf_add_bytes(out, &version, sizeof version);
    strbuf_add_bytes(out, policy, sizeof policy);
    strbuf_add_bytes(out, planes, sizeof planes);
    strbuf_add_bytes(out, end, sizeof end);
}

/* The record of lc0's version 7. Earlier versions lack some of the fields. */
typedef struct __attribute__((packed)) {
    uint32_t version, input_format;
    float probabilities[1858];
    uint64_t planes[104];
    uint8_t castling[4], mover, rule50, invariance_info;
    int8_t result; /* a dummy from version 6 on */
    float root_q, best_q, root_d, best_d, root_m, best_m, plies_left, result_q, result_d, played_q,
        played_d, played_m, orig_q, orig_d, orig_m;
    uint32_t visits;
    uint16_t played_idx, best_idx;
    float policy_kld, q_st, d_st;
    uint16_t opp_played_idx, next_played_idx;
    float reserved[8];
} Lc0Record;
_Static_assert(sizeof(Lc0Record) == 8396, "as lczero-training says");

static inline Lc0Record made_lc0_record(const ForeignPosition *position, int version) {
    int area = position->width * position->height, komi2 = (int)(2 * position->komi);
    int result = position->winner == COLOR_EMPTY ? 0 : position->winner == position->mover ? 1 : -1;
    Lc0Record record = {.version = (uint32_t)version,
                        .input_format = 361,
                        .castling = {(uint8_t)position->width, (uint8_t)position->height,
                                     (uint8_t)komi2, (uint8_t)(komi2 >> 8)},
                        .mover = position->mover == COLOR_WHITE,
                        .result = (int8_t)(version < 6 ? result : 0),
                        .result_q = (float)result,
                        .root_q = position->win_loss,
                        .orig_q = position->raw_win_loss,
                        .visits = (uint32_t)position->visits,
                        .policy_kld = position->policy_change,
                        .q_st = 0.375f,
                        .d_st = 0.625f,
                        .opp_played_idx = 3,
                        .next_played_idx = UINT16_MAX};
    for (int i = 0; i < 1858; i++)
        record.probabilities[i] = i <= area && position->policy[i] > 0 ? position->policy[i] : -1;
    for (int k = 0; k < 8; k++) {
        for (int i = 0; i < area; i++) {
            uint8_t color = position->boards[k][i];
            if (color == COLOR_EMPTY) continue;
            int first = 13 * k + (color == position->mover ? 0 : 6);
            record.planes[first + i / 64] |= (uint64_t)1 << i % 64;
        }
    }
    return record;
}

/* Adds the fields that a record of this version has. */
static inline void made_lc0_add(const Lc0Record *record, int version, StrBuf *out) {
    const char *bytes = (const char *)record;
    static const size_t SIZES[] = {8276, 8292, 8308, 8356, 8396};
    size_t skipped = version < 5 ? 4 : 0; /* older versions lack input_format */
    strbuf_add_bytes(out, bytes, 4);
    strbuf_add_bytes(out, bytes + 4 + skipped, SIZES[version - 3] - 4);
}

/* Adds a position as a record of lc0. */
static inline void made_lc0(const ForeignPosition *position, int version, StrBuf *out) {
    const Lc0Record record = made_lc0_record(position, version);
    made_lc0_add(&record, version, out);
}
