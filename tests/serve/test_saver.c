/* The thread that writes files. */
#include "base/clock.h"
#include "base/file.h"
#include "base/thread.h"
#include "serve/games/saver.h"
#include "test.h"
#include "test_path.h"

static void count(void *context) {
    atomic_fetch_add((atomic_int *)context, 1);
}

static void put(Saver *saver, const char *name, const char *text) {
    EXPECT_OK(saver_put(saver, name, text, strlen(text), err));
}

static Saved wait_for_news(Saver *saver) {
    Saved saved = {.name = ""};
    for (int i = 0; i < 20000 && !saver_take(saver, &saved); i++)
        clock_sleep_ms(1);
    EXPECT_TRUE(*saved.name);
    return saved;
}

static void expect_file(const char *folder, const char *name, const char *want) {
    Arena arena = {0};
    Path path;
    char *text;
    size_t length;
    EXPECT_OK(path_join(&path, folder, name, err));
    EXPECT_OK(file_read(path.text, 100, &arena, &text, &length, err));
    EXPECT_TEXT(want, text);
    arena_clear(&arena);
}

TEST(the_newest_text_is_written_before_the_end) {
    atomic_int wakes = 0;
    TestPath folder = test_path("saver");
    Saver *saver;
    EXPECT_OK(saver_new(&(SaverSetup){folder.text, count, &wakes}, &saver, err));
    put(saver, "a", "first");
    EXPECT_TRUE(saver_is_busy(saver, "a"));
    EXPECT_FALSE(saver_is_busy(saver, "b"));
    Saved saved = wait_for_news(saver);
    EXPECT_TEXT("a", saved.name);
    EXPECT_STATUS(OK, saved.status);
    EXPECT_FALSE(saver_is_busy(saver, "a"));
    EXPECT_TRUE(atomic_load(&wakes) > 0);
    expect_file(folder.text, "a", "first");
    for (int i = 0; i < 1000; i++)
        put(saver, i % 2 ? "a" : "b", i < 998 ? "between" : "last");
    saver_free(saver);
    expect_file(folder.text, "a", "last");
    expect_file(folder.text, "b", "last");
    EXPECT_OK(directory_remove(folder.text, err));
}

TEST(a_file_that_cannot_be_written_is_reported) {
    atomic_int wakes = 0;
    TestPath folder = test_path("saver_blocked");
    Saver *saver;
    EXPECT_OK(file_write(folder.text, "x", 1, err));
    EXPECT_OK(saver_new(&(SaverSetup){folder.text, count, &wakes}, &saver, err));
    put(saver, "a", "text");
    Saved saved = wait_for_news(saver);
    EXPECT_STATUS(ERR_IO, saved.status);
    EXPECT_CONTAINS(saved.err.message, folder.text);
    EXPECT_OK(file_remove(folder.text, err));
    put(saver, "a", "text");
    EXPECT_STATUS(OK, wait_for_news(saver).status);
    saver_free(saver);
    EXPECT_OK(directory_remove(folder.text, err));
}

TEST_MAIN(RUN(the_newest_text_is_written_before_the_end),
          RUN(a_file_that_cannot_be_written_is_reported))
