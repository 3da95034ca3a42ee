#include "play/setup/game_setup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "play/setup/row_steps.h"

typedef struct {
    const char *word;
    int value;
} Word;

static const Word KO_WORDS[] = {{"SIMPLE", KO_SIMPLE},
                                {"POSITIONAL", KO_POSITIONAL},
                                {"SITUATIONAL", KO_SITUATIONAL},
                                {"SPIGHT", KO_SPIGHT},
                                {0}};
static const Word SCORING_WORDS[] = {{"AREA", SCORING_AREA}, {"TERRITORY", SCORING_TERRITORY}, {0}};
static const Word TAX_WORDS[] = {{"NONE", TAX_NONE}, {"SEKI", TAX_SEKI}, {"ALL", TAX_ALL}, {0}};
static const Word BOOL_WORDS[] = {{"false", 0}, {"true", 1}, {"no", 0}, {"yes", 1}, {0}};

/* Writes the next entry of a comma-separated list, trimmed, to `entry`. Returns false at the
 * end. */
static bool next_entry(const char **list, char entry[64]) {
    const char *text = *list + strspn(*list, " \t,");
    if (!*text) return false;
    size_t length = strcspn(text, ",");
    *list = text + length;
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    if (length > 63) length = 63;
    memcpy(entry, text, length);
    entry[length] = 0;
    return true;
}

static Status fail_unknown_word(const char *what, const char *entry, const Word *words,
                                Error *err) {
    char known[64];
    size_t length = 0;
    for (const Word *word = words; word->word && length < sizeof known; word++)
        length += (size_t)snprintf(known + length, sizeof known - length, "%s%s",
                                   word == words ? "" : ", ", word->word);
    return fail(err, ERR_ARGUMENT, "%s: \"%s\" is unknown, wanted one of %s", what, entry, known);
}

static Status read_words(const char *list, const char *what, const Word *words, int out[16],
                         int *count, Error *err) {
    char entry[64];
    *count = 0;
    const char *rest = list;
    while (next_entry(&rest, entry)) {
        const Word *word = words;
        while (word->word && strcmp(word->word, entry) != 0)
            word++;
        if (!word->word) return fail_unknown_word(what, entry, words, err);
        if (*count == 16) return fail(err, ERR_ARGUMENT, "%s: more than 16 entries", what);
        out[(*count)++] = word->value;
    }
    return *count ? OK : fail(err, ERR_ARGUMENT, "%s: the list is empty", what);
}

static Status read_size(const char *entry, SizeChoice *out, Error *err) {
    char *end;
    long width = strtol(entry, &end, 10);
    long height = width;
    if (*end == 'x') height = strtol(end + 1, &end, 10);
    double weight = 1;
    if (*end == ':') weight = strtod(end + 1, &end);
    double from = 0;
    const char *rows = *end == '@' ? end + 1 : NULL;
    if (rows) from = strtod(rows, &end);
    if (*end || end == rows || !(from >= 0 && from <= 1e15) || width < 2 ||
        width > BOARD_SIDE_MAX || height < 2 || height > BOARD_SIDE_MAX || !(weight > 0) ||
        !isfinite(weight)) {
        return fail(err, ERR_ARGUMENT,
                    "selfplay.sizes: \"%s\" is not SIZE:WEIGHT or WIDTHxHEIGHT:WEIGHT with sides "
                    "of 2 to 19 and a weight above 0, followed by @ROWS for a size that comes "
                    "later",
                    entry);
    }
    *out = (SizeChoice){(int)width, (int)height, weight, (int64_t)from};
    return OK;
}

static Status check_steps(const SelfplaySettings *settings, Error *err) {
    Status status =
        row_steps_check(settings->full.steps, STEPS_OF_VISITS, "selfplay.full.steps", err);
    if (!status)
        status =
            row_steps_check(settings->cheap.steps, STEPS_OF_VISITS, "selfplay.cheap.steps", err);
    if (!status)
        status = row_steps_check(settings->score_factor_steps, STEPS_OF_FACTORS,
                                 "selfplay.score_factor_steps", err);
    return status;
}

