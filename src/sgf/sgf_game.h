/* sgf_game.h - one game of an SGF file: board, rules, setup, moves and comments.
 * Reading: sgf_game_load(), then sgf_game_position() or sgf_game_start() and sgf_game_replay(),
 * then sgf_game_clear(). Writing: sgf_game_init(), sgf_game_add_move() for each move,
 * sgf_game_save(). All text is UTF-8. Threading: confined. */
#pragma once
#include "base/memory.h"
#include "base/strbuf.h"
#include "go/position.h"

#define SGF_MOVES_LIMIT 20000 /* a longer game is refused */

typedef struct {
    Move move;
    const char *comment; /* NULL: none */
    int line;            /* where it stands in the file; 0: it was not read from a file */
} SgfMove;

/* A plain struct whose texts and moves live in its arena; {0} may be cleared. Texts are never NULL
 * after sgf_game_init() or reading, but may be "". To set a text, point it at memory that outlives
 * the game or use sgf_game_keep(). */
typedef struct {
    Arena arena;
    const char *source; /* the file's name, or "sgf", for messages */
    int line;           /* where the game begins in its file */
    int width, height;
    Rules rules;                  /* komi included */
    bool rules_given, komi_given; /* the file has RU and KM with values that could be read */
    int handicap;                 /* HA; -1: not given, the writer counts the stones */
    uint8_t setup[POINT_COUNT];   /* Color of each point before the first move */
    Color first_mover;
    bool write_mover; /* write PL if there are no moves, because a reader might assume the other */
    const char *black, *white, *black_rank, *white_rank;
    const char *result;     /* "" unknown, "B+3.5", "W+R", "0", "Void" ... as written */
    const char *rules_name; /* RU as read; "": the writer puts KataGo's compact text of `rules` */
    const char *date, *event, *place, *name;
    /* AP of the file. It is not written, because readers correct errors that they expect of it. */
    const char *application;
    const char *comment; /* of the root */
    const char *warning; /* what was ignored because it made no sense (komi, rules); "": nothing */
    SgfMove *moves;
    size_t move_count, move_capacity;
} SgfGame;

typedef struct {
    const Rules *rules; /* used if the file names none (its KM still counts); NULL: Tromp-Taylor */
    bool main_line;     /* follow first children; false: the longest variation, as KataGo does; the
                           first of equal ones */
} SgfOptions;

/* Reads the first game of a file or text. `options` may be NULL. `*out` is overwritten and the
 * caller clears it; on failure it is {0}. Messages begin with "file:line: ".
 *   ERR_SYNTAX: the text is not SGF, is cut short, or has a malformed value.
 *   ERR_UNSUPPORTED: a size other than 2 to 19, not Go, too many moves, setup after the root.
 *   ERR_ILLEGAL: a point is off the board or is set up twice.
 *   ERR_IO, ERR_MEMORY. */
MUST_USE Status sgf_game_load(const char *path, const SgfOptions *options, SgfGame *out,
                              Error *err);
MUST_USE Status sgf_game_parse(const char *text, size_t length, const SgfOptions *options,
                               SgfGame *out, Error *err);

/* Begins a game with an empty board and Black to move. ERR_ARGUMENT: the size is impossible. */
MUST_USE Status sgf_game_init(SgfGame *game, int width, int height, const Rules *rules, Error *err);
/* Makes a game with the setup and the moves of a position, as far back as its history goes, and the
 * result if it is over. Passes for ko are written as by sgf_game_add_pass_for_ko(). */
MUST_USE Status sgf_game_init_position(SgfGame *game, const Position *position, Error *err);
void sgf_game_clear(SgfGame *game); /* {0} is fine */
/* Adds a move. `comment` is copied; NULL: none. ERR_ARGUMENT: the point is off the board.
 * ERR_UNSUPPORTED: the game has SGF_MOVES_LIMIT moves already. */
MUST_USE Status sgf_game_add_move(SgfGame *game, Move move, const char *comment, Error *err);
/* Adds a pass for ko: a move of an encore that only lifted the block of a ko. SGF has no such move,
 * so this writes a pass, with the point in a comment before `comment` (KataGo,
 * cpp/dataio/sgf.cpp). */
MUST_USE Status sgf_game_add_pass_for_ko(SgfGame *game, Move move, const char *comment, Error *err);
/* Copies `text` into the game's arena. NULL: there is no memory. */
const char *sgf_game_keep(SgfGame *game, const char *text);

/* Makes the position before the first move. The caller clears `*out`; on failure it is {0}.
 * ERR_ILLEGAL: the setup has stones without liberty. */
MUST_USE Status sgf_game_start(const SgfGame *game, Position *out, Error *err);
/* Plays moves[from] .. moves[to - 1] as KataGo's loadsgf does: either color may move without
 * clearing the history, and ko and superko forbid nothing. ERR_ILLEGAL: the position is the one
 * before the illegal move, moves[position->move_count]. */
MUST_USE Status sgf_game_replay(const SgfGame *game, Position *position, int from, int to,
                                Error *err);
/* Makes the position after the first `move` moves (-1, or more than there are: after all), with
 * prevent_encore set as in GTP and analysis. */
MUST_USE Status sgf_game_position(const SgfGame *game, int move, Position *out, Error *err);
/* Counts handicap stones as KataGo does: black setup stones, and black moves in a row at the
 * beginning. A single stone is no handicap. */
int sgf_game_handicap(const SgfGame *game);
Color sgf_game_winner(const SgfGame *game); /* read from `result`; COLOR_EMPTY: none, unknown */

/* Adds the game as SGF text, in the form that KataGo writes. ERR_MEMORY. */
MUST_USE Status sgf_game_write(const SgfGame *game, StrBuf *out, Error *err);
/* Adds the game as one line of an .sgfs file: line breaks in texts become spaces, and a '\n' ends
 * the line. */
MUST_USE Status sgf_game_write_line(const SgfGame *game, StrBuf *out, Error *err);
MUST_USE Status sgf_game_save(const SgfGame *game, const char *path, Error *err);

typedef struct {
    char text[32];
} SgfResultText;
/* The value of RE: "B+3.5", "W+R", "0", "Void". */
SgfResultText sgf_result_text(const Outcome *outcome, bool resigned);
/* KataGo's name of the rules, as "Chinese" or "TrompTaylor", if they have one; else
 * rules_text(). */
RulesText sgf_rules_name(const Rules *rules);

/* Reads the games of a file one by one: all games of an .sgf, or the first game of each line of an
 * .sgfs. Call sgf_collection_open(), then sgf_collection_next() until `*done`, then
 * sgf_collection_close(). */
typedef struct SgfCollection SgfCollection; /* opaque */
MUST_USE Status sgf_collection_open(const char *path, const SgfOptions *options,
                                    SgfCollection **out, Error *err);
/* Overwrites `*out` with the next game, which the caller clears. `*done`: there are no more games.
 * After a failure the next call goes on with the game after the bad one. */
MUST_USE Status sgf_collection_next(SgfCollection *collection, SgfGame *out, bool *done,
                                    Error *err);
/* The number of games of an .sgf, or of non-empty lines of an .sgfs. */
int sgf_collection_count(const SgfCollection *collection);
void sgf_collection_close(SgfCollection *collection); /* NULL is fine */
