/* The players of a game: what the game's SGF says of them, the column of rows that describes them,
 * and how much of this column batches show. */
#include "data/made_rows.h"

#include "data/loader.h"
#include "data/rows/row_pack.h"
#include "data/sgf/sgf_players.h"
#include "data/sgf/sgf_record.h"

enum { LENGTH = 5, RANK_AT = METADATA_RANKS_AT };

static GameMetadata players_of(const char *properties) {
    char text[512];
    SgfGame game;
    snprintf(text, sizeof text, "(;SZ[5]%s;B[aa];W[bb])", properties);
    EXPECT_OK(sgf_game_parse(text, strlen(text), NULL, &game, err));
    GameMetadata players = sgf_players_of(&game);
    sgf_game_clear(&game);
    return players;
}

TEST(ranks_are_counted_from_9_dan) {
    static const struct {
        const char *text;
        int rank; /* 0: unknown */
    } RANKS[] = {{"9p", 1},   {"9d", 1},   {"1d", 9},   {"1k", 10},
                 {"20k", 29}, {"25k", 34}, {"30k", 34}, {"?", 0}};
    for (size_t i = 0; i < sizeof RANKS / sizeof *RANKS; i++) {
        char text[32];
        snprintf(text, sizeof text, "BR[%s]WR[3k]", RANKS[i].text);
        GameMetadata players = players_of(text);
        EXPECT_INT(RANKS[i].rank, players.black_rank);
        EXPECT_INT(!RANKS[i].rank, players.rank_unknown[0]);
        EXPECT_INT(12, players.white_rank);
        EXPECT_FALSE(players.rank_unknown[1]);
    }
}

TEST(ranks_mean_what_their_server_means) {
    static const struct {
        const char *text;
        int rank;
        bool unranked, unknown;
        float unrated;
    } RANKS[] = {
        {"BR[-]", 0, true, false, 0.5f},           {"PC[KGS]", 0, true, false, 0.5f},
        {"PC[KGS]BR[?]", 0, false, true, 0.5f},    {"PC[OGS]", 0, false, true, 0.5f},
        {"US[GoGoD95]BR[3d]", 1, false, false, 0}, {"US[GoGoD95]BR[2k]", 0, false, true, 0},
        {"SO[Go4Go]BR[3d]", 7, false, false, 0}};
    for (size_t i = 0; i < sizeof RANKS / sizeof *RANKS; i++) {
        GameMetadata players = players_of(RANKS[i].text);
        EXPECT_INT(RANKS[i].rank, players.black_rank);
        EXPECT_INT(RANKS[i].unranked, players.unranked[0]);
        EXPECT_INT(RANKS[i].unknown, players.rank_unknown[0]);
        EXPECT_NEAR(RANKS[i].unrated, players.unrated, 0);
    }
}

TEST(dates_may_lack_parts) {
    static const struct {
        const char *text;
        int year, month, day;
    } DATES[] = {{"2014-05-31", 2014, 5, 31},
                 {"2014-05", 2014, 5, 1},
                 {"2014", 2014, 1, 1},
                 {"2014-05-31,06-01", 2014, 5, 31},
                 {"31.5.2014", 1970, 1, 1},
                 {"2014-13", 1970, 1, 1},
                 {"", 1970, 1, 1}};
    for (size_t i = 0; i < sizeof DATES / sizeof *DATES; i++) {
        char text[64];
        snprintf(text, sizeof text, "DT[%s]", DATES[i].text);
        GameMetadata players = players_of(text);
        EXPECT_INT(DATES[i].year, players.year);
        EXPECT_INT(DATES[i].month, players.month);
        EXPECT_INT(DATES[i].day, players.day);
    }
}

