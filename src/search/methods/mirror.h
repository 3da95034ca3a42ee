/* mirror.h - what a search does against an opponent who plays the mirror image of each move. The
 * signs of mirroring, the priors for mirror moves and the centre, and the shift of values by the
 * ownership of the centre are KataGo's (cpp/search/searchmirror.cpp). Mirror moves also get a
 * minimum fraction of the visits, which depends on komi and the centre. Threading: free
 * functions; a Mirror is immutable while a search runs. */
#pragma once
#include "go/position.h"
#include "search/tree/search_method.h"

typedef struct {
    Color player;     /* the player who mirrors; COLOR_EMPTY: nobody */
    Color root_mover; /* the other player */
    int moves;        /* moves of the game before the root */
    double advantage; /* points by which mirroring to the end wins, komi included */
    double asymmetry; /* points about the centre that are not mirrored, weighted */
    int width, height;
    Point center; /* POINT_NONE if width or height is even */
} Mirror;

Point mirror_point(Point point, int width, int height); /* the mirror image of a pass is a pass */
/* Detects whether the opponent of the side to move mirrors. It does if its last move was a
 * mirror move, at least 7 + half of its moves were, and at least 0.45 of the late ones, where
 * each move counts 0.75 of the next one. */
Mirror mirror_detect(const Position *root);
/* How far a prior moves towards 1, as a fraction: 1 for the mirror move (3 if mirroring is hard
 * to stop), 0.3 for the centre, 0.05 or 0.03 for points near it, 0 for other moves; each divided
 * by 1 + sqrt(plies since the root), and 1 at most. */
double mirror_prior_lean(const Mirror *mirror, const Position *position, Point point,
                         bool mirror_legal);
/* The minimum fraction of the weight of all moves that this move must get. 0: none. */
double mirror_min_fraction(const Mirror *mirror, const Position *position, Point point,
                           bool mirror_legal);
/* The value shifted by the ownership of the centre:
 *     tanh(atanh(value) + s ownership),   s: 0.7, or 0.3 if the centre is not mirrored
 * Value and ownership are of the same player. */
double mirror_value(const Mirror *mirror, double value, double center_ownership);

/* The state in a search. */
typedef struct {
    Mirror mirror;
    SearchSettings settings; /* what the search uses while the opponent mirrors */
} MirrorState;

extern const SearchMethod METHOD_MIRROR;
