#include "run/record_sgf.h"
#include "sgf/sgf_game.h"
#include <stdio.h>
#include <string.h>

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
    if (record->mode == GAME_ASYMMETRIC) {
        size_t used = strlen(comment);
        snprintf(comment + used, sizeof comment - used, ",pdaWhite=%.4f",
                 (double)record->playout_doubling_advantage[COLOR_WHITE]);
    }
    game.comment = sgf_game_keep(&game, comment);
    for (size_t i = 0; i < record->turn_count && !status; i++) {
        const TurnRecord *turn = &record->turns[i];
        snprintf(comment, sizeof comment, "%.2f %.2f %.2f %.1f v=%d weight=%.2f",
                 (double)turn->white_win, (double)turn->white_loss, (double)turn->white_no_result,
                 (double)turn->white_score, turn->visits, (double)turn->row_weight);
        status = sgf_game_add_move(&game, turn->move, comment, err);
    }
    if (!status) status = sgf_game_write_line(&game, out, err);
    sgf_game_clear(&game);
    return status;
}
