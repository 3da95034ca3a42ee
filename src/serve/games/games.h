/* games.h - the games of the page. Each game has a file of its own, GAME.sgf in the folder of
 * games. The file is written after each change, so that a restart of the server loses no game. The
 * table keeps the games that were used last in memory. It gets the moves of the engine, and sends
 * each change of a game to those who watch the game. GAME is a name of 32 hexadecimal digits.
 * Threading: confined to one thread, except for setup.wake(): the engine's workers and the thread
 * that writes files call it. */
#pragma once
#include "serve/engines.h"
#include "serve/games/game.h"

enum { GAMES_MAX = 100, GAME_NAME_LENGTH = 32 };

typedef struct {
    Engines *engines;             /* borrowed */
    const SearchSettings *search; /* for the choice of moves; borrowed */
    const ResignSettings *resign; /* borrowed */
    const char *folder;           /* of the files; borrowed */
    void (*wake)(void *context);  /* any thread: games_tend() is to be called soon */
    void *context;
} GamesSetup;

typedef struct Games Games;
/* Somebody who watches games, and is sent their states. The caller owns it. */
typedef struct {
    bool (*send)(void *context, const char *text, size_t length);
    void *context;
} GameViewer;

/* Makes an empty table. Copies the setup. ERR_IO: the system has no random numbers. ERR_MEMORY. */
MUST_USE Status games_new(const GamesSetup *setup, Games **out, Error *err);
/* Ends all searches, and writes all files. Afterwards setup.wake() is not called any more. Of the
 * functions of the table, only games_leave() and games_free() may then be called. */
void games_stop(Games *games);
void games_free(Games *games); /* stops it first; NULL is fine; call it before engines_free() */

/* A game in the table. It is valid until games_begin() or games_find() is called for another game,
 * which may drop this one from memory if nobody watches it. */
typedef struct GameEntry GameEntry;
/* Begins a game, which the viewer (NULL: nobody) then watches, and saves it. NULL: the fault says
 * what is wrong, and there is no new game. */
GameEntry *games_begin(Games *games, const GameSetup *setup, GameViewer *viewer, Fault *fault);
/* Adds the game as SGF, without taking it into the table. Returns false if there is no such game,
 * its file cannot be used, or there is no memory. */
bool games_write(const Games *games, const char *name, StrBuf *out);
/* Finds a game in memory, or reads its file. NULL: the fault says whether there is no such game,
 * its file cannot be used, or there is no room for it. */
GameEntry *games_find(Games *games, const char *name, Fault *fault);
const char *games_name(const GameEntry *entry);
const Engine *games_engine(const GameEntry *entry);
Game *games_game(GameEntry *entry); /* to look at it and to change it; then call games_changed() */
/* Must be called after each change. Saves the game, and tells all who watch it. If the game waits
 * for the engine, sends the engine a query. `position`: whether the position has changed, so that a
 * search for the earlier position is ended. */
void games_changed(Games *games, GameEntry *entry, bool position);
/* What the page shows of the game. NULL: no memory. */
json_t *games_state(const GameEntry *entry);
/* Sends the state to one viewer. */
void games_show(const GameEntry *entry, const GameViewer *viewer);

/* The viewer is told of each change of this game from now on, and of no other game. If the game
 * waits for the engine, sends the engine a query. Returns false, with a fault, if there is no
 * memory. */
bool games_watch(GameEntry *entry, GameViewer *viewer, Fault *fault);
/* If the engine could not answer, or the game could not be saved, tries this again. */
void games_retry(Games *games, GameEntry *entry);
/* The viewer is not called any more. */
void games_leave(Games *games, const GameViewer *viewer);

int games_count(const Games *games); /* how many are in memory */
/* A list of games for the page: at most GAMES_LISTED, the last changed first. NULL: no memory. */
enum { GAMES_LISTED = 100 };
json_t *games_list(Games *games);
/* Must be called after setup.wake(): passes the engine's answers to the games, and takes note of
 * which files have been written. */
void games_tend(Games *games);
