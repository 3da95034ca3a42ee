/* selfplay_settings.h - the settings of self-play games: sizes, rules, komi, handicap, openings,
 * visits, forks. The table in selfplay_settings.c explains each setting and gives its source.
 * Threading: immutable once read. */
#pragma once
#include "base/settings.h"
#include "data/surprise.h"
#include "search/tree/search_settings.h"

typedef struct {
    /* the game */
    /* For example "7:1, 9:4, 9x7:1, 13:2@100000". An entry is a size (or width x height) and its
     * relative weight. If "@ROWS" follows, the size is played once the run has that many rows. */
    char sizes[SETTINGS_TEXT_SIZE];
    /* Lists to draw from; all entries of a list are equally likely. */
    char ko_rules[SETTINGS_TEXT_SIZE];
    char scoring_rules[SETTINGS_TEXT_SIZE];
    char tax_rules[SETTINGS_TEXT_SIZE];
    char suicide_rules[SETTINGS_TEXT_SIZE]; /* "no, yes" */
    char button_rules[SETTINGS_TEXT_SIZE];
    double rectangle_probability; /* fraction of games with width and height drawn separately */
    /* How far the value of a draw and the utility of no result vary between games. */
    double draw_radius, no_result_stdev;
    struct {
        bool auto_mean; /* the mean is the komi that the net finds fair on the empty board */
        double mean, stdev, big_probability, big_stdev;
        double huge_probability, huge_stdev;
        double whole_probability; /* fraction of games whose komi may be a whole number */
        /* Visits of each search for a fair komi. If 0, three evaluations of the net find it. */
        int visits;
        bool varied;
    } komi;
    struct {
        double probability, fair_probability;
    } handicap;
    struct {
        double probability, handicap_probability, max_ratio, fair_probability;
    } asymmetric; /* unequal playouts */
    struct {
        double area_fraction;   /* mean number of moves of the policy, as a fraction of the area */
        double gamma_shape;     /* shape of the gamma distribution of their number */
        double any_probability; /* fraction of these moves drawn from all legal moves instead */
        double temperature, fair_probability;
        double random_fraction; /* fraction of games that begin with random legal moves */
        int random_moves;       /* maximum number of these random moves; at least 1 */
        double random_more;     /* P(k) is in proportion to random_more^(k - 1); 1: uniform */
    } opening;
    struct {
        double probability, area_fraction, temperature;
    } encore; /* games of territory scoring that begin in an encore phase */
    struct {
        int visits;
        char steps[SETTINGS_TEXT_SIZE]; /* visits from certain numbers of rows on (row_steps.h) */
        double probability;
    } full; /* searches whose positions become rows */
    struct {
        int visits;
        char steps[SETTINGS_TEXT_SIZE];
        double row_weight;
        int considered;      /* search.gumbel.considered of cheap searches; 0: as in full ones */
        double gumbel_scale; /* factor of search.gumbel.scale */
    } cheap;
    char score_factor_steps[SETTINGS_TEXT_SIZE]; /* search.dynamic_score_factor by rows */
    struct {
        int considered; /* search.gumbel.considered at the start of a run; 0: as later */
        double start;   /* fraction of the visits that searches have at the start of a run */
        int64_t rows;   /* rows over which this fraction grows linearly to 1; 0: it is always 1 */
        int cheap_considered; /* cheap.considered at the start of a run; 0: as later */
        double cheap_start;   /* `start` of cheap searches; 0: `start` */
        int64_t cheap_rows, considered_rows; /* rows over which these grow; 0: `rows` */
    } ramp;                                  /* smaller searches at the start of a run */
    struct {
        int turns; /* 0: off */
        double threshold, weight;
        int visits;
        double power;      /* the exponent with which visits and weight fall */
        double full_power; /* the exponent with which full searches become rarer; 0: they do not */
    } reduce;              /* fewer visits where the winner is certain */
    /* the end */
    double passalive_end_probability;
    int move_limit_per_area_percent; /* maximum number of moves, as a percentage of the area */
    /* forks */
    struct {
        double probability, area_fraction;
        int min_choices, max_choices;
        double fair_probability;
    } fork;
    struct {
        double probability;
        int max_choices;
    } late_fork;
    double seki_fork_probability;
    struct {
        double probability, more_probability;
    } side; /* side positions (game_record.h) */
    struct {
        double probability;
        int visits;
    } lead; /* leads of rows, found by searches with other komi */
    /* where games begin */
    struct {
        char sgfs[SETTINGS_TEXT_SIZE]; /* a folder, or "" */
        double probability, turn_decay, fair_probability, opening_area_fraction;
    } start;
    struct {
        char sgfs[SETTINGS_TEXT_SIZE]; /* a folder, or "" */
        double probability;
    } hint;
    struct {
        int kind; /* ExploitKind */
        double probability, add, certain_from, certain_to;
        int size;
        bool remove, one_per_game, fair;
        double late_fraction, random_fraction, regret_fraction;
        int opening_moves;
    } exploit;
    /* performance */
    int games_at_once; /* games of one worker */
} SelfplaySettings;
extern const SettingsField SELFPLAY_FIELDS[];
/* Finds the longest side of all board sizes, which is the side of the rows' tensors. ERR_ARGUMENT:
 * a list of the settings cannot be read. */
MUST_USE Status selfplay_max_board_size(const SelfplaySettings *settings, int *out, Error *err);
/* Does the same for the sizes that are played when the run has `rows` rows. */
MUST_USE Status selfplay_board_size_at(const SelfplaySettings *settings, int64_t rows, int *out,
                                       Error *err);
/* Describes the board sizes for people: "9x9", "7x7 and 9x9", or "9x9, from 60000 rows on 13x13".
 * If selfplay.sizes cannot be parsed, the text is that setting as it was written. */
typedef struct {
    char text[512];
} BoardSizesText;
BoardSizesText selfplay_sizes_text(const SelfplaySettings *settings);
/* Returns whether `side` is the longer side of one of the board sizes, including those that are
 * played only later. */
bool selfplay_has_side(const SelfplaySettings *settings, int side);
/* Finds the size with the most points among all sizes, including sizes that are played only later.
 * If several have the most points, finds the first of them. */
MUST_USE Status selfplay_largest_board(const SelfplaySettings *settings, int *width, int *height,
                                       Error *err);
