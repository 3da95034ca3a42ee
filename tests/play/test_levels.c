/* Levels of a net: ranks, the file of a scale, and their measurement by games. */
#define _GNU_SOURCE /* mkdtemp */
#include <math.h>
#include <stdlib.h>

#include "play/levels/calibrate.h"
#include "play/levels/rank_scale.h"
#include "play/match/gnu_go.h"
#include "search/result/level.h"
#include "test.h"

static Path make_folder(void) {
    Path folder = {"/tmp/aji-test-levels-XXXXXX"};
    EXPECT_TRUE(mkdtemp(folder.text));
    return folder;
}

static Path path_in(const Path *folder, const char *name) {
    Path path;
    EXPECT_OK(path_join(&path, folder->text, name, err));
    return path;
}

static void remove_folder(const Path *folder) {
    EXPECT_OK(directory_remove(folder->text, err));
}

/* Elo differences from 8k on 19x19 by the EGF's scale: 1d 621, 10k -116, 20k -572, 5d 1114. Design
 * notes of KaTrain's and OGS's levels give the same differences. */
TEST(ranks_follow_the_scale_of_the_egf) {
    EXPECT_NEAR(0, rank_elo(13, 361), 1e-9);
    EXPECT_NEAR(621 / 0.75, rank_elo(21, 361), 1);
    EXPECT_NEAR(-116 / 0.75, rank_elo(11, 361), 1);
    EXPECT_NEAR(-572 / 0.75, rank_elo(1, 361), 1);
    EXPECT_NEAR(1114 / 0.75, rank_elo(25, 361), 1);
    EXPECT_NEAR(621 / 0.75 * 9 / 19, rank_elo(21, 81), 1); /* less on a small board */
    for (double rank = -9; rank <= 29; rank += 0.5)
        EXPECT_NEAR(rank, rank_of_elo(rank_elo(rank, 169), 169), 1e-9);
}

TEST(ranks_have_names) {
    static const struct {
        const char *name;
        double rank;
    } RANKS[] = {{"30k", -9}, {"8k", 13}, {"1k", 20}, {"1d", 21}, {"9d", 29}};
    static const char *const WRONG[] = {"", "k", "9", "31k", "0k", "10d", "9kk", "-1k", "9 k", "x"};
    double rank;
    for (size_t i = 0; i < sizeof RANKS / sizeof *RANKS; i++) {
        EXPECT_TEXT(RANKS[i].name, rank_text(RANKS[i].rank).text);
        EXPECT_TRUE(rank_parse(RANKS[i].name, &rank));
        EXPECT_NEAR(RANKS[i].rank, rank, 0);
    }
    EXPECT_TEXT("30k", rank_text(-100).text);
    EXPECT_TEXT("9d", rank_text(40).text);
    EXPECT_TEXT("8k", rank_text(13.4).text);
    EXPECT_TRUE(rank_parse("5D", &rank) && rank == 25);
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++)
        EXPECT_FALSE(rank_parse(WRONG[i], &rank));
}

static LevelScale made_up_scale(void) {
    LevelScale scale = {.net = "9x9-a.aji",
                        .strength_version = LEVEL_STRENGTH_VERSION,
                        .width = 9,
                        .height = 9,
                        .rules = rules_tromp_taylor(),
                        .games = 3000,
                        .has_ranks = true,
                        .points = {{0, -500, 40}, {0.5, -100, 20}, {0.75, -100, 25}, {1, 420, 50}},
                        .count = 4};
    snprintf(scale.net_hash.text, sizeof scale.net_hash.text, "0123");
    return scale;
}

TEST(levels_are_evenly_spaced) {
    LevelScale scale = made_up_scale();
    Level levels[LEVELS_MAX];
    EXPECT_INT(10, level_scale_levels(&scale, levels)); /* nine steps of 102.2 */
    for (int i = 0; i < 10; i++) {
        EXPECT_INT(i + 1, levels[i].number);
        EXPECT_NEAR(-500 + 920.0 * i / 9, levels[i].elo, 1e-9);
        EXPECT_TRUE(i == 0 || levels[i].strength > levels[i - 1].strength);
        EXPECT_TRUE(levels[i].rank_low < levels[i].rank && levels[i].rank < levels[i].rank_high);
    }
    EXPECT_NEAR(0, levels[0].strength, 0);
    EXPECT_NEAR(1, levels[9].strength, 0);
    EXPECT_NEAR(0.5 * (920.0 / 9) / 400, levels[1].strength, 1e-9);
    /* If all strengths have nearly the same Elo, only two levels are left: the weakest and the
     * strongest. */
    scale.points[3].elo = -499;
    scale.points[1].elo = scale.points[2].elo = -500;
    EXPECT_INT(2, level_scale_levels(&scale, levels));
    EXPECT_NEAR(1, levels[1].strength, 0);
    scale.points[3].elo = 1e5;
    EXPECT_INT(LEVELS_MAX, level_scale_levels(&scale, levels));
}

