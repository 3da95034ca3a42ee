/* The files of folders are visited in the order of their names, and only those that are wanted. */
#include "base/file_walk.h"
#include "base/strbuf.h"
#include "scratch.h"

typedef struct {
    const Scratch *scratch;
    StrBuf text;
    int failing; /* the number of the file at which the visit fails; 0: it does not */
    int count;
} Visits;

static bool is_wanted(void *context, const char *name) {
    (void)context;
    return path_has_ending(name, ".txt");
}

/* Writes each file as "name=bytes;", where the name does not have the path of the folder. */
static Status visit(void *context, const char *path, int64_t bytes, Error *err) {
    Visits *visits = context;
    strbuf_addf(&visits->text, "%s=%d;", path + strlen(visits->scratch->path), (int)bytes);
    (void)err;
    return ++visits->count == visits->failing ? ERR_MEMORY : OK;
}

TEST(files_come_in_the_order_of_their_names) {
    Scratch scratch = scratch_new();
    Visits visits = {.scratch = &scratch};
    Path inner = scratch_path(&scratch, "b"), skipped = scratch_path(&scratch, "d"),
         other = scratch_file(&scratch, "e.png", "123", 3);
    FileWalk walk = {is_wanted, skipped.text, visit, &visits};
    EXPECT_OK(directory_make(inner.text, err));
    EXPECT_OK(directory_make(skipped.text, err));
    Path deep = scratch_file(&scratch, "b/z.txt", "1234", 4),
         hidden = scratch_file(&scratch, "d/y.txt", "12345", 5);
    scratch_file(&scratch, "c.txt", "12", 2);
    scratch_file(&scratch, "a.txt", "1", 1);
    EXPECT_OK(file_walk(scratch.path, &walk, err));
    EXPECT_TEXT("/a.txt=1;/b/z.txt=4;/c.txt=2;", strbuf_text(&visits.text));
    strbuf_reset(&visits.text);
    walk.except = NULL;
    EXPECT_OK(file_walk(scratch.path, &walk, err));
    EXPECT_TEXT("/a.txt=1;/b/z.txt=4;/c.txt=2;/d/y.txt=5;", strbuf_text(&visits.text));
    strbuf_reset(&visits.text);
    EXPECT_OK(file_walk(other.text, &walk, err));
    EXPECT_TEXT("/e.png=3;", strbuf_text(&visits.text));
    strbuf_reset(&visits.text);
    visits.failing = visits.count + 2;
    EXPECT_STATUS(ERR_MEMORY, file_walk(scratch.path, &walk, NULL));
    EXPECT_TEXT("/a.txt=1;/b/z.txt=4;", strbuf_text(&visits.text));
    EXPECT_STATUS(ERR_IO, file_walk("/nowhere/at/all", &walk, NULL));
    EXPECT_OK(file_remove(deep.text, err));
    EXPECT_OK(file_remove(hidden.text, err));
    strbuf_clear(&visits.text);
    scratch_remove(&scratch);
}

/* Makes a folder in a folder in a folder, and so on, 17 times. */
TEST(folders_that_are_nested_too_deep_are_an_error) {
    Scratch scratch = scratch_new();
    Visits visits = {.scratch = &scratch};
    const FileWalk walk = {.is_wanted = is_wanted, .visit = visit, .context = &visits};
    Path paths[17];
    Error fault = {0};
    for (int i = 0; i < 17; i++) {
        EXPECT_OK(path_join(&paths[i], i ? paths[i - 1].text : scratch.path, "f", err));
        EXPECT_OK(directory_make(paths[i].text, err));
        if (i < 16) EXPECT_OK(file_walk(scratch.path, &walk, err));
    }
    EXPECT_STATUS(ERR_IO, file_walk(scratch.path, &walk, &fault));
    EXPECT_CONTAINS(fault.message, "folders are nested more than 16 deep");
    for (int i = 16; i >= 0; i--)
        EXPECT_OK(directory_remove(paths[i].text, err));
    scratch_remove(&scratch);
}

TEST_MAIN(RUN(files_come_in_the_order_of_their_names),
          RUN(folders_that_are_nested_too_deep_are_an_error))
