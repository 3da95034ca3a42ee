#include "eval/features/features.h"

#include <stddef.h>

enum { BOARD, OWN, OTHER, ONE_LIBERTY, BANNED = 6 };  /* planes of version 7 */
enum { SUICIDE_ALLOWED = 8, ENCORE = 12, SIDES = 4 }; /* globals of version 7 */

/* The features of the point (x, y), or NULL if it is not on the board. */
static const float *features_at(const float *planes, int length, int x, int y) {
    if (x < 0 || y < 0 || x >= length || y >= length) return NULL;
    const float *at = planes + (y * length + x) * FEATURE_PLANES;
    return at[BOARD] > 0 ? at : NULL;
}

/* Whether the mover may put a stone on this empty point: the stone has a liberty afterwards, or
 * suicide is allowed. */
static bool is_possible(const float *planes, int length, int x, int y, bool suicide) {
    static const int STEPS[SIDES][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    bool joins = false;
    for (int i = 0; i < SIDES; i++) {
        const float *near = features_at(planes, length, x + STEPS[i][0], y + STEPS[i][1]);
        if (!near) continue;
        bool atari = near[ONE_LIBERTY] > 0, own = near[OWN] > 0;
        if (!own && !(near[OTHER] > 0)) return true; /* an empty point */
        /* the stone joins a chain with at least two liberties, or captures a chain in atari */
        if (own != atari) return true;
        joins |= own;
    }
    return joins && suicide;
}

void features_mark_legal(const float *planes, const float *globals, int length, uint8_t *legal) {
    bool suicide = globals[SUICIDE_ALLOWED] > 0, encore = globals[ENCORE] > 0;
    for (int y = 0; y < length; y++) {
        for (int x = 0; x < length; x++) {
            const float *at = features_at(planes, length, x, y);
            bool free = at && !(at[OWN] > 0) && !(at[OTHER] > 0) && !(at[BANNED] > 0);
            legal[y * length + x] =
                at && (encore || (free && is_possible(planes, length, x, y, suicide)));
        }
    }
}
