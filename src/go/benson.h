/* benson.h - pass-alive chains and regions (Benson 1976, "Life in the game of Go"), and the wider
 * areas of KataGo's scoring. This is the definition for boards of any size; small_board.h is the
 * fast form for small ones. Threading: free functions. */
#pragma once
#include "go/board.h"

/* Always marked are the pass-alive chains of both players, and those regions that border on
 * pass-alive chains alone and have at most one point that lies beside no stone of the player. The
 * options add more. */
typedef struct {
    bool nonpassalive_stones;    /* every other stone marks its own point */
    bool safe_big_territories;   /* also larger regions that border on pass-alive chains alone, if
                                    no opponent's stone is inside */
    bool unsafe_big_territories; /* also regions that border on other chains, with the same
                                    condition */
    /* Whether suicide of several stones is legal: then a region is vital only to a chain that
     * touches all of its points, and not merely all of its empty points. */
    bool suicide;
} AreaOptions;

/* `area` is indexed by Point: COLOR_BLACK, COLOR_WHITE, or COLOR_EMPTY where a point is neutral. */
void benson_area(const Board *board, const AreaOptions *options, uint8_t area[POINT_COUNT]);
