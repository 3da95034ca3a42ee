#include "sgf/sgf_tree.h"

#include <string.h>

void sgf_tree_clear(SgfTree *tree) {
    arena_clear(&tree->arena);
    *tree = (SgfTree){0};
}

SgfNode *sgf_tree_add_node(SgfTree *tree, SgfNode *parent) {
    SgfNode *node = arena_alloc(&tree->arena, sizeof *node);
    if (!node) return NULL;
    SgfNode **last = parent ? &parent->last_child : &tree->last_game;
    SgfNode **first = parent ? &parent->child : &tree->games;
    if (*last) (*last)->sibling = node;
    if (!*first) *first = node;
    *last = node;
    if (!parent) tree->game_count++;
    node->parent = parent;
    node->before = tree->newest;
    node->height = 1;
    tree->newest = node;
    return node;
}

SgfProperty *sgf_tree_add_property(SgfTree *tree, SgfNode *node, const char *name, size_t length) {
    SgfProperty *property = arena_alloc(&tree->arena, sizeof *property);
    if (!property) return NULL;
    property->name = arena_copy(&tree->arena, name, length);
    if (!property->name) return NULL;
    property->line = node->line;
    if (node->last_property) node->last_property->next = property;
    if (!node->properties) node->properties = property;
    node->last_property = property;
    return property;
}

bool sgf_tree_add_value(SgfTree *tree, SgfProperty *property, const char *text, size_t length) {
    SgfValue *value = arena_alloc(&tree->arena, sizeof *value);
    if (!value) return false;
    value->text = text;
    value->length = length;
    if (property->last_value) property->last_value->next = value;
    if (!property->values) property->values = value;
    property->last_value = value;
    return true;
}

/* Children are made after their parents, so this walk from the newest node to the oldest meets them
 * first. */
void sgf_tree_measure(SgfTree *tree) {
    for (SgfNode *node = tree->newest; node; node = node->before)
        node->height = 1;
    for (SgfNode *node = tree->newest; node; node = node->before) {
        SgfNode *parent = node->parent;
        if (parent && parent->height <= node->height) parent->height = node->height + 1;
    }
}

const SgfNode *sgf_tree_follow(const SgfNode *node, bool main_line) {
    const SgfNode *best = node->child;
    if (main_line || !best) return best;
    for (const SgfNode *child = best->sibling; child; child = child->sibling) {
        if (child->height > best->height) best = child;
    }
    return best;
}

static const SgfProperty *find_from(const SgfProperty *property, const char *name) {
    while (property && strcmp(property->name, name) != 0)
        property = property->next;
    return property;
}

const SgfProperty *sgf_tree_find(const SgfNode *node, const char *name) {
    return find_from(node->properties, name);
}

const SgfProperty *sgf_tree_find_next(const SgfProperty *from, const char *name) {
    return find_from(from->next, name);
}

/* Returns the length in bytes of the line break at `at`: 0 if there is none, 2 for CR LF and LF
 * CR. */
static size_t break_length(const char *at, const char *end) {
    if (at == end || (*at != '\n' && *at != '\r')) return 0;
    bool pair = at + 1 < end && (at[1] == '\n' || at[1] == '\r') && at[1] != *at;
    return pair ? 2 : 1;
}

const char *sgf_tree_text(const SgfValue *value, bool simple, Arena *arena) {
    char *text = arena_alloc(arena, value->length + 1);
    if (!text) return NULL;
    char *to = text;
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
    return text;
}
