/* row.h - training rows in memory. A row is one training example: a position with all its targets.
 * Rows are stored column by column. The columns are those of KataGo's .npz files and some more:
 * Rows.search_values and Rows.points.
 * Call rows_init(), then rows_add_players() and rows_add_points() if their columns are wanted, then
 * rows_from_game() for each finished game, then row_file_write() (row_file.h). row_file_read()
 * reads the rows of a file.
 * All values belong to the mover (KataGo, cpp/dataio/trainingwrite.h). Threading: confined. */
#pragma once
#include "base/rng.h"
#include "base/strbuf.h"
#include "data/game_record.h"
#include "data/rows/row_points.h"
#include "eval/features/features.h"
#include <stddef.h>

#define ROW_GLOBAL_TARGETS 80
#define ROW_SCORE_PAD 60 /* points beyond the board's area that a score distribution covers */

/* Indices into globalTargetsNC, KataGo's array of the single numbers of each row. An outcome takes
 * four numbers: win, loss, no result, score. If the weight of a target is 0, the row does not have
 * this target. */
enum {
    /* Outcome of the game. A row of a side position (game_record.h) has here what the search of
     * this position found; the same holds for the means below. */
    TARGET_FINAL = 0,
    /* Outcomes over three horizons. Each is a mean of what this turn's search and the later
     * searches found, and of the result of the game (value_ahead.h). Below they are called the
     * means of later searches. */
    TARGET_TD_LONG = 4,
    TARGET_TD_MIDDLE = 8,
    TARGET_TD_SHORT = 12,
    /* Outcome that this turn's search expects. If the turn had no search, it is the outcome that
     * the next search expects or, if no search follows, the outcome of the game. In both cases
     * row_search_weight() is 0. */
    TARGET_SEARCH = 16,
    TARGET_SCORE = 20,
    TARGET_LEAD = 21,
    TARGET_VARIANCE_TIME = 22, /* how late the values still change, in turns (row_targets.c) */
    TARGET_NO_TD = 24,         /* 1 - weight of the means of later searches */
    TARGET_WEIGHT = 25,        /* weight of the whole row */
    TARGET_WEIGHT_POLICY = 26,
    TARGET_WEIGHT_BOARD = 27, /* weight of ownership and score */
    TARGET_WEIGHT_REPLY = 28, /* weight of the second policy target, the opponent's reply */
    TARGET_WEIGHT_LEAD = 29,
    TARGET_SURPRISE = 30,       /* Report.policy_surprise, a KL divergence in nats */
    TARGET_NET_ENTROPY = 31,    /* entropy of the net's policy, nats */
    TARGET_SEARCH_ENTROPY = 32, /* entropy of the search's policy, nats */
    TARGET_WEIGHT_FUTURE = 33,  /* weight of the stones 8 and 32 turns later */
    TARGET_WEIGHT_SCORING = 34, /* weight of scoring: how much each point counts in the score */
    TARGET_NO_VALUE = 35,       /* 1 - weight of the outcome of the game */
    TARGET_HISTORY = 36,     /* 5 masks of the last moves, newest first: 1 if the move is shown */
    TARGET_HASH = 41,        /* the game's hash: six numbers of 22, 22, 20, 22, 22 and 20 bits */
    TARGET_KOMI = 47,        /* komi from the mover's side */
    TARGET_AREA = 48,        /* 1: the position is scored by area; also in the second encore */
    TARGET_NET_CHANGED = 49, /* 1: the game was played with more than one net */
    TARGET_NETS_BEHIND = 50, /* how many nets the game used after the net of this search */
    TARGET_TURN = 51,
    TARGET_CUT_OFF = 52,           /* 1: the game was ended by the limit of moves */
    TARGET_START_TURN = 53,        /* the turn at which the record begins */
    TARGET_HANDICAP = 54,          /* stones of handicap */
    TARGET_MODE = 55,              /* GameMode */
    TARGET_FIRST_STONES = 56,      /* about how many turns led to the first board (GameRecord) */
    TARGET_NET_WIN_LOSS = 57,      /* win - loss as the net expected it before this turn's search */
    TARGET_NET_SCORE = 58,         /* the score as the net expected it before this turn's search */
    TARGET_NET_ENTROPY_AGAIN = 59, /* the same as TARGET_NET_ENTROPY, as in KataGo's rows */
    TARGET_VISITS = 60,
    TARGET_BONUS = 61,      /* bonus points that the rules will still give, from the mover's side */
    TARGET_MAIN_LINE = 62,  /* 1: the row is of a turn of a game that was not cut off */
    TARGET_VERSION = 63,    /* of the targets, from 0 to ROW_VERSION */
    TARGET_PASS_ALIVE = 68, /* Position.passalive_under_suicide */
    /* The number of turns from this turn to the end of the game; this turn counts too. 0 means that
     * the number is not known. It is not known in rows of side positions, of games without result
     * or with unknown final owners, and of games that were cut off. KataGo's rows do not have this
     * target and have 0 here. */
    TARGET_MOVES_LEFT = 69,
    /* The moves of the game 2, 3, 4 and 5 turns after this turn (LATER_MOVES moves, the first of
     * them LATER_MOVE_FIRST turns after this turn). Each is
     *     1 + 19 * row + column
     * of its point, LATER_MOVE_PASS for a pass, or 0 if the move is not known. KataGo's rows do not
     * have these targets and have 0 here. */
    TARGET_LATER_MOVES = 70,
    /* By how much the utility of the root changed during this turn's search, squared: from 1 to 4,
     * from 4 to 16, from 16 to 64 and from 64 to 256 visits (Wu 2019, appendix B: root variance).
     * TARGET_ROOT_VARIANCE_COUNT says how many of these ROOT_VARIANCES numbers are known; the
     * others are 0. KataGo's rows of 2019 had these targets in other places. Newer rows of KataGo
     * and rows of older versions of this program do not have them and have 0 here. */
    TARGET_ROOT_VARIANCES = 74,
    TARGET_ROOT_VARIANCE_COUNT = 78
};
enum { ROOT_VARIANCES = REPORT_ROOT_VARIANCES };
/* KataGo's version number of the targets. It is written into every row, and rows of a later version
 * are refused. */
