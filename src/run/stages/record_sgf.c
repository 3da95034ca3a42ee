#include "run/stages/record_sgf.h"

#include <stdio.h>
#include <string.h>

#include "sgf/sgf_game.h"

/* Adds a turn with the values of its search, and plays its move in `now`. */
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

/* Adds the comment of the whole game, in KataGo's form. */
static Status add_comment(SgfGame *game, const GameRecord *record, Error *err) {
    static const char *const TYPES[] = {
        [GAME_NORMAL] = "normal",       [GAME_CLEANUP] = "cleanuptraining",
        [GAME_FORK] = "fork",           [GAME_HANDICAP] = "handicap",
        [GAME_SGF_POSITION] = "sgfpos", [GAME_HINT_POSITION] = "hintpos",
        [GAME_HINT_FORK] = "hintfork",  [GAME_ASYMMETRIC] = "asym",
    };
    StrBuf text = {0};
    int phase = position_start_phase(&record->start), first = record->start.move_count;
    float doublings = record->playout_doubling_advantage[COLOR_WHITE];
    strbuf_addf(&text, "startTurnIdx=%d,gameHash=%016llx%016llx,gtype=%s", first,
                (unsigned long long)record->hash[1], (unsigned long long)record->hash[0],
                TYPES[record->mode]);
    if (phase) strbuf_addf(&text, ",beganInEncorePhase=%d", phase);
    if (doublings != 0) strbuf_addf(&text, ",pdaWhite=%.4f", (double)doublings);
    for (size_t i = 1; i < record->net_count; i++)
        strbuf_addf(&text, ",newNeuralNetTurn%d=%s", first + record->nets[i].turn,
                    record->nets[i].name);
    Status status = strbuf_status(&text, err);
    if (!status) game->comment = sgf_game_keep(game, strbuf_text(&text));
    strbuf_clear(&text);
    if (status) return status;
    return game->comment ? OK : fail(err, ERR_MEMORY, "no memory for a comment");
}

Status record_sgf_write(const GameRecord *record, StrBuf *out, Error *err) {
    SgfGame game;
    Status status = sgf_game_init_position(&game, &record->start, err);
    if (status) return status;
    if (record->net_count) game.black = game.white = record->nets[0].name;
    SgfResultText result = sgf_result_text(&record->outcome, false);
    game.result = result.text;
    status = add_comment(&game, record, err);
    if (!status) status = add_turns(&game, record, err);
    if (!status) status = sgf_game_write_line(&game, out, err);
    sgf_game_clear(&game);
    return status;
}
