/* Each filter by itself: which games pass, and which of their turns become rows. */
#include "data/sgf/sgf_filter.h"
#include "test.h"

#define PLAYED ";B[aa];W[bb];B[cc];W[dd]"

static SgfFilterSettings settings_with(const char *assignment) {
    SgfFilterSettings settings;
    const SettingsGroup groups[] = {
        {"filter", SGF_FILTER_FIELDS, &settings}, {"filter", SGF_SOURCE_FIELDS, &settings}, {0}};
    settings_defaults(SGF_FILTER_FIELDS, &settings);
    settings_defaults(SGF_SOURCE_FIELDS, &settings);
    if (assignment) EXPECT_OK(settings_assign(groups, assignment, err));
    return settings;
}

typedef struct {
    SgfFate fate;
    char turns[64]; /* "1" for each turn with a row, "0" for the others */
} Judged;

static Judged judge(const char *assignment, const char *head, const char *moves, bool validation) {
    SgfFilterSettings settings = settings_with(assignment);
    SgfFilter filter;
    StrBuf text = {0};
    SgfGame game;
    SgfRecord record;
    Judged out = {0};
    EXPECT_OK(sgf_filter_make(&settings, 7, &filter, err));
    strbuf_addf(&text, "(;%s%s)", head, moves);
    EXPECT_OK(sgf_game_parse(text.text, text.length, &(SgfOptions){.cut = true}, &game, err));
    EXPECT_OK(sgf_record_make(&game, &(SgfRecordOptions){0}, &record, err));
    out.fate = sgf_filter_apply(&filter, &game, validation, &record);
    for (size_t i = 0; i < record.record.turn_count && i < 63; i++)
        out.turns[i] = record.record.turns[i].row_weight > 0 ? '1' : '0';
    sgf_record_clear(&record);
    sgf_game_clear(&game);
    strbuf_clear(&text);
    return out;
}

static void expect_fate(SgfFate want, const char *assignment, const char *head) {
    Judged got = judge(assignment, head, PLAYED, false);
    if (got.fate != want)
        fail_msg("%s, %s: %s, wanted %s", assignment ? assignment : "", head,
                 sgf_fate_name(got.fate), sgf_fate_name(want));
}

static void expect_turns(const char *want, const char *assignment, const char *head) {
    Judged got = judge(assignment, head, PLAYED, false);
    EXPECT_INT(SGF_KEPT, got.fate);
    EXPECT_TEXT(want, got.turns);
}

TEST(without_filters_every_game_passes) {
    expect_turns("1111", NULL, "SZ[9]");
    expect_turns("1111", NULL, "SZ[7:11]KM[-3.5]RE[W+T]");
}

TEST(dates_are_compared_as_far_as_they_go) {
    expect_fate(SGF_KEPT, "date_from=2010", "SZ[9]DT[2010-01-01]");
    expect_fate(SGF_OUT_DATE, "date_from=2010", "SZ[9]DT[2009-12-31]");
    expect_fate(SGF_KEPT, "date_from=2010-05", "SZ[9]DT[2010]");
    expect_fate(SGF_OUT_DATE, "date_from=2010-05", "SZ[9]DT[2010-04-30,05-01]");
    expect_fate(SGF_KEPT, "date_to=2010-05-03", "SZ[9]DT[2010-05-03]");
    expect_fate(SGF_OUT_DATE, "date_to=2010-05-03", "SZ[9]DT[2010-05-04]");
    expect_fate(SGF_OUT_DATE, "date_to=2010", "SZ[9]");
    expect_fate(SGF_KEPT, "date_to=2010", "SZ[9]DT[Published in 1999]");
}

TEST(sources_are_listed) {
    expect_fate(SGF_KEPT, "sources=KGS", "SZ[9]PC[The KGS Go Server]");
    expect_fate(SGF_OUT_SOURCE, "sources=KGS", "SZ[9]PC[OGS: a game]");
    expect_fate(SGF_OUT_SOURCE, "sources=KGS", "SZ[9]");
    expect_fate(SGF_KEPT, "sources=kgs, Others", "SZ[9]");
    expect_fate(SGF_KEPT, "sources=kgs, Others", "SZ[9]PC[The KGS Go Server]");
    expect_fate(SGF_OUT_SOURCE, "sources=kgs, Others", "SZ[9]AP[foxwq]");
    expect_fate(SGF_KEPT, "sources=Fox,GoGoD", "SZ[9]US[GoGoD95]");
}

TEST(ranks_hold_for_the_mover) {
    expect_turns("1010", "min_rank=4d", "SZ[9]BR[5d]WR[3d]");
    expect_turns("0101", "max_rank=4d", "SZ[9]BR[5d]WR[3d]");
    expect_turns("0101", "min_opponent_rank=4d", "SZ[9]BR[5d]WR[3d]");
    expect_turns("1111", "min_rank=9k", "SZ[9]BR[3p]WR[9k]");
    expect_fate(SGF_OUT_RANK, "min_rank=9k", "SZ[9]BR[10k]WR[?]");
    expect_fate(SGF_OUT_RANK, "max_rank=9d", "SZ[9]");
    expect_fate(SGF_OUT_RANK, "min_opponent_rank=30k", "SZ[9]");
}

TEST(players_hold_for_the_mover) {
    expect_turns("1010", "players=Cho, An Younggil", "SZ[9]PB[an younggil]PW[x]");
    expect_turns("0101", "exclude_players=bot one,bot", "SZ[9]PB[bot]PW[x]");
    expect_fate(SGF_OUT_PLAYER, "players=Cho", "SZ[9]PB[a]PW[b]");
    expect_fate(SGF_OUT_PLAYER, "exclude_players=a,b", "SZ[9]PB[a]PW[b]");
}

