/* Trees: parsing, errors with their lines, walks, round trips, hostile text. */
#include "base/rng.h"
#include "sgf/sgf_parse.h"
#include "sgf/sgf_write.h"
#include "test.h"

static SgfTree parsed(const char *text) {
    SgfTree tree;
    EXPECT_OK(sgf_parse(text, strlen(text), "game.sgf", &tree, err));
    return tree;
}

static void expect_error(const char *text, Status want, const char *part) {
    SgfTree tree;
    Error error = {0};
    EXPECT_STATUS(want, sgf_parse(text, strlen(text), "game.sgf", &tree, &error));
    EXPECT_CONTAINS(error.message, part);
    EXPECT_TRUE(tree.games == NULL);
}

static const char *value_of(SgfTree *tree, const char *name, bool simple) {
    const SgfProperty *property = sgf_tree_find(tree->games, name);
    EXPECT_TRUE(property != NULL);
    return sgf_tree_text(property->values, simple, &tree->arena);
}

TEST(nodes_properties_and_values) {
    SgfTree tree = parsed("(;FF[4]AB[aa][bb] [cc];B[dd](;W[ee])(;W[ff];B[gg]))");
    const SgfNode *root = tree.games;
    EXPECT_INT(1, tree.game_count);
    EXPECT_INT(4, root->height);
    int values = 0;
    for (const SgfValue *value = sgf_tree_find(root, "AB")->values; value; value = value->next)
        values++;
    EXPECT_INT(3, values);
    EXPECT_TRUE(sgf_tree_find(root, "AW") == NULL);
    const SgfNode *fork = root->child;
    EXPECT_TRUE(fork->child && fork->child->sibling && !fork->child->sibling->sibling);
    EXPECT_TRUE(sgf_tree_follow(fork, true) == fork->child);
    EXPECT_TRUE(sgf_tree_follow(fork, false) == fork->child->sibling);
    EXPECT_TRUE(sgf_tree_follow(fork->child, false) == NULL);
    sgf_tree_clear(&tree);
}

TEST(first_child_wins_ties) {
    SgfTree tree = parsed("(;(;B[aa];W[bb])(;B[cc];W[dd])(;B[ee]))");
    EXPECT_TRUE(sgf_tree_follow(tree.games, false) == tree.games->child);
    sgf_tree_clear(&tree);
}

TEST(properties_of_one_name_may_repeat) {
    SgfTree tree = parsed("(;AB[aa]C[x]AB[bb])");
    const SgfProperty *first = sgf_tree_find(tree.games, "AB"),
                      *second = sgf_tree_find_next(first, "AB");
    EXPECT_TRUE(second && second != first && !sgf_tree_find_next(second, "AB"));
    EXPECT_INT('b', second->values->text[0]);
    sgf_tree_clear(&tree);
}

TEST(old_names_lose_their_small_letters) {
    SgfTree tree = parsed("(;GaMe[1]AddBlack[aa]SiZe[9];Black[cc];b[dd]big5TB[ee])");
    EXPECT_TRUE(sgf_tree_find(tree.games, "GM") && sgf_tree_find(tree.games, "AB") &&
                sgf_tree_find(tree.games, "SZ"));
    EXPECT_TRUE(sgf_tree_find(tree.games->child->child, "TB") != NULL);
    EXPECT_TRUE(sgf_tree_find(tree.games->child, "B") &&
                sgf_tree_find(tree.games->child->child, "B"));
    sgf_tree_clear(&tree);
}

TEST(junk_around_games_is_passed_over) {
    SgfTree tree = parsed("\xEF\xBB\xBF"
                          "From: someone (me)\n\n( ;SZ[9])\n--\n(;SZ[13]) bye");
    EXPECT_INT(2, tree.game_count);
    EXPECT_INT(3, tree.games->line);
    EXPECT_INT(5, tree.games->sibling->line);
    sgf_tree_clear(&tree);
}

TEST(text_is_unescaped) {
    SgfTree tree = parsed("(;C[a\\]b\\\\c\\:d\\\nsoft\r\nhard\ttab]N[one\ntwo]GC[\\\r\nx])");
    EXPECT_TEXT("a]b\\c:dsoft\nhard tab", value_of(&tree, "C", false));
    EXPECT_TEXT("one two", value_of(&tree, "N", true));
    EXPECT_TEXT("x", value_of(&tree, "GC", false));
    sgf_tree_clear(&tree);
}

TEST(lines_are_counted_for_all_line_ends) {
    expect_error("(;C[a\nb]\n!", ERR_SYNTAX, "game.sgf:3: ");
    expect_error("(;C[a\r\nb]\r\n!", ERR_SYNTAX, "game.sgf:3: ");
    expect_error("(;C[a\rb]\r!", ERR_SYNTAX, "game.sgf:3: ");
}

