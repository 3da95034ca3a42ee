/* sgf_tree.h - the games of an SGF text as a tree of nodes with properties. The tree stores only a
 * pointer to the text, which must stay in memory, and 16 bytes for each variation. Nodes,
 * properties and values are parsed when a caller asks for them. So the tree of a game without
 * variations takes nearly no memory. The variations of any text take at most 8 bytes of memory for
 * each byte of the text. "(;(;(;" is a text that needs these 8 bytes. No function recurses, so deep
 * nesting cannot overflow the stack. Threading: confined. */
#pragma once
#include "base/memory.h"
#include "base/strbuf.h"
#include "sgf/sgf_lines.h"
#include "sgf/sgf_token.h"
#include <stdint.h>

#define SGF_BRANCHES_LIMIT (1u << 25) /* a text with more variations is refused */
#define SGF_NONE UINT32_MAX

/* A sequence of nodes, in the order of the text. Each node is the only child of the node before it.
 * Branches are numbered in the order in which they begin. */
typedef struct {
    /* Index of the character in the text where the branch begins. It shows the kind of branch:
     *     "("       a game or a variation
     *     ";"       nodes after the ")" of a variation; they are a variation, too
     *     a letter  properties after the ")" of a variation; they belong to the last node of the
     *               parent */
    uint32_t begin;
    uint32_t parent;  /* this branch follows the last node of that branch; or SGF_NONE */
    uint32_t sibling; /* the next branch with the same parent, or SGF_NONE */
    uint32_t height;  /* nodes on the longest path that begins at its first node */
} SgfBranch;

/* Block 0 has SGF_BLOCK_BRANCHES branches. Each other block has as many branches as all blocks
 * before it together. */
enum { SGF_BLOCK_BRANCHES = 32, SGF_BLOCKS = 21 };
_Static_assert((size_t)SGF_BLOCK_BRANCHES << (SGF_BLOCKS - 1) == SGF_BRANCHES_LIMIT,
               "the blocks have room for all branches");

typedef struct {
    const char *text, *end;
    StrBuf decoded; /* the text, if the tree owns it */
    SgfLines lines;
    SgfBranch *blocks[SGF_BLOCKS];
    uint32_t branch_count;
    int game_count;
} SgfTree; /* {0} is empty */

typedef struct {
    uint32_t branch;
    uint32_t at; /* index of the node's ";" in the text */
} SgfNode;

typedef struct {
    const SgfTree *tree;
    SgfNode node;
    uint32_t branch;                    /* the branch in which the text of the property is */
    uint32_t at;                        /* index of its name in the text */
    const char *values;                 /* its first "[" */
    char name[SGF_NAME_LENGTH_MAX + 1]; /* in upper case, as "AB" */
} SgfProperty;

typedef struct {
    const char *text; /* what is between the brackets, with escapes; UTF-8, no final 0 */
    size_t length;
} SgfValue;

void sgf_tree_clear(SgfTree *tree);

/* For the parser: returns branch `number`, which must be below `branch_count`. */
SgfBranch *sgf_tree_branch(const SgfTree *tree, uint32_t number);
/* For the parser: adds a branch that begins at text[begin] after its sibling `before`, which may be
 * SGF_NONE. Returns its number, or SGF_NONE if there is no memory or the limit is reached. */
uint32_t sgf_tree_add_branch(SgfTree *tree, size_t begin, uint32_t parent, uint32_t before);
/* For the parser: sets `height` of all branches. Before this call, `height` is the number of nodes
 * of the branch. */
void sgf_tree_measure(SgfTree *tree);

/* Returns the first branch whose nodes follow the last node of branch `number`, or SGF_NONE. */
uint32_t sgf_tree_child_branch(const SgfTree *tree, uint32_t number);
/* Returns the next branch that follows the same node as branch `number`, or SGF_NONE. A game is the
 * sibling of the game before it. */
uint32_t sgf_tree_sibling_branch(const SgfTree *tree, uint32_t number);

/* Sets `*node` to the first node of a branch. The first node of branch 0 is the root of the first
 * game. Returns false if there is no such branch. */
bool sgf_tree_enter(const SgfTree *tree, uint32_t number, SgfNode *node);
/* Sets `*node` to its first child. If there is none, returns false and leaves `*node` alone. */
bool sgf_tree_child(const SgfTree *tree, SgfNode *node);
/* Sets `*node` to the next node of the main line if `main_line` is true, and otherwise to the next
 * node of the longest variation (the first of equally long ones). Returns false if the main line or
 * variation ends at `*node`. */
bool sgf_tree_follow(const SgfTree *tree, SgfNode *node, bool main_line);

/* Walk through the properties of a node. Both functions return false if there are no more. */
bool sgf_tree_property(const SgfTree *tree, SgfNode node, SgfProperty *out);
bool sgf_property_next(SgfProperty *property);
/* Find the first property of this name in the node, and the next property of the same name. Both
 * functions return false if there is none. */
bool sgf_tree_find(const SgfTree *tree, SgfNode node, const char *name, SgfProperty *out);
bool sgf_property_find_next(SgfProperty *property);

/* Walk through the values of a property. Each property has at least one value. */
SgfValue sgf_property_value(const SgfProperty *property);
bool sgf_property_next_value(const SgfProperty *property, SgfValue *value);

/* Returns the number of the line in which text[at] is. `at` may be, for example, SgfNode.at or
 * SgfProperty.at. */
int sgf_tree_line(SgfTree *tree, uint32_t at);

/* Converts a value to text with a final 0. Escapes and soft line breaks are removed. Other line
 * breaks become '\n' or, if `simple` is true, spaces. Other blanks become spaces. `out` must have
 * room for value->length + 1 characters. */
void sgf_value_unescape(const SgfValue *value, bool simple, char *out);
/* Does the same in `arena`. Returns NULL if there is no memory. */
const char *sgf_value_text(const SgfValue *value, bool simple, Arena *arena);
