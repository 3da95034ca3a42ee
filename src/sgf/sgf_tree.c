#include "sgf/sgf_tree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void sgf_tree_clear(SgfTree *tree) {
    for (int i = 0; i < SGF_BLOCKS; i++)
        free(tree->blocks[i]);
    sgf_lines_clear(&tree->lines);
    strbuf_clear(&tree->decoded);
    *tree = (SgfTree){0};
}

/* Returns the number of the branch's block, and sets `*within` to its index in the block. */
static int find_block(uint32_t number, uint32_t *within) {
    *within = number;
    if (number < SGF_BLOCK_BRANCHES) return 0;
    int highest = 31 - __builtin_clz(number); /* this bit decides the block, except for block 0 */
    *within = number - (1u << highest);
    return highest - (31 - __builtin_clz(SGF_BLOCK_BRANCHES)) + 1;
}

SgfBranch *sgf_tree_branch(const SgfTree *tree, uint32_t number) {
    assert(number < tree->branch_count);
    uint32_t within;
    int block = find_block(number, &within);
    return &tree->blocks[block][within];
}

uint32_t sgf_tree_add_branch(SgfTree *tree, size_t begin, uint32_t parent, uint32_t before) {
    uint32_t number = tree->branch_count, within;
    if (number == SGF_BRANCHES_LIMIT) return SGF_NONE;
    int block = find_block(number, &within);
    if (!tree->blocks[block]) {
        size_t size = block ? (size_t)SGF_BLOCK_BRANCHES << (block - 1) : SGF_BLOCK_BRANCHES;
        /* The memory is not cleared, because clearing parts that are never used takes time. */
        tree->blocks[block] = malloc(mem_array_bytes(size, sizeof **tree->blocks));
        if (!tree->blocks[block]) return SGF_NONE;
    }
    tree->blocks[block][within] =
        (SgfBranch){.begin = (uint32_t)begin, .parent = parent, .sibling = SGF_NONE};
    tree->branch_count++;
    if (before != SGF_NONE) sgf_tree_branch(tree, before)->sibling = number;
    return number;
}

/* Returns whether the branch has only further properties of the last node of its parent, and no
 * nodes. */
static bool is_continuation(const SgfTree *tree, const SgfBranch *branch) {
    char first = tree->text[branch->begin];
    return first != '(' && first != ';';
}

/* Returns the first branch, of any kind, whose parent is branch `number`, or SGF_NONE. It can only
 * be the next branch in the order of the text. */
static uint32_t first_below(const SgfTree *tree, uint32_t number) {
    uint32_t next = number + 1;
    bool below = next < tree->branch_count && sgf_tree_branch(tree, next)->parent == number;
    return below ? next : SGF_NONE;
}

/* Returns the first branch for which is_continuation() returns `continuation`, among branch
 * `number` and its later siblings. Returns SGF_NONE if there is none. */
static uint32_t find_kind(const SgfTree *tree, uint32_t number, bool continuation) {
    while (number != SGF_NONE) {
        const SgfBranch *branch = sgf_tree_branch(tree, number);
        if (is_continuation(tree, branch) == continuation) break;
        number = branch->sibling;
    }
    return number;
}

uint32_t sgf_tree_child_branch(const SgfTree *tree, uint32_t number) {
    return find_kind(tree, first_below(tree, number), false);
}

uint32_t sgf_tree_sibling_branch(const SgfTree *tree, uint32_t number) {
    return find_kind(tree, sgf_tree_branch(tree, number)->sibling, false);
}

/* A branch has a higher number than its parent. So the loop, which counts down, reaches the
 * children of a branch before the branch. */
void sgf_tree_measure(SgfTree *tree) {
    for (uint32_t number = tree->branch_count; number-- > 0;) {
        uint32_t below = 0;
        for (uint32_t child = first_below(tree, number); child != SGF_NONE;) {
            const SgfBranch *branch = sgf_tree_branch(tree, child);
            if (branch->height > below) below = branch->height;
            child = branch->sibling;
        }
        sgf_tree_branch(tree, number)->height += below;
    }
}

bool sgf_tree_enter(const SgfTree *tree, uint32_t number, SgfNode *node) {
    if (number >= tree->branch_count) return false;
    const char *at = tree->text + sgf_tree_branch(tree, number)->begin;
    if (*at == '(') at = sgf_skip_blanks(at + 1, tree->end);
    *node = (SgfNode){.branch = number, .at = (uint32_t)(at - tree->text)};
    return true;
}

/* Returns where the properties that begin at `at` end: at ";", "(", ")" or the end of the text. */
static const char *skip_properties(const char *at, const char *end) {
    at = sgf_skip_blanks(at, end);
    while (at < end && isalpha((unsigned char)*at)) {
        at = sgf_skip_blanks(sgf_skip_name(at, end), end);
        while (at < end && *at == '[') {
            at = sgf_skip_value(at + 1, end);
            at = sgf_skip_blanks(at < end ? at + 1 : at, end);
        }
    }
    return at;
}

bool sgf_tree_child(const SgfTree *tree, SgfNode *node) {
    const char *at = skip_properties(tree->text + node->at + 1, tree->end);
    if (at == tree->end || *at != ';')
        return sgf_tree_enter(tree, sgf_tree_child_branch(tree, node->branch), node);
    node->at = (uint32_t)(at - tree->text);
    return true;
}

