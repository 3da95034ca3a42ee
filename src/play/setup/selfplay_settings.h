/* selfplay_settings.h - what a self-play game is: sizes, rules, komi, handicap, openings, visits,
 * forks; each with its source. Threading: immutable once read. */
#pragma once
#include "base/settings.h"
#include "data/surprise.h"
#include "search/tree/search_settings.h"

typedef struct {
    /* the game */
    char sizes[SETTINGS_TEXT_SIZE];    /* "7:1" or "7:1, 9:4, 9x7:1": edge (or width x height) and
                                          relative weight */
    char ko_rules[SETTINGS_TEXT_SIZE]; /* lists to draw from, uniformly, each entry as often as it
                                          is named */
    char scoring_rules[SETTINGS_TEXT_SIZE];
    char tax_rules[SETTINGS_TEXT_SIZE];
    char suicide_rules[SETTINGS_TEXT_SIZE]; /* "no, yes" */
    char button_rules[SETTINGS_TEXT_SIZE];
    double rectangle_probability;        /* the two edges drawn apart */
    double draw_radius, no_result_stdev; /* of what a draw and no result are worth in a game */
    struct {
        bool auto_mean; /* the mean is what the net thinks fair on the empty board */
        double mean, stdev, big_probability, big_stdev;
        double huge_probability, huge_stdev;
        double whole_probability; /* that it may be a whole number */
        int visits;               /* of each search for a fair komi; 0: three of the net alone */
        bool varied;
    } komi;
    struct {
        double probability, fair_probability;
    } handicap;
    struct {
        double probability, handicap_probability, max_ratio, fair_probability;
    } asymmetric; /* unequal playouts */
    struct {
        double area_fraction;   /* mean number of policy moves as a fraction of the area ... */
        double gamma_shape;     /* ... by a gamma distribution; 1: exponential */
        double any_probability; /* that such a move is drawn from all legal ones */
        double temperature, fair_probability;
        double random_fraction; /* of the games: their first moves are random legal ones */
        int random_moves;       /* at most this many, at least 1 */
        double random_more;     /* P(k) in proportion to more^(k - 1); 1: uniform */
    } opening;
    struct {
        double probability, area_fraction, temperature;
    } encore; /* games of territory scoring that begin in an encore phase */
    struct {
        int visits;
        double probability;
    } full; /* searches whose positions become rows */
    struct {
        int visits;
        double row_weight;
        int considered;      /* search.gumbel.considered of cheap searches; 0: of full ones */
        double gumbel_scale; /* factor of search.gumbel.scale */
    } cheap;
    struct {
        int considered; /* search.gumbel.considered of a new run; 0: as later */
        double start;   /* fraction of the visits that a new run begins with ... */
        int64_t rows;   /* ... growing evenly to all of them over this many rows; 0: all at once */
        int cheap_considered; /* where cheap searches have their own number of moves */
        double cheap_start;   /* 0: start */
        int64_t cheap_rows, considered_rows; /* 0: rows */
    } ramp;                                  /* searches of a new run */
    struct {
        int turns; /* 0: off */
        double threshold, weight;
        int visits;
    } reduce; /* fewer visits when the game is decided */
    /* the end */
    double passalive_end_probability;
    int move_limit_per_area_percent; /* moves at most, as a percentage of the area */
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
    } side; /* positions beside the game */
    struct {
        double probability;
        int visits;
    } lead; /* the lead of rows, by searches with other komi */
    /* where games begin */
    struct {
        char sgfs[SETTINGS_TEXT_SIZE]; /* a folder; "" none */
        double probability, turn_decay, fair_probability, opening_area_fraction;
    } start;
    struct {
        char sgfs[SETTINGS_TEXT_SIZE]; /* a folder; "" none */
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
    /* engine room */
    int games_at_once; /* a worker */
} SelfplaySettings;
extern const SettingsField SELFPLAY_FIELDS[];
/* The largest edge that the settings' sizes have: the edge of the rows' tensors. ERR_ARGUMENT: a
 * list of the settings cannot be read. */
MUST_USE Status selfplay_max_board_size(const SelfplaySettings *settings, int *out, Error *err);
/* The same of the sizes that are played when the run has `rows` rows. */
MUST_USE Status selfplay_board_size_at(const SelfplaySettings *settings, int64_t rows, int *out,
                                       Error *err);
/* The board with the most points, also of sizes that come later; the first of several. */
MUST_USE Status selfplay_largest_board(const SelfplaySettings *settings, int *width, int *height,
                                       Error *err);
