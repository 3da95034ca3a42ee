#include "sgf/sgf_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/settings.h"
#include "sgf/sgf_komi.h"

/* The properties that a game is made of. All other properties are ignored. The properties from B to
 * C in this list are looked for in every node, those after C only in the root. */
#define NAMES(ROW)                                                                                 \
    ROW(B)  /* a black move */                                                                     \
    ROW(W)  /* a white move */                                                                     \
    ROW(AB) /* points with black stones */                                                         \
    ROW(AW) /* points with white stones */                                                         \
    ROW(AE) /* points without stones */                                                            \
    ROW(TB) /* points that count for Black */                                                      \
    ROW(TW) /* points that count for White */                                                      \
    ROW(C)  /* comment */                                                                          \
    ROW(PB) /* Black's name */                                                                     \
    ROW(PW) /* White's name */                                                                     \
    ROW(BR) /* Black's rank */                                                                     \
    ROW(WR) /* White's rank */                                                                     \
    ROW(RE) /* result */                                                                           \
    ROW(RU) /* rules */                                                                            \
    ROW(DT) /* date */                                                                             \
    ROW(EV) /* event */                                                                            \
    ROW(PC) /* place */                                                                            \
    ROW(GN) /* name of the game */                                                                 \
    ROW(AP) /* the program that wrote the file */                                                  \
    ROW(GM) /* which game it is: 1 for Go */                                                       \
    ROW(SZ) /* size of the board */                                                                \
    ROW(KM) /* komi */                                                                             \
    ROW(HA) /* handicap */                                                                         \
    ROW(PL) /* who moves first */                                                                  \
    ROW(US) /* who entered the game */                                                             \
    ROW(SO) /* the server, book or collection from which the game comes */                         \
    ROW(TM) /* main time in seconds */                                                             \
    ROW(OT) /* overtime */
#define NAME_VALUE(name) NAME_##name,
#define NAME_TEXT(name) #name,
typedef enum { NAMES(NAME_VALUE) NAME_COUNT, NODE_NAMES = NAME_C + 1 } Name;
static const char TEXTS[NAME_COUNT][3] = {NAMES(NAME_TEXT)};

/* The properties of a node by their names. */
typedef struct {
    bool there[NAME_COUNT];
    bool again[NAME_COUNT];             /* the node has more properties of this name */
    SgfProperty properties[NAME_COUNT]; /* the first of each name, or unset */
} Found;

/* Returns the index of `text` among the first `count` names, or `count` if `text` is none of
 * them. */
static Name find_name(const char *text, Name count) {
    Name name = 0;
    while (name < count && (*TEXTS[name] != *text || strcmp(TEXTS[name] + 1, text + 1) != 0))
        name++;
    return name;
}

/* read_game() makes a game from a tree in these steps:
 *   1. It reads the size of the board.
 *   2. It reads the texts, rules, handicap, setup and player to move, which are in the root.
 *   3. It reads the moves and comments of each node on the chosen line.
 *   4. finish() adds handicap stones that the file leaves out, and collects the warnings. */
typedef struct {
    const char *source; /* the file's name */
    SgfTree *tree;
    SgfNode root;
    Found found; /* in the root */
    SgfGame *game;
    char *plain; /* what plain_text() returned last */
    size_t plain_capacity;
    StrBuf warnings;
    bool longest, cut;         /* SgfOptions */
    bool second_node_is_white; /* the root has no move; the next node's first move is White's */
    Error *err;
} Reader;

static Status no_memory(Reader *reader) {
    return fail(reader->err, ERR_MEMORY, "%s:%d: no memory for this game", reader->source,
                sgf_tree_line(reader->tree, reader->root.at));
}

static int line_of(Reader *reader, const SgfProperty *property) {
    return sgf_tree_line(reader->tree, property->at);
}

/* Finds the properties of a node that have one of the first `count` names. One pass finds them all,
 * so a node with many properties is not searched once for each name. */
static void find_all(const SgfTree *tree, SgfNode node, Name count, Found *out) {
    SgfProperty property;
    memset(out->there, 0, sizeof out->there);
    memset(out->again, 0, sizeof out->again);
    for (bool more = sgf_tree_property(tree, node, &property); more;
         more = sgf_property_next(&property)) {
        Name name = find_name(property.name, count);
        if (name == count) continue;
        if (out->there[name]) out->again[name] = true;
        if (out->there[name]) continue;
        out->there[name] = true;
        out->properties[name] = property;
    }
}

