/* The loader's batches from artificial files: how often each row comes, windows, memory,
 * validation, symmetries, history, leads, values of moves, and bad files. Rows are identified by
 * their TARGET_TURN. */
#include "base/file.h"
#include "base/formats/archive.h"
#include "data/loader.h"
#include "data/made_rows.h"

enum { LENGTH = 5, MOVES = LENGTH * LENGTH + 1, FILE_ROWS = 8 };

static LoaderSettings plain(int batch) {
    return (LoaderSettings){.batch = batch, .length = LENGTH, .memory_mb = 16, .seed = 1};
}

/* Writes a file of `count` rows whose turns begin at `first`, and adds it to the loader. */
static void add_rows(Loader *loader, int length, int first, int count) {
    TestPath path = test_path("loader.npz");
    Rows rows = made_rows(length, LENGTH, LENGTH, (size_t)count, (uint64_t)first + 1);
    for (int n = 0; n < count; n++)
        rows.targets[n * ROW_GLOBAL_TARGETS + TARGET_TURN] = (float)(first + n);
    EXPECT_OK(row_file_write(path.text, &rows, err));
    EXPECT_OK(loader_add_file(loader, path.text, err));
    rows_clear(&rows);
    remove(path.text);
}

static Loader *loader_of(const LoaderSettings *config, int files) {
    Loader *loader;
    EXPECT_OK(loader_new(config, &loader, err));
    for (int i = 0; i < files; i++)
        add_rows(loader, LENGTH, i * FILE_ROWS, FILE_ROWS);
    return loader;
}

static int turn_of(const Batch *batch, int n) {
    return (int)batch->targets[n * ROW_GLOBAL_TARGETS + TARGET_TURN];
}

/* If not all rows fit in memory, the loader still counts all of them, and uses all of them
 * alike. */
TEST(rows_beyond_the_memory_stay_in_the_window) {
    LoaderSettings config = plain(4);
    config.memory_mb = 1;
    Loader *loader;
    TestPath paths[3];
    Batch batch;
    int each = (int)((1 << 20) / rows_bytes(LENGTH)) / 2 + 1; /* two files do not fit in memory */
    int seen[3] = {0};
    EXPECT_OK(loader_new(&config, &loader, err));
    for (int i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "part%d.npz", i);
        paths[i] = test_path(name);
        Rows rows = made_rows(LENGTH, LENGTH, LENGTH, (size_t)each, (uint64_t)i + 1);
        for (int n = 0; n < each; n++)
            rows.targets[n * ROW_GLOBAL_TARGETS + TARGET_TURN] = (float)(i * each + n);
        EXPECT_OK(row_file_write(paths[i].text, &rows, err));
        rows_clear(&rows);
        if (i == 1)
            EXPECT_OK(loader_list_file(loader, paths[i].text, each, err));
        else
            EXPECT_OK(loader_add_file(loader, paths[i].text, err));
        EXPECT_INT((i + 1) * each, loader_rows(loader));
        EXPECT_INT((i + 1) * each, loader_rows_added(loader));
    }
    for (int i = 0; i < 4 * each; i++) {
        EXPECT_OK(loader_next(loader, &batch, err));
        for (int n = 0; n < batch.count; n++)
            seen[turn_of(&batch, n) / each]++;
    }
    for (int i = 0; i < 3; i++)
        /* A third of the 16 * each drawn rows, about 5.3 * each, is of file i. The margin is for
         * passes that are not complete. */
        EXPECT_TRUE(seen[i] >= 4 * each && seen[i] <= 7 * each);
    loader_free(loader);
    for (int i = 0; i < 3; i++)
        remove(paths[i].text);
}

/* The hash of a game decides whether its rows are for validation. With the fraction 0.25, these are
 * the 16 of 64 games whose hash lies in the lowest quarter of its range. */
