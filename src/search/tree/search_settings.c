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
#define LC0 "lc0, src/search"

const SettingsField SEARCH_FIELDS[] = {
    FIELD_DOUBLE(SearchSettings, c_puct, 1.0, 0, 100, "exploration constant of PUCT",
                 .source = WU ", section 2", .alias = "cpuctExploration"),
    FIELD_DOUBLE(SearchSettings, c_puct_log, 0.45, 0, 100,
                 "increase of c_puct with the logarithm of the visits", .source = CODE,
                 .alias = "cpuctExplorationLog"),
    FIELD_DOUBLE(SearchSettings, c_puct_base, 500, 1, 1e9,
                 "b in the increase of c_puct by c_puct_log ln((N + b) / b), where N is the "
                 "weight of the moves of the node",
                 .source = CODE, .alias = "cpuctExplorationBase"),
    FIELD_DOUBLE(SearchSettings, visit_exponent, 0.5, 0.1, 1,
                 "the exponent of the exploration, which grows as (total weight of the node's "
                 "moves)^visit_exponent; 0.5: the square root of PUCT; proposed: less than 0.5, "
                 "with search.regret.rule = power",
                 .source = LCZERO ", Categorical Value Head"),
    FIELD_DOUBLE(SearchSettings, c_puct_stdev_prior, 0.4, 0.001, 10,
                 "standard deviation of utility that is assumed before there are visits",
                 .source = METHODS, .alias = "cpuctUtilityStdevPrior"),
    FIELD_DOUBLE(SearchSettings, c_puct_stdev_prior_weight, 2, 0, 1000,
                 "number of visits for which c_puct_stdev_prior counts", .source = METHODS,
                 .alias = "cpuctUtilityStdevPriorWeight"),
    FIELD_DOUBLE(SearchSettings, c_puct_stdev_scale, 0.85, 0, 1,
                 "how strongly the standard deviation of utility scales exploration; 0: not at all",
                 .source = METHODS, .alias = "cpuctUtilityStdevScale"),
    FIELD_DOUBLE(
        SearchSettings, fpu.reduction, 0.2, 0, 2,
        "below the root, the value of an unvisited move is the value of its parent minus "
        "fpu.reduction times sqrt(P), where P is the sum of the policy of the visited moves; in "
        "utility",
        .source = WU ", section 2", .alias = "fpuReductionMax", .former = "fpu_reduction"),
    FIELD_DOUBLE(SearchSettings, fpu.root_reduction, 0.1, 0, 2, "fpu.reduction at the root",
                 .source = WU ", section 2", .alias = "rootFpuReductionMax",
                 .former = "root_fpu_reduction"),
    FIELD_DOUBLE(
        SearchSettings, fpu.loss_fraction, 0, 0, 1,
        "how far the value of an unvisited move is moved towards a loss, as a fraction of the way",
        .source = CODE, .alias = "fpuLossProp", .former = "fpu_loss_share"),
    FIELD_DOUBLE(SearchSettings, fpu.root_loss_fraction, -1, -1, 1,
                 "fpu.loss_fraction at the root; -1: as fpu.loss_fraction", .source = CODE,
                 .alias = "rootFpuLossProp", .former = "root_fpu_loss_share"),
    FIELD_BOOL(SearchSettings, fpu.parent_by_visited_policy, true,
               "for the value of unvisited moves, the value of their parent is a mix: the value "
               "that the search found, and the value that the net predicted; the search counts "
               "more if the visited moves have more policy",
               .source = CODE, .alias = "fpuParentWeightByVisitedPolicy",
               .former = "fpu_parent_by_visited_policy"),
    FIELD_DOUBLE(SearchSettings, fpu.parent_pow, 2, 0, 10,
                 "power of the visited policy in the mix of fpu.parent_by_visited_policy",
                 .source = CODE, .alias = "fpuParentWeightByVisitedPolicyPow",
                 .former = "fpu_parent_pow"),
    FIELD_DOUBLE(
        SearchSettings, fpu.parent_weight, 0, 0, 1,
        "fraction of the net's value in the parent's value if fpu.parent_by_visited_policy is off",
        .source = CODE, .alias = "fpuParentWeight", .former = "fpu_parent_weight"),
    FIELD_DOUBLE(SearchSettings, virtual_losses, 1, 0.001, 1000,
                 "number of losses that a descent in progress counts for", .source = CODE,
                 .alias = "numVirtualLossesPerThread"),
    FIELD_INT(
        SearchSettings, leaves, 1, 1, SEARCH_LEAVES_MAX,
        "maximum number of leaves that a thread evaluates in one batch; 4 in gtp and analysis",
        .source = "own; batches of one tree: " CODE),
    FIELD_INT(SearchSettings, leaf_visits, 64, 1, 1e9,
              "a batch has at most 1 + (visits of the root) / leaf_visits leaves, so that small "
              "trees are searched one leaf at a time",
              .source = "own"),
    FIELD_DOUBLE(
        SearchSettings, child_stdev_visits, 0, 0, 10000,
        "n0: the exploration of a move is multiplied by (n0 + N r) / (n0 + N), where N is the "
        "number of visits of the move, and r is the standard deviation of its utility divided by "
        "the mean deviation of the node's moves; 0: off",
        .source = P3 ", 2026; " LCZERO ", Confidence-based Search"),
    FIELD_DOUBLE(SearchSettings, puct_v, 0, 0, 100,
                 "PUCT-V: the factor E of PUCT's exploration term becomes E sd + puct_v ln N, "
                 "where sd is the standard deviation of the move's utility, and N is the weight of "
                 "all moves of the node; 0: off; proposed: 3",
                 .source = P3 ", 2026"),
    FIELD_BOOL(SearchSettings, watch_unobserved, false,
               "descents in progress count as visits without a value, instead of losses",
               .source = "Liu et al. 2020, Watch the Unobserved; " P3 ", 2026"),
    FIELD_CHOICE(
        SearchSettings, regret.rule, REGRET_OFF, "off|explore|strong|power",
        "how a move is chosen; explore: by the largest R / N^1.5; strong: by the largest V + X + "
        "C n R / N^1.5; power: by the largest V + X + C n^tau R / N. R is the mean of max(v - Q, "
        "0) over the distribution of the move's values v, Q is the mean of v, N is the number of "
        "visits of the move, n is the number of visits of the node, and V and X are the value and "
        "the exploration of the move in PUCT. "
        "Needs a net with heads for short-term errors or, if regret.spread = net, a net with the "
        "head value_buckets",
        .source = LCZERO ", Categorical Value Head", .clears_tree = true, .former = "regret"),
    FIELD_CHOICE(SearchSettings, regret.spread, SPREAD_VARIANCE, "variance|categorical|net",
                 "how nodes store the distribution of values for search.regret.rule; variance: "
                 "as a variance (12 bytes); categorical: in buckets (4 bytes, and 2 for each "
                 "bucket); net: in buckets (4 bytes, and 4 for each bucket), which begin as the "
                 "distribution of the net's head value_buckets",
                 .source = LCZERO ", Categorical Value Head", .clears_tree = true,
                 .former = "regret_spread"),
    FIELD_DOUBLE(SearchSettings, regret.weight, 0.1, 0, 100, "the weight C of search.regret.rule",
                 .source = LCZERO, .former = "regret_weight"),
    FIELD_DOUBLE(SearchSettings, regret.power, 0.6, 0, 2,
                 "the power tau of search.regret.rule = power", .source = LCZERO,
                 .former = "regret_power"),
    FIELD_INT(SearchSettings, regret.buckets, 32, 2, 64,
              "buckets of the range of win - loss for regret.spread = categorical or net",
              .source = LCZERO ", Categorical Value Head", .clears_tree = true,
              .former = "regret_buckets"),
    FIELD_BOOL(SearchSettings, regret.worse_only, false,
               "the distribution of a node includes only the children whose value is worse, for "
               "the player to move at the node, than the value of the node",
               .source = LCZERO ", Categorical Value Head", .clears_tree = true,
               .former = "regret_worse_only"),
    FIELD_DOUBLE(SearchSettings, implicit_minimax, 0, 0, 1,
                 "fraction of the minimax value in a move's value during descents; the rest is the "
                 "mean value; 0: off",
                 .source = "Lanctot et al. 2014, Implicit Minimax Backups"),
    FIELD_DOUBLE(SearchSettings, moves_left.max_effect, 0, 0, 1,
                 "largest change of the utility of a move by the number of turns to the end of "
                 "the game, so that short wins and long losses are preferred; needs a net with "
                 "the head moves_left; 0: off; lc0: 0.0345",
                 .source = LC0),
    FIELD_DOUBLE(SearchSettings, moves_left.slope, 0.0027, 0, 1,
                 "change of the utility for each turn by which a move makes the game shorter or "
                 "longer, before it is multiplied by the factor that depends on win - loss",
                 .source = LC0),
    FIELD_DOUBLE(SearchSettings, moves_left.threshold, 0.8, 0, 0.999,
                 "the turns to the end count at nodes with abs(win - loss) above this value",
                 .source = LC0),
    FIELD_DOUBLE(SearchSettings, moves_left.constant, 0, -10, 10,
                 "constant part a of the factor a + b x + c x^2, where x grows from 0 at "
                 "moves_left.threshold to 1 for a certain result",
                 .source = LC0),
    FIELD_DOUBLE(SearchSettings, moves_left.linear, 1.6521, -10, 10,
                 "coefficient b of the "
                 "factor in "
                 "moves_left.constant",
                 .source = LC0),
    FIELD_DOUBLE(SearchSettings, moves_left.quadratic, -0.6521, -10, 10,
                 "coefficient c of the factor in moves_left.constant", .source = LC0),
    FIELD_DOUBLE(SearchSettings, questionable.weight, 0, 0, 10,
                 "if the mover's utility exceeds its utility at the root by at least "
                 "questionable.threshold, the value of the most visited move is raised by "
                 "questionable.weight times the difference; 0: off; proposed: 0.1",
                 .source =
                     LCZERO ", A Search Heuristic to Improve Efficiency on Questionable Lines",
                 .former = "questionable_weight"),
    FIELD_DOUBLE(
        SearchSettings, questionable.threshold, 0.3, 0, 10,
        "smallest difference between the mover's utility at a node and at the root for which "
        "questionable.weight applies",
        .source = LCZERO, .former = "questionable_threshold"),
    FIELD_DOUBLE(SearchSettings, questionable.decay, 0, 0, 1e9,
                 "number of visits of a node at which the raise by questionable.weight has "
                 "fallen to half; 0: the raise does not fall",
                 .source = LCZERO, .former = "questionable_decay"),
    FIELD_BOOL(SearchSettings, anti_mirror, false,
               "counter a mirroring opponent: consider its mirror moves and the center",
               .source = CODE "/searchmirror.cpp", .alias = "antiMirror", .clears_tree = true),
    FIELD_BOOL(SearchSettings, graph.on, false,
               "if different orders of moves lead to the same position, these positions share "
               "one node",
               .source = "KataGo, docs/GraphSearch.md", .alias = "useGraphSearch",
               .clears_tree = true, .former = "graph"),
    FIELD_INT(SearchSettings, graph.repetition_bound, 11, 0, 1000,
              "positions that different paths reach do not share a node if an earlier position "
              "can come back within this number of moves",
              .source = "KataGo, cpp/game/graphhash.cpp", .alias = "graphSearchRepBound",
              .clears_tree = true, .former = "graph_repetition_bound"),
    FIELD_DOUBLE(
        SearchSettings, graph.catch_up_leak, 0, 0, 1,
        "if an edge has fewer visits than the shared node to which it leads, a descent ends at "
        "this node: the edge and the nodes above it count the visit, but the shared node does not; "
        "this setting is the probability that the descent goes on instead",
        .source = CODE, .alias = "graphSearchCatchUpLeakProb", .former = "graph_catch_up_leak"),
    FIELD_BOOL(
        SearchSettings, friendly_pass, false,
        "if the rules allow friendly passes, the second pass within the tree does not end the game",
        .source = CODE, .clears_tree = true),
    FIELD_BOOL(SearchSettings, passing_hacks, false,
               "if a pass would end the game and the mover would not win, nets do not see that "
               "the pass ends the game; also limits the prior of the pass to 0.95; on in gtp and "
               "analysis",
               .source = CODE, .alias = "enablePassingHacks", .clears_tree = true),
    FIELD_BOOL(SearchSettings, more_passing_hacks, false,
               "if a pass would end a phase, the pass and another move are visited at least "
               "once; these visits do not count for the value of the node; on in gtp and analysis",
               .source = CODE, .alias = "enableMorePassingHacks", .clears_tree = true),
    FIELD_BOOL(SearchSettings, noise.on, false, "add Dirichlet noise to the priors of the root",
               .source = "Silver et al. 2017; " WU, .alias = "rootNoiseEnabled",
               .former = "root_noise"),
    FIELD_DOUBLE(SearchSettings, noise.weight, 0.25, 0, 1,
                 "fraction of the noise in the priors of the root", .source = "Silver et al. 2017",
                 .alias = "rootDirichletNoiseWeight", .former = "noise_weight"),
    FIELD_DOUBLE(SearchSettings, noise.concentration, 10.83, 0.001, 10000,
                 "sum of the parameters of the Dirichlet distribution", .source = WU ", section 2",
                 .alias = "rootDirichletNoiseTotalConcentration", .former = "noise_concentration"),
    FIELD_BOOL(SearchSettings, noise.shaped, true,
               "give half of the noise to moves with a high prior", .source = METHODS,
               .former = "noise_shaped"),
    FIELD_DOUBLE(SearchSettings, root_temperature, 1, 0.01, 100,
                 "temperature of the root's priors late in the game", .source = METHODS,
                 .alias = "rootPolicyTemperature"),
    FIELD_DOUBLE(SearchSettings, root_temperature_early, 1, 0.01, 100,
                 "temperature of the root's priors at the start of the game", .source = METHODS,
                 .alias = "rootPolicyTemperatureEarly"),
    FIELD_DOUBLE(SearchSettings, forced_playouts, 0, 0, 100,
                 "factor k of the forced playouts sqrt(k P N) at the root; 0: none",
                 .source = WU ", section 3.2", .alias = "rootDesiredPerChildVisitsCoeff"),
    FIELD_BOOL(
        SearchSettings, target_pruning, true,
        "remove from the policy target those visits of root moves that PUCT would not have made",
        .source = WU ", section 3.2"),
    FIELD_DOUBLE(
        SearchSettings, wide_root_noise, 0, 0, 5,
        "flatten priors and add noise to values at the root, to look at more moves; 0: off",
        .source = CODE, .alias = "wideRootNoise", .clears_tree = true),
    FIELD_BOOL(SearchSettings, root_symmetry_pruning, false,
               "search only one of several root moves that are equivalent by a symmetry of the "
               "position; not for self-play whose rows are trained on",
               .source = CODE, .alias = "rootSymmetryPruning", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, futile_visits, 0, 0, 1,
                 "skip a root move if, even with all visits that are left, its weight would be "
                 "below this fraction of the largest weight; 0: off",
                 .source = CODE, .alias = "futileVisitsThreshold"),
    FIELD_DOUBLE(SearchSettings, ending_bonus, 0, -1, 1,
                 "if the owner of a place on the board is already settled, a root move on this "
                 "place loses at most this many points of the score (needs ownership)",
                 .source = CODE, .alias = "rootEndingBonusPoints", .clears_tree = true),
    FIELD_BOOL(SearchSettings, prune_useless_moves, false,
               "after four passes of the opponent, make no root moves inside pass-alive area",
               .source = CODE, .alias = "rootPruneUselessMoves", .clears_tree = true),
    FIELD_BOOL(SearchSettings, conservative_pass, false,
               "a pass at the root is not assumed to end the game; on in gtp and analysis",
               .source = CODE, .alias = "conservativePass", .clears_tree = true),
    FIELD_BOOL(SearchSettings, avoid_rescale, false,
               "if some root moves are to be avoided, the priors of the other moves are scaled "
               "so that their sum is 1",
               .source = CODE, .alias = "avoidMoveUntilRescaleRoot"),
    FIELD_DOUBLE(SearchSettings, hint.policy, 0.02, 0, 1,
                 "the hint is the move that a file marks (selfplay.hint.sgfs); this fraction of "
                 "the priors of the other moves goes to the hint",
                 .source = CODE, .former = "hint_policy"),
    FIELD_DOUBLE(SearchSettings, hint.weight, 0.8, 0, 10,
                 "a hint move is searched until it has this fraction of every other move's weight",
                 .source = CODE, .former = "hint_weight"),
    FIELD_DOUBLE(SearchSettings, factor_after_one_pass, 1, 0.001, 1000,
                 "factor of the limits on visits and playouts after a pass of the opponent",
                 .source = CODE, .alias = "searchFactorAfterOnePass"),
    FIELD_DOUBLE(
        SearchSettings, factor_after_two_passes, 1, 0.001, 1000,
        "factor of the limits on visits and playouts after the opponent's second pass in a row",
        .source = CODE, .alias = "searchFactorAfterTwoPass"),
    FIELD_BOOL(SearchSettings, gumbel.on, false,
               "sample root moves with Gumbel noise and halve their number round by round; turns "
               "off Dirichlet noise, root temperature, forced playouts, target pruning and LCB",
               .source = GUMBEL, .former = "gumbel"),
    FIELD_INT(SearchSettings, gumbel.considered, 16, 1, 362,
              "number of moves that are sampled at the root", .source = GUMBEL,
              .former = "gumbel_considered"),
    FIELD_INT(SearchSettings, gumbel.min_visits, 2, 0, 1e6,
              "minimum number of visits of each move in the first round; if there are too few "
              "visits, fewer moves are sampled, but at least two; 0: as in the paper",
              .source = "own", .former = "gumbel_least_visits"),
    FIELD_DOUBLE(
        SearchSettings, gumbel.scale, 0, 0, 10,
        "factor of the Gumbel noise that is added to the logits of the root; 0: take the likeliest "
        "moves (play); 1: self-play",
        .source = GUMBEL "; p3achygo", .former = "gumbel_scale"),
    FIELD_DOUBLE(SearchSettings, gumbel.visit_offset, 50, 0, 10000,
                 "number added to the visits of the most visited move when values are weighed "
                 "against logits",
                 .source = GUMBEL ", c_visit", .former = "gumbel_visit_offset"),
    FIELD_DOUBLE(SearchSettings, gumbel.visit_scale, 1, 0, 100,
                 "weight of values against logits, with utility mapped to [0, 1]",
                 .source = GUMBEL ", c_scale; p3achygo", .former = "gumbel_visit_scale"),
    FIELD_CHOICE(
        SearchSettings, gumbel.inner, GUMBEL_INNER_PUCT, "puct|deterministic",
        "how moves below the root are chosen; deterministic: visits follow the improved policy",
        .source = GUMBEL "; p3achygo", .former = "gumbel_inner"),
    FIELD_CHOICE(SearchSettings, gumbel.halving, GUMBEL_HALVING_TABLE,
                 "table|p3achygo_2023|p3achygo_2026",
                 "how visits are divided among the rounds: by the table of the paper, or by the "
                 "rules of p3achygo in 2023 or 2026",
                 .source = GUMBEL "; " P3, .former = "gumbel_halving"),
    FIELD_CHOICE(SearchSettings, gumbel.sigma, GUMBEL_SIGMA_UNIT, "unit|raw|log|rescaled",
                 "the value that is weighed against logits; unit: utility mapped to [0, 1]; raw: "
                 "utility itself (p3achygo, 2023); log: as unit, with 2 ln(visits) in place of "
                 "visits (p3achygo, 2026); rescaled: utility mapped so that the smallest of the "
                 "node is 0 and the largest 1 (mctx)",
                 .source = P3 "; mctx", .former = "gumbel_sigma"),
    FIELD_BOOL(SearchSettings, gumbel.sampled_only, false,
               "in the policy target only the sampled moves of the root have searched values",
               .source = P3 ", 2023", .former = "gumbel_sampled_only"),
    FIELD_BOOL(
        SearchSettings, gumbel.chosen_value, false,
        "the value of the root is the mean of its own evaluation and the value of the chosen "
        "move; the values of other moves do not count",
        .source = P3 ", 2023", .former = "gumbel_chosen_value"),
    FIELD_BOOL(SearchSettings, gumbel.temperature, false,
               "draw the move from the improved policy by temperature, instead of playing the "
               "winner of the halving",
               .source = P3 ", 2026", .former = "gumbel_temperature"),
    FIELD_DOUBLE(
        SearchSettings, gumbel.stop_confidence, 0, 0, 0.9999,
        "a round ends early if its better half is better with enough confidence; this is the "
        "probability that no round of a search keeps the wrong half; 0: no round ends early; "
        "with gumbel.over_search > 1 no round ends early either; proposed: 0.95",
        .source = P3 ", 2026", .former = "gumbel_stop_confidence"),
    FIELD_DOUBLE(SearchSettings, gumbel.over_search, 1, 1, 10,
                 "with gumbel.stop_confidence: a round that is unsettled at its end is extended, "
                 "even beyond the limits of the search, to at most this factor times its visits. "
                 "A round can be extended only while none of its visits is under way; "
                 "search.leaves = 1 ensures such a moment. 1: no round is extended; proposed: 2.5",
                 .source = P3 ", 2026, mcts/gumbel.cc", .former = "gumbel_over_search"),
    FIELD_DOUBLE(SearchSettings, policy_optimism, 0, 0, 1,
                 "weight of the optimistic policy, which prefers moves that turn out better than "
                 "expected, in the priors; 0: priors are the ordinary policy; 1: they are the "
                 "optimistic policy",
                 .source = METHODS, .alias = "policyOptimism", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, root_policy_optimism, 0, 0, 1, "policy_optimism at the root",
                 .source = METHODS, .alias = "rootPolicyOptimism", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, playout_doubling_advantage, 0, -3, 3,
                 "x: the inputs of nets say that one side has 2^x times the playouts of the other",
                 .source = CODE, .alias = "playoutDoublingAdvantage"),
    FIELD_CHOICE(
        SearchSettings, playout_doubling_player, DOUBLING_OF_MOVER, "MOVER|BLACK|WHITE",
        "the side that has playout_doubling_advantage; MOVER: the side to move at the root",
        .source = CODE, .alias = "playoutDoublingAdvantagePla"),
    FIELD_DOUBLE(
        SearchSettings, doublings_per_lead, 0, 0, 0.5,
        "in GTP: the side that was behind at the start of the game gets a playout doubling "
        "advantage, which changes in the course of the game; its maximum is this number times "
        "the points by which the side was behind; 0: off; KataGo: 0.045",
        .source = "KataGo, cpp/command/gtp.cpp",
        .alias = "dynamicPlayoutDoublingAdvantageCapPerOppLead"),
    FIELD_DOUBLE(SearchSettings, policy_temperature, 1, 0.01, 100,
                 "temperature of the net's policy, by which its logits are divided", .source = CODE,
                 .alias = "nnPolicyTemperature"),
    FIELD_TEXT(SearchSettings, human.profile, "",
               "player whom a net of human play imitates, such as rank_5k, rank_1d_3k, preaz_9d, "
               "proyear_1950; empty, or the word unknown: a net that was trained here plays like "
               "all players "
               "of its games together",
               .source = "KataGo, cpp/neuralnet/sgfmetadata.cpp", .alias = "humanSLProfile",
               .former = "human_profile"),
    FIELD_INT(SearchSettings, symmetries, 1, 1, 8,
              "number of board symmetries over which each evaluation is averaged",
              .source = "Silver et al. 2017"),
    FIELD_INT(SearchSettings, root_symmetries, 1, 1, 8,
              "number of board symmetries at the root, if this number is above search.symmetries",
              .source = CODE, .alias = "rootNumSymmetriesToSample"),
    FIELD_BOOL(SearchSettings, ignore_history, false,
               "hide the moves before the root from nets; true in JSON analysis unless a query "
               "says otherwise",
               .source = CODE, .alias = "ignorePreRootHistory", .clears_tree = true),
    FIELD_DOUBLE(
        SearchSettings, history_weight, 1, 0, 1,
        "w: how strongly nets see the last moves, in all positions; the inputs of nets are w "
        "(the inputs with the last moves) + (1 - w) (the inputs without the last moves); GoNN's "
        "half history: 0.5; no history: 0",
        .source = "GoNN, play.py", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, win_loss_factor, 1, 0, 10, "utility of a win", .source = CODE,
                 .alias = "winLossUtilityFactor", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, static_score_factor, 0.1, 0, 10,
                 "maximum utility of the score, where the score counts from 0", .source = CODE,
                 .alias = "staticScoreUtilityFactor", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, dynamic_score_factor, 0.3, 0, 10,
                 "maximum utility of the score, where the score counts from the expected score",
                 .source = WU ", section 4.2", .alias = "dynamicScoreUtilityFactor",
                 .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, score_center_zero_weight, 0.2, 0, 1,
                 "the expected score of dynamic_score_factor is moved towards 0 by this fraction",
                 .source = CODE, .alias = "dynamicScoreCenterZeroWeight"),
    FIELD_DOUBLE(SearchSettings, score_center_scale, 0.75, 0.01, 10,
                 "width of the utility of score, as a multiple of the square root of the area",
                 .source = CODE, .alias = "dynamicScoreCenterScale"),
    FIELD_DOUBLE(SearchSettings, no_result_utility_for_white, 0, -1, 1,
                 "utility for White of a game without result", .source = CODE,
                 .alias = "noResultUtilityForWhite", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, draw_equivalent_wins_for_white, 0.5, 0, 1,
                 "value of a draw for White, in wins", .source = CODE,
                 .alias = "drawEquivalentWinsForWhite", .clears_tree = true),
    FIELD_DOUBLE(
        SearchSettings, value_weight_exponent, 0.25, 0, 1,
        "how strongly bad children lose weight in the value of their parent; 0: not at all",
        .source = CODE, .alias = "valueWeightExponent", .clears_tree = true),
    FIELD_BOOL(SearchSettings, noise_pruning.on, true,
               "reduce the weight of bad moves that have more visits than their prior justifies",
               .source = CODE, .alias = "useNoisePruning", .former = "noise_pruning"),
    FIELD_DOUBLE(
        SearchSettings, noise_pruning.scale, 0.15, 0.001, 10,
        "scale of the utility gap by which a move is worse than the moves with a higher "
        "prior: noise pruning removes the fraction 1 - exp(-gap / scale) of the unjustified "
        "weight",
        .source = CODE, .alias = "noisePruneUtilityScale", .former = "noise_prune_scale"),
    FIELD_DOUBLE(SearchSettings, noise_pruning.cap, 1e9, 0, 1e9,
                 "maximum weight that a move can lose by noise pruning", .source = CODE,
                 .alias = "noisePruningCap", .former = "noise_prune_cap"),
    FIELD_BOOL(SearchSettings, uncertainty.on, true,
               "weigh playouts by the net's expected short-term error", .source = METHODS,
               .alias = "useUncertainty", .clears_tree = true, .former = "uncertainty"),
    FIELD_CHOICE(SearchSettings, uncertainty.error, ERROR_SHORTTERM, "shortterm|value",
                 "the error that decides the weight of a playout; shortterm: the short-term "
                 "errors of value and score; value: the error of the value, from a net with the "
                 "head value_error",
                 .source = METHODS "; value: lczero-training, tfprocess.py", .clears_tree = true),
    FIELD_DOUBLE(SearchSettings, uncertainty.coefficient, 0.25, 0.0001, 10,
                 "c in the weight of a playout, c / (error^uncertainty.exponent + c / "
                 "uncertainty.max_weight)",
                 .source = METHODS, .alias = "uncertaintyCoeff", .clears_tree = true,
                 .former = "uncertainty_coeff"),
    FIELD_DOUBLE(SearchSettings, uncertainty.exponent, 1, 0, 10,
                 "power of the error in the weight of a playout", .source = METHODS,
                 .alias = "uncertaintyExponent", .clears_tree = true,
                 .former = "uncertainty_exponent"),
    FIELD_DOUBLE(SearchSettings, uncertainty.max_weight, 8, 1, 1000,
                 "weight of a playout if the net expects an error of 0", .source = METHODS,
                 .alias = "uncertaintyMaxWeight", .clears_tree = true,
                 .former = "uncertainty_max_weight"),
    FIELD_BOOL(SearchSettings, uncertainty.normalise, false,
               "scale the weights of playouts so that their mean at each node is one per visit",
               .source = LCZERO ", Confidence-based Search", .clears_tree = true,
               .former = "uncertainty_normalise"),
    FIELD_DOUBLE(SearchSettings, bias.factor, 0, 0, 1,
                 "a fraction of the mean error at nodes with the same local shape is subtracted "
                 "from a node's own value; this is the fraction; 0: off; KataGo: 0.45",
                 .source = METHODS ", Subtree Value Bias Correction",
                 .alias = "subtreeValueBiasFactor", .clears_tree = true, .former = "bias_factor"),
    FIELD_DOUBLE(
        SearchSettings, bias.weight_exponent, 0.85, 0, 1,
        "in the mean error of a local shape, each node counts with its weight raised to this "
        "power",
        .source = METHODS, .alias = "subtreeValueBiasWeightExponent", .clears_tree = true,
        .former = "bias_weight_exponent"),
    FIELD_DOUBLE(SearchSettings, bias.free_fraction, 0.8, 0, 1,
                 "if nodes leave the tree after a move, this fraction of their errors is forgotten",
                 .source = METHODS, .alias = "subtreeValueBiasFreeProp",
                 .former = "bias_free_share"),
    FIELD_DOUBLE(SearchSettings, avoid_repeats, 0, -3, 3,
                 "utility that a move loses if its side has made the same local shape in this "
                 "game; 0: off; KataGo: 0.005 in handicap games",
                 .source = "KataGo, cpp/search/patternbonustable.cpp",
                 .alias = "avoidRepeatedPatternUtility", .clears_tree = true),
    FIELD_CHOICE(SearchSettings, choice_law, CHOICE_TEMPERATURE, "temperature|policy_beta",
                 "how gtp, play and match draw the move to play; temperature: from the weights "
                 "of the search, by search.temperature; policy_beta: only from the net's policy, "
                 "by a beta distribution, so that the likeliest move becomes likelier with each "
                 "turn",
                 .source = "GoNN, play.py"),
    FIELD_INT(SearchSettings, choice_beta_turn, 20, 0, 10000,
              "number of the last turn at which choice_law = policy_beta draws moves in "
              "proportion to their probabilities",
              .source = "GoNN, play.py"),
    FIELD_DOUBLE(SearchSettings, temperature, 0.1, 0, 100,
                 "temperature of the choice of the move late in the game", .source = WU,
                 .alias = "chosenMoveTemperature"),
    FIELD_DOUBLE(SearchSettings, temperature_early, 0.5, 0, 100,
                 "temperature of the choice of the move at the start of the game", .source = WU,
                 .alias = "chosenMoveTemperatureEarly"),
    FIELD_DOUBLE(SearchSettings, temperature_halflife, 19, 0.1, 10000,
                 "number of turns, on 19x19, after which the temperature has fallen half of the "
                 "way",
                 .source = WU, .alias = "chosenMoveTemperatureHalflife"),
    FIELD_DOUBLE(SearchSettings, temperature_below, 1, 0.0001, 1,
                 "the temperature changes only the weights of moves whose fraction of the whole "
                 "weight is below this",
                 .source = CODE, .alias = "chosenMoveTemperatureOnlyBelowProb"),
    FIELD_BOOL(SearchSettings, lcb.on, true, "prefer the move with the best lower confidence bound",
               .source = CODE, .alias = "useLcbForSelection", .former = "lcb"),
    FIELD_CHOICE(SearchSettings, lcb.rule, LCB_KATAGO, "katago|student",
                 "katago: the bound of lcb.stdevs raises the weight of the move with the best "
                 "bound; student: only the bound at the 0.975 quantile of Student's t "
                 "distribution decides",
                 .source = CODE "; " P3 ", mcts/tree.cc", .former = "lcb_rule"),
    FIELD_DOUBLE(SearchSettings, lcb.stdevs, 5, 0.1, 100,
                 "number of standard errors between the mean and the lower confidence bound",
                 .source = CODE, .alias = "lcbStdevs", .former = "lcb_stdevs"),
    FIELD_DOUBLE(
        SearchSettings, lcb.min_visit_fraction, 0.15, 0, 1,
        "minimum weight that a move needs to be preferred, as a fraction of the largest weight",
        .source = CODE, .alias = "minVisitPropForLCB", .former = "lcb_min_visit_share"),
    FIELD_DOUBLE(SearchSettings, move_prune, 1, 0, 1e9,
                 "moves with less weight than this are not chosen", .source = CODE,
                 .alias = "chosenMovePrune"),
    FIELD_DOUBLE(SearchSettings, move_subtract, 0, 0, 1e9,
                 "weight that is subtracted from every move before the choice", .source = CODE,
                 .alias = "chosenMoveSubtract"),
    FIELD_BOOL(
        SearchSettings, fill_dame_before_pass, false,
        "under territory scoring, do not pass while a neutral point can be filled at no loss",
        .source = CODE, .alias = "fillDameBeforePass"),
    FIELD_DOUBLE(SearchSettings, human.root_weightless, 0, 0, 1,
                 "probability that a root visit follows the human policy without counting for the "
                 "root's value (needs a second net of human play)",
                 .source = HUMAN, .alias = "humanSLRootExploreProbWeightless",
                 .former = "human_root_weightless"),
    FIELD_DOUBLE(
        SearchSettings, human.root_weightful, 0, 0, 1,
        "probability that a root visit follows the human policy and counts for the root's value",
        .source = HUMAN, .alias = "humanSLRootExploreProbWeightful",
        .former = "human_root_weightful"),
    FIELD_DOUBLE(SearchSettings, human.own_weightless, 0, 0, 1,
                 "human.root_weightless for nodes below the root where the root's mover is to move",
                 .source = HUMAN, .alias = "humanSLPlaExploreProbWeightless",
                 .former = "human_own_weightless"),
    FIELD_DOUBLE(SearchSettings, human.own_weightful, 0, 0, 1,
                 "human.root_weightful for nodes below the root where the root's mover is to move",
                 .source = HUMAN, .alias = "humanSLPlaExploreProbWeightful",
                 .former = "human_own_weightful"),
    FIELD_DOUBLE(SearchSettings, human.other_weightless, 0, 0, 1,
                 "human.root_weightless for nodes where the opponent is to move", .source = HUMAN,
                 .alias = "humanSLOppExploreProbWeightless", .former = "human_other_weightless"),
    FIELD_DOUBLE(SearchSettings, human.other_weightful, 0, 0, 1,
                 "human.root_weightful for nodes where the opponent is to move", .source = HUMAN,
                 .alias = "humanSLOppExploreProbWeightful", .former = "human_other_weightful"),
    FIELD_DOUBLE(SearchSettings, human.c_puct, 1, 0, 1000,
                 "exploration constant of visits that follow the human policy", .source = HUMAN,
                 .alias = "humanSLCpuctExploration", .former = "human_c_puct"),
    FIELD_DOUBLE(SearchSettings, human.c_puct_permanent, 0, 0, 1000,
                 "exploration that does not shrink with visits; a likely human move is still "
                 "visited if its utility is about this much below that of the best move",
                 .source = HUMAN, .alias = "humanSLCpuctPermanent",
                 .former = "human_c_puct_permanent"),
    FIELD_DOUBLE(SearchSettings, human.chosen_fraction, 0, 0, 1,
                 "fraction of the human policy in the choice of the move, before temperature; "
                 "the rest is the policy of the search",
                 .source = CHOICE, .alias = "humanSLChosenMoveProp",
                 .former = "human_chosen_share"),
    FIELD_DOUBLE(
        SearchSettings, human.chosen_lambda, 1e9, 0.001, 1e9,
        "the human policy of a move is divided by e for each loss of this much utility, as the "
        "search finds it",
        .source = CHOICE "; Jacob et al. 2022 (piKL)", .alias = "humanSLChosenMovePiklLambda",
        .former = "human_chosen_lambda"),
    FIELD_BOOL(SearchSettings, human.chosen_ignore_pass, false,
               "the probability of the pass comes from the search, not from the human policy",
               .source = CHOICE, .alias = "humanSLChosenMoveIgnorePass",
               .former = "human_chosen_ignore_pass"),
    FIELD_DOUBLE(SearchSettings, level.loss_scale, 0, 0, 1000,
                 "weaker play: for each loss of this many points, on 19x19, the weight of a move "
                 "is divided by e; on smaller boards, and if the net expects a smaller deviation "
                 "of the score than level.opening_stdev, a smaller loss suffices; 0: off",
                 .source = "own"),
    FIELD_DOUBLE(SearchSettings, level.loss_max, 40, 0, 1000,
                 "weaker play: maximum number of points, on 19x19, that a move may lose",
                 .source = "own"),
    FIELD_DOUBLE(SearchSettings, level.temperature, 1, 0.01, 100,
                 "weaker play: temperature of the net's policy", .source = "own"),
    FIELD_DOUBLE(SearchSettings, level.opening_stdev, 0, 0, 1000,
                 "weaker play: standard deviation of the score, in points, that the net must "
                 "expect for level.loss_scale to count in full; 0: 1.3 times the square root of "
                 "the area",
                 .source = "own"),
    FIELD_BOOL(SearchSettings, level.draw, false,
               "weaker play: the moves that a Gumbel search considers are drawn at random from the "
               "net's policy with level.temperature, so that good moves can be overlooked; moves "
               "into eyes of one's own are not drawn, and the pass is always considered",
               .source = "own"),
    FIELD_INT(SearchSettings, playouts_per_thread, 0, 0, 1000000,
              "minimum number of playouts of each thread; if there are too few playouts, fewer "
              "threads search; 0: no minimum; KataGo: 8",
              .source = CODE, .alias = "minPlayoutsPerThread"),
    FIELD_BOOL(
        SearchSettings, value_buckets, false,
        "self-play: rows store the distribution of search values in 51 buckets for the heads "
        "search_values and value_buckets (KataGo's shuffle.py refuses such files)",
        .source = P3 ", 2026"),
    FIELD_INT64(SearchSettings, tree_memory_mb, 4096, 1, 1 << 24,
                "memory limit of the tree, MB; half of it is for the part of the tree that is "
                "kept after a move"),
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
    Color side = player == DOUBLING_OF_BLACK   ? COLOR_BLACK
                 : player == DOUBLING_OF_WHITE ? COLOR_WHITE
                                               : root_mover;
    return (EvaluationOptions){
        .white_doublings = value_for_white((float)settings->playout_doubling_advantage, side),
        .policy_optimism =
            (float)(root ? settings->root_policy_optimism : settings->policy_optimism),
        .conservative_pass = root && settings->conservative_pass,
        .passing_hacks = settings->passing_hacks,
        .history_hidden = (float)(1 - settings->history_weight),
        .draw_shift = (float)settings->draw_equivalent_wins_for_white - 0.5f};
}

bool search_settings_need_human_policy(const SearchSettings *s) {
    return s->human.chosen_fraction > 0 || s->human.root_weightless > 0 ||
           s->human.root_weightful > 0 || s->human.own_weightless > 0 ||
           s->human.own_weightful > 0 || s->human.other_weightless > 0 ||
           s->human.other_weightful > 0;
}

void search_settings_evaluator(const SearchSettings *settings, NetEvaluatorSetup *config) {
    config->symmetries = settings->symmetries;
    config->ownership = config->ownership || settings->ending_bonus != 0 ||
                        settings->fill_dame_before_pass || settings->anti_mirror;
    config->policy_temperature = (float)settings->policy_temperature;
    config->human_profile = *settings->human.profile ? settings->human.profile : NULL;
}
