/* Games of several runs and folders, collected for one fit of ratings. */
#include "base/scratch.h"
#include "run/rating/rate_pool.h"
#include "run/store/index/run_index.h"

static const EloGames *games_of(const RatePool *pool, const char *first, const char *second) {
    int i = rate_pool_find(pool, first), k = rate_pool_find(pool, second);
    for (int p = 0; p < pool->pairs; p++) {
        const EloGames *g = &pool->games[p];
        if ((g->first == i && g->second == k) || (g->first == k && g->second == i)) return g;
    }
    fail_msg("%s has not met %s", first, second);
    return NULL;
}

TEST(pairs_add_up_either_way_round) {
    RatePool pool = {0};
    EXPECT_OK(rate_pool_add(&pool, &(NamedGames){"a", "b", 3, 1, 2}, err));
    EXPECT_OK(rate_pool_add(&pool, &(NamedGames){"b", "a", 10, 20, 30}, err));
    EXPECT_OK(rate_pool_add(&pool, &(NamedGames){"a", "a", 1, 0, 0}, err)); /* this is left out */
    EXPECT_INT(2, pool.players);
    EXPECT_INT(1, pool.pairs);
    EXPECT_NEAR(33, pool.games[0].wins, 0);
    EXPECT_NEAR(21, pool.games[0].draws, 0);
    EXPECT_NEAR(12, pool.games[0].losses, 0);
    EXPECT_INT(-1, rate_pool_find(&pool, "c"));
    rate_pool_clear(&pool);
}

static void put_game(const Scratch *scratch, const char *name, const char *black, const char *white,
                     const char *result) {
    char text[200];
    int length = snprintf(text, sizeof text, "(;GM[1]FF[4]SZ[5]PB[%s]PW[%s]RE[%s];B[aa];W[bb])",
                          black, white, result);
    scratch_file(scratch, name, text, (size_t)length);
}

TEST(folders_of_games) {
    Scratch scratch = scratch_new(), empty = scratch_new();
    RatePool pool = {0};
    Error error = {0};
    put_game(&scratch, "1.sgf", "a", "b", "B+3.5");
    put_game(&scratch, "2.sgf", "b", "a", "W+R");
    put_game(&scratch, "3.sgf", "a", "b", "0");
    put_game(&scratch, "4.sgf", "a", "b", "Void");
    put_game(&scratch, "5.sgf", "b", "a", "B+F");
    put_game(&scratch, "6.txt", "a", "b", "W+1");
    EXPECT_OK(rate_pool_add_directory(&pool, scratch.path, err));
    const EloGames *games = games_of(&pool, "a", "b");
    EXPECT_NEAR(2, games->wins, 0);
    EXPECT_NEAR(1, games->draws, 0);
    EXPECT_NEAR(1, games->losses, 0);
    EXPECT_STATUS(ERR_IO, rate_pool_add_directory(&pool, empty.path, &error));
    EXPECT_CONTAINS(error.message, "no run is there");
    rate_pool_clear(&pool);
    scratch_remove(&scratch);
    scratch_remove(&empty);
}

static void put_run(const Scratch *scratch, const char *net, const char *settings) {
    RunIndex *index;
    IndexedNet entry = {.number = 3, .samples = 10};
    snprintf(entry.file, sizeof entry.file, "%s", net);
    scratch_file(scratch, "run.cfg", settings, strlen(settings));
    EXPECT_OK(run_index_open(scratch_path(scratch, "run.db").text, &index, err));
    EXPECT_OK(run_index_add_net(index, &entry, err));
    EXPECT_OK(run_index_add_games(index, &(EloGames){3, 0, 14, 2, 4}, "rating", err));
    EXPECT_OK(run_index_add_games(index, &(EloGames){9, 0, 5, 0, 5}, "rating",
                                  err)); /* a net that was deleted */
    run_index_close(index);
}

static void remove_run(const Scratch *run) {
    (void)!remove(scratch_path(run, "run.db-wal").text); /* SQLite may leave these */
    (void)!remove(scratch_path(run, "run.db-shm").text);
    scratch_remove(run);
}

/* Each run's net has played only random play, which connects the runs: 14 wins, 2 draws, 4 losses.
 * In Davidson's model draws do not change the difference. With hardly any prior games, the
 * difference is
 *     400 log10(14 / 4) = 218 Elo
 * If a draw counted as half a win and half a loss, the difference would be
 *     400 log10(15 / 5) = 191 Elo */