TEST(games_for_validation_are_not_trained_on) {
    LoaderSettings config = plain(16);
    config.validation = 0.25;
    config.boards = true;
    Loader *loader;
    Batch batch;
    TestPath path = test_path("loader.npz");
    Rows rows = made_rows(LENGTH, LENGTH, LENGTH, 256, 1);
    int held = 0, trained[256] = {0}, seen[256] = {0}, count = 0;
    for (int n = 0; n < 256; n++) {
        float *targets = rows.targets + n * ROW_GLOBAL_TARGETS;
        /* each game has four rows, and hashes are 2^22 / 64 apart */
        targets[TARGET_HASH] = (float)(n / 4 * 0x10000);
        held += n / 4 < 16;
        rows.values[(n * 5 + 4) * LENGTH * LENGTH] = 60; /* the board of scoring */
    }
    EXPECT_OK(row_file_write(path.text, &rows, err));
    EXPECT_OK(loader_new(&config, &loader, err));
    EXPECT_OK(loader_add_file(loader, path.text, err));
    for (int i = 0; i < 24; i++) { /* two passes */
        EXPECT_OK(loader_next(loader, &batch, err));
        for (int n = 0; n < 16; n++)
            trained[turn_of(&batch, n)]++;
    }
    for (int number = 0;; number++) {
        EXPECT_OK(loader_validation(loader, number, &batch, err));
        for (int n = 0; n < batch.count; n++)
            seen[turn_of(&batch, n)]++;
        count += batch.count;
        if (!batch.count) break;
        EXPECT_NEAR(0.5, batch.boards[3], 1e-6); /* 60, in units of 1/120 point */
    }
    int64_t all;
    EXPECT_OK(loader_validation_rows(loader, &all, err));
    EXPECT_INT(64, held);
    EXPECT_INT(held, count);
    EXPECT_INT(held, all);
    for (int n = 0; n < 256; n++) {
        EXPECT_INT(n < 64 ? 0 : 2, trained[n]);
        EXPECT_INT(n < 64, seen[n]);
    }
    loader_free(loader);
    for (int n = 0; n < 256; n++)
        rows.targets[n * ROW_GLOBAL_TARGETS + TARGET_HASH] = 0; /* all are held out */
    EXPECT_OK(row_file_write(path.text, &rows, err));
    EXPECT_OK(loader_new(&config, &loader, err));
    EXPECT_OK(loader_add_file(loader, path.text, err));
    EXPECT_STATUS(ERR_ARGUMENT, loader_next(loader, &batch, NULL));
    loader_free(loader);
    rows_clear(&rows);
    remove(path.text);
}

TEST(a_pass_has_each_row_once) {
    LoaderSettings config = plain(8);
    Loader *loader = loader_of(&config, 3);
    int order[2][3 * FILE_ROWS], same = 0;
    for (int pass = 0; pass < 2; pass++) {
        int seen[3 * FILE_ROWS] = {0};
        for (int i = 0; i < 3 * FILE_ROWS; i += 8) {
            Batch batch;
            EXPECT_OK(loader_next(loader, &batch, err));
            EXPECT_INT(8, batch.count);
            for (int n = 0; n < 8; n++) {
                order[pass][i + n] = turn_of(&batch, n);
                seen[turn_of(&batch, n)]++;
            }
        }
        for (int i = 0; i < 3 * FILE_ROWS; i++)
            EXPECT_INT(1, seen[i]);
    }
    for (int i = 0; i < 3 * FILE_ROWS; i++)
        same += order[0][i] == order[1][i];
    EXPECT_TRUE(same < 3 * FILE_ROWS / 2); /* each pass has another order */
    loader_free(loader);
}

TEST(one_seed_gives_the_same_batches) {
    LoaderSettings config = plain(8);
    config.symmetries = true;
    Loader *first = loader_of(&config, 2), *again = loader_of(&config, 2);
    for (int i = 0; i < 6; i++) {
        Batch a, b;
        EXPECT_OK(loader_next(first, &a, err));
        EXPECT_OK(loader_next(again, &b, err));
        size_t planes = (size_t)a.count * LENGTH * LENGTH * FEATURE_PLANES * sizeof *a.planes;
        EXPECT_INT(0, memcmp(a.planes, b.planes, planes));
    }
    loader_free(first);
    loader_free(again);
}

