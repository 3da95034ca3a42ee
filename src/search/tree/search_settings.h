/* search_settings.h - every setting of one search, with default, bounds, help and source.
 * Threading: plain values and an immutable table. */
#pragma once
#include "base/settings.h"
#include "eval/evaluators/evaluator.h"

enum { SEARCH_LEAVES_MAX = 8 }; /* maximum of search.leaves */
typedef enum { GUMBEL_INNER_PUCT, GUMBEL_INNER_DETERMINISTIC } GumbelInner;
typedef enum { GUMBEL_HALVING_TABLE, GUMBEL_HALVING_2023, GUMBEL_HALVING_2026 } GumbelHalving;
typedef enum {
    GUMBEL_SIGMA_UNIT,
    GUMBEL_SIGMA_RAW,
    GUMBEL_SIGMA_LOG,
    GUMBEL_SIGMA_RESCALED
} GumbelSigma;
typedef enum { REGRET_OFF, REGRET_EXPLORE, REGRET_STRONG, REGRET_POWER } RegretRule;
typedef enum { LCB_KATAGO, LCB_STUDENT } LcbRule;
typedef enum { SPREAD_VARIANCE, SPREAD_CATEGORICAL, SPREAD_NET } SpreadKind;
typedef enum { ERROR_SHORTTERM, ERROR_VALUE } UncertaintyError;
typedef enum { CHOICE_TEMPERATURE, CHOICE_POLICY_BETA } ChoiceLaw;
typedef enum { DOUBLING_OF_MOVER, DOUBLING_OF_BLACK, DOUBLING_OF_WHITE } DoublingPlayer;

