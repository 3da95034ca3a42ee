/* The table report/metrics.csv has one header, and each line has as many columns as the header,
 * also if an earlier version of the program began the file. */
#define _GNU_SOURCE /* nftw */
#include "base/file.h"
#include "run/cycle/cycle_private.h"
#include "run/stages/curves.h"
#include "run/tiny_run.h"

typedef struct {
    Folder run;
    RunConfig config;
    Cycle *cycle;
    Path csv;
    Arena arena;
    char *text; /* contents of the file */
} Fixture;

static void open_run(Fixture *f) {
    EXPECT_OK(cycle_open(f->run.text, &f->config, NULL, &f->cycle, err));
}

static Fixture make(void) {
    Fixture f = {.run = make_folder(), .config = tiny(1)};
    open_run(&f);
    f.csv = path_in(f.run.text, "report/metrics.csv");
    return f;
}

static void clear(Fixture *f) {
    cycle_close(f->cycle);
    arena_clear(&f->arena);
    remove_folder(&f->run);
}

/* Returns metrics that are 0, except the last one of the table, which is 7. */
static Metrics with_last_metric(void) {
    static const double VALUE = 7;
    const MetricField *field = METRIC_FIELDS;
    Metrics metrics = {0};
    while (field[1].name)
        field++;
    memcpy((char *)&metrics + field->offset, &VALUE, sizeof VALUE);
    return metrics;
}

/* Adds a line with this loss to the file, and reads the file. */
static void keep(Fixture *f, double loss) {
    size_t length;
    Metrics metrics = with_last_metric();
    metrics.loss = loss;
    const CurvePoint point = {"train", cycle_samples(f->cycle), 0, &metrics, NULL};
    curves_add(&f->cycle->store.directory, &point, &f->cycle->results.csv_fits);
    EXPECT_OK(file_read(f->csv.text, 1 << 20, &f->arena, &f->text, &length, err));
}

static void write_csv(const Fixture *f, const char *text) {
    EXPECT_OK(file_write(f->csv.text, text, strlen(text), err));
}

/* Splits the text into lines, checks that they have equally many columns, and returns the number of lines. */
static int expect_table(char *text, char *lines[8]) {
    int count = 0, columns[8] = {0};
    for (char *at = text; *at && count < 8; count++) {
        lines[count] = at;
        for (; *at && *at != '\n'; at++)
            columns[count] += *at == ',';
        EXPECT_INT('\n', *at);
        *at++ = 0;
        EXPECT_INT(columns[0], columns[count]);
    }
    return count;
}

TEST(each_line_has_the_columns_of_the_first) {
    Fixture f = make();
    char *lines[8];
    keep(&f, 4);
    keep(&f, 5);
    EXPECT_INT(3, expect_table(f.text, lines));
    EXPECT_TRUE(
        strncmp(lines[0], "kind,samples,seconds,games,rows,speed,elo,loss,loss.policy,", 59) == 0);
    EXPECT_TRUE(strstr(lines[0], ",loss.policy_over_entropy") != NULL);
    EXPECT_TRUE(strncmp(lines[2], "train,0,", 8) == 0);
    EXPECT_CONTAINS(lines[2], ",5,");
    EXPECT_TEXT(",7", strrchr(lines[2], ',')); /* the newest metric is the last column */
    clear(&f);
}

/* An earlier version of the program had fewer columns. One of its lines has a column too many, and
 * its last line is cut off. */
TEST(the_file_of_an_earlier_program_gets_the_later_columns) {
    Fixture f = make();
    char *lines[8];
    write_csv(&f, "kind,samples,seconds,loss,loss.policy\ntrain,64,1.0,3,2\ntrain,96,1.5,3,2,0.5\n"
                  "train,128,2.0,2.");
    keep(&f, 5);
    keep(&f, 6);
    EXPECT_INT(5, expect_table(f.text, lines));
    EXPECT_TRUE(
        strncmp(lines[0], "kind,samples,seconds,games,rows,speed,elo,loss,loss.policy,", 59) == 0);
    EXPECT_CONTAINS(lines[0], ",loss.policy_over_entropy");
    EXPECT_TRUE(strncmp(lines[1], "train,64,1.0,,,,,3,2,,,", 23) == 0);
    EXPECT_TRUE(strncmp(lines[2], "train,96,1.5,,,,,3,2,,", 22) == 0);
    EXPECT_CONTAINS(lines[3], ",5,");
    EXPECT_CONTAINS(lines[4], ",6,");
    clear(&f);
}

TEST(what_was_not_measured_is_empty) {
    Fixture f = make();
    char *lines[8];
    const CurveCounts counts = {.games = 1234567, .rows = 20, .speed = 0, .over_first = -33.5};
    Metrics metrics = {.loss = 3, .policy = 2};
    const CurvePoint point = {"train", 64, 1, &metrics, &counts};
    curves_add(&f.cycle->store.directory, &point, &f.cycle->results.csv_fits);
    keep(&f, 4);
    EXPECT_INT(3, expect_table(f.text, lines));
    EXPECT_TRUE(strncmp(lines[1], "train,64,1.0,1234567,20,,-33.5,3,2,,", 36) == 0);
    EXPECT_TRUE(strncmp(lines[2], "train,0,0.0,,,,,4,,", 19) == 0);
    clear(&f);
}

TEST(the_file_of_a_later_program_is_left_as_it_is) {
    Fixture f = make();
    Arena arena = {0};
    keep(&f, 4);
    char *header = arena_copy(&arena, f.text, strcspn(f.text, "\n"));
    StrBuf text = {0};
    strbuf_addf(&text, "%s,loss.later\n", header);
    write_csv(&f, strbuf_text(&text));
    cycle_close(f.cycle);
    open_run(&f);
    keep(&f, 5);
    EXPECT_TRUE(strncmp(f.text, strbuf_text(&text), text.length) == 0);
    EXPECT_CONTAINS(f.text + text.length, ",5,");
    strbuf_clear(&text);
    arena_clear(&arena);
    clear(&f);
}

TEST(a_file_of_other_columns_is_set_aside) {
    Fixture f = make();
    char *lines[8];
    write_csv(&f, "step,loss\n1,2\n");
    keep(&f, 5);
    EXPECT_INT(2, expect_table(f.text, lines));
    EXPECT_TRUE(file_exists(path_in(f.run.text, "report/metrics.csv.bad").text));
    clear(&f);
}

TEST(a_header_that_is_torn_or_gone_is_written_again) {
    Fixture f = make();
    char *lines[8];
    write_csv(&f, "kind,samp");
    keep(&f, 5);
    EXPECT_INT(2, expect_table(f.text, lines));
    EXPECT_OK(file_remove(f.csv.text, err));
    keep(&f, 6);
    EXPECT_INT(2, expect_table(f.text, lines));
    EXPECT_CONTAINS(lines[0], "kind,samples,");
    clear(&f);
}

TEST_MAIN(RUN(each_line_has_the_columns_of_the_first),
          RUN(the_file_of_an_earlier_program_gets_the_later_columns),
          RUN(what_was_not_measured_is_empty), RUN(the_file_of_a_later_program_is_left_as_it_is),
          RUN(a_file_of_other_columns_is_set_aside),
          RUN(a_header_that_is_torn_or_gone_is_written_again))
