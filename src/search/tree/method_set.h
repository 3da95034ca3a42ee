/* method_set.h - the methods of one search: their data, their places beside the nodes, and for
 * each hook a list of the active methods that have it. Threading: confined; the lists are
 * immutable while a search is split. */
#pragma once
#include "search/tree/search_method.h"

enum { METHODS_MAX = 32 };

/* A method in one search. */
struct MethodUse {
    const SearchMethod *method;
    void *state; /* of method->state_bytes; NULL: it keeps none */
    /* Its place in the method data of each node; 0 bytes: it has none. */
    size_t node_at, node_bytes;
    bool on;     /* the settings turn it on */
    bool active; /* it takes part in the search under way */
};

/* The active methods that have a certain hook, in the order of the table. */
typedef struct {
    int count;
    const MethodUse **uses;
} MethodList;

enum { METHOD_LISTS = 13 };

/* A MethodSet must not be copied or moved, as its lists point into it. */
typedef struct {
    /* Inner nodes need search_select_by_methods(), as methods have terms there that
     * puct_select() lacks. */
    bool changes_inner_choice;
    bool changes_root_choice; /* the same for the root */
    MethodList inner_terms, root_terms, root_priors, edge_choosers, arrivals, requests, expanded,
        priors, root_expanded, sums, updates, visits, bonuses;
    int count; /* methods in `all` */
    MethodUse all[METHODS_MAX];
    const MethodUse *listed[METHOD_LISTS][METHODS_MAX]; /* storage of the lists */
} MethodSet;

/* Makes the states of the methods of a table that ends with NULL. After ERR_MEMORY the set may
 * be freed. */
MUST_USE Status method_set_init(MethodSet *set, const SearchMethod *const *methods, Error *err);
void method_set_free(MethodSet *set);
/* Finds which methods the settings turn on, and gives each its place beside the nodes. Returns
 * how many bytes all of them keep beside a node; *memory_eighths: how many eighths of the tree's
 * memory go to their tables. */
size_t method_set_place(MethodSet *set, const SearchSettings *settings, int *memory_eighths);
/* Finds anew which of the methods that keep nothing beside nodes are on: settings may turn these
 * on and off at any time. */
void method_set_find_on(MethodSet *set, const SearchSettings *settings);
/* Makes the lists; to be called after the `active` of any method changed. */
void method_set_gather(MethodSet *set);
const MethodUse *method_set_find(const MethodSet *set, const SearchMethod *method);
/* Whether several threads may use all active methods, and none keeps bytes beside nodes. */
bool method_set_splits(const MethodSet *set);

/* What a method keeps beside a node. */
static inline void *method_node(const MethodUse *use, const Tree *tree, uint32_t node) {
    return (unsigned char *)tree_method_data(tree, node) + use->node_at;
}
