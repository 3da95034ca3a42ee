#include "sgf/sgf_write.h"

#include <string.h>

void sgf_write_text(const char *text, bool one_line, StrBuf *out) {
    while (*text) {
        size_t plain = strcspn(text, "]\\\r\n");
        strbuf_add_bytes(out, text, plain);
        text += plain;
        if (!*text) return;
        bool line_break = *text == '\n' || *text == '\r';
        if (!line_break) strbuf_add_bytes(out, "\\", 1);
        strbuf_add_bytes(out, line_break && one_line ? " " : text, 1);
        text++;
    }
}

static void write_node(const SgfNode *node, StrBuf *out) {
    strbuf_add_bytes(out, ";", 1);
    for (const SgfProperty *property = node->properties; property; property = property->next) {
        strbuf_add(out, property->name);
        for (const SgfValue *value = property->values; value; value = value->next) {
            strbuf_add_bytes(out, "[", 1);
            strbuf_add_bytes(out, value->text, value->length);
            strbuf_add_bytes(out, "]", 1);
        }
    }
}

/* Returns whether the node begins a game or one of several variations. */
static bool has_parentheses(const SgfNode *node) {
    return !node->parent || node->parent->child->sibling;
}

/* Walks the tree without recursion: it goes down to the first child as long as there is one, then
 * back up to the nearest node with a sibling, and closes parentheses on the way. */
Status sgf_write_tree(const SgfTree *tree, StrBuf *out, Error *err) {
    const SgfNode *node = tree->games;
    while (node) {
        if (has_parentheses(node)) strbuf_add_bytes(out, "(", 1);
        write_node(node, out);
        if (node->child) {
            node = node->child;
            continue;
        }
        while (node && !node->sibling) {
            if (has_parentheses(node)) strbuf_add_bytes(out, ")", 1);
            node = node->parent;
        }
        if (!node) break;
        strbuf_add_bytes(out, ")", 1);
        node = node->sibling;
    }
    return strbuf_status(out, err);
}
