#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/options/options.h"
#include "base/plural.h"
#include "base/progress.h"
#include "base/statistic.h"
#include "base/thread.h"
#include "cli/commands.h"
#include "cli/engine/level_option.h"
#include "cli/engine/net_run.h"
#include "cli/engine/program_files.h"
#include "play/match/elo.h"
#include "play/match/opponents.h"
#include "play/match/tournament/tournament.h"
#include "play/setup/game_setup.h"
#include "run/rating/rate_pool.h"
#include "search/result/level.h"
#include "sgf/sgf_game.h"

extern const char cmd_match_summary[];
int cmd_match(int argc, char **argv);
const char cmd_match_summary[] = "plays games between nets, random play and GTP programs";

static const char DETAILS[] =
    "A PLAYER is one of\n"
    "  FILE[,visits=100][,strength=S][,level=LEVEL][,precision=P]\n"
    "      [,search.KEY=VALUE...]\n"
    "  random\n"
    "  gtp:COMMAND\n"
    "where FILE is a net. If name=NAME and a comma stand before one of these, the player has\n"
    "that name in tables and games. In the same way, rank=5k and a comma set the rank that is\n"
    "written into its games. Colors alternate, and each opening is played twice, with colors\n"
    "exchanged. Two players play a match. If there are more players, each pair of them plays,\n"
    "and one fit rates them all. With --ladder each player meets the opponents of that file;\n"
    "without players the opponents meet each other. With --sprt a match of two players ends as\n"
    "soon as sprt.elo0 or sprt.elo1 is accepted. With --resign a net resigns when all of the\n"
    "last resign.turns searches, its own and its opponent's, have found its position lost. With\n"
    "--draw a board, rules and komi are drawn for each pair of games, by the settings\n"
    "selfplay.sizes, .ko_rules, .scoring_rules, .tax_rules, .suicide_rules, .button_rules,\n"
    ".rectangle_probability and .komi.*; the defaults are those of the matches of the program\n"
    "GoNN, with 90% of the pairs on 19x19, 5% on 13x13 and 5% on 9x9. A program that knows the\n"
    "command kata-set-rules is told the rules. For other programs choose --rules that they play\n"
    "by. If a program refuses a move that the rules allow (suicide, superko), the game is left\n"
    "unfinished.\n"
    "  aji match --black run/nets/000042-1a2b3c4d.aji,visits=100 --rules chinese \\\n"
    "    --white 'gtp:gnugo --mode gtp --level 10 --chinese-rules --capture-all-dead' \\\n"
    "    --size 7 --komi 8.5 --opening 2 --games 200\n"
    "  aji match a.aji b.aji c.aji,visits=50 random --games 50 --out games\n"
    "  aji match a.aji --ladder configs/ladder-7x7.cfg --out games";

enum { WORDS_MAX = 64, DEFAULT_SIZE = 7, DEFAULT_OPENING = 2 };

typedef struct {
    Progress progress;
    int games;
} Show;

typedef struct {
    const char *black, *white, *rules, *ladder;
    int games, size, seed, against, opening;
    double komi, answer_seconds;
    bool sprt, resigns, drawn;
    SelfplaySettings draw_settings; /* of --draw */
    MatchDraw draw;
    SprtSettings test;
    ResignSettings resign;
    TournamentSetup setup;
    PlayerSpec *players;
    int player_count;
    Ladder opponents;
    TournamentPairing *pairings;
} Match;

static void on_game(void *context, const MatchStanding *standing) {
    Show *show = context;
    char line[128], block[200];
    snprintf(line, sizeof line, "%d of %d games, score of the first player %s", standing->done,
             show->games, match_score_text(standing).text);
    snprintf(block, sizeof block, "%s %s\n",
             progress_bar((double)standing->done / show->games, 30).text, line);
    progress_show(&show->progress, block, line, standing->done == show->games);
}

static void print_sprt(const MatchResult *r) {
    static const char *const ANSWERS[] = {"undecided", "elo0 is accepted", "elo1 is accepted"};
    printf(
        "pairs of games with 0, 0.5, 1, 1.5, 2 points: %lld %lld %lld %lld %lld\nsequential test: "
        "log likelihood ratio %.2f (%.2f to %.2f): %s\n",
        (long long)r->pairs[0], (long long)r->pairs[1], (long long)r->pairs[2],
        (long long)r->pairs[3], (long long)r->pairs[4], r->sprt.ratio, r->sprt.lower, r->sprt.upper,
        ANSWERS[r->sprt.state]);
}

