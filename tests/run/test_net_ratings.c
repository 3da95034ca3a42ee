/* The ratings of a run's nets, and how the page and the table of the run show them. */
#define _GNU_SOURCE /* nftw */
#include <math.h>

#include "run/charts/chart.h"
#include "run/charts/run_page.h"
#include "run/rating/best_net.h"
#include "run/store/index/net_ratings.h"
#include "run/tiny_run.h"

typedef struct {
    Folder folder;
    RunDirectory directory;
    RunIndex *index;
} Fixture;

/* Nets 5, 10 and 15: net 5 beats random play without a loss, and each later net beats the one
 * before by 30 games to 10. Net 20 has played nobody, and net 90 is gone. */
static Fixture rated_run(void) {
    Fixture run = {.folder = make_folder()};
    EXPECT_OK(run_directory_open(run.folder.text, &run.directory, err));
    EXPECT_OK(run_index_open(run.directory.database.text, &run.index, err));
    for (int number = 5; number <= 20; number += 5) {
        IndexedNet net = {.number = number, .seconds = 60 * number};
        snprintf(net.file, sizeof net.file, "%06d-a.aji", number);
        EXPECT_OK(run_index_add_net(run.index, &net, err));
    }
    const EloGames games[] = {
        {5, 0, 40, 0, 0}, {10, 5, 30, 0, 10}, {15, 10, 30, 0, 10}, {90, 5, 9, 0, 1}};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++)
        EXPECT_OK(run_index_add_games(run.index, &games[i], "rating", err));
    return run;
}

static void close_run(Fixture *run) {
    run_index_close(run->index);
    remove_folder(&run->folder);
}

/* The strongest net of the fixture is 15, and 20 is the newest. */
TEST(the_best_net_is_the_strongest_rated_one_or_else_the_newest) {
    Fixture run = rated_run();
    Path best;
    Error err = {0};
    EXPECT_STATUS(ERR_ARGUMENT, best_net_find(run.folder.text, &best, &err));
    EXPECT_CONTAINS(err.message, "has no nets yet");
    for (int number = 5; number <= 20; number += 5) {
        char name[32];
        snprintf(name, sizeof name, "%06d-a.aji", number);
        EXPECT_STATUS(OK, file_write(path_in(run.directory.nets.text, name).text, "", 0, &err));
    }
    EXPECT_STATUS(OK, best_net_find(run.folder.text, &best, &err));
    EXPECT_TEXT("000015-a.aji", path_name(best.text));
    EXPECT_STATUS(OK, file_remove(best.text, &err)); /* the index still has it */
    EXPECT_STATUS(OK, best_net_find(run.folder.text, &best, &err));
    EXPECT_TEXT("000020-a.aji", path_name(best.text));
    EXPECT_STATUS(ERR_ARGUMENT, best_net_find("/", &best, &err));
    EXPECT_CONTAINS(err.message, "/ is a folder, but not that of a run");
    close_run(&run);
}

/* 30 wins in 40 games mean 191 Elo. The deviation of this gain does not include the uncertain
 * distance to random play. */
TEST(gains_are_known_better_than_the_distance_to_random_play) {
    Fixture run = rated_run();
    NetRatings ratings;
    EXPECT_OK(net_ratings_fit(run.index, 20, &ratings, err));
    EXPECT_INT(3, ratings.count);
    const NetRating *first = net_ratings_find(&ratings, 5), *last = net_ratings_find(&ratings, 15);
    EXPECT_TRUE(first && last && !net_ratings_find(&ratings, 20) &&
                !net_ratings_find(&ratings, 90));
    EXPECT_NEAR(0, first->first.deviation + first->before.deviation, 0);
    EXPECT_NEAR(191, last->before.elo, 25);
    EXPECT_NEAR(382, last->first.elo, 45);
    EXPECT_TRUE(last->before.deviation > 40 && last->before.deviation < 80);
    EXPECT_TRUE(last->first.deviation > last->before.deviation);
    EXPECT_TRUE(last->random.deviation > 2 * last->first.deviation);
    EXPECT_NEAR(last->random.elo - first->random.elo, last->first.elo, 1e-6);
    EXPECT_INT(15, net_ratings_best(&ratings)->number);
    net_ratings_clear(&ratings);
    EXPECT_OK(net_ratings_fit(run.index, 10, &ratings, err)); /* games of later nets do not count */
    EXPECT_INT(2, ratings.count);
    EXPECT_INT(10, net_ratings_best(&ratings)->number);
    net_ratings_clear(&ratings);
    close_run(&run);
}

