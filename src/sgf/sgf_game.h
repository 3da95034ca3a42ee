/* sgf_game.h - one game as SGF text says it: board, rules, setup, moves and comments; read,
 * written, replayed. The door of the room. All text is UTF-8. Threading: confined. */
#pragma once
#include "base/memory.h"
#include "base/strbuf.h"
#include "go/position.h"

#define SGF_MOVES_LIMIT 20000 /* a longer game is refused */

typedef struct {
    Move move;
    const char *comment; /* NULL: none */
    int line;            /* of the file; 0: not read from one */
} SgfMove;

/* A plain struct whose texts and moves live in its arena; {0} may be cleared. Texts are never NULL
 * after sgf_game_init() or reading, but may be "". To set a text, point it at memory that outlives
 * the game or use sgf_game_keep(). */
typedef struct {
    Arena arena;
    const char *source; /* file or "sgf", for messages */
    int line;           /* where the game begins in its file */
    int width, height;
    Rules rules;                  /* komi included */
    bool rules_given, komi_given; /* RU and KM were there and understood */
    int handicap;                 /* HA; -1: not given, the writer counts the stones */
    uint8_t setup[POINT_COUNT];   /* Color of each point before the first move */
    Color first_mover;
    bool write_mover; /* write PL where no move says who begins; a reader may infer otherwise */
    const char *black, *white, *black_rank, *white_rank;
    const char *result; /* "" unknown, "B+3.5", "W+R", "0", "Void" ... as written */
    const char
        *rules_name; /* RU as read; written when it is not ""; else KataGo's compact string */
    const char *date, *event, *place, *name;
    const char
        *application;    /* AP of the file; not written, for readers mend what it is known for */
    const char *comment; /* of the root */
    const char *warning; /* what was not understood and passed over (komi, rules); "" none */
    SgfMove *moves;
    size_t move_count, move_capacity;
} SgfGame;

typedef struct {
    const Rules *rules; /* where the file names none (its KM still counts); NULL: Tromp-Taylor */
    bool main_line;     /* follow first children; else the longest variation, first child at ties
                           (KataGo) */
} SgfOptions;

/* The first game of a file or text; `options` may be NULL. `*out` is overwritten, the caller clears
 * it; on failure it is {0}. Messages begin with "file:line: ". ERR_SYNTAX: not SGF, cut short, a
 * bad value. ERR_UNSUPPORTED: size beyond 2 to 19, not Go, stones set up after the root, too many
 * moves. ERR_ILLEGAL: a point off the board or set up twice. ERR_IO, ERR_MEMORY. */
MUST_USE Status sgf_game_load(const char *path, const SgfOptions *options, SgfGame *out,
                              Error *err);
MUST_USE Status sgf_game_parse(const char *text, size_t length, const SgfOptions *options,
                               SgfGame *out, Error *err);

/* A game to be filled: empty board, Black first. ERR_ARGUMENT: size. */
MUST_USE Status sgf_game_init(SgfGame *game, int width, int height, const Rules *rules, Error *err);
/* Setup and moves of a position, as far back as its history goes; the result if it is over. Passes
 * for ko as below. */
MUST_USE Status sgf_game_init_position(SgfGame *game, const Position *position, Error *err);
void sgf_game_clear(SgfGame *game); /* {0} is fine */
/* `comment` is copied; NULL: none. ERR_ARGUMENT: the point is off the board. */
MUST_USE Status sgf_game_add_move(SgfGame *game, Move move, const char *comment, Error *err);
/* A move of an encore that lifted a ko block: SGF has a pass there, and the point in its comment,
 * before `comment` (KataGo, cpp/dataio/sgf.cpp). */
MUST_USE Status sgf_game_add_pass_for_ko(SgfGame *game, Move move, const char *comment, Error *err);
/* A copy of `text` in the game's arena; NULL: no room. */
const char *sgf_game_keep(SgfGame *game, const char *text);

/* The position before the first move. `*out` is initialised here and the caller's to clear; on
 * failure it is {0}. ERR_ILLEGAL: stones without liberty. */
MUST_USE Status sgf_game_start(const SgfGame *game, Position *out, Error *err);
/* Plays moves[from] .. moves[to - 1]; as KataGo's loadsgf: either color may move without clearing
 * history, ko and superko do not forbid. ERR_ILLEGAL: the position stands before
 * moves[position->move_count]. */
MUST_USE Status sgf_game_replay(const SgfGame *game, Position *position, int from, int to,
                                Error *err);
/* Start and replay to `move` moves (-1, or beyond the end: all), with prevent_encore as in GTP and
 * analysis. */
MUST_USE Status sgf_game_position(const SgfGame *game, int move, Position *out, Error *err);
/* Handicap stones as KataGo counts them: black setup stones and first black moves in a row; a
 * single one is none. */
int sgf_game_handicap(const SgfGame *game);
Color sgf_game_winner(const SgfGame *game); /* by `result`; COLOR_EMPTY: none or unknown */

/* Adds the game as KataGo writes it, with text escaped. ERR_MEMORY. */
MUST_USE Status sgf_game_write(const SgfGame *game, StrBuf *out, Error *err);
/* The same with line breaks in texts as spaces, then one '\n': a line of an .sgfs file. */
MUST_USE Status sgf_game_write_line(const SgfGame *game, StrBuf *out, Error *err);
MUST_USE Status sgf_game_save(const SgfGame *game, const char *path, Error *err);

typedef struct {
    char text[32];
} SgfResultText;
SgfResultText sgf_result_text(const Outcome *outcome,
                              bool resigned); /* "B+3.5", "W+R", "0", "Void" */
RulesText sgf_rules_name(const Rules *rules); /* "Chinese", "TrompTaylor" ... where KataGo has a
                                                 name, else rules_text() */

/* Games of a file one by one: all games of an .sgf, or the first of each line of an .sgfs. */
typedef struct SgfCollection SgfCollection; /* opaque */
MUST_USE Status sgf_collection_open(const char *path, const SgfOptions *options,
                                    SgfCollection **out, Error *err);
/* `*out` is overwritten; `*done` at the end, then no game. After a failure the next call goes on
 * with the next game. */
MUST_USE Status sgf_collection_next(SgfCollection *collection, SgfGame *out, bool *done,
                                    Error *err);
int sgf_collection_count(const SgfCollection *collection); /* games, or non-empty lines */
void sgf_collection_close(SgfCollection *collection);      /* NULL is fine */
