/* The summary of games that became rows: the counts by source, handicap and rank. */
#include "data/sgf/sgf_counts.h"
#include "test.h"

/* Counts a game. Only turns of the players whose ranks the filter admits become rows. */
static void count(SgfCounts *counts, const char *min_rank, const char *text, bool validation) {
    SgfFilterSettings settings;
    SgfFilter filter;
    SgfGame game;
    SgfRecord record;
    settings_defaults(SGF_FILTER_FIELDS, &settings);
    settings_defaults(SGF_SOURCE_FIELDS, &settings);
    settings.max_handicap = BOARD_POINTS_MAX;
    snprintf(settings.min_rank, sizeof settings.min_rank, "%s", min_rank);
    EXPECT_OK(sgf_filter_make(&settings, 7, &filter, err));
    EXPECT_OK(sgf_game_parse(text, strlen(text), &(SgfOptions){.cut = true}, &game, err));
    EXPECT_OK(sgf_record_make(&game, &(SgfRecordOptions){0}, &record, err));
    EXPECT_INT(SGF_KEPT, sgf_filter_apply(&filter, &game, validation, &record));
    sgf_counts_add(counts, &game, &record, validation);
    sgf_record_clear(&record);
    sgf_game_clear(&game);
}

/* Adds the line of a table with two numbers. */
static void add_line(StrBuf *out, const char *name, int games, int rows) {
    strbuf_addf(out, "%-12s %12d %12d\n", name, games, rows);
}

/* Returns the part of the summary from this line on, up to the next empty line. */
static StrBuf table_of(const SgfCounts *counts, const char *head) {
    StrBuf text = {0}, out = {0};
    sgf_counts_write(counts, &text);
    const char *at = strstr(strbuf_text(&text), head);
    if (!at) fail_msg("no table \"%s\" in:\n%s", head, strbuf_text(&text));
    at += strlen(head) + 1;
    const char *end = strstr(at, "\n\n");
    size_t length = end ? (size_t)(end + 1 - at) : strlen(at);
    strbuf_add_bytes(&out, at, length);
    strbuf_clear(&text);
    return out;
}

static void expect_table(const SgfCounts *counts, const char *head, StrBuf *want) {
    StrBuf got = table_of(counts, head);
    EXPECT_TEXT(strbuf_text(want), strbuf_text(&got));
    strbuf_clear(want);
    strbuf_clear(&got);
}

#define NINE "AB[dd][jd][pd][dj][jj][pj][dp][jp][pp]"

/* The stones of handicap are those on the board before White's first move. */
TEST(games_are_counted_by_handicap) {
    SgfCounts counts = {0};
    StrBuf want = {0};
    count(&counts, "", "(;SZ[19];B[aa];W[bb];B[cc])", false);
    count(&counts, "", "(;SZ[9];B[aa];W[bb])", true);
    count(&counts, "", "(;SZ[19]HA[2];B[dd];B[pp];W[bb];B[cc];W[ee])", false);
    count(&counts, "", "(;SZ[19]AB[dd][pp][dp];W[bb])", false);
    count(&counts, "", "(;SZ[19]HA[9]" NINE ";W[bb];B[cc])", false);
    count(&counts, "", "(;SZ[19]" NINE "[aa];W[bb])", false);
    count(&counts, "", "(;SZ[19]" NINE "[aa][sa][as];W[bb];B[bc];W[bd];B[be];W[bf])", false);
    add_line(&want, "0", 2, 5);
    add_line(&want, "2", 1, 3);
    add_line(&want, "3", 1, 1);
    add_line(&want, "9", 1, 2);
    add_line(&want, "10 or more", 2, 6);
    expect_table(&counts, "handicap            games         rows", &want);
    EXPECT_INT(7, counts.kept);
    EXPECT_INT(17, counts.rows);
    EXPECT_INT(1, counts.validation_games);
    EXPECT_INT(2, counts.validation_rows);
}

/* The rows of a game with three black and two white turns are counted by the ranks of both players.
 * In the second game only turns of players of at least 3 dan become rows, and these are Black's. */
TEST(rows_are_counted_by_the_ranks_of_both_players) {
    SgfCounts counts = {0};
    StrBuf mover = {0}, opponent = {0};
    count(&counts, "", "(;SZ[9]BR[5k]WR[2d];B[aa];W[bb];B[cc];W[dd];B[ee])", false);
    count(&counts, "3d", "(;SZ[9]BR[4d]WR[2d];B[aa];W[bb];B[cc];W[dd];B[ff];W[gg];B[hh])", false);
    count(&counts, "", "(;SZ[9]WR[5k];B[aa];W[bb])", false);
    strbuf_addf(&mover, "%-12s %25d\n%-12s %25d\n%-12s %25d\n%-12s %25d\n", "5k", 3 + 1, "2d", 2,
                "4d", 4, "none", 1);
    strbuf_addf(&opponent, "%-12s %25d\n%-12s %25d\n%-12s %25d\n", "5k", 2 + 1, "2d", 3 + 4, "none",
                1);
    expect_table(&counts, "rank of the mover                 rows", &mover);
    expect_table(&counts, "rank of the opponent              rows", &opponent);
}

TEST(games_are_counted_by_source) {
    SgfCounts counts = {0};
    StrBuf want = {0};
    count(&counts, "", "(;SZ[9]PC[The KGS Go Server];B[aa];W[bb])", false);
    count(&counts, "", "(;SZ[9]US[GoGoD95];B[aa])", false);
    count(&counts, "", "(;SZ[9]PC[Paris];B[aa];W[bb];B[cc])", false);
    count(&counts, "", "(;SZ[9]PC[KGS];B[cc])", false);
    add_line(&want, "KGS", 2, 3);
    add_line(&want, "GoGoD", 1, 1);
    add_line(&want, "others", 1, 3);
    expect_table(&counts, "source              games         rows", &want);
}

TEST_MAIN(RUN(games_are_counted_by_handicap), RUN(rows_are_counted_by_the_ranks_of_both_players),
          RUN(games_are_counted_by_source))
