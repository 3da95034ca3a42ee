/* gonn_planes.h - the 26 input planes of GoNN's nets of March to June 2018 (GoNN, model.py),
 * computed from the planes of version 7 of KataGo's features. So nets that read these planes
 * train on the same rows as all other nets. Threading: free functions. */
#pragma once

/* All planes are those of the player to move. A chain or stone in a ladder is one that can be
 * captured in it. */
enum {
    GONN_BOARD,                      /* 1 on the board */
    GONN_OWN,                        /* stones of the mover, then those of the opponent */
    GONN_LIBERTIES = GONN_OWN + 2,   /* the mover's chains with 1, 2, 3 and 4 liberties, then the
                                        opponent's */
    GONN_AFTER = GONN_LIBERTIES + 8, /* empty points at which the mover's stone would have 1, 2 and
                                        3 liberties after captures, then the opponent's stone */
    GONN_KO = GONN_AFTER + 6,        /* points that a ko rule forbids */
    GONN_HISTORY,                    /* the last five moves, the newest one first */
    GONN_ATARI = GONN_HISTORY + 5,   /* stones in atari that cannot escape */
    GONN_LADDER,                     /* stones with two liberties in a ladder */
    GONN_WORKING,                    /* the moves that begin these ladders */
    GONN_PLANES
};

/* Computes the planes of one position.
 *   planes: (height, width, 22), as features_encode() or Batch has them: with any symmetry; the
 *           planes of the last moves may hold fractions (FeatureOptions.history_hidden)
 *   out:    (height, width, GONN_PLANES)
 * The result has the symmetry of `planes`. GONN_KO has all points that simple ko or superko
 * forbids; GoNN knew only simple ko. Unlike `planes`, GONN_WORKING also has moves against the
 * mover's own chains. If the stones are no position (a chain has no liberties), they cannot be set
 * up on a board. Then the chains with four liberties, GONN_AFTER and the moves against the mover's
 * own chains are missing: their planes are 0. */
void gonn_planes_encode(const float *planes, int height, int width, float *out);
