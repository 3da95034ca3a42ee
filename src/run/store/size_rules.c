#include "run/store/size_rules.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "go/komi.h"

/* The settings were found on 7x7, and measured in longer runs on 9x9. These are the areas of the
 * two boards. */
static const double POINTS_7X7 = 49, POINTS_9X9 = 81;

static const char *usual_net(double points) {
    if (points <= 25) return "b2c16-fixup-nodist";
    if (points <= POINTS_7X7) return "b4c32-fixup-nodist";
    return "b5c48-fixup-nodist";
}

/* Returns a number that grows linearly with the points of the board, but is never below `min`. */
static int64_t grown(double points, double at_7x7, double per_point, double min) {
    return (int64_t)fmax(min, at_7x7 + per_point * (points - POINTS_7X7));
}

/* The sizes that a run for a large board plays (see size_rules_boards()). At first the run plays
 * only 9x9. From ROWS_OF_9X9 rows on it plays a second size, too. If no side of the large board is
 * longer than 13, the second size is that of the large board. Otherwise the second size is 13x13,
 * and from ROWS_OF_13X13 rows on the run plays the large board as a third size. On two cores of
 * 2022, self-play on 9x9 makes the first 60,000 rows in about eight minutes. */
enum { ROWS_OF_9X9 = 60000, ROWS_OF_13X13 = 120000 };

void size_rules_boards(int width, int height, char sizes[SETTINGS_TEXT_SIZE]) {
    int longer = width > height ? width : height, shorter = width > height ? height : width;
    char size[16];
    if (width == height)
        snprintf(size, sizeof size, "%d", width);
    else
        snprintf(size, sizeof size, "%dx%d", width, height);
    if (shorter < 9 || width * height <= 100)
        snprintf(sizes, SETTINGS_TEXT_SIZE, "%s:1", size);
    else if (longer <= 13)
        snprintf(sizes, SETTINGS_TEXT_SIZE, "9:1, %s:9@%d", size, ROWS_OF_9X9);
    else
        snprintf(sizes, SETTINGS_TEXT_SIZE, "9:1, 13:3@%d, %s:9@%d", ROWS_OF_9X9, size,
                 ROWS_OF_13X13);
}

Status size_rules_defaults(RunConfig *config, Error *err) {
    SelfplaySettings *play = &config->selfplay;
    RunSettings *run = &config->run;
    char sizes[SETTINGS_TEXT_SIZE];
    int width, height;
    memcpy(sizes, play->sizes, sizeof sizes);
    run_config_defaults(config);
    memcpy(play->sizes, sizes, sizeof sizes);
    Status status = selfplay_largest_board(play, &width, &height, err);
    if (status) return status;
    double points = (double)width * height;
    play->komi.mean = komi_fair(width, height);
    play->full.visits = points <= 25 ? 60 : points <= POINTS_7X7 ? 100 : 120;
    play->cheap.visits = play->full.visits / 5;
    if (points <= 25) play->cheap.visits = 15;
    /* Up to 9x9, the mean number of opening moves that are drawn from the policy grows with the
     * area of the board. On boards larger than 9x9 it is the number for 9x9. */
    play->opening.area_fraction = 0.06 * fmin(1, POINTS_9X9 / points);
    play->ramp.rows = grown(points, 60000, 2800, 60000);
    snprintf(run->arch, sizeof run->arch, "%s", usual_net(points));
    run->rows_first = (int)grown(points, 1000, 31, 500);
    run->rows_cycle = (int)fmin(2500, (double)grown(points, 1500, 31, 500));
    config->window.min = grown(points, 20000, 625, 20000);
    /* On a larger board more rows come from the same game and have the same result. So each row is
     * used less often. */
    run->samples_per_row = fmin(16, 16 * pow(POINTS_7X7 / points, 0.57));
    return OK;
}

void size_rules_describe(const RunConfig *config, StrBuf *out) {
    const SelfplaySettings *play = &config->selfplay;
    const RunSettings *run = &config->run;
    strbuf_addf(out, "boards: %s; komi %g on average; net %s\n", selfplay_sizes_text(play).text,
                play->komi.mean, run->arch);
    strbuf_addf(out,
                "searches of %d visits for moves that become training rows, of %d for the others",
                play->full.visits, play->cheap.visits);
    if (play->ramp.rows && play->ramp.start < 1)
        strbuf_addf(out, "; at first %.0f%% of these visits, growing until %lld rows",
                    100 * play->ramp.start, (long long)play->ramp.rows);
    strbuf_addf(
        out,
        "\nopenings: 1 to %d random moves in %.0f%% of the games, then moves that are drawn "
        "from the policy, on average one for every %.0f points of the board\n",
        play->opening.random_moves, 100 * play->opening.random_fraction,
        play->opening.area_fraction > 0 ? 1 / play->opening.area_fraction : 0);
    strbuf_addf(out,
                "first training after %d rows, then every %d, with %.3g samples per row, from a "
                "window of the newest rows, which holds all rows until there are more than %lld\n",
                run->rows_first, run->rows_cycle, run->samples_per_row,
                (long long)config->window.min);
}
