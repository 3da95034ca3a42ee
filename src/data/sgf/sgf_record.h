/* sgf_record.h - makes the record of a game from its SGF, from which rows_from_game() can make
 * rows. The policy target of a turn is the move that was played. A game is cut at the first move
 * that cannot be used, as in GoNN (cpp/write.cpp). Call sgf_record_make(), then use `record`, then
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
    /* Whether a loss on time or by forfeit is a target of the value. If not, the rows of these
     * games have only a policy target, because the loser may have had a won position. */
    bool forfeits_count;
    /* Whether games by territory rules go on with KataGo's encore after the passes. KataGo's own
     * games do. Games of people end with the passes. */
    bool encore;
    /* Whether the comment of the root is a list of dead stones that sgf_record_write() wrote. In
     * other files this comment may say anything. */
    bool dead_in_comment;
} SgfRecordOptions;

/* The dead stones that are still on the last board. */
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
 * stones, and the record begins after them. The record ends before the first move that is illegal
 * or of the wrong color, or with the passes that end the game. Each turn has a row of weight 1. The
 * hash of the game is made of its size, first board, first player and moves.
 *   The SGF property RE gives the outcome. If RE also gives the points (0 for a draw), these are
 * the score of the game and the lead at each turn. The owners of the points are known if, in
 * addition, passes end the game and the last board as it stands has the same score. If a game is
 * cut, its outcome, score and owners are unknown. This does not hold if only moves after its end
 * are cut off. ERR_ILLEGAL: the first board has stones without liberty. ERR_ARGUMENT: komi is not
 * allowed. ERR_MEMORY. On failure `*out` is {0}. */
MUST_USE Status sgf_record_make(const SgfGame *game, const SgfRecordOptions *options,
                                SgfRecord *out, Error *err);
/* Removes these stones from the last board and scores it. If the score agrees with the result, sets
 * `dead` and the owners of the points in the record and returns true. Otherwise the record is
 * unchanged. Call this only if the score is known and the game ended with passes. */
bool sgf_record_set_dead(SgfRecord *record, const SgfDead *dead);
void sgf_record_clear(SgfRecord *game); /* {0} is fine */
/* Makes a game in SGF from the record. Names, ranks, date, place, server, time limits and result
 * are copied from `from`; the result is left out if the outcome of the record is unknown.
 * sgf_record_make() makes the same record again from the new game if the options have
 * `forfeits_count`, `dead_in_comment` and the same `encore`. The caller clears `*out`.
 * ERR_MEMORY. */
MUST_USE Status sgf_record_write(const SgfRecord *record, const SgfGame *from, SgfGame *out,
                                 Error *err);
