/* Trees of SGF: parsing, errors with their lines, walking through a tree, writing and reading it,
 * and hostile text. */
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
    EXPECT_INT(0, tree.game_count);
    EXPECT_INT(0, tree.branch_count);
}

static SgfNode root_of(const SgfTree *tree) {
    SgfNode root;
    EXPECT_TRUE(sgf_tree_enter(tree, 0, &root));
    return root;
}

static SgfNode child_of(const SgfTree *tree, SgfNode node) {
    EXPECT_TRUE(sgf_tree_child(tree, &node));
    return node;
}

static bool has_property(const SgfTree *tree, SgfNode node, const char *name) {
    SgfProperty property;
    return sgf_tree_find(tree, node, name, &property);
}

/* Returns the first value of a property of the root. The next call overwrites the returned text. */
static const char *value_of(const SgfTree *tree, const char *name, bool simple) {
    static char text[256];
    SgfProperty property;
    EXPECT_TRUE(sgf_tree_find(tree, root_of(tree), name, &property));
    SgfValue value = sgf_property_value(&property);
    EXPECT_TRUE(value.length < sizeof text);
    sgf_value_unescape(&value, simple, text);
    return text;
}

/* Counts the nodes of the longest variation. */
static int height_of(const SgfTree *tree) {
    SgfNode node = root_of(tree);
    int height = 1;
    while (sgf_tree_follow(tree, &node, false))
        height++;
    return height;
}

TEST(nodes_properties_and_values) {
    SgfTree tree = parsed("(;FF[4]AB[aa][bb] [cc];B[dd](;W[ee])(;W[ff];B[gg]))");
    SgfNode root = root_of(&tree), main_line = child_of(&tree, root), longest = main_line;
    EXPECT_INT(1, tree.game_count);
    EXPECT_INT(4, height_of(&tree));
    SgfProperty property;
    EXPECT_TRUE(sgf_tree_find(&tree, root, "AB", &property));
    SgfValue value = sgf_property_value(&property);
    int values = 1;
    while (sgf_property_next_value(&property, &value))
        values++;
    EXPECT_INT(3, values);
    EXPECT_FALSE(sgf_property_next(&property));
    EXPECT_FALSE(has_property(&tree, root, "AW"));
    EXPECT_TRUE(sgf_tree_follow(&tree, &main_line, true) &&
                sgf_tree_follow(&tree, &longest, false));
    EXPECT_INT(main_line.branch, sgf_tree_child_branch(&tree, 0));
    EXPECT_INT(longest.branch, sgf_tree_sibling_branch(&tree, main_line.branch));
    EXPECT_INT(SGF_NONE, sgf_tree_sibling_branch(&tree, longest.branch));
    EXPECT_FALSE(sgf_tree_follow(&tree, &main_line, false));
    EXPECT_TRUE(has_property(&tree, child_of(&tree, longest), "B"));
    sgf_tree_clear(&tree);
}

TEST(first_child_wins_ties) {
    SgfTree tree = parsed("(;(;B[aa];W[bb])(;B[cc];W[dd])(;B[ee]))");
    SgfNode node = root_of(&tree);
    EXPECT_TRUE(sgf_tree_follow(&tree, &node, false));
    EXPECT_INT(child_of(&tree, root_of(&tree)).at, node.at);
    sgf_tree_clear(&tree);
}

TEST(properties_of_one_name_may_repeat) {
    SgfTree tree = parsed("(;AB[aa]C[x]AB[bb])");
    SgfProperty property;
    EXPECT_TRUE(sgf_tree_find(&tree, root_of(&tree), "AB", &property));
    EXPECT_TRUE(sgf_property_find_next(&property));
    EXPECT_INT('b', *sgf_property_value(&property).text);
    EXPECT_FALSE(sgf_property_find_next(&property));
    EXPECT_TEXT("AB", property.name);
    sgf_tree_clear(&tree);
}

