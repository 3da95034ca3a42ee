/* What a run shows while it works and at its end: games are counted once, what was not measured is
 * not shown as measured, and no line is too long for a terminal. */
#define _GNU_SOURCE /* nftw */
#include "base/clock.h"
#include "run/cycle/cycle_private.h"
#include "run/run_tree.h"
#include "run/store/file_scan.h"

typedef struct {
    FILE *file;
    char *text;
    size_t length;
    Progress progress;
} Screen;

static void open_screen(Screen *screen, bool terminal) {
    *screen = (Screen){0};
    screen->file = open_memstream(&screen->text, &screen->length);
    EXPECT_TRUE(screen->file != NULL);
    screen->progress = (Progress){.stream = screen->file, .terminal = terminal};
}

static void close_screen(Screen *screen) {
    fclose(screen->file);
    free(screen->text);
}

/* Draws the progress now, and returns the text that this added. */
static const char *drawn(Screen *screen, Cycle *cycle, const char *phase) {
    progress_end(&screen->progress);
    long before = ftell(screen->file);
    cycle->plan.progress = &screen->progress;
    run_screen_show(&cycle->screen, phase, 1, 2, true);
    cycle->plan.progress = NULL;
    return screen->text + before;
}

/* Returns the number after the last `word` in the text, or -1 if the word is not there. */
static long long number_after(const char *text, const char *word) {
    const char *at = NULL;
    for (const char *next = text; (next = strstr(next, word)); next++)
        at = next;
    return at ? atoll(at + strlen(word)) : -1;
}

static int64_t games_on_disk(const Folder *run) {
    return tree_of(run, "games").games;
}

/* The screen shows the right number of games in training and after a new start, also when another
 * process plays beside this one. */
TEST(games_are_counted_once) {
    Folder run = make_folder();
    RunConfig config = tiny(0), other = tiny(0);
    Cycle *cycle, *beside;
    Screen screen;
    other.run.seed = 2;
    open_screen(&screen, false);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_selfplay(cycle, 100, err));
    EXPECT_TRUE(games_on_disk(&run) > 0);
    EXPECT_INT(games_on_disk(&run), number_after(drawn(&screen, cycle, "training"), "games "));
    EXPECT_OK(cycle_train(cycle, 64, err));
    EXPECT_OK(cycle_open(run.text, &other, NULL, &beside, err));
    EXPECT_OK(cycle_selfplay(beside, 60, err));
    cycle_close(beside);
    EXPECT_OK(cycle_selfplay(cycle, 60, err));
    EXPECT_INT(games_on_disk(&run), cycle_totals(cycle).games);
    EXPECT_INT(games_on_disk(&run), number_after(drawn(&screen, cycle, "training"), "games "));
    cycle_close(cycle);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_INT(games_on_disk(&run), number_after(drawn(&screen, cycle, "training"), "games "));
    cycle_close(cycle);
    close_screen(&screen);
    remove_folder(&run);
}

/* Checks the losses and Elo that are shown before anything is measured, after that, and after a new
 * start. */
TEST(what_is_not_measured_is_not_shown_as_zero) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *cycle;
    Screen screen;
    char elo[96], loss[64];
    open_screen(&screen, true);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    const char *block = drawn(&screen, cycle, "self-play");
    EXPECT_CONTAINS(block, "  loss - ");
    EXPECT_CONTAINS(block, "  Elo - ");
    EXPECT_OK(cycle_selfplay(cycle, 100, err));
    EXPECT_OK(cycle_train(cycle, 64, err));
    EXPECT_OK(cycle_accept(cycle, err));
    snprintf(loss, sizeof loss, "  loss %.3f   policy %.3f ", cycle->results.metrics.loss,
             cycle->results.metrics.policy);
    block = drawn(&screen, cycle, "self-play");
    EXPECT_CONTAINS(block, loss);
    EXPECT_CONTAINS(block, "  Elo of net 1: not rated yet\n");
    EXPECT_OK(cycle_rate(cycle, err));
    snprintf(elo, sizeof elo, "  Elo: net 1 is the first that is rated");
    EXPECT_CONTAINS(drawn(&screen, cycle, "self-play"), elo);
    EXPECT_OK(cycle_accept(cycle, err));
    block = drawn(&screen, cycle, "self-play");
    EXPECT_CONTAINS(block, elo);
    EXPECT_CONTAINS(block, "; net 2 not rated yet\n");
    cycle_close(cycle);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    block = drawn(&screen, cycle, "self-play");
    EXPECT_CONTAINS(block, loss);
    EXPECT_CONTAINS(block, elo);
    EXPECT_CONTAINS(block, "; net 2 not rated yet\n");
    cycle_close(cycle);
    close_screen(&screen);
    remove_folder(&run);
}

