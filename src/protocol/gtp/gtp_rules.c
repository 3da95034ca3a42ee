/* The GTP commands that set rules one by one or by KGS's names, and that set up positions stone by
 * stone. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json.h"
#include "protocol/gtp/gtp_command.h"

/* Changes one member of the JSON form of the rules. Frees `value`. */
static Status set_member(Gtp *gtp, const char *key, json_t *value, Error *err) {
    Rules rules = session_position(gtp->session)->rules;
    RulesText old = rules_json(&rules);
    json_t *object;
    Status status = json_parse(old.text, strlen(old.text), &object, err);
    if (status) {
        json_decref(value);
        return status;
    }
    char *text = json_object_set_new(object, key, value) ? NULL : json_dumps(object, JSON_COMPACT);
    status =
        text ? rules_parse(text, &rules, err) : fail(err, ERR_MEMORY, "no memory for the rules");
    free(text);
    json_decref(object);
    return status ? status : session_set_rules(gtp->session, &rules, err);
}

/* Sets one key of the JSON form of the rules to a value. */
static Status do_set_rule(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    static const char *const KEYS[] = {"ko",
                                       "score",
                                       "scoring",
                                       "tax",
                                       "suicide",
                                       "hasButton",
                                       "whiteHandicapBonus",
                                       "friendlyPassOk"};
    const char *key = NULL;
    char value[32];
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
        if (strcmp(a->words[0], KEYS[i]) == 0) key = KEYS[i];
    }
    if (!key) return fail(err, ERR_ARGUMENT, "Unknown rules option: %.60s", a->words[0]);
    bool flag = strcmp(key, "suicide") == 0 || strcmp(key, "hasButton") == 0 ||
                strcmp(key, "friendlyPassOk") == 0;
    snprintf(value, sizeof value, "%.31s", a->words[1]);
    for (char *at = value; *at; at++)
        *at = (char)(flag ? tolower((unsigned char)*at) : toupper((unsigned char)*at));
    if (flag && strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
        return fail(err, ERR_SYNTAX, "could not parse bool: %.30s", a->words[1]);
    return set_member(gtp, strcmp(key, "score") == 0 ? "scoring" : key,
                      flag ? json_boolean(value[0] == 't') : json_string(value), err);
}

static Status do_kgs_rules(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    static const struct {
        const char *name, *preset;
    } NAMES[] = {{"chinese", "chinese-kgs"},
                 {"aga", "aga"},
                 {"new_zealand", "new-zealand"},
                 {"japanese", "japanese"}};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (strcasecmp(a->words[0], NAMES[i].name) != 0) continue;
        Rules rules = session_position(gtp->session)->rules;
        float komi = rules.komi;
        Status status = rules_parse(NAMES[i].preset, &rules, err);
        rules.komi = komi;
        return status ? status : session_set_rules(gtp->session, &rules, err);
    }
    return fail(err, ERR_ARGUMENT, "Unknown rules '%.60s'", a->words[0]);
}

/* Puts stones, given as pairs of COLOR VERTEX, on an empty board. Nothing can be undone
 * afterwards. */
static Status do_set_position(Gtp *gtp, const Arguments *a, StrBuf *out, Error *err) {
    (void)out;
    const Position *now = session_position(gtp->session);
    Board board;
    Position start;
    Status status = board_init(&board, now->board.width, now->board.height, err);
    if (!status && a->count % 2)
        status = fail(err, ERR_SYNTAX,
                      "Expected a space-separated sequence of <COLOR> <VERTEX> pairs but got %d "
                      "words",
                      a->count);
    for (int i = 0; i + 1 < a->count && !status; i += 2) {
        Color color;
        Point point;
        status = gtp_parse_color(a->words[i], &color, err);
        if (!status) status = gtp_parse_vertex(gtp, a->words[i + 1], &point, err);
        if (!status && point == POINT_PASS)
            status = fail(err, ERR_SYNTAX, "Could not parse vertex: a pass is no stone");
        if (!status && (board.color[point] != COLOR_EMPTY || !board_set(&board, point, color)))
            status = fail(err, ERR_ILLEGAL,
                          "Illegal stone placements - overlapping stones or stones with no "
                          "liberties?");
    }
    if (!status) status = position_init_board(&start, &board, COLOR_BLACK, &now->rules, err);
    if (status) return status;
    start.prevent_encore = true;
    status = session_set_start(gtp->session, &start, err);
    position_clear(&start);
    return status;
}

const GtpCommand GTP_RULES_COMMANDS[] = {
    {"set_position", do_set_position, 0, GTP_ARGUMENTS_MAX, true},
    {"kata-set-rule", do_set_rule, 2, 2, true},
    {"kgs-rules", do_kgs_rules, 1, 1, true},
    {0},
};