/* Walk through the properties of one name. Both functions return false if there are no more. */
static bool get_first(const Found *found, Name name, SgfProperty *out) {
    if (found->there[name]) *out = found->properties[name];
    return found->there[name];
}

static bool get_next(const Found *found, Name name, SgfProperty *property) {
    return found->again[name] && sgf_property_find_next(property);
}

/* Returns the first property of that name in the root, or NULL if there is none. */
static const SgfProperty *find_root(const Reader *reader, Name name) {
    return reader->found.there[name] ? &reader->found.properties[name] : NULL;
}

/* Reports a bad value of a property and what was wanted. */
static Status bad_value(Reader *reader, Status status, const SgfProperty *property,
                        const char *value, const char *wanted) {
    return fail(reader->err, status, "%s:%d: %s[%.40s]: wanted %s", reader->source,
                line_of(reader, property), property->name, value, wanted);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\n';
}

static void trim(char *text) {
    size_t begin = 0, end = strlen(text);
    while (end && is_blank(text[end - 1]))
        end--;
    while (begin < end && is_blank(text[begin]))
        begin++;
    if (begin) memmove(text, text + begin, end - begin);
    text[end - begin] = 0;
}

/* Returns a value as text without blanks at its ends, or NULL if there is no memory. The next call
 * overwrites the text. */
static char *plain_text(Reader *reader, const SgfValue *value) {
    if (mem_grow(&reader->plain, &reader->plain_capacity, value->length + 1, 1, NULL)) return NULL;
    sgf_value_unescape(value, true, reader->plain);
    trim(reader->plain);
    return reader->plain;
}

/* Does the same for the first value of a property. */
static char *first_text(Reader *reader, const SgfProperty *property) {
    SgfValue value = sgf_property_value(property);
    return plain_text(reader, &value);
}

/* Copies a property of the root as text into the game's arena. `*out` is "" if there is no such
 * property. */
static Status copy_text(Reader *reader, Name name, bool simple, const char **out) {
    const SgfProperty *property = find_root(reader, name);
    *out = "";
    if (!property) return OK;
    if (!simple) {
        SgfValue value = sgf_property_value(property);
        *out = sgf_value_text(&value, false, &reader->game->arena);
        return *out ? OK : no_memory(reader);
    }
    const char *text = first_text(reader, property);
    *out = text ? sgf_game_keep(reader->game, text) : NULL;
    return *out ? OK : no_memory(reader);
}

static Status read_texts(Reader *reader) {
    SgfGame *game = reader->game;
    const struct {
        Name name;
        const char **out;
    } COPIED[] = {{NAME_PB, &game->black},
                  {NAME_PW, &game->white},
                  {NAME_BR, &game->black_rank},
                  {NAME_WR, &game->white_rank},
                  {NAME_RE, &game->result},
                  {NAME_RU, &game->rules_name},
                  {NAME_DT, &game->about.date},
                  {NAME_EV, &game->about.event},
                  {NAME_PC, &game->about.place},
                  {NAME_GN, &game->about.name},
                  {NAME_AP, &game->about.application},
                  {NAME_US, &game->about.user},
                  {NAME_SO, &game->about.origin},
                  {NAME_TM, &game->about.main_time},
                  {NAME_OT, &game->about.overtime}};
    Status status = copy_text(reader, NAME_C, false, &game->comment);
    for (size_t i = 0; !status && i < sizeof COPIED / sizeof *COPIED; i++)
        status = copy_text(reader, COPIED[i].name, true, COPIED[i].out);
    return status;
}

/* Reads GM and SZ. This happens first, because the size decides what the points in other properties
 * mean. */
