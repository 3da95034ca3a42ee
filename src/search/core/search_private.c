#include "search/core/search_private.h"

#include <stdlib.h>

#include "base/memory.h"

void *search_state_of(const Search *search, const SearchMethod *method) {
    return method_set_find(&search->methods, method)->state;
}

void search_configure_methods(Search *search) {
    /* When a part of the tree is kept after a move, two trees exist for a moment. Each may have
     * half of the memory, so that both together stay within the limit. */
    size_t half = (size_t)search->settings.tree_memory_mb << 19;
    int eighths;
    size_t bytes = method_set_place(&search->methods, &search->settings, &eighths);
    search->tree.limit_bytes = half - (size_t)eighths * (half / 8);
    search->spare.limit_bytes = search->tree.limit_bytes;
    for (int i = 0; i < search->methods.count; i++) {
        const MethodUse *use = &search->methods.all[i];
        if (use->method->configure) use->method->configure(search, use);
    }
    method_set_gather(&search->methods);
    if (bytes == search->tree.method_bytes) return;
    search_reset(search);
    tree_clear(&search->spare);
    tree_set_method_bytes(&search->tree, bytes);
    tree_set_method_bytes(&search->spare, bytes);
}

void search_begin_methods(Search *search) {
    MethodSet *set = &search->methods;
    method_set_find_on(set, &search->settings);
    for (int i = 0; i < set->count; i++) {
        MethodUse *use = &set->all[i];
        use->active = use->on && (!use->method->begin || use->method->begin(search, use));
    }
    method_set_gather(set);
}

double search_move_bonus(const Search *search, const Edge *edge) {
    const MethodList *list = &search->methods.bonuses;
    double sum = 0;
    for (int i = 0; i < list->count; i++)
        sum += list->uses[i]->method->move_bonus(search, list->uses[i], edge);
    return sum;
}

static void forget_tree(Search *search, bool all) {
    tree_clear(&search->tree);
    search->has_ownership = search->root_stale = false;
    search->first_thread.waiting = 0;
    search->gumbel.count = 0;
    search->refusal = NULL;
    search->changes = (RootChanges){0};
    for (int i = 0; i < search->methods.count; i++) {
        const MethodUse *use = &search->methods.all[i];
        if (use->method->forget) use->method->forget(search, use, all);
    }
}

void search_reset(Search *search) {
    forget_tree(search, true);
}

void search_drop_nodes(Search *search) {
    forget_tree(search, false);
}

int64_t search_visits(const Search *search) {
    return search->tree.node_count ? search->tree.nodes[0].visits : 0;
}

int64_t search_split_playouts(const Search *search) {
    const ThreadGroup *group = search->group;
    int64_t sum = 0;
    for (int i = 0; i < group->thread_count; i++)
        sum += atomic_load_explicit(&group->threads[i]->playouts, memory_order_relaxed);
    return sum;
}

int64_t search_playouts(const Search *search) {
    if (!search->tree.split) return search->playouts;
    return search->playouts + search_split_playouts(search);
}

int64_t search_visits_left(const Search *search, int64_t visits) {
    const SearchLimits *limits = &search->limits;
    int64_t left = limits->visits - (visits ? visits : 1) - search->skipped;
    int64_t playouts = limits->playouts - search_playouts(search) - search->skipped -
                       !visits; /* the evaluation of the root is one of them */
    if (left < 0) left = 0;
    if (playouts < 0) playouts = 0;
    if (!limits->playouts) return limits->visits ? left : -1;
    return limits->visits && left < playouts ? left : playouts;
}

void search_free_thread(SearchThread *thread) {
    for (int i = 0; i < PENDING_LEAVES_MAX; i++) {
        if (thread->leaves[i]) position_clear(&thread->leaves[i]->position);
        free(thread->leaves[i]);
    }
}

void search_free_thread_group(Search *search) {
    ThreadGroup *group = search->group;
    if (!group) return;
    for (int i = 1; i < SHARED_LOCK_THREADS_MAX; i++) { /* threads[0] belongs to the search */
        if (group->threads[i]) search_free_thread(group->threads[i]);
        free(group->threads[i]);
    }
    shared_lock_clear(&group->lock);
    pthread_mutex_destroy(&group->ownership_lock);
    free(group);
}