Status game_choices_read(const SelfplaySettings *settings, GameChoices *out, Error *err) {
    *out = (GameChoices){0};
    char entry[64];
    const char *rest = settings->sizes;
    while (next_entry(&rest, entry)) {
        if (out->size_count == 64)
            return fail(err, ERR_ARGUMENT, "selfplay.sizes: more than 64 sizes");
        SizeChoice *size = &out->sizes[out->size_count];
        Status status = read_size(entry, size, err);
        if (status) return status;
        out->size_count++;
        if (size->width > out->max_board_size) out->max_board_size = size->width;
        if (size->height > out->max_board_size) out->max_board_size = size->height;
    }
    if (!out->size_count) return fail(err, ERR_ARGUMENT, "selfplay.sizes: the list is empty");
    if (!game_board_size_at(out, 0))
        return fail(
            err, ERR_ARGUMENT,
            "selfplay.sizes: \"%s\" has no size that a run begins with; all of them have @ROWS",
            settings->sizes);
    if (settings->fork.max_choices < settings->fork.min_choices) {
        return fail(err, ERR_ARGUMENT,
                    "selfplay.fork.max_choices %d is below selfplay.fork.min_choices %d",
                    settings->fork.max_choices, settings->fork.min_choices);
    }
    Status status = check_steps(settings, err);
    if (status) return status;
    status =
        read_words(settings->ko_rules, "selfplay.ko_rules", KO_WORDS, out->ko, &out->ko_count, err);
    if (!status)
        status = read_words(settings->scoring_rules, "selfplay.scoring_rules", SCORING_WORDS,
                            out->scoring, &out->scoring_count, err);
    if (!status)
        status = read_words(settings->tax_rules, "selfplay.tax_rules", TAX_WORDS, out->tax,
                            &out->tax_count, err);
    if (!status)
        status = read_words(settings->suicide_rules, "selfplay.suicide_rules", BOOL_WORDS,
                            out->suicide, &out->suicide_count, err);
    if (!status)
        status = read_words(settings->button_rules, "selfplay.button_rules", BOOL_WORDS,
                            out->button, &out->button_count, err);
    return status;
}

/* Returns `usual` if the list has it, otherwise the first of the list. */
static int usual_choice(int usual, const int *list, int count) {
    for (int i = 0; i < count; i++) {
        if (list[i] == usual) return usual;
    }
    return list[0];
}

Rules game_usual_rules(const GameChoices *choices) {
    const GameChoices *c = choices;
    Rules rules = rules_tromp_taylor();
    rules.ko = (KoRule)usual_choice(rules.ko, c->ko, c->ko_count);
    rules.scoring = (ScoringRule)usual_choice(rules.scoring, c->scoring, c->scoring_count);
    rules.tax = (TaxRule)usual_choice(rules.tax, c->tax, c->tax_count);
    rules.suicide = usual_choice(rules.suicide, c->suicide, c->suicide_count);
    rules.button = usual_choice(rules.button, c->button, c->button_count);
    if (rules.scoring != SCORING_AREA) rules.button = false;
    return rules;
}

int game_board_size_at(const GameChoices *choices, int64_t rows) {
    int board_size = 0;
    for (int i = 0; i < choices->size_count; i++) {
        const SizeChoice *size = &choices->sizes[i];
        if (size->from_rows > rows) continue;
        if (size->width > board_size) board_size = size->width;
        if (size->height > board_size) board_size = size->height;
    }
    return board_size;
}

Status selfplay_board_size_at(const SelfplaySettings *settings, int64_t rows, int *out,
                              Error *err) {
    GameChoices choices;
    *out = 0;
    Status status = game_choices_read(settings, &choices, err);
    if (!status) *out = game_board_size_at(&choices, rows);
    return status;
}

