/* search_settings.h - every setting of one search, with default, bounds, help and source. */
#pragma once
#include "base/settings.h"
#include "eval/evaluator.h"

typedef enum { GUMBEL_INNER_PUCT, GUMBEL_INNER_DETERMINISTIC } GumbelInner;

typedef struct {
    /* selection */
    float c_puct, c_puct_log, c_puct_base;
    float c_puct_stdev_prior, c_puct_stdev_prior_weight, c_puct_stdev_scale;
    float fpu_reduction, root_fpu_reduction, fpu_loss_share;
    bool fpu_parent_by_visited_policy;
    float fpu_parent_pow;
    /* root */
    bool root_noise;
    float noise_weight, noise_concentration;
    bool noise_shaped;
    float root_temperature, root_temperature_early;
    float forced_playouts; /* k of n_forced = sqrt(k P N); 0: off */
    bool target_pruning;
    bool gumbel;
    int gumbel_considered;
    float gumbel_scale, gumbel_visit_offset, gumbel_visit_scale;
    GumbelInner gumbel_inner;
    /* evaluations */
    float policy_optimism, root_policy_optimism, policy_temperature;
    float playout_doubling_advantage; /* of the side at the root */
    int symmetries;
    char human_profile[SETTINGS_TEXT_SIZE]; /* empty: none */
    /* utility */
    float win_loss_factor, static_score_factor, dynamic_score_factor, score_center_zero_weight,
        score_center_scale;
    float no_result_utility_for_white, draw_equivalent_wins_for_white;
    /* averaging */
    float value_weight_exponent; /* 0: plain */
    bool noise_pruning;
    float noise_prune_scale;
    bool uncertainty;
    float uncertainty_coeff, uncertainty_exponent, uncertainty_max_weight;
    /* choice */
    float temperature, temperature_early, temperature_halflife;
    bool lcb;
    float lcb_stdevs, lcb_min_visit_share;
    float move_prune, move_subtract;
    /* size */
    int64_t tree_memory_mb;
} SearchSettings;
extern const ConfigField SEARCH_FIELDS[];
MUST_USE Status search_settings_check(const SearchSettings *settings,
                                      Error *err); /* ERR_ARGUMENT: a value is out of bounds */
/* What the settings ask of the evaluation of the root, where `root_mover` is to move, or of a node
 * below it. */
EvaluationOptions search_settings_options(const SearchSettings *settings, Color root_mover,
                                          bool root);
/* What the settings ask of the evaluator; the rest of `config` stays. It borrows the profile. */
void search_settings_evaluator(const SearchSettings *settings, NetEvaluatorConfig *config);
void search_settings_play(SearchSettings *out);     /* defaults of play and match (KataGo's) */
void search_settings_selfplay(SearchSettings *out); /* what full searches of self-play change */
