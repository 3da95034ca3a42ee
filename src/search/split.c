/* Several threads on one tree: each descends and backs up inside a gate, under the locks of the
 * nodes that it passes. A thread that finds the pools nearly used up asks to be alone and makes
 * them larger, so that nothing moves under another thread. */
#include <stdlib.h>

#include "base/memory.h"
#include "search/search.h"
#include "search/search_private.h"

_Static_assert((int)SEARCH_THREADS_MOST == (int)GATE_LANES_MOST, "a lane for each thread");

static Status make_crew(Search *search, Error *err) {
    if (search->crew) return OK;
    Status status = mem_new(1, sizeof *search->crew, &search->crew, err);
    if (status) return status;
    gate_init(&search->crew->gate, GATE_LANES_MOST);
    pthread_mutex_init(&search->crew->ownership, NULL);
    search->crew->lanes[0] = &search->lane;
    return OK;
}

bool search_root_ready(const Search *search) {
    return search->begun && search->tree.node_count && !search->root_stale &&
           search->tree.nodes[0].state == NODE_EXPANDED;
}

bool search_can_split(const Search *search) {
    return method_set_splits(&search->methods);
}

int search_threads(const Search *search, int most) {
    int64_t each = search->settings.playouts_per_thread,
            left = search_visits_left(search, search_visits(search));
    if (each <= 0 || left < 0 || left / each >= most) return most;
    return left / each > 1 ? (int)(left / each) : 1;
}

Status search_split(Search *search, int threads, Error *err) {
    if (threads < 1 || threads > SEARCH_THREADS_MOST)
        return fail(err, ERR_ARGUMENT, "%d threads on a tree, wanted 1 to %d", threads,
                    SEARCH_THREADS_MOST);
    Status status = make_crew(search, err);
    Crew *crew = search->crew;
    for (int i = 0; i < threads && !status; i++) {
        if (!crew->lanes[i]) status = mem_new(1, sizeof(Lane), &crew->lanes[i], err);
        if (status) break;
        crew->lanes[i]->waiting = crew->lanes[i]->granted = 0;
        crew->lanes[i]->share = (TreeShare){0};
        atomic_store_explicit(&crew->lanes[i]->playouts, 0, memory_order_relaxed);
    }
    if (status) return status;
    crew->lane_count = threads;
    crew->gate.lane_count = threads;
    crew->visits_before = search_visits(search);
    crew->visits_left = search_visits_left(search, crew->visits_before);
    atomic_store_explicit(&crew->visits, 0, memory_order_relaxed);
    search->tree.split = search->tree.was_split = true;
    return OK;
}

void search_join(Search *search) {
    search->tree.split = false;
    for (int i = 0; i < search->crew->lane_count; i++)
        search->crew->lanes[i]->waiting = 0;
    for (int i = 0; i < search->crew->lane_count; i++)
        tree_give_back(&search->tree, &search->crew->lanes[i]->share);
    search->playouts += search_crew_playouts(search);
}

void search_pause(Search *search) {
    gate_close(&search->crew->gate);
}

void search_resume(Search *search) {
    gate_open(&search->crew->gate);
}

/* Enters the gate with room for a visit. false: the tree is full, and the thread is outside. */
static bool enter(Search *search, int lane) {
    Crew *crew = search->crew;
    Tree *tree = &search->tree;
    for (;;) {
        if (atomic_load_explicit(&tree->full, memory_order_relaxed)) return false;
        gate_enter(&crew->gate, lane);
        if (tree_has_room(tree, &crew->lanes[lane]->share, crew->lane_count)) return true;
        gate_leave(&crew->gate, lane);
        gate_close(&crew->gate);
        (void)tree_make_room(tree, crew->lane_count);
        gate_open(&crew->gate);
    }
}

/* Takes some of the visits that are left for one lane; 0: there are none. It takes many at once
 * while there are many, as their count goes from core to core; it takes one at a time in the end,
 * and where rounds of halving that are settled take back what is left. */
static int grant(Search *search) {
    enum { GRANT_MOST = 16 };
    Crew *crew = search->crew;
    bool single = search->settings.gumbel && search->settings.gumbel_stop_confidence > 0;
    long long begun = atomic_load_explicit(&crew->visits, memory_order_relaxed), share;
    do {
        long long left = crew->visits_left - begun;
        if (left <= 0) return 0;
        share = single ? 1 : left / (4 * crew->lane_count);
        share = share < 1 ? 1 : share > GRANT_MOST ? GRANT_MOST : share;
    } while (!atomic_compare_exchange_weak_explicit(&crew->visits, &begun, begun + share,
                                                    memory_order_relaxed, memory_order_relaxed));
    return (int)share;
}

