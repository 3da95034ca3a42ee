/* The news of a run, and the ids of events. */
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "base/clock.h"
#include "base/json.h"
#include "serve/run_events.h"
#include "serve/small_run.h"

enum { EVENTS_MAX = 1000 };

/* The events that a text has. */
typedef struct {
    json_t *data[EVENTS_MAX];
    char kinds[EVENTS_MAX][16];
    char ids[EVENTS_MAX][128];
    int count;
} Events;

static Events events; /* large */

static void clear(void) {
    for (int i = 0; i < events.count; i++)
        json_decref(events.data[i]);
    events.count = 0;
}

/* Adds the events of a text, each of which has exactly three lines. */
static void parse(const char *text) {
    char line[3][4096];
    while (*text) {
        EXPECT_TRUE(events.count < EVENTS_MAX);
        for (int i = 0; i < 3; i++) {
            size_t length = strcspn(text, "\n");
            EXPECT_TRUE(length < sizeof line[0] && text[length] == '\n');
            snprintf(line[i], sizeof line[i], "%.*s", (int)length, text);
            text += length + 1;
        }
        EXPECT_INT('\n', *text++);
        EXPECT_INT(1, sscanf(line[0], "event: %15s", events.kinds[events.count]));
        EXPECT_INT(1, sscanf(line[1], "id: %127s", events.ids[events.count]));
        EXPECT_INT(0, strncmp(line[2], "data: ", 6));
        events.data[events.count++] = json_loads(line[2] + 6, 0, NULL);
        EXPECT_TRUE(json_is_object(events.data[events.count - 1]));
    }
}

/* Reads until nothing is left. Waits for files that are too new. */
static void read_all(RunEvents *reader) {
    clear();
    for (RunEventsRest rest = RUN_EVENTS_MORE; rest != RUN_EVENTS_TOLD;) {
        StrBuf text = {0};
        rest = run_events_read(reader, &text);
        parse(strbuf_text(&text));
        strbuf_clear(&text);
        if (rest == RUN_EVENTS_LATER) clock_sleep_ms(100);
    }
}

static int count_of(const char *kind) {
    int count = 0;
    for (int i = 0; i < events.count; i++)
        count += strcmp(events.kinds[i], kind) == 0;
    return count;
}

/* The data of an event, the first of which has the number 0. */
static const json_t *event(const char *kind, int number) {
    for (int i = 0; i < events.count; i++)
        if (strcmp(events.kinds[i], kind) == 0 && number-- == 0) return events.data[i];
    fail_msg("there is no such %s", kind);
    return NULL;
}

