/* Who owns what at the leaves of the tree: averages and deviations over all playouts and over those
 * through each move of the root. KataGo averages the nets' answers over the tree by its weights
 * (cpp/search/searchresults.cpp); here each leaf counts once, by its own weight. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "go/score.h"
#include "search/search_private.h"

struct OwnershipSums {
    double weight, mean[BOARD_POINTS_MAX], square[BOARD_POINTS_MAX]; /* White's; times the weight */
};

void search_keep_ownership(Search *search, bool keep) {
    if (keep && !search->keeps_ownership) search_clear_tree(search);
    search->keeps_ownership = keep;
}

void search_forget_ownership(Search *search) {
    for (int i = 0; i <= MOVES_MAX; i++) {
        if (search->sums[i]) search->sums[i]->weight = 0;
    }
}

void search_free_ownership(Search *search) {
    for (int i = 0; i <= MOVES_MAX; i++)
        free(search->sums[i]);
}

/* Who adds: one thread at a time. */
static void begin_adding(Search *search) {
    if (search->tree.split) pthread_mutex_lock(&search->crew->ownership);
}

static void end_adding(Search *search) {
    if (search->tree.split) pthread_mutex_unlock(&search->crew->ownership);
}

static void add_to(OwnershipSums **place, const float *white, int points, double weight) {
    if (!*place && mem_new(1, sizeof **place, place, NULL)) return; /* then there is none to see */
    OwnershipSums *sums = *place;
    if (sums->weight == 0) memset(sums, 0, sizeof *sums);
    sums->weight += weight;
    for (int i = 0; i < points; i++) {
        double owned = (double)white[i];
        sums->mean[i] += weight * owned;
        sums->square[i] += weight * owned * owned;
    }
}

void search_add_ownership(Search *search, const Slot *slot, const Evaluation *evaluation) {
    const Position *position = &slot->position;
    const Node *leaf = &search->tree.nodes[slot->path[slot->depth - 1]];
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
    if (slot->depth >= 2) {
        tree_lock(&search->tree, 0);
        first = search->tree.edges[search->tree.nodes[0].edges + (uint32_t)slot->edges[0]].move;
        tree_unlock(&search->tree, 0);
    }
    begin_adding(search);
    add_to(&search->sums[MOVES_MAX], white, points, (double)leaf->own_weight);
    if (first >= 0) add_to(&search->sums[first], white, points, (double)leaf->own_weight);
    end_adding(search);
}

bool search_ownership(const Search *search, Point point, float *mean, float *stdev) {
    const Board *board = &search->root.board;
    int index = point == POINT_NONE ? MOVES_MAX : move_index(point, board->width, board->height);
    const OwnershipSums *sums = search->sums[index];
    if (!search->keeps_ownership || !sums || sums->weight <= 0) return false;
    for (int i = 0; i < board->width * board->height; i++) {
        double value = sums->mean[i] / sums->weight;
        mean[i] = value_for_mover((float)value, search->root.mover);
        stdev[i] = (float)sqrt(fmax(0, sums->square[i] / sums->weight - value * value));
    }
    return true;
}
