/* Matches: the same seed gives the same games, however many threads play them. A match ends at its
 * deadline, and waits while the disk is full. */
#define _GNU_SOURCE /* unshare */
#include <sys/wait.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/scratch.h"
#include "base/small_disk.h"
#include "eval/net_of_words.h"
#include "play/match/match.h"

enum { GAMES = 70 }; /* more games than one thread plays at once */

static Net *net_of(uint64_t seed) {
    return net_of_words("b1c8", seed);
}

static MatchSetup setup_of(const Net *first, const Net *second, int threads) {
    MatchSetup setup = {.games = GAMES,
                        .width = 4,
                        .height = 4,
                        .rules = rules_tromp_taylor(),
                        .opening_moves = 1,
                        .threads = threads,
                        .seed = 3,
                        .nets = {first, second}};
    EXPECT_OK(player_parse("net=given,visits=6,name=a,search.noise.on=true,"
                           "search.temperature=0.5,search.temperature_early=0.8",
                           &setup.players[0], err));
    EXPECT_OK(player_parse("net=given,visits=4,name=b", &setup.players[1], err));
    return setup;
}

/* Returns the text of all games, one after the other, in `arena`. */
static char *games_of(const Scratch *scratch, Arena *arena) {
    char *all = arena_alloc(arena, 1 << 20), **names;
    size_t used = 0;
    int count;
    EXPECT_OK(directory_list(scratch->path, arena, &names, &count, err));
    EXPECT_INT(GAMES, count);
    for (int i = 0; i < count; i++) {
        char *text;
        size_t length;
        EXPECT_OK(
            file_read(scratch_path(scratch, names[i]).text, 1 << 16, arena, &text, &length, err));
        EXPECT_TRUE(used + length < 1 << 20);
        memcpy(all + used, text, length);
        used += length;
    }
    return all;
}

TEST(strength_makes_a_player_weaker) {
    PlayerSpec player;
    EXPECT_OK(player_parse("net=a.aji,strength=0.5", &player, err));
    EXPECT_INT(80, player.visits);
    EXPECT_TRUE(player.search.level.loss_scale > 0);
    EXPECT_OK(player_parse("net=a.aji,strength=0.5,visits=9", &player, err));
    EXPECT_INT(9, player.visits);
    EXPECT_STATUS(ERR_ARGUMENT, player_parse("net=a.aji,strength=1.5", &player, NULL));
    EXPECT_STATUS(ERR_SYNTAX, player_parse("net=a.aji,strength=weak", &player, NULL));
}

/* Games contain the fingerprints of their players. A new setting, or a new name for a setting, must
 * not change the fingerprints of existing players. */
TEST(fingerprints_stay) {
    PlayerSpec plain, other, same;
    EXPECT_OK(player_parse("net=a.aji,visits=6", &plain, err));
    EXPECT_OK(player_parse("net=a.aji,visits=6,search.gumbel.scale=0.5", &other, err));
    EXPECT_OK(player_parse("net=a.aji,visits=6,search.gumbel_scale=0.5", &same, err));
    EXPECT_TRUE(player_fingerprint(&plain) != player_fingerprint(&other));
    EXPECT_TRUE(player_fingerprint(&same) == player_fingerprint(&other));
    EXPECT_TRUE(player_fingerprint(&other) == 0x985d2a0dffb1dadf);
}

TEST(games_do_not_depend_on_the_threads) {
    Net *first = net_of(1), *second = net_of(2);
    Arena arena = {0};
    char *wanted = NULL;
    for (int threads = 1; threads <= 3; threads++) {
        Scratch scratch = scratch_new();
        MatchSetup setup = setup_of(first, second, threads);
        MatchResult result;
        setup.out_directory = scratch.path;
        EXPECT_OK(match_run(&setup, &result, err));
        EXPECT_INT(GAMES, result.games);
        char *games = games_of(&scratch, &arena);
        if (!wanted) wanted = games;
        EXPECT_TEXT(wanted, games);
        scratch_remove(&scratch);
    }
    arena_clear(&arena);
    net_free(first);
    net_free(second);
}

