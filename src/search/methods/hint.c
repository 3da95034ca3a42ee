#include "search/methods/hint.h"

#include "search/core/search.h"
#include "search/core/search_private.h"

void search_set_hint(Search *search, Point hint) {
    HintState *state = search_state_of(search, &METHOD_HINT);
    const Board *board = &search->root.board;
    bool fits = hint == POINT_PASS || (hint != POINT_NONE && board_on(board, hint));
    Point wanted = fits ? hint : POINT_NONE;
    if (state->move != wanted) search_reset(search);
    state->move = wanted;
}

static bool is_on(const SearchSettings *settings, const void *state) {
    (void)settings;
    return ((const HintState *)state)->move != POINT_NONE;
}

/* Gives the hint the fraction search.hint.policy of the priors of all other moves. */
static void root_priors(const Search *search, const MethodUse *use, float *policy) {
    const HintState *state = use->state;
    const Board *board = &search->root.board;
    double rest = 0, fraction = search->settings.hint.policy;
    int hint = move_index(state->move, board->width, board->height);
    if (policy[hint] < 0) return;
    for (int i = 0; i < search->tree.move_count; i++) {
        if (policy[i] < 0 || i == hint) continue;
        rest += (double)policy[i];
        policy[i] *= (float)(1 - fraction);
    }
    policy[hint] += (float)(fraction * rest);
}

/* Chooses the hint while its weight, with one more visit, is less than search.hint.weight times the
 * weight of at least one other move. */
static bool term(const Choice *choice, const MethodUse *use, double prepared, const Edge *edge,
                 Term *out) {
    (void)prepared;
    const HintState *state = use->state;
    const Board *board = &choice->position->board;
    if (!edge || out->move != move_index(state->move, board->width, board->height)) return false;
    double own = (double)edge->weight + edge->waiting + choice->weight_per_visit;
    for (int i = 0; i < choice->node->child_count; i++) {
        const Edge *other = &choice->edges[i];
        if (own >= choice->settings->hint.weight * ((double)other->weight + other->waiting))
            continue;
        out->value = 1e20;
        return true;
    }
    return false;
}

/* Forgets the hint, which was for the old root. */
static void moved(Search *search, const MethodUse *use, const Tree *left, const Tree *kept) {
    (void)search, (void)left, (void)kept;
    *(HintState *)use->state = (HintState){POINT_NONE};
}

const SearchMethod METHOD_HINT = {.name = "hint",
                                  .is_on = is_on,
                                  .splits = true,
                                  .root_only = true,
                                  .state_bytes = sizeof(HintState),
                                  .root_priors = root_priors,
                                  .term = term,
                                  .moved = moved};