TEST(errors_say_what_and_where) {
    expect_error("", ERR_SYNTAX, "game.sgf:1: no game");
    expect_error("hello\n(there)", ERR_SYNTAX, "no game");
    expect_error("(;B[aa]\n(W[bb]))", ERR_SYNTAX,
                 "game.sgf:2: found 'W' after \"(\", wanted \";\"");
    expect_error("(;B[aa](", ERR_SYNTAX, "ends after \"(\"");
    expect_error("(;B[aa]\n;B", ERR_SYNTAX, "game.sgf:2: property B has no value");
    expect_error("(;B;W[aa])", ERR_SYNTAX, "property B has no value");
    expect_error("(;C[x\ny", ERR_SYNTAX, "game.sgf:1: the value of C that begins here");
    expect_error("(;C[x\\]", ERR_SYNTAX, "no closing");
    expect_error("(;B[aa](;W[bb]", ERR_SYNTAX, "2 \")\" missing");
    expect_error("(;B[aa]+)", ERR_SYNTAX, "found '+'");
    expect_error("(;B[aa]\x01)", ERR_SYNTAX, "0x01");
    expect_error("(;[aa])", ERR_SYNTAX, "found '['");
    expect_error(
        "(;AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA[aa])",
        ERR_SYNTAX, "too long");
}

TEST(a_source_goes_on_after_a_bad_game) {
    const char *text = "(;SZ[9])\n(;B[aa]?(;W[bb]))\n(;SZ[13])";
    SgfSource source = {.name = "game.sgf", .text = text, .length = strlen(text), .line = 1};
    SgfTree tree;
    EXPECT_STATUS(OK, sgf_parse_next(&source, &tree, NULL));
    EXPECT_INT(1, tree.game_count);
    sgf_tree_clear(&tree);
    EXPECT_STATUS(ERR_SYNTAX, sgf_parse_next(&source, &tree, NULL));
    EXPECT_STATUS(OK, sgf_parse_next(&source, &tree, NULL));
    EXPECT_INT(3, tree.games->line);
    sgf_tree_clear(&tree);
    EXPECT_STATUS(OK, sgf_parse_next(&source, &tree, NULL));
    EXPECT_TRUE(tree.games == NULL);
    sgf_tree_clear(&tree);
}

/* The same structure, names and values. */
static void expect_equal(const SgfTree *a, const SgfTree *b) {
    const SgfNode *x = a->newest, *y = b->newest;
    EXPECT_INT(a->game_count, b->game_count);
    for (; x && y; x = x->before, y = y->before) {
        EXPECT_INT(x->height, y->height);
        EXPECT_INT(x->parent != NULL, y->parent != NULL);
        const SgfProperty *p = x->properties, *q = y->properties;
        for (; p && q; p = p->next, q = q->next) {
            EXPECT_TEXT(p->name, q->name);
            const SgfValue *v = p->values, *w = q->values;
            for (; v && w; v = v->next, w = w->next) {
                EXPECT_INT(v->length, w->length);
                EXPECT_TRUE(v->length == 0 || memcmp(v->text, w->text, v->length) == 0);
            }
            EXPECT_TRUE(!v && !w);
        }
        EXPECT_TRUE(!p && !q);
    }
    EXPECT_TRUE(!x && !y);
}

static void add_random_property(Rng *rng, SgfTree *tree, SgfNode *node) {
    static const char *const NAMES[] = {"B", "W", "AB", "C", "LB", "X1", "VERYLONG"};
    static const char LETTERS[] = "ab]\\:[;()\n \xC3\xA9";
    const char *name = NAMES[rng_below(rng, 7)];
    SgfProperty *property = sgf_tree_add_property(tree, node, name, strlen(name));
    EXPECT_TRUE(property != NULL);
    for (int values = 1 + rng_below(rng, 3); values; values--) {
        char text[16] = {0};
        StrBuf escaped = {0};
        for (int i = rng_below(rng, 12); i > 0; i--)
            text[i - 1] = LETTERS[rng_below(rng, 10)];
        sgf_write_text(text, false, &escaped);
        const char *kept = arena_copy(&tree->arena, strbuf_text(&escaped), escaped.length);
        EXPECT_TRUE(sgf_tree_add_value(tree, property, kept, escaped.length));
        EXPECT_TEXT(text, sgf_tree_text(property->last_value, false, &tree->arena));
        strbuf_clear(&escaped);
    }
}

TEST(random_trees_come_back_the_same) {
    Rng rng = rng_seeded(7);
    for (int round = 0; round < 300; round++) {
        SgfTree tree = {0}, again;
        StrBuf text = {0}, second = {0};
        SgfNode *path[64];
        int depth = 0;
        for (int nodes = 1 + rng_below(&rng, 60); nodes; nodes--) {
            depth = rng_below(&rng, 4) && depth < 63
                        ? depth
                        : rng_below(&rng, depth + 1); /* preorder: back up, then down */
            path[depth] = sgf_tree_add_node(&tree, depth ? path[depth - 1] : NULL);
            EXPECT_TRUE(path[depth] != NULL);
            for (int i = rng_below(&rng, 4); i; i--)
                add_random_property(&rng, &tree, path[depth]);
            depth++;
        }
        sgf_tree_measure(&tree);
        EXPECT_OK(sgf_write_tree(&tree, &text, err));
        EXPECT_OK(sgf_parse(text.text, text.length, "random", &again, err));
        expect_equal(&tree, &again);
        EXPECT_OK(sgf_write_tree(&again, &second, err));
        EXPECT_TEXT(text.text, second.text);
        strbuf_clear(&text);
        strbuf_clear(&second);
        sgf_tree_clear(&tree);
        sgf_tree_clear(&again);
    }
}