static void print_result(const Match *match, const MatchResult *r) {
    double score = match_score(r), points = r->wins[0] + 0.5 * r->draws;
    Interval interval = wilson_interval(points, r->games, 1.96);
    printf("\n%-44s %7s %7s %7s %9s %9s\n", "player", "points", "wins", "draws", "as Black",
           "failures");
    for (int p = 0; p < 2; p++)
        printf("%-44.44s %7.1f %7d %7d %4d/%-4d %9d\n", match->players[p].name,
               p ? r->games - points : points, r->wins[p], r->draws, r->wins_as_black[p],
               r->games_as_black[p], r->failures[p]);
    printf("\nscore of the first player: %.1f%% (95%%: %.1f to %.1f), Elo %s; %d "
           "game%s of %.0f moves on average, %d distinct, %.1f s, %.0f evaluations/s\n",
           100 * score, 100 * interval.low, 100 * interval.high,
           elo_interval_text(score, interval.low, interval.high).text, r->games,
           plural_ending(r->games), r->mean_moves, r->distinct, r->seconds,
           r->seconds > 0 ? r->evaluations / r->seconds : 0);
    if (match->sprt) print_sprt(r);
}

/* Rates all players of the tournament in one fit. The known ratings of the ladder's opponents are
 * fixed. If no rating is known, random play has the rating 0; if random play does not take part,
 * the last player has it. */
static Status print_table(const Match *match, const MatchResult *results, Error *err) {
    RatePool pool = {0};
    EloFit fit;
    double *fixed = NULL;
    StrBuf text = {0};
    Status status = mem_new((size_t)match->player_count, sizeof *fixed, &fixed, err);
    for (int i = 0; i < match->player_count && !status; i++) {
        int known = i - (match->player_count - match->opponents.count);
        fixed[i] = known >= 0 ? match->opponents.elo[known] : HUGE_VAL;
        if (rate_pool_get_player(&pool, match->players[i].name) != i)
            status = fail(err, ERR_MEMORY, "too little memory for the names of players");
    }
    for (int i = 0; i < match->setup.pairing_count && !status; i++) {
        const TournamentPairing *p = &match->setup.pairings[i];
        const MatchResult *r = &results[i];
        status = rate_pool_add(&pool,
                               &(NamedGames){match->players[p->first].name,
                                             match->players[p->second].name, r->wins[0], r->draws,
                                             r->wins[1]},
                               err);
    }
    int anchor = rate_pool_find(&pool, "random");
    if (!status)
        status = elo_fit_new(&(EloSetup){.games = pool.games,
                                         .game_count = pool.pairs,
                                         .players = pool.players,
                                         .fixed = fixed,
                                         .anchor = anchor >= 0 ? anchor : pool.players - 1,
                                         .prior_games = 0.5},
                             &fit, err);
    if (!status) {
        rate_pool_table(&pool, &fit, &text);
        rate_pool_matrix(&pool, &fit, &text);
        status = strbuf_status(&text, err);
        if (!status) printf("\n%s", strbuf_text(&text));
        elo_fit_clear(&fit);
    }
    strbuf_clear(&text);
    free(fixed);
    rate_pool_clear(&pool);
    return status;
}

static void print_pairings(const Match *match, const MatchResult *results) {
    printf("\n%-36s %-36s %6s %7s %6s\n", "player", "against", "games", "points", "draws");
    for (int i = 0; i < match->setup.pairing_count; i++) {
        const TournamentPairing *p = &match->setup.pairings[i];
        const MatchResult *r = &results[i];
        printf("%-36.36s %-36.36s %6d %7.1f %6d\n", match->players[p->first].name,
               match->players[p->second].name, r->games, r->wins[0] + 0.5 * r->draws, r->draws);
    }
}

typedef struct {
    /* Games that count, and those among them that a program lost by a failure. */
    int games, failures;
    int unfinished; /* games that do not count */
} Counted;

static Counted count_games(const Match *match, const MatchResult *results) {
    Counted counted = {0};
    for (int i = 0; i < match->setup.pairing_count; i++) {
        counted.failures += results[i].failures[0] + results[i].failures[1];
        counted.games += results[i].games;
        counted.unfinished += results[i].unfinished;
    }
    return counted;
}

static Status play(Match *match, MatchResult *results, Error *err) {
    int total = 0;
    for (int i = 0; i < match->setup.pairing_count; i++)
        total += match->setup.pairings[i].games;
    Show show = {progress_start(stdout, 10), total};
    match->setup.on_game = on_game;
    match->setup.context = &show;
    Status status = tournament_run(&match->setup, results, err);
    progress_end(&show.progress);
    if (!count_games(match, results).games) return status;
    if (match->setup.pairing_count == 1) {
        print_result(match, results);
        return status;
    }
    print_pairings(match, results);
    Error fault = {0};
    Status told = print_table(match, results, &fault);
    return status || !told ? status : fail(err, told, "%s", fault.message);
}

