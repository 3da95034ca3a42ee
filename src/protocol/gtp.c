#include "protocol/gtp.h"
#include "base/memory.h"
#include "base/settings.h"
#include "go/drawing.h"
#include "go/handicap.h"
#include "go/score.h"
#include "sgf/sgf_game.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ARGUMENTS_MOST = 1000, LINE_MOST = 1 << 16 };

struct Gtp {
    Session *session;
    const char *version;
    double main_seconds, byo_seconds; /* time_settings; main < 0: none given */
    int byo_stones;
    double left[3];                   /* time_left by color; < 0: not told */
    int left_stones[3];
    bool quit;
};

typedef struct {
    int count;
    char *words[ARGUMENTS_MOST];
} Arguments;

typedef Status (*Handler)(Gtp *gtp, const Arguments *arguments, StrBuf *out, Error *err);
typedef struct {
    const char *name;
    Handler run;
    int least, most; /* arguments; those that need none ignore them all, as in KataGo */
    bool listed;
} GtpCommand;
static const GtpCommand *command_table(void); /* ends with {0} */

static Status parse_color(const char *text, Color *out, Error *err) {
    *out = COLOR_EMPTY;
    if (strcasecmp(text, "b") == 0 || strcasecmp(text, "black") == 0) *out = COLOR_BLACK;
    else if (strcasecmp(text, "w") == 0 || strcasecmp(text, "white") == 0) *out = COLOR_WHITE;
    else return fail(err, ERR_SYNTAX, "Could not parse color: '%.60s'", text);
    return OK;
}

static Status parse_vertex(const Gtp *gtp, const char *text, Point *out, Error *err) {
    const Board *board = &session_position(gtp->session)->board;
    if (strcasecmp(text, "pss") == 0) text = "pass";
    return point_parse(text, board->width, board->height, out, NULL) ? fail(err, ERR_SYNTAX, "Could not parse vertex: '%.60s'", text) : OK;
}

static int height_of(const Gtp *gtp) {
    return session_position(gtp->session)->board.height;
}

/* Administration. */

static Status do_protocol_version(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)gtp, (void)a, (void)err;
    strbuf_add(out, "2");
    return OK;
}

static Status do_name(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)gtp, (void)a, (void)err;
    strbuf_add(out, "Aji");
    return OK;
}

static Status do_version(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a, (void)err;
    strbuf_add(out, gtp->version);
    return OK;
}

static const GtpCommand *find_command(const char *name) {
    for (const GtpCommand *command = command_table(); command->name; command++) {
        if (strcmp(command->name, name) == 0) return command;
    }
    return NULL;
}

static Status do_known_command(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)gtp, (void)err;
    const GtpCommand *command = a->count ? find_command(a->words[0]) : NULL;
    strbuf_add(out, command && command->listed ? "true" : "false");
    return OK;
}

static Status do_list_commands(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)gtp, (void)a, (void)err;
    for (const GtpCommand *command = command_table(); command->name; command++) {
        if (command->listed) strbuf_addf(out, "%s%s", out->length ? "\n" : "", command->name);
    }
    return OK;
}

static Status do_quit(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a, (void)out, (void)err;
    gtp->quit = true;
    return OK;
}

static Status do_nothing(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)gtp, (void)a, (void)out, (void)err;
    return OK;
}

/* Setting up. */

static Status do_boardsize(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    char text[64];
    long long size[2];
    int count = 0;
    snprintf(text, sizeof text, "%.30s %.30s", a->words[0], a->count > 1 ? a->words[1] : "");
    for (char *at = text; *at; at++) {
        if (*at == ':') *at = ' ';
    }
    for (char *rest = NULL, *word = strtok_r(text, " ", &rest); word && count < 2; word = strtok_r(NULL, " ", &rest)) {
        if (parse_int(word, "size", -1000000, 1000000, &size[count], NULL)) return fail(err, ERR_SYNTAX, "Expected int argument for boardsize or pair of ints but got '%.60s'", a->words[0]);
        count++;
    }
    if (count == 1) size[1] = size[0];
    if (size[0] < 2 || size[1] < 2 || size[0] > BOARD_EDGE_MAX || size[1] > BOARD_EDGE_MAX) return fail(err, ERR_ARGUMENT, "unacceptable size");
    const Board *board = &session_position(gtp->session)->board;
    if (size[0] == board->width && size[1] == board->height) return OK;
    return session_resize(gtp->session, (int)size[0], (int)size[1], err);
}

static Status do_clear_board(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a, (void)out;
    gtp->left[COLOR_BLACK] = gtp->left[COLOR_WHITE] = -1;
    return session_clear(gtp->session, err);
}