Status selfplay_largest_board(const SelfplaySettings *settings, int *width, int *height,
                              Error *err) {
    GameChoices choices;
    *width = *height = 0;
    Status status = game_choices_read(settings, &choices, err);
    for (int i = 0; i < choices.size_count && !status; i++) {
        const SizeChoice *size = &choices.sizes[i];
        if (size->width * size->height <= *width * *height) continue;
        *width = size->width;
        *height = size->height;
    }
    return status;
}

bool selfplay_has_side(const SelfplaySettings *settings, int side) {
    GameChoices choices;
    if (game_choices_read(settings, &choices, NULL)) return false;
    for (int i = 0; i < choices.size_count; i++) {
        const SizeChoice *size = &choices.sizes[i];
        if ((size->width > size->height ? size->width : size->height) == side) return true;
    }
    return false;
}

static int compare_starts(const void *a, const void *b) {
    int64_t first = ((const SizeChoice *)a)->from_rows, second = ((const SizeChoice *)b)->from_rows;
    return first < second ? -1 : first > second;
}

/* Adds the sizes that begin at the same number of rows as the first one. Returns how many. */
static int describe_sizes(const SizeChoice *sizes, int count, StrBuf *out) {
    int same = 1;
    while (same < count && sizes[same].from_rows == sizes[0].from_rows)
        same++;
    if (sizes[0].from_rows) strbuf_addf(out, ", from %lld rows on ", (long long)sizes[0].from_rows);
    for (int i = 0; i < same; i++) {
        const char *between = i == 0 ? "" : i == same - 1 ? " and " : ", ";
        strbuf_addf(out, "%s%dx%d", between, sizes[i].width, sizes[i].height);
    }
    return same;
}

BoardSizesText selfplay_sizes_text(const SelfplaySettings *settings) {
    BoardSizesText text;
    GameChoices choices;
    StrBuf words = {0};
    snprintf(text.text, sizeof text.text, "%s", settings->sizes);
    if (game_choices_read(settings, &choices, NULL)) return text;
    qsort(choices.sizes, (size_t)choices.size_count, sizeof *choices.sizes, compare_starts);
    for (int i = 0; i < choices.size_count;)
        i += describe_sizes(choices.sizes + i, choices.size_count - i, &words);
    if (!strbuf_status(&words, NULL))
        snprintf(text.text, sizeof text.text, "%s", strbuf_text(&words));
    strbuf_clear(&words);
    return text;
}

Status selfplay_max_board_size(const SelfplaySettings *settings, int *out, Error *err) {
    GameChoices choices;
    *out = 0;
    Status status = game_choices_read(settings, &choices, err);
    if (!status) *out = choices.max_board_size;
    return status;
}

/* Returns the maximum of GameDraw.handicap (KataGo, cpp/program/playutils.cpp). */
static int max_handicap(double board_scale) {
    static const double SIZES[] = {10, 14, 16, 17, 18};
    int max = 0;
    while (max < 5 && board_scale > SIZES[max])
        max++;
    return max;
}

/* Draws White's playout doubling advantage. It is 0 in most games, and otherwise at most log2 of
 * asymmetric.max_ratio in absolute value. In handicap games White has more playouts, in other games
 * either side (KataGo, cpp/program/play.cpp). */
static float draw_doublings(const SelfplaySettings *settings, bool handicap, Rng *rng) {
    double probability =
        handicap ? settings->asymmetric.handicap_probability : settings->asymmetric.probability;
    if (rng_uniform(rng) >= probability) return 0;
    double doublings = rng_uniform(rng) * log2(settings->asymmetric.max_ratio);
    bool white = handicap || rng_uniform(rng) < 0.5;
    return (float)(white ? doublings : -doublings);
}

/* Draws the size. Width and height of a rectangle come from two draws (KataGo,
 * cpp/configs/training). */
static void draw_size(const SelfplaySettings *settings, const GameChoices *choices, Rng *rng,
                      GameDraw *out) {
    double weights[64];
    for (int i = 0; i < choices->size_count; i++)
        weights[i] = choices->sizes[i].from_rows > choices->rows ? 0 : choices->sizes[i].weight;
    const SizeChoice *size = &choices->sizes[rng_pick(rng, weights, choices->size_count)];
    out->width = size->width;
    out->height = size->height;
    double rectangles = settings->rectangle_probability;
    if (rectangles > 0 && rng_uniform(rng) < rectangles)
        out->height = choices->sizes[rng_pick(rng, weights, choices->size_count)].height;
}