/* Files should not have properties and nodes after variations, but some programs write them. */
TEST(what_follows_variations_belongs_to_the_node_before_them) {
    SgfTree tree = parsed("(;C[a](;B[aa])C[b]\nN[c](;B[bb])C[d];B[cc](;W[dd])GC[e])");
    SgfNode root = root_of(&tree), last;
    SgfProperty property;
    StrBuf text = {0};
    EXPECT_TRUE(sgf_tree_find(&tree, root, "C", &property));
    EXPECT_TRUE(sgf_property_find_next(&property) && sgf_property_find_next(&property));
    EXPECT_INT('d', *sgf_property_value(&property).text);
    EXPECT_FALSE(sgf_property_next(&property));
    EXPECT_TRUE(sgf_tree_find(&tree, root, "N", &property));
    EXPECT_INT(2, sgf_tree_line(&tree, property.at));
    EXPECT_FALSE(has_property(&tree, root, "GC"));
    EXPECT_FALSE(has_property(&tree, child_of(&tree, root), "C"));
    last = root;
    EXPECT_TRUE(sgf_tree_follow(&tree, &last, false) && has_property(&tree, last, "GC"));
    EXPECT_OK(sgf_write_tree(&tree, &text, err));
    EXPECT_TEXT("(;C[a]C[b]N[c]C[d](;B[aa])(;B[bb])(;B[cc]GC[e];W[dd]))", text.text);
    strbuf_clear(&text);
    sgf_tree_clear(&tree);
}

TEST(old_names_lose_their_small_letters) {
    SgfTree tree = parsed("(;GaMe[1]AddBlack[aa]SiZe[9];Black[cc];b[dd]big5TB[ee])");
    SgfNode root = root_of(&tree), second = child_of(&tree, root), third = child_of(&tree, second);
    EXPECT_TRUE(has_property(&tree, root, "GM") && has_property(&tree, root, "AB") &&
                has_property(&tree, root, "SZ"));
    EXPECT_TRUE(has_property(&tree, third, "TB"));
    EXPECT_TRUE(has_property(&tree, second, "B") && has_property(&tree, third, "B"));
    sgf_tree_clear(&tree);
}

TEST(junk_around_games_is_passed_over) {
    SgfTree tree = parsed("\xEF\xBB\xBF"
                          "From: someone (me)\n\n( ;SZ[9])\n--\n(;SZ[13]) bye");
    SgfNode second;
    EXPECT_INT(2, tree.game_count);
    EXPECT_INT(3, sgf_tree_line(&tree, root_of(&tree).at));
    EXPECT_TRUE(sgf_tree_enter(&tree, sgf_tree_sibling_branch(&tree, 0), &second));
    EXPECT_INT(5, sgf_tree_line(&tree, second.at));
    EXPECT_FALSE(sgf_tree_enter(&tree, sgf_tree_sibling_branch(&tree, second.branch), &second));
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
    EXPECT_INT(3, sgf_tree_line(&tree, root_of(&tree).at));
    sgf_tree_clear(&tree);
    EXPECT_STATUS(OK, sgf_parse_next(&source, &tree, NULL));
    EXPECT_INT(0, tree.game_count);
    sgf_tree_clear(&tree);
}

TEST(a_game_without_its_end_does_not_swallow_the_next_games) {
    const char *text = "(;SZ[9];B[aa](;W[bb])\n(;C[\n(;SZ)]W[cc]\n"
                       "(;C[a comment]FF[4]SZ[13];B[dd])\n(;SZ[19];B[aa]\n(;W[bb]))\n";
    SgfSource source = {.name = "game.sgf", .text = text, .length = strlen(text), .line = 1};
    SgfTree tree;
    Error error = {0};
    EXPECT_STATUS(ERR_SYNTAX, sgf_parse_next(&source, &tree, &error));
    EXPECT_CONTAINS(error.message,
                    "game.sgf:4: another game begins here, but 2 \")\" of the game before");
    for (int line = 4; line < 6; line++) {
        EXPECT_STATUS(OK, sgf_parse_next(&source, &tree, NULL));
        EXPECT_INT(1, tree.game_count);
        EXPECT_INT(line, sgf_tree_line(&tree, root_of(&tree).at));
        sgf_tree_clear(&tree);
    }
    EXPECT_STATUS(OK, sgf_parse_next(&source, &tree, NULL));
    EXPECT_INT(0, tree.game_count);
    sgf_tree_clear(&tree);
}

enum { NODES = 60, PROPERTIES = 4 };

/* A random tree. Each node comes after its parent. */
typedef struct {
    int nodes;
    int parents[NODES]; /* -1 for the root */
    int counts[NODES];  /* of properties */
    char names[NODES][PROPERTIES][16];
    StrBuf values[NODES][PROPERTIES]; /* with brackets */
} Model;

