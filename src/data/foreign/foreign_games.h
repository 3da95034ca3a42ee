/* foreign_games.h - joins the positions of another program's training file to games. A game record
 * is made of positions that follow each other both in a game and in the file. Their moves are found
 * by comparing boards, and each turn has the policy of its position. A position that does not
 * follow the position before it in the file begins a new record. The start of this record has at
 * most seven moves of history, which are found from the position's earlier boards. So a file of
 * whole games gives whole games, and a file of shuffled positions gives a record for each position.
 *   A position is refused if a chain on its boards has no liberty, or if no legal move leads from
 * one of its boards to the next. It is also refused if the game is already over, or if its policy
 * has no move or a move that is not legal. The first board that has stones may have any number of
 * them, because a game may begin with handicap stones.
 * Passes before the first stone are left out of the history, because an empty board after a pass
 * looks like the empty boards that stand for the time before the game.
 *   The move of the last turn of a record is usually not known (TurnRecord.move). A record is
 * whole if it begins at the start of a game, and if the next position begins another game or the
 * file ends. It is also whole if it begins at the start of a game and its last move is known and
 * ends the game. All other records are pieces (GameRecord.end_unknown).
 * Threading: confined. */
#pragma once
#include "data/foreign/foreign_position.h"
#include "data/game_record.h"

/* A function that receives each record. It borrows the record. If it returns anything but OK, the
 * call that made the record returns the same status. */
typedef struct {
    Status (*take)(void *context, const GameRecord *record, Error *err);
    void *context;
} ForeignSink;

typedef struct ForeignGames ForeignGames; /* opaque */

/* `rules` are the rules of all games. Their komi is used only for positions without a komi of their
 * own. The rules are copied. */
MUST_USE Status foreign_games_new(const Rules *rules, ForeignSink sink, ForeignGames **out,
                                  Error *err);
/* Adds the next position of the file. Sets `*refused` and returns OK if the position cannot be
 * used; `err` then says why, and the record before it ends. */
MUST_USE Status foreign_games_add(ForeignGames *games, const ForeignPosition *position,
                                  bool *refused, Error *err);
/* Ends the record, as a piece, because a position after it is missing. */
MUST_USE Status foreign_games_break(ForeignGames *games, Error *err);
/* Ends the record at the end of a file that was read to its end. */
MUST_USE Status foreign_games_end(ForeignGames *games, Error *err);
void foreign_games_free(ForeignGames *games); /* NULL is fine; gives no record to the sink */