TEST(a_level_has_a_number_and_a_rank) {
    LevelScale scale = made_up_scale();
    Level level;
    Error fault = {0};
    EXPECT_OK(level_scale_find(&scale, "1", &level, err));
    EXPECT_NEAR(0, level.strength, 0);
    EXPECT_OK(level_scale_find(&scale, "8k", &level, err));
    EXPECT_NEAR(0, level.elo, 1e-6);
    EXPECT_NEAR(0.75 + 0.25 * 100 / 520, level.strength, 1e-6);
    EXPECT_CONTAINS(level_text(&scale, &level).text, "level 6, about 8k (1");
    EXPECT_STATUS(ERR_ARGUMENT, level_scale_find(&scale, "11", &level, &fault));
    EXPECT_CONTAINS(fault.message, "its levels are 1 to 10, or 26k to 1d");
    EXPECT_STATUS(ERR_ARGUMENT, level_scale_find(&scale, "9d", &level, &fault));
    EXPECT_STATUS(ERR_ARGUMENT, level_scale_find(&scale, "strong", &level, &fault));
    scale.has_ranks = false;
    EXPECT_STATUS(ERR_ARGUMENT, level_scale_find(&scale, "8k", &level, &fault));
    EXPECT_CONTAINS(fault.message, "no ranks");
    EXPECT_OK(level_scale_find(&scale, "6", &level, err));
    EXPECT_TEXT("level 6", level_text(&scale, &level).text);
}

TEST(a_scale_is_read_as_it_was_written) {
    Path folder = make_folder();
    Path path = path_in(&folder, "a.9x9.levels.json");
    LevelScale scale = made_up_scale(), read;
    EXPECT_OK(level_scale_save(&scale, path.text, err));
    EXPECT_OK(level_scale_load(path.text, &read, err));
    EXPECT_TEXT(scale.net, read.net);
    EXPECT_TEXT(scale.net_hash.text, read.net_hash.text);
    EXPECT_TRUE(rules_equal(&scale.rules, &read.rules));
    EXPECT_TRUE(read.width == 9 && read.height == 9 && read.games == 3000 && read.has_ranks);
    EXPECT_INT(LEVEL_STRENGTH_VERSION, read.strength_version);
    EXPECT_INT(scale.count, read.count);
    for (int i = 0; i < scale.count; i++) {
        EXPECT_NEAR(scale.points[i].strength, read.points[i].strength, 1e-5);
        EXPECT_NEAR(scale.points[i].elo, read.points[i].elo, 1e-2);
        EXPECT_NEAR(scale.points[i].deviation, read.points[i].deviation, 1e-3);
    }
    remove_folder(&folder);
}

/* Each text replaces a part of a good file. */
TEST(a_damaged_scale_is_refused) {
    static const struct {
        const char *part, *instead;
        Status status;
    } FAULTS[] = {{"\"format\": 1", "\"format\": 2", ERR_UNSUPPORTED},
                  {"\"width\": 9", "\"width\": 99", ERR_SYNTAX},
                  {"\"rules\": \"", "\"rules\": \"?", ERR_SYNTAX},
                  {"\"points\"", "\"pints\"", ERR_SYNTAX},
                  {"\"strength\": 0.5", "\"strength\": 0.8", ERR_SYNTAX},
                  {"\"elo\": -100", "\"elo\": -900", ERR_SYNTAX},
                  {"\"deviation\": 20", "\"deviation\": \"\"", ERR_SYNTAX},
                  {"{", "", ERR_SYNTAX}};
    Path folder = make_folder();
    Path path = path_in(&folder, "a.json");
    LevelScale scale = made_up_scale(), read;
    Arena arena = {0};
    char *text;
    size_t length;
    EXPECT_OK(level_scale_save(&scale, path.text, err));
    EXPECT_OK(file_read(path.text, 1 << 20, &arena, &text, &length, err));
    for (size_t i = 0; i < sizeof FAULTS / sizeof *FAULTS; i++) {
        char bad[16384];
        Error fault;
        const char *at = strstr(text, FAULTS[i].part);
        EXPECT_TRUE(at && length < sizeof bad - 64);
        snprintf(bad, sizeof bad, "%.*s%s%s", (int)(at - text), text, FAULTS[i].instead,
                 at + strlen(FAULTS[i].part));
        EXPECT_OK(file_write(path.text, bad, strlen(bad), err));
        EXPECT_STATUS(FAULTS[i].status, level_scale_load(path.text, &read, &fault));
        EXPECT_CONTAINS(fault.message, path.text);
    }
    EXPECT_STATUS(ERR_IO, level_scale_load(path_in(&folder, "none").text, &read, NULL));
    arena_clear(&arena);
    remove_folder(&folder);
}

