/* search_settings.h - every setting of one search, with default, bounds, help and source.
 * Threading: plain values and an immutable table. */
#pragma once
#include "base/settings.h"
#include "eval/evaluators/evaluator.h"

enum { SEARCH_LEAVES_MAX = 8 }; /* of search.leaves */
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
typedef enum { SPREAD_VARIANCE, SPREAD_CATEGORICAL } SpreadKind;
typedef enum { DOUBLING_OF_MOVER, DOUBLING_OF_BLACK, DOUBLING_OF_WHITE } DoublingPlayer;

typedef struct {
    /* selection */
    double c_puct, c_puct_log, c_puct_base;
    double c_puct_stdev_prior, c_puct_stdev_prior_weight, c_puct_stdev_scale;
    double fpu_reduction, root_fpu_reduction, fpu_loss_share;
    double root_fpu_loss_share; /* -1: as much as in the tree */
    bool fpu_parent_by_visited_policy;
    double fpu_parent_pow, fpu_parent_weight;
    double virtual_losses;
    int leaves, leaf_visits;   /* leaves at once, as the tree grows */
    double child_stdev_visits; /* visits that the prior counts for; 0: off */
    double puct_v;             /* 0: off */
    bool watch_unobserved;
    RegretRule regret;
    SpreadKind regret_spread;
    double regret_weight, regret_power;
    int regret_buckets;
    bool regret_worse_only;
    double implicit_minimax; /* 0: off */
    double questionable_weight, questionable_threshold, questionable_decay;
    bool anti_mirror;
    bool graph;
    int graph_repetition_bound;
    double graph_catch_up_leak;
    bool friendly_pass, passing_hacks, more_passing_hacks;
    /* root */
    bool root_noise;
    double noise_weight, noise_concentration;
    bool noise_shaped;
    double root_temperature, root_temperature_early;
    double forced_playouts; /* k of n_forced = sqrt(k P N); 0: off */
    bool target_pruning;
    double wide_root_noise;
    bool root_symmetry_pruning;
    double futile_visits;
    double ending_bonus; /* points */
    bool prune_useless_moves, conservative_pass, avoid_rescale;
    double hint_policy, hint_weight;
    double factor_after_one_pass,
        factor_after_two_passes; /* of the limits on visits and playouts */
    bool gumbel;
    int gumbel_considered, gumbel_least_visits;
    double gumbel_scale, gumbel_visit_offset, gumbel_visit_scale;
    GumbelInner gumbel_inner;
    GumbelHalving gumbel_halving;
    GumbelSigma gumbel_sigma;
    bool gumbel_sampled_only, gumbel_chosen_value, gumbel_temperature;
    double gumbel_stop_confidence; /* 0: off */
    double gumbel_over_search;     /* 1: off */
    /* evaluations */
    double policy_optimism, root_policy_optimism, policy_temperature;
    double playout_doubling_advantage;
    DoublingPlayer playout_doubling_player; /* who has that advantage */
    double doublings_per_lead;              /* 0: the advantage is as it was set */
    int symmetries, root_symmetries;
    bool ignore_history;
    char human_profile[SETTINGS_TEXT_SIZE]; /* empty: none */
    /* utility */
    double win_loss_factor, static_score_factor, dynamic_score_factor, score_center_zero_weight,
        score_center_scale;
    double no_result_utility_for_white, draw_equivalent_wins_for_white;
    /* averaging */
    double value_weight_exponent; /* 0: plain */
    bool noise_pruning;
    double noise_prune_scale, noise_prune_cap;
    bool uncertainty;
    double uncertainty_coeff, uncertainty_exponent, uncertainty_max_weight;
    bool uncertainty_normalise;
    double bias_factor, bias_weight_exponent, bias_free_share; /* factor 0: off */
    double avoid_repeats;                                      /* utility; 0: off */
    /* choice */
    double temperature, temperature_early, temperature_halflife, temperature_below;
    bool lcb;
    LcbRule lcb_rule;
    double lcb_stdevs, lcb_min_visit_share;
    double move_prune, move_subtract;
    bool fill_dame_before_pass;
    /* people (human.h) */
    double human_root_weightless, human_root_weightful, human_own_weightless, human_own_weightful,
        human_other_weightless, human_other_weightful;
    double human_c_puct, human_c_puct_permanent;
    double human_chosen_share, human_chosen_lambda;
    bool human_chosen_ignore_pass;
    bool value_buckets; /* Reports have them. */
    /* size */
    int64_t tree_memory_mb;
    int playouts_per_thread; /* 0: any number */
} SearchSettings;
extern const SettingsField SEARCH_FIELDS[];
/* The largest utility that these factors allow; the least is its negative. */
static inline double search_settings_range(const SearchSettings *settings) {
    return settings->win_loss_factor + settings->static_score_factor +
           settings->dynamic_score_factor;
}
MUST_USE Status search_settings_check(const SearchSettings *settings,
                                      Error *err); /* ERR_ARGUMENT: a value is out of bounds */
/* Whether a tree that grew by the one settings may be searched by the other: no field with
 * `clears_tree` differs. */
bool search_settings_keep_tree(const SearchSettings *a, const SearchSettings *b);
/* What the settings ask of the evaluation of the root, where `root_mover` is to move, or of a node
 * below it; root_symmetries is for searches alone, which add it themselves. */
EvaluationOptions search_settings_options(const SearchSettings *settings, Color root_mover,
                                          bool root);
/* Whether evaluations must bring people's policy too, at the root at least. */
bool search_settings_ask_people(const SearchSettings *settings);
/* What the settings ask of the evaluator; the rest of `config` stays. It borrows the profile. */
void search_settings_evaluator(const SearchSettings *settings, NetEvaluatorSetup *config);
/* The batch of an evaluator that so many searches share, whatever their search.leaves are. */
static inline int search_settings_batch(int searches) {
    return searches > SEARCH_LEAVES_MAX ? searches : SEARCH_LEAVES_MAX;
}
void search_settings_play(SearchSettings *out);   /* defaults of play and match (KataGo's) */
void search_settings_people(SearchSettings *out); /* the same for games with people and analysis */
void search_settings_selfplay(SearchSettings *out); /* what full searches of self-play change */