static void make_values(Rng *rng, StrBuf *out) {
    static const char LETTERS[] = "ab]\\:[;()\n \xC3\xA9";
    for (int values = 1 + rng_below(rng, 3); values; values--) {
        char text[16] = {0};
        for (int i = rng_below(rng, 12); i > 0; i--)
            text[i - 1] = LETTERS[rng_below(rng, 11)];
        strbuf_add(out, "[");
        sgf_write_text(text, false, out);
        strbuf_add(out, "]");
    }
}

static void make_model(Rng *rng, Model *model) {
    static const char *const NAMES[] = {"B", "W", "AB", "C", "LB", "X1", "VERYLONG"};
    *model = (Model){.nodes = 1 + rng_below(rng, NODES)};
    for (int i = 0; i < model->nodes; i++) {
        bool deep = rng_below(rng, 3);
        model->parents[i] = deep || !i ? i - 1 : rng_below(rng, i);
        model->counts[i] = rng_below(rng, PROPERTIES + 1);
        for (int k = 0; k < model->counts[i]; k++) {
            strcpy(model->names[i][k], NAMES[rng_below(rng, 7)]);
            make_values(rng, &model->values[i][k]);
        }
    }
}

static void clear_model(Model *model) {
    for (int i = 0; i < NODES; i++) {
        for (int k = 0; k < PROPERTIES; k++)
            strbuf_clear(&model->values[i][k]);
    }
}

/* Returns the next child of `parent` after node `from`, or -1. */
static int next_child(const Model *model, int parent, int from) {
    for (int i = from + 1; i < model->nodes; i++) {
        if (model->parents[i] == parent) return i;
    }
    return -1;
}

static int model_height(const Model *model, int node) {
    int height = 0;
    for (int i = next_child(model, node, node); i >= 0; i = next_child(model, node, i)) {
        int child = model_height(model, i);
        if (child > height) height = child;
    }
    return height + 1;
}

/* Writes a node and all below it as sgf_write_tree() does. */
static void write_plain(const Model *model, int node, StrBuf *out) {
    strbuf_add(out, ";");
    for (int k = 0; k < model->counts[node]; k++)
        strbuf_addf(out, "%s%s", model->names[node][k], model->values[node][k].text);
    int first = next_child(model, node, node);
    bool many = first >= 0 && next_child(model, node, first) >= 0;
    for (int i = first; i >= 0; i = next_child(model, node, i)) {
        if (many) strbuf_add(out, "(");
        write_plain(model, i, out);
        if (many) strbuf_add(out, ")");
    }
}

static void write_blanks(Rng *rng, StrBuf *out) {
    while (!rng_below(rng, 3))
        strbuf_addf(out, "%c", " \n\r\t"[rng_below(rng, 4)]);
}

static void write_property(Rng *rng, const char *name, const char *values, StrBuf *out) {
    for (const char *c = name; *c; c++)
        strbuf_addf(out, rng_below(rng, 4) ? "%c" : "%cxy", *c);
    write_blanks(rng, out);
    strbuf_add(out, values);
    write_blanks(rng, out);
}

/* Writes a node and all below it in a random one of the forms that the parser accepts: with
 * parentheses that are not needed, with the last variation outside of parentheses, and with
 * properties after variations. */
static void write_wild(Rng *rng, const Model *model, int node, StrBuf *out) {
    int written = 0, count = model->counts[node];
    strbuf_add(out, ";");
    write_blanks(rng, out);
    for (int i = next_child(model, node, node); i >= 0; i = next_child(model, node, i)) {
        bool bare = next_child(model, node, i) < 0 && rng_below(rng, 2);
        while (written < count && (bare || rng_below(rng, 2))) {
            write_property(rng, model->names[node][written], model->values[node][written].text,
                           out);
            written++;
        }
        if (!bare) strbuf_add(out, "(");
        write_blanks(rng, out);
        write_wild(rng, model, i, out);
        if (!bare) strbuf_add(out, ")");
        write_blanks(rng, out);
        if (bare) return;
    }
    for (; written < count; written++)
        write_property(rng, model->names[node][written], model->values[node][written].text, out);
}