static Status do_komi(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    double komi;
    if (parse_double(a->words[0], "komi", -1e6, 1e6, &komi, NULL)) return fail(err, ERR_SYNTAX, "Expected single float argument for komi but got '%.60s'", a->words[0]);
    if (fabs(komi) > 400) return fail(err, ERR_ARGUMENT, "unacceptable komi");
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
    for (int i = 0; i < a->count; i++) strbuf_addf(&text, "%s%s", i ? " " : "", a->words[i]);
    Rules other = rules;
    other.komi = rules.komi + 1;
    Status status = rules_parse(strbuf_text(&text), &rules, err);
    if (!status) status = rules_parse(strbuf_text(&text), &other, err);
    if (!status && other.komi == rules.komi) status = fail(err, ERR_SYNTAX, "Unknown rules '%.200s', komi has a command of its own", strbuf_text(&text));
    strbuf_clear(&text);
    return status ? status : session_set_rules(gtp->session, &rules, err);
}

static Status set_handicap(Gtp *gtp, const Point *points, int count, StrBuf *out, Error *err) {
    const Position *now = session_position(gtp->session);
    Board board = now->board;
    for (int i = 0; i < count; i++) {
        if (points[i] == POINT_PASS || board.color[points[i]] != COLOR_EMPTY || !board_set(&board, points[i], COLOR_BLACK)) return fail(err, ERR_ARGUMENT, "Handicap placement is invalid");
    }
    Position start;
    Status status = position_init_board(&start, &board, COLOR_WHITE, &now->rules, err);
    if (status) return status;
    start.prevent_encore = true;
    status = session_set_start(gtp->session, &start, err);
    position_clear(&start);
    for (int i = 0; out && !status && i < board.width * board.height; i++) {
        Point point = move_at_index(i, board.width, board.height);
        if (board.color[point] == COLOR_BLACK) strbuf_addf(out, "%s%s", out->length ? " " : "", point_text(point, board.height).text);
    }
    return status;
}

static Status expect_empty(const Gtp *gtp, Error *err) {
    return session_position(gtp->session)->board.stones ? fail(err, ERR_ARGUMENT, "Board is not empty") : OK;
}

static Status do_fixed_handicap(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    long long count;
    Point points[9];
    const Board *board = &session_position(gtp->session)->board;
    Status status = expect_empty(gtp, err);
    if (!status) status = parse_int(a->words[0], "number of handicap stones", -1000, 1000, &count, err);
    if (status) return status;
    if (count < 2) return fail(err, ERR_ARGUMENT, "Number of handicap stones less than 2: '%lld'", count);
    int placed = handicap_fixed(board->width, board->height, (int)count, points);
    if (!placed) return fail(err, ERR_ARGUMENT, "Fixed handicap %lld on %dx%d is not possible, try place_free_handicap", count, board->width, board->height);
    return set_handicap(gtp, points, placed, out, err);
}

/* The moves that Black would choose, one after the other. */
static Status do_place_free_handicap(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    long long count;
    Point points[30];
    Status status = expect_empty(gtp, err);
    if (!status) status = parse_int(a->words[0], "number of handicap stones", -1000, 1000, &count, err);
    if (status) return status;
    if (count < 2) return fail(err, ERR_ARGUMENT, "Number of handicap stones less than 2: '%lld'", count);
    const Board *board = &session_position(gtp->session)->board;
    int most = board->width * board->height / 4;
    if (most > 30) most = 30;
    if (count > most) count = most;
    for (int i = 0; i < count && !status; i++) {
        status = session_choose(gtp->session, COLOR_BLACK, 0, &points[i], err);
        for (int k = 0; points[i] == POINT_PASS && k < board->width * board->height; k++) {
            Point point = move_at_index(k, board->width, board->height);
            if (session_position(gtp->session)->board.color[point] == COLOR_EMPTY) points[i] = point;
        }
        if (!status) status = session_play(gtp->session, (Move){points[i], COLOR_BLACK}, err);
    }
    if (!status) status = session_clear(gtp->session, err);
    return status ? status : set_handicap(gtp, points, (int)count, out, err);
}

static Status do_set_free_handicap(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    Point points[BOARD_POINTS_MAX];
    Status status = expect_empty(gtp, err);
    for (int i = 0; i < a->count && !status; i++) {
        if (i == BOARD_POINTS_MAX) return fail(err, ERR_ARGUMENT, "Handicap placement is invalid");
        status = parse_vertex(gtp, a->words[i], &points[i], NULL) ? fail(err, ERR_SYNTAX, "Invalid handicap location: %.20s", a->words[i]) : OK;
    }
    return status ? status : set_handicap(gtp, points, a->count, NULL, err);
}

