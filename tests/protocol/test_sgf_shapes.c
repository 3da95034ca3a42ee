/* Reads shapes from games in SGF files; searches avoid these shapes. */
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "go/symmetry.h"
#include "protocol/session/sgf_shapes.h"
#include "test.h"

static char folder[] = "/tmp/aji-shapes-XXXXXX";

/* Writes a file whose modification time is `seconds` ago. */
static void write_game(const char *name, const char *text, int seconds) {
    Path path;
    EXPECT_OK(path_join(&path, folder, name, err));
    EXPECT_OK(file_write(path.text, text, strlen(text), err));
    struct timespec times[2] = {{time(NULL) - seconds, 0}, {time(NULL) - seconds, 0}};
    EXPECT_INT(0, utimensat(AT_FDCWD, path.text, times, 0));
}

static int setup(void **state) {
    (void)state;
    if (!mkdtemp(folder)) return -1;
    write_game("old.sgf", "(;SZ[9]KM[7]PB[ann]PW[bob];B[cc];W[gg]C[as %SKIP% says];B[cg])", 3000);
    write_game("new.sgf", "(;SZ[9]KM[7]PB[bob]PW[ann];B[cc];W[ce])", 10);
    write_game("bad.sgf", "(;SZ[9", 20);
    write_game("other.txt", "(;SZ[9];B[ee])", 5);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    const char *names[] = {"old.sgf", "new.sgf", "bad.sgf", "other.txt"};
    for (int i = 0; i < 4; i++) {
        Path path;
        if (!path_join(&path, folder, names[i], NULL)) unlink(path.text);
    }
    return rmdir(folder);
}

static ShapeSettings settings_made(void) {
    ShapeSettings settings;
    settings_defaults(SHAPE_FIELDS, &settings);
    settings.utility = 0.5;
    settings.decay = 0.5;
    snprintf(settings.folder, sizeof settings.folder, "%s", folder);
    return settings;
}

/* Makes a search on behalf of `color` on an empty 9x9 board, and returns how much White's utility
 * gains by a move of `color`. */
static double gain(const ShapeSettings *settings, Point point, Color color, int *games) {
    RepeatTable shapes = {0}, table = {0};
    Position root = {0}, after = {0};
    Rules rules = rules_tromp_taylor();
    EXPECT_OK(sgf_shapes_read(settings, &shapes, games, err));
    EXPECT_OK(position_init(&root, 9, 9, &rules, err));
    if (color == COLOR_WHITE) EXPECT_OK(position_play(&root, POINT_PASS, err));
    repeats_gather(&table, &shapes, &root, color, 0);
    EXPECT_OK(position_copy(&after, &root, err));
    EXPECT_OK(position_play(&after, point, err));
    double bonus = (double)repeats_of_node(&table, &after).bonus;
    position_clear(&root);
    position_clear(&after);
    repeats_free(&shapes);
    repeats_free(&table);
    return bonus;
}

/* Both games begin with the move at 3-3. The newest file has the weight 1, and each older file half
 * the weight of the one before. bad.sgf lies between the two games and counts as a file, so that
 * the older game has the weight 1/4. */
TEST(files_by_their_age) {
    ShapeSettings settings = settings_made();
    int games;
    EXPECT_NEAR(0.5 + 0.125, gain(&settings, point_at(6, 2), COLOR_BLACK, &games), 0);
    EXPECT_INT(2, games);
    EXPECT_NEAR(-0.625, gain(&settings, point_at(2, 2), COLOR_WHITE, &games), 0);
    EXPECT_NEAR(0, gain(&settings, point_at(4, 4), COLOR_BLACK, &games), 0);
    settings.decay = 1;
    EXPECT_NEAR(1, gain(&settings, point_at(6, 2), COLOR_BLACK, &games), 0);
    settings.files = 1;
    EXPECT_NEAR(0.5, gain(&settings, point_at(6, 2), COLOR_BLACK, &games), 0);
    EXPECT_INT(1, games);
}

TEST(players_and_turns) {
    ShapeSettings settings = settings_made();
    int games;
    snprintf(settings.players, sizeof settings.players, "carl , ann");
    EXPECT_NEAR(0.125, gain(&settings, point_at(2, 2), COLOR_BLACK, &games), 0);
    snprintf(settings.players, sizeof settings.players, "an");
    EXPECT_NEAR(0, gain(&settings, point_at(2, 2), COLOR_BLACK, &games), 0);
    *settings.players = 0;
    settings.first_turn = 1;
    EXPECT_NEAR(0.625, gain(&settings, point_at(2, 2), COLOR_BLACK, &games), 0);
    settings.first_turn = 2;
    EXPECT_NEAR(0, gain(&settings, point_at(2, 2), COLOR_BLACK, &games), 0);
}

TEST(moves_to_skip) {
    ShapeSettings settings = settings_made();
    RepeatTable shapes = {0};
    int games;
    snprintf(settings.folder, sizeof settings.folder, "%s/old.sgf", folder);
    EXPECT_OK(sgf_shapes_read(&settings, &shapes, &games, err)); /* a single file */
    EXPECT_INT(1, games);
    /* The second move is skipped. The first lies on a diagonal and has 4 symmetric copies, and the
     * third has 8. Each copy is there for both colors. */
    EXPECT_INT(4 * 2 + 8 * 2, shapes.count);
    repeats_free(&shapes);
}

TEST(no_utility_reads_nothing_and_no_folder_is_an_error) {
    ShapeSettings settings = settings_made();
    RepeatTable shapes = {0};
    int games;
    settings.utility = 0;
    EXPECT_OK(sgf_shapes_read(&settings, &shapes, &games, err));
    EXPECT_INT(0, games);
    settings.utility = 1;
    snprintf(settings.folder, sizeof settings.folder, "/no/such/folder");
    EXPECT_STATUS(ERR_IO, sgf_shapes_read(&settings, &shapes, &games, NULL));
    EXPECT_INT(0, shapes.count);
}

/* A folder's name that is too long is refused, instead of being cut to the name of another folder.
 * A file that cannot be accessed is skipped. */
TEST(names_are_not_cut) {
    ShapeSettings settings = settings_made();
    const SettingsGroup groups[] = {{"shapes", SHAPE_FIELDS, &settings}, {0}};
    RepeatTable shapes = {0};
    Error err = {0};
    Path link;
    char path[SETTINGS_TEXT_SIZE + 1];
    int games;
    memset(path, '/', sizeof path); /* if it were cut, it would name the root folder */
    path[SETTINGS_TEXT_SIZE] = 0;
    EXPECT_STATUS(ERR_ARGUMENT, settings_set(groups, "avoidSgfPatternDirs", path, &err));
    EXPECT_CONTAINS(err.message, "longer than 255 characters");
    EXPECT_TEXT(folder, settings.folder);
    EXPECT_STATUS(OK, path_join(&link, folder, "gone.sgf", &err));
    EXPECT_INT(0, symlink("/no/such/file", link.text));
    EXPECT_STATUS(OK, sgf_shapes_read(&settings, &shapes, &games, &err));
    EXPECT_INT(2, games);
    EXPECT_INT(0, unlink(link.text));
    repeats_free(&shapes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        RUN(files_by_their_age), RUN(players_and_turns), RUN(moves_to_skip),
        RUN(no_utility_reads_nothing_and_no_folder_is_an_error), RUN(names_are_not_cut)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