static int finish(const Match *match, const MatchResult *results, Status status, const Error *err) {
    Counted counted = {0};
    if (results) counted = count_games(match, results);
    if (counted.failures && !status)
        fprintf(stderr,
                "aji match: %d of %d games were lost by a program that died, was too slow or "
                "played an illegal move\n",
                counted.failures, counted.games);
    if (counted.unfinished)
        fprintf(stderr,
                "aji match: %d of %d games are unfinished and do not count: a program refused a "
                "legal move; choose --rules that both play by%s\n",
                counted.unfinished, counted.games + counted.unfinished,
                match->setup.rules.suicide ? " (these allow suicide)" : "");
    if (status) return command_end("match", status, err);
    return counted.failures + counted.unfinished > 0;
}

/* Replaces the folder of a run by its best net. */
static Status find_net(PlayerSpec *player, Error *err) {
    Path path;
    if (player->kind != PLAYER_ENGINE || player->random_net) return OK;
    Status status = net_run_file("match", player->net_path, &path, err);
    if (status || strcmp(path.text, player->net_path) == 0) return status;
    return player_set_net(player, path.text, err);
}

/* Reads the players: first those of the command line, then those of the ladder. */
static Status read_players(Match *match, const char **words, int count, Error *err) {
    Status status = OK;
    Path path;
    if (match->ladder) status = program_config(match->ladder, &path, err);
    if (match->ladder && !status) status = ladder_load(path.text, &match->opponents, err);
    if (status) return status;
    if (count + match->opponents.count < 2)
        return fail(err, ERR_ARGUMENT,
                    "at least two players are needed: --black and --white, or PLAYER PLAYER");
    status = mem_new((size_t)(count + match->opponents.count), sizeof *match->players,
                     &match->players, err);
    for (int i = 0; i < count && !status; i++)
        status = player_parse(words[i], &match->players[match->player_count++], err);
    for (int i = 0; i < match->opponents.count && !status; i++)
        match->players[match->player_count++] = match->opponents.players[i];
    for (int i = 0; i < match->player_count && !status; i++) {
        match->players[i].move_seconds = match->answer_seconds;
        status = find_net(&match->players[i], err);
    }
    return status;
}

/* Sets board, rules, komi and the number of random moves of the opening. What the options do not
 * set is as in the run of the first net that belongs to a run. If no net belongs to a run, the
 * rules are Tromp-Taylor and the komi is 7.5. The board is then the one in the name of the first
 * net's file, or 7x7 if this name has no board. With --draw, board, rules and komi will be drawn
 * for each pair of games. */
static Status set_board(Match *match, Error *err) {
    TournamentSetup *setup = &match->setup;
    NetRun run = {0};
    for (int i = match->player_count - 1; i >= 0; i--) {
        if (!*match->players[i].net_path) continue;
        NetRun other = net_run_find(match->players[i].net_path);
        if (other.known || !run.known) run = other; /* so the first net with a run comes last */
    }
    if (match->drawn) {
        setup->opening_moves = match->opening < 0 ? DEFAULT_OPENING : match->opening;
        setup->draw = &match->draw;
        Status status = match_draw_make(&match->draw_settings, &match->draw, err);
        if (!status) match_draw_largest(&match->draw, &setup->width, &setup->height);
        return status;
    }
    setup->rules = net_run_start(&run, DEFAULT_SIZE, &setup->width, &setup->height);
    if (match->size) setup->width = setup->height = match->size;
    Status status = match->rules ? rules_parse(match->rules, &setup->rules, err) : OK;
    setup->opening_moves = match->opening < 0 ? DEFAULT_OPENING : match->opening;
    setup->rules.komi =
        isnan(match->komi) ? net_run_komi(&run, setup->width, setup->height) : (float)match->komi;
    return status;
}

/* Looks up the levels of players that have one. */
static Status find_levels(Match *match, Error *err) {
    const TournamentSetup *setup = &match->setup;
    Status status = OK;
    for (int i = 0; i < match->player_count && !status; i++) {
        PlayerSpec *player = &match->players[i];
        Level level;
        if (!*player->level) continue;
        if (match->drawn)
            return fail(err, ERR_ARGUMENT,
                        "%.80s: a level holds for one board; level= and --draw "
                        "exclude each other",
                        player->name);
        status = level_option_find("match", player->net_path, player->level, setup->width,
                                   setup->height, &setup->rules, &level, err);
        if (status) break;
        player->visits = level_set(level.strength, &player->search);
        *player->level = 0;
    }
    return status;
}

