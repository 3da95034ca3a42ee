/* The games of many files are read one after the other, and a broken file does not stop the
 * others. */
#include <unistd.h>

#include "base/file.h"
#include "base/formats/archive.h"
#include "base/formats/gzip_writer.h"
#include "sgf/sgf_sources.h"
#include "test.h"

typedef struct {
    char path[64];
} Folder;

static Folder folder_new(void) {
    Folder folder;
    snprintf(folder.path, sizeof folder.path, "/tmp/aji_test_sources_%d", (int)getpid());
    EXPECT_OK(directory_make(folder.path, err));
    return folder;
}

static Path inside(const Folder *folder, const char *name) {
    Path path;
    EXPECT_OK(path_join(&path, folder->path, name, err));
    return path;
}

static void put(const Folder *folder, const char *name, const char *text) {
    EXPECT_OK(file_write(inside(folder, name).text, text, strlen(text), err));
}

/* Reads all games and writes their black players, and "!" for each failure. The messages of all
 * failures are added to `messages`. */
static void read_all(const char *path, const SgfOptions *options, StrBuf *names, StrBuf *messages) {
    SgfSources *sources;
    const SgfSourcesSetup setup = {.paths = &path, .count = 1, .options = options};
    EXPECT_OK(sgf_sources_open(&setup, &sources, err));
    for (bool done = false; !done;) {
        SgfGame game;
        Error fault = {0};
        if (sgf_sources_next(sources, &game, &done, &fault)) {
            strbuf_add(names, "! ");
            strbuf_addf(messages, "%s\n", fault.message);
        } else if (!done) {
            strbuf_addf(names, "%s ", game.black);
        }
        sgf_game_clear(&game);
    }
    FileSourcesState state = file_sources_state(sgf_sources_files(sources));
    EXPECT_INT(state.files, state.files_read);
    EXPECT_TRUE(state.bytes_read <= state.bytes);
    sgf_sources_close(sources);
}

static void make_files(const Folder *folder) {
    ZipWriter *zip;
    GzipWriter *gzip;
    put(folder, "a.sgf", "(;PB[a1])(;PB[a2])");
    put(folder, "b.sgfs", "(;PB[b1])\n(;PB[broken]\n\n(;PB[b3])\n");
    put(folder, "c.sgf", "");
    put(folder, "notes.txt", "(;PB[no])");
    EXPECT_OK(zip_writer_open(inside(folder, "d.zip").text, 1, &zip, err));
    EXPECT_OK(zip_writer_add(zip, "in/one.sgf", "(;PB[d1])", 9, err));
    EXPECT_OK(zip_writer_add(zip, "read.me", "(;PB[no])", 9, err));
    EXPECT_OK(zip_writer_add(zip, "in/off.sgf", "(;PB[off]SZ[9];B[zz])", 21, err));
    EXPECT_OK(zip_writer_add(zip, "two.sgfs", "(;PB[d2])\n(;PB[d3])", 19, err));
    EXPECT_OK(zip_writer_commit(zip, err));
    EXPECT_OK(gzip_writer_open(inside(folder, "e.sgf.gz").text, 1, &gzip, err));
    gzip_writer_add(gzip, "(;PB[e1])", 9);
    EXPECT_OK(gzip_writer_commit(gzip, err));
    put(folder, "f.zip", "this is no archive");
    EXPECT_OK(directory_make(inside(folder, "g").text, err));
    put(folder, "g/h.sgf", "(;PB[h1])");
}

TEST(all_kinds_of_files_are_read_in_order) {
    Folder folder = folder_new();
    StrBuf names = {0}, messages = {0};
    make_files(&folder);
    read_all(folder.path, NULL, &names, &messages);
    EXPECT_TEXT("a1 a2 b1 ! b3 ! d1 ! d2 d3 e1 ! h1 ", strbuf_text(&names));
    EXPECT_CONTAINS(strbuf_text(&messages), "b.sgfs:2: ");
    EXPECT_CONTAINS(strbuf_text(&messages), "c.sgf: no game in this file");
    EXPECT_CONTAINS(strbuf_text(&messages), "d.zip:in/off.sgf:1: ");
    EXPECT_CONTAINS(strbuf_text(&messages), "f.zip is not a zip archive");
    strbuf_clear(&names);
    strbuf_clear(&messages);
    read_all(folder.path, &(SgfOptions){.cut = true}, &names, &messages);
    EXPECT_TEXT("a1 a2 b1 ! b3 ! d1 off d2 d3 e1 ! h1 ", strbuf_text(&names));
    strbuf_clear(&names);
    strbuf_clear(&messages);
    EXPECT_OK(directory_remove(inside(&folder, "g").text, err));
    EXPECT_OK(directory_remove(folder.path, err));
}

TEST(paths_without_games_are_refused) {
    Folder folder = folder_new();
    SgfSources *sources;
    Error error = {0};
    const char *path = folder.path;
    put(&folder, "notes.txt", "(;PB[no])");
    const SgfSourcesSetup setup = {.paths = &path, .count = 1};
    EXPECT_STATUS(ERR_IO, sgf_sources_open(&setup, &sources, &error));
    EXPECT_CONTAINS(error.message, "there is no file of games");
    path = "/nowhere/at/all";
    EXPECT_STATUS(ERR_IO, sgf_sources_open(&setup, &sources, &error));
    EXPECT_CONTAINS(error.message, "/nowhere/at/all");
    EXPECT_OK(directory_remove(folder.path, err));
}

static SgfGame cut(const char *text) {
    SgfGame game;
    EXPECT_OK(sgf_game_parse(text, strlen(text), &(SgfOptions){.cut = true}, &game, err));
    return game;
}

TEST(a_game_ends_before_a_node_that_cannot_be_read) {
    SgfGame game = cut("(;SZ[9]PB[x];B[aa];W[bb];B[zz];W[cc])");
    EXPECT_INT(2, game.move_count);
    EXPECT_TRUE(game.cut);
    EXPECT_CONTAINS(game.warning, "the game is cut: sgf:1: move B[zz] is off a 9x9 board");
    sgf_game_clear(&game);
    game = cut("(;SZ[9];B[aa];AB[cc];W[bb])");
    EXPECT_INT(1, game.move_count);
    EXPECT_CONTAINS(game.warning, "sets up stones after the root");
    sgf_game_clear(&game);
    game = cut("(;SZ[9];B[aa];W[bb])");
    EXPECT_FALSE(game.cut);
    sgf_game_clear(&game);
    Error error = {0};
    EXPECT_STATUS(ERR_UNSUPPORTED, sgf_game_parse("(;SZ[30])", 9, &(SgfOptions){.cut = true}, &game,
                                                  &error)); /* the root must be sound */
}

TEST_MAIN(RUN(all_kinds_of_files_are_read_in_order), RUN(paths_without_games_are_refused),
          RUN(a_game_ends_before_a_node_that_cannot_be_read))
