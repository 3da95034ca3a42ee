/* Ownership over the tree: the means and standard deviations over all playouts and, for each move
 * of the root, over the playouts that begin with this move. KataGo averages the net's ownership
 * over the tree with the weights of its nodes (cpp/search/searchresults.cpp). Here each evaluated
 * leaf counts once, and the end of a game counts once for each visit to it. Both count with the
 * weight of the node. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "go/score.h"
#include "search/core/search.h"
#include "search/core/search_private.h"

typedef struct {
    /* Sums of White's ownership and of its square, multiplied by the weight. */
    double weight, mean[BOARD_POINTS_MAX], square[BOARD_POINTS_MAX];
} OwnershipSums;

/* The state in a search. */
typedef struct {
    bool keeps;
    OwnershipSums *sums[MOVES_MAX + 1]; /* by the root's move_index(); MOVES_MAX for all moves */
} OwnershipState;

extern const SearchMethod METHOD_OWNERSHIP;

void search_keep_ownership(Search *search, bool keep) {
    OwnershipState *state = search_state_of(search, &METHOD_OWNERSHIP);
    if (keep && !state->keeps) search_reset(search);
    state->keeps = keep;
    search_configure_methods(search);
}

static bool is_on(const SearchSettings *settings, const void *state) {
    (void)settings;
    return ((const OwnershipState *)state)->keeps;
}

static void forget(Search *search, const MethodUse *use, bool all) {
    (void)search, (void)all;
    OwnershipState *state = use->state;
    for (int i = 0; i <= MOVES_MAX; i++) {
        if (state->sums[i]) state->sums[i]->weight = 0;
    }
}

static void free_state(void *state) {
    OwnershipState *own = state;
    for (int i = 0; i <= MOVES_MAX; i++)
        free(own->sums[i]);
}

/* One thread at a time adds to the sums. */
static void begin_adding(Search *search) {
    if (search->tree.split) pthread_mutex_lock(&search->group->ownership_lock);
}

static void end_adding(Search *search) {
    if (search->tree.split) pthread_mutex_unlock(&search->group->ownership_lock);
}

static void add_to(OwnershipSums **place, const float *white, int points, double weight) {
    /* If there is no memory, the report has no ownership for this move. */
    if (!*place && mem_new(1, sizeof **place, place, NULL)) return;
    OwnershipSums *sums = *place;
    if (sums->weight == 0) memset(sums, 0, sizeof *sums);
    sums->weight += weight;
    for (int i = 0; i < points; i++) {
        double owned = (double)white[i];
        sums->mean[i] += weight * owned;
        sums->square[i] += weight * owned * owned;
    }
}

/* Adds the ownership at a leaf, or at the end of a game. */
static void visited(Search *search, const MethodUse *use, const PendingLeaf *leaf,
                    const Evaluation *evaluation) {
    OwnershipState *state = use->state;
    const Position *position = &leaf->position;
    const Node *node = &search->tree.nodes[leaf->path[leaf->depth - 1]];
    int width = position->board.width, points = width * position->board.height;
    float white[BOARD_POINTS_MAX];
    if (evaluation && !evaluation->has_ownership) return;
    if (!evaluation && !position->over) return;
    if (evaluation) {
        for (int i = 0; i < points; i++)
            white[i] = value_for_white(evaluation->ownership[i], position->mover);
    } else {
        uint8_t owner[POINT_COUNT];
        score_position(position, owner);
        for (int i = 0; i < points; i++) {
            uint8_t color = owner[point_at(i % width, i / width)];
            white[i] = color == COLOR_WHITE ? 1.0f : color == COLOR_BLACK ? -1.0f : 0;
        }
    }
    int first = -1;
    if (leaf->depth >= 2) {
        tree_lock(&search->tree, 0);
        first = search->tree.edges[search->tree.nodes[0].edges + (uint32_t)leaf->edges[0]].move;
        tree_unlock(&search->tree, 0);
    }
    begin_adding(search);
    add_to(&state->sums[MOVES_MAX], white, points, (double)node->own_weight);
    if (first >= 0) add_to(&state->sums[first], white, points, (double)node->own_weight);
    end_adding(search);
}

const SearchMethod METHOD_OWNERSHIP = {.name = "ownership of leaves",
                                       .is_on = is_on,
                                       .splits = true,
                                       .state_bytes = sizeof(OwnershipState),
                                       .visited = visited,
                                       .forget = forget,
                                       .free = free_state};

bool search_ownership(const Search *search, Point point, float *mean, float *stdev) {
    const OwnershipState *state = search_state_of(search, &METHOD_OWNERSHIP);
    const Board *board = &search->root.board;
    int index = point == POINT_NONE ? MOVES_MAX : move_index(point, board->width, board->height);
    const OwnershipSums *sums = state->sums[index];
    if (!state->keeps || !sums || sums->weight <= 0) return false;
    for (int i = 0; i < board->width * board->height; i++) {
        double value = sums->mean[i] / sums->weight;
        mean[i] = value_for_mover((float)value, search->root.mover);
        stdev[i] = (float)sqrt(fmax(0, sums->square[i] / sums->weight - value * value));
    }
    return true;
}