/* Prints what is played, and warns of nets that were not trained on boards of this size. */
static void announce(const Match *match) {
    const TournamentSetup *setup = &match->setup;
    for (int i = 0; i < match->player_count; i++) {
        const char *net = match->players[i].net_path;
        int same = 0;
        while (strcmp(match->players[same].net_path, net) != 0)
            same++;
        if (!*net || same < i) continue;
        NetRun run = net_run_find(net);
        if (!match->drawn) net_run_warn(&run, "match", net, setup->width, setup->height);
    }
    if (match->drawn) {
        printf("each pair of games draws its board (%s), rules and komi (%g, deviation %g)\n",
               selfplay_sizes_text(&match->draw_settings).text, match->draw_settings.komi.mean,
               match->draw_settings.komi.stdev);
        return;
    }
    printf("%dx%d, komi %g, rules %s\n", setup->width, setup->height, (double)setup->rules.komi,
           rules_words(&setup->rules).text);
}

/* If both players have the same name, renames the second, as in "random" and "random#2". */
static void rename_twin(PlayerSpec players[2]) {
    char name[sizeof players->name];
    if (strcmp(players[0].name, players[1].name) != 0) return;
    snprintf(name, sizeof name, "%s", players[1].name);
    snprintf(players[1].name, sizeof players[1].name, "%.120s#2", name);
}

/* Refuses options that contradict --draw or --ladder. The ratings of a ladder hold only for the
 * board and the rules that its file sets. */
static Status check_options(const Match *match, Error *err) {
    const char *fixed = match->size           ? "--size"
                        : match->rules        ? "--rules"
                        : !isnan(match->komi) ? "--komi"
                        : match->ladder       ? "--ladder"
                                              : NULL;
    if (match->drawn && fixed)
        return fail(err, ERR_ARGUMENT,
                    "%s and --draw exclude each other: the settings selfplay.* say what is drawn",
                    fixed);
    const char *given = match->size           ? "--size"
                        : match->rules        ? "--rules"
                        : !isnan(match->komi) ? "--komi"
                        : match->opening >= 0 ? "--opening"
                                              : NULL;
    if (!match->ladder || !given) return OK;
    return fail(err, ERR_ARGUMENT,
                "%s and --ladder exclude each other: the file of the ladder sets board, rules, "
                "komi and opening",
                given);
}

static Status set_up(Match *match, const char **words, int count, Error *err) {
    TournamentSetup *setup = &match->setup;
    Status status = check_options(match, err);
    if (!status) status = read_players(match, words, count, err);
    if (!status) status = set_board(match, err);
    if (status) return status;
    if (match->ladder) {
        setup->rules = match->opponents.rules;
        setup->width = setup->height = match->opponents.settings.size;
        setup->opening_moves = match->opponents.settings.opening;
    }
    status = find_levels(match, err);
    if (status) return status;
    setup->seed = (uint64_t)match->seed;
    setup->players = match->players;
    setup->player_count = match->player_count;
    setup->sprt = match->sprt ? &match->test : NULL;
    setup->resign = match->resigns ? &match->resign : NULL;
    if (!setup->threads) setup->threads = thread_processors();
    if (match->against >= match->player_count)
        return fail(err, ERR_ARGUMENT, "--against %d needs more than %d players", match->against,
                    match->player_count);
    int against = match->against ? match->against : match->ladder ? count : 0;
    status = tournament_pairings(match->player_count, against, match->games, &match->pairings,
                                 &setup->pairing_count, err);
    setup->pairings = match->pairings;
    setup->is_match = setup->pairing_count == 1 && !match->ladder;
    if (!status && setup->is_match) rename_twin(match->players);
    return status;
}

/* Plays the match or tournament of --black, --white and `words`, which has room for two more. */
static int run(Match *match, const char **words, int count) {
    for (int i = 0; i < 2; i++) { /* --black and --white come first */
        const char *named = i ? match->black : match->white;
        for (int k = count; k > 0 && named; k--)
            words[k] = words[k - 1];
        if (named) words[0] = named;
        count += named != NULL;
    }
    Error err = {0};
    MatchResult *results = NULL;
    Status status = set_up(match, words, count, &err);
    bool wrong = status != OK;
    if (!status)
        status = mem_new((size_t)match->setup.pairing_count + 1, sizeof *results, &results, &err);
    if (!status) announce(match);
    if (!status) status = play(match, results, &err);
    int code = finish(match, results, status, &err);
    free(results);
    free(match->pairings);
    free(match->players);
    ladder_clear(&match->opponents);
    return wrong && status != ERR_IO && status != ERR_MEMORY ? 2 : code;
}