TEST(runs_meet_in_random_play) {
    Scratch first = scratch_new(), second = scratch_new();
    RatePool pool = {0};
    EloFit fit;
    StrBuf text = {0};
    put_run(&first, "000003-aaaa.aji", "run.rate_visits = 32\n");
    put_run(&second, "000003-bbbb.aji", "run.rate_visits = 32\n");
    EXPECT_OK(rate_pool_add_directory(&pool, first.path, err));
    EXPECT_OK(rate_pool_add_directory(&pool, second.path, err));
    EXPECT_INT(3, pool.players);
    EXPECT_INT(2, pool.pairs);
    const EloGames *games = games_of(&pool, "000003-bbbb.aji@32", "random");
    EXPECT_NEAR(14, games->wins, 0);
    EXPECT_NEAR(2, games->draws, 0);
    EXPECT_OK(elo_fit_new(&(EloSetup){.games = pool.games,
                                      .game_count = pool.pairs,
                                      .players = pool.players,
                                      .anchor = rate_pool_find(&pool, "random"),
                                      .prior_games = 1e-7},
                          &fit, err));
    EXPECT_NEAR(400 * log10(3.5), fit.elo[rate_pool_find(&pool, "000003-aaaa.aji@32")], 4);
    rate_pool_table(&pool, &fit, &text);
    rate_pool_matrix(&pool, &fit, &text);
    EXPECT_CONTAINS(strbuf_text(&text), "000003-aaaa.aji@32");
    EXPECT_CONTAINS(strbuf_text(&text), "a game of equals is drawn");
    EXPECT_CONTAINS(strbuf_text(&text), "75.0%");
    EXPECT_CONTAINS(strbuf_text(&text), "superiority");
    strbuf_clear(&text);
    elo_fit_clear(&fit);
    rate_pool_clear(&pool);
    remove_run(&first);
    remove_run(&second);
}

TEST(boards_of_two_sizes_are_not_on_one_scale) {
    Scratch seven = scratch_new(), nine = scratch_new(), five = scratch_new();
    RatePool pool = {0};
    Error error = {0};
    put_run(&seven, "000003-aaaa.aji", "selfplay.sizes = \"7:1\"\n");
    put_run(&nine, "000003-bbbb.aji", "selfplay.sizes = \"7:1, 9:1\"\n");
    put_game(&five, "1.sgf", "a", "random", "B+3.5");
    EXPECT_OK(rate_pool_add_directory(&pool, seven.path, err));
    EXPECT_STATUS(ERR_ARGUMENT, rate_pool_add_directory(&pool, nine.path, &error));
    EXPECT_CONTAINS(error.message, "on 7x7");
    EXPECT_CONTAINS(error.message, "on 9x9");
    EXPECT_CONTAINS(error.message, seven.path);
    EXPECT_STATUS(ERR_ARGUMENT, rate_pool_add_directory(&pool, five.path, &error));
    EXPECT_CONTAINS(error.message, "on 5x5");
    rate_pool_clear(&pool);
    EXPECT_OK(rate_pool_add_directory(&pool, five.path, err)); /* no board is known any more */
    put_game(&five, "0.sgf", "a", "random", "B+1");
    scratch_file(&five, "2.sgf", "(;GM[1]FF[4]SZ[5]KM[2]PB[a]PW[b]RE[0];B[aa])", 44);
    EXPECT_FALSE(pool.komi_warned);
    EXPECT_OK(rate_pool_add_directory(&pool, five.path, err)); /* another komi gives a warning */
    EXPECT_TRUE(pool.komi_warned);
    rate_pool_clear(&pool);
    remove_run(&seven);
    remove_run(&nine);
    scratch_remove(&five);
}

TEST(players_that_no_games_connect_have_no_rating) {
    RatePool pool = {0};
    EloFit fit;
    StrBuf text = {0};
    EXPECT_OK(rate_pool_add(&pool, &(NamedGames){"a", "b", 8, 0, 2}, err));
    EXPECT_OK(rate_pool_add(&pool, &(NamedGames){"c", "d", 9, 0, 1}, err));
    EXPECT_OK(elo_fit_new(&(EloSetup){.games = pool.games,
                                      .game_count = pool.pairs,
                                      .players = pool.players,
                                      .anchor = 0,
                                      .prior_games = 0.5},
                          &fit, err));
    rate_pool_table(&pool, &fit, &text);
    const char *a = strstr(strbuf_text(&text), "\na "), *b = strstr(strbuf_text(&text), "\nb "),
               *c = strstr(strbuf_text(&text), "\nc "), *d = strstr(strbuf_text(&text), "\nd ");
    EXPECT_TRUE(a && a < b && b < c && c < d);
    char row[128] = "";
    memcpy(row, c + 1, strcspn(c + 1, "\n"));
    EXPECT_CONTAINS(row, " -  unknown       10   90.0%       0  9");
    memset(row, 0, sizeof row);
    memcpy(row, b + 1, strcspn(b + 1, "\n"));
    EXPECT_TEXT("-", row + strlen(row) - 1); /* whether it is better than c is unknown */
    EXPECT_CONTAINS(strbuf_text(&text), "no games connect 2 of these players with a\n");
    strbuf_reset(&text);
    rate_pool_matrix(&pool, &fit, &text);
    EXPECT_CONTAINS(strbuf_text(&text), "   ?   ?  a\n");
    EXPECT_CONTAINS(strbuf_text(&text), "   ?   ?   - ");
    strbuf_clear(&text);
    elo_fit_clear(&fit);
    rate_pool_clear(&pool);
}

TEST_MAIN(RUN(players_that_no_games_connect_have_no_rating), RUN(pairs_add_up_either_way_round),
          RUN(folders_of_games), RUN(runs_meet_in_random_play),
          RUN(boards_of_two_sizes_are_not_on_one_scale))
