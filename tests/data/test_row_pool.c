/* Windows that fit in memory and windows that do not: which rows are drawn, how often, how much
 * memory they take, and what happens to bad files. Rows are identified by their TARGET_TURN. */
#include "base/file.h"
#include "data/made_rows.h"
#include "data/shards/row_pool.h"

enum { LENGTH = 5, FILES = 24, FILE_ROWS = 50, ROWS = FILES * FILE_ROWS };

typedef struct {
    TestPath folder;
    RowPool *pool;
    Rng rng;
} Fixture;

static TestPath file_of(const Fixture *f, int number) {
    TestPath path;
    int length = snprintf(path.text, sizeof path.text, "%.100s/%03d.npz", f->folder.text, number);
    EXPECT_TRUE(length > 0 && (size_t)length < sizeof path.text);
    return path;
}

/* Writes FILES files of FILE_ROWS rows, and makes a pool with memory for `memory_files` of them. */
static Fixture pool_of(int memory_files) {
    Fixture f = {.folder = test_path("pool"), .rng = rng_seeded(3)};
    RowPoolSetup config = {.length = LENGTH,
                           .memory_bytes = (size_t)memory_files * FILE_ROWS * rows_bytes(LENGTH)};
    EXPECT_OK(directory_make(f.folder.text, err));
    EXPECT_OK(row_pool_new(&config, &f.pool, err));
    for (int i = 0; i < FILES; i++) {
        Rows rows = made_rows(LENGTH, LENGTH, LENGTH, FILE_ROWS, (uint64_t)i + 1);
        for (int n = 0; n < FILE_ROWS; n++)
            rows.targets[n * ROW_GLOBAL_TARGETS + TARGET_TURN] = (float)(i * FILE_ROWS + n);
        EXPECT_OK(row_file_write(file_of(&f, i).text, &rows, err));
        rows_clear(&rows);
    }
    return f;
}

static void list_all(Fixture *f) {
    for (int i = 0; i < FILES; i++)
        EXPECT_OK(row_pool_list(f->pool, file_of(f, i).text, FILE_ROWS, err));
}

static void end(Fixture *f) {
    row_pool_free(f->pool);
    for (int i = 0; i < FILES; i++)
        remove(file_of(f, i).text);
    remove(f->folder.text);
}

static int next_turn(Fixture *f) {
    const Rows *rows;
    size_t row;
    EXPECT_OK(row_pool_next(f->pool, &f->rng, &rows, &row, err));
    return (int)rows->targets[row * ROW_GLOBAL_TARGETS + TARGET_TURN];
}

/* Draws `total` rows, and counts how often each is drawn. Fails if more than `max_files` files are
 * in memory. */
static void draw(Fixture *f, int total, size_t max_files, int counts[ROWS]) {
    memset(counts, 0, ROWS * sizeof *counts);
    for (int i = 0; i < total; i++) {
        counts[next_turn(f)]++;
        if (row_pool_memory(f->pool) > max_files * FILE_ROWS * rows_bytes(LENGTH))
            fail_msg("%zu bytes in memory after %d rows", row_pool_memory(f->pool), i);
    }
}

static void expect_counts(const int counts[ROWS], int min, int max) {
    for (int i = 0; i < ROWS; i++) {
        if (counts[i] < min || counts[i] > max) fail_msg("row %d came %d times", i, counts[i]);
    }
}

/* 24 files, and memory for 8: each half of the memory holds 4 files and is filled while the rows of
 * the other half are used. In ten passes over the files each row comes ten times. Only rows of the
 * files that are in memory at the end may have come once more or once less. */
TEST(a_window_larger_than_memory_is_streamed) {
    Fixture f = pool_of(8);
    int counts[ROWS];
    list_all(&f);
    EXPECT_INT(ROWS, row_pool_rows(f.pool));
    EXPECT_INT(0, row_pool_memory(f.pool)); /* nothing is read before it is needed */
    draw(&f, 10 * ROWS, 8, counts);
    expect_counts(counts, 9, 11);
    EXPECT_TRUE(row_pool_memory(f.pool) > 0);
    EXPECT_INT(ROWS, row_pool_rows(f.pool)); /* none was dropped */
    end(&f);
}

/* Rows that are drawn one after the other often come from different files, because half of the
 * memory holds several files. */