TEST(sizes_are_listed) {
    expect_fate(SGF_KEPT, "sizes=9,19", "SZ[9]");
    expect_fate(SGF_KEPT, "sizes=9,19", "");
    expect_fate(SGF_OUT_SIZE, "sizes=9,19", "SZ[13]");
    expect_fate(SGF_OUT_SIZE, "sizes=9,19", "SZ[9:19]");
    expect_fate(SGF_KEPT, "sizes=7x9", "SZ[9:7]");
}

TEST(handicap_and_komi_have_bounds) {
    expect_fate(SGF_OUT_HANDICAP, "max_handicap=2", "SZ[9]AB[gg][gh][hg]PL[B]");
    expect_fate(SGF_KEPT, "max_handicap=3", "SZ[9]AB[gg][gh][hg]PL[B]");
    expect_fate(SGF_OUT_HANDICAP, "min_handicap=1", "SZ[9]");
    expect_fate(SGF_OUT_KOMI, "min_komi=6.5", "SZ[9]KM[6]");
    expect_fate(SGF_KEPT, "min_komi=6.5", "SZ[9]KM[6.5]");
    expect_fate(SGF_OUT_KOMI, "max_komi=6.5", "SZ[9]KM[7]");
}

TEST(results_are_listed) {
    expect_fate(SGF_KEPT, "results=score,resign", "SZ[9]RE[B+R]");
    expect_fate(SGF_KEPT, "results=score, resign", "SZ[9]RE[W+3.5]");
    expect_fate(SGF_OUT_RESULT, "results=score,resign", "SZ[9]RE[W+T]");
    expect_fate(SGF_OUT_RESULT, "results=score", "SZ[9]");
    expect_fate(SGF_KEPT, "results=unknown", "SZ[9]");
}

TEST(length_is_that_after_the_cut) {
    expect_fate(SGF_KEPT, "min_moves=4", "SZ[9]");
    expect_fate(SGF_OUT_LENGTH, "min_moves=5", "SZ[9]");
    expect_fate(SGF_OUT_LENGTH, "max_moves=3", "SZ[9]");
    EXPECT_INT(SGF_OUT_LENGTH, judge("min_moves=3", "SZ[9]", ";B[aa];W[bb];B[bb]", false).fate);
    EXPECT_INT(SGF_OUT_LENGTH, judge(NULL, "SZ[9]", "", false).fate);
}

TEST(passes_may_be_left_out) {
    EXPECT_TEXT("111", judge(NULL, "SZ[9]", ";B[aa];W[];B[cc]", false).turns);
    EXPECT_TEXT("101", judge("passes=false", "SZ[9]", ";B[aa];W[];B[cc]", false).turns);
    EXPECT_INT(SGF_OUT_NO_TURN, judge("passes=false", "SZ[9]", ";B[]", false).fate);
}

TEST(a_fraction_of_the_turns_is_drawn) {
    StrBuf moves = {0};
    for (int i = 0; i < 60; i++)
        strbuf_addf(&moves, ";%c[%c%c]", "BW"[i % 2], 'a' + i % 9, 'a' + i / 9);
    Judged first = judge("keep=0.4", "SZ[9]", moves.text, false),
           again = judge("keep=0.4", "SZ[9]RE[B+R]", moves.text, false),
           more = judge("keep=0.6", "SZ[9]", moves.text, false);
    int kept = 0;
    EXPECT_TEXT(first.turns, again.turns); /* only the moves decide which turns are drawn */
    for (int i = 0; i < 60; i++) {
        kept += first.turns[i] == '1';
        EXPECT_TRUE(first.turns[i] == '0' || more.turns[i] == '1');
    }
    EXPECT_TRUE(kept > 12 && kept < 36); /* 24, plus or minus 3 standard deviations */
    EXPECT_INT(SGF_OUT_NO_TURN, judge("keep=0", "SZ[9]", moves.text, false).fate);
    EXPECT_INT(SGF_KEPT, judge("keep=0", "SZ[9]", moves.text, true).fate);
    EXPECT_INT(SGF_OUT_NO_TURN, judge("keep_validation=0", "SZ[9]", moves.text, true).fate);
    strbuf_clear(&moves);
}

static void expect_refused(const char *assignment, const char *message) {
    SgfFilterSettings settings = settings_with(assignment);
    SgfFilter filter;
    Error error = {0};
    EXPECT_STATUS(ERR_ARGUMENT, sgf_filter_make(&settings, 1, &filter, &error));
    EXPECT_CONTAINS(error.message, message);
}

TEST(impossible_settings_are_refused) {
    expect_refused("date_from=May 2010", "filter.date_from \"May 2010\" is no date");
    expect_refused("date_to=10", "is no date");
    expect_refused("min_rank=strong", "filter.min_rank \"strong\" is no rank");
    expect_refused("sizes=9,20", "\"20\" is no size");
    expect_refused("sizes=9,,13", "is no size");
    expect_refused("sizes=99999999999999999999", "is no size");
    expect_refused("results=won", "\"won\" is none of");
}

TEST_MAIN(RUN(without_filters_every_game_passes), RUN(dates_are_compared_as_far_as_they_go),
          RUN(sources_are_listed), RUN(ranks_hold_for_the_mover), RUN(players_hold_for_the_mover),
          RUN(sizes_are_listed), RUN(handicap_and_komi_have_bounds), RUN(results_are_listed),
          RUN(length_is_that_after_the_cut), RUN(passes_may_be_left_out),
          RUN(a_fraction_of_the_turns_is_drawn), RUN(impossible_settings_are_refused))