TEST(a_window_drops_whole_files_and_keeps_enough) {
    LoaderSettings config = plain(8);
    Loader *loader = loader_of(&config, 3);
    loader_set_window(loader, 2 * FILE_ROWS + 1);
    EXPECT_INT(3 * FILE_ROWS, loader_rows(loader));
    loader_set_window(loader, FILE_ROWS + 1);
    EXPECT_INT(2 * FILE_ROWS, loader_rows(loader));
    loader_set_window(loader, 0); /* the newest file stays */
    EXPECT_INT(FILE_ROWS, loader_rows(loader));
    EXPECT_INT(3 * FILE_ROWS, loader_rows_added(loader));
    for (int i = 0; i < 4; i++) {
        Batch batch;
        EXPECT_OK(loader_next(loader, &batch, err));
        for (int n = 0; n < batch.count; n++)
            EXPECT_TRUE(turn_of(&batch, n) >= 2 * FILE_ROWS);
    }
    loader_free(loader);
}

/* Where a symmetry moves cell i of the frame. A symmetry is a sum of 1 (flip y), 2 (flip x) and 4
 * (transpose), done in this order. */
static int moved(int symmetry, int i) {
    int x = i % LENGTH, y = i / LENGTH;
    if (symmetry & 1) y = LENGTH - 1 - y;
    if (symmetry & 2) x = LENGTH - 1 - x;
    return symmetry & 4 ? x * LENGTH + y : y * LENGTH + x;
}

/* Returns a row of which each plane and each target on points has a random pattern of its own. The
 * numbers of scoring and of both policies differ from point to point. */
static Rows row_of_patterns(void) {
    enum { CELLS = LENGTH * LENGTH };
    Rows rows = made_rows(LENGTH, LENGTH, LENGTH, 1, 1);
    Rng rng = rng_seeded(3);
    for (int plane = 1; plane < FEATURE_PLANES; plane++) {
        for (int i = 0; i < CELLS; i++) {
            if (rng_below(&rng, 2)) made_set_bit(&rows, 0, (size_t)plane, i % LENGTH, i / LENGTH);
        }
    }
    for (int i = 0; i < 4 * CELLS; i++)
        rows.values[i] = (int8_t)(rng_below(&rng, 3) - 1);
    for (int i = 0; i < CELLS; i++)
        rows.values[4 * CELLS + i] = (int8_t)(9 * i - 100);
    for (int i = 0; i < 2 * MOVES; i++)
        rows.policy[i] = (int16_t)(1 + i);
    for (int i = 0; i < 3 * MOVES; i++)
        rows.q_values[i] = (int16_t)(1 + rng_below(&rng, 30000));
    return rows;
}

/* Returns the symmetry that the sample shows, found by its scoring, or -1. */
static int symmetry_of(const Batch *batch, const Rows *rows) {
    enum { CELLS = LENGTH * LENGTH };
    for (int symmetry = 0; symmetry < 8; symmetry++) {
        int same = 0;
        for (int i = 0; i < CELLS; i++) {
            float scoring = batch->boards[moved(symmetry, i) * BATCH_BOARDS + 3];
            same += fabs(120 * (double)scoring - rows->values[4 * CELLS + i]) < 0.01;
        }
        if (same == CELLS) return symmetry;
    }
    return -1;
}

/* Checks planes, policies, values of moves, ownership, seki and future stones of the sample. */
static void expect_moved(const Batch *batch, const Rows *rows, int symmetry) {
    enum { CELLS = LENGTH * LENGTH, PLANE_BYTES = (CELLS + 7) / 8 };
    static const float SCALES[BATCH_Q_VALUES] = {1 / 32000.0f, 1 / 60.0f, 1};
    double sums[2] = {0};
    for (int i = 0; i < 2 * MOVES; i++)
        sums[i / MOVES] += rows->policy[i];
    for (int i = 0; i < MOVES; i++) {
        int to = i < CELLS ? moved(symmetry, i) : CELLS;
        for (int c = 0; c < 2; c++)
            EXPECT_NEAR(rows->policy[c * MOVES + i] / sums[c], batch->policy[c * MOVES + to], 1e-6);
        for (int c = 0; c < BATCH_Q_VALUES; c++)
            EXPECT_NEAR(SCALES[c] * rows->q_values[c * MOVES + i],
                        batch->q_values[to * BATCH_Q_VALUES + c], 1e-3);
    }
    for (int i = 0; i < CELLS; i++) {
        int to = moved(symmetry, i);
        for (int plane = 0; plane < FEATURE_PLANES; plane++) {
            bool on = rows->planes[plane * PLANE_BYTES + i / 8] & 0x80 >> i % 8;
            EXPECT_NEAR(on, batch->planes[to * FEATURE_PLANES + plane], 0);
        }
        EXPECT_NEAR(rows->values[i], batch->ownership[to], 0);
        for (int board = 0; board < 3; board++)
            EXPECT_NEAR(rows->values[(1 + board) * CELLS + i],
                        batch->boards[to * BATCH_BOARDS + board], 0);
    }
}

