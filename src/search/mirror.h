/* mirror.h - what is done against an opponent who plays the mirror image of each move. KataGo,
 * cpp/search/searchmirror.cpp: its signs of mirroring, its priors for mirror moves and the centre,
 * its lean of values by who owns the centre; a descent to mirror moves is forced by a share of the
 * visits that depends on komi and the centre. Threading: free functions; a Mirror is immutable
 * while a search runs. */
#pragma once
#include "go/position.h"
#include "search/search_method.h"

typedef struct {
    Color player;     /* who mirrors; COLOR_EMPTY: nobody */
    Color root_mover; /* the other */
    int moves;        /* of the game at the root */
    double advantage; /* points that mirroring to the end would win by */
    double asymmetry; /* of the centre: points that are not mirrored */
    int width, height;
    Point center; /* POINT_NONE where an edge is even */
} Mirror;

Point mirror_point(Point point, int width, int height); /* a pass stays one */
/* Whether the opponent of who is to move mirrors: at least 7 + half of its moves were mirror
 * moves, as were 0.45 of the late ones (each earlier one counting 0.75 of the next), and the last.
 */
Mirror mirror_detect(const Position *root);
/* Share by which a prior goes towards 1: 1 (3 when it is hard to stop) for the mirror move, 0.3 for
 * the centre, 0.05 or 0.03 about it; over 1 + sqrt(plies since the root). 0: none. */
double mirror_prior_lean(const Mirror *mirror, const Position *position, Point point,
                         bool mirror_legal);
/* Share of its siblings' weight that a move is to have at least. 0: none. */
double mirror_least_share(const Mirror *mirror, const Position *position, Point point,
                          bool mirror_legal);
/* tanh(atanh(value) + s ownership of the centre); s 0.7, or 0.3 when the centre is not mirrored.
 * Both the same player's. */
double mirror_value(const Mirror *mirror, double value, double center_ownership);

/* Of a search. */
typedef struct {
    Mirror mirror;
    SearchSettings settings; /* in force while the opponent mirrors */
} MirrorState;

extern const SearchMethod METHOD_MIRROR;