/* Net 10 wins half of its games against the anchor. */
TEST(ratings_are_also_relative_to_the_anchor) {
    Fixture run = rated_run();
    NetRatings ratings;
    StrBuf table = {0};
    IndexedNet *nets;
    int count;
    EXPECT_OK(net_ratings_fit(run.index, 20, &ratings, err));
    EXPECT_TRUE(!*ratings.anchor.text && ratings.nets[0].anchor.deviation == 0);
    net_ratings_clear(&ratings);
    const EloGames games = {10, ANCHOR_NUMBER, 20, 0, 20};
    EXPECT_OK(run_index_add_games(run.index, &games, "GNU Go", err));
    EXPECT_OK(net_ratings_fit(run.index, 20, &ratings, err));
    EXPECT_INT(3, ratings.count);
    EXPECT_TEXT("GNU Go", ratings.anchor.text);
    const NetRating *played = net_ratings_find(&ratings, 10),
                    *last = net_ratings_find(&ratings, 15);
    EXPECT_NEAR(0, played->anchor.elo, 15);
    EXPECT_NEAR(191, last->anchor.elo, 35);
    EXPECT_TRUE(played->anchor.deviation > 40 && played->anchor.deviation < 70);
    EXPECT_TRUE(last->anchor.deviation > played->anchor.deviation);
    EXPECT_OK(run_index_nets(run.index, &nets, &count, err));
    net_table_write(nets, count, &ratings, &table);
    EXPECT_CONTAINS(strbuf_text(&table), "over the anchor\n");
    EXPECT_CONTAINS(strbuf_text(&table), "The anchor is GNU Go.\n");
    EXPECT_OK(run_index_remove_anchor(run.index, err));
    net_ratings_clear(&ratings);
    EXPECT_OK(net_ratings_fit(run.index, 20, &ratings, err));
    EXPECT_TRUE(ratings.count == 3 && !*ratings.anchor.text);
    run_index_close(run.index); /* opening it again checks its checksums */
    EXPECT_OK(run_index_open(run.directory.database.text, &run.index, err));
    strbuf_clear(&table);
    free(nets);
    net_ratings_clear(&ratings);
    close_run(&run);
}

TEST(nothing_is_rated_without_games) {
    Fixture run = {.folder = make_folder()};
    NetRatings ratings;
    EXPECT_OK(run_index_open(path_in(run.folder.text, "run.db").text, &run.index, err));
    EXPECT_OK(net_ratings_fit(run.index, 7, &ratings, err));
    EXPECT_INT(0, ratings.count);
    EXPECT_TRUE(!net_ratings_best(&ratings));
    net_ratings_clear(&ratings);
    close_run(&run);
}

/* The chart has a point for each rated net, and the table has the same gains. */
TEST(the_page_and_its_table_agree) {
    Fixture run = rated_run();
    Arena arena = {0};
    NetRatings ratings;
    char *text, gain[40];
    size_t length;
    EXPECT_OK(net_ratings_fit(run.index, 20, &ratings, err));
    EXPECT_OK(run_page_write(&run.directory, run.index, err));
    EXPECT_OK(file_read(path_in(run.directory.report.text, "index.html").text, 1 << 20, &arena,
                        &text, &length, err));
    EXPECT_CONTAINS(text, "Elo over net 5, the first rated net (bars: 95%)");
    EXPECT_TRUE(!strstr(text, "against random play"));
    int circles = 0;
    for (const char *at = text; (at = strstr(at, "<circle")); at++)
        circles++;
    EXPECT_INT(3, circles);
    for (int i = 1; i < 3; i++) {
        const NetRating *net = &ratings.nets[i];
        snprintf(gain, sizeof gain, "%+.0f +-%.0f", net->before.elo, 1.96 * net->before.deviation);
        EXPECT_CONTAINS(text, gain);
        snprintf(gain, sizeof gain, "%+.0f +-%.0f", net->first.elo, 1.96 * net->first.deviation);
        EXPECT_CONTAINS(text, gain);
    }
    EXPECT_CONTAINS(text, "not rated\n"); /* the newest net, on a line of its own */
    EXPECT_CONTAINS(text, "name=\"viewport\"");
    net_ratings_clear(&ratings);
    arena_clear(&arena);
    close_run(&run);
}

TEST(a_chart_of_equal_values_has_different_labels) {
    StrBuf out = {0};
    const ChartPoint points[] = {{1, 3e11}, {2, 3e11}}, small[] = {{1, -0.5}, {2, 0.5}};
    chart_svg(&out, &(ChartWords){"compute", "minutes", ""}, points, 2);
    const char *label = strstr(strbuf_text(&out), ">3e+11<");
    EXPECT_TRUE(label && !strstr(label + 1, ">3e+11<"));
    EXPECT_CONTAINS(strbuf_text(&out), ">0</text>"); /* time begins at 0 */
    strbuf_reset(&out);
    chart_svg(&out, &(ChartWords){"score", "minutes", "points"}, small, 2);
    EXPECT_TRUE(!strstr(strbuf_text(&out), ">-0<"));
    EXPECT_CONTAINS(strbuf_text(&out), "score (points)</text>");
    strbuf_clear(&out);
}

TEST_MAIN(RUN(the_best_net_is_the_strongest_rated_one_or_else_the_newest),
          RUN(gains_are_known_better_than_the_distance_to_random_play),
          RUN(ratings_are_also_relative_to_the_anchor), RUN(nothing_is_rated_without_games),
          RUN(the_page_and_its_table_agree), RUN(a_chart_of_equal_values_has_different_labels))
