/* sgf_record.h - makes the record of a game from its SGF, so that rows_from_game() can make rows of
 * it. The policy target of a turn is the move that was played. A game is cut at the first move that
 * cannot be used, as in GoNN (cpp/write.cpp). Call sgf_record_make(), then use `record`, then
 * sgf_record_clear(). Threading: free functions. */
#pragma once
#include "data/game_record.h"
#include "sgf/sgf_game.h"
#include "sgf/sgf_result.h"

/* Why the record has fewer moves than the game. */
typedef enum {
    SGF_CUT_NOTHING,
    SGF_CUT_NODE,     /* a node cannot be read (SgfOptions.cut) */
    SGF_CUT_TURN,     /* a color moves twice in a row */
    SGF_CUT_ILLEGAL,  /* the rules of the game forbid a move */
    SGF_CUT_FINISHED, /* moves follow after the passes that end the game */
    SGF_CUT_REASONS
} SgfCut;
const char *sgf_cut_name(SgfCut cut); /* for texts that people read */

typedef struct {
    /* Whether a loss on time or by forfeit is a target of the value. Otherwise the rows of such a
     * game have a policy target only, because the position may have been won. */
    bool forfeits_count;
    /* Whether games by territory rules go on with KataGo's encore after the passes, as in KataGo's
     * own games. In games of people the passes are the end. */
    bool encore;
    /* Whether the comment of the root names dead stones, as sgf_record_write() writes them. In
     * other files this comment may say anything. */
    bool dead_in_comment;
} SgfRecordOptions;

/* Dead stones that are still on the last board. */
typedef struct {
    int count;
    int16_t points[BOARD_POINTS_MAX];
} SgfDead;

typedef struct {
    GameRecord record;
    Position end; /* after all turns */
    SgfResult result;
    SgfCut cut;
    int handicap; /* stones; 0 if there are none */
    SgfDead dead; /* set by sgf_record_set_dead() */
} SgfRecord;

/* Makes the record. If the game begins with two or more black moves, these are set up as handicap
 * stones, and the record begins after them. It ends before the first move that is illegal or of the
 * wrong color, and at the passes that end the game. Each turn has a row of weight 1, and the game's
 * hash is made of its size, first board, first player and moves.
 *   The outcome is that of the SGF property RE. If RE has points, or is a draw (0 points), they are
 * the score, and each turn has them as its lead. If passes also end the game, and the board, scored
 * as it stands, has the same points, the owners of the points are known too. Outcome, score and
 * owners of a game that is cut are unknown, unless only moves after its end are cut off.
 * ERR_ILLEGAL: the first board has stones without liberty. ERR_ARGUMENT: komi is not allowed.
 * ERR_MEMORY. On failure `*out` is {0}. */
MUST_USE Status sgf_record_make(const SgfGame *game, const SgfRecordOptions *options,
                                SgfRecord *out, Error *err);
/* If the last board without these stones has the points of the result, sets `dead` and the owners
 * accordingly and returns true. Otherwise the record is unchanged. This must not be called if the
 * points are unknown or the game did not end with passes. */
bool sgf_record_set_dead(SgfRecord *record, const SgfDead *dead);
void sgf_record_clear(SgfRecord *game); /* {0} is fine */
/* Makes a game in SGF from the record, with names, ranks, date, place, server, time limits and
 * result of `from`. If the outcome is unknown, there is no result. sgf_record_make() makes the same
 * record from this game again if its options have `forfeits_count`, `dead_in_comment` and the same
 * `encore`. The caller clears `*out`. ERR_MEMORY. */
MUST_USE Status sgf_record_write(const SgfRecord *record, const SgfGame *from, SgfGame *out,
                                 Error *err);
