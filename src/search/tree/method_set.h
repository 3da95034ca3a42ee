/* method_set.h - the methods of one search, which are plug-ins (search_method.h). For each method
 * the set has its state, and the place of its data among the data of a node. For most hooks it has
 * a list of the active methods with this hook. Threading: confined; the lists are immutable while
 * several threads share the search. */
#pragma once
#include "search/tree/search_method.h"

enum { METHODS_MAX = 32 };

/* A method in one search. */
struct MethodUse {
    const SearchMethod *method;
    void *state; /* method->state_bytes of memory; NULL if that is 0 */
    /* Offset and size of the method's data in the data of each node. If node_bytes is 0, the method
     * has no such data. */
    size_t node_at, node_bytes;
    bool on;     /* what method->is_on() returned */
    bool active; /* it takes part in the search under way */
};

/* The active methods that have a certain hook, in the order of the table in methods.c. */
typedef struct {
    int count;
    const MethodUse **uses;
} MethodList;

enum { METHOD_LISTS = 13 };

/* A MethodSet must not be copied or moved, because its lists point into it. */
typedef struct {
    /* Whether search_select_by_methods() must choose the moves below the root, because a method has
     * a term that puct_select() does not compute. */
    bool changes_inner_choice;
    bool changes_root_choice; /* the same for the root, where a move_bonus counts too */
    MethodList inner_terms, root_terms, root_priors, edge_choosers, arrivals, requests, expanded,
        priors, root_expanded, sums, updates, visits, bonuses;
    int count; /* methods in `all` */
    MethodUse all[METHODS_MAX];
    const MethodUse *listed[METHOD_LISTS][METHODS_MAX]; /* storage of the lists */
} MethodSet;

/* Takes the methods of the table `methods`, which ends with NULL, and allocates their states. The
 * caller must free the set even after ERR_MEMORY. */
MUST_USE Status method_set_init(MethodSet *set, const SearchMethod *const *methods, Error *err);
void method_set_free(MethodSet *set);
/* Finds which methods are on, and gives each of them a place in the data of a node. Returns how
 * many bytes all methods together keep for each node. Sets *memory_eighths to the number of eighths
 * of the tree's memory that the tables of methods take. */
size_t method_set_place(MethodSet *set, const SearchSettings *settings, int *memory_eighths);
/* Finds again which methods are on, but only among the methods that keep no data for nodes. Such
 * methods may be turned on and off at any time. */
void method_set_find_on(MethodSet *set, const SearchSettings *settings);
/* Fills the lists of hooks. Call it after the `active` of any method has changed. */
void method_set_gather(MethodSet *set);
const MethodUse *method_set_find(const MethodSet *set, const SearchMethod *method);
/* Whether several threads may share the search. All active methods must allow it, and all methods
 * that keep data for each node must allow it too. */
bool method_set_splits(const MethodSet *set);

/* The data that a method keeps for a node. */
static inline void *method_node(const MethodUse *use, const Tree *tree, uint32_t node) {
    return (unsigned char *)tree_method_data(tree, node) + use->node_at;
}
