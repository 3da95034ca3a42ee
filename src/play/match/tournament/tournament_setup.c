#include "play/match/tournament/tournament_setup.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

Status tournament_setup_check(const TournamentSetup *setup, Error *err) {
    for (int i = 0; i < setup->pairing_count; i++) {
        const TournamentPairing *p = &setup->pairings[i];
        if (p->first < 0 || p->second < 0 || p->first == p->second || p->games < 0 ||
            p->first >= setup->player_count || p->second >= setup->player_count)
            return fail(err, ERR_ARGUMENT,
                        "pairing %d (%d against %d) is impossible with %d players", i, p->first,
                        p->second, setup->player_count);
    }
    if (setup->is_match && setup->pairing_count != 1)
        return fail(err, ERR_ARGUMENT, "a match has one pairing, found %d", setup->pairing_count);
    if (setup->sprt && setup->pairing_count != 1)
        return fail(err, ERR_ARGUMENT,
                    "a sequential test needs one pairing of two players, found %d pairings",
                    setup->pairing_count);
    if (setup->pass_score > 0 && setup->pairing_count != 1)
        return fail(err, ERR_ARGUMENT,
                    "a score that decides needs one pairing of two players, found %d pairings",
                    setup->pairing_count);
    for (int i = 0; i < setup->player_count; i++) {
        if (*setup->players[i].level)
            return fail(err, ERR_ARGUMENT, "%.80s: level= works only in aji match; use strength=S",
                        setup->players[i].name);
    }
    for (int i = 0; i < setup->player_count && !setup->is_match; i++) {
        for (int k = 0; k < i; k++) {
            if (strcmp(setup->players[i].name, setup->players[k].name) == 0)
                return fail(err, ERR_ARGUMENT,
                            "two players are called %.80s; give one of them a different name=NAME",
                            setup->players[i].name);
        }
    }
    return setup->sprt ? sprt_check(setup->sprt, err) : OK;
}

uint64_t tournament_setup_salt(const TournamentSetup *setup, const TournamentPairing *pairing) {
    const char *first = setup->players[pairing->first].name,
               *second = setup->players[pairing->second].name;
    if (setup->is_match) return 0;
    return hash_bytes(second, strlen(second), hash_bytes(first, strlen(first), 1));
}

MatchBoard tournament_board(const TournamentSetup *setup, uint64_t opening) {
    if (setup->draw) return match_board_draw(setup->draw, opening);
    return (MatchBoard){setup->width, setup->height, setup->rules};
}

Status tournament_pairings(int players, int against, int games, TournamentPairing **out, int *count,
                           Error *err) {
    *count = 0;
    Status status = mem_new((size_t)players * (size_t)players / 2 + 1, sizeof **out, out, err);
    for (int second = 1; second < players && !status; second++) {
        for (int first = 0; first < second; first++) {
            if (against > 0 && first >= against) break;
            (*out)[(*count)++] = (TournamentPairing){first, second, games};
        }
    }
    return status;
}