/* Playing. */

static Status do_play(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    Move move;
    Status status = parse_color(a->words[0], &move.color, err);
    if (!status) status = parse_vertex(gtp, a->words[1], &move.point, err);
    if (status) return status;
    return session_play(gtp->session, move, NULL) ? fail(err, ERR_ILLEGAL, "illegal move") : OK;
}

/* Seconds for a move from the clock that the client told about; 0: none. */
static double seconds_for(const Gtp *gtp, Color color) {
    if (gtp->main_seconds < 0) return 0;
    double left = gtp->left[color] >= 0 ? gtp->left[color] : gtp->main_seconds;
    int stones = gtp->left[color] >= 0 ? gtp->left_stones[color] : 0;
    if (stones > 0) return fmax(0.05, left / stones * 0.9 - 0.05);
    const Board *board = &session_position(gtp->session)->board;
    double moves = fmax(10, 0.5 * (0.95 * board->width * board->height + 20 - board->stones));
    double byo = gtp->byo_stones > 0 ? gtp->byo_seconds / gtp->byo_stones * 0.9 : 0;
    return fmax(0.05, fmax(left / moves, left > 0 ? 0 : byo) - 0.05);
}

static Status do_genmove(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    Color color;
    Point point;
    Status status = parse_color(a->words[0], &color, err);
    if (!status) status = session_choose(gtp->session, color, seconds_for(gtp, color), &point, err);
    if (!status) status = session_play(gtp->session, (Move){point, color}, err);
    if (!status) strbuf_add(out, point_text(point, height_of(gtp)).text);
    return status;
}

static Status do_reg_genmove(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    Color color;
    Point point;
    Status status = parse_color(a->words[0], &color, err);
    if (!status) status = session_choose(gtp->session, color, 0, &point, err);
    if (!status) strbuf_add(out, point_text(point, height_of(gtp)).text);
    return status;
}

static Status do_undo(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a, (void)out;
    return session_undo(gtp->session, err);
}

static Status do_time_settings(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    double main_seconds, byo_seconds;
    long long stones;
    Status status = parse_double(a->words[0], "main time", 0, 1e9, &main_seconds, err);
    if (!status) status = parse_double(a->words[1], "byo-yomi time", 0, 1e9, &byo_seconds, err);
    if (!status) status = parse_int(a->words[2], "byo-yomi stones", 0, 100000, &stones, err);
    if (status) return status;
    bool none = byo_seconds > 0 && stones == 0; /* GTP: no time limit */
    gtp->main_seconds = none ? -1 : main_seconds;
    gtp->byo_seconds = byo_seconds;
    gtp->byo_stones = (int)stones;
    gtp->left[COLOR_BLACK] = gtp->left[COLOR_WHITE] = -1;
    return OK;
}

static Status do_time_left(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    Color color;
    double seconds;
    long long stones;
    Status status = parse_color(a->words[0], &color, err);
    if (!status) status = parse_double(a->words[1], "time", -1e9, 1e9, &seconds, err);
    if (!status) status = parse_int(a->words[2], "stones", 0, 100000, &stones, err);
    if (status) return status;
    gtp->left[color] = fmax(0, seconds);
    gtp->left_stones[color] = (int)stones;
    return OK;
}

/* Looking at the game. */

static Status do_showboard(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a, (void)err;
    strbuf_add(out, "\n");
    position_draw(session_position(gtp->session), out);
    while (out->length && out->text[out->length - 1] == '\n') out->text[--out->length] = 0;
    return OK;
}

/* Whether the rules alone say how the game ended; friendly passes may leave dead stones on the board. */
static bool is_settled(const Position *now) {
    return now->over && (now->rules.scoring == SCORING_TERRITORY || !now->rules.friendly_pass);
}

static Status do_final_score(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)a;
    const Position *now = session_position(gtp->session);
    float lead = now->outcome.white_score, ownership[BOARD_POINTS_MAX];
    if (!is_settled(now)) {
        Status status = session_judge(gtp->session, &lead, ownership, err);
        if (status) return status;
        bool whole = (now->rules.komi == floorf(now->rules.komi)) != now->rules.button;
        lead = whole ? roundf(lead) : roundf(lead + 0.5f) - 0.5f;
    }
    if (lead == 0 || (now->over && now->outcome.no_result)) strbuf_add(out, "0");
    else strbuf_addf(out, "%c+%.1f", lead > 0 ? 'W' : 'B', (double)fabsf(lead));
    return OK;
}