/* A process that only plays or gates does not know losses and ratings, and shows none. */
TEST(what_a_process_cannot_know_is_not_shown) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *cycle;
    Screen lines, block;
    open_screen(&lines, false);
    open_screen(&block, true);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_selfplay(cycle, 100, err));
    EXPECT_OK(cycle_train(cycle, 64, err));
    EXPECT_OK(cycle_accept(cycle, err));
    EXPECT_CONTAINS(drawn(&lines, cycle, "rating"), "  loss ");
    int64_t rows = cycle_totals(cycle).rows;
    cycle_close(cycle);
    static const CycleRole ROLES[] = {CYCLE_PLAYS, CYCLE_GATES};
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(cycle_open_as(ROLES[i], run.text, &config, NULL, &cycle, err));
        for (int terminal = 0; terminal < 2; terminal++) {
            const char *text = drawn(terminal ? &block : &lines, cycle, "gating");
            EXPECT_TRUE(!strstr(text, "loss") && !strstr(text, "lo -") && !strstr(text, "Elo"));
            EXPECT_INT(1, number_after(text, "net "));
            if (ROLES[i] != CYCLE_GATES) continue;
            EXPECT_INT(64, number_after(text, "trained on "));
            EXPECT_INT(rows, number_after(text, "samples, "));
            EXPECT_TRUE(!strstr(text, "games"));
        }
        cycle_close(cycle);
    }
    close_screen(&lines);
    close_screen(&block);
    remove_folder(&run);
}

/* The screen shows the progress of a gate and of a rating after each game. */
TEST(games_of_gates_and_ratings_are_counted_as_they_end) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *cycle;
    Screen screen;
    config.run.gate_games = config.run.rate_games = 4;
    open_screen(&screen, false);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_selfplay(cycle, 100, err));
    EXPECT_OK(cycle_train(cycle, 64, err));
    EXPECT_OK(cycle_accept(cycle, err));
    cycle->plan.progress = &screen.progress;
    EXPECT_OK(cycle_accept(cycle, err));
    EXPECT_OK(cycle_rate(cycle, err));
    for (int share = 0; share <= 100; share += 25) {
        char gating[32], rating[32];
        snprintf(gating, sizeof gating, "  gating    %3d%%  net 1", share);
        snprintf(rating, sizeof rating, "  rating    %3d%%  net ", share);
        EXPECT_CONTAINS(screen.text, gating);
        EXPECT_CONTAINS(screen.text, rating);
    }
    cycle_close(cycle);
    close_screen(&screen);
    remove_folder(&run);
}

/* Batches whose gradients wait for others are progress, too: with one step for four batches, the
 * screen shows each quarter of the step. */
TEST(parts_of_a_step_are_shown) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *cycle;
    Screen screen;
    config.training.trainer.accumulate = 4;
    open_screen(&screen, false);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_selfplay(cycle, 100, err));
    cycle->plan.progress = &screen.progress;
    EXPECT_OK(cycle_train(cycle, 4 * config.loader.batch, err));
    cycle->plan.progress = NULL;
    for (int part = 25; part <= 100; part += 25) {
        char words[32];
        snprintf(words, sizeof words, "  training  %3d%%  net 0", part);
        EXPECT_CONTAINS(screen.text, words);
    }
    cycle_close(cycle);
    close_screen(&screen);
    remove_folder(&run);
}

