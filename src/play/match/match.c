/* A match is a tournament of one pairing. */
#include "play/match/match.h"

#include "play/match/tournament/tournament.h"

Status match_run(const MatchSetup *setup, MatchResult *out, Error *err) {
    const TournamentPairing pairing = {0, 1, setup->games};
    const TournamentSetup tournament = {.players = setup->players,
                                        .nets = setup->nets,
                                        .player_count = 2,
                                        .pairings = &pairing,
                                        .pairing_count = 1,
                                        .is_match = true,
                                        .width = setup->width,
                                        .height = setup->height,
                                        .rules = setup->rules,
                                        .opening_moves = setup->opening_moves,
                                        .threads = setup->threads,
                                        .seed = setup->seed,
                                        .move_limit = setup->move_limit,
                                        .out_directory = setup->out_directory,
                                        .disk_reserve_bytes = setup->disk_reserve_bytes,
                                        .sprt = setup->sprt,
                                        .pass_score = setup->pass_score,
                                        .draw = setup->draw,
                                        .resign = setup->resign,
                                        .deadline = setup->deadline,
                                        .on_game = setup->on_game,
                                        .context = setup->context};
    return tournament_run(&tournament, out, err);
}