bool sgf_tree_follow(const SgfTree *tree, SgfNode *node, bool main_line) {
    uint32_t parent = node->branch;
    if (!sgf_tree_child(tree, node)) return false;
    if (main_line || node->branch == parent) return true;
    uint32_t best = node->branch, height = sgf_tree_branch(tree, best)->height;
    for (uint32_t child = best; child != SGF_NONE;) {
        const SgfBranch *branch = sgf_tree_branch(tree, child);
        if (branch->height > height) {
            best = child;
            height = branch->height;
        }
        child = branch->sibling;
    }
    return sgf_tree_enter(tree, best, node);
}

/* Reads the name of a property that begins at `at` or after blanks there. If something else is
 * there, returns false and leaves `*out` alone. */
static bool read_property(SgfProperty *out, const char *at) {
    const SgfTree *tree = out->tree;
    at = sgf_skip_blanks(at, tree->end);
    if (at == tree->end || !isalpha((unsigned char)*at)) return false;
    const char *after = sgf_skip_name(at, tree->end);
    out->at = (uint32_t)(at - tree->text);
    sgf_copy_name(at, after, out->name); /* the parser checked that it is not too long */
    out->values = sgf_skip_blanks(after, tree->end);
    return true;
}

/* Goes on with the properties of a node that stand after its variations. `at` is the end of the
 * properties that have been read, either those before the variations or those of the last
 * continuation. */
static bool read_continuation(SgfProperty *out, const char *at) {
    const SgfTree *tree = out->tree;
    bool before_variations = out->branch == out->node.branch;
    at = sgf_skip_blanks(at, tree->end);
    if (before_variations && at < tree->end && *at == ';') return false; /* no variations */
    uint32_t next = before_variations ? first_below(tree, out->branch)
                                      : sgf_tree_branch(tree, out->branch)->sibling;
    next = find_kind(tree, next, true);
    if (next == SGF_NONE) return false;
    out->branch = next;
    return read_property(out, tree->text + sgf_tree_branch(tree, next)->begin);
}

bool sgf_tree_property(const SgfTree *tree, SgfNode node, SgfProperty *out) {
    const char *at = tree->text + node.at + 1;
    out->tree = tree;
    out->node = node;
    out->branch = node.branch;
    return read_property(out, at) || read_continuation(out, at);
}

bool sgf_property_next(SgfProperty *property) {
    SgfValue value = sgf_property_value(property);
    while (sgf_property_next_value(property, &value))
        ;
    const char *at = value.text + value.length + 1;
    return read_property(property, at) || read_continuation(property, at);
}

bool sgf_tree_find(const SgfTree *tree, SgfNode node, const char *name, SgfProperty *out) {
    bool there = sgf_tree_property(tree, node, out);
    while (there && strcmp(out->name, name) != 0)
        there = sgf_property_next(out);
    return there;
}

bool sgf_property_find_next(SgfProperty *property) {
    SgfProperty next = *property;
    bool there = sgf_property_next(&next);
    while (there && strcmp(next.name, property->name) != 0)
        there = sgf_property_next(&next);
    if (there) *property = next;
    return there;
}

static SgfValue value_at(const SgfProperty *property, const char *begin) {
    return (SgfValue){begin, (size_t)(sgf_skip_value(begin, property->tree->end) - begin)};
}

SgfValue sgf_property_value(const SgfProperty *property) {
    return value_at(property, property->values + 1);
}

bool sgf_property_next_value(const SgfProperty *property, SgfValue *value) {
    const char *end = property->tree->end,
               *at = sgf_skip_blanks(value->text + value->length + 1, end);
    if (at == end || *at != '[') return false;
    *value = value_at(property, at + 1);
    return true;
}

int sgf_tree_line(SgfTree *tree, uint32_t at) {
    return sgf_lines_at(&tree->lines, at);
}

/* Returns the length in bytes of the line break at `at`. It is 0 if there is no line break, and 2
 * for CR LF and LF CR. */
static size_t break_length(const char *at, const char *end) {
    if (at == end || (*at != '\n' && *at != '\r')) return 0;
    bool pair = at + 1 < end && (at[1] == '\n' || at[1] == '\r') && at[1] != *at;
    return pair ? 2 : 1;
}

void sgf_value_unescape(const SgfValue *value, bool simple, char *out) {
    char *to = out;
    const char *at = value->text, *end = at + value->length;
    while (at < end) {
        size_t line_break = break_length(at, end);
        if (line_break) {
            *to++ = simple ? ' ' : '\n';
            at += line_break;
            continue;
        }
        if (*at == '\\' && at + 1 < end) {
            at++;
            line_break = break_length(at, end);
            at += line_break;
            if (line_break) continue; /* an escaped line break is soft: it is left out */
        }
        bool blank = *at == '\t' || *at == '\v' || *at == '\f' || *at == 0;
        *to++ = blank ? ' ' : *at;
        at++;
    }
    *to = 0;
}

const char *sgf_value_text(const SgfValue *value, bool simple, Arena *arena) {
    char *text = arena_alloc(arena, value->length + 1);
    if (text) sgf_value_unescape(value, simple, text);
    return text;
}
