/* sgf_tree.h - the games of an SGF text as a tree of nodes with properties. Everything lives in one
 * arena. No function recurses, so that deep nesting cannot overflow the stack. Threading:
 * confined. */
#pragma once
#include "base/memory.h"
#include "base/strbuf.h"

typedef struct SgfValue {
    const char *text; /* what is between the brackets, with escapes; UTF-8, no final 0 */
    size_t length;
    struct SgfValue *next;
} SgfValue;

typedef struct SgfProperty {
    const char *name; /* in upper case, as "AB" */
    int line;
    SgfValue *values, *last_value; /* a parsed property has at least one */
    struct SgfProperty *next;
} SgfProperty;

typedef struct SgfNode {
    struct SgfNode *parent, *child, *last_child, *sibling; /* first child, next sibling */
    struct SgfNode *before;                                /* the node made before this one */
    SgfProperty *properties, *last_property;
    int line;
    int height; /* nodes on the longest path from here down; set by sgf_tree_measure() */
} SgfNode;

typedef struct {
    Arena arena;
    SgfNode *games, *last_game; /* roots, linked by `sibling` */
    SgfNode *newest;
    int game_count;
} SgfTree; /* {0} is empty */

void sgf_tree_clear(SgfTree *tree);

/* Adds a node as the last child of `parent`, or as the root of a new game if `parent` is NULL.
 * Returns NULL if there is no memory. */
SgfNode *sgf_tree_add_node(SgfTree *tree, SgfNode *parent);
/* Adds a property without values at the end of the node. `name` is copied. Returns NULL if there is
 * no memory. */
SgfProperty *sgf_tree_add_property(SgfTree *tree, SgfNode *node, const char *name, size_t length);
/* Adds a value at the end of the property. `text`, which includes the escapes, must live as long as
 * the tree. Returns false if there is no memory. */
bool sgf_tree_add_value(SgfTree *tree, SgfProperty *property, const char *text, size_t length);

/* Sets `height` of all nodes. */
void sgf_tree_measure(SgfTree *tree);
/* Returns the next node of the main line or, if `main_line` is false, of the longest variation (the
 * first of equally long ones). Returns NULL where the variation ends. */
const SgfNode *sgf_tree_follow(const SgfNode *node, bool main_line);

/* Return the first property of that name in the node, or the next one after `from`, or NULL if
 * there is none. */
const SgfProperty *sgf_tree_find(const SgfNode *node, const char *name);
const SgfProperty *sgf_tree_find_next(const SgfProperty *from, const char *name);

/* Converts a value to text in `arena` with a final 0: removes escapes and soft line breaks, turns
 * other line breaks into '\n' (into spaces if `simple`), and turns other blanks into spaces.
 * Returns NULL if there is no memory. */
const char *sgf_tree_text(const SgfValue *value, bool simple, Arena *arena);
