/* The review is put into the text of the game by edits, and the rest of the text stays as it is.
 * First all edits are collected; then they are made in the order of the text. They are:
 * 1. In the first node of the game, and in each node of the main line that has a move: marks,
 *    values and a comment are added after the first property. A value that the node has already is
 *    replaced, and a comment that it has already is extended.
 * 2. At a key move: if a "(" stands before its node, the better variation is added after the ")"
 *    that closes it. Otherwise a "(" is added before the node; at the end of its variation a ")"
 *    and then the better variation are added. */
#include "protocol/review/review_sgf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sgf/sgf_parse.h"
#include "sgf/sgf_write.h"

typedef struct {
    size_t at;        /* index in the text */
    int order;        /* edits at the same place are made in this order, the smallest first */
    size_t removes;   /* how many bytes of the text are removed there */
    const char *adds; /* the text that is added in their place */
} Edit;

typedef struct {
    const Review *review;
    const SgfGame *game;
    const char *heading;
    SgfTree tree;
    Arena arena; /* the texts that are added */
    Edit *edits;
    size_t edit_count, edit_capacity;
    StrBuf scratch;
    Status status;
    Error *err;
} Writer;

/* The orders of edits at the same place. The edits of a node come first. Then come the edits that
 * end variations; their order is ORDER_END or more, and smaller for an inner variation than for an
 * outer one. The edit that begins a variation comes last. */
enum { ORDER_NODE = 0, ORDER_END = 1, ORDER_BEGIN = 1 << 30 };

/* Adds an edit with the text in writer->scratch. Then empties writer->scratch. */
static void add_edit(Writer *writer, size_t at, int order, size_t removes) {
    Status status = strbuf_status(&writer->scratch, writer->err);
    if (!status)
        status = mem_grow(&writer->edits, &writer->edit_capacity, writer->edit_count + 1,
                          sizeof *writer->edits, writer->err);
    const char *copy =
        arena_copy(&writer->arena, strbuf_text(&writer->scratch), writer->scratch.length);
    if (!copy && !status) status = fail(writer->err, ERR_MEMORY, "no memory for the review");
    strbuf_reset(&writer->scratch);
    if (status && !writer->status) writer->status = status;
    if (writer->status) return;
    writer->edits[writer->edit_count++] = (Edit){at, order, removes, copy};
}

static size_t index_of(const Writer *writer, const char *at) {
    return (size_t)(at - writer->tree.text);
}

/* Returns the index of the ")" that closes the variation in which text[at] is. A parenthesis within
 * a value does not count. */
static size_t closing(const SgfTree *tree, size_t at) {
    size_t length = (size_t)(tree->end - tree->text);
    int depth = 0;
    bool in_value = false;
    for (; at < length; at++) {
        char c = tree->text[at];
        if (in_value) {
            at += c == '\\';
            in_value = c != ']';
        } else if (c == '[') {
            in_value = true;
        } else if (c == '(') {
            depth++;
        } else if (c == ')' && depth-- == 0) {
            return at;
        }
    }
    return length;
}

/* Writes what the review says of the position after `turn` moves. */
static void write_comment(const Writer *writer, int turn, StrBuf *out) {
    const Review *review = writer->review;
    const ReviewTurn *now = &review->turns[turn], *before = turn ? now - 1 : NULL;
    if (!turn) strbuf_addf(out, "%s\n", writer->heading);
    if (before && before->has_loss && before->grade != GRADE_FINE) {
        strbuf_addf(out, "%s: lost %.1f points, %.1f%% of the win rate. Better: ",
                    before->grade == GRADE_BLUNDER   ? "Blunder"
                    : before->grade == GRADE_MISTAKE ? "Mistake"
                                                     : "Inaccuracy",
                    fmax(0, before->points_lost), 100 * fmax(0, before->winrate_lost));
        review_add_line(review, before, out);
        strbuf_add(out, "\n");
    }
    review_add_value(now, out);
    strbuf_addf(out, " (%lld visits)", (long long)now->visits);
    if (now->line_length) {
        strbuf_add(out, "\nBest: ");
        review_add_line(review, now, out);
    }
}

static bool has_property(const Writer *writer, SgfNode node, const char *name) {
    SgfProperty property;
    return sgf_tree_find(&writer->tree, node, name, &property);
}

/* The value rounded to `digits` digits after the decimal point. It is never -0. */
static double rounded(double value, int digits) {
    double scale = pow(10, digits);
    return round(value * scale) / scale + 0.0;
}

/* Adds the property to writer->scratch. Does nothing if the node has the property already, as in a
 * game that was reviewed before: then replace_value() sets it. */
static void write_value(Writer *writer, SgfNode node, const char *name, double value, int digits) {
    if (!has_property(writer, node, name))
        strbuf_addf(&writer->scratch, "%s[%.*f]", name, digits, rounded(value, digits));
}

