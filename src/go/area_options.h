/* area_options.h - which areas to mark: pass-alive chains and regions (Benson 1976, "Life in the
 * game of Go"), and the wider areas of KataGo's scoring. Threading: any thread. */
#pragma once
#include <stdbool.h>

/* Which areas to mark. A region of a player is a connected component of the points that hold no
 * stone of the player; at least one of its points is empty. The pass-alive chains of both players
 * are always marked. A region that borders only on pass-alive chains is also marked if at most one
 * of its points lies beside no stone of the player. The options add more. */
typedef struct {
    bool nonpassalive_stones;    /* also all stones outside the areas that are marked anyway */
    bool safe_big_territories;   /* also larger regions that border only on pass-alive chains, if
                                    no opponent's stone is inside */
    bool unsafe_big_territories; /* also all other regions without an opponent's stone inside,
                                    except points that are marked for the opponent anyway */
    /* Whether suicide of several stones is legal. If it is, a region is vital only to a chain that
     * touches all points of the region. If it is not, a region is vital to any chain that touches
     * all empty points of the region. */
    bool suicide;
} AreaOptions;
