/* match_board.h - the board, rules and komi of the games of a match: the same for all, or drawn
 * anew for each pair of games. Threading: free functions. */
#pragma once
#include "play/setup/game_setup.h"

/* The distributions from which each pair of games draws its board, rules and komi. Handicap and
 * unequal playouts are not drawn. */
typedef struct {
    SelfplaySettings settings;
    GameChoices choices;
} MatchDraw;
/* Sets `out` to draw by these settings. ERR_SYNTAX, ERR_ARGUMENT: a list of the settings cannot be
 * read, or komi.auto_mean is on, because a match has no net that could find the mean. */
MUST_USE Status match_draw_make(const SelfplaySettings *settings, MatchDraw *out, Error *err);
/* Sets these settings of `out` to those of GoNN's matches:
 *   komi: mean 7.5, standard deviation 2.5, or 8 in one game of ten; whole in one game of five
 *   sizes: 19x19, 13x13 and 9x9 with the weights 90, 5 and 5
 *   rules: simple, positional or situational ko; area or territory scoring; suicide or not
 * The other settings stay. ERR_MEMORY. */
MUST_USE Status match_draw_gonn(SelfplaySettings *out, Error *err);
/* Sets the largest width and height that can be drawn, in points. */
void match_draw_largest(const MatchDraw *draw, int *width, int *height);

typedef struct {
    int width, height;
    Rules rules; /* with komi */
} MatchBoard;
/* Draws the board of the games whose opening has this seed. */
MatchBoard match_board_draw(const MatchDraw *draw, uint64_t seed);
/* A hash of all settings selfplay.* that differ from their defaults. Those that decide what is
 * drawn are among them. */
uint64_t match_draw_fingerprint(const MatchDraw *draw);