TEST(every_cut_is_refused_without_a_crash) {
    const char *text =
        "(;FF[4]GM[1]CA[UTF-8]SZ[9:13]C[a \\] b\\\\](;B[aa]C[x];W[])(;B[cc](;W[dd])(;W[ee])))";
    for (size_t length = 0; length < strlen(text); length++) {
        SgfTree tree;
        char *cut = malloc(length + 1); /* so that a sanitizer sees a read beyond the end */
        EXPECT_TRUE(cut != NULL);
        memcpy(cut, text, length);
        EXPECT_STATUS(ERR_SYNTAX, sgf_parse(cut, length, "cut", &tree, NULL));
        free(cut);
    }
}

TEST(every_changed_byte_is_survived) {
    const char *text = "(;FF[4]GM[1]CA[UTF-8]SZ[9]C[a \\] b](;B[aa];W[])(;B[cc](;W[dd])(;W[ee])))";
    static const char BYTES[] = "()[];\\:\n aZ0\xFF\x01";
    for (size_t at = 0; at < strlen(text); at++) {
        for (size_t i = 0; i < sizeof BYTES; i++) {
            SgfTree tree;
            StrBuf copy = {0};
            strbuf_add(&copy, text);
            copy.text[at] = BYTES[i];
            Status status = sgf_parse(copy.text, copy.length, "changed", &tree, NULL);
            EXPECT_INT(status == OK, tree.games != NULL);
            sgf_tree_clear(&tree);
            strbuf_clear(&copy);
        }
    }
}

static StrBuf repeated(const char *text, int times, const char *end, int end_times) {
    StrBuf buf = {0};
    while (times--)
        strbuf_add(&buf, text);
    while (end_times--)
        strbuf_add(&buf, end);
    return buf;
}

TEST(a_million_parentheses_are_no_danger) {
    enum { DEEP = 1000000 };
    SgfTree tree, again;
    StrBuf nested = repeated("(;", DEEP, ")", DEEP), written = {0};
    EXPECT_OK(sgf_parse(nested.text, nested.length, "deep", &tree, err));
    EXPECT_INT(DEEP, tree.games->height);
    EXPECT_OK(sgf_write_tree(&tree, &written, err));
    EXPECT_OK(sgf_parse(written.text, written.length, "deep", &again, err));
    EXPECT_INT(DEEP, again.games->height);
    sgf_tree_clear(&again);
    sgf_tree_clear(&tree);
    strbuf_clear(&nested);
    StrBuf open = repeated("(;", DEEP, "", 0), bare = repeated("(", DEEP, ";", 1),
           wide = repeated("(;(;)", 1, "(;)", DEEP);
    EXPECT_STATUS(ERR_SYNTAX, sgf_parse(open.text, open.length, "deep", &tree, NULL));
    EXPECT_STATUS(ERR_SYNTAX, sgf_parse(bare.text, bare.length, "deep", &tree, NULL));
    strbuf_add(&wide, ")");
    EXPECT_OK(sgf_parse(wide.text, wide.length, "wide", &tree, err));
    EXPECT_INT(2, tree.games->height);
    sgf_tree_clear(&tree);
    strbuf_clear(&open);
    strbuf_clear(&bare);
    strbuf_clear(&wide);
    strbuf_clear(&written);
}

TEST(the_tree_stays_within_its_bound) {
    const char *const SHAPES[] = {";", "A[]", "[]", "AB[aa]", "\n"};
    for (int i = 0; i < 5; i++) {
        StrBuf text = {0};
        SgfTree tree;
        strbuf_add(&text, "(;A[]");
        for (int k = 0; k < 50000; k++)
            strbuf_add(&text, SHAPES[i]);
        strbuf_add(&text, ")");
        EXPECT_OK(sgf_parse(text.text, text.length, "bound", &tree, err));
        EXPECT_TRUE(tree.arena.bytes <= 82 * text.length + 8192);
        sgf_tree_clear(&tree);
        strbuf_clear(&text);
    }
}

TEST_MAIN(RUN(nodes_properties_and_values), RUN(first_child_wins_ties),
          RUN(properties_of_one_name_may_repeat), RUN(old_names_lose_their_small_letters),
          RUN(junk_around_games_is_passed_over), RUN(text_is_unescaped),
          RUN(lines_are_counted_for_all_line_ends), RUN(errors_say_what_and_where),
          RUN(a_source_goes_on_after_a_bad_game), RUN(random_trees_come_back_the_same),
          RUN(every_cut_is_refused_without_a_crash), RUN(every_changed_byte_is_survived),
          RUN(a_million_parentheses_are_no_danger), RUN(the_tree_stays_within_its_bound))
