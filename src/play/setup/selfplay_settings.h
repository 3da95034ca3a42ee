/* selfplay_settings.h - the settings of self-play games: sizes, rules, komi, handicap, openings,
 * visits, forks; each with its source. Threading: immutable once read. */
#pragma once
#include "base/settings.h"
#include "data/surprise.h"
#include "search/tree/search_settings.h"

typedef struct {
    /* the game */
    /* "7:1, 9:4, 9x7:1, 13:2@100000": size (or width x height), relative weight, and the rows of
     * the run from which on the size is played. */
    char sizes[SETTINGS_TEXT_SIZE];
    char ko_rules[SETTINGS_TEXT_SIZE]; /* lists to draw from; each entry has the same probability */
    char scoring_rules[SETTINGS_TEXT_SIZE];
    char tax_rules[SETTINGS_TEXT_SIZE];
    char suicide_rules[SETTINGS_TEXT_SIZE]; /* "no, yes" */
    char button_rules[SETTINGS_TEXT_SIZE];
    double rectangle_probability; /* width and height are drawn separately */
    /* Spread, between games, of the value of a draw and of the utility of no result. */
    double draw_radius, no_result_stdev;
    struct {
        bool auto_mean; /* the mean is the komi that the net finds fair on the empty board */
        double mean, stdev, big_probability, big_stdev;
        double huge_probability, huge_stdev;
        double whole_probability; /* that komi may be a whole number */
        /* Of each search for a fair komi; 0: three evaluations of the net instead. */
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
        double area_fraction;   /* mean number of policy moves as a fraction of the area ... */
        double gamma_shape;     /* ... by a gamma distribution; 1: exponential */
        double any_probability; /* that such a move is drawn from all legal moves */
        double temperature, fair_probability;
        double random_fraction; /* of games that begin with random legal moves */
        int random_moves;       /* their maximum number; at least 1 */
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
        int considered; /* search.gumbel.considered at the start of a run; 0: as later */
        double start;   /* fraction of the visits at the start of a run ... */
        int64_t rows;   /* ... which grows linearly to 1 over this many rows; 0: it is 1 at once */
        int cheap_considered;                /* the same for cheap.considered */
        double cheap_start;                  /* 0: as start */
        int64_t cheap_rows, considered_rows; /* 0: as rows */
    } ramp;                                  /* searches at the start of a run */
    struct {
        int turns; /* 0: off */
        double threshold, weight;
        int visits;
    } reduce; /* fewer visits where the winner is certain */
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
    } side; /* side positions */
    struct {
        double probability;
        int visits;
    } lead; /* leads of rows, found by searches with other komi */
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
    /* performance */
    int games_at_once; /* games of one worker */
} SelfplaySettings;
extern const SettingsField SELFPLAY_FIELDS[];
/* The longest side of the settings' sizes: the side of the rows' tensors. ERR_ARGUMENT: a list
 * of the settings cannot be read. */
MUST_USE Status selfplay_max_board_size(const SelfplaySettings *settings, int *out, Error *err);
/* The same for the sizes that are played when the run has `rows` rows. */
MUST_USE Status selfplay_board_size_at(const SelfplaySettings *settings, int64_t rows, int *out,
                                       Error *err);
/* The size with the most points, also of those that come later; the first one if there are
 * several. */
MUST_USE Status selfplay_largest_board(const SelfplaySettings *settings, int *width, int *height,
                                       Error *err);
