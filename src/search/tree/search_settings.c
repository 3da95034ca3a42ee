#include "search/tree/search_settings.h"

#include <stddef.h>

#define WU "Wu 2019, Accelerating Self-Play Learning in Go"
#define METHODS "KataGo, docs/KataGoMethods.md"
#define GUMBEL "Danihelka et al. 2022, Policy improvement by planning with Gumbel"
#define CODE "KataGo, cpp/search"
#define P3 "p3achygo"
#define HUMAN "KataGo, cpp/search/searchexplorehelpers.cpp"
#define CHOICE "KataGo, cpp/search/searchresults.cpp"
#define LCZERO "lczero-training, README"

const SettingsField SEARCH_FIELDS[] = {
    FIELD_DOUBLE(SearchSettings, c_puct, 1.0, 0, 100, "exploration", .source = WU ", section 2",
                 .alias = "cpuctExploration"),
    FIELD_DOUBLE(SearchSettings, c_puct_log, 0.45, 0, 100,
                 "growth of exploration with the logarithm of visits", .source = CODE,
                 .alias = "cpuctExplorationLog"),
    FIELD_DOUBLE(SearchSettings, c_puct_base, 500, 1, 1e9, "visits from which that growth is felt",
                 .source = CODE, .alias = "cpuctExplorationBase"),
    FIELD_DOUBLE(SearchSettings, c_puct_stdev_prior, 0.4, 0.001, 10,
                 "utility deviation assumed before any is seen", .source = METHODS,
                 .alias = "cpuctUtilityStdevPrior"),
    FIELD_DOUBLE(SearchSettings, c_puct_stdev_prior_weight, 2, 0, 1000,
                 "visits that this assumption counts for", .source = METHODS,
                 .alias = "cpuctUtilityStdevPriorWeight"),
    FIELD_DOUBLE(SearchSettings, c_puct_stdev_scale, 0.85, 0, 1,
                 "how much the deviation scales exploration; 0: not", .source = METHODS,
                 .alias = "cpuctUtilityStdevScale"),
    FIELD_DOUBLE(SearchSettings, fpu_reduction, 0.2, 0, 2,
                 "how far an unvisited move is below its parent, in the tree",
                 .source = WU ", section 2", .alias = "fpuReductionMax"),
    FIELD_DOUBLE(SearchSettings, root_fpu_reduction, 0.1, 0, 2, "the same at the root",
                 .source = WU ", section 2", .alias = "rootFpuReductionMax"),
    FIELD_DOUBLE(SearchSettings, fpu_loss_share, 0, 0, 1,
                 "how far towards a loss an unvisited move is moved", .source = CODE,
                 .alias = "fpuLossProp"),
    FIELD_DOUBLE(SearchSettings, root_fpu_loss_share, -1, -1, 1,
                 "the same at the root; -1: as much", .source = CODE, .alias = "rootFpuLossProp"),
    FIELD_BOOL(SearchSettings, fpu_parent_by_visited_policy, true,
               "mix the parent's search and net values by the visited policy", .source = CODE,
               .alias = "fpuParentWeightByVisitedPolicy"),
    FIELD_DOUBLE(SearchSettings, fpu_parent_pow, 2, 0, 10,
                 "power of the visited policy in that mix", .source = CODE,
                 .alias = "fpuParentWeightByVisitedPolicyPow"),
    FIELD_DOUBLE(SearchSettings, fpu_parent_weight, 0, 0, 1,
                 "share of the net's value in the parent's where that mix is off", .source = CODE,
                 .alias = "fpuParentWeight"),
    FIELD_DOUBLE(SearchSettings, virtual_losses, 1, 0.001, 1000,
                 "losses that a descent under way counts for", .source = CODE,
                 .alias = "numVirtualLossesPerThread"),
    FIELD_INT(
        SearchSettings, leaves, 1, 1, SEARCH_LEAVES_MAX,
        "positions that a thread has evaluated at once, at most: nets are faster in batches; 4 "
        "in gtp and analysis",
        .source = "own; batches of one tree: " CODE),
    FIELD_INT(SearchSettings, leaf_visits, 64, 1, 1e9,
              "visits of the root for each of them but the first, so that small trees are searched "
              "one by one",
              .source = "own"),
    FIELD_DOUBLE(SearchSettings, child_stdev_visits, 0, 0, 10000,
                 "scale a move's exploration by the deviation of its utility over the mean one, "
                 "with so many visits of the mean for it; 0: not",
                 .source = P3 ", 2026; " LCZERO ", Confidence-based Search"),
    FIELD_DOUBLE(
        SearchSettings, puct_v, 0, 0, 100,
        "PUCT-V: a move's exploration is times the deviation of its values, and has so much "
        "ln N besides; 0: not, proposed: 3",
        .source = P3 ", 2026"),
    FIELD_BOOL(SearchSettings, watch_unobserved, false,
               "descents under way count as visits, not as losses",
               .source = "Liu et al. 2020, Watch the Unobserved; " P3 ", 2026"),
    FIELD_CHOICE(SearchSettings, regret, REGRET_OFF, "off|explore|strong|power",
                 "choose by R, what a move's distribution of values promises above its mean: "
                 "explore: R / n^1.5; strong: Q + C N R / n^1.5 + PUCT's term; power: "
                 "Q + C N^tau R / n + PUCT's term; for nets with short-term errors",
                 .source = LCZERO ", Categorical Value Head", .clears_tree = true),
    FIELD_CHOICE(SearchSettings, regret_spread, SPREAD_VARIANCE, "variance|categorical",
                 "what nodes keep of that distribution: 12 bytes, or 4 and 2 a bucket",
                 .source = LCZERO ", Categorical Value Head", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, regret_weight, 0.1, 0, 100, "C", .source = LCZERO),
    FIELD_DOUBLE(SearchSettings, regret_power, 0.6, 0, 2, "tau", .source = LCZERO),
    FIELD_INT(SearchSettings, regret_buckets, 32, 2, 64, "of the win-loss range",
              .source = LCZERO ", Categorical Value Head", .clears_tree = true),
    FIELD_BOOL(SearchSettings, regret_worse_only, false,
               "a child's distribution enters its parent's only if its value is worse for the "
               "mover",
               .source = LCZERO ", Categorical Value Head", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, implicit_minimax, 0, 0, 1,
                 "fraction of the minimax value of what was evaluated below a move in the value by "
                 "which descents choose it, the rest is the mean; 0: the mean alone",
                 .source = "Lanctot et al. 2014, Implicit Minimax Backups"),
    FIELD_DOUBLE(SearchSettings, questionable_weight, 0, 0, 10,
                 "share of the mover's gain since the root that its most visited move is raised "
                 "by, where the opponent's play was questionable; 0: off, proposed: 0.1",
                 .source =
                     LCZERO ", A Search Heuristic to Improve Efficiency on Questionable Lines"),
    FIELD_DOUBLE(SearchSettings, questionable_threshold, 0.3, 0, 10,
                 "gain in utility from which on", .source = LCZERO),
    FIELD_DOUBLE(SearchSettings, questionable_decay, 0, 0, 1e9,
                 "visits of the node by which that is halved; 0: it stays", .source = LCZERO),
    FIELD_BOOL(SearchSettings, anti_mirror, false,
               "play against an opponent who mirrors: look at its mirror moves and at the centre",
               .source = CODE "/searchmirror.cpp", .alias = "antiMirror", .clears_tree = true),
    FIELD_BOOL(SearchSettings, graph, false,
               "positions that moves in another order lead to share their nodes",
               .source = "KataGo, docs/GraphSearch.md", .alias = "useGraphSearch",
               .clears_tree = true),
    FIELD_INT(SearchSettings, graph_repetition_bound, 11, 0, 1000,
              "moves that a repetition must take at least for the path to be forgotten",
              .source = "KataGo, cpp/game/graphhash.cpp", .alias = "graphSearchRepBound",
              .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, graph_catch_up_leak, 0, 0, 1,
                 "chance of searching on where an edge has fewer visits than its node",
                 .source = CODE, .alias = "graphSearchCatchUpLeakProb"),
    FIELD_BOOL(SearchSettings, friendly_pass, false,
               "where the rules allow friendly passes, a second pass in the tree ends nothing",
               .source = CODE, .clears_tree = true),
    FIELD_BOOL(SearchSettings, passing_hacks, false,
               "priors of passes at most 0.95; nets do not see that a pass would end a game that "
               "is not won; on in gtp and analysis",
               .source = CODE, .alias = "enablePassingHacks", .clears_tree = true),
    FIELD_BOOL(SearchSettings, more_passing_hacks, false,
               "where a pass would end a phase, it and another move are looked at once, without "
               "weight; on in gtp and analysis",
               .source = CODE, .alias = "enableMorePassingHacks", .clears_tree = true),
    FIELD_BOOL(SearchSettings, root_noise, false, "Dirichlet noise on the root's priors",
               .source = "Silver et al. 2017; " WU, .alias = "rootNoiseEnabled"),
    FIELD_DOUBLE(SearchSettings, noise_weight, 0.25, 0, 1, "share of the noise",
                 .source = "Silver et al. 2017", .alias = "rootDirichletNoiseWeight"),
    FIELD_DOUBLE(SearchSettings, noise_concentration, 10.83, 0.001, 10000,
                 "sum of the Dirichlet's parameters", .source = WU ", section 2",
                 .alias = "rootDirichletNoiseTotalConcentration"),
    FIELD_BOOL(SearchSettings, noise_shaped, true, "half of the noise goes to moves of high prior",
               .source = METHODS),
    FIELD_DOUBLE(SearchSettings, root_temperature, 1, 0.01, 100,
                 "of the root's priors, late in the game", .source = METHODS,
                 .alias = "rootPolicyTemperature"),
    FIELD_DOUBLE(SearchSettings, root_temperature_early, 1, 0.01, 100,
                 "of the root's priors, at the start", .source = METHODS,
                 .alias = "rootPolicyTemperatureEarly"),
    FIELD_DOUBLE(SearchSettings, forced_playouts, 0, 0, 100,
                 "k of the forced playouts sqrt(k P N) at the root; 0: none",
                 .source = WU ", section 3.2", .alias = "rootDesiredPerChildVisitsCoeff"),
    FIELD_BOOL(SearchSettings, target_pruning, true,
               "take back visits at the root that PUCT would not have made",
               .source = WU ", section 3.2"),
    FIELD_DOUBLE(SearchSettings, wide_root_noise, 0, 0, 5,
                 "flatter priors and noise on values at the root, to see more moves",
                 .source = CODE, .alias = "wideRootNoise", .clears_tree = true),
    FIELD_BOOL(SearchSettings, root_symmetry_pruning, false,
               "of moves that the root's symmetries make alike only one is searched; not for rows",
               .source = CODE, .alias = "rootSymmetryPruning", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, futile_visits, 0, 0, 1,
                 "skip moves of the root that cannot reach this share of the largest weight in the "
                 "visits that are left",
                 .source = CODE, .alias = "futileVisitsThreshold"),
    FIELD_DOUBLE(SearchSettings, ending_bonus, 0, -1, 1,
                 "points taken from root moves that settle nothing; needs ownership",
                 .source = CODE, .alias = "rootEndingBonusPoints", .clears_tree = true),
    FIELD_BOOL(SearchSettings, prune_useless_moves, false,
               "after four passes of the opponent no root moves within pass-alive area",
               .source = CODE, .alias = "rootPruneUselessMoves", .clears_tree = true),
    FIELD_BOOL(SearchSettings, conservative_pass, false,
               "a pass at the root is not taken to end the game; on in gtp and analysis",
               .source = CODE, .alias = "conservativePass", .clears_tree = true),
    FIELD_BOOL(SearchSettings, avoid_rescale, false,
               "priors of the root's moves that are not avoided are scaled up to a sum of 1",
               .source = CODE, .alias = "avoidMoveUntilRescaleRoot"),
    FIELD_DOUBLE(SearchSettings, hint_policy, 0.02, 0, 1,
                 "share of the other priors that a hint move gets", .source = CODE),
    FIELD_DOUBLE(SearchSettings, hint_weight, 0.8, 0, 10,
                 "share of any other move's weight that a hint move is to have", .source = CODE),
    FIELD_DOUBLE(SearchSettings, factor_after_one_pass, 1, 0.001, 1000,
                 "of limits on visits and playouts after the opponent's pass", .source = CODE,
                 .alias = "searchFactorAfterOnePass"),
    FIELD_DOUBLE(SearchSettings, factor_after_two_passes, 1, 0.001, 1000,
                 "the same after its second one in a row", .source = CODE,
                 .alias = "searchFactorAfterTwoPass"),
    FIELD_BOOL(SearchSettings, gumbel, false,
               "sample the root's moves and halve them; then no noise of priors, root temperature, "
               "forced playouts, target pruning, LCB",
               .source = GUMBEL),
    FIELD_INT(SearchSettings, gumbel_considered, 16, 1, 362, "moves that the root samples",
              .source = GUMBEL),
    FIELD_INT(
        SearchSettings, gumbel_least_visits, 2, 0, 1e6,
        "visits that the first round must have for each of them, else fewer are sampled, two at "
        "least; 0: any number of moves, as in the paper",
        .source = "own"),
    FIELD_DOUBLE(SearchSettings, gumbel_scale, 0, 0, 10,
                 "Gumbel noise on the root's logits; 0: the likeliest moves (play), 1: self-play",
                 .source = GUMBEL "; p3achygo"),
    FIELD_DOUBLE(SearchSettings, gumbel_visit_offset, 50, 0, 10000,
                 "visits added to the most visited move's where values are weighed against logits",
                 .source = GUMBEL ", c_visit"),
    FIELD_DOUBLE(SearchSettings, gumbel_visit_scale, 1, 0, 100,
                 "weight of values against logits, for utility mapped from its range to [0, 1]",
                 .source = GUMBEL ", c_scale; p3achygo"),
    FIELD_CHOICE(SearchSettings, gumbel_inner, GUMBEL_INNER_PUCT, "puct|deterministic",
                 "how moves inside the tree are chosen; deterministic: visits follow the improved "
                 "policy",
                 .source = GUMBEL "; p3achygo"),
    FIELD_CHOICE(
        SearchSettings, gumbel_halving, GUMBEL_HALVING_TABLE, "table|p3achygo_2023|p3achygo_2026",
        "visits of the rounds: n / (ceil(log2 m) c); floor(n / (floor(log2 m) c)), all that "
        "is left to the last 2 or 3; n / (R m) rounded, of so many moves that never three are left",
        .source = GUMBEL "; " P3),
    FIELD_CHOICE(SearchSettings, gumbel_sigma, GUMBEL_SIGMA_UNIT, "unit|raw|log|rescaled",
                 "values weighed by (offset + most visits) on [0, 1]; utility as it is (2023); by "
                 "offset + 2 ln(most visits) on [0, 1] (2026); on [0, 1] by the node's least and "
                 "largest (mctx, which has gumbel_visit_scale 0.1)",
                 .source = P3 "; mctx"),
    FIELD_BOOL(SearchSettings, gumbel_sampled_only, false,
               "in the target only the root's sampled moves have values of their own",
               .source = P3 ", 2023"),
    FIELD_BOOL(SearchSettings, gumbel_chosen_value, false,
               "the root's value is its own evaluation and the chosen move's only",
               .source = P3 ", 2023"),
    FIELD_BOOL(SearchSettings, gumbel_temperature, false,
               "choose from the improved policy by the temperatures, not the halving's winner",
               .source = P3 ", 2026"),
    FIELD_DOUBLE(
        SearchSettings, gumbel_stop_confidence, 0, 0, 0.9999,
        "a round ends once the better half is better with this confidence over all rounds; "
        "0: never, proposed: 0.95",
        .source = P3 ", 2026"),
    FIELD_DOUBLE(
        SearchSettings, gumbel_over_search, 1, 1, 10,
        "instead, a round that is not so settled at its end goes on, up to so many times "
        "its visits, beyond the limits of the search, if none of its visits is under way (so "
        "not in large trees with search.leaves above 1); 1: no, proposed: 2.5",
        .source = P3 ", 2026, mcts/gumbel.cc"),
    FIELD_DOUBLE(SearchSettings, policy_optimism, 0, 0, 1,
                 "how far priors lean to moves after which more is found than expected",
                 .source = METHODS, .alias = "policyOptimism", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, root_policy_optimism, 0, 0, 1, "the same at the root",
                 .source = METHODS, .alias = "rootPolicyOptimism", .clears_tree = true),
    FIELD_DOUBLE(
        SearchSettings, playout_doubling_advantage, 0, -3, 3,
        "by how many doublings of its playouts the side at the root is the stronger, as nets "
        "are told",
        .source = CODE, .alias = "playoutDoublingAdvantage"),
    FIELD_CHOICE(SearchSettings, playout_doubling_player, DOUBLING_OF_MOVER, "MOVER|BLACK|WHITE",
                 "whose advantage that is, if not the side's at the root", .source = CODE,
                 .alias = "playoutDoublingAdvantagePla"),
    FIELD_DOUBLE(
        SearchSettings, doublings_per_lead, 0, 0, 0.5,
        "for moves in GTP that advantage follows the game of who began behind, up to so much for "
        "each point of its handicap; 0: no, KataGo: 0.045",
        .source = "KataGo, cpp/command/gtp.cpp",
        .alias = "dynamicPlayoutDoublingAdvantageCapPerOppLead"),
    FIELD_DOUBLE(SearchSettings, policy_temperature, 1, 0.01, 100,
                 "divides the logits of the net's policy", .source = CODE,
                 .alias = "nnPolicyTemperature"),
    FIELD_TEXT(SearchSettings, human_profile, "",
               "whom a net of human play is: rank_5k, rank_1d_3k, preaz_9d, proyear_1950",
               .source = "KataGo, cpp/neuralnet/sgfmetadata.cpp", .alias = "humanSLProfile"),
    FIELD_INT(SearchSettings, symmetries, 1, 1, 8,
              "symmetries of the board that every evaluation averages over",
              .source = "Silver et al. 2017"),
    FIELD_INT(SearchSettings, root_symmetries, 1, 1, 8, "the same at the root, where it is more",
              .source = CODE, .alias = "rootNumSymmetriesToSample"),
    FIELD_BOOL(SearchSettings, ignore_history, false,
               "nets see no move before the root; analysis in JSON: true", .source = CODE,
               .alias = "ignorePreRootHistory", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, win_loss_factor, 1, 0, 10, "utility of winning", .source = CODE,
                 .alias = "winLossUtilityFactor", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, static_score_factor, 0.1, 0, 10, "utility of score, around 0",
                 .source = CODE, .alias = "staticScoreUtilityFactor", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, dynamic_score_factor, 0.3, 0, 10,
                 "utility of score, around what is expected now", .source = WU ", section 4.2",
                 .alias = "dynamicScoreUtilityFactor", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, score_center_zero_weight, 0.2, 0, 1,
                 "how far that centre is drawn to 0", .source = CODE,
                 .alias = "dynamicScoreCenterZeroWeight"),
    FIELD_DOUBLE(SearchSettings, score_center_scale, 0.75, 0.01, 10,
                 "width of the utility of score, board edges", .source = CODE,
                 .alias = "dynamicScoreCenterScale"),
    FIELD_DOUBLE(SearchSettings, no_result_utility_for_white, 0, -1, 1,
                 "utility for White of a game without result", .source = CODE,
                 .alias = "noResultUtilityForWhite", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, draw_equivalent_wins_for_white, 0.5, 0, 1,
                 "wins for White that a draw is worth", .source = CODE,
                 .alias = "drawEquivalentWinsForWhite", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, value_weight_exponent, 0.25, 0, 1,
                 "how much bad children count less in their parent's value; 0: not", .source = CODE,
                 .alias = "valueWeightExponent", .clears_tree = true),
    FIELD_BOOL(SearchSettings, noise_pruning, true,
               "take weight from bad moves that have more visits than their prior asks for",
               .source = CODE, .alias = "useNoisePruning"),
    FIELD_DOUBLE(SearchSettings, noise_prune_scale, 0.15, 0.001, 10,
                 "utility gap at which that takes hold", .source = CODE,
                 .alias = "noisePruneUtilityScale"),
    FIELD_DOUBLE(SearchSettings, noise_prune_cap, 1e9, 0, 1e9,
                 "the most weight that a move loses so", .source = CODE,
                 .alias = "noisePruningCap"),
    FIELD_BOOL(SearchSettings, uncertainty, true, "weigh playouts by the net's short-term error",
               .source = METHODS, .alias = "useUncertainty", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, uncertainty_coeff, 0.25, 0.0001, 10, "weight is coeff / error",
                 .source = METHODS, .alias = "uncertaintyCoeff", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, uncertainty_exponent, 1, 0, 10, "power of the error",
                 .source = METHODS, .alias = "uncertaintyExponent", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, uncertainty_max_weight, 8, 1, 1000, "largest weight",
                 .source = METHODS, .alias = "uncertaintyMaxWeight", .clears_tree = true),
    FIELD_BOOL(SearchSettings, uncertainty_normalise, false,
               "scale those weights at each node to one a visit",
               .source = LCZERO ", Confidence-based Search", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, bias_factor, 0, 0, 1,
                 "share of the error seen at nodes of the same local shape that is taken from a "
                 "node's own value; 0: none; KataGo: 0.45",
                 .source = METHODS ", Subtree Value Bias Correction",
                 .alias = "subtreeValueBiasFactor", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, bias_weight_exponent, 0.85, 0, 1,
                 "power of a node's weight with which its error counts", .source = METHODS,
                 .alias = "subtreeValueBiasWeightExponent", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, bias_free_share, 0.8, 0, 1,
                 "of the errors of nodes that a move leaves behind, forgotten", .source = METHODS,
                 .alias = "subtreeValueBiasFreeProp"),
    FIELD_DOUBLE(
        SearchSettings, avoid_repeats, 0, -3, 3,
        "utility that a move costs which makes a shape that its side has made in this game "
        "already; 0: none; KataGo: 0.005 in handicap games against it",
        .source = "KataGo, cpp/search/patternbonustable.cpp",
        .alias = "avoidRepeatedPatternUtility", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, temperature, 0.1, 0, 100, "of the move choice, late in the game",
                 .source = WU, .alias = "chosenMoveTemperature"),
    FIELD_DOUBLE(SearchSettings, temperature_early, 0.5, 0, 100, "of the move choice, at the start",
                 .source = WU, .alias = "chosenMoveTemperatureEarly"),
    FIELD_DOUBLE(SearchSettings, temperature_halflife, 19, 0.1, 10000,
                 "turns on 19x19 in which it falls half-way", .source = WU,
                 .alias = "chosenMoveTemperatureHalflife"),
    FIELD_DOUBLE(SearchSettings, temperature_below, 1, 0.0001, 1,
                 "only moves with a smaller share are tempered, against this share", .source = CODE,
                 .alias = "chosenMoveTemperatureOnlyBelowProb"),
    FIELD_BOOL(SearchSettings, lcb, true, "prefer the move with the best lower confidence bound",
               .source = CODE, .alias = "useLcbForSelection"),
    FIELD_CHOICE(SearchSettings, lcb_rule, LCB_KATAGO, "katago|student",
                 "katago: a bound of lcb_stdevs raises a move's weight; student: that of the t "
                 "distribution at 0.975 decides alone",
                 .source = CODE "; " P3 ", mcts/tree.cc"),
    FIELD_DOUBLE(SearchSettings, lcb_stdevs, 5, 0.1, 100, "deviations of that bound",
                 .source = CODE, .alias = "lcbStdevs"),
    FIELD_DOUBLE(SearchSettings, lcb_min_visit_share, 0.15, 0, 1,
                 "least share of the best move's weight to be preferred", .source = CODE,
                 .alias = "minVisitPropForLCB"),
    FIELD_DOUBLE(SearchSettings, move_prune, 1, 0, 1e9, "moves with less weight are not chosen",
                 .source = CODE, .alias = "chosenMovePrune"),
    FIELD_DOUBLE(SearchSettings, move_subtract, 0, 0, 1e9, "taken from every move's weight",
                 .source = CODE, .alias = "chosenMoveSubtract"),
    FIELD_BOOL(SearchSettings, fill_dame_before_pass, false,
               "under territory scoring, fill neutral points before the first pass", .source = CODE,
               .alias = "fillDameBeforePass"),
    FIELD_DOUBLE(
        SearchSettings, human_root_weightless, 0, 0, 1,
        "chance that a visit at the root looks at a move that people would choose, without "
        "weight for the root's value; needs a net of human play beside the first",
        .source = HUMAN, .alias = "humanSLRootExploreProbWeightless"),
    FIELD_DOUBLE(SearchSettings, human_root_weightful, 0, 0, 1, "the same with weight",
                 .source = HUMAN, .alias = "humanSLRootExploreProbWeightful"),
    FIELD_DOUBLE(SearchSettings, human_own_weightless, 0, 0, 1,
                 "the same below the root where its side moves, without weight", .source = HUMAN,
                 .alias = "humanSLPlaExploreProbWeightless"),
    FIELD_DOUBLE(SearchSettings, human_own_weightful, 0, 0, 1, "the same with weight",
                 .source = HUMAN, .alias = "humanSLPlaExploreProbWeightful"),
    FIELD_DOUBLE(SearchSettings, human_other_weightless, 0, 0, 1,
                 "the same where the other side moves, without weight", .source = HUMAN,
                 .alias = "humanSLOppExploreProbWeightless"),
    FIELD_DOUBLE(SearchSettings, human_other_weightful, 0, 0, 1, "the same with weight",
                 .source = HUMAN, .alias = "humanSLOppExploreProbWeightful"),
    FIELD_DOUBLE(SearchSettings, human_c_puct, 1, 0, 1000, "exploration of such visits",
                 .source = HUMAN, .alias = "humanSLCpuctExploration"),
    FIELD_DOUBLE(SearchSettings, human_c_puct_permanent, 0, 0, 1000,
                 "exploration that no number of visits lessens: about the utility that a move may "
                 "lose and still get its share",
                 .source = HUMAN, .alias = "humanSLCpuctPermanent"),
    FIELD_DOUBLE(SearchSettings, human_chosen_share, 0, 0, 1,
                 "share of people's choice in the choice of the move, before temperature",
                 .source = CHOICE, .alias = "humanSLChosenMoveProp"),
    FIELD_DOUBLE(SearchSettings, human_chosen_lambda, 1e9, 0.001, 1e9,
                 "people's moves lose a factor e for each so much utility that the search says "
                 "they lose",
                 .source = CHOICE "; Jacob et al. 2022 (piKL)",
                 .alias = "humanSLChosenMovePiklLambda"),
    FIELD_BOOL(SearchSettings, human_chosen_ignore_pass, false,
               "the pass keeps the share that the search gives it", .source = CHOICE,
               .alias = "humanSLChosenMoveIgnorePass"),
    FIELD_INT(SearchSettings, playouts_per_thread, 0, 0, 1000000,
              "threads on one tree are fewer where each would have fewer playouts; KataGo: 8",
              .source = CODE, .alias = "minPlayoutsPerThread"),
    FIELD_BOOL(
        SearchSettings, value_buckets, false,
        "self-play: rows keep how the values that each search found are spread, in 51 buckets, "
        "for the head search_values; KataGo's shuffle.py refuses files that have them",
        .source = P3 ", 2026"),
    FIELD_INT64(SearchSettings, tree_memory_mb, 4096, 1, 1 << 24,
                "memory that the tree may take, MB; half is for what is kept of it after a move"),
    {0},
};