/* Each of the 8 symmetries comes about equally often: 64 of 512 samples, with a standard deviation
 * of 7.5. */
TEST(symmetries_transform_all_of_a_row_together) {
    TestPath path = test_path("patterns.npz");
    Rows rows = row_of_patterns();
    EXPECT_OK(row_file_write(path.text, &rows, err));
    for (int turned = 0; turned < 2; turned++) {
        LoaderSettings config = plain(1);
        config.symmetries = turned;
        config.q_values = config.boards = true;
        Loader *loader = loader_of(&config, 0);
        EXPECT_OK(loader_add_file(loader, path.text, err));
        int seen[8] = {0};
        for (int i = 0; i < 512; i++) {
            Batch batch;
            EXPECT_OK(loader_next(loader, &batch, err));
            int symmetry = symmetry_of(&batch, &rows);
            EXPECT_TRUE(symmetry >= 0);
            expect_moved(&batch, &rows, symmetry);
            seen[symmetry]++;
        }
        for (int s = 0; s < 8; s++)
            EXPECT_TRUE(turned ? seen[s] > 34 && seen[s] < 94 : seen[s] == (s ? 0 : 512));
        loader_free(loader);
    }
    rows_clear(&rows);
    remove(path.text);
}

/* The first of the row's later moves (TARGET_LATER_MOVES) is the point of the stone. (With this
 * seed, the stone is not in the center.) The other three are a pass, NaN, and a point beyond the
 * frame. In the batch these three later moves are 0, as if they were not known. */
TEST(later_moves_are_transformed_with_the_board) {
    Rows rows = made_rows(LENGTH, LENGTH, LENGTH, 1, 3);
    Batch batch;
    int stone = 0;
    while (!(rows.planes[2 * 4 + stone / 8] & 0x80 >> stone % 8)) /* a plane has 4 bytes */
        stone++;
    float *moves = rows.targets + TARGET_LATER_MOVES;
    moves[0] = (float)(1 + stone / LENGTH * 19 + stone % LENGTH);
    moves[1] = LATER_MOVE_PASS;
    moves[2] = NAN;
    moves[3] = 361;
    EXPECT_OK(batch_init(&batch, 1, LENGTH + 2, err));
    for (int symmetry = 0; symmetry < 8; symmetry++) {
        batch_set_row(&batch, 0, &rows, 0, &(RowView){.symmetry = symmetry, .history = 5});
        int cell = (int)batch.targets[TARGET_LATER_MOVES] - 1;
        EXPECT_TRUE(cell >= 0);
        EXPECT_NEAR(1, batch.planes[cell * FEATURE_PLANES + 2], 0);
        for (int i = 1; i < LATER_MOVES; i++)
            EXPECT_NEAR(0, batch.targets[TARGET_LATER_MOVES + i], 0);
    }
    batch_clear(&batch);
    rows_clear(&rows);
}

/* Returns the only point that is set in a plane of the sample, or -1 if none is. */
static int place_of(const Batch *batch, int n, int plane) {
    int place = -1;
    for (int i = 0; i < LENGTH * LENGTH; i++) {
        if (batch->planes[(n * LENGTH * LENGTH + i) * FEATURE_PLANES + plane] > 0) place = i;
    }
    return place;
}

