/* eval_tree.h - the tree that `aji eval --tree` shows: its options, its text and its JSON.
 * Threading: confined. */
#pragma once
#include "base/json.h"
#include "base/options/options.h"
#include "base/strbuf.h"
#include "search/result/tree_view.h"

enum { TREE_OPTIONS = 5 };
typedef struct {
    bool on;
    int depth, branches, min_visits;
    const char *line; /* the moves to the node at which the tree begins; NULL means the root */
} TreeChoice;

TreeChoice eval_tree_choice(void); /* the defaults */
/* Writes the options, which set `choice`. */
void eval_tree_options(TreeChoice *choice, Option options[TREE_OPTIONS]);
/* Takes the tree from a search that has ended. The caller frees *out.
 * ERR_ARGUMENT: a move of the line cannot be read, or the search did not visit it. */
MUST_USE Status eval_tree_take(const TreeChoice *choice, const Search *search, TreeViewNode **out,
                               size_t *count, Error *err);
/* Adds the tree as text. Values are those of `mover`. */
void eval_tree_text(const TreeViewNode *nodes, size_t count, Color mover, int height, StrBuf *out);
/* Returns the tree as nested objects, or NULL if there is no memory. */
json_t *eval_tree_json(const TreeViewNode *nodes, size_t count, int height);
