/* Several threads share one tree:
 * 1. search_split() gives each thread leaves of its own and a slab of the tree's pools.
 * 2. A thread takes some of the visits that the limits allow. Then it descends and backs up.
 *    Meanwhile it shares a lock with the other threads (shared_lock.h), and takes the locks of the
 *    nodes that it passes.
 * 3. If a thread finds the pools nearly full, it takes the shared lock exclusively, so that no
 *    other thread is in the tree. Then it makes the pools larger, which may move the nodes.
 * 4. search_join() gives back the unused parts of the slabs, and adds up the counts of the
 *    threads. */
#include <stdlib.h>

#include "base/memory.h"
#include "search/core/search.h"
#include "search/core/search_private.h"

_Static_assert((int)SEARCH_THREADS_MAX == (int)SHARED_LOCK_THREADS_MAX, "as many as share a lock");

static Status make_thread_group(Search *search, Error *err) {
    if (search->group) return OK;
    Status status = mem_new(1, sizeof *search->group, &search->group, err);
    if (status) return status;
    shared_lock_init(&search->group->lock, SHARED_LOCK_THREADS_MAX);
    pthread_mutex_init(&search->group->ownership_lock, NULL);
    search->group->threads[0] = &search->first_thread;
    return OK;
}

bool search_root_ready(const Search *search) {
    return search->begun && search->tree.node_count && !search->root_stale &&
           search->tree.nodes[0].state == NODE_EXPANDED;
}

bool search_can_split(const Search *search) {
    return method_set_splits(&search->methods);
}

int search_threads(const Search *search, int max) {
    int64_t each = search->settings.playouts_per_thread,
            left = search_visits_left(search, search_visits(search));
    if (each <= 0 || left < 0 || left / each >= max) return max;
    return left / each > 1 ? (int)(left / each) : 1;
}

Status search_split(Search *search, int threads, Error *err) {
    if (threads < 1 || threads > SEARCH_THREADS_MAX)
        return fail(err, ERR_ARGUMENT, "%d threads on a tree, wanted 1 to %d", threads,
                    SEARCH_THREADS_MAX);
    Status status = make_thread_group(search, err);
    ThreadGroup *group = search->group;
    for (int i = 0; i < threads && !status; i++) {
        if (!group->threads[i]) status = mem_new(1, sizeof(SearchThread), &group->threads[i], err);
        if (status) break;
        group->threads[i]->waiting = group->threads[i]->granted = 0;
        group->threads[i]->slab = (TreeSlab){0};
        atomic_store_explicit(&group->threads[i]->playouts, 0, memory_order_relaxed);
    }
    if (status) return status;
    group->thread_count = threads;
    group->lock.thread_count = threads;
    group->visits_before = search_visits(search);
    group->visits_left = search_visits_left(search, group->visits_before);
    atomic_store_explicit(&group->visits, 0, memory_order_relaxed);
    search->tree.split = search->tree.was_split = true;
    return OK;
}

void search_join(Search *search) {
    search->tree.split = false;
    for (int i = 0; i < search->group->thread_count; i++)
        search->group->threads[i]->waiting = 0;
    for (int i = 0; i < search->group->thread_count; i++)
        tree_give_back(&search->tree, &search->group->threads[i]->slab);
    search->playouts += search_split_playouts(search);
}

void search_pause(Search *search) {
    shared_lock_begin_exclusive(&search->group->lock);
}

void search_resume(Search *search) {
    shared_lock_end_exclusive(&search->group->lock);
}

/* Makes sure that the thread's slab has room for a visit, and takes the shared lock. If the tree is
 * full, returns false and does not hold the lock. */
static bool enter_with_room(Search *search, int thread) {
    ThreadGroup *group = search->group;
    Tree *tree = &search->tree;
    for (;;) {
        if (atomic_load_explicit(&tree->full, memory_order_relaxed)) return false;
        shared_lock_enter(&group->lock, thread);
        if (tree_has_room(tree, &group->threads[thread]->slab, group->thread_count)) return true;
        shared_lock_leave(&group->lock, thread);
        shared_lock_begin_exclusive(&group->lock);
        (void)tree_make_room(tree, group->thread_count);
        shared_lock_end_exclusive(&group->lock);
    }
}

/* Takes some of the visits that the limits still allow, for one thread, and returns how many. While
 * many visits are left, it takes several at once, because each change moves the counter's cache
 * line from core to core. Near the end it takes one at a time. It also does so in a Gumbel search
 * whose rounds may end early or be extended, because such rounds change the number of visits that
 * are left. */
static int grant_visits(Search *search) {
    enum { GRANT_MAX = 16 };
    ThreadGroup *group = search->group;
    bool single = search->settings.gumbel.on && search->settings.gumbel.stop_confidence > 0;
    long long begun = atomic_load_explicit(&group->visits, memory_order_relaxed), grant;
    do {
        long long left = group->visits_left - begun;
        if (left <= 0) return 0;
        grant = single ? 1 : left / (4 * group->thread_count);
        grant = grant < 1 ? 1 : grant > GRANT_MAX ? GRANT_MAX : grant;
    } while (!atomic_compare_exchange_weak_explicit(&group->visits, &begun, begun + grant,
                                                    memory_order_relaxed, memory_order_relaxed));
    return (int)grant;
}

