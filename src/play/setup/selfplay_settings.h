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
    bool komi_auto; /* the mean is what the net thinks fair on the empty board */
    double komi_mean, komi_stdev, komi_big_probability, komi_big_stdev;
    double komi_huge_probability, komi_huge_stdev;
    double komi_whole_probability; /* that it may be a whole number */
    int komi_visits;               /* of each search for a fair komi; 0: three of the net alone */
    bool komi_varied;
    double handicap_probability, handicap_fair_probability;
    /* unequal playouts */
    double asymmetric_probability, asymmetric_handicap_probability, asymmetric_most_ratio,
        asymmetric_fair_probability;
    /* the opening */
    double opening_area_share;      /* mean number of policy moves: share of the area ... */
    double opening_gamma_shape;     /* ... by a gamma distribution; 1: exponential */
    double opening_any_probability; /* that such a move is of all legal ones */
    double opening_temperature, opening_fair_probability;
    double opening_random_share; /* of games: the first moves are random legal ones */
    int opening_random_moves;    /* at most so many, at least 1 */
    double opening_random_more;  /* P(k) in proportion to more^(k - 1); 1: uniform */
    /* games of territory scoring that begin in an encore phase */
    double encore_probability, encore_area_share, encore_temperature;
    /* visits */
    int full_visits, cheap_visits;
    double full_probability, cheap_row_weight;
    int cheap_considered;      /* search.gumbel_considered of cheap searches; 0: of full ones */
    double cheap_gumbel_scale; /* of search.gumbel_scale */
    int ramp_considered;       /* search.gumbel_considered of a new run; 0: as later */
    double ramp_start;         /* share of the visits that a new run begins with ... */
    int64_t ramp_rows; /* ... growing evenly to all of them over this many rows; 0: all at once */
    int ramp_cheap_considered; /* where cheap searches have moves of their own */
    double ramp_cheap_start;   /* 0: ramp_start */
    int64_t ramp_cheap_rows, ramp_considered_rows; /* 0: ramp_rows */
    int reduce_turns; /* fewer visits when the game is decided; 0: off */
    double reduce_threshold, reduce_weight;
    int reduce_visits;
    /* the end */
    double passalive_end_probability;
    int move_limit_per_area_percent; /* moves at most, as a percentage of the area */
    /* forks */
    double fork_probability, fork_area_share;
    int fork_choices_least, fork_choices_most;
    double fork_fair_probability, late_fork_probability;
    int late_fork_choices_most;
    double seki_fork_probability;
    double side_probability, side_more_probability; /* side positions */
    /* the lead of rows, by searches with other komi */
    double lead_probability;
    int lead_visits;
    /* where games begin */
    char start_sgfs[SETTINGS_TEXT_SIZE], hint_sgfs[SETTINGS_TEXT_SIZE]; /* folders; "" none */
    double start_probability, start_turn_decay, start_fair_probability, hint_probability;
    double start_opening_area_share;
    int exploit; /* ExploitKind */
    double exploit_probability, exploit_add, exploit_certain_from, exploit_certain_to;
    int exploit_size;
    bool exploit_remove, exploit_one_per_game, exploit_fair;
    double exploit_late_share, exploit_random_share, exploit_regret_share;
    int exploit_opening_moves;
    /* engine room */
    int games_at_once; /* a worker */
} SelfplaySettings;
extern const SettingsField SELFPLAY_FIELDS[];
/* The largest edge that the settings' sizes have: the edge of the rows' tensors. ERR_ARGUMENT: a
 * list of the settings cannot be read. */
MUST_USE Status selfplay_edge_most(const SelfplaySettings *settings, int *out, Error *err);
/* The same of the sizes that are played when the run has `rows` rows. */
MUST_USE Status selfplay_edge_at(const SelfplaySettings *settings, int64_t rows, int *out,
                                 Error *err);
/* The board with the most points, also of sizes that come later; the first of several. */
MUST_USE Status selfplay_largest_board(const SelfplaySettings *settings, int *width, int *height,
                                       Error *err);