TEST(a_half_of_the_memory_mixes_files) {
    Fixture f = pool_of(8);
    list_all(&f);
    for (int i = 0; i < ROWS; i++) /* at first fewer files are mixed */
        next_turn(&f);
    int same = 0, before = next_turn(&f) / FILE_ROWS;
    for (int i = 0; i < 400; i++) {
        int file = next_turn(&f) / FILE_ROWS;
        same += file == before;
        before = file;
    }
    /* Of 400 rows, about 100 are from the same file as the row before if four files are mixed, and
     * nearly 400 if no files are mixed. */
    EXPECT_TRUE(same < 200);
    end(&f);
}

/* A part of the memory is filled before the first row is given out. Here all files fit into this
 * part. Then files that were only listed give the same rows, in the same order, as files that were
 * read when they were added. */
TEST(listed_and_added_files_give_the_same_rows) {
    Fixture f = pool_of(16 * FILES); /* all files fit into the first sixteenth */
    int counts[ROWS], order[2 * ROWS];
    list_all(&f);
    draw(&f, ROWS, FILES, counts);
    expect_counts(counts, 1, 1);
    end(&f);
    f = pool_of(16 * FILES);
    for (int i = 0; i < FILES; i++)
        EXPECT_OK(row_pool_add(f.pool, file_of(&f, i).text, err));
    for (int i = 0; i < 2 * ROWS; i++)
        order[i] = next_turn(&f);
    Fixture listed = pool_of(16 * FILES);
    list_all(&listed);
    for (int i = 0; i < 2 * ROWS; i++)
        EXPECT_INT(order[i], next_turn(&listed));
    row_pool_free(listed.pool);
    end(&f);
}

/* The memory holds exactly all files. Before the first row is given out, only two files are read: a
 * sixteenth of the 24 files is 1.5 files, which is rounded up to 2. The other files are read while
 * rows are used. Then each row comes once in a pass. */
TEST(the_first_row_waits_for_few_files) {
    Fixture f = pool_of(FILES);
    int counts[ROWS];
    list_all(&f);
    next_turn(&f);
    size_t first = row_pool_memory(f.pool) / rows_bytes(LENGTH);
    EXPECT_INT(2 * FILE_ROWS, first);
    draw(&f, ROWS, FILES, counts);
    EXPECT_INT(ROWS, row_pool_memory(f.pool) / rows_bytes(LENGTH));
    draw(&f, 4 * ROWS, FILES, counts);
    expect_counts(counts, 3, 5);
    end(&f);
}

TEST(one_seed_streams_the_same_rows) {
    Fixture first = pool_of(6);
    list_all(&first);
    int order[3 * ROWS], different = 0;
    for (int i = 0; i < 3 * ROWS; i++)
        order[i] = next_turn(&first);
    row_pool_free(first.pool);
    for (uint64_t seed = 3; seed <= 4; seed++) {
        Fixture again = pool_of(6);
        again.rng = rng_seeded(seed);
        list_all(&again);
        for (int i = 0; i < 3 * ROWS; i++)
            different += order[i] != next_turn(&again);
        EXPECT_TRUE(seed == 3 ? different == 0 : different > ROWS);
        if (seed == 3)
            row_pool_free(again.pool);
        else
            end(&again);
    }
}

/* Damages a file in a place that row_file_size() does not read. */
static void damage(const char *path) {
    FILE *stream = fopen(path, "r+b");
    EXPECT_TRUE(stream && !fseek(stream, file_bytes(path) / 3, SEEK_SET));
    for (int i = 0; i < 200; i++)
        fputc(0x5a, stream);
    EXPECT_INT(0, fclose(stream));
}

/* Damages one of the files of a pool with memory for `held` files, and removes another. Expects
 * that the pool names both, and gives only the rows of the other files. */
static void expect_left_out(int held) {
    Fixture f = pool_of(held);
    int counts[ROWS], told = 0;
    RowFileSize size;
    BadFile bad;
    list_all(&f);
    damage(file_of(&f, 5).text);
    EXPECT_OK(row_file_size(file_of(&f, 5).text, &size, err));
    EXPECT_INT(FILE_ROWS, size.rows);
    EXPECT_OK(file_remove(file_of(&f, 9).text, err));
    draw(&f, 8 * ROWS, (size_t)(held < FILES ? held : FILES), counts);
    for (int i = 0; i < ROWS; i++) {
        bool gone = i / FILE_ROWS == 5 || i / FILE_ROWS == 9;
        EXPECT_TRUE(gone ? counts[i] == 0 : counts[i] >= 6);
    }
    for (; row_pool_take_bad(f.pool, &bad); told++) {
        bool damaged = strstr(bad.path, "005.npz") != NULL;
        EXPECT_TRUE(damaged || strstr(bad.path, "009.npz"));
        EXPECT_CONTAINS(bad.reason, damaged ? "005.npz" : "No such file");
        EXPECT_INT(FILE_ROWS, bad.rows);
        free(bad.path);
    }
    EXPECT_INT(2, told);
    EXPECT_INT(ROWS - 2 * FILE_ROWS, row_pool_rows(f.pool));
    end(&f);
}