/* Seven rows. In each row, one point is set in each of the planes 9 to 17, and the points of a row
 * differ. The planes 9 to 13 show the last five moves. The planes 14 to 16 show the ladders on the
 * present board and on the boards one and two turns ago. Plane 17 belongs to the ladders of the
 * present board, too. The masks show 0 to 5 moves. The masks of the last row hide the second move,
 * and with it all older ones. */
TEST(history_is_left_out_as_the_masks_say) {
    enum { ROWS = 7, MOVES_SHOWN = 5, PLANE_MOVES = 9, PLANE_LADDER = 14 };
    for (int drop = 0; drop < 2; drop++) {
        LoaderSettings config = plain(ROWS);
        Loader *loader;
        Batch batch;
        TestPath path = test_path("loader.npz");
        Rows rows = made_rows(LENGTH, LENGTH, LENGTH, ROWS, 1);
        for (size_t n = 0; n < ROWS; n++) {
            for (int plane = PLANE_MOVES; plane < PLANE_LADDER + 4; plane++)
                made_set_bit(&rows, n, (size_t)plane, plane % LENGTH, plane / LENGTH);
            for (size_t i = 0; i < MOVES_SHOWN; i++) {
                rows.globals[n * FEATURE_GLOBALS + i] = 1; /* passes */
                rows.targets[n * ROW_GLOBAL_TARGETS + TARGET_HISTORY + i] =
                    n < ROWS - 1 ? i < n : i != 1;
            }
            rows.globals[n * FEATURE_GLOBALS + MOVES_SHOWN] = 0.5f;
        }
        EXPECT_OK(row_file_write(path.text, &rows, err));
        config.history_drop = drop;
        EXPECT_OK(loader_new(&config, &loader, err));
        EXPECT_OK(loader_add_file(loader, path.text, err));
        EXPECT_OK(loader_next(loader, &batch, err));
        for (int n = 0; n < ROWS; n++) {
            int row = turn_of(&batch, n), shown = !drop ? MOVES_SHOWN : row < ROWS - 1 ? row : 1;
            for (int i = 0; i < MOVES_SHOWN; i++) {
                EXPECT_INT(i < shown ? PLANE_MOVES + i : -1, place_of(&batch, n, PLANE_MOVES + i));
                EXPECT_NEAR(i < shown, batch.globals[n * FEATURE_GLOBALS + i], 0);
            }
            EXPECT_NEAR(0.5, batch.globals[n * FEATURE_GLOBALS + MOVES_SHOWN], 0);
            /* the ladders of a hidden board are those of the oldest board that is shown */
            for (int back = 0; back < 3; back++)
                EXPECT_INT(PLANE_LADDER + (back < shown ? back : shown),
                           place_of(&batch, n, PLANE_LADDER + back));
            EXPECT_INT(PLANE_LADDER + 3, place_of(&batch, n, PLANE_LADDER + 3));
        }
        loader_free(loader);
        rows_clear(&rows);
        remove(path.text);
    }
}

/* Uses one row many times. The masks of the row would hide all moves, but with HISTORY_DRAWN the
 * loader ignores these masks and draws how many of the last five moves it shows. It shows k moves
 * with the probability
 *     0.02 * 0.98^k for k < 5,   0.98^5 for k = 5
 * and each draw is independent of the one before. */