/* Whether the chain at `point` is dead by the net's ownership, or by the count where the game is over. */
static bool is_dead(const Position *now, Point point, const uint8_t owner[POINT_COUNT], const float *ownership) {
    const Board *board = &now->board;
    Color color = (Color)board->color[point];
    if (is_settled(now)) return owner[point] == color_other(color);
    double sum = 0, least = 1;
    int stones = 0;
    Point at = point;
    do {
        double own = (double)ownership[move_index(at, board->width, board->height)] * (color == COLOR_WHITE ? 1 : -1);
        sum += own;
        least = fmin(least, own);
        stones++;
        at = board->chain_next[at];
    } while (at != point);
    return !(sum / stones > 0.2 && least > -0.6);
}

static Status do_final_status_list(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    const Position *now = session_position(gtp->session);
    bool dead = strcmp(a->words[0], "dead") == 0;
    if (!dead && strcmp(a->words[0], "alive") != 0 && strcmp(a->words[0], "seki") != 0) return fail(err, ERR_SYNTAX, "Argument to final_status_list must be 'alive' or 'seki' or 'dead'");
    if (strcmp(a->words[0], "seki") == 0) return OK;
    float lead, ownership[BOARD_POINTS_MAX];
    uint8_t owner[POINT_COUNT];
    Status status = session_judge(gtp->session, &lead, ownership, err);
    if (status) return status;
    score_position(now, owner);
    const Board *board = &now->board;
    for (int i = 0; i < board->width * board->height; i++) {
        Point point = move_at_index(i, board->width, board->height);
        if (board->color[point] == COLOR_EMPTY || is_dead(now, point, owner, ownership) != dead) continue;
        strbuf_addf(out, "%s%s", out->length ? " " : "", point_text(point, board->height).text);
    }
    return OK;
}

