/* Files of games: saving and loading, collections, and the names of files in errors. */
#include <unistd.h>

#include "base/file.h"
#include "read_game.h"

/* Returns the path of a file in a folder of this test. Unless `text` is NULL, the file is
 * written. */
static Path temporary_file(const char *name, const char *text) {
    Path path;
    char folder[64];
    snprintf(folder, sizeof folder, "/tmp/aji_test_sgf_%ld", (long)getpid());
    EXPECT_OK(directory_make(folder, err));
    EXPECT_OK(path_join(&path, folder, name, err));
    if (text) EXPECT_OK(file_write(path.text, text, strlen(text), err));
    return path;
}

static void remove_temporary(Path path) {
    EXPECT_OK(file_remove(path.text, err));
    path.text[strlen(path.text) - strlen(path_name(path.text)) - 1] = 0;
    EXPECT_INT(0, rmdir(path.text));
}

TEST(errors_name_the_file) {
    SgfGame game;
    Error error = {0};
    EXPECT_STATUS(ERR_IO, sgf_game_load("/nowhere/x.sgf", NULL, &game, &error));
    EXPECT_CONTAINS(error.message, "/nowhere/x.sgf");
    Path path = temporary_file("bad.sgf", "(;SZ[9]\n;B[zz])");
    EXPECT_STATUS(ERR_ILLEGAL, sgf_game_load(path.text, NULL, &game, &error));
    EXPECT_CONTAINS(error.message, "bad.sgf:2: ");
    remove_temporary(path);
}

TEST(saved_games_load) {
    SgfGame game = read_game("(;SZ[5]C[a\nb];B[aa])"), again;
    Path path = temporary_file("good.sgf", NULL);
    EXPECT_OK(sgf_game_save(&game, path.text, err));
    EXPECT_OK(sgf_game_load(path.text, NULL, &again, err));
    EXPECT_TEXT("a\nb", again.comment);
    EXPECT_TEXT(path.text, again.source);
    sgf_game_clear(&game);
    sgf_game_clear(&again);
    remove_temporary(path);
}

/* Opens the text as a collection, and expects games of these widths; 0 stands for a game that
 * cannot be read. */
static void expect_sizes(const char *name, const char *text, const int *sizes, int count) {
    Path path = temporary_file(name, text);
    SgfCollection *collection;
    Rules rules = rules_tromp_taylor();
    EXPECT_OK(sgf_collection_open(path.text, &(SgfOptions){.rules = &rules}, &collection, err));
    EXPECT_INT(count, sgf_collection_count(collection));
    SgfGame game;
    Error error = {0};
    bool done;
    for (int i = 0; i < count; i++) {
        Status status = sgf_collection_next(collection, &game, &done, &error);
        EXPECT_FALSE(done);
        EXPECT_STATUS(sizes[i] ? OK : ERR_SYNTAX, status);
        if (sizes[i])
            EXPECT_INT(sizes[i], game.width);
        else
            EXPECT_CONTAINS(error.message, path.text);
        sgf_game_clear(&game);
    }
    EXPECT_STATUS(OK, sgf_collection_next(collection, &game, &done, &error));
    EXPECT_TRUE(done);
    sgf_game_clear(&game);
    sgf_collection_close(collection);
    remove_temporary(path);
}

TEST(collections_are_read_game_by_game) {
    expect_sizes("many.sgf", "(;SZ[5]\n;B[aa])\n(;SZ[9];B[?)\n\n(;SZ[13])(;SZ[7])x",
                 (const int[]){5, 0, 7}, 3);
    expect_sizes("bad.sgf", "(;SZ[5])\n(;SZ[9]?)\n(;SZ[13])(;SZ[7])x", (const int[]){5, 0, 13, 7},
                 4);
    expect_sizes(
        "lines.sgfs",
        "(;SZ[5];B[aa])\r\n\n  \n(;SZ[9];B[\n(;CA[gbk]SZ[13]C[\xC6\xE5])(;SZ[3])\n(;SZ[7])",
        (const int[]){5, 0, 13, 7}, 4);
    SgfCollection *collection;
    Path path = temporary_file("empty.sgfs", "\n\n");
    Error error = {0};
    EXPECT_STATUS(ERR_SYNTAX, sgf_collection_open(path.text, NULL, &collection, &error));
    EXPECT_CONTAINS(error.message, "no game in this file");
    EXPECT_TRUE(collection == NULL);
    remove_temporary(path);
    EXPECT_STATUS(ERR_IO, sgf_collection_open("/nowhere/x.sgf", NULL, &collection, NULL));
    sgf_collection_close(NULL);
}

TEST_MAIN(RUN(errors_name_the_file), RUN(saved_games_load), RUN(collections_are_read_game_by_game))