/* Whether the limits allow another visit. If so, counts it as begun. */
static bool begin_visit(Search *search, SearchThread *own) {
    if (search->group->visits_left < 0) return true;
    if (!own->granted) own->granted = grant_visits(search);
    if (!own->granted) return false;
    own->granted--;
    return true;
}

/* Takes back a visit that was granted but not made. The thread keeps the visit for itself, because
 * the other threads may have ended already, when no visit was left for them. */
static void give_back_visit(const ThreadGroup *group, SearchThread *own) {
    if (group->visits_left >= 0) own->granted++;
}

/* Counts a visit while the lock is shared, so that a report sees the count together with the
 * tree. */
static void count_playout(SearchThread *own, const PendingLeaf *leaf) {
    if (leaf->counts_from > 0) return;
    long long before = atomic_load_explicit(&own->playouts, memory_order_relaxed);
    atomic_store_explicit(&own->playouts, before + 1, memory_order_relaxed);
}

/* Adapts the halving round, under the lock of the root. Choices at the root are made under this
 * lock too. */
static void skip_inside(Search *search, int thread) {
    const SearchSettings *s = &search->settings;
    if (!s->gumbel.on || s->gumbel.stop_confidence <= 0 || !enter_with_room(search, thread)) return;
    tree_lock(&search->tree, 0);
    search_adapt_round(search);
    tree_unlock(&search->tree, 0);
    shared_lock_leave(&search->group->lock, thread);
}

static Descent descend_inside(Search *search, int thread, PendingLeaf *leaf) {
    if (!enter_with_room(search, thread)) return DESCENT_NONE;
    Descent descent = search_descend(search, leaf);
    if (descent == DESCENT_VISIT) {
        search_back_up(search, leaf, NULL);
        count_playout(search->group->threads[thread], leaf);
    }
    shared_lock_leave(&search->group->lock, thread);
    return descent;
}

static CollectResult result_without_leaves(const Search *search, Descent last) {
    if (atomic_load_explicit(&search->tree.full, memory_order_relaxed)) return SEARCH_DONE;
    return last == DESCENT_NONE ? SEARCH_NONE : SEARCH_BUSY;
}

CollectResult search_collect_in(Search *search, int thread, EvaluationRequest *leaves, int capacity,
                                int *count) {
    ThreadGroup *group = search->group;
    SearchThread *own = group->threads[thread];
    Descent descent = DESCENT_ON;
    int room = capacity < PENDING_LEAVES_MAX ? capacity : PENDING_LEAVES_MAX;
    *count = 0;
    for (int tries = 0; tries < TRIES_MAX && *count < room; tries++) {
        PendingLeaf *leaf = search_pending_leaf(own, *count);
        if (!leaf) return *count ? SEARCH_LEAVES : SEARCH_NONE;
        skip_inside(search, thread);
        if (!begin_visit(search, own)) return *count ? SEARCH_LEAVES : SEARCH_DONE;
        descent = descend_inside(search, thread, leaf);
        if (descent == DESCENT_LEAF) leaves[(*count)++] = search_request(search, leaf);
        bool counts = descent == DESCENT_LEAF || descent == DESCENT_VISIT;
        if (!counts || leaf->counts_from > 0) give_back_visit(group, own);
        if (descent == DESCENT_BUSY || descent == DESCENT_NONE) break;
    }
    own->waiting = *count;
    return *count ? SEARCH_LEAVES : result_without_leaves(search, descent);
}

/* Estimates the visits of the root. It takes the number of playouts since the split to be that of
 * this thread, times the number of threads. Reading the counts of other threads would cost cache
 * misses. */
int search_leaves_in(const Search *search, int thread) {
    const ThreadGroup *group = search->group;
    int64_t own = atomic_load_explicit(&group->threads[thread]->playouts, memory_order_relaxed);
    return search_leaves_of(search, group->visits_before + own * group->thread_count);
}

/* Gives up a leaf if the tree has no room for its evaluation. */
static void forget_leaf(Search *search, int thread, const PendingLeaf *leaf) {
    uint32_t at = leaf->path[leaf->depth - 1];
    shared_lock_enter(&search->group->lock, thread);
    tree_lock(&search->tree, at);
    search->tree.nodes[at].state = NODE_NEW;
    tree_unlock(&search->tree, at);
    search_abandon_path(search, leaf, leaf->depth - 1);
    shared_lock_leave(&search->group->lock, thread);
}

void search_receive_in(Search *search, int thread, const Evaluation *evaluations, int count) {
    ThreadGroup *group = search->group;
    SearchThread *own = group->threads[thread];
    for (int i = 0; i < count; i++) {
        if (!enter_with_room(search, thread)) {
            forget_leaf(search, thread, own->leaves[i]);
            continue;
        }
        if (search_receive_leaf(search, own->leaves[i], &evaluations[i]))
            count_playout(own, own->leaves[i]);
        shared_lock_leave(&group->lock, thread);
    }
    own->waiting = 0;
}
