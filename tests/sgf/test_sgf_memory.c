/* The memory that SGF takes: 64 MiB of any text take less than 1 GB, the text itself included. A
 * child process parses with a limit on its memory, so that a larger tree would fail with
 * ERR_MEMORY. */
#include <sys/wait.h>

#include "sgf/sgf_game.h"
#include "sgf/sgf_parse.h"

#include "memory_limit.h"

enum { TEXT_BYTES = 64 << 20, MOST_BYTES = 1000000000, SMALL_BYTES = 4 << 20, LARGE_SHAPES = 2 };

/* A text: `begin`, then `part` as often as there is room, then `end`. If `closed` is set, each part
 * opens a parenthesis, and the text has one more `end` for each part. */
typedef struct {
    const char *begin, *part, *end;
    bool closed;
    Status tree, game; /* what sgf_parse() and sgf_game_parse() return */
} Shape;

static const char REAL_GAME[] =
    "(;FF[4]CA[UTF-8]GM[1]DT[2024-03-09]PB[black]PW[white]BR[7 dan]WR[7d]KM[6.5]HA[0]SZ[19]RE[W+R]"
    "RU[Japanese]AP[GNU Go:3.8]\n;B[pd];W[dd];B[pq];W[dq];B[fc];W[cf];B[do];W[dl];B[co];W[fq]"
    ";B[cq]\n;W[cr];B[bq];W[eo]C[A comment (of a viewer\\]: hi!]BL[1650.2];B[br];W[dr];B[jp]"
    "\n;W[dj];B[qf];W[nc];B[lc]LB[aa:1][bb:2];W[qc];B[pc];W[qd];B[qe]\n;W[pb];B[ob];W[qb];B[nb])\n";

static const Shape SHAPES[] = {
    {"(;", "(;", "", false, ERR_SYNTAX, ERR_SYNTAX},
    {"(;", ";", ")", false, OK, OK},
    {"(;", "(;", ")", true, OK, OK},
    {"(;", "(;)", ")", false, OK, OK},
    {"(;", "(;);", ")", false, OK, OK},
    {"(;", "(;)B[]", ")", false, OK, ERR_UNSUPPORTED},
    {"", "(;)", "", false, OK, OK},
    {"(;", "A[]", ")", false, OK, OK},
    {"(;", "B[]", ")", false, OK, ERR_UNSUPPORTED},
    {"(;", ";B[]C[x]", ")", false, OK, ERR_UNSUPPORTED},
    {"(;AB", "[]", ")", false, OK, ERR_SYNTAX},
    {"(;AE", "[aa]", ")", false, OK, OK},
    {"(;", "AE[aa]", ")", false, OK, OK},
    {"(;", "LoWeR[]", ")", false, OK, OK},
    {"(;", "\n;\n", ")", false, OK, OK},
    {"(;C[", "\\]", "])", false, OK, OK},
    {"(;PB[", "\\]", "])", false, OK, OK},
    {"(;CA[latin1]C[", "\x80", "])", false, OK, OK},
    {"(;CA[latin1]", ";", ")", false, OK, OK},
    {"(;CA[gbk]PB[", "\xC6\xE5", "])", false, OK, OK},
    {"", REAL_GAME, "", false, OK, OK},
    {"", "x", "", false, ERR_SYNTAX, ERR_SYNTAX},
};

/* Returns the text, which the caller frees, or NULL. */
static char *shape_text(const Shape *shape, size_t bytes, size_t *length) {
    size_t part = strlen(shape->part), begin = strlen(shape->begin), end = strlen(shape->end);
    size_t each = part + (shape->closed ? end : 0);
    size_t times = (bytes - begin - end) / each, at = begin;
    char *text = malloc(bytes + 1);
    if (!text) return NULL;
    memcpy(text, shape->begin, begin);
    for (size_t i = 0; i < times; i++, at += part)
        memcpy(text + at, shape->part, part);
    for (size_t i = 0; i < (shape->closed ? times : 0) + 1; i++, at += end)
        memcpy(text + at, shape->end, end);
    *length = at;
    return text;
}

/* Writes the text to a file without a name and opens it as a collection. Returns whether this has a
 * game. */
static bool open_collection(const char *text, size_t length) {
    char path[64];
    SgfCollection *collection = NULL;
    FILE *file = tmpfile();
    if (!file || fwrite(text, 1, length, file) != length || fflush(file)) return false;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    Status status = sgf_collection_open(path, NULL, &collection, NULL);
    bool any = !status && sgf_collection_count(collection) > 0;
    sgf_collection_close(collection);
    fclose(file);
    return any;
}

/* Runs in the child process. Returns 0, or an index of WHAT in expect_within(). */
static int parse_within(const Shape *shape, size_t bytes) {
    size_t length;
    if (!limit_memory((size_t)((double)bytes * MOST_BYTES / TEXT_BYTES))) return 1;
    char *text = shape_text(shape, bytes, &length);
    if (!text) return 2;
    SgfTree tree;
    if (sgf_parse(text, length, "tree", &tree, NULL) != shape->tree) return 3;
    sgf_tree_clear(&tree);
    SgfGame game;
    SgfOptions options = {.longest = true};
    if (sgf_game_parse(text, length, &options, &game, NULL) != shape->game) return 4;
    sgf_game_clear(&game);
    /* A collection also counts games that cannot be parsed. */
    bool any = strchr(shape->part, '(') || shape->tree == OK;
    if (bytes == SMALL_BYTES && open_collection(text, length) != any) return 5;
    free(text);
    return 0;
}

static void expect_within(const Shape *shape, size_t bytes) {
    static const char *const WHAT[] = {
        "", "no limit", "no text", "sgf_parse()", "sgf_game_parse()", "sgf_collection_open()"};
    fflush(NULL);
    pid_t child = fork();
    EXPECT_TRUE(child >= 0);
    if (!child) _exit(parse_within(shape, bytes));
    int state;
    EXPECT_TRUE(waitpid(child, &state, 0) == child && WIFEXITED(state));
    int failed = WEXITSTATUS(state);
    if (failed)
        fail_msg("%zu bytes of \"%.20s\" after \"%s\": %s", bytes, shape->part, shape->begin,
                 WHAT[failed]);
}

TEST(four_mebibytes_of_any_text_take_a_sixteenth_of_a_gigabyte) {
    if (SANITIZED) SKIP("a sanitizer takes memory of its own");
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++)
        expect_within(&SHAPES[i], SMALL_BYTES);
}

/* The first two shapes take the most memory. */
TEST(sixty_four_mebibytes_take_less_than_a_gigabyte) {
    if (SANITIZED) SKIP("a sanitizer takes memory of its own");
    for (size_t i = 0; i < LARGE_SHAPES; i++)
        expect_within(&SHAPES[i], TEXT_BYTES);
}

TEST_MAIN(RUN(four_mebibytes_of_any_text_take_a_sixteenth_of_a_gigabyte),
          RUN(sixty_four_mebibytes_take_less_than_a_gigabyte))