static Status read_size(Reader *reader, int *width, int *height) {
    *width = *height = BOARD_SIDE_MAX;
    const SgfProperty *kind = find_root(reader, NAME_GM), *size = find_root(reader, NAME_SZ);
    const char *text;
    long long number, columns, rows;
    if (kind) {
        text = first_text(reader, kind);
        if (!text) return no_memory(reader);
        if (!parse_int(text, "GM", 0, 1000, &number, NULL) && number != 1)
            return bad_value(reader, ERR_UNSUPPORTED, kind, text, "1, the game of Go");
    }
    if (!size) return OK;
    char *first = first_text(reader, size);
    if (!first) return no_memory(reader);
    char *between = strpbrk(first, ":xX"); /* the sign between the numbers of columns and rows */
    if (between) *between++ = 0;
    trim(first);
    if (between) trim(between);
    bool good = !parse_int(first, "SZ", 0, 1000000, &columns, NULL) &&
                (!between || !parse_int(between, "SZ", 0, 1000000, &rows, NULL));
    text = first_text(reader, size); /* again the whole text, for the message */
    if (!text) return no_memory(reader);
    if (!good) return bad_value(reader, ERR_SYNTAX, size, text, "a size such as 9 or 9:13");
    if (!between) rows = columns;
    if (columns < 2 || rows < 2 || columns > BOARD_SIDE_MAX || rows > BOARD_SIDE_MAX)
        return bad_value(reader, ERR_UNSUPPORTED, size, text, "2 to 19");
    *width = (int)columns;
    *height = (int)rows;
    return OK;
}

/* Reads RU and KM. A value that cannot be read is ignored with a warning. */
static Status read_rules(Reader *reader, const SgfOptions *options) {
    SgfGame *game = reader->game;
    const SgfProperty *name = find_root(reader, NAME_RU), *komi = find_root(reader, NAME_KM),
                      *user = find_root(reader, NAME_US);
    if (name) {
        Rules rules;
        char *text = first_text(reader, name);
        if (!text) return no_memory(reader);
        game->rules_given = !rules_parse_with_komi(text, &rules, NULL);
        char *comma = strchr(text, ',');
        if (!game->rules_given && comma && *text != '{') { /* as in "Chinese, Pair Go" */
            *comma = 0;
            trim(text);
            game->rules_given = !rules_parse_with_komi(text, &rules, NULL);
        }
        if (game->rules_given)
            game->rules = rules;
        else
            strbuf_addf(&reader->warnings, "rules \"%.60s\" are unknown; ", game->rules_name);
    } else if (!options || !options->rules) {
        strbuf_add(&reader->warnings, "no rules are given; ");
    }
    if (!komi) return OK;
    char source[32] = ""; /* only the beginning of US counts */
    const char *text = user ? first_text(reader, user) : "";
    if (text) snprintf(source, sizeof source, "%.31s", text);
    if (text) text = first_text(reader, komi);
    if (!text) return no_memory(reader);
    game->komi_given =
        sgf_komi_parse(text, game->about.application, source, game->rules_name, &game->rules.komi);
    if (!game->komi_given)
        strbuf_addf(&reader->warnings,
                    "komi \"%.20s\" is not a multiple of 1/2 within -400 to 400, %g is used; ",
                    text, (double)game->rules.komi);
    return OK;
}

static Status read_handicap(Reader *reader) {
    const SgfProperty *property = find_root(reader, NAME_HA);
    long long number;
    if (!property) return OK;
    const char *text = first_text(reader, property);
    if (!text) return no_memory(reader);
    if (!parse_int(text, "HA", 0, BOARD_POINTS_MAX, &number, NULL))
        reader->game->handicap = (int)number;
    else
        strbuf_addf(&reader->warnings, "handicap \"%.20s\" is not a number from 0 to %d; ", text,
                    BOARD_POINTS_MAX);
    return OK;
}

/* Reads two letters as coordinates: a to z are 0 to 25, A to Z are 26 to 51. Returns false if the
 * text does not begin with two letters. */
static bool read_pair(const char *text, int *x, int *y) {
    int coordinates[2];
    for (int i = 0; i < 2; i++) {
        bool small = text[i] >= 'a' && text[i] <= 'z', large = text[i] >= 'A' && text[i] <= 'Z';
        if (!small && !large) return false;
        coordinates[i] = small ? text[i] - 'a' : text[i] - 'A' + 26;
    }
    *x = coordinates[0];
    *y = coordinates[1];
    return true;
}

typedef struct {
    int left, top, right, bottom;
} Rectangle;