TEST(another_seed_gives_other_games) {
    Net *first = net_of(1), *second = net_of(2);
    Arena arena = {0};
    char *games[2];
    for (int i = 0; i < 2; i++) {
        Scratch scratch = scratch_new();
        MatchSetup setup = setup_of(first, second, 1);
        MatchResult result;
        setup.out_directory = scratch.path;
        setup.seed += (uint64_t)i;
        EXPECT_OK(match_run(&setup, &result, err));
        games[i] = games_of(&scratch, &arena);
        scratch_remove(&scratch);
    }
    EXPECT_TRUE(strcmp(games[0], games[1]) != 0);
    arena_clear(&arena);
    net_free(first);
    net_free(second);
}

/* Games that are already finished are read even after the deadline. */
TEST(a_match_ends_at_its_deadline) {
    Net *net = net_of(1);
    Scratch scratch = scratch_new();
    MatchSetup setup = setup_of(net, net, 1);
    MatchResult result;
    setup.out_directory = scratch.path;
    setup.deadline = 1e-9; /* seconds: long ago */
    EXPECT_STATUS(ERR_STOPPED, match_run(&setup, &result, NULL));
    EXPECT_INT(0, result.games);
    setup.deadline = 0;
    EXPECT_OK(match_run(&setup, &result, err));
    EXPECT_INT(GAMES, result.games);
    setup.deadline = 1e-9;
    EXPECT_OK(match_run(&setup, &result, err));
    EXPECT_INT(GAMES, result.games);
    scratch_remove(&scratch);
    net_free(net);
}

/* Plays a match on a disk that is full until a child process makes room. Returns 0 if all is well,
 * 99 if no disk can be mounted here, and otherwise a number from 95 to 98 for the check that
 * failed. */
static int play_on_full_disk(const char *path) {
    MatchSetup setup = {.games = 4,
                        .width = 4,
                        .height = 4,
                        .rules = rules_tromp_taylor(),
                        .threads = 2,
                        .out_directory = path};
    MatchResult result;
    Error error = {0};
    char ballast[160];
    snprintf(ballast, sizeof ballast, "%s/ballast", path);
    if (!mount_small_disk(path, "size=24m")) return 99;
    if (player_parse("random", &setup.players[0], NULL) ||
        player_parse("random", &setup.players[1], NULL) || !fill_disk(ballast))
        return 98;
    pid_t child = fork();
    if (child == 0) {
        clock_sleep_ms(1500);
        _exit(remove(ballast) ? 1 : 0);
    }
    double begun = clock_seconds();
    Status status = match_run(&setup, &result, &error);
    bool waited = clock_seconds() - begun > 1;
    waitpid(child, NULL, 0);
    if (status || result.games != 4) return 97;
    char name[192];
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "%s/game-%05d.sgf", path, i);
        if (!file_exists(name)) return 96;
    }
    return waited ? 0 : 95;
}

TEST(a_full_disk_is_waited_for) {
    Scratch scratch = scratch_new();
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        log_to_stderr(LOG_ERROR);
        _exit(play_on_full_disk(scratch.path));
    }
    EXPECT_INT(child, waitpid(child, &status, 0));
    EXPECT_TRUE(WIFEXITED(status));
    scratch_remove(&scratch);
    if (WEXITSTATUS(status) == 99) SKIP("no disk may be mounted here");
    EXPECT_INT(0, WEXITSTATUS(status));
}

TEST_MAIN(RUN(strength_makes_a_player_weaker), RUN(fingerprints_stay),
          RUN(a_full_disk_is_waited_for), RUN(games_do_not_depend_on_the_threads),
          RUN(another_seed_gives_other_games), RUN(a_match_ends_at_its_deadline))
