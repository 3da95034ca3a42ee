#include "search/tree/method_set.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

Status method_set_init(MethodSet *set, const SearchMethod *const *methods, Error *err) {
    for (; *methods; methods++) {
        assert(set->count < METHODS_MAX);
        MethodUse *use = &set->all[set->count++];
        unsigned char *state = NULL;
        use->method = *methods;
        Status status = (*methods)->state_bytes
                            ? mem_new((*methods)->state_bytes, sizeof *state, &state, err)
                            : OK;
        if (status) return status;
        use->state = state;
    }
    return OK;
}

void method_set_free(MethodSet *set) {
    for (int i = 0; i < set->count; i++) {
        MethodUse *use = &set->all[i];
        if (use->state && use->method->free) use->method->free(use->state);
        free(use->state);
    }
    *set = (MethodSet){0};
}

size_t method_set_place(MethodSet *set, const SearchSettings *settings, int *memory_eighths) {
    size_t bytes = 0;
    *memory_eighths = 0;
    for (int i = 0; i < set->count; i++) {
        MethodUse *use = &set->all[i];
        const SearchMethod *method = use->method;
        use->on = method->is_on(settings, use->state);
        /* The data of a node are aligned to 4 bytes. */
        use->node_bytes =
            use->on && method->node_bytes ? (method->node_bytes(settings) + 3) / 4 * 4 : 0;
        use->node_at = bytes;
        bytes += use->node_bytes;
        if (use->on) *memory_eighths += method->memory_eighths;
        /* A method with begin() keeps its last decision until the next search begins, unless the
         * method is off now. */
        if (!use->on)
            use->active = false;
        else if (!method->begin)
            use->active = true;
    }
    return bytes;
}

void method_set_find_on(MethodSet *set, const SearchSettings *settings) {
    for (int i = 0; i < set->count; i++) {
        MethodUse *use = &set->all[i];
        if (!use->method->node_bytes) use->on = use->method->is_on(settings, use->state);
    }
}

static void add_to_list(MethodList *list, const MethodUse *use, bool has_hook) {
    if (has_hook) list->uses[list->count++] = use;
}

static void clear_lists(MethodSet *set) {
    MethodList *const LISTS[] = {
        &set->inner_terms,   &set->root_terms, &set->root_priors, &set->edge_choosers,
        &set->arrivals,      &set->requests,   &set->expanded,    &set->priors,
        &set->sums,          &set->updates,    &set->visits,      &set->bonuses,
        &set->root_expanded,
    };
    _Static_assert(sizeof LISTS / sizeof *LISTS == METHOD_LISTS, "room for each list");
    for (int i = 0; i < METHOD_LISTS; i++)
        *LISTS[i] = (MethodList){0, set->listed[i]};
    set->changes_inner_choice = set->changes_root_choice = false;
}

void method_set_gather(MethodSet *set) {
    clear_lists(set);
    for (int i = 0; i < set->count; i++) {
        const MethodUse *use = &set->all[i];
        const SearchMethod *method = use->method;
        if (!use->active) continue;
        bool chooses = method->term && !method->in_puct;
        set->changes_inner_choice |= chooses && !method->root_only;
        set->changes_root_choice |= chooses || method->move_bonus;
        add_to_list(&set->inner_terms, use, method->term && !method->root_only);
        add_to_list(&set->root_terms, use, method->term);
        add_to_list(&set->root_priors, use, method->root_priors);
        add_to_list(&set->edge_choosers, use, method->choose_edge);
        add_to_list(&set->arrivals, use, method->arrive);
        add_to_list(&set->requests, use, method->request);
        add_to_list(&set->expanded, use, method->expanded);
        add_to_list(&set->priors, use, method->priors);
        add_to_list(&set->root_expanded, use, method->root_expanded);
        add_to_list(&set->sums, use, method->sum);
        add_to_list(&set->updates, use, method->updated);
        add_to_list(&set->visits, use, method->visited);
        add_to_list(&set->bonuses, use, method->move_bonus);
    }
}

const MethodUse *method_set_find(const MethodSet *set, const SearchMethod *method) {
    for (int i = 0; i < set->count; i++) {
        if (set->all[i].method == method) return &set->all[i];
    }
    return NULL;
}

bool method_set_splits(const MethodSet *set) {
    for (int i = 0; i < set->count; i++) {
        const MethodUse *use = &set->all[i];
        if (use->node_bytes && !use->method->node_data_splits) return false;
        if (use->active && !use->method->splits) return false;
    }
    return true;
}
