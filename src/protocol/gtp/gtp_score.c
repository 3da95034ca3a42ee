/* The final score of the present game, and the GTP commands that answer with it and with the status
 * of stones. The game need not be over. */
#include "protocol/gtp/gtp_score.h"

#include <math.h>
#include <string.h>

#include "protocol/gtp/gtp_command.h"
#include "protocol/session/game_score.h"

Status gtp_final_score(Gtp *gtp, float *white_score, Error *err) {
    GameScore score;
    Status status = session_score(gtp->session, &score, err);
    *white_score = score.white_score;
    return status;
}

static Status do_final_score(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a;
    float white_score;
    Status status = gtp_final_score(gtp, &white_score, err);
    if (status) return status;
    if (white_score == 0)
        strbuf_add(out, "0");
    else
        strbuf_addf(out, "%c+%.1f", white_score > 0 ? 'W' : 'B', (double)fabsf(white_score));
    return OK;
}

static Status do_final_status_list(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    GameScore score;
    bool dead = strcmp(a->words[0], "dead") == 0;
    if (!dead && strcmp(a->words[0], "alive") != 0 && strcmp(a->words[0], "seki") != 0)
        return fail(err, ERR_SYNTAX,
                    "Argument to final_status_list must be 'alive' or 'seki' or 'dead'");
    if (strcmp(a->words[0], "seki") == 0) return OK;
    Status status = session_score(gtp->session, &score, err);
    if (status) return status;
    const Board *board = &session_position(gtp->session)->board;
    for (int i = 0; i < board->width * board->height; i++) {
        Point point = move_at_index(i, board->width, board->height);
        if (board->color[point] == COLOR_EMPTY || score.dead[point] != dead) continue;
        strbuf_addf(out, "%s%s", out->length ? " " : "", point_text(point, board->height).text);
    }
    return OK;
}

const GtpCommand GTP_SCORE_COMMANDS[] = {
    {"final_score", do_final_score, 0, GTP_ARGUMENTS_MAX, true},
    {"final_status_list", do_final_status_list, 1, 1, true},
    {0},
};
