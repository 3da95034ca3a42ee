#include "play/selfplay/selfplay_search.h"

#include <math.h>

float selfplay_search_draw_wins(const SelfplayGame *game) {
    float wins = (float)game->full->draw_equivalent_wins_for_white + game->draw.draw_shift;
    return wins < 0 ? 0 : wins > 1 ? 1 : wins;
}

Status selfplay_search_set_settings(SelfplayGame *game, const SearchSettings *settings, Color mover,
                                    Error *err) {
    SearchSettings own = *settings;
    float doublings = game->komi.finds_mean ? 0 : game->draw.white_doublings;
    own.playout_doubling_advantage = (double)value_for_mover(doublings, mover);
    own.playout_doubling_player = DOUBLING_OF_MOVER;
    if (game->draw.draw_shift != 0)
        own.draw_equivalent_wins_for_white = (double)selfplay_search_draw_wins(game);
    float no_result = (float)own.no_result_utility_for_white + game->draw.no_result_shift;
    if (game->draw.no_result_shift != 0)
        own.no_result_utility_for_white = (double)fmaxf(-1, fminf(1, no_result));
    return search_set_settings(game->search, &own, err);
}

Status selfplay_search_other(SelfplayGame *game, Stage stage, const Position *position, int visits,
                             Error *err) {
    SearchSettings quiet = *game->cheap;
    quiet.gumbel.scale = 0;
    game->stage = stage;
    Status status = selfplay_search_set_settings(game, &quiet, position->mover, err);
    if (!status) status = search_set_position(game->search, position, err);
    if (!status) search_begin(game->search, &(SearchLimits){.visits = visits});
    return status;
}

Status selfplay_search_komi(SelfplayGame *game, Stage stage, const KomiSearch *wanted, Error *err) {
    Position *position = wanted->position;
    float komi = position->rules.komi;
    position_set_komi(position, wanted->komi);
    Status status = selfplay_search_other(game, stage, position, wanted->visits, err);
    position_set_komi(position, komi);
    return status;
}