/* Whether the limits allow another visit to begin. */
static bool begin_visit(Search *search, Lane *own) {
    if (search->crew->visits_left < 0) return true;
    if (!own->granted) own->granted = grant(search);
    if (!own->granted) return false;
    own->granted--;
    return true;
}

/* The visit was not made. The lane itself tries again, as other threads may have left when they
 * found no visit. */
static void give_back_visit(const Crew *crew, Lane *own) {
    if (crew->visits_left >= 0) own->granted++;
}

/* Counts a visit, inside the gate, so that a report sees it together with the tree. */
static void count_playout(Lane *own, const Slot *slot) {
    if (slot->counts_from > 0) return;
    long long before = atomic_load_explicit(&own->playouts, memory_order_relaxed);
    atomic_store_explicit(&own->playouts, before + 1, memory_order_relaxed);
}

/* A settled round ends under the root's lock, under which its choice is made. */
static void skip_inside(Search *search, int lane) {
    const SearchSettings *s = &search->settings;
    if (!s->gumbel || s->gumbel_stop_confidence <= 0 || !enter(search, lane)) return;
    tree_lock(&search->tree, 0);
    search_skip_round(search);
    tree_unlock(&search->tree, 0);
    gate_leave(&search->crew->gate, lane);
}

static Descent descend_inside(Search *search, int lane, Slot *slot) {
    if (!enter(search, lane)) return DESCENT_NONE;
    Descent descent = search_descend(search, slot);
    if (descent == DESCENT_VISIT) {
        search_back_up(search, slot, NULL);
        count_playout(search->crew->lanes[lane], slot);
    }
    gate_leave(&search->crew->gate, lane);
    return descent;
}

static SearchTurn turn_of(const Search *search, Descent last) {
    if (atomic_load_explicit(&search->tree.full, memory_order_relaxed)) return SEARCH_DONE;
    return last == DESCENT_NONE ? SEARCH_NONE : SEARCH_BUSY;
}

SearchTurn search_collect_in(Search *search, int lane, EvaluationRequest *leaves, int capacity,
                             int *count) {
    Crew *crew = search->crew;
    Lane *own = crew->lanes[lane];
    Descent descent = DESCENT_ON;
    int room = capacity < SLOTS_MOST ? capacity : SLOTS_MOST;
    *count = 0;
    for (int tries = 0; tries < TRIES_MOST && *count < room; tries++) {
        Slot *slot = search_slot(own, *count);
        if (!slot) return *count ? SEARCH_LEAVES : SEARCH_NONE;
        skip_inside(search, lane);
        if (!begin_visit(search, own)) return *count ? SEARCH_LEAVES : SEARCH_DONE;
        descent = descend_inside(search, lane, slot);
        if (descent == DESCENT_LEAF) leaves[(*count)++] = search_request(search, slot);
        bool counts = descent == DESCENT_LEAF || descent == DESCENT_VISIT;
        if (!counts || slot->counts_from > 0) give_back_visit(crew, own);
        if (descent == DESCENT_BUSY || descent == DESCENT_NONE) break;
    }
    own->waiting = *count;
    return *count ? SEARCH_LEAVES : turn_of(search, descent);
}

/* By the visits of this lane, as those of the others would have to come from their processors. */
int search_leaves_in(const Search *search, int lane) {
    const Crew *crew = search->crew;
    int64_t own = atomic_load_explicit(&crew->lanes[lane]->playouts, memory_order_relaxed);
    return search_leaves_of(search, crew->visits_before + own * crew->lane_count);
}

/* Forgets a leaf for whose evaluation there is no room. */
static void forget(Search *search, int lane, const Slot *slot) {
    uint32_t at = slot->path[slot->depth - 1];
    gate_enter(&search->crew->gate, lane);
    tree_lock(&search->tree, at);
    search->tree.nodes[at].state = NODE_NEW;
    tree_unlock(&search->tree, at);
    search_give_up(search, slot, slot->depth - 1);
    gate_leave(&search->crew->gate, lane);
}

void search_receive_in(Search *search, int lane, const Evaluation *evaluations, int count) {
    Crew *crew = search->crew;
    Lane *own = crew->lanes[lane];
    for (int i = 0; i < count; i++) {
        if (!enter(search, lane)) {
            forget(search, lane, own->slots[i]);
            continue;
        }
        if (search_take(search, own->slots[i], &evaluations[i])) count_playout(own, own->slots[i]);
        gate_leave(&crew->gate, lane);
    }
    own->waiting = 0;
}
