#include "run/stages/matches/net_match.h"

#include <string.h>

#include "base/log.h"
#include "run/stages/disk_retry.h"

/* The threads of the match call this function, one thread at a time, while the run's own thread
 * waits for the match. */
static void show_game(void *context, const MatchStanding *standing) {
    const NetMatchSetup *setup = context;
    run_screen_show(setup->screen, setup->phase, standing->done, setup->games, false);
}

/* Writes the path of the folder of a match: matches/PHASE-HASH-HASH, with a hash of each player. If
 * the second player is random play, the word "random" takes the place of its hash. */
static Status folder_of(const NetMatchSetup *setup, Path *out, Error *err) {
    char name[96];
    NetHash hashes[2] = {net_hash(setup->first)};
    snprintf(hashes[1].text, sizeof hashes[1].text, "random");
    if (setup->second) hashes[1] = net_hash(setup->second);
    if (setup->opponent)
        snprintf(hashes[1].text, sizeof hashes[1].text, "%016llx",
                 (unsigned long long)player_fingerprint(setup->opponent));
    if (!*hashes[0].text || !*hashes[1].text)
        return fail(err, ERR_MEMORY, "no memory for the checksums of the nets of a match");
    snprintf(name, sizeof name, "%s-%.8s-%.8s", setup->phase, hashes[0].text, hashes[1].text);
    return path_join(out, setup->store->directory.matches.text, name, err);
}

/* Counts the folders of matches of a phase. Leaves out the folder `except`, which may be NULL. If
 * `visit` is not NULL, calls it for each of these folders until it fails. */
static Status visit_folders(const RunStore *store, const char *phase, const char *except,
                            Status (*visit)(const char *path, Error *err), int *count, Error *err) {
    Arena arena = {0};
    char **names;
    int all;
    const char *folder = store->directory.matches.text;
    size_t length = strlen(phase);
    *count = 0;
    Status status = directory_list(folder, &arena, &names, &all, err);
    for (int i = 0; i < all && !status; i++) {
        Path path;
        if (strncmp(names[i], phase, length) != 0 || names[i][length] != '-') continue;
        status = path_join(&path, folder, names[i], err);
        if (status || (except && strcmp(path.text, except) == 0)) continue;
        ++*count;
        if (visit) status = visit(path.text, err);
    }
    arena_clear(&arena);
    return status;
}

void net_match_forget(const RunStore *store, const char *phase) {
    Error fault = {0};
    int count;
    if (visit_folders(store, phase, NULL, directory_remove, &count, &fault))
        log_warning("%s", fault.message);
}

bool net_match_is_unfinished(const RunStore *store, const char *phase) {
    int count;
    return !visit_folders(store, phase, NULL, NULL, &count, NULL) && count;
}

static Status set_players(const NetMatchSetup *setup, MatchSetup *match, Error *err) {
    const RunConfig *config = &setup->plan->config;
    const Net *nets[2] = {setup->first, setup->second};
    for (int i = 0; i < 2; i++) {
        if (i && setup->opponent) {
            match->players[i] = *setup->opponent;
            continue;
        }
        Status status = player_parse(nets[i] ? "net=given" : "random", &match->players[i], err);
        if (status) return status;
        match->players[i].visits = setup->visits;
        match->players[i].search = run_config_match_search(config);
        if (setup->gate) {
            match->players[i].search.temperature = setup->gate->temperature;
            match->players[i].search.temperature_early = setup->gate->temperature_early;
        }
        match->nets[i] = nets[i];
    }
    return OK;
}

/* How the games of the gate differ from other matches of the run. */
typedef struct {
    MatchDraw draw;
    ResignSettings resign;
} GateGames;

/* Sets the draws and the resigning of `match` to those of the gate. `match` keeps pointers to
 * `games`. */
static Status set_gate_games(const NetMatchSetup *setup, GateGames *games, MatchSetup *match,
                             Error *err) {
    const GateSettings *gate = setup->gate;
    SelfplaySettings selfplay = setup->plan->config.selfplay;
    if (gate && gate->resign_turns) {
        settings_defaults(RESIGN_FIELDS, &games->resign);
        games->resign.threshold = gate->resign_threshold;
        games->resign.turns = gate->resign_turns;
        match->resign = &games->resign;
    }
    if (!gate || !gate->draw) return OK;
    selfplay.komi.auto_mean = false; /* a match has no net that could find the mean */
    Status status = match_draw_make(&selfplay, &games->draw, err);
    if (status) return status;
    games->draw.choices.rows = setup->rows;
    match->draw = &games->draw;
    match_draw_largest(&games->draw, &match->width, &match->height);
    return OK;
}

Status net_match_play(const NetMatchSetup *setup, MatchResult *out, Error *err) {
    const RunConfig *config = &setup->plan->config;
    NetMatchSetup context = *setup;
    GateGames games;
    int edge, count;
    Path folder;
    Error fault = {0};
    Status status = selfplay_board_size_at(&config->selfplay, setup->rows, &edge, err);
    if (!status) status = folder_of(setup, &folder, err);
    if (!status)
        status =
            visit_folders(setup->store, setup->phase, folder.text, directory_remove, &count, err);
    if (status) return status;
    MatchSetup match = {.games = setup->games,
                        .width = edge,
                        .height = edge,
                        .opening_moves = 2,
                        .threads = setup->plan->threads,
                        .sprt = setup->sprt,
                        .pass_score = setup->pass_score,
                        .deadline = setup->deadline,
                        .seed = (uint64_t)config->run.seed + (uint64_t)setup->samples,
                        .out_directory = folder.text,
                        .disk_reserve_bytes = disk_retry_reserve(setup->plan),
                        .on_game = show_game,
                        .context = &context};
    status = run_config_rules(config, &match.rules, err);
    if (!status && setup->opponent) {
        status = rules_parse("chinese", &match.rules, err);
        match.rules.komi = run_config_komi(config);
    }
    if (!status) status = set_gate_games(setup, &games, &match, err);
    if (!status) status = set_players(setup, &match, err);
    if (status) return status;
    run_screen_show(setup->screen, setup->phase, 0, setup->games, true);
    status = match_run(&match, out, &fault);
    if (status != ERR_ARGUMENT) return status ? fail(err, status, "%s", fault.message) : OK;
    /* The games in the folder were played with other settings. */
    log_info("%s: the match begins anew: %s", setup->phase, fault.message);
    status = directory_remove(folder.text, err);
    return status ? status : match_run(&match, out, err);
}
