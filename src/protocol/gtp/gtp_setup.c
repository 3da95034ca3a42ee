/* The GTP commands for board size, komi, rules and handicap. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/settings.h"
#include "go/handicap.h"
#include "protocol/gtp/gtp_command.h"

static Status do_boardsize(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    char text[64];
    long long size[2];
    int count = 0;
    snprintf(text, sizeof text, "%.30s %.30s", a->words[0], a->count > 1 ? a->words[1] : "");
    for (char *at = text; *at; at++) {
        if (*at == ':') *at = ' ';
    }
    bool numbers = true;
    for (char *rest = NULL, *word = strtok_r(text, " ", &rest); word && numbers && count < 2;
         word = strtok_r(NULL, " ", &rest))
        numbers = !parse_int(word, "size", -1000000, 1000000, &size[count++], NULL);
    if (!numbers || !count)
        return fail(err, ERR_SYNTAX,
                    "Expected int argument for boardsize or pair of ints but got '%.60s'",
                    a->words[0]);
    if (count == 1) size[1] = size[0];
    if (size[0] < 2 || size[1] < 2 || size[0] > BOARD_SIDE_MAX || size[1] > BOARD_SIDE_MAX)
        return fail(err, ERR_ARGUMENT, "unacceptable size");
    const Board *board = &session_position(gtp->session)->board;
    if (size[0] == board->width && size[1] == board->height) return OK;
    return session_resize(gtp->session, (int)size[0], (int)size[1], err);
}

static Status do_clear_board(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a, (void)out;
    gtp->left[COLOR_BLACK] = gtp->left[COLOR_WHITE] = time_at_start(&gtp->control);
    return session_clear(gtp->session, err);
}

static Status do_komi(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    double komi;
    if (parse_double(a->words[0], "komi", -1e6, 1e6, &komi, NULL))
        return fail(err, ERR_SYNTAX, "Expected single float argument for komi but got '%.60s'",
                    a->words[0]);
    if (fabs(komi) > RULES_KOMI_MAX) return fail(err, ERR_ARGUMENT, "unacceptable komi");
    if (gtp_komi_is_forced(&gtp->settings)) return gtp_force_komi(gtp, err);
    return session_set_komi(gtp->session, (float)komi, err);
}

static Status do_get_komi(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a, (void)err;
    strbuf_addf(out, "%g", (double)session_position(gtp->session)->rules.komi);
    return OK;
}

static Status do_get_rules(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a, (void)err;
    strbuf_add(out, rules_json(&session_position(gtp->session)->rules).text);
    return OK;
}

static Status do_set_rules(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    StrBuf text = {0};
    Rules rules = session_position(gtp->session)->rules;
    for (int i = 0; i < a->count; i++)
        strbuf_addf(&text, "%s%s", i ? " " : "", a->words[i]);
    Rules other = rules;
    other.komi = rules.komi + 1;
    Status status = rules_parse(strbuf_text(&text), &rules, err);
    if (!status) status = rules_parse(strbuf_text(&text), &other, err);
    if (!status && other.komi == rules.komi)
        status = fail(err, ERR_SYNTAX, "Unknown rules '%.200s'; komi is set by the command komi",
                      strbuf_text(&text));
    strbuf_clear(&text);
    return status ? status : session_set_rules(gtp->session, &rules, err);
}

/* Puts black stones on the present board, and makes White the player to move. Adds the vertices of
 * all black stones to `out`, which may be NULL. */
static Status set_handicap(Gtp *gtp, const Point *points, int count, StrBuf *out, Error *err) {
    const Position *now = session_position(gtp->session);
    Board board = now->board;
    for (int i = 0; i < count; i++) {
        if (points[i] == POINT_PASS || board.color[points[i]] != COLOR_EMPTY ||
            !board_set(&board, points[i], COLOR_BLACK))
            return fail(err, ERR_ARGUMENT, "Handicap placement is invalid");
    }
    Position start;
    Status status = position_init_board(&start, &board, COLOR_WHITE, &now->rules, err);
    if (status) return status;
    start.prevent_encore = true;
    status = session_set_start(gtp->session, &start, err);
    position_clear(&start);
    for (int i = 0; out && !status && i < board.width * board.height; i++) {
        Point point = move_at_index(i, board.width, board.height);
        if (board.color[point] == COLOR_BLACK)
            strbuf_addf(out, "%s%s", out->length ? " " : "", point_text(point, board.height).text);
    }
    return status;
}

