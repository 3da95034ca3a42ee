#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/options/options.h"
#include "base/progress.h"
#include "base/thread.h"
#include "cli/commands.h"
#include "cli/engine/net_run.h"
#include "play/levels/calibrate.h"
#include "play/levels/rank_scale.h"
#include "play/match/gnu_go.h"
#include "search/result/level.h"
#include "search/tree/search_presets.h"
#include "sgf/sgf_game.h"

extern const char cmd_calibrate_summary[];
int cmd_calibrate(int argc, char **argv);
const char cmd_calibrate_summary[] = "measures the levels of a net, from weak to strong, by games";

static const char DETAILS[] =
    "The net plays against itself at nine strengths: 200 games, or as many as --games says, for "
    "each pair of neighbouring strengths. It also plays against random play and, where GNU Go "
    "3.8 is installed, against GNU Go. From these games the command computes levels that are "
    "about 100 Elo apart. It writes them to a file beside the net, NET.9x9.levels.json, where "
    "--level of play, gtp and match finds them. If GNU Go played, each level has a rank. A rank "
    "is an estimate: GNU Go counts as 8k. If the command was stopped, the same command "
    "continues with the games in the folder of --out.\n"
    "  aji calibrate nets/13x13-b5c48.aji --games 60\n"
    "  aji calibrate aji-run-9 --size 9\n"
    "  aji play aji-run-9 --level 10k";

enum { DEFAULT_GAMES = 200, DEFAULT_BOARD = 19 };

typedef struct {
    const char *net, *rules, *file, *out;
    int games, size, seed, threads;
    double komi;
    bool without_gnu_go;
    Path net_file, scale_file, folder;
    HashText net_hash;
    PlayerSpec gnu_go;
    CalibrateSetup setup;
    int total;
    Progress progress;
} Calibrate;

static void on_game(void *context, const MatchStanding *standing) {
    Calibrate *c = context;
    char line[96], block[192];
    snprintf(line, sizeof line, "%d of %d games", standing->done, c->total);
    snprintf(block, sizeof block, "%s %s\n",
             progress_bar((double)standing->done / c->total, 30).text, line);
    progress_show(&c->progress, block, line, standing->done == c->total);
}

/* Sets board, rules and komi. What the options do not set is as in the net's run. Without a run,
 * the rules are Chinese, and the name of the net's file gives the board. Suicide is forbidden
 * unless --rules allows it, because GNU Go refuses it. */
static Status set_board(Calibrate *c, Error *err) {
    TournamentSetup *t = &c->setup.tournament;
    NetRun run = net_run_find(c->net_file.text);
    t->rules = net_run_start(&run, DEFAULT_BOARD, &t->width, &t->height);
    if (c->size) t->width = t->height = c->size;
    Status status = OK;
    if (c->rules || !run.known)
        status = rules_parse(c->rules ? c->rules : "chinese", &t->rules, err);
    t->rules.komi = isnan(c->komi) ? net_run_komi(&run, t->width, t->height) : (float)c->komi;
    if (!c->rules) t->rules.suicide = false;
    net_run_warn(&run, "calibrate", c->net_file.text, t->width, t->height);
    if (status || rules_komi_is_valid((double)t->rules.komi)) return status;
    return fail(err, ERR_ARGUMENT, "--komi: %g is not a multiple of 1/2", (double)t->rules.komi);
}

static Status set_files(Calibrate *c, Error *err) {
    const TournamentSetup *t = &c->setup.tournament;
    Status status = level_scale_path(c->net_file.text, t->width, t->height, &c->scale_file, err);
    if (status) return status;
    const char *file = c->file ? c->file : c->scale_file.text;
    int length = (int)strlen(file) - (path_has_ending(file, ".json") ? 5 : 0);
    int needed = c->out ? snprintf(c->folder.text, sizeof c->folder.text, "%s", c->out)
                        : snprintf(c->folder.text, sizeof c->folder.text, "%.*s", length, file);
    if (needed < 0 || (size_t)needed >= sizeof c->folder.text)
        return fail(err, ERR_ARGUMENT, "the name of the folder of games is too long");
    if (!c->out && !path_has_ending(file, ".json"))
        return fail(err, ERR_ARGUMENT, "--file: the name does not end in .json");
    if (c->file) snprintf(c->scale_file.text, sizeof c->scale_file.text, "%s", c->file);
    return file_can_write(c->scale_file.text, err);
}