/* If the node has the property, replaces its value. */
static void replace_value(Writer *writer, SgfNode node, const char *name, double value,
                          int digits) {
    SgfProperty property;
    if (!sgf_tree_find(&writer->tree, node, name, &property)) return;
    SgfValue old = sgf_property_value(&property);
    strbuf_addf(&writer->scratch, "%.*f", digits, rounded(value, digits));
    add_edit(writer, index_of(writer, old.text), ORDER_NODE, old.length);
}

static void write_marks(Writer *writer, SgfNode node, int turn) {
    const ReviewTurn *now = &writer->review->turns[turn], *before = turn ? now - 1 : NULL;
    StrBuf *out = &writer->scratch;
    bool marked = has_property(writer, node, "BM") || has_property(writer, node, "DO") ||
                  has_property(writer, node, "TE") || has_property(writer, node, "IT");
    if (before && before->has_loss && before->grade != GRADE_FINE && !marked)
        strbuf_add(out, before->grade == GRADE_BLUNDER   ? "BM[2]"
                        : before->grade == GRADE_MISTAKE ? "BM[1]"
                                                         : "DO[]");
    write_value(writer, node, "V", now->black_lead, 1);
    write_value(writer, node, "SBKV", 100 * now->black_winrate, 2);
    write_value(writer, node, "SBKS", now->black_lead, 2);
}

/* The index behind the last value of the first property of the node. */
static size_t end_of_first_property(const Writer *writer, SgfNode node) {
    SgfProperty property;
    if (!sgf_tree_property(&writer->tree, node, &property)) return (size_t)node.at + 1;
    SgfValue value = sgf_property_value(&property);
    while (sgf_property_next_value(&property, &value)) {
    }
    return index_of(writer, value.text + value.length) + 1;
}

static void edit_node(Writer *writer, SgfNode node, int turn) {
    StrBuf comment = {0};
    SgfProperty property;
    if (!writer->review->turns[turn].known) return;
    const ReviewTurn *now = &writer->review->turns[turn];
    replace_value(writer, node, "V", now->black_lead, 1);
    replace_value(writer, node, "SBKV", 100 * now->black_winrate, 2);
    replace_value(writer, node, "SBKS", now->black_lead, 2);
    write_comment(writer, turn, &comment);
    write_marks(writer, node, turn);
    bool has_comment = sgf_tree_find(&writer->tree, node, "C", &property);
    if (!has_comment) {
        strbuf_add(&writer->scratch, "C[");
        sgf_write_text(strbuf_text(&comment), false, &writer->scratch);
        strbuf_add(&writer->scratch, "]");
    }
    add_edit(writer, end_of_first_property(writer, node), ORDER_NODE, 0);
    if (has_comment) {
        SgfValue value = sgf_property_value(&property);
        strbuf_add(&writer->scratch, value.length ? "\n\n" : "");
        sgf_write_text(strbuf_text(&comment), false, &writer->scratch);
        add_edit(writer, index_of(writer, value.text + value.length), ORDER_NODE, 0);
    }
    if (comment.failed) writer->status = fail(writer->err, ERR_MEMORY, "no memory");
    strbuf_clear(&comment);
}

/* States in the root, by the property CA, that the text is in UTF-8. The edits are in UTF-8, and
 * sgf_parse() has converted the rest to it. A text of ASCII without CA stays without it. */
static void edit_charset(Writer *writer, SgfNode root) {
    SgfProperty property;
    if (!sgf_tree_find(&writer->tree, root, "CA", &property)) {
        bool ascii = true;
        for (const char *at = writer->tree.text; at < writer->tree.end; at++)
            ascii = ascii && (unsigned char)*at < 0x80;
        if (ascii) return;
        strbuf_add(&writer->scratch, "CA[UTF-8]");
        add_edit(writer, end_of_first_property(writer, root), ORDER_NODE, 0);
        return;
    }
    SgfValue value = sgf_property_value(&property);
    strbuf_add(&writer->scratch, "UTF-8");
    add_edit(writer, index_of(writer, value.text), ORDER_NODE, value.length);
}

static void write_variation(Writer *writer, int turn) {
    const Review *review = writer->review;
    const ReviewTurn *now = &review->turns[turn];
    Color color = now->mover;
    StrBuf *out = &writer->scratch;
    strbuf_add(out, "(");
    for (int i = 0; i < now->line_length; i++, color = color_other(color)) {
        Point point = now->line[i];
        strbuf_addf(out, ";%c[", color == COLOR_BLACK ? 'B' : 'W');
        if (point != POINT_PASS)
            strbuf_addf(out, "%c%c", 'a' + point_x(point), 'a' + point_y(point));
        strbuf_add(out, "]");
        if (i) continue;
        strbuf_add(out, "C[Better than ");
        strbuf_addf(out, "%s: ", point_text(now->played, review->height).text);
        review_add_value(now, out);
        strbuf_add(out, "]");
    }
    strbuf_add(out, ")");
}

