/* sgf_game.h - one game of an SGF file: board, rules, setup, moves and comments.
 * To read a game, call sgf_game_load(), then sgf_game_position() (or sgf_game_start() and
 * sgf_game_replay()), then sgf_game_clear(). To write one, call sgf_game_init(),
 * sgf_game_add_move() for each move, sgf_game_save(), sgf_game_clear(). All text is UTF-8.
 * Threading: confined. */
#pragma once
#include "base/memory.h"
#include "base/strbuf.h"
#include "go/position.h"

#define SGF_MOVES_LIMIT 20000 /* a longer game is refused or cut (SgfOptions.cut) */

typedef struct {
    Move move;
    const char *comment; /* may be NULL */
    int line;            /* the move's line in the file; 0 if it was not read from a file */
} SgfMove;

/* The date, the event and other facts about a game, as its file states them. */
typedef struct {
    const char *date, *event, *place, *name;
    const char *origin; /* SO: the server, book or collection from which the game comes */
    const char *main_time, *overtime; /* TM and OT as read: seconds, and a description */
    /* AP of the file: the program that wrote it. The writer leaves it out. Readers correct known
     * errors of the program that AP names, and our file does not have these errors. */
    const char *application;
    const char *user; /* US as read: who entered the game; the writer leaves it out too */
} SgfAbout;

/* A game. It is a plain struct whose texts and moves live in its arena. After sgf_game_init() or
 * reading, texts are never NULL but may be "". To set a text, point it at memory that outlives the
 * game, or at a copy by sgf_game_keep(). */
typedef struct {
    Arena arena;
    const char *source; /* the file's name, or "sgf", for messages */
    int line;           /* where the game begins in its file */
    int width, height;
    Rules rules;                  /* komi included */
    bool rules_given, komi_given; /* RU and KM of a file gave them, or a position did */
    int handicap;                 /* HA; if it is -1, the writer uses sgf_game_handicap() */
    uint8_t setup[POINT_COUNT];   /* Color of each point before the first move */
    Color first_mover;
    /* Whether to write PL in a game without moves. It is needed if readers would assume that the
     * other color moves first. */
    bool write_mover;
    const char *black, *white, *black_rank, *white_rank;
    const char *result;     /* "" unknown, "B+3.5", "W+R", "0", "Void" ... as written */
    const char *rules_name; /* RU as read; if "", the writer puts rules_text() there */
    SgfAbout about;
    const char *comment; /* of the root */
    /* More properties of the root for the writer, as SGF text such as "XX[1]". The reader leaves it
     * NULL, which means that there are none. */
    const char *extra;
    /* TB and TW of the last node: the Color of the side that gets each point as territory. Points
     * of living stones are COLOR_EMPTY here. Points of dead stones have the color of the
     * opponent. */
    uint8_t territory[POINT_COUNT];
    bool territory_given;
    bool cut;     /* moves or setup of the file were left out (SgfOptions.cut) */
    bool partial; /* the text also has variations or, if only its first game is read, other games */
    const char *warning; /* what the reader corrected or could not use (rules, komi ...), or "" */
    SgfMove *moves;
    size_t move_count, move_capacity;
} SgfGame;

typedef struct {
    /* The rules for a file that names no rules or unknown rules. A komi in its KM replaces the komi
     * of these rules. NULL means Tromp-Taylor. */
    const Rules *rules;
    /* Which variation to follow. true: the longest variation, as in KataGo; if several are equally
     * long, the first of them. false: the main line, which is the first child of each node. */
    bool longest;
    /* A game may have a move that cannot be read, or setup in a node after the root. A move cannot
     * be read if it is malformed, is off the board or is not among the first SGF_MOVES_LIMIT moves.
     * true: the game ends before this move or setup, with a warning, and SgfGame.cut is set. false:
     * the game is refused. */
    bool cut;
} SgfOptions;

/* Read the first game of a file or text. `options` may be NULL. `*out` is overwritten, and the
 * caller clears it. On failure `*out` is {0}. Messages about faults in the text begin with
 * "file:line: ".
 *   ERR_SYNTAX: the text is not SGF, is cut short, or has a malformed value.
 *   ERR_UNSUPPORTED: the game has a size other than 2 to 19, is not Go, or has too many moves, too
 *   many variations, or setup after the root.
 *   ERR_ILLEGAL: a point is off the board or is set up twice.
 *   ERR_IO: the file cannot be read, or is larger than 32 MiB.
 *   ERR_MEMORY. */
MUST_USE Status sgf_game_load(const char *path, const SgfOptions *options, SgfGame *out,
                              Error *err);
MUST_USE Status sgf_game_parse(const char *text, size_t length, const SgfOptions *options,
                               SgfGame *out, Error *err);

