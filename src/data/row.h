/* row.h - training rows in memory, column by column as KataGo's .npz has them, and rows from a
 * game. Values are the mover's (KataGo, cpp/dataio/trainingwrite.h). Threading: confined. */
#pragma once
#include "base/rng.h"
#include "base/strbuf.h"
#include "data/game_record.h"
#include "eval/features.h"
#include <stddef.h>

#define ROW_GLOBAL_TARGETS 80
#define ROW_SCORE_PAD 60 /* points of score beyond the board that the distribution has room for */

/* Places in globalTargetsNC that others than the writer need. Outcomes are win, loss, no result and
 * score, four numbers each. */
enum {
    TARGET_FINAL = 0,   /* result of the game */
    TARGET_TD_LONG = 4, /* means of later searches over the three horizons */
    TARGET_TD_MIDDLE = 8,
    TARGET_TD_SHORT = 12,
    TARGET_SEARCH = 16, /* this turn's search */
    TARGET_SCORE = 20,
    TARGET_LEAD = 21,
    TARGET_VARIANCE_TIME = 22,
    TARGET_NO_TD = 24,  /* 1 - weight of the means */
    TARGET_WEIGHT = 25, /* of the row */
    TARGET_WEIGHT_POLICY = 26,
    TARGET_WEIGHT_BOARD = 27, /* of ownership and score */
    TARGET_WEIGHT_REPLY = 28, /* of the second policy target */
    TARGET_WEIGHT_LEAD = 29,
    TARGET_SURPRISE = 30, /* of the policy; nats, as the next two */
    TARGET_NET_ENTROPY = 31,
    TARGET_SEARCH_ENTROPY = 32,
    TARGET_WEIGHT_FUTURE = 33,
    TARGET_WEIGHT_SCORING = 34,
    TARGET_NO_VALUE = 35,    /* 1 - weight of the result */
    TARGET_HISTORY = 36,     /* 5 masks: whether the last moves may be seen */
    TARGET_HASH = 41,        /* 6 pieces of the game's hash, 22, 22 and 20 bits, twice */
    TARGET_KOMI = 47,        /* as the mover sees it */
    TARGET_NET_CHANGED = 49, /* 1: during the game */
    TARGET_NETS_BEHIND = 50, /* how many nets of the game came after this search's */
    TARGET_TURN = 51,
    TARGET_CUT_OFF = 52,    /* 1: the game ended by its limit of moves */
    TARGET_START_TURN = 53, /* the first that was searched for data */
    TARGET_MODE = 55,       /* GameMode */
    TARGET_VISITS = 60,
    TARGET_MAIN_LINE = 62 /* 1: of a finished game's main line */
};

typedef struct {
    int length; /* L: boards are top-left in L x L; area A = L * L */
    size_t count, capacity;
    uint8_t *planes;   /* (N, 22, ceil(A / 8)), numpy's bit order */
    float *globals;    /* (N, 19) */
    int16_t *policy;   /* (N, 2, A + 1) */
    float *targets;    /* (N, 80), KataGo's globalTargetsNC */
    int8_t *score;     /* (N, 2 A + 120): percent; index A + 60 + k stands for score k + 1/2 */
    int8_t *values;    /* (N, 5, L, L): ownership, seki, stones in 8 and 32 turns, scoring * 120 */
    int16_t *q_values; /* (N, 3, A + 1): win - loss * 32000, score * 60, visits */
    int16_t *search_values; /* (N, 51): visits by the win - loss that they found, from -1 to 1;
                               none: not known. Of our own, after p3achygo's records */
    bool leads;             /* row_file_read() says rows_have_leads() */
} Rows;

MUST_USE Status rows_init(Rows *rows, int length, Error *err); /* ERR_ARGUMENT: length not 2..19 */
void rows_clear(Rows *rows);
size_t rows_bytes(int length); /* of one row */
/* `from` may be `rows`. ERR_ARGUMENT: another length, or rows that are not there. */
MUST_USE Status rows_append(Rows *rows, const Rows *from, size_t first, size_t count, Error *err);
/* Column by column, as a journal keeps them; the last one only if a row has any of it. */
void rows_to_bytes(const Rows *rows, StrBuf *out);
/* Whether so many bytes may be `count` packed rows. */
bool rows_fit_bytes(int length, size_t count, size_t bytes);
/* Adds `count` rows so packed. ERR_SYNTAX: `length` is not theirs. Their values may be anything:
 * see rows_check(). */
MUST_USE Status rows_from_bytes(Rows *rows, const void *bytes, size_t length, size_t count,
                                Error *err);
/* Adds the rows of a finished game: floor(row_weight) copies and one more with the probability of
 * the rest; turns without a policy target have none. ERR_ARGUMENT: the game is not finished or its
 * board is larger than the rows'. On failure `rows` has the rows that it had. */
MUST_USE Status rows_from_game(const GameRecord *record, Rng *rng, Rows *rows, Error *err);
typedef struct {
    int width, height;
} RowBoard;
RowBoard rows_board(const Rows *rows, size_t row); /* as plane 0 shows it */
/* Whether the lead of any row was searched for: then rows without one know of none. */
bool rows_have_leads(const Rows *rows);
GameMode row_mode(const float targets[ROW_GLOBAL_TARGETS]); /* what is none counts as normal */
