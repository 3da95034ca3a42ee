/* Runs of self-play whose rows have the optional columns of row_points.h, and whose nets learn
 * them. */
#define _GNU_SOURCE /* nftw */
#include "run/run_tree.h"

#include "data/rows/row_file.h"
#include "run/cycle/run_check.h"

enum { ALL = (1 << ROW_POINT_COLUMNS) - 1 };

/* Asks for all columns. */
static void ask_for_points(RunConfig *config) {
    const SettingsGroup groups[] = {{"rows", ROW_POINT_FIELDS, &config->rows}, {0}};
    for (int c = 0; c < ROW_POINT_COLUMNS; c++)
        EXPECT_OK(settings_set(groups, ROW_POINT_FIELDS[c].name, "true", err));
}

/* Reads all rows of the run into one table. */
static Rows rows_of_run(const Folder *folder) {
    RunDirectory directory;
    Arena arena = {0};
    char **paths;
    int count;
    Rows all;
    EXPECT_OK(run_directory_open(folder->text, &directory, err));
    EXPECT_OK(run_directory_row_files(&directory, &arena, &paths, &count, err));
    EXPECT_TRUE(count > 0);
    EXPECT_OK(rows_init(&all, 4, err));
    for (int i = 0; i < count; i++) {
        Rows rows;
        EXPECT_OK(row_file_read(paths[i], &rows, err));
        EXPECT_OK(rows_add_points(&all, rows.point_columns, err));
        EXPECT_OK(rows_append(&all, &rows, 0, rows.count, err));
        rows_clear(&rows);
    }
    arena_clear(&arena);
    return all;
}

/* The columns change nothing else: the games, the nets and the other columns stay the same. */
TEST(columns_change_nothing_else_in_a_run) {
    Folder folders[2] = {make_folder(), make_folder()};
    Rows rows[2];
    StrBuf bytes[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++) {
        RunConfig config = tiny(2);
        if (i) ask_for_points(&config);
        EXPECT_OK(run_whole(folders[i].text, &config, false, err));
        rows[i] = rows_of_run(&folders[i]);
        EXPECT_INT(i ? ALL : 0, rows[i].point_columns);
    }
    EXPECT_INT(tree_of(&folders[0], "games").sum, tree_of(&folders[1], "games").sum);
    EXPECT_INT(tree_of(&folders[0], "nets").sum, tree_of(&folders[1], "nets").sum);
    EXPECT_INT(rows[0].count, rows[1].count);
    for (int c = 0; c < ROW_POINT_COLUMNS; c++) {
        int64_t sum = 0;
        for (size_t k = 0; k < rows[1].count * 16; k++)
            sum += rows[1].points[c][k];
        EXPECT_TRUE(sum > 0);
        free(rows[1].points[c]);
        rows[1].points[c] = NULL;
    }
    rows[1].point_columns = 0;
    for (int i = 0; i < 2; i++)
        rows_to_bytes(&rows[i], &bytes[i]);
    EXPECT_INT(bytes[0].length, bytes[1].length);
    EXPECT_TRUE(memcmp(bytes[0].text, bytes[1].text, bytes[0].length) == 0);
    for (int i = 0; i < 2; i++) {
        strbuf_clear(&bytes[i]);
        rows_clear(&rows[i]);
        remove_folder(&folders[i]);
    }
}

/* Returns the last number of a column of RUN/report/metrics.csv. */
static double last_metric(const Folder *folder, const char *name) {
    Arena arena = {0};
    char *text;
    size_t length;
    EXPECT_OK(file_read(path_in(folder->text, "report/metrics.csv").text, 1 << 24, &arena, &text,
                        &length, err));
    int column = 0, at = 0;
    char *line = text, *last = strrchr(text, '\n');
    EXPECT_TRUE(last != NULL);
    *last = 0; /* the end of the last line */
    last = strrchr(text, '\n');
    EXPECT_TRUE(last != NULL);
    *last++ = 0;
    if (strchr(line, '\n')) *strchr(line, '\n') = 0;
    for (char *word = strtok(line, ","); word && strcmp(word, name) != 0; word = strtok(NULL, ","))
        column++;
    while (at < column && *last)
        at += *last++ == ',';
    EXPECT_INT(column, at);
    double value = strtod(last, NULL);
    arena_clear(&arena);
    return value;
}

/* A net with the heads learns the columns: the losses fall below those of a net whose outputs are
 * all 0. For the time on board, such a net has at most the loss ln 2 = 0.69 for each stone. */
TEST(runs_learn_the_columns) {
    Folder folder = make_folder();
    RunConfig config = tiny(3);
    ask_for_points(&config);
    config.training.objective.next_occupant = config.training.objective.time_on_board =
        config.training.objective.same_chain = 1;
    config.run.samples_per_row = 8;
    snprintf(config.run.arch, sizeof config.run.arch,
             "b1c8-fixup-nodist-next_occupant-time_on_board-same_chain");
    EXPECT_OK(run_whole(folder.text, &config, true, err));
    double occupant = last_metric(&folder, "loss.next_occupant"),
           time = last_metric(&folder, "loss.time_on_board"),
           chain = last_metric(&folder, "loss.same_chain");
    if (!(occupant > 0.05 && occupant < 0.95 * log(3) && time > 0.01 && time < 0.3 &&
          chain > 0.05 && chain < 0.95 * log(2)))
        fail_msg("loss.next_occupant is %g, loss.time_on_board is %g, loss.same_chain is %g",
                 occupant, time, chain);
    remove_folder(&folder);
}

/* If a net learns a column that the rows of the run do not get, the settings are refused. */
TEST(nets_need_the_columns_that_they_learn) {
    RunConfig config = tiny(1);
    Error fault = {0};
    snprintf(config.run.arch, sizeof config.run.arch, "b1c8-nodist-next_occupant");
    EXPECT_STATUS(ERR_ARGUMENT, run_check_settings(&config, &fault));
    EXPECT_CONTAINS(fault.message, "run.arch");
    EXPECT_CONTAINS(fault.message, "rows.next_occupant=true");
    config.rows.next_occupant = true;
    EXPECT_OK(run_check_settings(&config, err));
    config = tiny(1);
    snprintf(config.run.larger_arch, sizeof config.run.larger_arch, "b2c8-nodist-next_occupant");
    EXPECT_STATUS(ERR_ARGUMENT, run_check_settings(&config, &fault));
    EXPECT_CONTAINS(fault.message, "run.larger_arch");
}

TEST_MAIN(RUN(columns_change_nothing_else_in_a_run), RUN(runs_learn_the_columns),
          RUN(nets_need_the_columns_that_they_learn))