enum { ROW_VERSION = 3 };
/* TARGET_LATER_MOVES does not have the moves of this turn and of the next turn, because the policy
 * targets are used for these. */
enum { LATER_MOVES = 4, LATER_MOVE_FIRST = 2, LATER_MOVE_PASS = BOARD_POINTS_MAX + 1 };

/* N rows. Their boards stand at the top left of L x L frames, which have A = L * L cells. */
typedef struct {
    int length; /* L */
    size_t count, capacity;
    uint8_t *planes; /* (N, 22, ceil(A / 8)); the first point is the highest bit of its byte */
    float *globals;  /* (N, 19) */
    int16_t *policy; /* (N, 2, A + 1) */
    float *targets;  /* (N, 80), KataGo's globalTargetsNC */
    int8_t *score;   /* (N, 2 A + 120), percent; bin A + 60 + k stands for the score k + 1/2 */
    /* (N, 5, L, L): ownership, seki, stones 8 and 32 turns later, scoring * 120 */
    int8_t *values;
    int16_t *q_values; /* (N, 3, A + 1): (win - loss) * 32000, score * 60, visits */
    /* (N, 51): the range -1..1 of win - loss is divided into 51 equal parts, and each number says
     * how many visits of the search found a win - loss in this part. All are 0 if the numbers are
     * not known. KataGo has no such column; the idea is p3achygo's. */
    int16_t *search_values;
    /* (N, 192): the players of the game, as metadata_encode() writes them from the mover's side;
     * all 0 if they are not known. NULL if `has_players` is false. KataGo's rows of games by people
     * have this column. */
    float *players;
    bool has_players;
    /* (N, L, L) each: the columns of row_points.h; 0 where nothing is known. NULL unless the column
     * is in the set `point_columns`. KataGo has no such columns. */
    int16_t *points[ROW_POINT_COLUMNS];
    unsigned point_columns;
    bool leads; /* rows_have_leads() of the whole file, set by row_file_read() */
} Rows;

MUST_USE Status rows_init(Rows *rows, int length, Error *err); /* ERR_ARGUMENT: length not 2..19 */
void rows_clear(Rows *rows);
/* Adds the column of the players. Rows that exist already have zeros in it. ERR_MEMORY. */
MUST_USE Status rows_add_players(Rows *rows, Error *err);
/* Does the same with a set of columns of row_points.h, in which column c is the bit 1 << c. */
MUST_USE Status rows_add_points(Rows *rows, unsigned columns, Error *err);
size_t rows_bytes(int length);             /* bytes of one row without optional columns */
size_t rows_total_bytes(const Rows *rows); /* bytes of all rows, with all their columns */

/* Adds `count` rows of `from`, beginning at row `first`. `from` may be `rows` itself. An optional
 * column that both have is copied. If only `rows` has it, the added rows have zeros there.
 * ERR_ARGUMENT: the lengths differ, or `from` does not have these rows. */
MUST_USE Status rows_append(Rows *rows, const Rows *from, size_t first, size_t count, Error *err);

/* Adds the columns to `out`, one after the other, in the form in which a journal stores them: the
 * players are left out, and so are search_values if they are 0 in every row. */
void rows_to_bytes(const Rows *rows, StrBuf *out);
/* Returns whether `count` rows that rows_to_bytes() packed can have this number of bytes. They had
 * the frames and point columns that `like` has. */
bool rows_fit_bytes(const Rows *like, size_t count, size_t bytes);
/* Adds `count` rows that rows_to_bytes() packed from rows with the same frames and point columns.
 * ERR_SYNTAX: rows_fit_bytes() is false. The values are not checked: see rows_check(). */
MUST_USE Status rows_from_bytes(Rows *rows, const void *bytes, size_t length, size_t count,
                                Error *err);

/* Adds the rows of a finished game. The row of a turn or side position (game_record.h) that has a
 * policy target is added floor(row_weight) times, and once more with the probability
 *     row_weight - floor(row_weight)
 * ERR_ARGUMENT: the game is not finished, or its board is larger than the rows' frame. On
 * failure `rows` is unchanged. */
MUST_USE Status rows_from_game(const GameRecord *record, Rng *rng, Rows *rows, Error *err);

typedef struct {
    int width, height;
} RowBoard;
/* Returns a bit of a plane of Rows.planes. */
static inline bool row_plane_bit(const uint8_t *plane, size_t index) {
    return plane[index / 8] >> (7 - index % 8) & 1;
}
RowBoard rows_board(const Rows *rows, size_t row); /* the board's size, read from plane 0 */

/* Returns whether any row has a lead target: a lead that was searched for, or the lead of a game
 * from SGF. If no row has a lead target, the loader may use the final score instead (LeadFromScore
 * in loader.h). */
bool rows_have_leads(const Rows *rows);
/* Returns the weight of TARGET_SEARCH: 1 if the turn had a search, otherwise 0. A search is also
 * known by its visits, because rows of programs without scores have no means of later searches. */
static inline float row_search_weight(const float targets[ROW_GLOBAL_TARGETS]) {
    return targets[TARGET_VISITS] > 0 ? 1 : 1 - targets[TARGET_NO_TD];
}
GameMode row_mode(const float targets[ROW_GLOBAL_TARGETS]); /* GAME_NORMAL if it is unknown */
