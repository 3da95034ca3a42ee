/* The state of a game: who plays, whether it is over and with which result, and how it begins. */
#include "protocol/console/console.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "go/handicap.h"
#include "protocol/console/console_private.h"

const char *console_color_name(Color color) {
    return color == COLOR_BLACK ? "Black" : "White";
}

const Position *console_position(const Console *console) {
    return session_position(console->session);
}

const char *console_path(const Console *console) {
    return console->path.text;
}

bool console_is_over(const Console *console) {
    return console->resigned != COLOR_EMPTY || game_is_passed_out(console_position(console));
}

bool console_person(const Console *console, Color color) {
    return console->person[color];
}

bool console_has_person(const Console *console) {
    return console->person[COLOR_BLACK] || console->person[COLOR_WHITE];
}

bool console_engine_due(const Console *console) {
    return !console_is_over(console) && !console->person[console_position(console)->mover];
}

void console_forget_view(Console *console) {
    console->shows_score = false;
    memset(console->letters, 0, sizeof console->letters);
    strbuf_reset(&console->hint);
}

/* The usual komi of the rules. */
static double usual_komi(const Rules *rules) {
    Rules usual;
    bool known = !rules_parse_with_komi(rules_katago_name(rules).text, &usual, NULL);
    return known ? (double)usual.komi : (double)rules->komi;
}

Status console_set_komi(Console *console, Error *err) {
    const Rules *rules = &console_position(console)->rules;
    if (console->komi_given) return OK;
    double komi = console->handicap       ? 0.5
                  : console->has_run_komi ? console->run_komi
                                          : usual_komi(rules);
    return session_set_komi(console->session, (float)komi, err);
}

RulesText console_rules_name(const Rules *rules) {
    Rules other = *rules;
    other.friendly_pass = !rules->friendly_pass;
    return rules_words(!rules_name(rules) && rules_name(&other) ? &other : rules);
}

static Status place_handicap(Console *console, Error *err) {
    const Position *now = console_position(console);
    Board board = now->board;
    Point points[9];
    int max = handicap_fixed_max(board.width, board.height);
    int placed = handicap_fixed(board.width, board.height, console->handicap, points);
    if (!placed && max < 2)
        return fail(err, ERR_ARGUMENT, "a board of %dx%d has no points for handicap stones",
                    board.width, board.height);
    if (!placed)
        return fail(err, ERR_ARGUMENT, "a board of %dx%d has points for 2 to %d handicap stones",
                    board.width, board.height, max);
    for (int i = 0; i < placed; i++)
        board_set(&board, points[i], COLOR_BLACK);
    Position start;
    Status status = position_init_board(&start, &board, COLOR_WHITE, &now->rules, err);
    if (status) return status;
    start.prevent_encore = true;
    status = session_set_start(console->session, &start, err);
    position_clear(&start);
    return status;
}

Status console_start(Console *console, Error *err) {
    Status status = session_clear(console->session, err);
    if (!status && console->handicap) status = place_handicap(console, err);
    console->resigned = COLOR_EMPTY;
    console->plays_on = false;
    console_forget_view(console);
    if (console->has_record) sgf_game_clear(&console->record);
    console->has_record = false;
    return status;
}

SgfResultText console_lead_text(double black_lead) {
    SgfResultText text = {"0"};
    if (fabs(black_lead) >= 0.05)
        snprintf(text.text, sizeof text.text, "%c+%.1f", black_lead > 0 ? 'B' : 'W',
                 fabs(black_lead));
    return text;
}

void console_add_winner(double white_score, StrBuf *out) {
    double points = fabs(white_score);
    if (points < 0.05)
        strbuf_add(out, "nobody wins.");
    else
        strbuf_addf(out, "%s wins by %g point%s.", white_score > 0 ? "White" : "Black", points,
                    points == 1 ? "" : "s");
}

void console_add_result(const Console *console, StrBuf *out) {
    double white = (double)console->score.white_score;
    if (console->resigned)
        strbuf_addf(out, "%s has resigned: %s wins.", console_color_name(console->resigned),
                    console_color_name(color_other(console->resigned)));
    else if (console->score.no_result)
        strbuf_add(out, "The game has no result.");
    else if (white == 0)
        strbuf_add(out, "The game is a draw.");
    else
        console_add_winner(white, out);
}

Status console_new(const ConsoleSetup *setup, Console **out, Error *err) {
    Console *console;
    *out = NULL;
    Status status = mem_new(1, sizeof *console, &console, err);
    if (status) return status;
    console->session = setup->session;
    snprintf(console->engine, sizeof console->engine, "%s", setup->engine);
    memcpy(console->person, setup->person, sizeof console->person);
    console->handicap = setup->handicap;
    console->komi_given = setup->komi_given;
    console->has_run_komi = setup->run_komi;
    if (setup->run_komi) console->run_komi = *setup->run_komi;
    console->style = setup->style;
    console->keys = setup->keys;
    console->stop = setup->stop;
    if (setup->path && strlen(setup->path) >= sizeof console->path.text)
        status = fail(err, ERR_ARGUMENT, "the name of the game's file is too long");
    else if (setup->path)
        snprintf(console->path.text, sizeof console->path.text, "%s", setup->path);
    if (!status) status = console_set_komi(console, err);
    if (!status) status = console_start(console, err);
    if (status)
        console_free(console);
    else
        *out = console;
    return status;
}

void console_on_report(Console *console, bool (*on_report)(void *context, const Report *report),
                       void *context) {
    console->on_report = on_report;
    console->context = context;
}

void console_free(Console *console) {
    if (!console) return;
    strbuf_clear(&console->hint);
    if (console->has_record) sgf_game_clear(&console->record);
    free(console);
}