/* Reads a point, as "cc", or a rectangle, as "aa:cc". */
static bool read_rectangle(const char *text, Rectangle *out) {
    size_t length = strlen(text);
    if (length != 2 && (length != 5 || text[2] != ':')) return false;
    if (!read_pair(text, &out->left, &out->top)) return false;
    return read_pair(text + length - 2, &out->right, &out->bottom) && out->left <= out->right &&
           out->top <= out->bottom;
}

static Status set_up(Reader *reader, const SgfProperty *property, const char *text, Color color) {
    SgfGame *game = reader->game;
    Rectangle area;
    if (!read_rectangle(text, &area))
        return bad_value(reader, ERR_SYNTAX, property, text,
                         "a point such as cc, or a rectangle such as aa:cc");
    if (area.right >= game->width || area.bottom >= game->height)
        return fail(reader->err, ERR_ILLEGAL, "%s:%d: %s[%s] is off a %dx%d board", reader->source,
                    line_of(reader, property), property->name, text, game->width, game->height);
    for (int y = area.top; y <= area.bottom; y++) {
        for (int x = area.left; x <= area.right; x++) {
            Point point = point_at(x, y);
            if (color != COLOR_EMPTY && game->setup[point] != COLOR_EMPTY)
                return fail(reader->err, ERR_ILLEGAL, "%s:%d: %s[%s] sets up %s twice",
                            reader->source, line_of(reader, property), property->name, text,
                            point_text(point, game->height).text);
            game->setup[point] = (uint8_t)color;
        }
    }
    return OK;
}

static const struct {
    Name name;
    Color color;
} SETUP[] = {{NAME_AB, COLOR_BLACK}, {NAME_AW, COLOR_WHITE}, {NAME_AE, COLOR_EMPTY}};

/* Reads the values of AB, AW or AE. Sets `*seen` to true if there are any points. */
static Status read_setup_values(Reader *reader, const SgfProperty *property, Color color,
                                bool *seen) {
    Status status = OK;
    SgfValue value = sgf_property_value(property), next = value;
    bool more = sgf_property_next_value(property, &next);
    if (!more) { /* "AB[]" is an empty list */
        const char *text = plain_text(reader, &value);
        if (text && !*text) return OK;
    }
    do {
        const char *text = plain_text(reader, &value);
        if (!text) return no_memory(reader);
        *seen = true;
        status = set_up(reader, property, text, color);
    } while (!status && sgf_property_next_value(property, &value));
    return status;
}

/* Reads AB, AW and AE. Sets `*only_black` to true if there are black stones and no other setup. */
static Status read_setup(Reader *reader, bool *only_black) {
    Status status = OK;
    bool seen[3] = {false};
    for (int i = 0; i < 3 && !status; i++) {
        SgfProperty property;
        bool more = get_first(&reader->found, SETUP[i].name, &property);
        while (more && !status) {
            status = read_setup_values(reader, &property, SETUP[i].color, &seen[i]);
            more = get_next(&reader->found, SETUP[i].name, &property);
        }
    }
    *only_black = seen[0] && !seen[1] && !seen[2];
    return status;
}

static Status read_mover(Reader *reader, bool only_black) {
    SgfGame *game = reader->game;
    const SgfProperty *property = find_root(reader, NAME_PL);
    game->first_mover = only_black ? COLOR_WHITE : COLOR_BLACK;
    if (!property) return OK;
    const char *text = first_text(reader, property);
    if (!text) return no_memory(reader);
    bool black =
        strcasecmp(text, "b") == 0 || strcasecmp(text, "black") == 0 || strcmp(text, "1") == 0;
    bool white =
        strcasecmp(text, "w") == 0 || strcasecmp(text, "white") == 0 || strcmp(text, "2") == 0;
    if (!black && !white) return bad_value(reader, ERR_SYNTAX, property, text, "B or W");
    game->first_mover = black ? COLOR_BLACK : COLOR_WHITE;
    return OK;
}