Status search_settings_check(const SearchSettings *settings, Error *err) {
    return settings_check(SEARCH_FIELDS, "search", settings, err);
}

bool search_settings_keep_tree(const SearchSettings *a, const SearchSettings *b) {
    for (const SettingsField *field = SEARCH_FIELDS; field->name; field++) {
        if (field->clears_tree && !settings_same(field, a, b)) return false;
    }
    return true;
}

EvaluationOptions search_settings_options(const SearchSettings *settings, Color root_mover,
                                          bool root) {
    DoublingPlayer player = settings->playout_doubling_player;
    Color of = player == DOUBLING_OF_BLACK   ? COLOR_BLACK
               : player == DOUBLING_OF_WHITE ? COLOR_WHITE
                                             : root_mover;
    return (EvaluationOptions){
        .white_doublings = value_for_white((float)settings->playout_doubling_advantage, of),
        .policy_optimism =
            (float)(root ? settings->root_policy_optimism : settings->policy_optimism),
        .conservative_pass = root && settings->conservative_pass,
        .passing_hacks = settings->passing_hacks};
}

bool search_settings_ask_people(const SearchSettings *s) {
    return s->human_chosen_share > 0 || s->human_root_weightless > 0 ||
           s->human_root_weightful > 0 || s->human_own_weightless > 0 ||
           s->human_own_weightful > 0 || s->human_other_weightless > 0 ||
           s->human_other_weightful > 0;
}

