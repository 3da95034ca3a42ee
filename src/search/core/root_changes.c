#include "search/core/root_changes.h"

void root_changes_note(RootChanges *changes, int visits, float utility) {
    static const int MARKS[ROOT_MARKS] = {1, 4, 16, 64, 256};
    if (changes->count < ROOT_MARKS && visits == MARKS[changes->count])
        changes->utility[changes->count++] = utility;
}

int root_changes_squares(const RootChanges *changes, float squares[REPORT_ROOT_VARIANCES]) {
    for (int i = 0; i + 1 < changes->count; i++) {
        float change = changes->utility[i + 1] - changes->utility[i];
        squares[i] = change * change;
    }
    return changes->count > 1 ? changes->count - 1 : 0;
}
