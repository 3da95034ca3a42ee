/* What the page shows of a run: state, curves, and games of self-play. */
#include "serve/run_games.h"
#include "serve/run_view.h"
#include "serve/small_run.h"

static double number(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

static double at(const json_t *curve, const char *key, size_t index) {
    return json_number_value(json_array_get(json_object_get(curve, key), index));
}

static SmallRun make(TestPath *root, const char *name) {
    *root = test_path(name);
    EXPECT_OK(directory_make(root->text, err));
    return small_run_make(root->text, "run");
}

static void end(const TestPath *root, const SmallRun *run) {
    small_run_remove(run);
    EXPECT_OK(directory_remove(root->text, err));
}

TEST(the_state_has_nets_with_intervals_and_matches) {
    TestPath root;
    Fault fault = {0};
    SmallRun run = make(&root, "state");
    json_t *state = run_view_state(run.folder.text, &fault), *nets = json_object_get(state, "nets"),
           *last = json_array_get(nets, 2), *matches = json_object_get(state, "matches");
    EXPECT_TEXT("run", json_string_value(json_object_get(state, "name")));
    EXPECT_TEXT("5x5", json_string_value(json_object_get(state, "boards")));
    EXPECT_INT(5, json_integer_value(json_array_get(json_object_get(state, "board"), 0)));
    EXPECT_NEAR(33, number(state, "seconds"), 0);
    EXPECT_NEAR(123456, number(state, "evaluations"), 0);
    EXPECT_NEAR(10, number(state, "net_seconds"), 1e-9);
    EXPECT_INT(1, json_integer_value(json_object_get(state, "first_rated")));
    EXPECT_INT(3, json_integer_value(json_object_get(state, "best")));
    EXPECT_TEXT("GNU Go", json_string_value(json_object_get(state, "anchor")));
    EXPECT_TEXT("the run began\n", json_string_value(json_object_get(state, "log")));
    EXPECT_INT(3, json_array_size(nets));
    EXPECT_INT(3000, json_integer_value(json_object_get(last, "samples")));
    EXPECT_TRUE(number(last, "elo") > 200 && number(last, "deviation") > 20);
    EXPECT_TRUE(number(last, "gain") > 100 && number(last, "anchor_deviation") > 20);
    EXPECT_INT(4, json_array_size(matches));
    /* The opponent of the last match is the anchor, GNU Go, which is no net of the run. */
    EXPECT_TRUE(json_is_null(json_array_get(json_array_get(matches, 3), 1)));
    EXPECT_TEXT("loss", json_string_value(json_array_get(json_object_get(state, "metrics"), 0)));
    json_decref(state);
    end(&root, &run);
}

TEST(a_run_without_an_index_has_a_state_and_a_damaged_one_is_refused) {
    TestPath root;
    Fault fault = {0};
    SmallRun run = make(&root, "damaged");
    Path database;
    EXPECT_OK(path_join(&database, run.folder.text, "run.db", err));
    EXPECT_OK(file_write(database.text, "no database, but some other file", 32, err));
    EXPECT_TRUE(run_view_state(run.folder.text, &fault) == NULL);
    EXPECT_TEXT("bad_run", fault.code);
    EXPECT_OK(file_remove(database.text, err));
    json_t *state = run_view_state(run.folder.text, &fault);
    EXPECT_TRUE(state && !json_object_get(state, "nets"));
    json_decref(state);
    EXPECT_FALSE(file_exists(database.text)); /* a reader makes none */
    end(&root, &run);
}

TEST(curves_keep_their_extremes) {
    TestPath root;
    Fault fault = {0};
    SmallRun run = make(&root, "curves");
    json_t *names = json_pack("[s,s,i]", "loss", "unknown", 7);
    json_t *answer = run_view_curves(run.folder.text, names, 10, &fault),
           *curves = json_object_get(answer, "curves"), *loss = json_object_get(curves, "loss");
    EXPECT_INT(1, json_object_size(curves));
    EXPECT_INT(10, json_array_size(json_object_get(loss, "value")));
    EXPECT_NEAR(9, at(loss, "high", 5), 0); /* the points 50 to 59 */
    EXPECT_NEAR(1, at(loss, "low", 5), 0);
    EXPECT_NEAR(1.8, at(loss, "value", 5), 1e-9);
    EXPECT_NEAR(59, at(loss, "seconds", 5), 0);
    EXPECT_NEAR(590, at(loss, "samples", 5), 0);
    EXPECT_NEAR(1, at(loss, "high", 4), 0);
    json_decref(answer);
    answer = run_view_curves(run.folder.text, names, 2000, &fault);
    loss = json_object_get(json_object_get(answer, "curves"), "loss");
    EXPECT_INT(SMALL_RUN_POINTS, json_array_size(json_object_get(loss, "low")));
    json_decref(answer);
    json_decref(names);
    end(&root, &run);
}

TEST(games_are_listed_and_read) {
    TestPath root;
    Fault fault = {0};
    SmallRun run = make(&root, "games");
    static const char FOLDER[] = "000003", FILE_NAME[] = "w000-0000.sgfs";
    json_t *files = run_games_files(run.folder.text), *file = json_array_get(files, 0);
    EXPECT_INT(1, json_array_size(files));
    EXPECT_TEXT(FOLDER, json_string_value(json_object_get(file, "folder")));
    EXPECT_TEXT(FILE_NAME, json_string_value(json_object_get(file, "file")));
    json_decref(files);
    json_t *answer = run_games_list(run.folder.text, FOLDER, FILE_NAME, &fault),
           *games = json_object_get(answer, "games"), *second = json_array_get(games, 1);
    EXPECT_INT(2, json_array_size(games)); /* one line is no game */
    EXPECT_INT(2, json_integer_value(json_object_get(second, "index")));
    EXPECT_INT(7, json_integer_value(json_object_get(second, "width")));
    EXPECT_TEXT("W+R", json_string_value(json_object_get(second, "result")));
    json_decref(answer);
    answer = run_games_sgf(run.folder.text, FOLDER, FILE_NAME, 2, &fault);
    EXPECT_CONTAINS(json_string_value(json_object_get(answer, "sgf")), "SZ[7:5]");
    json_decref(answer);
    EXPECT_TRUE(run_games_sgf(run.folder.text, FOLDER, FILE_NAME, 3, &fault) == NULL);
    EXPECT_TEXT("no_game", fault.code);
    static const char *const WRONG[][2] = {{"..", "run.cfg"},
                                           {"000003", "../../log.txt"},
                                           {"000003", "w000-0001.sgfs"},
                                           {"000003/../000003", "w000-0000.sgfs"},
                                           {"", "w000-0000.sgfs"}};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        fault = (Fault){0};
        EXPECT_TRUE(run_games_list(run.folder.text, WRONG[i][0], WRONG[i][1], &fault) == NULL);
        EXPECT_TEXT("no_game", fault.code);
    }
    end(&root, &run);
}

