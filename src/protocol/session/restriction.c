#include "protocol/session/restriction.h"

bool restriction_add(Restriction *restriction, Color color, const bool *marks, int move_count,
                     bool allow, long long depth) {
    if (restriction->allowed[color] || (allow && restriction->avoided[color])) return false;
    (allow ? restriction->allowed : restriction->avoided)[color] = true;
    uint16_t until = (uint16_t)(depth > UINT16_MAX ? UINT16_MAX : depth);
    for (int i = 0; i < move_count; i++) {
        uint16_t *place = &restriction->avoid.until[color][i];
        if (marks[i] != allow && until > *place) *place = until;
    }
    return true;
}
