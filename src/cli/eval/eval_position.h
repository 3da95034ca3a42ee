/* eval_position.h - the position that the options of a command choose: an empty board or a position
 * of a game, with further moves.
 * Threading: confined. */
#pragma once
#include "base/options/options.h"
#include "go/position.h"
#include "sgf/sgf_game.h"

typedef struct {
    const char *command; /* for warnings, such as "eval" */
    const char *net;     /* path; its run, if any, gives size, rules and komi of an empty board */
    const char *sgf;     /* NULL means an empty board; "-" the standard input */
    int game;            /* number of the game, from 1; 0: first, and a warning if there are more */
    const char *moves;   /* to play from there, "C3 D4" or "B C3 W pass"; may be NULL */
    const char *rules;   /* NULL means those of the game or run, or else Tromp-Taylor */
    const char *size;    /* of an empty board, "9" or "9x7"; NULL means as in the run */
    int move;            /* number of moves of the game to play; -1 means all */
    double komi;         /* NAN means that of the game or run */
} PositionChoice;
PositionChoice eval_position_choice(const char *command); /* chooses an empty board */

enum { POSITION_OPTIONS = 7 };
/* Writes the options that fill `choice`, for the table of a command. */
void eval_position_options(PositionChoice *choice, Option options[POSITION_OPTIONS]);

/* Reads the size of a board, "9" or "9x7" (width, then height). ERR_ARGUMENT: the text has another
 * form, or a side is not within 2 to BOARD_SIDE_MAX. */
MUST_USE Status eval_position_size(const char *text, int *width, int *height, Error *err);

/* Reads the game that choice->sgf and choice->game name. Warns on stderr if choice->game is 0 and
 * the file has several games; the warning names choice->command. Does not warn if the game is read
 * from the standard input. Uses no other members of `choice`. The caller clears `*game`. Errors are
 * those of sgf_game_load(), and ERR_ARGUMENT if the file has no game of that number. */
MUST_USE Status eval_position_game(const PositionChoice *choice, SgfGame *game, Error *err);

/* Sets `*out`, which the caller clears, and `*turn`, the number of moves that led to this position.
 * (This number differs from out->move_count if `choice->moves` lets a color move twice in a row,
 * because the history then begins anew.) Warns on stderr, for example if the net was not trained on
 * boards of this size.
 * ERR_ARGUMENT: an option is wrong. Other errors are those of sgf_game_load(). */
MUST_USE Status eval_position(const PositionChoice *choice, Position *out, int *turn, Error *err);
