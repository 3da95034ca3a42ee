/* The GTP commands that play moves, and show, load and save the game. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/log.h"
#include "base/settings.h"
#include "go/drawing.h"
#include "protocol/gtp/gtp_command.h"
#include "protocol/gtp/gtp_score.h"
#include "sgf/sgf_game.h"

static Status do_play(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    Move move;
    Status status = gtp_parse_color(a->words[0], &move.color, err);
    if (!status) status = gtp_parse_vertex(gtp, a->words[1], &move.point, err);
    if (status) return status;
    status = session_play(gtp->session, move, err);
    return status == ERR_ILLEGAL ? fail(err, ERR_ILLEGAL, "illegal move") : status;
}

static Status do_undo(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a, (void)out;
    gtp->last_move.known = false;
    return session_undo(gtp->session, err);
}

static Status do_showboard(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a, (void)err;
    strbuf_add(out, "\n");
    position_draw(session_position(gtp->session), out);
    while (out->length && out->text[out->length - 1] == '\n')
        out->text[--out->length] = 0;
    return OK;
}

static Status do_loadsgf(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    SgfGame game;
    long long move = -1;
    Rules rules = session_position(gtp->session)->rules;
    if (a->count > 1 && parse_int(a->words[1], "move", 1, 100000, &move, NULL))
        return fail(err, ERR_SYNTAX, "Invalid value for moveNumber for loadsgf");
    const SgfOptions options = {.rules = &rules, .longest = gtp->settings.longest_variation};
    Status status = sgf_game_load(a->words[0], &options, &game, err);
    if (status) return status;
    if (*game.warning) log_warning("%s", game.warning);
    Rules known = session_nearest_rules(gtp->session, &game.rules);
    if (!rules_equal(&known, &game.rules))
        log_warning(
            "%.200s: the net does not know the rules %s; the game is read with the rules %s",
            a->words[0], rules_text(&game.rules).text, rules_text(&known).text);
    game.rules = known;
    Position start;
    size_t count = move < 0 || (size_t)move > game.move_count ? game.move_count : (size_t)move - 1;
    Move *moves = NULL;
    status = sgf_game_start(&game, &start, err);
    if (!status) {
        start.prevent_encore = true;
        status = mem_new(count + 1, sizeof *moves, &moves, err);
        for (size_t i = 0; i < count && !status; i++)
            moves[i] = game.moves[i].move;
        if (!status) status = session_set_game(gtp->session, &start, moves, (int)count, err);
        if (!status) status = gtp_force_komi(gtp, err);
        position_clear(&start);
    }
    free(moves);
    sgf_game_clear(&game);
    return status;
}

/* Writes the result of an ended game. It is "" if dead stones may be left on the board and the net
 * cannot tell which stones are dead. */
static Status find_result(Gtp *gtp, SgfResultText *out, Error *err) {
    Outcome outcome = {0};
    Status status = gtp_final_score(gtp, &outcome.white_score, err);
    outcome.winner = outcome.white_score > 0   ? COLOR_WHITE
                     : outcome.white_score < 0 ? COLOR_BLACK
                                               : COLOR_EMPTY;
    *out = status ? (SgfResultText){0} : sgf_result_text(&outcome, false);
    return status == ERR_UNSUPPORTED ? OK : status;
}

static Status do_printsgf(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    SgfGame game;
    StrBuf text = {0};
    const Position *now = session_position(gtp->session);
    Status status = sgf_game_init_position(&game, now, err);
    if (status) return status;
    RulesText name = rules_katago_name(&now->rules);
    char comment[64];
    SgfResultText result;
    game.rules_name = name.text;
    if (now->over && !now->outcome.no_result) {
        status = find_result(gtp, &result, err);
        game.result = result.text;
    }
    snprintf(comment, sizeof comment, "result=%s", game.result);
    if (now->over && *game.result && game.move_count)
        game.moves[game.move_count - 1].comment = comment;
    if (!status) status = sgf_game_write(&game, &text, err);
    if (!status && a->count && strcmp(a->words[0], "-") != 0)
        status = sgf_game_save(&game, a->words[0], err);
    else if (!status)
        strbuf_add(out, strbuf_text(&text));
    while (out->length && out->text[out->length - 1] == '\n')
        out->text[--out->length] = 0;
    strbuf_clear(&text);
    sgf_game_clear(&game);
    return status;
}

const GtpCommand GTP_GAME_COMMANDS[] = {
    {"play", do_play, 2, 2, true},
    {"undo", do_undo, 0, GTP_ARGUMENTS_MAX, true},
    {"showboard", do_showboard, 0, GTP_ARGUMENTS_MAX, true},
    {"loadsgf", do_loadsgf, 1, 2, true},
    {"printsgf", do_printsgf, 0, 1, true},
    {0},
};