static Status read_move(Reader *reader, const SgfProperty *property, const SgfValue *value) {
    SgfGame *game = reader->game;
    int line = line_of(reader, property);
    Move move = {.color = *property->name == 'B' ? COLOR_BLACK : COLOR_WHITE, .point = POINT_PASS};
    const char *text = plain_text(reader, value);
    int x, y;
    if (!text) return no_memory(reader);
    if (*text && strcmp(text, "tt") != 0) {
        if (strlen(text) != 2 || !read_pair(text, &x, &y))
            return bad_value(reader, ERR_SYNTAX, property, text,
                             "a point such as cc, or nothing for a pass");
        if (x >= game->width || y >= game->height)
            return fail(reader->err, ERR_ILLEGAL, "%s:%d: move %s[%s] is off a %dx%d board",
                        reader->source, line, property->name, text, game->width, game->height);
        move.point = point_at(x, y);
    }
    Status status = sgf_game_add_move(game, move, NULL, reader->err);
    if (status) return fail_within(reader->err, status, "%s:%d", reader->source, line);
    game->moves[game->move_count - 1].line = line;
    return OK;
}

/* Reads all moves of one color (`name` is B or W). Leaves out the value `done`, which has been read
 * already. */
static Status read_moves_of(Reader *reader, const Found *found, Name name, const SgfValue *done) {
    Status status = OK;
    SgfProperty property;
    bool more = get_first(found, name, &property);
    while (more && !status) {
        SgfValue value = sgf_property_value(&property);
        do {
            if (value.text != done->text) status = read_move(reader, &property, &value);
        } while (!status && sgf_property_next_value(&property, &value));
        more = get_next(found, name, &property);
    }
    return status;
}

/* Reads the moves of a node in KataGo's order: the node's first move, then the other black moves,
 * then the other white moves. */
static Status read_node_moves(Reader *reader, const Found *found) {
    bool black = found->there[NAME_B], white = found->there[NAME_W];
    if (!black && !white) return OK;
    const SgfProperty *first = &found->properties[black ? NAME_B : NAME_W];
    if (black && white && found->properties[NAME_W].at < first->at)
        first = &found->properties[NAME_W];
    SgfValue value = sgf_property_value(first);
    Status status = read_move(reader, first, &value);
    if (!status) status = read_moves_of(reader, found, NAME_B, &value);
    return status ? status : read_moves_of(reader, found, NAME_W, &value);
}

static Status refuse_setup(Reader *reader, const Found *found) {
    for (int i = 0; i < 3; i++) {
        const SgfProperty *property = &found->properties[SETUP[i].name];
        if (found->there[SETUP[i].name])
            return fail(reader->err, ERR_UNSUPPORTED,
                        "%s:%d: %s sets up stones after the root, only moves are read there",
                        reader->source, line_of(reader, property), property->name);
    }
    return OK;
}

/* Marks the points of a rectangle. If it is not completely on the board, it is ignored. */
static void mark_territory(SgfGame *game, const Rectangle *area, Color color) {
    if (area->right >= game->width || area->bottom >= game->height) return;
    for (int y = area->top; y <= area->bottom; y++)
        memset(&game->territory[point_at(area->left, y)], (int)color,
               (size_t)(area->right - area->left + 1));
}

/* Reads TB or TW. A value that is no point is ignored, because moves and result do not depend on
 * it. */
static Status read_territory_of(Reader *reader, const Found *found, Name name, Color color) {
    SgfGame *game = reader->game;
    SgfProperty property;
    for (bool more = get_first(found, name, &property); more;
         more = get_next(found, name, &property)) {
        SgfValue value = sgf_property_value(&property);
        do {
            Rectangle area;
            const char *text = plain_text(reader, &value);
            if (!text) return no_memory(reader);
            if (read_rectangle(text, &area)) mark_territory(game, &area, color);
        } while (sgf_property_next_value(&property, &value));
    }
    return OK;
}

/* Reads TB and TW of a node. Always forgets the TB and TW of earlier nodes. */
static Status read_territory(Reader *reader, const Found *found) {
    SgfGame *game = reader->game;
    bool given = found->there[NAME_TB] || found->there[NAME_TW];
    if (game->territory_given) memset(game->territory, COLOR_EMPTY, sizeof game->territory);
    game->territory_given = given;
    if (!given) return OK;
    Status status = read_territory_of(reader, found, NAME_TB, COLOR_BLACK);
    return status ? status : read_territory_of(reader, found, NAME_TW, COLOR_WHITE);
}

/* Reads the moves of a node that has `depth` nodes above it. The comment of the node becomes the
 * comment of the node's last move. */