TEST(history_is_drawn_anew_for_each_use) {
    enum { BATCH = 64, BATCHES = 400, SHOWN = 5, USES = BATCH * BATCHES };
    LoaderSettings config = plain(BATCH);
    int counts[SHOWN + 1] = {0}, twice = 0, before = SHOWN;
    Loader *loader;
    Batch batch;
    TestPath path = test_path("loader.npz");
    Rows rows = made_rows(LENGTH, LENGTH, LENGTH, 1, 1);
    for (size_t i = 0; i < SHOWN; i++) {
        rows.globals[i] = 1; /* passes */
        rows.targets[TARGET_HISTORY + i] = 0;
    }
    EXPECT_OK(row_file_write(path.text, &rows, err));
    config.history_drop = true;
    config.history_masks = HISTORY_DRAWN;
    EXPECT_OK(loader_new(&config, &loader, err));
    EXPECT_OK(loader_add_file(loader, path.text, err));
    for (int i = 0; i < USES; i++) {
        int shown = 0;
        if (i % BATCH == 0) EXPECT_OK(loader_next(loader, &batch, err));
        while (shown < SHOWN && batch.globals[i % BATCH * FEATURE_GLOBALS + shown] > 0)
            shown++;
        counts[shown]++;
        twice += shown < SHOWN && before < SHOWN;
        before = shown;
    }
    double left = 1;
    for (int k = 0; k <= SHOWN; k++) {
        double wanted = k < SHOWN ? 0.02 * left : left; /* within four standard deviations */
        EXPECT_NEAR(USES * wanted, counts[k], 4 * sqrt(USES * wanted * (1 - wanted)));
        left *= 0.98;
    }
    double some = 1 - pow(0.98, SHOWN);
    EXPECT_NEAR(USES * some * some, twice, 5 * sqrt(USES * some * some));
    loader_free(loader);
    rows_clear(&rows);
    remove(path.text);
}

/* Removes the column of q values from a file. KataGo's files have it only since version 16 of its
 * nets. */
static void drop_q_values(const char *path) {
    Arena arena = {0};
    ZipMember *members;
    ZipWriter *zip;
    int count;
    EXPECT_OK(zip_read(path, 1 << 20, &arena, &members, &count, err));
    EXPECT_OK(zip_writer_open(path, 1, &zip, err));
    EXPECT_INT(7, count);
    for (int i = 0; i < count; i++) {
        if (strcmp(members[i].name, "qValueTargetsNCMove") != 0)
            EXPECT_OK(
                zip_writer_add(zip, members[i].name, members[i].bytes, members[i].count, err));
    }
    EXPECT_OK(zip_writer_commit(zip, err));
    arena_clear(&arena);
}

/* Rows store win - loss in units of 1/32000, and the score in units of 1/60 point. Batches contain
 * at most 1 as win - loss. If the file lacks the column, all values in the batch are 0. */
TEST(values_of_moves_in_a_batch) {
    for (int without = 0; without < 2; without++) {
        LoaderSettings config = plain(1);
        config.q_values = true;
        Loader *loader;
        Batch batch;
        TestPath path = test_path("loader.npz");
        Rows rows = made_rows(LENGTH + 1, LENGTH, LENGTH, 1, 1); /* in a larger frame */
        int frame = (LENGTH + 1) * (LENGTH + 1), point = 2 * (LENGTH + 1) + 3;
        memset(rows.q_values, 0, 3 * (size_t)(frame + 1) * sizeof *rows.q_values);
        for (int k = 0; k < 2; k++) { /* a point and the pass */
            int16_t *move = rows.q_values + (k ? frame : point);
            move[0] = k ? 32700 : -16000;
            move[frame + 1] = 90;
            move[2 * (frame + 1)] = (int16_t)(7 + k);
        }
        EXPECT_OK(row_file_write(path.text, &rows, err));
        if (without) drop_q_values(path.text);
        EXPECT_OK(loader_new(&config, &loader, err));
        EXPECT_OK(loader_add_file(loader, path.text, err));
        EXPECT_OK(loader_next(loader, &batch, err));
        const float known[2][BATCH_Q_VALUES] = {{-0.5f, 1.5f, 7}, {1, 1.5f, 8}};
        for (int i = 0; i < MOVES; i++) {
            int which = i == MOVES - 1 ? 1 : i == 2 * LENGTH + 3 ? 0 : -1;
            for (int k = 0; k < BATCH_Q_VALUES; k++)
                EXPECT_NEAR(which < 0 || without ? 0 : known[which][k],
                            batch.q_values[i * BATCH_Q_VALUES + k], 1e-6);
        }
        loader_free(loader);
        rows_clear(&rows);
        remove(path.text);
    }
}

/* Two files of four rows, all with the score 25. Only the last row of the second file has a lead,
 * which is 3. */
