/* sgf_tree.h - games as a tree of nodes with properties, as SGF text has them. Everything lives in
 * one arena, and all walks are loops, so deep nesting costs memory only. Threading: confined. */
#pragma once
#include "base/memory.h"
#include "base/strbuf.h"

typedef struct SgfValue {
    const char *text; /* as between the brackets, escapes kept; not 0-terminated; UTF-8 */
    size_t length;
    struct SgfValue *next;
} SgfValue;

typedef struct SgfProperty {
    const char *name; /* upper case, 0-terminated: "AB" */
    int line;
    SgfValue *values, *last_value; /* at least one */
    struct SgfProperty *next;
} SgfProperty;

typedef struct SgfNode {
    struct SgfNode *parent, *child, *last_child, *sibling; /* first child, next sibling */
    struct SgfNode *before;                                /* the node made before this one */
    SgfProperty *properties, *last_property;
    int line;
    int height; /* nodes on the longest way down, this one included; see sgf_tree_measure() */
} SgfNode;

typedef struct {
    Arena arena;
    SgfNode *games, *last_game; /* roots, linked by `sibling` */
    SgfNode *newest;
    int game_count;
} SgfTree; /* {0} is empty */

void sgf_tree_clear(SgfTree *tree);

/* A new last child of `parent`, or a new game for NULL. NULL: no room. */
SgfNode *sgf_tree_add_node(SgfTree *tree, SgfNode *parent);
/* A property at the end of the node, without values yet; `name` is copied. NULL: no room. */
SgfProperty *sgf_tree_add_property(SgfTree *tree, SgfNode *node, const char *name, size_t length);
/* A value at the end of the property; `text`, with its escapes, must live as long as the tree.
 * False: no room. */
bool sgf_tree_add_value(SgfTree *tree, SgfProperty *property, const char *text, size_t length);

/* Fills `height` of all nodes. */
void sgf_tree_measure(SgfTree *tree);
/* The node that follows on the main line, or on the longest variation (the first of equals). NULL
 * at the end. */
const SgfNode *sgf_tree_follow(const SgfNode *node, bool main_line);

/* The first property of that name, from the node's first or after `from`. NULL: none. */
const SgfProperty *sgf_tree_find(const SgfNode *node, const char *name);
const SgfProperty *sgf_tree_find_next(const SgfProperty *from, const char *name);

/* The text of a value: escapes undone, soft line breaks gone, other breaks as '\n' (or a space when
 * `simple`), other blanks as spaces. 0-terminated, in `arena`; NULL: no room. */
const char *sgf_tree_text(const SgfValue *value, bool simple, Arena *arena);
