/* The runs that the server shows: the list, their nets, and news of changes. */
#include <fcntl.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "serve/run_watch.h"
#include "serve/runs.h"
#include "serve/small_run.h"

static void set_time(const SmallRun *run, const char *name, time_t seconds) {
    Path path;
    const struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
    EXPECT_OK(path_join(&path, run->folder.text, name, err));
    EXPECT_INT(0, utimensat(AT_FDCWD, path.text, times, 0));
}

/* Makes the run look as if its last change had been at this time (in seconds since 1970). */
static void age(const SmallRun *run, time_t seconds) {
    set_time(run, "run.db", seconds);
    set_time(run, "log.txt", seconds);
    set_time(run, "nets", seconds);
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

TEST(runs_are_listed_by_their_last_change) {
    TestPath root = test_path("roots");
    RunRoots roots = {.count = 0};
    EXPECT_OK(directory_make(root.text, err));
    SmallRun old = small_run_make(root.text, "an old run"), young = small_run_make(root.text, "b");
    age(&old, 1000);
    runs_add_root(&roots, root.text);
    runs_add_root(&roots, root.text);
    runs_add_root(&roots, young.folder.text); /* a run itself; it is listed once */
    EXPECT_INT(2, roots.count);
    json_t *list = runs_list(&roots), *first = json_array_get(list, 0),
           *second = json_array_get(list, 1);
    EXPECT_INT(2, json_array_size(list));
    EXPECT_TEXT("b", text_of(first, "id"));
    EXPECT_INT(3, json_integer_value(json_object_get(first, "nets")));
    EXPECT_TRUE(json_is_true(json_object_get(first, "live")));
    EXPECT_TEXT("an-old-run", text_of(second, "id"));
    EXPECT_TEXT("an old run", text_of(second, "name"));
    EXPECT_INT(1000, json_integer_value(json_object_get(second, "changed")));
    EXPECT_TRUE(json_is_false(json_object_get(second, "live")));
    json_decref(list);
    small_run_remove(&old);
    small_run_remove(&young);
    EXPECT_OK(directory_remove(root.text, err));
}

TEST(nets_of_runs_are_found_by_their_ids) {
    TestPath root = test_path("nets");
    RunRoots roots = {.count = 0};
    ServedNet net;
    Path folder;
    EXPECT_OK(directory_make(root.text, err));
    SmallRun run = small_run_make(root.text, "my.run");
    runs_add_root(&roots, root.text);
    EXPECT_TRUE(runs_find(&roots, "my.run", &folder));
    EXPECT_TRUE(runs_find_net(&roots, "my.run.2", &net));
    EXPECT_TEXT("my.run.2", net.id);
    EXPECT_TEXT("my.run net 2", net.title);
    EXPECT_TEXT("000002-abc.aji", path_name(net.file.text));
    EXPECT_INT(5, net.width);
    EXPECT_TEXT("5x5", net.boards);
    static const char *const NONE[] = {"",          "my.run",    "my.run.",   "my.run.4",
                                       "my.run.2x", "my.run.-2", "other.2",   "../my.run.2",
                                       ".2",        "my.run. 2", "my.run/.2", "nets.2"};
    for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++) {
        if (runs_find_net(&roots, NONE[i], &net)) fail_msg("%s is a net", NONE[i]);
    }
    EXPECT_FALSE(runs_find(&roots, "..", &folder));
    EXPECT_FALSE(runs_find(&roots, "", &folder));
    small_run_remove(&run);
    EXPECT_OK(directory_remove(root.text, err));
}

typedef struct {
    int count;
    char last[200];
} Heard;

static bool hear(void *context, const char *text, size_t length) {
    Heard *heard = context;
    heard->count++;
    snprintf(heard->last, sizeof heard->last, "%.*s", (int)length, text);
    return true;
}

static void wait_for(RunWatch *watch, const Heard *heard, int count, int seconds) {
    for (int i = 0; i < 50 * seconds && heard->count < count; i++) {
        clock_sleep_ms(20);
        run_watch_tend(watch);
    }
}

TEST(watchers_are_told_of_changes) {
    TestPath root = test_path("watch");
    RunWatch watch = {.watchers = NULL};
    Heard heard = {.count = 0}, other = {.count = 0};
    RunWatcher watcher = {.send = hear, .context = &heard},
               second = {.send = hear, .context = &other};
    EXPECT_OK(directory_make(root.text, err));
    SmallRun run = small_run_make(root.text, "run"), quiet = small_run_make(root.text, "quiet");
    age(&run, 1000);
    run_watch_leave(&watch, &watcher); /* it does not watch yet */
    run_watch_join(&watch, &second, "run", run.folder.text);
    run_watch_join(&watch, &watcher, "run", run.folder.text);
    run_watch_join(&watch, &second, "quiet", quiet.folder.text); /* only one run is watched */
    wait_for(&watch, &heard, 1, 3);
    EXPECT_INT(0, heard.count);
    small_run_file(&run, "log.txt", "something new\n");
    wait_for(&watch, &heard, 1, 20);
    EXPECT_INT(1, heard.count);
    EXPECT_TEXT("{\"topic\":\"run\",\"run\":\"run\"}", heard.last);
    wait_for(&watch, &heard, 2, 3);
    EXPECT_INT(1, heard.count); /* it is told once */
    run_watch_leave(&watch, &watcher);
    run_watch_leave(&watch, &second);
    EXPECT_TRUE(watch.watchers == NULL);
    EXPECT_INT(0, other.count);
    small_run_remove(&run);
    small_run_remove(&quiet);
    EXPECT_OK(directory_remove(root.text, err));
}

TEST(watchers_of_the_list_are_told_of_changes) {
    TestPath root = test_path("list");
    RunRoots roots = {.count = 0};
    RunWatch watch = {.runs = &roots};
    Heard heard = {.count = 0};
    RunWatcher watcher = {.send = hear, .context = &heard};
    EXPECT_OK(directory_make(root.text, err));
    runs_add_root(&roots, root.text);
    SmallRun run = small_run_make(root.text, "run");
    run_watch_join_list(&watch, &watcher);
    wait_for(&watch, &heard, 1, 3);
    EXPECT_INT(0, heard.count);
    uint64_t one_run = runs_state(&roots);
    SmallRun second = small_run_make(root.text, "second"); /* a run begins */
    uint64_t both = runs_state(&roots);
    EXPECT_TRUE(both != one_run);
    wait_for(&watch, &heard, 1, 20);
    EXPECT_INT(1, heard.count);
    EXPECT_TEXT("{\"topic\":\"runs\"}", heard.last);
    wait_for(&watch, &heard, 2, 3);
    EXPECT_INT(1, heard.count); /* it is told once */
    small_run_file(&run, "log.txt", "a run that is at work goes on\n");
    EXPECT_TRUE(runs_state(&roots) == both);
    age(&second, 1000); /* it is no longer at work */
    uint64_t asleep = runs_state(&roots);
    EXPECT_TRUE(asleep != both);
    set_time(&second, "nets", 2000); /* it has a new net */
    EXPECT_TRUE(runs_state(&roots) != asleep);
    small_run_remove(&second);
    EXPECT_TRUE(runs_state(&roots) == one_run);
    run_watch_leave(&watch, &watcher);
    EXPECT_TRUE(watch.watchers == NULL);
    small_run_remove(&run);
    EXPECT_OK(directory_remove(root.text, err));
}

TEST_MAIN(RUN(runs_are_listed_by_their_last_change), RUN(nets_of_runs_are_found_by_their_ids),
          RUN(watchers_are_told_of_changes), RUN(watchers_of_the_list_are_told_of_changes))