TEST(scores_replace_missing_leads) {
    enum { ROWS = 4, WITH_LEAD = 2 * ROWS - 1 };
    for (int from = LEAD_FROM_SCORE_BY_FILE; from <= LEAD_FROM_SCORE_NEVER; from++) {
        LoaderSettings config = plain(2 * ROWS);
        config.lead_from_score = from;
        Loader *loader = loader_of(&config, 0);
        Batch batch;
        TestPath path = test_path("leads.npz");
        Rows rows = made_rows(LENGTH, LENGTH, LENGTH, ROWS, 1);
        for (int file = 0; file < 2; file++) {
            for (int n = 0; n < ROWS; n++) {
                float *targets = rows.targets + n * ROW_GLOBAL_TARGETS;
                targets[TARGET_TURN] = (float)(file * ROWS + n);
                targets[TARGET_SCORE] = 25;
                targets[TARGET_WEIGHT_BOARD] = 0.5f;
                targets[TARGET_WEIGHT_LEAD] = file * ROWS + n == WITH_LEAD;
                targets[TARGET_LEAD] = file * ROWS + n == WITH_LEAD ? 3 : 0;
            }
            EXPECT_OK(row_file_write(path.text, &rows, err));
            EXPECT_OK(loader_add_file(loader, path.text, err));
        }
        EXPECT_OK(loader_next(loader, &batch, err));
        for (int n = 0; n < 2 * ROWS; n++) {
            const float *targets = batch.targets + n * ROW_GLOBAL_TARGETS;
            int row = turn_of(&batch, n);
            bool filled = row != WITH_LEAD && (from == LEAD_FROM_SCORE_ALWAYS ||
                                               (from == LEAD_FROM_SCORE_BY_FILE && row < ROWS));
            EXPECT_NEAR(row == WITH_LEAD ? 3 : filled ? 25 : 0, targets[TARGET_LEAD], 0);
            EXPECT_NEAR(row == WITH_LEAD ? 1 : filled ? 0.5 : 0, targets[TARGET_WEIGHT_LEAD], 0);
        }
        loader_free(loader);
        rows_clear(&rows);
        remove(path.text);
    }
}

/* In one row, 6 of 8 visits found one value, and the other 2 visits another value. In the other
 * row, the values of the visits are not known. */
TEST(spreads_of_values_in_a_batch) {
    LoaderSettings config = plain(2);
    config.boards = true;
    Loader *loader;
    Batch batch;
    TestPath path = test_path("spreads.npz");
    Rows rows = made_rows(LENGTH, LENGTH, LENGTH, 2, 1);
    rows.search_values[REPORT_VALUE_BUCKETS + 3] = 6;
    rows.search_values[REPORT_VALUE_BUCKETS + 50] = 2;
    EXPECT_OK(row_file_write(path.text, &rows, err));
    EXPECT_OK(loader_new(&config, &loader, err));
    EXPECT_OK(loader_add_file(loader, path.text, err));
    EXPECT_OK(loader_next(loader, &batch, err));
    for (int n = 0; n < 2; n++) {
        for (int i = 0; i < REPORT_VALUE_BUCKETS; i++) {
            double wanted = turn_of(&batch, n) == 0 ? 0 : i == 3 ? 0.75 : i == 50 ? 0.25 : 0;
            EXPECT_NEAR(wanted, batch.search_values[n * REPORT_VALUE_BUCKETS + i], 1e-6);
        }
    }
    loader_free(loader);
    rows_clear(&rows);
    remove(path.text);
}

TEST(impossible_files_and_settings_are_refused) {
    LoaderSettings config = plain(4);
    Loader *loader;
    Batch batch;
    TestPath path = test_path("bad.npz");
    EXPECT_OK(loader_new(&config, &loader, err));
    EXPECT_STATUS(ERR_ARGUMENT, loader_next(loader, &batch, NULL));
    made_file(path.text, LENGTH + 2, LENGTH + 1, LENGTH, 3, 1);
    EXPECT_STATUS(ERR_SYNTAX, loader_add_file(loader, path.text, NULL));
    made_file(path.text, LENGTH + 2, LENGTH, LENGTH, 3, 1); /* the boards fit, but not the frame */
    EXPECT_OK(loader_add_file(loader, path.text, err));
    EXPECT_OK(file_write(path.text, "no rows", 7, err));
    EXPECT_STATUS(ERR_SYNTAX, loader_add_file(loader, path.text, NULL));
    EXPECT_INT(3, loader_rows(loader));
    EXPECT_INT(3, loader_rows_added(loader));
    EXPECT_OK(loader_next(loader, &batch, err));
    loader_free(loader);
    remove(path.text);
    config.batch = 0;
    EXPECT_STATUS(ERR_ARGUMENT, loader_new(&config, &loader, NULL));
    config = plain(4);
    config.length = BOARD_SIDE_MAX + 1;
    EXPECT_STATUS(ERR_ARGUMENT, loader_new(&config, &loader, NULL));
    EXPECT_TRUE(!loader);
}