void search_settings_evaluator(const SearchSettings *settings, NetEvaluatorSetup *config) {
    config->symmetries = settings->symmetries;
    config->policy_temperature = (float)settings->policy_temperature;
    config->human_profile = *settings->human_profile ? settings->human_profile : NULL;
}

void search_settings_play(SearchSettings *out) {
    settings_defaults(SEARCH_FIELDS, out);
}

/* KataGo, cpp/command/gtp.cpp, analysis.cpp: a pass too early is what people do not forgive. A net
 * that is even about everything does not fear it, unless the search looks at the answer. */
void search_settings_people(SearchSettings *out) {
    search_settings_play(out);
    out->conservative_pass = true;
    out->passing_hacks = true;
    out->more_passing_hacks = true;
    out->leaves = 4;
}

/* KataGo, cpp/configs/training: what full searches of self-play change. */
void search_settings_selfplay(SearchSettings *out) {
    settings_defaults(SEARCH_FIELDS, out);
    out->c_puct = 1.1;
    out->c_puct_log = 0;
    out->c_puct_stdev_scale = 0;
    out->root_fpu_reduction = 0;
    out->root_noise = true;
    out->root_temperature = 1.1;
    out->root_temperature_early = 1.25;
    out->forced_playouts = 2;
    out->root_symmetries = 4;
    out->gumbel_scale = 1;
    out->gumbel_least_visits = 0;
    out->static_score_factor = 0;
    out->dynamic_score_factor = 0.4;
    out->score_center_zero_weight = 0.25;
    out->score_center_scale = 0.5;
    out->value_weight_exponent = 0.5;
    out->noise_pruning = false;
    out->uncertainty = false;
    out->temperature = 0.15;
    out->temperature_early = 0.75;
    out->tree_memory_mb = 256;
}