TEST(time_limits_are_read) {
    static const struct {
        const char *text;
        TimeControlKind time;
        double main, period;
        int periods, moves;
    } LIMITS[] = {{"", TIME_UNKNOWN, 0, 0, 0, 0},
                  {"PC[KGS]", TIME_NONE, 0, 0, 0, 0},
                  {"PC[OGS]TM[?]", TIME_UNKNOWN, 0, 0, 0, 0},
                  {"TM[0]", TIME_NONE, 0, 0, 0, 0},
                  {"TM[600]", TIME_ABSOLUTE, 600, 0, 0, 0},
                  {"TM[1200]OT[5x30 byo-yomi]", TIME_BYOYOMI, 1200, 30, 5, 0},
                  {"TM[300]OT[25/600 Canadian]", TIME_CANADIAN, 300, 24, 0, 25},
                  {"TM[60]OT[10 fischer]", TIME_FISCHER, 60, 10, 0, 0},
                  {"TM[60]OT[30 simple]", TIME_SIMPLE, 60, 30, 0, 0},
                  {"TM[60]OT[hourglass]", TIME_UNKNOWN, 60, 0, 0, 0},
                  {"TM[a week]OT[x-3x/ byo-yomi]", TIME_BYOYOMI, 0, 0, 0, 0}};
    for (size_t i = 0; i < sizeof LIMITS / sizeof *LIMITS; i++) {
        GameMetadata players = players_of(LIMITS[i].text);
        EXPECT_INT(LIMITS[i].time, players.time);
        EXPECT_NEAR(LIMITS[i].main, players.main_seconds, 0);
        EXPECT_NEAR(LIMITS[i].period, players.period_seconds, 0);
        EXPECT_INT(LIMITS[i].periods, players.periods);
        EXPECT_INT(LIMITS[i].moves, players.canadian_moves);
    }
}

TEST(servers_are_recognised) {
    EXPECT_INT(2, players_of("PC[The KGS Go Server at http://www.gokgs.com/]").source);
    EXPECT_INT(1, players_of("PC[OGS: https://online-go.com/game/1]").source);
    EXPECT_INT(3, players_of("AP[foxwq]").source);
    EXPECT_INT(5, players_of("US[GoGoD95]").source);
    EXPECT_INT(6, players_of("SO[Go4Go]").source);
    EXPECT_INT(0, players_of("PC[Berlin]").source);
}

/* Returns rows of a game of two moves by a player of 2 dan (Black) and one of 5 kyu. */
static Rows rows_of_game(bool players) {
    static const char TEXT[] = "(;SZ[5]BR[2d]WR[5k]RE[B+R];B[aa];W[bb])";
    SgfGame game;
    SgfRecord record;
    Rng rng = rng_seeded(1);
    Rows rows;
    EXPECT_OK(sgf_game_parse(TEXT, sizeof TEXT - 1, NULL, &game, err));
    EXPECT_OK(sgf_record_make(&game, &(SgfRecordOptions){0}, &record, err));
    EXPECT_OK(rows_init(&rows, LENGTH, err));
    if (players) EXPECT_OK(rows_add_players(&rows, err));
    EXPECT_OK(rows_from_game(&record.record, &rng, &rows, err));
    EXPECT_INT(2, rows.count);
    sgf_record_clear(&record);
    sgf_game_clear(&game);
    return rows;
}

/* Checks how many of the places for ranks are 1: those of the mover and those of the opponent. */
static void expect_ranks(const float *row, int mover, int opponent) {
    int ones[2] = {0, 0};
    for (int i = 0; i < METADATA_RANKS; i++)
        ones[i >= METADATA_RANKS / 2] += row[RANK_AT + i] > 0;
    EXPECT_INT(mover, ones[0]);
    EXPECT_INT(opponent, ones[1]);
}

TEST(rows_describe_the_players_to_the_mover) {
    Rows rows = rows_of_game(true);
    expect_ranks(rows.players, 8, 14);
    expect_ranks(rows.players + METADATA_COUNT, 14, 8);
    rows_clear(&rows);
}

/* KataGo's programs refuse files with columns that they do not know, and they expect this column
 * only for games of people. So a file has the column only if it was asked for. */
TEST(files_keep_the_column) {
    TestPath path = test_path("players.npz");
    for (int players = 0; players < 2; players++) {
        Rows rows = rows_of_game(players), again;
        RowFileSize size;
        EXPECT_OK(row_file_write(path.text, &rows, err));
        EXPECT_OK(row_file_read(path.text, &again, err));
        EXPECT_OK(row_file_size(path.text, &size, err));
        EXPECT_TRUE(size.bytes >= (int64_t)rows_total_bytes(&rows));
        EXPECT_INT(players, again.has_players);
        EXPECT_INT(rows_total_bytes(&rows), rows_total_bytes(&again));
        EXPECT_INT(2 * (rows_bytes(LENGTH) + players * METADATA_COUNT * sizeof(float)),
                   rows_total_bytes(&rows));
        if (players) expect_ranks(again.players, 8, 14);
        rows_clear(&again);
        if (players) {
            rows.players[METADATA_COUNT + 3] = NAN;
            EXPECT_OK(row_file_write(path.text, &rows, err));
            Error fault = {0};
            EXPECT_STATUS(ERR_SYNTAX, row_file_read(path.text, &again, &fault));
            EXPECT_CONTAINS(fault.message, "row 1: metadataInputNC[3] is");
        }
        rows_clear(&rows);
    }
    remove(path.text);
}

