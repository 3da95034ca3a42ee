/* game_score.h - the score of a session's game and the stones that are dead, for clients. The game
 * need not be over. Threading: confined. */
#pragma once
#include "protocol/session/session.h"

typedef struct {
    /* Whether passes have ended play: game_is_passed_out(). If not, the score is an estimate, and
     * the owners are those that the net expects. */
    bool final;
    bool no_result;             /* the game has ended without result, and the score is 0 */
    float white_score;          /* White's points minus Black's, komi included */
    bool dead[POINT_COUNT];     /* by Point: a stone that counts as captured */
    uint8_t owner[POINT_COUNT]; /* by Point: the Color that the point counts for */
} GameScore;

/* Whether passes have ended normal play, so that dead stones may be taken off the board. Under
 * territory rules the game is not over at this point, because the rules continue with the encore.
 * Sessions do not play the encore (`prevent_encore`). */
bool game_is_passed_out(const Position *position);
/* Whether the rules alone give the final score. They do not give it if the game is not over. They
 * also do not if the game ended by friendly passes, which may leave dead stones on the board. */
bool game_is_settled(const Position *position);

/* Sets dead[point] for each stone. If game_is_settled(), this follows from the owner of each point
 * in the final count. Otherwise it follows from `white_ownership`, which has values from 1 to -1 by
 * move_index() and comes from session_estimate_score(). If the ownership is 0 everywhere, since the
 * evaluator has none, no stone is dead. */
void game_dead_stones(const Position *position, const float *white_ownership,
                      bool dead[POINT_COUNT]);
/* Scores an ended game after the dead stones are taken off the board. `owner` may be NULL. Under
 * territory rules a dead stone gives the opponent two points. One is the point of the board under
 * the stone. The other is for the prisoner: position->white_bonus has taken a point from the player
 * of the stone when the stone was played. */
MUST_USE Status game_count(const Position *position, const bool dead[POINT_COUNT],
                           float *white_score, uint8_t owner[POINT_COUNT], Error *err);
/* Scores the present game. White's points are rounded to a score that is possible with this
 * komi. */
MUST_USE Status session_score(Session *session, GameScore *out, Error *err);
