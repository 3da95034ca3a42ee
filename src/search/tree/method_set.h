/* method_set.h - the methods of one search: their data, their places beside the nodes, and lists of
 * those that have a hook and are active. Threading: confined; the lists are immutable while a
 * search is split. */
#pragma once
#include "search/tree/search_method.h"

enum { METHODS_MAX = 32 };

/* A method in one search. */
struct MethodUse {
    const SearchMethod *method;
    void *state;                /* method->state_bytes; NULL: none */
    size_t node_at, node_bytes; /* its place beside each node; 0 bytes: none */
    bool on;                    /* by the settings */
    bool active;                /* in this search */
};

/* The active methods that have a certain hook, in the order of the table. */
typedef struct {
    int count;
    const MethodUse **uses;
} MethodList;

enum { METHOD_LISTS = 13 };

/* It may not be moved, as the lists point into it. */
typedef struct {
    bool changes_inner_choice; /* whether puct_select() does not say it all at inner nodes */
    bool changes_root_choice;  /* the same at the root */
    MethodList inner_terms, root_terms, root_priors, edge_choosers, arrivals, requests, expanded,
        priors, root_expanded, sums, updates, visits, bonuses;
    int count; /* of all methods */
    MethodUse all[METHODS_MAX];
    const MethodUse *listed[METHOD_LISTS][METHODS_MAX]; /* what the lists hold */
} MethodSet;

/* Makes the states of all methods of a table that ends with NULL. ERR_MEMORY: the set may be
 * freed. */
MUST_USE Status method_set_init(MethodSet *set, const SearchMethod *const *methods, Error *err);
void method_set_free(MethodSet *set);
/* Finds which methods the settings turn on, and gives each its place beside the nodes. Returns how
 * many bytes all of them keep there; *memory_eighths: what their tables take of the tree's
 * memory. */
size_t method_set_place(MethodSet *set, const SearchSettings *settings, int *memory_eighths);
/* The settings may turn a method without bytes beside the nodes on and off at any time. */
void method_set_find_on(MethodSet *set, const SearchSettings *settings);
/* Makes the lists; after `active` changed anywhere. */
void method_set_gather(MethodSet *set);
const MethodUse *method_set_find(const MethodSet *set, const SearchMethod *method);
/* Whether all that are active may be used by several threads, and none keeps bytes beside nodes. */
bool method_set_splits(const MethodSet *set);

/* What a method keeps beside a node. */
static inline void *method_node(const MethodUse *use, const Tree *tree, uint32_t node) {
    return (unsigned char *)tree_method_data(tree, node) + use->node_at;
}