/* Begins a game with an empty board and Black to move. ERR_ARGUMENT: the size is impossible. */
MUST_USE Status sgf_game_init(SgfGame *game, int width, int height, const Rules *rules, Error *err);
/* Makes a game from a position. The game has the first board and the moves of the position's
 * history, and the result if the position is over. Passes for ko are added by
 * sgf_game_add_pass_for_ko(). */
MUST_USE Status sgf_game_init_position(SgfGame *game, const Position *position, Error *err);
void sgf_game_clear(SgfGame *game); /* {0} is fine */
/* Adds a move. `comment` is copied and may be NULL. ERR_ARGUMENT: the move has no color, or its
 * point is off the board. ERR_UNSUPPORTED: the game has SGF_MOVES_LIMIT moves already. */
MUST_USE Status sgf_game_add_move(SgfGame *game, Move move, const char *comment, Error *err);
/* Adds a pass for ko: a move that places no stone and only lifts the block of a ko. It occurs in
 * the encore, the phase in which KataGo's territory rules settle what is dead. SGF has no pass for
 * ko, so an ordinary pass is added whose comment names the point. `comment` follows in this comment
 * if it is not NULL (KataGo, cpp/dataio/sgf.cpp). */
MUST_USE Status sgf_game_add_pass_for_ko(SgfGame *game, Move move, const char *comment, Error *err);
/* Returns a copy of `text` in the game's arena, or NULL if there is no memory. */
const char *sgf_game_keep(SgfGame *game, const char *text);

/* Makes the position before the first move. The caller clears `*out`; on failure it is {0}.
 * ERR_ILLEGAL: the setup has stones without liberty. */
MUST_USE Status sgf_game_start(const SgfGame *game, Position *out, Error *err);
/* Plays moves[from] .. moves[to - 1] as KataGo's loadsgf does. A color may move twice in a row, and
 * the history stays nevertheless. Ko and superko forbid nothing. ERR_ILLEGAL: a move is illegal.
 * Then `*position` is the position before this move, which is moves[position->move_count]. */
MUST_USE Status sgf_game_replay(const SgfGame *game, Position *position, int from, int to,
                                Error *err);
/* Makes the position after the first `move` moves. If `move` is negative or larger than the number
 * of moves, makes the position after all moves. Sets Position.prevent_encore, as GTP and analysis
 * do. */
MUST_USE Status sgf_game_position(const SgfGame *game, int move, Position *out, Error *err);
/* Counts handicap stones as KataGo and position_handicap() do. Black setup stones count. Black
 * moves before White's first stone count too, with the exceptions that position_handicap()
 * describes. Returns 0 for a single stone, and also if there are white setup stones. */
int sgf_game_handicap(const SgfGame *game);
/* Returns the winner according to `result`, or COLOR_EMPTY if nobody won or the winner is
 * unknown. */
Color sgf_game_winner(const SgfGame *game);

/* Adds the game as SGF text, in the form that KataGo writes. ERR_MEMORY. */
MUST_USE Status sgf_game_write(const SgfGame *game, StrBuf *out, Error *err);
/* Adds the game as one line of an .sgfs file, which has a game in each line. Line breaks in texts
 * become spaces, and a '\n' ends the line. */
MUST_USE Status sgf_game_write_line(const SgfGame *game, StrBuf *out, Error *err);
MUST_USE Status sgf_game_save(const SgfGame *game, const char *path, Error *err);

typedef struct {
    char text[32];
} SgfResultText;
/* Returns the value for RE: "B+3.5", "W+R", "0", "Void". */
SgfResultText sgf_result_text(const Outcome *outcome, bool resigned);

/* Reads the games of a file one by one: all games of an .sgf, or the first game of each line of an
 * .sgfs. Call sgf_collection_open(), then sgf_collection_next() until `*done`, then
 * sgf_collection_close(). */
typedef struct SgfCollection SgfCollection; /* opaque */
/* Reads the file into memory. `options` are copied and may be NULL. ERR_SYNTAX: there is no game.
 * ERR_IO: the file cannot be read, or is larger than 1 GiB. */
MUST_USE Status sgf_collection_open(const char *path, const SgfOptions *options,
                                    SgfCollection **out, Error *err);
/* Does the same with the bytes of a file, which may be in any charset. The bytes must outlive the
 * collection. `name` is copied; its ending (.sgfs) says whether each line is a game. */
MUST_USE Status sgf_collection_open_text(const char *name, const char *text, size_t length,
                                         const SgfOptions *options, SgfCollection **out,
                                         Error *err);
/* Overwrites `*out` with the next game. The caller clears `*out`. Sets `*done` to true if there are
 * no more games. After a failure the next call goes on with the game after the bad game. */
MUST_USE Status sgf_collection_next(SgfCollection *collection, SgfGame *out, bool *done,
                                    Error *err);
/* Returns the number of games in an .sgf, or of lines in an .sgfs that are not blank. Games that
 * cannot be read count too. */
int sgf_collection_count(const SgfCollection *collection);
void sgf_collection_close(SgfCollection *collection); /* NULL is fine */