/* A gate that continues with 4 of 20 games plays 8 more in 30 s, so that the last 8 take 30 s. */
TEST(the_end_of_a_phase_is_foretold_from_its_speed) {
    RunPhase phase = {0};
    EXPECT_TRUE(isinf(run_phase_note(&phase, "gating", 4, 20, 100)));
    EXPECT_TRUE(isinf(run_phase_note(&phase, "gating", 4, 20, 105)));
    EXPECT_NEAR(30, run_phase_note(&phase, "gating", 12, 20, 130), 1e-9);
    EXPECT_NEAR(0, run_phase_note(&phase, "gating", 20, 20, 160), 1e-9);
    EXPECT_TRUE(isinf(run_phase_note(&phase, "rating", 20, 20, 170)));
    EXPECT_TRUE(isinf(run_phase_note(&phase, "training", 0, 1000, 200)));
    EXPECT_NEAR(90, run_phase_note(&phase, "training", 100, 1000, 210), 1e-9);
    EXPECT_TRUE(isinf(run_phase_note(&phase, "training", 50, 1000, 300))); /* the next training */
    EXPECT_NEAR(180, run_phase_note(&phase, "training", 100, 1000, 310), 1e-9);
    EXPECT_TRUE(isinf(run_phase_note(&phase, "training", 200, 2000, 320))); /* of another length */
}

/* If 1000 of 5000 files took 10 s, the others will take 40 s. */
TEST(a_long_scan_of_files_shows_the_time_that_is_left) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *cycle;
    Screen screen;
    Arena arena = {0};
    char *log;
    size_t length;
    FileScan look = file_scan_begin("row files", 5000);
    EXPECT_TEXT("reading row files: 1000 of 5000, about 40s more",
                file_scan_text(&look, 1000, 10).text);
    EXPECT_TEXT("reading row files: 0 of 5000", file_scan_text(&look, 0, 10).text);
    open_screen(&screen, false);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    cycle->plan.progress = &screen.progress;
    look.next = 0;
    file_scan_show(&cycle->plan, &look, 1000);
    look.next += 1e9;
    file_scan_show(&cycle->plan, &look, 2000); /* it is too early for another line */
    cycle->plan.progress = NULL;
    cycle_close(cycle);
    fflush(screen.file);
    EXPECT_CONTAINS(screen.text, "reading row files: 1000 of 5000, about ");
    close_screen(&screen);
    EXPECT_OK(file_read(path_in(run.text, "log.txt").text, 1 << 20, &arena, &log, &length, err));
    EXPECT_CONTAINS(log, "reading row files: 1000 of 5000");
    EXPECT_TRUE(!strstr(log, "2000 of 5000"));
    arena_clear(&arena);
    remove_folder(&run);
}

/* Large numbers fit too, and none is cut off. */
TEST(a_block_fits_80_columns) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *cycle;
    Screen screen;
    open_screen(&screen, true);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    cycle->nets.number = 1234;
    cycle->results.elo_net = 1230;
    cycle->results.before_net = 1225;
    cycle->results.first_net = 5;
    cycle->results.gain = (EloGain){-123, 50};
    cycle->results.over_first = (EloGain){1234, 100};
    cycle->rows.games = 12345678;
    cycle->rows.count = 123456789;
    atomic_store(&cycle->clock.evaluations, 98765000000);
    cycle->clock.speed = 123456;
    cycle->clock.deadline = cycle->clock.started + 36000;
    cycle->phase = (RunPhase){"self-play", 2, 0.001, 0.001, clock_seconds() - 36000};
    cycle->clock.seconds_before = 36000;
    cycle->results.metrics =
        (Metrics){.rows = 1, .loss = 123.456, .policy = 12.345, .score_mean = 1234.5};
    const char *block = drawn(&screen, cycle, "self-play");
    EXPECT_CONTAINS(block, "h00m left\n");
    EXPECT_CONTAINS(block, " 50%, 10h00m more ");
    EXPECT_CONTAINS(block, "evals 98765.00M (");
    EXPECT_CONTAINS(block, "/s)\n");
    EXPECT_CONTAINS(block, "score 1234.50\n");
    EXPECT_CONTAINS(block, "net 1234 not rated yet\n");
    for (const char *at = block; *at; at += strcspn(at, "\n") + 1)
        EXPECT_TRUE(strcspn(at, "\n") < 80);
    cycle_close(cycle);
    close_screen(&screen);
    remove_folder(&run);
}