static Status expect_empty(const Gtp *gtp, Error *err) {
    return session_position(gtp->session)->board.stones
               ? fail(err, ERR_ARGUMENT, "Board is not empty")
               : OK;
}

/* Reads a number of handicap stones. Fails if the board is not empty. */
static Status parse_handicap(const Gtp *gtp, const Arguments *a, long long *count, Error *err) {
    Status status = expect_empty(gtp, err);
    if (!status)
        status = parse_int(a->words[0], "number of handicap stones", -1000, 1000, count, err);
    if (status) return status;
    return *count < 2
               ? fail(err, ERR_ARGUMENT, "Number of handicap stones less than 2: '%lld'", *count)
               : OK;
}

static Status do_fixed_handicap(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    long long count;
    Point points[9];
    const Board *board = &session_position(gtp->session)->board;
    Status status = parse_handicap(gtp, a, &count, err);
    if (status) return status;
    int placed = handicap_fixed(board->width, board->height, (int)count, points);
    if (!placed)
        return fail(err, ERR_ARGUMENT,
                    "Fixed handicap %lld on %dx%d is not possible, try place_free_handicap", count,
                    board->width, board->height);
    return set_handicap(gtp, points, placed, out, err);
}

/* Searches for one black move after the other, without passes, and sets them as handicap stones. */
static Status do_place_free_handicap(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    long long count;
    Point points[30];
    Status status = parse_handicap(gtp, a, &count, err);
    if (status) return status;
    const Board *board = &session_position(gtp->session)->board;
    int max = board->width * board->height / 4;
    if (max > 30) max = 30;
    if (count > max) count = max;
    SearchAvoid pass = {0};
    pass.until[COLOR_BLACK][move_index(POINT_PASS, board->width, board->height)] = 1;
    const SessionSearch call = {.color = COLOR_BLACK, .avoid = &pass, .stop = gtp->stopped};
    const Report *report;
    for (int i = 0; i < count && !status; i++) {
        status = session_run(gtp->session, &call, &report, err);
        if (status) break;
        points[i] = session_pick(gtp->session, report);
        status = session_play(gtp->session, (Move){points[i], COLOR_BLACK}, err);
    }
    Status cleared =
        session_clear(gtp->session, status ? NULL : err); /* no stones stay after a failure */
    if (!status) status = cleared;
    return status ? status : set_handicap(gtp, points, (int)count, out, err);
}

static Status do_set_free_handicap(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    Point points[BOARD_POINTS_MAX];
    Status status = expect_empty(gtp, err);
    for (int i = 0; i < a->count && !status; i++) {
        if (i == BOARD_POINTS_MAX) return fail(err, ERR_ARGUMENT, "Handicap placement is invalid");
        status = gtp_parse_vertex(gtp, a->words[i], &points[i], NULL)
                     ? fail(err, ERR_SYNTAX, "Invalid handicap location: %.20s", a->words[i])
                     : OK;
    }
    return status ? status : set_handicap(gtp, points, a->count, NULL, err);
}

const GtpCommand GTP_SETUP_COMMANDS[] = {
    {"boardsize", do_boardsize, 1, 2, true},
    {"rectangular_boardsize", do_boardsize, 1, 2, true},
    {"clear_board", do_clear_board, 0, GTP_ARGUMENTS_MAX, true},
    {"komi", do_komi, 1, 1, true},
    {"get_komi", do_get_komi, 0, GTP_ARGUMENTS_MAX, true},
    {"kata-get-rules", do_get_rules, 0, GTP_ARGUMENTS_MAX, true},
    {"kata-set-rules", do_set_rules, 1, GTP_ARGUMENTS_MAX, true},
    {"fixed_handicap", do_fixed_handicap, 1, 1, true},
    {"place_free_handicap", do_place_free_handicap, 1, 1, true},
    {"set_free_handicap", do_set_free_handicap, 0, GTP_ARGUMENTS_MAX, true},
    {0},
};
