/* How the players and circumstances of a game become inputs of a net: ranks, time, date and source.
 * The wanted numbers follow from the definition in KataGo's sgfmetadata.cpp. */
#include "eval/features/metadata.h"
#include "test.h"

static void encode(const char *profile, Color mover, int area, float out[METADATA_COUNT]) {
    GameMetadata metadata;
    EXPECT_OK(metadata_profile(profile, &metadata, err));
    metadata_encode(&metadata, mover, area, out);
}

static int rank_of(const float *out, int slot) {
    int rank = 0;
    while (rank < 34 && out[6 + 34 * slot + rank] != 0)
        rank++;
    for (int i = rank; i < 34; i++)
        EXPECT_NEAR(0, out[6 + 34 * slot + i], 0);
    return rank;
}

TEST(ranks_are_encoded_as_a_row_of_ones) {
    static const struct {
        const char *profile;
        int rank;
    } RANKS[] = {
        {"rank_9d", 1}, {"rank_1d", 9}, {"preaz_1k", 10}, {"rank_20k", 29}, {"proyear_1850", 1}};
    float out[METADATA_COUNT];
    for (size_t i = 0; i < sizeof RANKS / sizeof *RANKS; i++) {
        encode(RANKS[i].profile, COLOR_BLACK, 361, out);
        EXPECT_INT(RANKS[i].rank, rank_of(out, 0));
        EXPECT_INT(RANKS[i].rank, rank_of(out, 1));
    }
}

/* A profile gives Black's rank first. The inputs have the mover's rank first. */
TEST(the_movers_rank_comes_first) {
    float out[METADATA_COUNT];
    encode("rank_3d_5k", COLOR_BLACK, 361, out);
    EXPECT_INT(7, rank_of(out, 0));
    EXPECT_INT(14, rank_of(out, 1));
    encode("rank_3d_5k", COLOR_WHITE, 361, out);
    EXPECT_INT(14, rank_of(out, 0));
    EXPECT_INT(7, rank_of(out, 1));
}

TEST(time_size_and_source_are_encoded) {
    float out[METADATA_COUNT];
    encode("rank_5k", COLOR_BLACK, 81, out);
    EXPECT_NEAR(1, out[0], 0);
    EXPECT_NEAR(1, out[1], 0);
    EXPECT_NEAR(0.5, out[74], 0);
    EXPECT_NEAR(1, out[75 + TIME_BYOYOMI], 0);
    EXPECT_NEAR(0.4 * (log(1260) - 6.5), out[82], 1e-6);
    EXPECT_NEAR(0.3 * (log(31) - 3), out[83], 1e-6);
    EXPECT_NEAR(0.5 * (log(7) - 1.5), out[84], 1e-6);
    EXPECT_NEAR(0.25 * (log(2) - 1.5), out[85], 1e-6);
    EXPECT_NEAR(0.5 * log(81 / 361.0), out[86], 1e-6);
    EXPECT_NEAR(1, out[151 + 2], 0);
    encode("proyear_2020", COLOR_BLACK, 361, out);
    EXPECT_NEAR(0, out[74], 0);
    EXPECT_NEAR(1, out[75 + TIME_UNKNOWN], 0);
    EXPECT_NEAR(1, out[151 + 5], 0);
    encode("proyear_2021", COLOR_BLACK, 361, out);
    EXPECT_NEAR(1, out[151 + 6], 0);
}

/* A date is encoded by cosines and sines of the days since 1970-01-01, with periods from 7 to
 * 560000 days. 2020-03-01, the date of the profile rank_5k, is day 18322, and 1800-03-29 is day
 * -62004. */
TEST(dates_are_encoded_as_waves) {
    float out[METADATA_COUNT];
    const double TURN = 2 * 3.14159265358979323846;
    encode("rank_5k", COLOR_BLACK, 361, out);
    EXPECT_NEAR(cos(TURN * 18322 / 7), out[87], 1e-5);
    EXPECT_NEAR(sin(TURN * 18322 / 7), out[88], 1e-5);
    EXPECT_NEAR(cos(TURN * 18322 / 560000), out[149], 1e-5);
    EXPECT_NEAR(sin(TURN * 18322 / 560000), out[150], 1e-5);
    GameMetadata old = {.year = 1800, .month = 3, .day = 29};
    metadata_encode(&old, COLOR_BLACK, 361, out);
    EXPECT_NEAR(sin(TURN * -62004 / 560000), out[150], 1e-5);
}

TEST(words_that_are_no_profile_are_refused) {
    static const char *const WRONG[] = {"",          "rank_",        "rank_10d",     "rank_21k",
                                        "rank_0k",   "rank_5",       "rank_5k_",     "rank_5kx",
                                        "rank_5k_x", "proyear_1799", "proyear_2024", "proyear_190",
                                        "preaz_5",   "rank_+5k",     "human"};
    GameMetadata metadata;
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        Error error = {0};
        EXPECT_STATUS(ERR_ARGUMENT, metadata_profile(WRONG[i], &metadata, &error));
        EXPECT_CONTAINS(error.message, "rank_5k");
    }
}

TEST_MAIN(RUN(ranks_are_encoded_as_a_row_of_ones), RUN(the_movers_rank_comes_first),
          RUN(time_size_and_source_are_encoded), RUN(dates_are_encoded_as_waves),
          RUN(words_that_are_no_profile_are_refused))