typedef struct {
    /* selection */
    double c_puct, c_puct_log, c_puct_base;
    double visit_exponent; /* 0.5: off */
    double c_puct_stdev_prior, c_puct_stdev_prior_weight, c_puct_stdev_scale;
    struct {
        double reduction, root_reduction, loss_fraction;
        double root_loss_fraction; /* -1: as loss_fraction */
        bool parent_by_visited_policy;
        double parent_pow, parent_weight;
    } fpu; /* the value of moves without visits ("first play urgency") */
    double virtual_losses;
    int leaves, leaf_visits;   /* maximum leaves of a batch; root visits for each further leaf */
    double child_stdev_visits; /* the mean deviation of all moves is added to that of a move as if
                                * the move had had it in this many visits; 0: off */
    double puct_v;             /* 0: off */
    bool watch_unobserved;
    struct {
        RegretRule rule;
        SpreadKind spread;
        double weight, power;
        int buckets;
        bool worse_only;
    } regret;
    double implicit_minimax; /* 0: off */
    struct {
        double max_effect; /* 0: off */
        double slope, threshold, constant, linear, quadratic;
    } moves_left; /* short wins and long losses are preferred */
    struct {
        double weight, threshold, decay;
    } questionable;
    bool anti_mirror;
    struct {
        bool on;
        int repetition_bound;
        double catch_up_leak;
    } graph;
    bool friendly_pass, passing_hacks, more_passing_hacks;
    /* root */
    struct {
        bool on;
        double weight, concentration;
        bool shaped;
    } noise; /* Dirichlet noise on the priors of the root */
    double root_temperature, root_temperature_early;
    double forced_playouts; /* k of n_forced = sqrt(k P N); 0: off */
    bool target_pruning;
    double wide_root_noise;
    bool root_symmetry_pruning;
    double futile_visits;
    double ending_bonus; /* points */
    bool prune_useless_moves, conservative_pass, avoid_rescale;
    struct {
        double policy, weight;
    } hint;
    double factor_after_one_pass,
        factor_after_two_passes; /* multiply the limits on visits and playouts */
    struct {
        bool on;
        int considered, min_visits;
        double scale, visit_offset, visit_scale;
        GumbelInner inner;
        GumbelHalving halving;
        GumbelSigma sigma;
        bool sampled_only, chosen_value, temperature;
        double stop_confidence; /* 0: off */
        double over_search;     /* 1: off */
    } gumbel;
    /* evaluations */
    double policy_optimism, root_policy_optimism, policy_temperature;
    double playout_doubling_advantage;
    DoublingPlayer playout_doubling_player; /* who has that advantage */
    double doublings_per_lead;              /* 0: the advantage stays as set */
    int symmetries, root_symmetries;
    bool ignore_history;
    double history_weight;
    /* utility */
    double win_loss_factor, static_score_factor, dynamic_score_factor, score_center_zero_weight,
        score_center_scale;
    double no_result_utility_for_white, draw_equivalent_wins_for_white;
    /* averaging */
    double value_weight_exponent; /* 0: plain averages */
    struct {
        bool on;
        double scale, cap;
    } noise_pruning;
    struct {
        bool on;
        UncertaintyError error; /* which of the net's errors */
        double coefficient, exponent, max_weight;
        bool normalise;
    } uncertainty;
    struct {
        double factor; /* 0: off */
        double weight_exponent, free_fraction;
    } bias;               /* subtree value bias correction by local patterns */
    double avoid_repeats; /* utility; 0: off */
    /* choice */
    ChoiceLaw choice_law;
    int choice_beta_turn; /* of CHOICE_POLICY_BETA */
    double temperature, temperature_early, temperature_halflife, temperature_below;
    struct {
        bool on;
        LcbRule rule;
        double stdevs, min_visit_fraction;
    } lcb; /* the choice by lower confidence bounds */
    double move_prune, move_subtract;
    bool fill_dame_before_pass;
    struct {
        double loss_scale; /* 0: off */
        double loss_max, temperature, opening_stdev;
        bool draw; /* the candidates of a Gumbel search are drawn, see gumbel_begin() */
    } level;       /* level.h */
    struct {
        char profile[SETTINGS_TEXT_SIZE]; /* empty: none */
        double root_weightless, root_weightful, own_weightless, own_weightful, other_weightless,
            other_weightful;
        double c_puct, c_puct_permanent;
        double chosen_fraction, chosen_lambda;
        bool chosen_ignore_pass;
    } human;            /* human.h */
    bool value_buckets; /* reports have value_counts */
    /* memory and threads */
    int64_t tree_memory_mb;
    int playouts_per_thread; /* 0: any number */
} SearchSettings;
extern const SettingsField SEARCH_FIELDS[];
/* The largest utility that a game with a result can have. The smallest is its negative. */
static inline double search_settings_range(const SearchSettings *settings) {
    return settings->win_loss_factor + settings->static_score_factor +
           settings->dynamic_score_factor;
}
MUST_USE Status search_settings_check(const SearchSettings *settings,
                                      Error *err); /* ERR_ARGUMENT: a value is out of bounds */
/* Whether a tree that grew under the settings `a` may be searched under `b`: no field with
 * `clears_tree` differs. */
bool search_settings_keep_tree(const SearchSettings *a, const SearchSettings *b);
/* Returns the options of evaluations in a search at whose root `root_mover` is to move. If `root`
 * is true, they are for the root, otherwise for the nodes below it. search.root_symmetries is not
 * among the options, because searches add it themselves. */
EvaluationOptions search_settings_options(const SearchSettings *settings, Color root_mover,
                                          bool root);
/* Whether weaker play draws the moves that it considers: search.level.draw counts only in a Gumbel
 * search. */
static inline bool search_settings_draw(const SearchSettings *settings) {
    return settings->level.draw && settings->gumbel.on;
}
/* Whether evaluations must also have the policy of a net of human play. At least the evaluation of
 * the root must have it then. */
bool search_settings_need_human_policy(const SearchSettings *settings);
/* Sets the fields of an evaluator's setup that depend on the settings. If the search needs
 * ownership, `config->ownership` becomes true; otherwise it stays. `config` borrows
 * human.profile. */
void search_settings_evaluator(const SearchSettings *settings, NetEvaluatorSetup *config);
/* The batch size of an evaluator that `searches` searches share. A batch has room for the leaves of
 * one search with any search.leaves. */
static inline int search_settings_batch(int searches) {
    return searches > SEARCH_LEAVES_MAX ? searches : SEARCH_LEAVES_MAX;
}