TEST(a_bad_file_is_named_and_left_out) {
    expect_left_out(8);
    expect_left_out(16 * FILES);
}

/* As soon as the rows in memory are used up, files that are new in the window give rows. Files that
 * were dropped from the window give none. */
TEST(a_window_moves_on) {
    for (int held = 6; held <= 16 * FILES; held += 16 * FILES - 6) {
        Fixture f = pool_of(held);
        int counts[ROWS];
        for (int i = 0; i < FILES / 2; i++)
            EXPECT_OK(row_pool_list(f.pool, file_of(&f, i).text, FILE_ROWS, err));
        draw(&f, 500, FILES, counts);
        for (int i = FILES / 2; i < FILES; i++)
            EXPECT_OK(row_pool_list(f.pool, file_of(&f, i).text, FILE_ROWS, err));
        row_pool_set_window(f.pool, ROWS / 2);
        EXPECT_INT(ROWS / 2, row_pool_rows(f.pool));
        EXPECT_INT(ROWS, row_pool_added(f.pool));
        draw(&f, ROWS, FILES, counts); /* uses up the rows in memory */
        draw(&f, 4 * ROWS, FILES, counts);
        for (int i = 0; i < ROWS; i++)
            EXPECT_TRUE(i < ROWS / 2 ? counts[i] == 0 : counts[i] >= 6);
        end(&f);
    }
}

/* A window of WINDOW_FILES files moves on for STEPS steps: in each of them, a file is added, the
 * oldest one is dropped, and DRAWS rows are drawn. The files of the fixture are added again and
 * again: file `number` of the window is file number % FILES of the fixture. */
enum { WINDOW_FILES = 8, STEPS = 72, DRAWS = 100 };

typedef struct {
    int uses[STEPS + WINDOW_FILES][FILE_ROWS]; /* of the rows of each file */
    int by_age[FILES]; /* draws of rows of the newest file, of the file before it, and so on */
} Uses;

static void draw_moving(Fixture *f, Uses *out) {
    memset(out, 0, sizeof *out);
    for (int i = 0; i + 1 < WINDOW_FILES; i++)
        EXPECT_OK(row_pool_list(f->pool, file_of(f, i).text, FILE_ROWS, err));
    for (int step = 0; step < STEPS; step++) {
        int newest = step + WINDOW_FILES - 1;
        EXPECT_OK(row_pool_list(f->pool, file_of(f, newest % FILES).text, FILE_ROWS, err));
        row_pool_set_window(f->pool, WINDOW_FILES * FILE_ROWS);
        EXPECT_INT(WINDOW_FILES * FILE_ROWS, row_pool_rows(f->pool));
        for (int i = 0; i < DRAWS; i++) {
            int turn = next_turn(f), age = (newest % FILES - turn / FILE_ROWS + FILES) % FILES;
            EXPECT_TRUE(age <= newest);
            out->uses[newest - age][turn % FILE_ROWS]++;
            out->by_age[age]++;
        }
    }
}

/* What is known of the rows that entered and left the window. */
typedef struct {
    int rows, min, max;      /* the number of rows, and the fewest and the most uses of a row */
    double mean, chi_square; /* of the uses */
} Spread;

/* The chi-square is the sum of (uses - m)^2 / (m (1 - p)), where p = DRAWS / (rows of the window)
 * is the probability that a row is drawn in a step, and m = WINDOW_FILES p. */
static Spread spread_of(const Uses *uses) {
    const double p = (double)DRAWS / (WINDOW_FILES * FILE_ROWS), m = WINDOW_FILES * p;
    Spread out = {.min = DRAWS};
    for (int number = WINDOW_FILES - 1; number < STEPS; number++) {
        for (int row = 0; row < FILE_ROWS; row++, out.rows++) {
            int count = uses->uses[number][row];
            out.mean += count;
            out.chi_square += (count - m) * (count - m) / (m * (1 - p));
            out.min = count < out.min ? count : out.min;
            out.max = count > out.max ? count : out.max;
        }
    }
    out.mean /= out.rows;
    return out;
}

