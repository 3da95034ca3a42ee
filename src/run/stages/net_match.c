#include "run/stages/net_match.h"

/* One thread of the match at a time calls this, while the thread of the run waits for the match. */
static void show_game(void *context, const MatchStanding *standing) {
    const NetMatchSetup *setup = context;
    run_screen_show(setup->screen, setup->phase, standing->done, setup->games, false);
}

Status net_match_play(const NetMatchSetup *setup, MatchResult *out, Error *err) {
    const RunConfig *config = &setup->plan->config;
    NetMatchSetup context = *setup;
    int edge;
    Status status = selfplay_board_size_at(&config->selfplay, setup->rows, &edge, err);
    if (status) return status;
    MatchSetup match = {.games = setup->games,
                        .width = edge,
                        .height = edge,
                        .opening_moves = 2,
                        .threads = setup->plan->threads,
                        .sprt = setup->sprt,
                        .deadline = setup->deadline,
                        .seed = (uint64_t)config->run.seed + (uint64_t)setup->samples,
                        .on_game = show_game,
                        .context = &context};
    match.rules = rules_tromp_taylor();
    match.rules.komi = run_config_komi(config);
    const Net *nets[2] = {setup->first, setup->second};
    for (int i = 0; i < 2; i++) {
        status = player_parse(nets[i] ? "net=given" : "random", &match.players[i], err);
        if (status) return status;
        match.players[i].visits = setup->visits;
        match.players[i].search = run_config_match_search(config);
        match.nets[i] = nets[i];
    }
    run_screen_show(setup->screen, setup->phase, 0, setup->games, true);
    return match_run(&match, out, err);
}