/* GoNN's cascade: the last move is shown with probability 0.75. Each older move can be shown only
 * if all newer ones are. Then it is shown with probability 0.5 if it is the move before the last,
 * and otherwise with 0.25. */
TEST(history_is_drawn_by_its_own_probabilities) {
    enum { BATCH = 64, BATCHES = 400, SHOWN = 5, USES = BATCH * BATCHES };
    static const double KEPT[SHOWN] = {0.75, 0.5, 0.25, 0.25, 0.25};
    LoaderSettings config = plain(BATCH);
    int counts[SHOWN + 1] = {0};
    Loader *loader;
    Batch batch;
    TestPath path = test_path("loader.npz");
    Rows rows = made_rows(LENGTH, LENGTH, LENGTH, 1, 1);
    for (size_t i = 0; i < SHOWN; i++)
        rows.globals[i] = 1; /* passes */
    EXPECT_OK(row_file_write(path.text, &rows, err));
    config.history_drop = true;
    config.history_masks = HISTORY_DRAWN;
    snprintf(config.history_kept, sizeof config.history_kept, " 0.75 0.5, 0.25");
    EXPECT_OK(loader_new(&config, &loader, err));
    EXPECT_OK(loader_add_file(loader, path.text, err));
    for (int i = 0; i < USES; i++) {
        int shown = 0;
        if (i % BATCH == 0) EXPECT_OK(loader_next(loader, &batch, err));
        while (shown < SHOWN && batch.globals[i % BATCH * FEATURE_GLOBALS + shown] > 0)
            shown++;
        counts[shown]++;
    }
    double reached = 1;
    for (int k = 0; k <= SHOWN; k++) {
        double p = k < SHOWN ? reached * (1 - KEPT[k]) : reached, sd = sqrt(USES * p * (1 - p));
        EXPECT_NEAR(USES * p, counts[k], 4 * sd);
        if (k < SHOWN) reached *= KEPT[k];
    }
    loader_free(loader);
    rows_clear(&rows);
    remove(path.text);
}

TEST(wrong_probabilities_of_the_history_are_refused) {
    static const char *const WRONG[] = {"1.5", "0.9 x", "-0.1", "1 1 1 1 1 1", "0.9 nan"};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        LoaderSettings config = plain(4);
        Loader *loader;
        Error error = {0};
        snprintf(config.history_kept, sizeof config.history_kept, "%s", WRONG[i]);
        EXPECT_TRUE(loader_new(&config, &loader, &error));
        EXPECT_CONTAINS(error.message, "loader.history_kept");
    }
}

TEST_MAIN(RUN(later_moves_are_transformed_with_the_board),
          RUN(rows_beyond_the_memory_stay_in_the_window),
          RUN(games_for_validation_are_not_trained_on), RUN(a_pass_has_each_row_once),
          RUN(one_seed_gives_the_same_batches), RUN(a_window_drops_whole_files_and_keeps_enough),
          RUN(symmetries_transform_all_of_a_row_together),
          RUN(history_is_left_out_as_the_masks_say), RUN(values_of_moves_in_a_batch),
          RUN(history_is_drawn_anew_for_each_use), RUN(history_is_drawn_by_its_own_probabilities),
          RUN(wrong_probabilities_of_the_history_are_refused), RUN(scores_replace_missing_leads),
          RUN(spreads_of_values_in_a_batch), RUN(impossible_files_and_settings_are_refused))