/* In memory, all rows of a window that moves on are drawn alike. Each step draws a row with the
 * probability 1/4, so its uses have a binomial distribution with the mean 8/4 = 2. This is also
 * the number of draws for each new row. For 3250 rows the chi-square is 3250 on average, with a
 * standard deviation of 79. Rows of each age are drawn 900 times, with a standard deviation of
 * 24. */
TEST(rows_of_a_moving_window_are_drawn_alike) {
    static Uses uses;
    Fixture f = pool_of(16 * FILES);
    draw_moving(&f, &uses);
    Spread spread = spread_of(&uses);
    EXPECT_INT(3250, spread.rows);
    EXPECT_NEAR(2, spread.mean, 0.1);
    EXPECT_NEAR(3250, spread.chi_square, 400);
    for (int age = 0; age < FILES; age++)
        EXPECT_NEAR(age < WINDOW_FILES ? 900 : 0, uses.by_age[age], age < WINDOW_FILES ? 120 : 0);
    end(&f);
}

/* The same with a window that is streamed, with memory for half of its files. A pass uses each file
 * once, so the uses differ less. Rows that are in memory are used even if their file has left the
 * window meanwhile. */
TEST(rows_of_a_moving_window_are_streamed_alike) {
    static Uses uses;
    Fixture f = pool_of(WINDOW_FILES / 2);
    draw_moving(&f, &uses);
    Spread spread = spread_of(&uses);
    EXPECT_NEAR(2, spread.mean, 0.1);
    EXPECT_TRUE(spread.min >= 1 && spread.max <= 3);
    for (int age = WINDOW_FILES + 4; age < FILES; age++)
        EXPECT_INT(0, uses.by_age[age]);
    end(&f);
}

/* A file that alone is larger than the memory is read nevertheless. */
TEST(a_file_larger_than_memory_is_read) {
    Fixture f = pool_of(1);
    int counts[ROWS];
    Rows rows = made_rows(LENGTH, LENGTH, LENGTH, 3 * FILE_ROWS, 1);
    for (int n = 0; n < 3 * FILE_ROWS; n++)
        rows.targets[n * ROW_GLOBAL_TARGETS + TARGET_TURN] = (float)(n % FILE_ROWS);
    EXPECT_OK(row_file_write(file_of(&f, 0).text, &rows, err));
    rows_clear(&rows);
    EXPECT_OK(row_pool_list(f.pool, file_of(&f, 0).text, 3 * FILE_ROWS, err));
    for (int i = 1; i < FILES; i++)
        EXPECT_OK(row_pool_list(f.pool, file_of(&f, i).text, FILE_ROWS, err));
    draw(&f, 8 * ROWS, 4, counts);
    for (int i = 0; i < ROWS; i++)
        EXPECT_TRUE(counts[i] >= 5);
    end(&f);
}

TEST(a_window_without_rows_is_reported) {
    RowPoolSetup config = {.length = LENGTH, .memory_bytes = 1 << 20};
    Fixture f = {.rng = rng_seeded(1)};
    const Rows *rows;
    size_t row;
    BadFile bad;
    EXPECT_OK(row_pool_new(&config, &f.pool, err));
    EXPECT_STATUS(ERR_ARGUMENT, row_pool_next(f.pool, &f.rng, &rows, &row, NULL));
    EXPECT_OK(row_pool_list(f.pool, "/tmp/aji-there-is-no-such.npz", 7, err));
    EXPECT_INT(7, row_pool_rows(f.pool));
    EXPECT_STATUS(ERR_ARGUMENT, row_pool_next(f.pool, &f.rng, &rows, &row, NULL));
    EXPECT_INT(0, row_pool_rows(f.pool));
    EXPECT_TRUE(row_pool_take_bad(f.pool, &bad));
    EXPECT_FALSE(row_pool_take_bad(f.pool, &(BadFile){0}));
    free(bad.path);
    row_pool_free(f.pool);
}

TEST_MAIN(RUN(a_window_larger_than_memory_is_streamed), RUN(a_half_of_the_memory_mixes_files),
          RUN(listed_and_added_files_give_the_same_rows), RUN(the_first_row_waits_for_few_files),
          RUN(one_seed_streams_the_same_rows), RUN(a_bad_file_is_named_and_left_out),
          RUN(a_window_moves_on), RUN(rows_of_a_moving_window_are_drawn_alike),
          RUN(rows_of_a_moving_window_are_streamed_alike), RUN(a_file_larger_than_memory_is_read),
          RUN(a_window_without_rows_is_reported))