/* A place that knows its byte does not need the lines before it. */
TEST(games_are_read_on_from_a_place) {
    static const char FOLDER[] = "000003", FILE_NAME[] = "many.sgfs",
                      PATH[] = "games/000003/many.sgfs";
    TestPath root;
    Fault fault = {0};
    SmallRun run = make(&root, "places");
    StrBuf text = {0};
    for (int i = 0; i < 10; i++)
        strbuf_addf(&text, "(;FF[4]GM[1]SZ[5]PB[player %d]RE[B+1];B[cc])\n", i);
    small_run_file(&run, PATH, text.text);
    GamesPlace place = {0};
    json_t *games = run_games_lines(run.folder.text, FOLDER, FILE_NAME, &place, 4, &fault);
    EXPECT_INT(4, json_array_size(games));
    EXPECT_INT(4, place.line);
    EXPECT_INT(4 * text.length / 10, place.byte);
    json_decref(games);
    memset(text.text, '\n', (size_t)place.byte);
    small_run_file(&run, PATH, text.text);
    games = run_games_lines(run.folder.text, FOLDER, FILE_NAME, &place, 6, &fault);
    EXPECT_INT(6, json_array_size(games));
    EXPECT_INT(-1, place.line);
    const json_t *first = json_array_get(games, 0);
    EXPECT_INT(4, json_integer_value(json_object_get(first, "index")));
    EXPECT_TEXT("player 4", json_string_value(json_object_get(first, "black")));
    json_decref(games);
    strbuf_clear(&text);
    end(&root, &run);
}

TEST_MAIN(RUN(the_state_has_nets_with_intervals_and_matches),
          RUN(a_run_without_an_index_has_a_state_and_a_damaged_one_is_refused),
          RUN(curves_keep_their_extremes), RUN(games_are_listed_and_read),
          RUN(games_are_read_on_from_a_place))