TEST(a_scale_stands_beside_its_net) {
    Path path;
    EXPECT_OK(level_scale_path("nets/13x13-b5c48.aji", 9, 13, &path, err));
    EXPECT_TEXT("nets/13x13-b5c48.9x13.levels.json", path.text);
    EXPECT_OK(level_scale_path("a.bin.gz", 19, 19, &path, err));
    EXPECT_TEXT("a.bin.gz.19x19.levels.json", path.text);
}

static void count_call(void *context, const MatchStanding *standing) {
    int *calls = context;
    EXPECT_TRUE(standing->done > 0);
    ++*calls;
}

/* The evaluator that knows nothing plays at nine strengths on 4x4. A second calibration in the same
 * folder uses the games of the first. */
TEST(strengths_are_measured_by_games) {
    Path folder = make_folder();
    int calls = 0;
    LevelScale scale, again;
    CalibrateSetup setup = {.net = "uniform",
                            .games = 8,
                            .tournament = {.width = 4,
                                           .height = 4,
                                           .rules = rules_tromp_taylor(),
                                           .opening_moves = 1,
                                           .threads = 2,
                                           .seed = 1,
                                           .out_directory = folder.text,
                                           .on_game = count_call,
                                           .context = &calls}};
    int games = calibrate_games(&setup);
    EXPECT_INT(15 * 8 + 2 * 2, games);
    EXPECT_OK(calibrate(&setup, &scale, err));
    EXPECT_TRUE(calls >= games);
    EXPECT_TRUE(scale.games == games && scale.count == 9 && !scale.has_ranks);
    EXPECT_TRUE(scale.width == 4 && scale.strength_version == LEVEL_STRENGTH_VERSION);
    EXPECT_TRUE(scale.points[0].strength == 0 && scale.points[8].strength == 1);
    for (int i = 0; i < scale.count; i++) {
        EXPECT_TRUE(scale.points[i].deviation > 1);
        EXPECT_TRUE(i == 0 || scale.points[i].elo >= scale.points[i - 1].elo);
    }
    EXPECT_OK(calibrate(&setup, &again, err));
    for (int i = 0; i < scale.count; i++)
        EXPECT_NEAR(scale.points[i].elo, again.points[i].elo, 1e-9);
    remove_folder(&folder);
}

/* Random play takes the place of GNU Go. It plays against three strengths, and then against the two
 * that are nearest to it. */
TEST(the_anchor_has_the_rating_0) {
    Path folder = make_folder();
    PlayerSpec anchor;
    LevelScale scale;
    EXPECT_OK(player_parse("random", &anchor, err));
    snprintf(anchor.name, sizeof anchor.name, "anchor");
    CalibrateSetup setup = {.net = "uniform",
                            .anchor = &anchor,
                            .games = 8,
                            .tournament = {.width = 4,
                                           .height = 4,
                                           .rules = rules_tromp_taylor(),
                                           .opening_moves = 1,
                                           .threads = 2,
                                           .seed = 1,
                                           .out_directory = folder.text}};
    EXPECT_INT(15 * 8 + 2 * 2 + 3 * 1 + 2 * 8, calibrate_games(&setup));
    EXPECT_OK(calibrate(&setup, &scale, err));
    EXPECT_TRUE(scale.has_ranks);
    EXPECT_TRUE(scale.games > 15 * 8 + 2 * 8 && scale.games <= calibrate_games(&setup));
    /* Random play is about as strong as the weakest strength of a net that knows nothing. */
    EXPECT_TRUE(fabs(scale.points[0].elo) < 600);
    remove_folder(&folder);
}

TEST_MAIN(RUN(ranks_follow_the_scale_of_the_egf), RUN(ranks_have_names),
          RUN(levels_are_evenly_spaced), RUN(a_level_has_a_number_and_a_rank),
          RUN(a_scale_is_read_as_it_was_written), RUN(a_damaged_scale_is_refused),
          RUN(a_scale_stands_beside_its_net), RUN(strengths_are_measured_by_games),
          RUN(the_anchor_has_the_rating_0))
