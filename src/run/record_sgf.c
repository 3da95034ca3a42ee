#include "run/record_sgf.h"

#include <stdio.h>
#include <string.h>

#include "sgf/sgf_game.h"

/* A turn with what its search found, played in `now`. */
static Status add_turn(SgfGame *game, const TurnRecord *turn, Position *now, Error *err) {
    char comment[160];
    snprintf(comment, sizeof comment, "%.2f %.2f %.2f %.1f v=%d weight=%.2f",
             (double)turn->white_win, (double)turn->white_loss, (double)turn->white_no_result,
             (double)turn->white_score, turn->visits, (double)turn->row_weight);
    Status status = position_is_pass_for_ko(now, turn->move.point)
                        ? sgf_game_add_pass_for_ko(game, turn->move, comment, err)
                        : sgf_game_add_move(game, turn->move, comment, err);
    return status ? status : position_play(now, turn->move.point, err);
}

static Status add_turns(SgfGame *game, const GameRecord *record, Error *err) {
    Position now = {0};
    Status status = position_copy(&now, &record->start, err);
    for (size_t i = 0; i < record->turn_count && !status; i++)
        status = add_turn(game, &record->turns[i], &now, err);
    position_clear(&now);
    return status;
}

Status record_sgf_write(const GameRecord *record, StrBuf *out, Error *err) {
    SgfGame game;
    static const char *const TYPES[] = {
        [GAME_NORMAL] = "normal",       [GAME_CLEANUP] = "cleanuptraining",
        [GAME_FORK] = "fork",           [GAME_HANDICAP] = "handicap",
        [GAME_SGF_POSITION] = "sgfpos", [GAME_HINT_POSITION] = "hintpos",
        [GAME_HINT_FORK] = "hintfork",  [GAME_ASYMMETRIC] = "asym",
    };
    char comment[160];
    Status status = sgf_game_init_position(&game, &record->start, err);
    if (status) return status;
    game.black = record->black_net;
    game.white = record->white_net;
    SgfResultText result = sgf_result_text(&record->outcome, false);
    game.result = result.text;
    snprintf(comment, sizeof comment, "startTurnIdx=%d,gameHash=%016llx%016llx,gtype=%s",
             record->opening_turns, (unsigned long long)record->hash[1],
             (unsigned long long)record->hash[0], TYPES[record->mode]);
    size_t used = strlen(comment);
    int phase = position_start_phase(&record->start);
    float doublings = record->playout_doubling_advantage[COLOR_WHITE];
    if (phase)
        used += (size_t)snprintf(comment + used, sizeof comment - used, ",beganInEncorePhase=%d",
                                 phase);
    if (doublings != 0)
        snprintf(comment + used, sizeof comment - used, ",pdaWhite=%.4f", (double)doublings);
    game.comment = sgf_game_keep(&game, comment);
    status = add_turns(&game, record, err);
    if (!status) status = sgf_game_write_line(&game, out, err);
    sgf_game_clear(&game);
    return status;
}