static double number(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

static const char *word(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* A reader that begins after the event with this id; NULL: with the present. */
static RunEvents *reader_after(const SmallRun *run, const char *id) {
    RunEvents *reader;
    EventCursor last;
    EXPECT_TRUE(!id || event_cursor_parse(id, &last));
    EXPECT_OK(run_events_new(run->folder.text, id ? &last : NULL, &reader, err));
    return reader;
}

/* Reads all that has come after the event with this id. */
static void read_after(const SmallRun *run, const char *id) {
    RunEvents *reader = reader_after(run, id);
    read_all(reader);
    run_events_free(reader);
}

/* A run, and a reader that has told all that the run has. */
typedef struct {
    TestPath root;
    SmallRun run;
    RunEvents *reader; /* NULL: there is none */
    char last[128];    /* the id of the last event that the reader told at its beginning */
} Watched;

static Watched make(const char *name) {
    Watched watched = {.root = test_path(name)};
    EXPECT_OK(directory_make(watched.root.text, err));
    watched.run = small_run_make(watched.root.text, "run");
    return watched;
}

/* Begins to read after the event with this id; NULL: with the present. */
static void watch(Watched *watched, const char *id) {
    watched->reader = reader_after(&watched->run, id);
    read_all(watched->reader);
    snprintf(watched->last, sizeof watched->last, "%s", events.ids[events.count - 1]);
}

static Watched make_watched(const char *name, const char *id) {
    Watched watched = make(name);
    watch(&watched, id);
    return watched;
}

static void end(const Watched *watched) {
    clear();
    run_events_free(watched->reader);
    small_run_remove(&watched->run);
    EXPECT_OK(directory_remove(watched->root.text, err));
}

static RunIndex *open_index(const SmallRun *run) {
    Path path;
    RunIndex *index;
    EXPECT_OK(path_join(&path, run->folder.text, "run.db", err));
    EXPECT_OK(run_index_open(path.text, &index, err));
    return index;
}

static void add_metric(const SmallRun *run, const char *name, int samples, double value) {
    RunIndex *index = open_index(run);
    EXPECT_OK(run_index_set_metric(index, name, samples, samples, value, err));
    run_index_close(index);
}

static void add_net(const SmallRun *run, int number) {
    RunIndex *index = open_index(run);
    IndexedNet net = {.number = number, .samples = 1000 * number, .file = "x.aji"};
    EXPECT_OK(run_index_add_net(index, &net, err));
    run_index_close(index);
}

static void add_match(const SmallRun *run, int first, int second, int wins) {
    RunIndex *index = open_index(run);
    EXPECT_OK(run_index_add_games(index, &(EloGames){first, second, wins, 0, 1}, "rating", err));
    run_index_close(index);
}

static const char GAME[] = "(;FF[4]GM[1]SZ[5]PB[one]PW[two]RU[Chinese]KM[7]RE[B+3];B[cc];W[dd])\n";

/* Adds a file with this many games. */
static void add_games(const SmallRun *run, const char *name, int count) {
    StrBuf text = {0};
    char path[64];
    snprintf(path, sizeof path, "games/000003/%s", name);
    for (int i = 0; i < count; i++)
        strbuf_add(&text, GAME);
    small_run_file(run, path, text.text);
    strbuf_clear(&text);
}

TEST(the_id_zero_begins_with_all_that_the_run_has) {
    Watched watched = make_watched("all", "0");
    EXPECT_INT(1, count_of("state"));
    const json_t *state = event("state", 0);
    EXPECT_TEXT("run", word(state, "name"));
    EXPECT_NEAR(123456, number(state, "evaluations"), 0);
    EXPECT_TRUE(json_is_true(json_object_get(state, "live")));
    EXPECT_TRUE(!json_object_get(state, "nets") && !json_object_get(state, "log"));
    EXPECT_INT(3, count_of("net"));
    EXPECT_NEAR(3, number(event("net", 2), "number"), 0);
    EXPECT_TRUE(number(event("net", 2), "elo") > 200);
    EXPECT_INT(SMALL_RUN_POINTS, count_of("metric"));
    EXPECT_TEXT("loss", word(event("metric", 50), "name"));
    EXPECT_NEAR(500, number(event("metric", 50), "samples"), 0);
    EXPECT_NEAR(50, number(event("metric", 50), "seconds"), 0);
    EXPECT_NEAR(9, number(event("metric", 50), "value"), 0);
    EXPECT_INT(2, count_of("game")); /* one line is no game */
    EXPECT_TEXT("000003", word(event("game", 1), "folder"));
    EXPECT_TEXT("w000-0000.sgfs", word(event("game", 1), "file"));
    EXPECT_NEAR(2, number(event("game", 1), "index"), 0);
    EXPECT_TEXT("W+R", word(event("game", 1), "result"));
    end(&watched);
}

/* Whatever event a client has seen last, the later ones follow, and no earlier one. */
TEST(each_id_leads_to_the_events_after_it) {
    static char ids[EVENTS_MAX][128], kinds[EVENTS_MAX][16];
    Watched watched = make_watched("after", "0");
    const int count = events.count;
    memcpy(ids, events.ids, sizeof ids);
    memcpy(kinds, events.kinds, sizeof kinds);
    for (int i = 0; i < count; i++) {
        read_after(&watched.run, ids[i]);
        int wanted = 0, got = 0;
        for (int k = i + 1; k < count; k++)
            wanted += strcmp(kinds[k], "state") != 0;
        for (int k = 0; k < events.count; k++)
            got += strcmp(events.kinds[k], "state") != 0;
        if (got != wanted) fail_msg("%d events follow %s, wanted %d", got, ids[i], wanted);
        EXPECT_TEXT(ids[count - 1], events.ids[events.count - 1]);
    }
    end(&watched);
}

TEST(without_an_id_only_news_are_told) {
    Watched watched = make_watched("news", NULL);
    EXPECT_INT(1, events.count);
    EXPECT_TEXT("state", events.kinds[0]);
    add_metric(&watched.run, "loss", 5000, 0.5);
    add_net(&watched.run, 4);
    add_games(&watched.run, "w000-0001.sgfs", 3);
    read_all(watched.reader);
    EXPECT_INT(1, count_of("metric"));
    EXPECT_NEAR(0.5, number(event("metric", 0), "value"), 0);
    EXPECT_INT(1, count_of("net"));
    EXPECT_NEAR(4, number(event("net", 0), "number"), 0);
    EXPECT_INT(3, count_of("game"));
    read_all(watched.reader);
    EXPECT_INT(0, count_of("metric") + count_of("net") + count_of("game"));
    read_after(&watched.run,
               watched.last); /* the id of the state stands for the time at which it was told */
    EXPECT_INT(1, count_of("metric"));
    EXPECT_INT(1, count_of("net"));
    EXPECT_INT(3, count_of("game"));
    end(&watched);
}

/* SQLite gives the new row of a replaced point the same number if it was the last one. */
TEST(a_point_that_replaces_another_is_told) {
    Watched watched = make("replaced");
    add_metric(&watched.run, "elo", 10, 100);
    watch(&watched, NULL);
    add_metric(&watched.run, "elo", 10, 200);
    for (int i = 0; i < 2; i++) {
        if (i == 0)
            read_all(watched.reader);
        else
            read_after(&watched.run, watched.last);
        EXPECT_INT(1, count_of("metric"));
        EXPECT_NEAR(200, number(event("metric", 0), "value"), 0);
    }
    add_metric(&watched.run, "loss", 9000, 1);
    add_metric(&watched.run, "elo", 10,
               300); /* the place of the last point that was told is empty now */
    read_all(watched.reader);
    EXPECT_INT(2, count_of("metric"));
    EXPECT_NEAR(300, number(event("metric", 1), "value"), 0);
    end(&watched);
}

TEST(a_net_is_told_again_if_its_rating_changes) {
    Watched watched = make_watched("rated", "0");
    add_match(&watched.run, 3, 2, 20);
    read_all(watched.reader);
    EXPECT_TRUE(count_of("net") >= 1 && count_of("net") <= 3);
    EXPECT_NEAR(3, number(event("net", count_of("net") - 1), "number"), 0);
    EXPECT_INT(0, count_of("metric"));
    read_after(&watched.run, watched.last); /* the id does not say which nets have changed */
    EXPECT_INT(3, count_of("net"));
    EXPECT_INT(0, count_of("metric") + count_of("game"));
    end(&watched);
}

static void remove_index(const SmallRun *run) {
    static const char *const FILES[] = {"run.db", "run.db-wal", "run.db-shm"};
    for (int i = 0; i < 3; i++) {
        Path path;
        EXPECT_OK(path_join(&path, run->folder.text, FILES[i], err));
        if (file_exists(path.text)) EXPECT_OK(file_remove(path.text, err));
    }
}

/* A stream may begin before the run has an index. */
TEST(the_first_points_of_a_run_are_news) {
    Watched watched = make("begun");
    remove_index(&watched.run);
    watch(&watched, NULL);
    EXPECT_INT(0, count_of("metric") + count_of("net"));
    add_metric(&watched.run, "loss", 10, 1);
    add_net(&watched.run, 1);
    read_all(watched.reader);
    EXPECT_INT(1, count_of("metric"));
    EXPECT_INT(1, count_of("net"));
    end(&watched);
}

TEST(a_new_index_is_told_from_its_beginning) {
    Watched watched = make_watched("anew", "0");
    remove_index(&watched.run);
    read_all(watched.reader); /* there is no index */
    EXPECT_INT(0, count_of("metric") + count_of("net"));
    add_metric(&watched.run, "speed", 10, 1);
    add_metric(&watched.run, "speed", 20, 2);
    add_net(&watched.run, 1);
    read_all(watched.reader);
    EXPECT_INT(2, count_of("metric"));
    EXPECT_TEXT("speed", word(event("metric", 0), "name"));
    EXPECT_INT(1, count_of("net"));
    end(&watched);
}

/* The news are read in parts, of one large file of games and of many points. */
TEST(many_news_come_in_parts) {
    Watched watched = make_watched("many", NULL);
    add_games(&watched.run, "w000-0001.sgfs", 700);
    add_games(&watched.run, "w001-0000.sgfs", 200);
    for (int i = 0; i < 2; i++) {
        if (i == 0)
            read_all(watched.reader);
        else
            read_after(&watched.run, watched.last);
        EXPECT_INT(900, count_of("game"));
        bool seen[900] = {false};
        for (int k = 0; k < 900; k++) {
            const json_t *game = event("game", k);
            int at = (int)number(game, "index") + (word(game, "file")[3] == '1' ? 700 : 0);
            EXPECT_FALSE(seen[at]);
            seen[at] = true;
        }
    }
    char middle[128];
    snprintf(middle, sizeof middle, "%s", events.ids[499]);
    read_after(&watched.run, middle);
    EXPECT_TRUE(count_of("game") >= 399 && count_of("game") <= 401);
    end(&watched);
}

/* How many bytes this process has read so far (proc(5)); -1 if the system does not say it. */
static long long bytes_read(void) {
    long long bytes = -1;
    FILE *file = fopen("/proc/self/io", "r");
    if (!file || fscanf(file, "rchar: %lld", &bytes) != 1) bytes = -1;
    if (file) fclose(file);
    return bytes;
}

/* The games of a file are told in 40 parts. The file is not read anew for each of them. */
TEST(a_large_file_of_games_is_read_once) {
    enum { GAMES = 20000 };
    Watched watched = make_watched("large", NULL);
    add_games(&watched.run, "w000-0001.sgfs", GAMES);
    const long long before = bytes_read(), file_bytes = GAMES * (long long)strlen(GAME);
    int games = 0;
    for (RunEventsRest rest = RUN_EVENTS_MORE; rest != RUN_EVENTS_TOLD;) {
        StrBuf text = {0};
        rest = run_events_read(watched.reader, &text);
        for (const char *at = strbuf_text(&text); (at = strstr(at, "event: game\n")); at++)
            games++;
        strbuf_clear(&text);
        if (rest == RUN_EVENTS_LATER) clock_sleep_ms(100);
    }
    EXPECT_INT(GAMES, games);
    if (before >= 0) {
        const long long read = bytes_read() - before;
        if (read > 8 * file_bytes)
            fail_msg("%lld bytes were read of a file with %lld bytes", read, file_bytes);
    }
    end(&watched);
}

TEST(a_damaged_run_has_a_state_that_says_so) {
    Watched watched = make("damaged");
    small_run_file(&watched.run, "run.db", "this is no database, but some other file");
    read_after(&watched.run, "0");
    EXPECT_INT(1, count_of("state"));
    EXPECT_TEXT("bad_run", word(json_object_get(event("state", 0), "error"), "code"));
    EXPECT_INT(2, count_of("game"));
    end(&watched);
}

/* Sets the times at which the files of the run were last changed to so many seconds ago. */
static void set_age(const SmallRun *run, int seconds) {
    static const char *const FILES[] = {"run.db", "run.db-wal", "log.txt", "nets"};
    const time_t past = time(NULL) - seconds;
    const struct timespec times[2] = {{.tv_sec = past}, {.tv_sec = past}};
    for (int i = 0; i < 4; i++) {
        Path path;
        EXPECT_OK(path_join(&path, run->folder.text, FILES[i], err));
        (void)utimensat(AT_FDCWD, path.text, times, 0); /* run.db-wal may be missing */
    }
}

/* A run counts as live until 60 seconds after the last change. */
TEST(a_run_that_stops_has_fallen_asleep) {
    Watched watched = make_watched("asleep", NULL);
    EXPECT_FALSE(run_events_has_fallen_asleep(watched.reader));
    EXPECT_TRUE(json_is_true(json_object_get(event("state", 0), "live")));
    set_age(&watched.run, 55);
    read_all(watched.reader);
    EXPECT_TRUE(json_is_true(json_object_get(event("state", 0), "live")));
    for (int i = 0; i < 1000 && !run_events_has_fallen_asleep(watched.reader); i++)
        clock_sleep_ms(20);
    EXPECT_TRUE(run_events_has_fallen_asleep(watched.reader));
    read_all(watched.reader);
    EXPECT_FALSE(json_is_true(json_object_get(event("state", 0), "live")));
    EXPECT_FALSE(run_events_has_fallen_asleep(watched.reader));
    end(&watched);
}

TEST(ids_are_read_as_they_are_written) {
    static const EventCursor LARGEST = {.metric = INT64_MAX,
                                        .metric_key = UINT32_MAX,
                                        .metric_value = UINT32_MAX,
                                        .net = INT32_MAX,
                                        .nets = UINT32_MAX,
                                        .file_time = INT64_MAX,
                                        .file = UINT32_MAX,
                                        .lines = UINT32_MAX};
    static const char *const WRONG[] = {"",
                                        "1",
                                        "00",
                                        "m1.2.3-n4.5-g6.7",
                                        "m1.2.3-n4.5-g6.7.8 ",
                                        " m1.2.3-n4.5-g6.7.8",
                                        "m1.2.3-n4.5-g6.7.8.9",
                                        "m.2.3-n4.5-g6.7.8",
                                        "m-1.2.3-n4.5-g6.7.8",
                                        "mA.2.3-n4.5-g6.7.8",
                                        "m8000000000000000.2.3-n4.5-g6.7.8",
                                        "m1.100000000.3-n4.5-g6.7.8",
                                        "m1.2.3-n80000000.5-g6.7.8",
                                        "m1.2.3-n4.5-g6.7.00000000000000008"};
    EventCursor cursor, again;
    EXPECT_TRUE(event_cursor_parse("0", &cursor));
    EXPECT_INT(0, cursor.metric);
    EXPECT_TRUE(event_cursor_parse("m1.2.3-n4.5-g6.7.8", &cursor));
    EXPECT_INT(1, cursor.metric);
    EXPECT_INT(3, cursor.metric_value);
    EXPECT_INT(4, cursor.net);
    EXPECT_INT(6, cursor.file_time);
    EXPECT_INT(8, cursor.lines);
    EXPECT_TRUE(event_cursor_parse(event_cursor_text(&LARGEST).text, &again));
    EXPECT_TEXT(event_cursor_text(&LARGEST).text, event_cursor_text(&again).text);
    EXPECT_TRUE(again.metric == INT64_MAX && again.lines == EVENT_FILE_DONE);
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++)
        if (event_cursor_parse(WRONG[i], &cursor)) fail_msg("\"%s\" is read", WRONG[i]);
}

TEST_MAIN(RUN(the_id_zero_begins_with_all_that_the_run_has),
          RUN(each_id_leads_to_the_events_after_it), RUN(without_an_id_only_news_are_told),
          RUN(a_point_that_replaces_another_is_told),
          RUN(a_net_is_told_again_if_its_rating_changes), RUN(the_first_points_of_a_run_are_news),
          RUN(a_new_index_is_told_from_its_beginning), RUN(many_news_come_in_parts),
          RUN(a_large_file_of_games_is_read_once), RUN(a_damaged_run_has_a_state_that_says_so),
          RUN(a_run_that_stops_has_fallen_asleep), RUN(ids_are_read_as_they_are_written))