/* Adds the better variation beside the node of move number `turn` + 1. */
static void edit_key_move(Writer *writer, SgfNode node, int turn) {
    const char *text = writer->tree.text;
    size_t before = node.at;
    int end_order = ORDER_END + writer->review->turn_count - turn;
    while (before > 0 && strchr(" \t\r\n", text[before - 1]))
        before--;
    bool has_parenthesis = before > 0 && text[before - 1] == '(';
    size_t end = closing(&writer->tree, node.at);
    if (has_parenthesis) {
        write_variation(writer, turn);
        add_edit(writer, end + 1, end_order, 0);
        return;
    }
    strbuf_add(&writer->scratch, "(");
    add_edit(writer, node.at, ORDER_BEGIN, 0);
    strbuf_add(&writer->scratch, ")");
    write_variation(writer, turn);
    add_edit(writer, end, end_order, 0);
}

/* Whether the value of B or W is this move. */
static bool is_move(const SgfValue *value, Move move, int width, int height) {
    if (value->length == 0) return move.point == POINT_PASS;
    if (value->length != 2) return false;
    int x = value->text[0] - 'a', y = value->text[1] - 'a';
    if (x < 0 || y < 0) return false;
    if (x >= width || y >= height) return move.point == POINT_PASS;
    return move.point == point_at(x, y);
}

/* Compares the moves of the node with the moves of writer->game from number `*turn` on. Adds the
 * number of moves of the node to `*turn`. Returns false if the moves differ. */
static bool follow_node(const Writer *writer, SgfNode node, int *turn) {
    const SgfGame *game = writer->game;
    SgfProperty property;
    for (bool more = sgf_tree_property(&writer->tree, node, &property); more;
         more = sgf_property_next(&property)) {
        bool black = strcmp(property.name, "B") == 0, white = strcmp(property.name, "W") == 0;
        if (!black && !white) continue;
        if (*turn >= (int)game->move_count) return false;
        Move move = game->moves[*turn].move;
        SgfValue value = sgf_property_value(&property);
        if ((move.color == COLOR_BLACK) != black ||
            !is_move(&value, move, game->width, game->height))
            return false;
        ++*turn;
    }
    return true;
}

/* Makes the edits of the game that begins with this branch. Returns false if its main line does not
 * have the moves of writer->game. */
static bool edit_game(Writer *writer, uint32_t branch) {
    SgfNode node;
    int turn = 0;
    bool first = true;
    if (!sgf_tree_enter(&writer->tree, branch, &node)) return false;
    do {
        int before = turn;
        if (!follow_node(writer, node, &turn)) return false;
        if (first) edit_charset(writer, node);
        if (first || turn > before) edit_node(writer, node, turn);
        bool one_move = turn == before + 1 && !first;
        if (one_move && writer->review->turns[before].is_key) edit_key_move(writer, node, before);
        first = false;
    } while (sgf_tree_follow(&writer->tree, &node, true));
    return turn == (int)writer->game->move_count;
}

static int compare_edits(const void *a, const void *b) {
    const Edit *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void write_edited(Writer *writer, size_t begin, size_t end, StrBuf *out) {
    qsort(writer->edits, writer->edit_count, sizeof *writer->edits, compare_edits);
    for (size_t i = 0; i < writer->edit_count; i++) {
        const Edit *edit = &writer->edits[i];
        strbuf_add_bytes(out, writer->tree.text + begin, edit->at - begin);
        strbuf_add(out, edit->adds);
        begin = edit->at + edit->removes;
    }
    strbuf_add_bytes(out, writer->tree.text + begin, end - begin);
    strbuf_add(out, "\n");
}

/* Writes game `number`, counted from 1, of the text. Sets `*written` to false if there is no such
 * game, or if its main line does not have the moves of writer->game. */
static Status write_text(Writer *writer, const char *text, size_t length, int number, bool *written,
                         StrBuf *out) {
    *written = false;
    if (sgf_parse(text, length, "sgf", &writer->tree, NULL)) return OK;
    uint32_t branch = 0;
    for (int i = 1; i < number && branch != SGF_NONE; i++)
        branch = sgf_tree_sibling_branch(&writer->tree, branch);
    if (branch != SGF_NONE && edit_game(writer, branch) && !writer->status) {
        size_t begin = sgf_tree_branch(&writer->tree, branch)->begin;
        write_edited(writer, begin, closing(&writer->tree, begin + 1) + 1, out);
        *written = true;
    }
    writer->edit_count = 0;
    sgf_tree_clear(&writer->tree);
    return writer->status;
}

Status review_sgf_write(const Review *review, const SgfGame *game, const char *heading,
                        const char *text, size_t length, int number, StrBuf *out, Error *err) {
    Writer writer = {.review = review, .game = game, .heading = heading, .err = err};
    StrBuf plain = {0};
    bool written = false;
    Status status = text ? write_text(&writer, text, length, number, &written, out) : OK;
    if (!status && !written) status = sgf_game_write(game, &plain, err);
    if (!status && !written)
        status = write_text(&writer, strbuf_text(&plain), plain.length, 1, &written, out);
    if (!status && !written) status = fail(err, ERR_UNSUPPORTED, "the game cannot be written");
    if (!status) status = strbuf_status(out, err);
    strbuf_clear(&plain);
    strbuf_clear(&writer.scratch);
    free(writer.edits);
    arena_clear(&writer.arena);
    return status;
}