static Status read_node(Reader *reader, const Found *found, int depth) {
    SgfGame *game = reader->game;
    size_t before = game->move_count;
    Status status = depth ? refuse_setup(reader, found) : OK;
    if (!status) status = read_territory(reader, found);
    if (!status) status = read_node_moves(reader, found);
    if (status) return status;
    if (depth == 1 && before == 0 && game->move_count)
        reader->second_node_is_white = game->moves[0].move.color == COLOR_WHITE;
    if (!found->there[NAME_C] || !depth || game->move_count == before) return OK;
    SgfValue value = sgf_property_value(&found->properties[NAME_C]);
    const char *text = sgf_value_text(&value, false, &game->arena);
    if (!text) return no_memory(reader);
    if (*text) game->moves[game->move_count - 1].comment = text;
    return OK;
}

/* Ends the game after the moves that were read before the fault. The fault becomes a warning. */
static Status cut_game(Reader *reader, const Error *fault) {
    strbuf_addf(&reader->warnings, "the game is cut: %s; ", fault->message);
    reader->game->cut = true;
    return OK;
}

/* Reads the nodes of the chosen line. */
static Status read_nodes(Reader *reader) {
    SgfNode node = reader->root;
    Found found;
    Error fault = {0}, *err = reader->err;
    if (reader->cut) reader->err = &fault;
    Status status = read_node(reader, &reader->found, 0);
    for (int depth = 1; !status && sgf_tree_follow(reader->tree, &node, !reader->longest);
         depth++) {
        find_all(reader->tree, node, NODE_NAMES, &found);
        status = read_node(reader, &found, depth);
    }
    reader->err = err;
    if (!status || !reader->cut) return status;
    return status == ERR_MEMORY ? fail(err, status, "%s", fault.message) : cut_game(reader, &fault);
}

static Status finish(Reader *reader) {
    SgfGame *game = reader->game;
    if (sgf_komi_add_handicap(game, reader->second_node_is_white))
        strbuf_add(&reader->warnings, "handicap stones that the file leaves out were set up; ");
    if (game->move_count) game->first_mover = game->moves[0].move.color;
    bool black = false, white = false;
    for (Point p = 0; p < POINT_COUNT; p++) {
        black = black || game->setup[p] == COLOR_BLACK;
        white = white || game->setup[p] == COLOR_WHITE;
    }
    game->write_mover = game->first_mover != (black && !white ? COLOR_WHITE : COLOR_BLACK);
    Status status = strbuf_status(&reader->warnings, reader->err);
    size_t length = reader->warnings.length;
    if (status || !length) return status;
    game->warning = arena_copy(&game->arena, reader->warnings.text, length - 2);
    return game->warning ? OK : no_memory(reader);
}

static Status read_game(Reader *reader, const SgfOptions *options) {
    SgfGame *game = reader->game;
    Rules rules = options && options->rules ? *options->rules : rules_tromp_taylor();
    int width, height;
    bool only_black = false;
    Status status = read_size(reader, &width, &height);
    if (!status) status = sgf_game_init(game, width, height, &rules, reader->err);
    if (status) return status;
    game->source = sgf_game_keep(game, reader->source);
    if (!game->source) return no_memory(reader);
    game->line = sgf_tree_line(reader->tree, reader->root.at);
    status = read_texts(reader);
    if (!status) status = read_rules(reader, options);
    if (!status) status = read_handicap(reader);
    if (!status) status = read_setup(reader, &only_black);
    if (!status) status = read_mover(reader, only_black);
    if (!status) status = read_nodes(reader);
    return status ? status : finish(reader);
}

Status sgf_read_next(SgfSource *source, const SgfOptions *options, SgfGame *out, bool *none,
                     Error *err) {
    SgfTree tree;
    *out = (SgfGame){0};
    *none = false;
    Status status = sgf_parse_next(source, &tree, err);
    *none = !status && !tree.game_count;
    if (status || *none) return status;
    Reader reader = {.source = source->name,
                     .tree = &tree,
                     .game = out,
                     .longest = options && options->longest,
                     .cut = options && options->cut,
                     .err = err};
    sgf_tree_enter(&tree, 0, &reader.root);
    find_all(&tree, reader.root, NAME_COUNT, &reader.found);
    status = read_game(&reader, options);
    out->partial = tree.branch_count > 1;
    if (status) sgf_game_clear(out);
    strbuf_clear(&reader.warnings);
    free(reader.plain);
    sgf_tree_clear(&tree);
    return status;
}