static Status do_loadsgf(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    SgfGame game;
    long long move = -1;
    Rules rules = session_position(gtp->session)->rules;
    if (a->count > 1 && parse_int(a->words[1], "move", 1, 100000, &move, NULL)) return fail(err, ERR_SYNTAX, "Invalid value for moveNumber for loadsgf");
    Status status = sgf_game_load(a->words[0], &(SgfOptions){.rules = &rules}, &game, err);
    if (status) return status;
    Position start;
    size_t count = move < 0 || (size_t)move > game.move_count ? game.move_count : (size_t)move - 1;
    Move *moves = NULL;
    status = sgf_game_start(&game, &start, err);
    if (!status) {
        start.prevent_encore = true;
        status = mem_new(count + 1, sizeof *moves, &moves, err);
        for (size_t i = 0; i < count && !status; i++) moves[i] = game.moves[i].move;
        if (!status) status = session_follow(gtp->session, &start, moves, (int)count, err);
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
    if (!status && a->count && strcmp(a->words[0], "-") != 0) status = sgf_game_save(&game, a->words[0], err);
    else if (!status) strbuf_add(out, strbuf_text(&text));
    while (out->length && out->text[out->length - 1] == '\n') out->text[--out->length] = 0;
    strbuf_clear(&text);
    sgf_game_clear(&game);
    return status;
}

static const GtpCommand COMMANDS[] = {
    {"protocol_version", do_protocol_version, 0, ARGUMENTS_MOST, true},
    {"name", do_name, 0, ARGUMENTS_MOST, true},
    {"version", do_version, 0, ARGUMENTS_MOST, true},
    {"known_command", do_known_command, 0, ARGUMENTS_MOST, true},
    {"list_commands", do_list_commands, 0, ARGUMENTS_MOST, true},
    {"quit", do_quit, 0, ARGUMENTS_MOST, true},
    {"boardsize", do_boardsize, 1, 2, true},
    {"rectangular_boardsize", do_boardsize, 2, 2, true},
    {"clear_board", do_clear_board, 0, ARGUMENTS_MOST, true},
    {"komi", do_komi, 1, 1, true},
    {"get_komi", do_get_komi, 0, ARGUMENTS_MOST, true},
    {"play", do_play, 2, 2, true},
    {"undo", do_undo, 0, ARGUMENTS_MOST, true},
    {"kata-get-rules", do_get_rules, 0, ARGUMENTS_MOST, true},
    {"kata-set-rules", do_set_rules, 1, ARGUMENTS_MOST, true},
    {"genmove", do_genmove, 1, 1, true},
    {"reg_genmove", do_reg_genmove, 1, 1, true},
    {"kata-search", do_reg_genmove, 1, 1, true},
    {"showboard", do_showboard, 0, ARGUMENTS_MOST, true},
    {"fixed_handicap", do_fixed_handicap, 1, 1, true},
    {"place_free_handicap", do_place_free_handicap, 1, 1, true},
    {"set_free_handicap", do_set_free_handicap, 0, ARGUMENTS_MOST, true},
    {"time_settings", do_time_settings, 3, 3, true},
    {"time_left", do_time_left, 3, 3, true},
    {"final_score", do_final_score, 0, ARGUMENTS_MOST, true},
    {"final_status_list", do_final_status_list, 1, 1, true},
    {"loadsgf", do_loadsgf, 1, 2, true},
    {"printsgf", do_printsgf, 0, 1, true},
    {"stop", do_nothing, 0, ARGUMENTS_MOST, true},
    {0},
};

static const GtpCommand *command_table(void) {
    return COMMANDS;
}

Status gtp_new(const SessionSetup *setup, const char *version, Gtp **out, Error *err) {
    Gtp *gtp;
    *out = NULL;
    Status status = mem_new(1, sizeof *gtp, &gtp, err);
    if (status) return status;
    gtp->version = version;
    gtp->main_seconds = -1;
    gtp->left[COLOR_BLACK] = gtp->left[COLOR_WHITE] = -1;
    status = session_new(setup, &gtp->session, err);
    if (status) gtp_free(gtp);
    else *out = gtp;
    return status;
}

void gtp_free(Gtp *gtp) {
    if (!gtp) return;
    session_free(gtp->session);
    free(gtp);
}

/* Control characters away, tabs to blanks, comment cut, trimmed. */
static char *clean_line(const char *line) {
    char *clean = calloc(1, strlen(line) + 1);
    size_t used = 0;
    for (const char *at = line; clean && *at && *at != '#' && used < LINE_MOST; at++) {
        if (*at == '\t') clean[used++] = ' ';
        else if (*at >= 32 && *at < 127) clean[used++] = *at;
    }
    while (used && clean[used - 1] == ' ') clean[--used] = 0;
    return clean;
}

static void split(char *text, Arguments *out) {
    char *rest = NULL;
    out->count = 0;
    for (char *word = strtok_r(text, " ", &rest); word && out->count < ARGUMENTS_MOST; word = strtok_r(NULL, " ", &rest)) out->words[out->count++] = word;
}

static Status run_command(Gtp *gtp, const Arguments *all, StrBuf *answer, Error *err) {
    const GtpCommand *command = find_command(all->words[0]);
    if (!command) return fail(err, ERR_SYNTAX, "unknown command");
    Arguments arguments = {.count = all->count - 1};
    memcpy(arguments.words, all->words + 1, (size_t)arguments.count * sizeof *arguments.words);
    if (arguments.count < command->least) return fail(err, ERR_SYNTAX, "Expected %d argument%s for %s but got %d", command->least, command->least == 1 ? "" : "s", command->name, arguments.count);
    if (arguments.count > command->most) return fail(err, ERR_SYNTAX, "Expected at most %d argument%s for %s but got %d", command->most, command->most == 1 ? "" : "s", command->name, arguments.count);
    return command->run(gtp, &arguments, answer, err);
}

void gtp_line(Gtp *gtp, const char *line, StrBuf *out, bool *quit) {
    char *clean = clean_line(line), *at = clean;
    char id[16] = "";
    Arguments arguments;
    *quit = false;
    while (at && *at == ' ') at++;
    if (!at || !*at) {
        free(clean);
        return;
    }
    size_t digits = strspn(at, "0123456789");
    bool id_fits = digits < sizeof id && strtoll(at, NULL, 10) <= INT32_MAX;
    snprintf(id, sizeof id, "%.*s", (int)(digits < sizeof id ? digits : 0), at);
    split(at + digits, &arguments);
    StrBuf answer = {0};
    Error err = {0};
    if (digits && !id_fits) { /* without an id, and with one line end, as KataGo answers this and the next */
        strbuf_addf(out, "? GTP id '%.40s' could not be parsed: it is above 2147483647\n", at);
    } else if (!arguments.count) {
        strbuf_add(out, "? empty command\n");
    } else {
        Status status = run_command(gtp, &arguments, &answer, &err);
        strbuf_addf(out, "%c%s %s\n\n", status ? '?' : '=', id, status ? err.message : strbuf_text(&answer));
    }
    strbuf_clear(&answer);
    free(clean);
    *quit = gtp->quit;
}
