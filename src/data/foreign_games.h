/* foreign_games.h - joins the positions of another program's training file to games. Positions that
 * follow each other in a game, and in the file, become one game record: the moves are found from
 * the boards, and each turn has the policy of its position. A position that does not follow the one
 * before it begins a new record, whose start has up to seven moves of history, found from its
 * earlier boards. So a file of whole games gives whole games, and a file of shuffled positions
 * gives a record for each.
 *   A position is refused if its stones cannot stand, if no legal move leads from one of its boards
 * to the next, or if its policy has a move that is not legal. The first board with stones, however,
 * may have several, as handicap stones. Passes before the first stone cannot be told from boards
 * before the start, and are left out of the history.
 *   The move of the last turn of a record is not known (GameRecord). A record is a piece
 * (end_unknown) unless it begins at the start of a game and another game, or the end of the file,
 * follows.
 * Threading: confined. */
#pragma once
#include "data/foreign_position.h"
#include "data/game_record.h"

/* Is given each record, which it borrows. If it returns anything but OK, that is returned by the
 * call that made the record. */
typedef struct {
    Status (*take)(void *context, const GameRecord *record, Error *err);
    void *context;
} ForeignSink;

typedef struct ForeignGames ForeignGames; /* opaque */

/* `rules` are those of all games, with the komi of positions that have none. They are copied. */
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
