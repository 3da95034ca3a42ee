/* game_private.h - what the files of a game share. Threading: confined. */
#pragma once
#include "serve/games/game.h"
#include "sgf/sgf_game.h"

struct Game {
    Position start, now;
    char rules_name[SERVED_NAME_MAX]; /* as the page named them */
    char names[3][SERVED_NAME_MAX];   /* by Color */
    char date[16];                    /* of its first day: "2026-01-31" */
    Color person;
    int visits;
    GameLevel level;
    GameLevel asked_level;  /* the level at the time of the last game_query() */
    char net[GAME_NET_MAX]; /* see game_net() */
    Color resigned;         /* the player who has resigned, or COLOR_EMPTY */
    bool plays_on;          /* a player's resignation was taken back: the engine resigns no more */
    bool agreed;            /* the person has agreed about the dead stones */
    bool marks_known;       /* in PHASE_SCORE: the rules, the engine or the person gave `dead` */
    bool dead[POINT_COUNT]; /* by Point */
    ResignHistory resign_history;
    char engine_error[256]; /* why the engine does not answer; "": it does */
};

/* Makes a game with these stones and no moves; the caller sets names, person and visits. */
MUST_USE Status game_begin(const Board *board, const Rules *rules, Game **out, Error *err);
/* Names a player: `prefix`, then `name`. A long text is cut at the end of a character. If the text
 * is not UTF-8, all its bytes that are not ASCII become '?'. */
void game_set_name(Game *game, Color color, const char *prefix, const char *name);
/* Plays a move of the player to move. Forgets the marks, and a failure of the engine. */
MUST_USE Status game_add_move(Game *game, Point point, Error *err);
/* Marks all stones of the chain at this point as dead or alive. */
void game_mark_chain(Game *game, Point point, bool dead);

typedef struct {
    uint8_t owner[POINT_COUNT]; /* by Point: the Color that the point counts for */
    double black, white;        /* points by the rules, komi included */
} GamePoints;
/* Counts the game by the present marks. Returns false if there is no memory. */
bool game_points(const Game *game, GamePoints *out);
/* The result, as SGF writes it; "" if there is none yet. */
SgfResultText game_result(const Game *game);
/* The points of all stones that are marked as dead, as texts. */
json_t *game_dead_list(const Game *game);
/* A level as {"strength":0.5,"label":"..."}; null at full strength. */
json_t *game_level_json(const GameLevel *level);
/* A move as ["B","C3"]. */
json_t *game_pair(Move move, int height);