static Status set_up(Calibrate *c, Error *err) {
    TournamentSetup *t = &c->setup.tournament;
    bool exists = false;
    Status status = net_run_file("calibrate", c->net, &c->net_file, err);
    if (!status) status = level_scale_hash(c->net_file.text, &c->net_hash, err);
    if (!status) status = set_board(c, err);
    if (!status) status = set_files(c, err);
    if (!status && !c->without_gnu_go) status = gnu_go_player(&c->gnu_go, &exists, err);
    if (status) return status;
    if (exists && t->width != t->height) {
        fprintf(stderr, "aji calibrate: GNU Go does not play, because the board is not square\n");
        exists = false;
    } else if (!exists) {
        fprintf(stderr, "aji calibrate: without GNU Go the levels have no ranks\n");
    }
    c->setup.net = c->net_file.text;
    c->setup.anchor = exists ? &c->gnu_go : NULL;
    c->setup.games = c->games;
    t->opening_moves = 2;
    t->threads = c->threads ? c->threads : thread_processors();
    t->seed = (uint64_t)c->seed;
    t->out_directory = c->folder.text;
    t->on_game = on_game;
    t->context = c;
    c->total = calibrate_games(&c->setup);
    return OK;
}

static int visits_of(double strength) {
    SearchSettings search;
    search_preset_begin(SEARCH_PRESET_PLAY, &search);
    return level_set(strength, &search);
}

static void print_levels(const LevelScale *scale) {
    Level levels[LEVELS_MAX];
    int count = level_scale_levels(scale, levels);
    printf("\nLevels of %s; 0 Elo is the strength of %s\n", scale->net,
           scale->has_ranks ? "GNU Go 3.8, level 10 (8k)" : "random play");
    printf("%5s %9s %7s %7s %12s  %s\n", "level", "strength", "visits", "Elo", "95% interval",
           scale->has_ranks ? "rank (an estimate)" : "");
    for (int i = 0; i < count; i++) {
        const Level *level = &levels[i];
        char half_width[16];
        snprintf(half_width, sizeof half_width, "+-%.0f", 1.96 * level->deviation);
        printf("%5d %9.2f %7d %+7.0f %12s", level->number, level->strength,
               visits_of(level->strength), level->elo, half_width);
        if (scale->has_ranks)
            printf("  %s (%s to %s)", rank_text(level->rank).text, rank_text(level->rank_low).text,
                   rank_text(level->rank_high).text);
        printf("\n");
    }
}

static Status run(Calibrate *c, Error *err) {
    LevelScale scale;
    const TournamentSetup *t = &c->setup.tournament;
    printf("%dx%d, komi %g, rules %s, %d games\n", t->width, t->height, (double)t->rules.komi,
           rules_words(&t->rules).text, c->total);
    c->progress = progress_start(stdout, 10);
    Status status = calibrate(&c->setup, &scale, err);
    progress_end(&c->progress);
    if (status) return status;
    scale.net_hash = c->net_hash;
    status = level_scale_save(&scale, c->scale_file.text, err);
    if (status) return status;
    print_levels(&scale);
    printf("\nThe levels are in %s, the games in %s.\n", c->scale_file.text, c->folder.text);
    return OK;
}

int cmd_calibrate(int argc, char **argv) {
    Calibrate c = {.games = DEFAULT_GAMES, .seed = 1, .komi = (double)NAN};
    const Option options[] = {
        {"games", OPTION_INT, &c.games, 8, 1e5, "N",
         "games of each pair of strengths (default 200)"},
        {"size", OPTION_INT, &c.size, 2, 19, "N",
         "board size (default: that of the net's run or of its file's name, or 19)"},
        {"rules", OPTION_TEXT, &c.rules, 0, 0, "RULES",
         "rules (default: those of the net's run, but without suicide; if there is no run, "
         "chinese)"},
        {"komi", OPTION_NUMBER, &c.komi, -400, 400, "K",
         "komi (default: that of the net's run, or 7.5)"},
        {"no-gnugo", OPTION_FLAG, &c.without_gnu_go, 0, 0, NULL,
         "play without GNU Go, which is slow on large boards; the levels then have no ranks"},
        {"threads", OPTION_INT, &c.threads, 1, 1024, "N",
         "games played at once (default: one per processor)"},
        {"seed", OPTION_INT, &c.seed, 0, 2e9, "N", "seed of openings and moves (default 1)"},
        {"file", OPTION_TEXT, &c.file, 0, 0, "FILE",
         "file of the levels (default: NET.9x9.levels.json, with the size of the board in place "
         "of 9x9)"},
        {"out", OPTION_TEXT, &c.out, 0, 0, "DIR",
         "folder of the games (default: the name of --file without .json)"},
        {0},
    };
    const CommandUsage usage = {"calibrate",
                                "aji calibrate NET [--size N] [--games N] [--rules R] [--komi K]",
                                cmd_calibrate_summary,
                                DETAILS,
                                options,
                                NULL,
                                1,
                                1};
    const char *words[1];
    int count = 0;
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    c.net = words[0];
    Error err = {0};
    Status status = set_up(&c, &err);
    if (!status) status = run(&c, &err);
    return command_end("calibrate", status, &err);
}
