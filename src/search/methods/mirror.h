/* mirror.h - a method against an opponent who plays the mirror image of each move. It raises the
 * priors of mirror moves and of moves in and near the center. It gives such moves a minimum
 * fraction of the weight of all moves; this fraction depends on komi and the center. It also shifts
 * values by the ownership of the center. The rules are KataGo's (cpp/search/searchmirror.cpp), but
 * the formulas for the minimum fractions are simpler. Threading: free functions; a Mirror is
 * immutable while a search runs. */
#pragma once
#include "go/position.h"
#include "search/tree/search_method.h"

typedef struct {
    Color player;     /* the player who mirrors; COLOR_EMPTY if nobody does */
    Color root_mover; /* the other player */
    int moves;        /* moves of the game before the root */
    double advantage; /* points by which mirroring to the end wins, komi included */
    double asymmetry; /* weighted number of stones near the center that are not mirrored */
    int width, height;
    Point center; /* POINT_NONE if width or height is even */
} Mirror;

Point mirror_point(Point point, int width, int height); /* the mirror image of a pass is a pass */
/* Detects whether the opponent of the side to move mirrors. The opponent mirrors if three
 * conditions hold:
 * - The opponent's last move was a mirror move.
 * - m >= 7 + n / 2, where n is the number of the opponent's moves, and m of them were mirror moves.
 * - Mirror moves were at least the fraction 0.45 of the opponent's moves. In this fraction each
 *   move counts 0.75 times as much as the move after it. */
Mirror mirror_detect(const Position *root);
/* How far a prior moves towards 1, as a fraction of the way:
 *     min(1, x / (1 + sqrt(d))),   d: plies since the root
 * Where the mirroring player moves, x is 1 for the mirror move, or 3 if mirroring is hard to stop.
 * Where the other player moves, x is 0.3 for the center, and 0.05 or 0.03 for points that are near
 * the center or touch the mirroring player's chain on it. For other moves x is 0. `mirror_legal`
 * says whether the mirror image of the last move is legal. If it is illegal, the pass is the mirror
 * move. After a pass there is no mirror move. */
double mirror_prior_lean(const Mirror *mirror, const Position *position, Point point,
                         bool mirror_legal);
/* The minimum fraction of the weight of all moves that this move must get, or 0. */
double mirror_min_fraction(const Mirror *mirror, const Position *position, Point point,
                           bool mirror_legal);
/* Returns the value after a shift by the ownership of the center:
 *     tanh(atanh(value) + s ownership),   s: 0.7, or 0.3 if not all is mirrored near the center
 * Value and ownership are those of the same player. */
double mirror_value(const Mirror *mirror, double value, double center_ownership);

/* The state in a search. */
typedef struct {
    Mirror mirror;
    SearchSettings settings; /* what the search uses while the opponent mirrors */
} MirrorState;

extern const SearchMethod METHOD_MIRROR;