GameDraw game_draw(const SelfplaySettings *settings, const GameChoices *choices, Rng *rng) {
    GameDraw draw = {0};
    draw_size(settings, choices, rng, &draw);
    double board_scale = sqrt((double)draw.width * draw.height);
    draw.rules = (Rules){
        .ko = (KoRule)choices->ko[rng_below(rng, choices->ko_count)],
        .scoring = (ScoringRule)choices->scoring[rng_below(rng, choices->scoring_count)],
        .tax = (TaxRule)choices->tax[rng_below(rng, choices->tax_count)],
        .suicide = choices->suicide[rng_below(rng, choices->suicide_count)] != 0,
        .button = choices->button[rng_below(rng, choices->button_count)] != 0,
        .komi = (float)settings->komi.mean,
    };
    if (draw.rules.scoring != SCORING_AREA) draw.rules.button = false;
    double stdev = rng_uniform(rng) < settings->komi.big_probability ? settings->komi.big_stdev
                                                                     : settings->komi.stdev;
    if (settings->komi.huge_probability > 0 && rng_uniform(rng) < settings->komi.huge_probability)
        stdev = settings->komi.huge_stdev;
    draw.komi_noise = (float)(rng_normal_truncated(rng, 3) * stdev * board_scale / 19);
    int max = max_handicap(board_scale);
    double fair = 0;
    if (max && rng_uniform(rng) < settings->handicap.probability) {
        draw.handicap = 1 + rng_below(rng, max);
        fair = settings->handicap.fair_probability;
    }
    draw.white_doublings = draw_doublings(settings, draw.handicap > 0, rng);
    if (draw.white_doublings != 0) fair = fmax(fair, settings->asymmetric.fair_probability);
    draw.make_fair = rng_uniform(rng) < fair;
    if (settings->draw_radius > 0)
        draw.draw_shift = (float)settings->draw_radius * (float)(2 * rng_uniform(rng) - 1);
    if (settings->no_result_stdev > 0)
        draw.no_result_shift =
            (float)settings->no_result_stdev * (float)rng_normal_truncated(rng, 3);
    return draw;
}

int policy_opening_length(const SelfplaySettings *settings, double mean, Rng *rng) {
    double shape = settings->opening.gamma_shape;
    double drawn = shape == 1 ? rng_exponential(rng) : rng_gamma(rng, shape) / shape;
    return (int)floor(drawn * mean);
}

int random_opening_length(const SelfplaySettings *settings, Rng *rng) {
    if (settings->opening.random_fraction <= 0)
        return 0; /* draws no random number, so that games without this setting do not change */
    if (rng_uniform(rng) >= settings->opening.random_fraction) return 0;
    double more = settings->opening.random_more, max = settings->opening.random_moves;
    if (more >= 1) return 1 + rng_below(rng, settings->opening.random_moves);
    /* This is the inverse of P(K <= k) = (1 - more^k) / (1 - more^max). */
    double left = 1 - rng_uniform(rng) * (1 - pow(more, max));
    int length = 1 + (int)floor(log(left) / log(more));
    return length < settings->opening.random_moves ? length : settings->opening.random_moves;
}

int asymmetric_visits(int visits, double doublings) {
    enum { MIN_VISITS = 5 };
    double ratio = exp2(doublings);
    int side_visits = (int)lround(visits * 2 * ratio / (ratio + 1));
    return side_visits > MIN_VISITS ? side_visits : MIN_VISITS;
}

float komi_rounded(double komi, int area, Rng *rng) {
    double halves = komi * 2;
    double low = floor(halves);
    double value = (rng_uniform(rng) < halves - low ? low + 1 : low) / 2;
    double max = area + 20;
    if (value > max) value = max;
    if (value < -max) value = -max;
    return (float)value;
}
