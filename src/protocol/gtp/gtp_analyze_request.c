#include "protocol/gtp/gtp_analyze_request.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/settings.h"
#include "protocol/session/restriction.h"

enum { MOVES_ASKED_MAX = 1000000000 };

typedef struct {
    const Gtp *gtp;
    const Arguments *words;
    int at;
    Restriction restriction;
    AnalyzeRequest *out;
} RequestParser;

/* Like KataGo, accepts 1, 0, and the words `true` and `false` in any case. */
static bool parse_flag(const char *text, bool *out) {
    *out = strcasecmp(text, "true") == 0 || strcmp(text, "1") == 0;
    return *out || strcasecmp(text, "false") == 0 || strcmp(text, "0") == 0;
}

static bool parse_interval(const char *text, double *seconds) {
    double hundredths;
    if (parse_double(text, "interval", 0, 1e20, &hundredths, NULL)) return false;
    *seconds = fmax(0.01, hundredths / 100); /* nobody reads more than 100 reports a second */
    return true;
}

static bool parse_count(const char *text, int *out) {
    long long count;
    if (parse_int(text, "count", 0, MOVES_ASKED_MAX, &count, NULL)) return false;
    *out = (int)count;
    return true;
}

/* Parses a list like "C3,D4,pass" and sets marks[move_index()] of each move. */
static bool parse_moves(const Gtp *gtp, const char *text, bool marks[MOVES_MAX]) {
    const Board *board = &session_position(gtp->session)->board;
    while (*text) {
        char word[16];
        size_t length = strcspn(text, ",");
        Point point;
        if (length == 0 || length >= sizeof word) return false;
        memcpy(word, text, length);
        word[length] = 0;
        if (gtp_parse_vertex(gtp, word, &point, NULL)) return false;
        marks[move_index(point, board->width, board->height)] = true;
        text += length;
        if (*text && !*++text) return false; /* the list ends with a comma */
    }
    return true;
}

/* Parses COLOR MOVES DEPTH, the words after `avoid` or `allow`. */
static bool parse_restriction(RequestParser *parser, bool allow) {
    bool marks[MOVES_MAX] = {0};
    Color color;
    long long depth;
    char *const *words = parser->words->words + parser->at;
    if (parser->words->count - parser->at < 3 || gtp_parse_color(words[0], &color, NULL) ||
        !parse_moves(parser->gtp, words[1], marks) ||
        parse_int(words[2], "depth", 1, 1000000000, &depth, NULL))
        return false;
    const Board *board = &session_position(parser->gtp->session)->board;
    if (!restriction_add(&parser->restriction, color, marks, board->width * board->height + 1,
                         allow, depth))
        return false;
    parser->out->avoid = parser->restriction.avoid;
    parser->out->avoids = true;
    parser->at += 3;
    return true;
}

static bool *flag_named(AnalyzeRequest *request, const char *name) {
    const struct {
        const char *name;
        bool *place;
    } FLAGS[] = {{"rootInfo", &request->root_info},
                 {"ownership", &request->ownership},
                 {"ownershipStdev", &request->ownership_stdev},
                 {"movesOwnership", &request->moves_ownership},
                 {"movesOwnershipStdev", &request->moves_ownership_stdev},
                 {"pvVisits", &request->line_visits},
                 {"pvEdgeVisits", &request->line_edge_visits},
                 {"noResultValue", &request->no_result}};
    for (size_t i = 0; request->dialect != DIALECT_LZ && i < sizeof FLAGS / sizeof *FLAGS; i++) {
        if (strcmp(name, FLAGS[i].name) == 0) return FLAGS[i].place;
    }
    return NULL;
}

static bool parse_pair(RequestParser *parser) {
    const char *key = parser->words->words[parser->at++];
    if (strcmp(key, "avoid") == 0 || strcmp(key, "allow") == 0)
        return parse_restriction(parser, strcmp(key, "allow") == 0);
    if (parser->at == parser->words->count) return false;
    const char *value = parser->words->words[parser->at++];
    if (strcmp(key, "interval") == 0) return parse_interval(value, &parser->out->interval_seconds);
    if (strcmp(key, "minmoves") == 0) return parse_count(value, &parser->out->min_moves);
    if (strcmp(key, "maxmoves") == 0) return parse_count(value, &parser->out->max_moves);
    bool *flag = flag_named(parser->out, key);
    return flag && parse_flag(value, flag);
}

Status analyze_request_parse(const Gtp *gtp, const Arguments *a, AnalyzeDialect dialect,
                             Color color, const char *name, AnalyzeRequest *out, Error *err) {
    *out = (AnalyzeRequest){.dialect = dialect, .color = color, .max_moves = INT_MAX};
    RequestParser parser = {.gtp = gtp, .words = a, .out = out};
    if (a->count && !gtp_parse_color(a->words[0], &out->color, NULL)) {
        parser.at++;
    } else {
        out->color = color;
    }
    if (parser.at < a->count && parse_interval(a->words[parser.at], &out->interval_seconds))
        parser.at++;
    bool good = true;
    while (good && parser.at < a->count)
        good = parse_pair(&parser);
    if (good) return OK;
    StrBuf words = {0};
    gtp_join(a, 0, &words);
    Status status =
        fail(err, ERR_SYNTAX, "Could not parse %s arguments or arguments out of range: '%.200s'",
             name, strbuf_text(&words));
    strbuf_clear(&words);
    return status;
}