TEST(packed_rows_keep_the_column) {
    Rows rows = rows_of_game(true), again;
    StrBuf packed = {0};
    EXPECT_OK(rows_init(&again, LENGTH, err));
    EXPECT_OK(rows_add_players(&again, err));
    for (size_t n = 0; n < 2; n++) {
        strbuf_reset(&packed);
        row_pack(&rows, n, &packed);
        EXPECT_OK(row_unpack(&again, packed.text, packed.length, err));
    }
    EXPECT_TRUE(memcmp(rows.players, again.players, 2 * METADATA_COUNT * sizeof(float)) == 0);
    strbuf_clear(&packed);
    rows_clear(&rows);
    rows_clear(&again);
}

TEST(rows_without_the_column_have_unknown_players) {
    Rows known = rows_of_game(true), plain = rows_of_game(false);
    EXPECT_OK(rows_append(&known, &plain, 0, 2, err));
    expect_ranks(known.players + 1 * METADATA_COUNT, 14, 8);
    for (int i = 2 * METADATA_COUNT; i < 4 * METADATA_COUNT; i++)
        EXPECT_NEAR(0, known.players[i], 0);
    EXPECT_OK(rows_append(&plain, &known, 0, 1, err));
    EXPECT_FALSE(plain.has_players);
    EXPECT_OK(rows_add_players(&plain, err));
    EXPECT_OK(rows_append(&plain, &known, 1, 1, err));
    expect_ranks(plain.players + 2 * METADATA_COUNT, 0, 0);
    expect_ranks(plain.players + 3 * METADATA_COUNT, 14, 8);
    rows_clear(&known);
    rows_clear(&plain);
}

/* Counts the samples of 20 batches that show who played. */
static int count_shown(double hidden, bool column, Loader **loader) {
    LoaderSettings settings = {.batch = 16,
                               .length = LENGTH,
                               .memory_mb = 16,
                               .seed = 1,
                               .players = true,
                               .players_hidden = hidden};
    TestPath path = test_path("players.npz");
    Rows rows = rows_of_game(column);
    int shown = 0;
    EXPECT_OK(row_file_write(path.text, &rows, err));
    EXPECT_OK(loader_new(&settings, loader, err));
    EXPECT_OK(loader_add_file(*loader, path.text, err));
    for (int i = 0; i < 20; i++) {
        Batch batch;
        EXPECT_OK(loader_next(*loader, &batch, err));
        for (int n = 0; n < batch.count; n++) {
            const float *players = batch.players + n * METADATA_COUNT;
            shown += players[0] > 0; /* the mover is a person */
            if (players[0] > 0) EXPECT_TRUE(players[RANK_AT] > 0);
        }
    }
    rows_clear(&rows);
    remove(path.text);
    return shown;
}

TEST(samples_hide_the_players_as_often_as_is_wanted) {
    Loader *loader;
    EXPECT_INT(320, count_shown(0, true, &loader));
    loader_free(loader);
    EXPECT_INT(0, count_shown(1, true, &loader));
    loader_free(loader);
    EXPECT_INT(0, count_shown(0, false, &loader));
    loader_free(loader);
    int half = count_shown(0.5, true, &loader);
    EXPECT_TRUE(half > 110 && half < 210); /* 160 +- 5.6 standard deviations */
    loader_free(loader);
}

TEST_MAIN(RUN(ranks_are_counted_from_9_dan), RUN(ranks_mean_what_their_server_means),
          RUN(dates_may_lack_parts), RUN(time_limits_are_read), RUN(servers_are_recognised),
          RUN(rows_describe_the_players_to_the_mover), RUN(files_keep_the_column),
          RUN(packed_rows_keep_the_column), RUN(rows_without_the_column_have_unknown_players),
          RUN(samples_hide_the_players_as_often_as_is_wanted))
