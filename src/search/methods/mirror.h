/* mirror.h - what a search does against an opponent who plays the mirror image of each move. The
 * signs of mirroring, the priors for mirror moves and the centre, and the lean of values by who
 * owns the centre are KataGo's (cpp/search/searchmirror.cpp). Mirror moves are also forced to have
 * a fraction of the visits that depends on komi and the centre. Threading: free functions; a Mirror
 * is immutable while a search runs. */
#pragma once
#include "go/position.h"
#include "search/tree/search_method.h"

typedef struct {
    Color player;     /* who mirrors; COLOR_EMPTY: nobody */
    Color root_mover; /* the other player */
    int moves;        /* of the game at the root */
    double advantage; /* points that mirroring to the end would win by */
    double asymmetry; /* of the centre: points that are not mirrored */
    int width, height;
    Point center; /* POINT_NONE where an edge is even */
} Mirror;

Point mirror_point(Point point, int width, int height); /* a pass stays one */
/* Whether the opponent of who is to move mirrors. It does if at least 7 + half of its moves were
 * mirror moves, as were 0.45 of the late ones (each counts 0.75 of the next one) and the last. */
Mirror mirror_detect(const Position *root);
/* The fraction of the way to 1 that a prior goes: 1 for the mirror move (3 if mirroring is hard to
 * stop), 0.3 for the centre, 0.05 or 0.03 for points about it, each over 1 + sqrt(plies since the
 * root), and 0 for other moves. At most 1. */
double mirror_prior_lean(const Mirror *mirror, const Position *position, Point point,
                         bool mirror_legal);
/* The fraction of the weight of all moves that this move is to have at least. 0: none. */
double mirror_min_fraction(const Mirror *mirror, const Position *position, Point point,
                           bool mirror_legal);
/* tanh(atanh(value) + s ownership of the centre), where s is 0.7, or 0.3 if the centre is not
 * mirrored. Value and ownership are of the same player. */
double mirror_value(const Mirror *mirror, double value, double center_ownership);

/* Of a search. */
typedef struct {
    Mirror mirror;
    SearchSettings settings; /* in force while the opponent mirrors */
} MirrorState;

extern const SearchMethod METHOD_MIRROR;
