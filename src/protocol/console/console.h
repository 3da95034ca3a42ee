/* console.h - a game of Go by typed words, for people in a terminal or programs at a pipe. It
 * understands lines such as "D4", "undo" or "score", answers in sentences, draws the board, lets
 * the engine move, and saves the game after every change. The caller reads the lines and prints
 * the answers.
 * After console_new() or console_load(), repeat: while console_engine_due(), call
 * console_engine_move(); otherwise hand over the next line by console_line().
 * Threading: confined. */
#pragma once
#include "eval/view/board_view.h"
#include "protocol/session/session.h"

typedef struct {
    Session *session;   /* borrowed; the engine plays by its settings */
    const char *engine; /* the name of the engine, for people and SGF; copied */
    const char *path;   /* the file that the game is saved to; NULL: none */
    bool person[3];     /* by Color: whether a person plays this color */
    int handicap;       /* stones of each game, until a person changes them; 0 or at least 2 */
    /* Whether a person has chosen the session's komi. Otherwise the console sets it: 0.5 with
     * handicap, or else `*run_komi` if this is not NULL, or else the usual komi of the rules. */
    bool komi_given;
    const double *run_komi; /* the komi of the net's run; NULL: it has none */
    BoardViewStyle style;
    bool keys; /* the caller also reads single keys, which "help" then lists */
    /* Ends a search when it becomes true; may be NULL. The program then moves immediately. But if
     * it plays both sides, it does not move, and console_engine_move() returns ERR_STOPPED. */
    const atomic_bool *stop;
} ConsoleSetup;

typedef struct Console Console;
/* Begins a game with the session's board and rules. Nothing is saved before the first change.
 * ERR_ARGUMENT: the board has no fixed points for so many handicap stones, or the path is too
 * long. */
MUST_USE Status console_new(const ConsoleSetup *setup, Console **out, Error *err);
void console_free(Console *console); /* NULL is fine */
/* Sets a function that is called about four times a second while the program searches; NULL: none.
 * If it returns false, the search ends within a second, and the program moves. */
void console_on_report(Console *console, bool (*on_report)(void *context, const Report *report),
                       void *context);
/* Continues the main line of a game record. Rules that the net does not know are replaced by the
 * nearest ones, and `out` then says so. If exactly one of the two players has a name that begins
 * with "Aji ", the engine plays that color; otherwise the sides stay as they are. Errors are those
 * of sgf_game_load(), sgf_game_start() and session_set_game(); after them the game is unchanged. */
MUST_USE Status console_load(Console *console, const char *path, StrBuf *out, Error *err);

typedef enum {
    CONSOLE_SAME,    /* only the answer is new */
    CONSOLE_CHANGED, /* the drawing has changed */
    CONSOLE_QUIT     /* the person wants to leave */
} ConsoleEffect;
/* Does what the line says. The answer, if there is one, is added to `out` in lines that end with
 * '\n'. A line that is not understood, or a move that is not allowed, changes nothing, and the
 * answer says why. */
ConsoleEffect console_line(Console *console, const char *line, StrBuf *out);
/* Whether console_line() would search for this line, which takes a while. */
bool console_searches(const char *line);
/* Whether it is the engine's turn. */
bool console_engine_due(const Console *console);
/* Lets the engine search and play a move for the player to move, even if that is a person. The
 * engine may resign instead, but not for a person. `out` gets a line that says what happened.
 * ERR_STOPPED: stop_requested() was true after the search, or see ConsoleSetup.stop. Other errors
 * are those of session_run() and session_play(). */
MUST_USE Status console_engine_move(Console *console, StrBuf *out, Error *err);

const Position *console_position(const Console *console);
const char *console_path(const Console *console); /* of the game's file; "" if it has none */
bool console_is_over(const Console *console);     /* by passes or by resignation */
bool console_has_person(const Console *console);  /* false: the program plays both sides */
bool console_person(const Console *console, Color color);

typedef struct {
    Point cursor;      /* may be POINT_NONE */
    int columns, rows; /* the room for the drawing; 0: no limit */
} ConsoleRoom;
/* Draws the board, and beside it komi, rules, players, prisoners, the last move and who is to move.
 * If this drawing does not fit, the same text is put beside a smaller board. If this does not fit
 * either, a shorter text is put below the board, which is drawn smaller if necessary. The shorter
 * text has no rules and no players. If this does not fit either, only the board is drawn, smaller
 * if necessary. Returns false if even the smallest board does not fit: then `out` gets only lines
 * that say how much room is needed. */
bool console_draw(const Console *console, const ConsoleRoom *room, StrBuf *out);
/* Adds the prompt, after which a person types: "Black, move 12> " or "game over> ". */
void console_prompt(const Console *console, StrBuf *out);
/* Adds the list of words that console_line() understands and, with `keys`, of single keys. */
void console_help(bool keys, StrBuf *out);