static Status set_defaults(Match *match, Error *err) {
    settings_defaults(SPRT_FIELDS, &match->test);
    settings_defaults(RESIGN_FIELDS, &match->resign);
    settings_defaults(SELFPLAY_FIELDS, &match->draw_settings);
    return match_draw_gonn(&match->draw_settings, err);
}

enum { MATCH_OPTIONS = 17 };

static void match_options(Match *match, Option options[MATCH_OPTIONS]) {
    const Option all[MATCH_OPTIONS] = {
        {"black", OPTION_TEXT, &match->black, 0, 0, "PLAYER",
         "first player (it takes Black in every other game)"},
        {"white", OPTION_TEXT, &match->white, 0, 0, "PLAYER", "second player"},
        {"games", OPTION_INT, &match->games, 1, 1e6, "N",
         "games of each pair of players (default 100)"},
        {"against", OPTION_INT, &match->against, 1, WORDS_MAX, "N",
         "play only pairs with one of the first N players (default: all pairs)"},
        {"ladder", OPTION_TEXT, &match->ladder, 0, 0, "FILE",
         "file of opponents, with the board, rules and komi of all games"},
        {"sprt", OPTION_FLAG, &match->sprt, 0, 0, NULL,
         "end as soon as the sequential test of the settings sprt.* has decided"},
        {"resign", OPTION_FLAG, &match->resigns, 0, 0, NULL,
         "let nets resign lost games, by the settings resign.*"},
        {"size", OPTION_INT, &match->size, 2, 19, "N",
         "board size (default: that of the first net's run, or the one in the name of the first "
         "net's file, or 7)"},
        {"rules", OPTION_TEXT, &match->rules, 0, 0, "RULES",
         "rules such as tromp-taylor, chinese, aga (default: those of the first net's run, or "
         "tromp-taylor)"},
        {"komi", OPTION_NUMBER, &match->komi, -400, 400, "K",
         "komi (default: that of the first net's run, or 7.5)"},
        {"draw", OPTION_FLAG, &match->drawn, 0, 0, NULL,
         "draw board size, rules and komi of each pair of games, by the settings selfplay.* "
         "(default: those of the matches of the program GoNN)"},
        {"opening", OPTION_INT, &match->opening, 0, 100, "N",
         "random moves at the start of each game (default 2)"},
        {"threads", OPTION_INT, &match->setup.threads, 1, 1024, "N",
         "games played at once (default: one per processor)"},
        {"seed", OPTION_INT, &match->seed, 0, 2e9, "N",
         "seed of openings and random choices (default 1)"},
        {"answer-time", OPTION_DURATION, &match->answer_seconds, 0, 0, "TIME",
         "time limit of a GTP program for one answer, such as 10s or 10 (seconds; default 60s)"},
        {"out", OPTION_TEXT, &match->setup.out_directory, 0, 0, "DIR",
         "folder for games as SGF; games that it already holds are not played again"},
        {0},
    };
    memcpy(options, all, sizeof all);
}

int cmd_match(int argc, char **argv) {
    Match match = {.games = 100,
                   .seed = 1,
                   .opening = -1,
                   .komi = (double)NAN,
                   .answer_seconds = 60,
                   .setup = {.rules = rules_tromp_taylor()}};
    const SettingsGroup groups[] = {{"sprt", SPRT_FIELDS, &match.test},
                                    {"resign", RESIGN_FIELDS, &match.resign},
                                    {"selfplay", SELFPLAY_FIELDS, &match.draw_settings},
                                    {0}};
    Error err = {0};
    Status status = set_defaults(&match, &err);
    if (status) return command_end("match", status, &err);
    Option options[MATCH_OPTIONS];
    match_options(&match, options);
    const CommandUsage usage = {
        "match",
        "aji match PLAYER PLAYER... | --black PLAYER --white PLAYER [--ladder "
        "FILE] [--games N] [--size S] [--rules R] [--komi K] [--out DIR]",
        cmd_match_summary,
        DETAILS,
        options,
        groups,
        0,
        WORDS_MAX};
    const char *words[WORDS_MAX + 2];
    int count = 0;
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    return run(&match, words, count);
}
