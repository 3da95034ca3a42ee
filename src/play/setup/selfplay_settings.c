#include "play/setup/selfplay_settings.h"

#define WU "Wu 2019, Accelerating Self-Play Learning in Go"
#define EXPLOIT "Trudeau and Bowling 2023, Go-Exploit; p3achygo, selfplay"
#define CONFIGS "KataGo, cpp/configs/training"
#define GROWTH "p3achygo, visits that grow with the generation"
#define PLAY "KataGo, cpp/program/play.cpp"

const SettingsField SELFPLAY_FIELDS[] = {
    FIELD_TEXT(SelfplaySettings, sizes, "7:1",
               "board sizes with weights, such as \"7:1, 9:4, 9x7:1\"; \"13:2@100000\" begins with "
               "the first net after 100000 rows",
               .source = WU ", appendix D"),
    FIELD_TEXT(SelfplaySettings, ko_rules, "SIMPLE, POSITIONAL, SITUATIONAL",
               "ko rules, one of which is drawn for each game", .source = CONFIGS,
               .alias = "koRules"),
    FIELD_TEXT(SelfplaySettings, scoring_rules, "AREA",
               "scoring rules, one of which is drawn for each game", .source = CONFIGS,
               .alias = "scoringRules"),
    FIELD_TEXT(SelfplaySettings, tax_rules, "NONE",
               "group taxes, one of which is drawn for each game", .source = CONFIGS,
               .alias = "taxRules"),
    FIELD_TEXT(
        SelfplaySettings, suicide_rules, "false, true",
        "whether multi-stone suicide is legal: true and false, one of which is drawn for each game",
        .source = CONFIGS, .alias = "multiStoneSuicideLegals"),
    FIELD_TEXT(SelfplaySettings, button_rules, "false",
               "whether there is a button: true and false, one of which is drawn for each game",
               .source = CONFIGS, .alias = "hasButtons"),
    FIELD_DOUBLE(SelfplaySettings, rectangle_probability, 0, 0, 1,
                 "fraction of games whose width and height are drawn separately (KataGo: 0.1)",
                 .source = CONFIGS, .alias = "allowRectangleProb"),
    FIELD_DOUBLE(SelfplaySettings, draw_radius, 0, 0, 0.5,
                 "each game draws how many wins a draw is worth, at most this far from "
                 "search.draw_equivalent_wins_for_white; this value is an input of nets "
                 "(KataGo: 0.5)",
                 .source = CONFIGS, .alias = "drawRandRadius"),
    FIELD_DOUBLE(
        SelfplaySettings, no_result_stdev, 0, 0, 1,
        "standard deviation between games of search.no_result_utility_for_white (KataGo: 1/6)",
        .source = CONFIGS, .alias = "noResultStdev"),
    FIELD_BOOL(SelfplaySettings, komi.auto_mean, false,
               "the mean komi is what the net finds fair on the empty board, instead of komi.mean "
               "(KataGo: true)",
               .source = CONFIGS, .alias = "komiAuto", .former = "komi_auto"),
    FIELD_DOUBLE(SelfplaySettings, komi.mean, 9, -400, 400, "mean komi; 9 is fair on 7x7 (Wu: 7)",
                 .source = WU ", appendix D", .alias = "komiMean", .former = "komi_mean"),
    FIELD_DOUBLE(SelfplaySettings, komi.stdev, 1, 0, 60,
                 "standard deviation of komi on 19x19, in points; on other boards it is in "
                 "proportion to the side of the board",
                 .source = WU ", appendix D", .alias = "komiStdev", .former = "komi_stdev"),
    FIELD_DOUBLE(SelfplaySettings, komi.big_probability, 0.06, 0, 1,
                 "fraction of games whose komi has the deviation komi.big_stdev", .source = CONFIGS,
                 .alias = "komiBigStdevProb", .former = "komi_big_probability"),
    FIELD_DOUBLE(SelfplaySettings, komi.big_stdev, 12, 0, 100,
                 "standard deviation of komi in the games of komi.big_probability, in points on "
                 "19x19",
                 .source = CONFIGS, .alias = "komiBigStdev", .former = "komi_big_stdev"),
    FIELD_DOUBLE(
        SelfplaySettings, komi.huge_probability, 0, 0, 1,
        "fraction of games whose komi has the deviation komi.huge_stdev (KataGo, late: 0.005)",
        .source = CONFIGS, .former = "komi_huge_probability"),
    FIELD_DOUBLE(SelfplaySettings, komi.huge_stdev, 45, 0, 200,
                 "standard deviation of komi in the games of komi.huge_probability, in points on "
                 "19x19",
                 .source = CONFIGS, .former = "komi_huge_stdev"),
    FIELD_DOUBLE(SelfplaySettings, komi.whole_probability, 1, 0, 1,
                 "fraction of games whose komi may be a whole number; in the others it is a whole "
                 "number plus 1/2",
                 .source = CONFIGS, .alias = "komiAllowIntegerProb",
                 .former = "komi_whole_probability"),
    FIELD_INT(SelfplaySettings, komi.visits, 0, 0, 10000,
              "visits of each search for a fair komi; 0: three evaluations of the net instead "
              "(KataGo: 20)",
              .source = CONFIGS, .alias = "compensateKomiVisits", .former = "komi_visits"),
    FIELD_BOOL(SelfplaySettings, komi.varied, false,
               "half of the handicap games and a quarter of the early and late forks get a "
               "random komi between their own and the fair komi; games whose komi is made fair "
               "do not (KataGo: true)",
               .source = CONFIGS, .alias = "fancyKomiVarying", .former = "komi_varied"),
    FIELD_DOUBLE(SelfplaySettings, handicap.probability, 0.1, 0, 1,
                 "fraction of games with handicap stones, on boards larger than 10x10",
                 .source = CONFIGS, .alias = "handicapProb", .former = "handicap_probability"),
    FIELD_DOUBLE(SelfplaySettings, handicap.fair_probability, 0.5, 0, 1,
                 "fraction of handicap games whose komi makes up for the stones", .source = CONFIGS,
                 .alias = "handicapCompensateKomiProb", .former = "handicap_fair_probability"),
    FIELD_DOUBLE(
        SelfplaySettings, asymmetric.probability, 0.01, 0, 1,
        "fraction of games without handicap in which one side has more visits; an input of nets "
        "gives the ratio of the visits",
        .source = CONFIGS, .alias = "normalAsymmetricPlayoutProb",
        .former = "asymmetric_probability"),
    FIELD_DOUBLE(SelfplaySettings, asymmetric.handicap_probability, 0.5, 0, 1,
                 "fraction of handicap games in which White has more visits; an input of nets "
                 "gives the ratio of the visits",
                 .source = CONFIGS, .alias = "handicapAsymmetricPlayoutProb",
                 .former = "asymmetric_handicap_probability"),
    FIELD_DOUBLE(SelfplaySettings, asymmetric.max_ratio, 8, 1, 8,
                 "maximum ratio of the visits of the two sides", .source = CONFIGS,
                 .alias = "maxAsymmetricRatio", .former = "asymmetric_most_ratio"),
    FIELD_DOUBLE(SelfplaySettings, asymmetric.fair_probability, 0.4, 0, 1,
                 "fraction of games with unequal visits whose komi makes up for them; handicap "
                 "games use the larger of this and handicap.fair_probability",
                 .source = CONFIGS, .alias = "minAsymmetricCompensateKomiProb",
                 .former = "asymmetric_fair_probability"),
    FIELD_DOUBLE(
        SelfplaySettings, opening.area_fraction, 0.04, 0, 1,
        "mean number of first moves that are drawn from the policy, as a fraction of the area",
        .source = WU ", appendix D", .alias = "policyInitAreaProp", .former = "opening_area_share"),
    FIELD_DOUBLE(SelfplaySettings, opening.temperature, 1, 0.01, 10,
                 "temperature of the policy for the first moves that are drawn from it",
                 .source = WU ", appendix D", .alias = "policyInitAreaTemperature",
                 .former = "opening_temperature"),
    FIELD_DOUBLE(SelfplaySettings, opening.gamma_shape, 1, 0.01, 100,
                 "shape of the gamma distribution of the number of first moves that are drawn from "
                 "the policy; 1: exponential",
                 .source = PLAY, .former = "opening_gamma_shape"),
    FIELD_DOUBLE(SelfplaySettings, opening.any_probability, 0, 0, 1,
                 "fraction of the first moves that are drawn from all legal moves with equal "
                 "probability, instead of the policy (KataGo: 0.0002)",
                 .source = PLAY, .former = "opening_any_probability"),
    FIELD_DOUBLE(SelfplaySettings, opening.fair_probability, 0.2, 0, 1,
                 "fraction of games whose komi is made fair after the opening", .source = CONFIGS,
                 .alias = "compensateAfterPolicyInitProb", .former = "opening_fair_probability"),
    FIELD_DOUBLE(SelfplaySettings, opening.random_fraction, 0, 0, 1,
                 "fraction of games that begin with random legal moves other than the pass",
                 .former = "opening_random_share"),
    FIELD_INT(SelfplaySettings, opening.random_moves, 8, 1, 361,
              "maximum number of random moves at the beginning of a game",
              .former = "opening_random_moves"),
    FIELD_DOUBLE(SelfplaySettings, opening.random_more, 1, 0.001, 1,
                 "the probability of k random moves at the beginning is in proportion to this^(k - "
                 "1); 1: all numbers are equally likely",
                 .former = "opening_random_more"),
    FIELD_DOUBLE(SelfplaySettings, encore.probability, 0.04, 0, 1,
                 "fraction of games under territory scoring that begin in one of the two encore "
                 "phases, with a fair komi",
                 .source = PLAY, .former = "encore_probability"),
    FIELD_DOUBLE(SelfplaySettings, encore.area_fraction, 0.25, 0, 1,
                 "mean number of moves that are drawn from the policy before the encore, as a "
                 "fraction of the area",
                 .source = PLAY, .former = "encore_area_share"),
    FIELD_DOUBLE(SelfplaySettings, encore.temperature, 0.66666667, 0.01, 10,
                 "temperature of the policy for the moves before the encore", .source = PLAY,
                 .former = "encore_temperature"),
    FIELD_INT(SelfplaySettings, full.visits, 100, 1, 1000000,
              "visits of a full search (Wu: 600 and more)", .source = WU ", section 3.1",
              .former = "full_visits"),
    FIELD_INT(SelfplaySettings, cheap.visits, 20, 1, 1000000,
              "visits of a cheap search (Wu: 100 and more)", .source = WU ", section 3.1",
              .alias = "cheapSearchVisits", .former = "cheap_visits"),
    FIELD_TEXT(SelfplaySettings, full.steps, "",
               "visits of full searches that change during the run: VISITS@ROWS, such as "
               "\"900@90e6, 1200@130e6\", takes the place of full.visits from so many rows on",
               .source = WU ", first version, section 6.1"),
    FIELD_TEXT(SelfplaySettings, cheap.steps, "",
               "visits of cheap searches that change during the run, as full.steps; such as "
               "\"150@90e6, 200@130e6\"",
               .source = WU ", first version, section 6.1"),
    FIELD_TEXT(SelfplaySettings, score_factor_steps, "",
               "search.dynamic_score_factor of self-play that changes during the run: "
               "FACTOR@ROWS, such as \"0.4@90e6, 0.3@130e6\", takes its place from so many rows "
               "on",
               .source = WU ", first version, section 5.4"),
    FIELD_DOUBLE(SelfplaySettings, full.probability, 0.25, 0, 1,
                 "fraction of turns with a full search", .source = WU ", section 3.1",
                 .former = "full_probability"),
    FIELD_DOUBLE(SelfplaySettings, cheap.row_weight, 0, 0, 1,
                 "weight of the row of a cheap search; with 0 its position becomes a row only by "
                 "policy surprise",
                 .source = CONFIGS, .alias = "cheapSearchTargetWeight",
                 .former = "cheap_row_weight"),
    FIELD_INT(SelfplaySettings, cheap.considered, 0, 0, 362,
              "search.gumbel.considered of cheap searches; 0: as in full searches",
              .source = "p3achygo, selfplay", .former = "cheap_considered"),
    FIELD_DOUBLE(
        SelfplaySettings, cheap.gumbel_scale, 1, 0, 1,
        "search.gumbel.scale of cheap searches, as a fraction of that of full ones (p3achygo: 0.5)",
        .source = "p3achygo, selfplay", .former = "cheap_gumbel_scale"),
    FIELD_INT(SelfplaySettings, ramp.considered, 0, 0, 362,
              "search.gumbel.considered at the start of a run, from which it grows; 0: it does not "
              "change",
              .source = GROWTH, .former = "ramp_considered"),
    FIELD_DOUBLE(SelfplaySettings, ramp.start, 1, 0.01, 1,
                 "visits at the start of a run, as a fraction of the later ones", .source = GROWTH,
                 .former = "ramp_start"),
    FIELD_INT64(SelfplaySettings, ramp.rows, 0, 0, 1000000000000000,
                "rows of the run during which the visits grow to their full number; 0: they are "
                "full from the start",
                .source = GROWTH, .former = "ramp_rows"),
    FIELD_INT(SelfplaySettings, ramp.cheap_considered, 0, 0, 362,
              "selfplay.cheap.considered at the start of a run, from which it grows; 0: it does "
              "not change",
              .source = GROWTH, .former = "ramp_cheap_considered"),
    FIELD_DOUBLE(SelfplaySettings, ramp.cheap_start, 0, 0, 1,
                 "visits of cheap searches at the start of a run, as a fraction of the later ones; "
                 "0: ramp.start",
                 .source = GROWTH, .former = "ramp_cheap_start"),
    FIELD_INT64(SelfplaySettings, ramp.cheap_rows, 0, 0, 1000000000000000,
                "rows of the run during which the visits of cheap searches grow; 0: ramp.rows",
                .source = GROWTH, .former = "ramp_cheap_rows"),
    FIELD_INT64(SelfplaySettings, ramp.considered_rows, 0, 0, 1000000000000000,
                "rows of the run during which the considered moves grow in number; 0: ramp.rows",
                .source = GROWTH, .former = "ramp_considered_rows"),
    FIELD_INT(SelfplaySettings, reduce.turns, 3, 0, 100,
              "number of last turns that must agree on the winner for a full search to have fewer "
              "visits; 0: never",
              .source = WU ", appendix D", .alias = "reduceVisitsThresholdLookback",
              .former = "reduce_turns"),
    FIELD_DOUBLE(SelfplaySettings, reduce.threshold, 0.9, 0, 1,
                 "minimum abs(win - loss) in each of the last reduce.turns turns for a full search "
                 "to have fewer visits",
                 .source = CONFIGS, .alias = "reduceVisitsThreshold", .former = "reduce_threshold"),
    FIELD_DOUBLE(
        SelfplaySettings, reduce.weight, 0.1, 0, 1,
        "weight of a row when abs(win - loss) is 1; at reduce.threshold the weight is 1, and "
        "between the two it falls",
        .source = CONFIGS, .alias = "reducedVisitsWeight", .former = "reduce_weight"),
    FIELD_INT(SelfplaySettings, reduce.visits, 20, 1, 1000000,
              "visits of a full search when abs(win - loss) is 1; at reduce.threshold they are "
              "full.visits, and between the two they fall (KataGo: as many as cheap searches "
              "have)",
              .source = CONFIGS, .alias = "reducedVisitsMin", .former = "reduce_visits"),
    FIELD_DOUBLE(SelfplaySettings, reduce.power, 2, 0.1, 10,
                 "exponent with which visits and weight fall between reduce.threshold and 1; 2: "
                 "KataGo's program; 1: in proportion (Wu, p3achygo)",
                 .source = PLAY),
    FIELD_DOUBLE(SelfplaySettings, reduce.full_power, 0, 0, 10,
                 "between reduce.threshold and 1, the probability of a full search falls to 0 with "
                 "this exponent; 0: it does not fall; p3achygo: 2",
                 .source = "p3achygo, cc/selfplay/self_play_thread.cc"),
    FIELD_DOUBLE(SelfplaySettings, passalive_end_probability, 0.98, 0, 1,
                 "fraction of games that end as soon as every point is pass-alive or pass-alive "
                 "territory",
                 .source = CONFIGS),
    FIELD_INT(SelfplaySettings, move_limit_per_area_percent, 450, 100, 10000,
              "maximum number of moves of a game, as a percentage of the board's points",
              .source = CONFIGS),
    FIELD_DOUBLE(SelfplaySettings, fork.probability, 0.05, 0, 1,
                 "fraction of games that are followed by an early fork: a game that branches "
                 "off at an early turn (KataGo: 0.04)",
                 .source = WU ", appendix D", .alias = "earlyForkGameProb",
                 .former = "fork_probability"),
    FIELD_DOUBLE(SelfplaySettings, fork.area_fraction, 0.025, 0, 1,
                 "mean turn at which an early fork branches off, as a fraction of the area",
                 .source = WU ", appendix D", .alias = "earlyForkGameExpectedMoveProp",
                 .former = "fork_area_share"),
    FIELD_INT(SelfplaySettings, fork.min_choices, 3, 1, 361,
              "minimum number of random moves of which the net picks the first move of a fork",
              .source = WU ", appendix D", .alias = "forkGameMinChoices",
              .former = "fork_choices_least"),
    FIELD_INT(
        SelfplaySettings, fork.max_choices, 12, 1, 361,
        "maximum number of random moves of which the net picks the first move of a fork (Wu: 10)",
        .source = CONFIGS, .alias = "earlyForkGameMaxChoices", .former = "fork_choices_most"),
    FIELD_DOUBLE(SelfplaySettings, fork.fair_probability, 0, 0, 1,
                 "fraction of forks whose komi is made fair (Wu: 1; KataGo: 0.8)",
                 .source = CONFIGS, .alias = "forkCompensateKomiProb",
                 .former = "fork_fair_probability"),
    FIELD_DOUBLE(SelfplaySettings, late_fork.probability, 0, 0, 1,
                 "fraction of the games without an early fork that are followed by a late fork: "
                 "a game that branches off at any turn (KataGo: 0.01)",
                 .source = CONFIGS, .alias = "forkGameProb", .former = "late_fork_probability"),
    FIELD_INT(SelfplaySettings, late_fork.max_choices, 36, 1, 361,
              "maximum number of random moves of which the net picks the first move of a late fork",
              .source = CONFIGS, .alias = "forkGameMaxChoices", .former = "late_fork_choices_most"),
    FIELD_DOUBLE(SelfplaySettings, seki_fork_probability, 0, 0, 1,
                 "fraction of games that begin near the end of an earlier game that was scored "
                 "with neutral points; the rules of scoring, tax and the button are drawn anew "
                 "(KataGo: 0.02)",
                 .source = CONFIGS, .alias = "sekiForkHackProb"),
    FIELD_DOUBLE(SelfplaySettings, side.probability, 0, 0, 1,
                 "fraction of turns at which another move is also searched fully, for a row "
                 "without outcome (Wu: 0.025; KataGo: 0.02)",
                 .source = WU ", appendix D", .alias = "sidePositionProb",
                 .former = "side_probability"),
    FIELD_DOUBLE(
        SelfplaySettings, side.more_probability, 0.25, 0, 0.9,
        "probability that the search of a side position leads to one more side position: the "
        "position after a move other than the one that this search chose",
        .source = CONFIGS, .former = "side_more_probability"),
    FIELD_DOUBLE(
        SelfplaySettings, lead.probability, 0, 0, 1,
        "fraction of the rows whose lead is found by searches with other komi (KataGo: 0.05)",
        .source = CONFIGS, .alias = "estimateLeadProb", .former = "lead_probability"),
    FIELD_INT(SelfplaySettings, lead.visits, 10, 1, 10000,
              "visits of each of the searches with other komi that find a lead", .source = CONFIGS,
              .alias = "estimateLeadVisits", .former = "lead_visits"),
    FIELD_TEXT(SelfplaySettings, start.sgfs, "",
               "folder of .sgf and .sgfs files; games may begin at positions of them",
               .source = CONFIGS, .alias = "startPosesFromSgfDir", .former = "start_sgfs"),
    FIELD_DOUBLE(SelfplaySettings, start.probability, 0, 0, 1,
                 "fraction of games that begin at a position of selfplay.start.sgfs",
                 .source = CONFIGS, .alias = "startPosesProb", .former = "start_probability"),
    FIELD_DOUBLE(SelfplaySettings, start.turn_decay, 0, 0, 1,
                 "the position of an SGF game after t moves is drawn with a weight of exp(-t times "
                 "this)",
                 .source = CONFIGS, .alias = "startPosesTurnWeightLambda",
                 .former = "start_turn_decay"),
    FIELD_DOUBLE(
        SelfplaySettings, start.fair_probability, 0.9, 0, 1,
        "fraction of the games that begin at positions of SGF files, or at hints, whose komi is "
        "made fair",
        .source = CONFIGS, .alias = "sgfCompensateKomiProb", .former = "start_fair_probability"),
    FIELD_DOUBLE(SelfplaySettings, start.opening_area_fraction, 0, 0, 1,
                 "opening.area_fraction of games that begin at a position of selfplay.start.sgfs "
                 "(KataGo: 0 to 0.0025)",
                 .source = CONFIGS, .alias = "startPosesPolicyInitAreaProp",
                 .former = "start_opening_area_share"),
    FIELD_TEXT(
        SelfplaySettings, hint.sgfs, "",
        "folder of games in which comments with %HINT% mark moves that the search must look at",
        .source = CONFIGS, .former = "hint_sgfs"),
    FIELD_DOUBLE(SelfplaySettings, hint.probability, 0, 0, 1,
                 "fraction of games that begin before a move with %HINT%", .source = CONFIGS,
                 .alias = "hintPosesProb", .former = "hint_probability"),
    FIELD_CHOICE(SelfplaySettings, exploit.kind, 0, "off|visited|search|regret",
                 "games may begin at archived positions: of earlier games (visited), of their "
                 "searches (search), or the most misjudged ones (regret)",
                 .source = EXPLOIT, .former = "exploit"),
    FIELD_DOUBLE(SelfplaySettings, exploit.probability, 0.2, 0, 1,
                 "fraction of games that begin at a position of the archive (p3achygo 2023: 0.25)",
                 .source = EXPLOIT, .former = "exploit_probability"),
    FIELD_INT(SelfplaySettings, exploit.size, 8192, 1, 1000000,
              "maximum number of positions in a worker's archive, which starts empty; the oldest "
              "ones are dropped",
              .source = EXPLOIT, .former = "exploit_size"),
    FIELD_DOUBLE(SelfplaySettings, exploit.add, 0.05, 0, 1,
                 "fraction of the open positions that go into the archive (p3achygo 2023: 0.02; "
                 "the paper: 1)",
                 .source = EXPLOIT, .former = "exploit_add"),
    FIELD_DOUBLE(SelfplaySettings, exploit.certain_from, 0.5, 0, 1,
                 "a position is open if abs(win - loss) is at most this (the paper: 1)",
                 .source = EXPLOIT, .former = "exploit_certain_from"),
    FIELD_DOUBLE(SelfplaySettings, exploit.certain_to, 0.9, 0, 1,
                 "no position is archived if abs(win - loss) is at least this; between "
                 "exploit.certain_from and this the fraction falls linearly to 0",
                 .source = EXPLOIT, .former = "exploit_certain_to"),
    FIELD_BOOL(SelfplaySettings, exploit.remove, true,
               "remove a position from the archive when a game begins at it (the paper: false)",
               .source = EXPLOIT, .former = "exploit_remove"),
    FIELD_BOOL(SelfplaySettings, exploit.one_per_game, true,
               "archive one position of each game, and none of games that began at the archive "
               "(p3achygo 2023: false)",
               .source = EXPLOIT, .former = "exploit_one_per_game"),
    FIELD_BOOL(SelfplaySettings, exploit.fair, true,
               "with the probability 2/pi atan(abs(score) / 3), make the komi of an archived "
               "position fair (p3achygo 2023: false)",
               .source = EXPLOIT, .former = "exploit_fair"),
    FIELD_DOUBLE(
        SelfplaySettings, exploit.late_fraction, 0, 0, 1,
        "fraction of games that archive, instead of what selfplay.exploit.kind says, a position "
        "for a late fork, whose komi will be made fair (p3achygo 2026: 0.09)",
        .source = "p3achygo, selfplay/fork_manager.h", .former = "exploit_late_share"),
    FIELD_DOUBLE(
        SelfplaySettings, exploit.random_fraction, 0, 0, 1,
        "fraction of games that archive, instead of each position, the position after one more "
        "random move (p3achygo 2026: 0.01)",
        .source = "p3achygo, selfplay/fork_manager.h", .former = "exploit_random_share"),
    FIELD_DOUBLE(
        SelfplaySettings, exploit.regret_fraction, 0, 0, 1,
        "fraction of games that archive, instead of what selfplay.exploit.kind says, their most "
        "misjudged position",
        .source = "p3achygo, selfplay/fork_manager.h", .former = "exploit_regret_share"),
    FIELD_INT(SelfplaySettings, exploit.opening_moves, 0, 0, 361,
              "a game from the archive begins with a random number of policy moves, which is "
              "below this limit; the limit is halved for every 40 moves before the archived "
              "position, scaled to 19x19 by the area (p3achygo: 30)",
              .source = "p3achygo, selfplay", .former = "exploit_opening_moves"),
    FIELD_INT(SelfplaySettings, games_at_once, 32, 1, 4096,
              "games that a worker plays side by side, so that they share batches"),
    {0},
};