/* When a larger net has taken over, the block on the terminal shows the text of the file
 * `took-over`. It stops at the colon, because there is no room for the losses after it. */
TEST(a_larger_net_that_took_over_is_shown) {
    static const char *const TEXTS[][2] = {
        {"after 64 samples: 1.2345 for 1.3456",
         "  larger net b1c12-fixup-nodist: took over after 64 samples\n"},
        {"", "  larger net b1c12-fixup-nodist: took over\n"},
        {"in May", "  larger net b1c12-fixup-nodist: took over in May\n"}};
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *cycle;
    Screen screen;
    snprintf(config.run.larger_arch, sizeof config.run.larger_arch, "b1c12-fixup-nodist");
    open_screen(&screen, true);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_CONTAINS(drawn(&screen, cycle, "training"), ": begins at 50000 rows\n");
    cycle->trainers.larger.takeovers = 1;
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        snprintf(cycle->trainers.larger.takeover_text, sizeof cycle->trainers.larger.takeover_text,
                 "%s", TEXTS[i][0]);
        EXPECT_CONTAINS(drawn(&screen, cycle, "training"), TEXTS[i][1]);
    }
    cycle_close(cycle);
    close_screen(&screen);
    remove_folder(&run);
}

/* Only a net that is rated is called the best. */
TEST(the_end_names_the_best_net_only_of_rated_ones) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *cycle;
    StrBuf text = {0};
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_accept(cycle, err));
    EXPECT_OK(cycle_report(cycle, &text, err));
    EXPECT_TRUE(strstr(strbuf_text(&text), "best net") == NULL);
    EXPECT_CONTAINS(strbuf_text(&text), "(not rated)");
    EXPECT_OK(cycle_rate(cycle, err));
    EXPECT_OK(cycle_accept(cycle, err));
    strbuf_reset(&text);
    EXPECT_OK(cycle_report(cycle, &text, err));
    const char *best = strstr(strbuf_text(&text), "best net: ");
    EXPECT_TRUE(best != NULL);
    EXPECT_CONTAINS(best, "nets/000001-");
    const char *newest = strstr(best, "newest:   ");
    EXPECT_TRUE(newest != NULL);
    EXPECT_CONTAINS(newest, "nets/000002-");
    strbuf_reset(&text);
    EXPECT_OK(cycle_finish(cycle, &text, err)); /* rates nets that are not rated */
    EXPECT_TRUE(strstr(strbuf_text(&text), "not rated") == NULL);
    EXPECT_INT(2, cycle->results.elo_net);
    strbuf_clear(&text);
    cycle_close(cycle);
    remove_folder(&run);
}

TEST_MAIN(RUN(parts_of_a_step_are_shown), RUN(the_end_of_a_phase_is_foretold_from_its_speed),
          RUN(a_long_scan_of_files_shows_the_time_that_is_left),
          RUN(what_a_process_cannot_know_is_not_shown),
          RUN(games_of_gates_and_ratings_are_counted_as_they_end), RUN(games_are_counted_once),
          RUN(what_is_not_measured_is_not_shown_as_zero), RUN(a_block_fits_80_columns),
          RUN(a_larger_net_that_took_over_is_shown),
          RUN(the_end_names_the_best_net_only_of_rated_ones))
