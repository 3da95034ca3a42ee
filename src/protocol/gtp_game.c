/* GTP: moves, clocks, and looking at the game. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/settings.h"
#include "go/drawing.h"
#include "go/score.h"
#include "protocol/gtp_private.h"
#include "sgf/sgf_game.h"

static Status do_play(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    Move move;
    Status status = gtp_parse_color(a->words[0], &move.color, err);
    if (!status) status = gtp_parse_vertex(gtp, a->words[1], &move.point, err);
    if (status) return status;
    return session_play(gtp->session, move, NULL) ? fail(err, ERR_ILLEGAL, "illegal move") : OK;
}

static Status do_undo(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a, (void)out;
    gtp->followed.known = false;
    return session_undo(gtp->session, err);
}

/* Looking at the game. */

static Status do_showboard(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a, (void)err;
    strbuf_add(out, "\n");
    position_draw(session_position(gtp->session), out);
    while (out->length && out->text[out->length - 1] == '\n')
        out->text[--out->length] = 0;
    return OK;
}

/* Whether the rules alone say how the game ended; friendly passes may leave dead stones on the
 * board. */
static bool is_settled(const Position *now) {
    return now->over && (now->rules.scoring == SCORING_TERRITORY || !now->rules.friendly_pass);
}

/* Whether the chain at `point` is dead by the net's ownership, or by the count where the game is
 * over. */
static bool is_dead(const Position *now, Point point, const uint8_t owner[POINT_COUNT],
                    const float *ownership) {
    const Board *board = &now->board;
    Color color = (Color)board->color[point];
    if (is_settled(now)) return owner[point] == color_other(color);
    double sum = 0, least = 1;
    int stones = 0;
    Point at = point;
    do {
        double own = (double)ownership[move_index(at, board->width, board->height)] *
                     (color == COLOR_WHITE ? 1 : -1);
        sum += own;
        least = fmin(least, own);
        stones++;
        at = board->chain_next[at];
    } while (at != point);
    return !(sum / stones > 0.2 && least > -0.6);
}

/* The area of an ended game without the stones that are dead by the net's ownership. */
static Status count_without_dead(const Position *now, const float *ownership, float *white_score,
                                 Error *err) {
    Position counted = {0};
    uint8_t colors[POINT_COUNT];
    const Board *board = &now->board;
    Status status = position_copy(&counted, now, err);
    if (status) return status;
    memcpy(colors, board->color, sizeof colors);
    for (int i = 0; i < board->width * board->height; i++) {
        Point point = move_at_index(i, board->width, board->height);
        if (colors[point] != COLOR_EMPTY && is_dead(now, point, NULL, ownership))
            colors[point] = COLOR_EMPTY;
    }
    if (board_set_all(&counted.board, colors)) *white_score = score_position(&counted, NULL);
    position_clear(&counted);
    return OK;
}

static Status do_final_score(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a;
    const Position *now = session_position(gtp->session);
    float lead = now->outcome.white_score, ownership[BOARD_POINTS_MAX];
    if (!is_settled(now)) {
        Status status = session_judge(gtp->session, &lead, ownership, err);
        if (!status && now->over) status = count_without_dead(now, ownership, &lead, err);
        if (status) return status;
        bool whole = (now->rules.komi == floorf(now->rules.komi)) != now->rules.button;
        lead = whole ? roundf(lead) : roundf(lead + 0.5f) - 0.5f;
    }
    if (lead == 0 || (now->over && now->outcome.no_result))
        strbuf_add(out, "0");
    else
        strbuf_addf(out, "%c+%.1f", lead > 0 ? 'W' : 'B', (double)fabsf(lead));
    return OK;
}

static Status do_final_status_list(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    const Position *now = session_position(gtp->session);
    bool dead = strcmp(a->words[0], "dead") == 0;
    if (!dead && strcmp(a->words[0], "alive") != 0 && strcmp(a->words[0], "seki") != 0)
        return fail(err, ERR_SYNTAX,
                    "Argument to final_status_list must be 'alive' or 'seki' or 'dead'");
    if (strcmp(a->words[0], "seki") == 0) return OK;
    float lead, ownership[BOARD_POINTS_MAX];
    uint8_t owner[POINT_COUNT];
    Status status = session_judge(gtp->session, &lead, ownership, err);
    if (status) return status;
    score_position(now, owner);
    const Board *board = &now->board;
    for (int i = 0; i < board->width * board->height; i++) {
        Point point = move_at_index(i, board->width, board->height);
        if (board->color[point] == COLOR_EMPTY || is_dead(now, point, owner, ownership) != dead)
            continue;
        strbuf_addf(out, "%s%s", out->length ? " " : "", point_text(point, board->height).text);
    }
    return OK;
}

static Status do_loadsgf(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    SgfGame game;
    long long move = -1;
    Rules rules = session_position(gtp->session)->rules;
    if (a->count > 1 && parse_int(a->words[1], "move", 1, 100000, &move, NULL))
        return fail(err, ERR_SYNTAX, "Invalid value for moveNumber for loadsgf");
    Status status = sgf_game_load(a->words[0], &(SgfOptions){.rules = &rules}, &game, err);
    if (status) return status;
    Position start;
    size_t count = move < 0 || (size_t)move > game.move_count ? game.move_count : (size_t)move - 1;
    Move *moves = NULL;
    status = sgf_game_start(&game, &start, err);
    if (!status) {
        start.prevent_encore = true;
        status = mem_new(count + 1, sizeof *moves, &moves, err);
        for (size_t i = 0; i < count && !status; i++)
            moves[i] = game.moves[i].move;
        if (!status) status = session_follow(gtp->session, &start, moves, (int)count, err);
        if (!status) status = gtp_force_komi(gtp, err);
        position_clear(&start);
    }
    free(moves);
    sgf_game_clear(&game);
    return status;
}

static Status do_printsgf(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    SgfGame game;
    StrBuf text = {0};
    const Position *now = session_position(gtp->session);
    Status status = sgf_game_init_position(&game, now, err);
    if (status) return status;
    RulesText name = sgf_rules_name(&now->rules);
    char comment[64];
    game.rules_name = name.text;
    snprintf(comment, sizeof comment, "result=%s", game.result);
    if (now->over && game.move_count) game.moves[game.move_count - 1].comment = comment;
    status = sgf_game_write(&game, &text, err);
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
    {"undo", do_undo, 0, GTP_ARGUMENTS_MOST, true},
    {"showboard", do_showboard, 0, GTP_ARGUMENTS_MOST, true},
    {"final_score", do_final_score, 0, GTP_ARGUMENTS_MOST, true},
    {"final_status_list", do_final_status_list, 1, 1, true},
    {"loadsgf", do_loadsgf, 1, 2, true},
    {"printsgf", do_printsgf, 0, 1, true},
    {0},
};
