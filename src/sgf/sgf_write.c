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

static void write_node(const SgfTree *tree, SgfNode node, StrBuf *out) {
    SgfProperty property;
    strbuf_add_bytes(out, ";", 1);
    for (bool more = sgf_tree_property(tree, node, &property); more;
         more = sgf_property_next(&property)) {
        strbuf_add(out, property.name);
        SgfValue value = sgf_property_value(&property);
        do {
            strbuf_add_bytes(out, "[", 1);
            strbuf_add_bytes(out, value.text, value.length);
            strbuf_add_bytes(out, "]", 1);
        } while (sgf_property_next_value(&property, &value));
    }
}

/* Returns whether the branch is a game or one of several variations. */
static bool has_parentheses(const SgfTree *tree, uint32_t branch) {
    uint32_t parent = sgf_tree_branch(tree, branch)->parent;
    if (parent == SGF_NONE) return true;
    return sgf_tree_sibling_branch(tree, sgf_tree_child_branch(tree, parent)) != SGF_NONE;
}

static void write_branch(const SgfTree *tree, uint32_t branch, StrBuf *out) {
    SgfNode node;
    bool more = sgf_tree_enter(tree, branch, &node);
    while (more) {
        write_node(tree, node, out);
        more = sgf_tree_child(tree, &node) && node.branch == branch;
    }
}

/* Walks through the tree without recursion. As long as there is a first child, the walk goes down
 * to it. Then it goes back up to the nearest branch with a sibling, and closes parentheses on the
 * way. */
Status sgf_write_tree(const SgfTree *tree, StrBuf *out, Error *err) {
    uint32_t branch = tree->branch_count ? 0 : SGF_NONE;
    while (branch != SGF_NONE) {
        if (has_parentheses(tree, branch)) strbuf_add_bytes(out, "(", 1);
        write_branch(tree, branch, out);
        uint32_t next = sgf_tree_child_branch(tree, branch);
        while (next == SGF_NONE && branch != SGF_NONE) {
            if (has_parentheses(tree, branch)) strbuf_add_bytes(out, ")", 1);
            next = sgf_tree_sibling_branch(tree, branch);
            branch = sgf_tree_branch(tree, branch)->parent;
        }
        branch = next;
    }
    return strbuf_status(out, err);
}