TEST(random_trees_are_read_from_all_forms) {
    Rng rng = rng_seeded(7);
    for (int round = 0; round < 1000; round++) {
        Model model;
        SgfTree tree;
        StrBuf wild = {0}, plain = {0}, written = {0};
        make_model(&rng, &model);
        strbuf_add(&wild, "(");
        write_wild(&rng, &model, 0, &wild);
        strbuf_add(&wild, ")");
        strbuf_add(&plain, "(");
        write_plain(&model, 0, &plain);
        strbuf_add(&plain, ")");
        EXPECT_OK(sgf_parse(wild.text, wild.length, "random", &tree, err));
        EXPECT_INT(model_height(&model, 0), height_of(&tree));
        EXPECT_OK(sgf_write_tree(&tree, &written, err));
        EXPECT_TEXT(plain.text, written.text);
        clear_model(&model);
        strbuf_clear(&wild);
        strbuf_clear(&plain);
        strbuf_clear(&written);
        sgf_tree_clear(&tree);
    }
}

TEST(every_cut_is_refused_without_a_crash) {
    const char *text =
        "(;FF[4]GM[1]CA[UTF-8]SZ[9:13]C[a \\] b\\\\](;B[aa]C[x];W[])(;B[cc](;W[dd])(;W[ee])))";
    for (size_t length = 0; length < strlen(text); length++) {
        SgfTree tree;
        char *cut = malloc(length + 1); /* a sanitizer sees reads beyond the byte after the text */
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
            EXPECT_INT(status == OK, tree.game_count > 0);
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
    EXPECT_INT(DEEP, height_of(&tree));
    EXPECT_OK(sgf_write_tree(&tree, &written, err));
    EXPECT_OK(sgf_parse(written.text, written.length, "deep", &again, err));
    EXPECT_INT(DEEP, height_of(&again));
    sgf_tree_clear(&again);
    sgf_tree_clear(&tree);
    strbuf_clear(&nested);
    StrBuf open = repeated("(;", DEEP, "", 0), bare = repeated("(", DEEP, ";", 1),
           wide = repeated("(;(;)", 1, "(;)", DEEP);
    EXPECT_STATUS(ERR_SYNTAX, sgf_parse(open.text, open.length, "deep", &tree, NULL));
    EXPECT_STATUS(ERR_SYNTAX, sgf_parse(bare.text, bare.length, "deep", &tree, NULL));
    strbuf_add(&wide, ")");
    EXPECT_OK(sgf_parse(wide.text, wide.length, "wide", &tree, err));
    EXPECT_INT(2, height_of(&tree));
    sgf_tree_clear(&tree);
    strbuf_clear(&open);
    strbuf_clear(&bare);
    strbuf_clear(&wide);
    strbuf_clear(&written);
}

TEST(variations_have_a_limit) {
    SgfTree tree;
    Error error = {0};
    if (SANITIZED) SKIP("a sanitizer makes this slow");
    size_t length = 2 * (size_t)(SGF_BRANCHES_LIMIT + 1);
    char *text = malloc(length);
    EXPECT_TRUE(text != NULL);
    for (size_t i = 0; i < length; i++)
        text[i] = "(;"[i % 2];
    EXPECT_STATUS(ERR_SYNTAX, sgf_parse(text, length - 2, "limit", &tree, &error));
    EXPECT_CONTAINS(error.message, "33554432 \")\" missing");
    EXPECT_STATUS(ERR_UNSUPPORTED, sgf_parse(text, length, "limit", &tree, &error));
    EXPECT_CONTAINS(error.message, "more than 33554432 variations");
    free(text);
}

TEST_MAIN(RUN(nodes_properties_and_values), RUN(first_child_wins_ties),
          RUN(properties_of_one_name_may_repeat),
          RUN(what_follows_variations_belongs_to_the_node_before_them),
          RUN(old_names_lose_their_small_letters), RUN(junk_around_games_is_passed_over),
          RUN(text_is_unescaped), RUN(lines_are_counted_for_all_line_ends),
          RUN(errors_say_what_and_where), RUN(a_source_goes_on_after_a_bad_game),
          RUN(a_game_without_its_end_does_not_swallow_the_next_games),
          RUN(random_trees_are_read_from_all_forms), RUN(every_cut_is_refused_without_a_crash),
          RUN(every_changed_byte_is_survived), RUN(a_million_parentheses_are_no_danger),
          RUN(variations_have_a_limit))
