#include "sgf/sgf_read.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/settings.h"
#include "sgf/sgf_komi.h"

/* read_game() makes a game from a tree in these steps:
 *   1. It reads the size of the board.
 *   2. It reads the texts, rules, handicap, setup and player to move, which are in the root.
 *   3. It reads the moves and comments of each node on the chosen line.
 *   4. finish() adds handicap stones that the file leaves out, and collects the warnings. */
typedef struct {
    const char *source; /* the file's name */
    const SgfNode *root;
    SgfGame *game;
    Arena scratch;
    StrBuf warnings;
    bool longest;
    bool second_node_is_white; /* the root has no move, and the next node's first is White's */
    Error *err;
} Reader;

static Status no_memory(Reader *reader) {
    return fail(reader->err, ERR_MEMORY, "%s:%d: no memory for this game", reader->source,
                reader->root->line);
}

/* Reports a bad value of a property and what was wanted. */
static Status bad_value(Reader *reader, Status status, const SgfProperty *property,
                        const char *value, const char *wanted) {
    return fail(reader->err, status, "%s:%d: %s[%.40s]: wanted %s", reader->source, property->line,
                property->name, value, wanted);
}

static void trim(char *text) {
    size_t begin = strspn(text, " \n"), length = strlen(text + begin);
    while (length && strchr(" \n", text[begin + length - 1]))
        length--;
    memmove(text, text + begin, length);
    text[length] = 0;
}

/* Returns a value as text in scratch memory, without blanks at its ends, or NULL if there is no
 * memory. */
static const char *plain_text(Reader *reader, const SgfValue *value) {
    const char *text = sgf_tree_text(value, true, &reader->scratch);
    if (!text) return NULL;
    char *trimmed = arena_copy(&reader->scratch, text, strlen(text));
    if (trimmed) trim(trimmed);
    return trimmed;
}

/* Copies a property of the root as text into the game's arena. `*out` is "" if there is no such
 * property. */
static Status copy_text(Reader *reader, const char *name, bool simple, const char **out) {
    const SgfProperty *property = sgf_tree_find(reader->root, name);
    *out = "";
    if (!property) return OK;
    if (!simple) {
        *out = sgf_tree_text(property->values, false, &reader->game->arena);
        return *out ? OK : no_memory(reader);
    }
    const char *text = plain_text(reader, property->values);
    *out = text ? sgf_game_keep(reader->game, text) : NULL;
    return *out ? OK : no_memory(reader);
}

static Status read_texts(Reader *reader) {
    SgfGame *game = reader->game;
    const struct {
        const char *name, **out;
    } TEXTS[] = {{"PB", &game->black},      {"PW", &game->white},      {"BR", &game->black_rank},
                 {"WR", &game->white_rank}, {"RE", &game->result},     {"RU", &game->rules_name},
                 {"DT", &game->date},       {"EV", &game->event},      {"PC", &game->place},
                 {"GN", &game->name},       {"AP", &game->application}};
    Status status = copy_text(reader, "C", false, &game->comment);
    for (size_t i = 0; !status && i < sizeof TEXTS / sizeof *TEXTS; i++)
        status = copy_text(reader, TEXTS[i].name, true, TEXTS[i].out);
    return status;
}

/* Reads GM and SZ. They come first because the points of all other properties depend on the
 * size. */
static Status read_size(Reader *reader, int *width, int *height) {
    *width = *height = BOARD_SIDE_MAX;
    const SgfProperty *kind = sgf_tree_find(reader->root, "GM"),
                      *size = sgf_tree_find(reader->root, "SZ");
    const char *text;
    long long number, columns, rows;
    if (kind) {
        text = plain_text(reader, kind->values);
        if (!text) return no_memory(reader);
        if (!parse_int(text, "GM", 0, 1000, &number, NULL) && number != 1)
            return bad_value(reader, ERR_UNSUPPORTED, kind, text, "1, the game of Go");
    }
    if (!size) return OK;
    text = plain_text(reader, size->values);
    char *copy = text ? arena_copy(&reader->scratch, text, strlen(text)) : NULL;
    if (!copy) return no_memory(reader);
    char *between = strpbrk(copy, ":xX"); /* the sign between columns and rows */
    if (between) *between++ = 0;
    trim(copy);
    if (between) trim(between);
    bool good = !parse_int(copy, "SZ", 0, 1000000, &columns, NULL) &&
                (!between || !parse_int(between, "SZ", 0, 1000000, &rows, NULL));
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
    const SgfProperty *komi = sgf_tree_find(reader->root, "KM"),
                      *user = sgf_tree_find(reader->root, "US");
    if (sgf_tree_find(reader->root, "RU")) {
        Rules rules;
        char *text = arena_copy(&reader->scratch, game->rules_name, strlen(game->rules_name));
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
    const char *text = plain_text(reader, komi->values),
               *source = user ? plain_text(reader, user->values) : "";
    if (!text || !source) return no_memory(reader);
    game->komi_given =
        sgf_komi_parse(text, game->application, source, game->rules_name, &game->rules.komi);
    if (!game->komi_given)
        strbuf_addf(&reader->warnings,
                    "komi \"%.20s\" is not a multiple of 1/2 within -400 to 400, %g is used; ",
                    text, (double)game->rules.komi);
    return OK;
}

static Status read_handicap(Reader *reader) {
    const SgfProperty *property = sgf_tree_find(reader->root, "HA");
    long long number;
    if (!property) return OK;
    const char *text = plain_text(reader, property->values);
    if (!text) return no_memory(reader);
    if (!parse_int(text, "HA", 0, BOARD_POINTS_MAX, &number, NULL))
        reader->game->handicap = (int)number;
    else
        strbuf_addf(&reader->warnings, "handicap \"%.20s\" is not a number; ", text);
    return OK;
}

/* Reads a pair of letters as coordinates: a to z are 0 to 25, A to Z are 26 to 51. Returns false if
 * these are not two letters. */
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
                    property->line, property->name, text, game->width, game->height);
    for (int y = area.top; y <= area.bottom; y++) {
        for (int x = area.left; x <= area.right; x++) {
            Point point = point_at(x, y);
            if (color != COLOR_EMPTY && game->setup[point] != COLOR_EMPTY)
                return fail(reader->err, ERR_ILLEGAL, "%s:%d: %s[%s] sets up %s twice",
                            reader->source, property->line, property->name, text,
                            point_text(point, game->height).text);
            game->setup[point] = (uint8_t)color;
        }
    }
    return OK;
}

static const struct {
    const char *name;
    Color color;
} SETUP[] = {{"AB", COLOR_BLACK}, {"AW", COLOR_WHITE}, {"AE", COLOR_EMPTY}};

/* Reads AB, AW and AE. Sets `*only_black` to whether there are black stones and no other setup. */
static Status read_setup(Reader *reader, bool *only_black) {
    Status status = OK;
    bool seen[3] = {false};
    for (int i = 0; i < 3; i++) {
        const SgfProperty *property = sgf_tree_find(reader->root, SETUP[i].name);
        for (; property; property = sgf_tree_find_next(property, SETUP[i].name)) {
            for (const SgfValue *value = property->values; value && !status; value = value->next) {
                const char *text = plain_text(reader, value);
                if (!text) return no_memory(reader);
                if (!*text && !value->next && value == property->values)
                    continue; /* an empty list: "AB[]" */
                seen[i] = true;
                status = set_up(reader, property, text, SETUP[i].color);
            }
        }
    }
    *only_black = seen[0] && !seen[1] && !seen[2];
    return status;
}

static Status read_mover(Reader *reader, bool only_black) {
    SgfGame *game = reader->game;
    const SgfProperty *property = sgf_tree_find(reader->root, "PL");
    game->first_mover = only_black ? COLOR_WHITE : COLOR_BLACK;
    if (!property) return OK;
    const char *text = plain_text(reader, property->values);
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
                        reader->source, property->line, property->name, text, game->width,
                        game->height);
        move.point = point_at(x, y);
    }
    Status status = sgf_game_add_move(game, move, NULL, reader->err);
    if (status) return fail_within(reader->err, status, "%s:%d", reader->source, property->line);
    game->moves[game->move_count - 1].line = property->line;
    return OK;
}

/* Reads all moves of one color (`name` is B or W) except that of the value `done`, which has been
 * read already. */
static Status read_moves_of(Reader *reader, const SgfNode *node, const char *name,
                            const SgfValue *done) {
    Status status = OK;
    for (const SgfProperty *property = sgf_tree_find(node, name); property;
         property = sgf_tree_find_next(property, name)) {
        for (const SgfValue *value = property->values; value && !status; value = value->next) {
            if (value != done) status = read_move(reader, property, value);
        }
    }
    return status;
}

/* Reads the moves of a node in KataGo's order: the first one, then the other black moves, then the
 * other white moves. */
static Status read_node_moves(Reader *reader, const SgfNode *node) {
    const SgfProperty *first = node->properties;
    while (first && strcmp(first->name, "B") != 0 && strcmp(first->name, "W") != 0)
        first = first->next;
    if (!first) return OK;
    Status status = read_move(reader, first, first->values);
    if (!status) status = read_moves_of(reader, node, "B", first->values);
    return status ? status : read_moves_of(reader, node, "W", first->values);
}

static Status refuse_setup(Reader *reader, const SgfNode *node) {
    for (int i = 0; i < 3; i++) {
        const SgfProperty *property = sgf_tree_find(node, SETUP[i].name);
        if (property)
            return fail(reader->err, ERR_UNSUPPORTED,
                        "%s:%d: %s sets up stones after the root, only moves are read there",
                        reader->source, property->line, property->name);
    }
    return OK;
}

static Status read_node(Reader *reader, const SgfNode *node) {
    SgfGame *game = reader->game;
    size_t before = game->move_count;
    Status status = node == reader->root ? OK : refuse_setup(reader, node);
    if (!status) status = read_node_moves(reader, node);
    if (status) return status;
    if (node->parent == reader->root && before == 0 && game->move_count)
        reader->second_node_is_white = game->moves[0].move.color == COLOR_WHITE;
    const SgfProperty *comment = sgf_tree_find(node, "C");
    if (!comment || node == reader->root || game->move_count == before) return OK;
    const char *text = sgf_tree_text(comment->values, false, &game->arena);
    if (!text) return no_memory(reader);
    if (*text) game->moves[game->move_count - 1].comment = text;
    return OK;
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
    game->line = reader->root->line;
    status = read_texts(reader);
    if (!status) status = read_rules(reader, options);
    if (!status) status = read_handicap(reader);
    if (!status) status = read_setup(reader, &only_black);
    if (!status) status = read_mover(reader, only_black);
    for (const SgfNode *node = reader->root; node && !status;
         node = sgf_tree_follow(node, !reader->longest))
        status = read_node(reader, node);
    return status ? status : finish(reader);
}

Status sgf_read_next(SgfSource *source, const SgfOptions *options, SgfGame *out, bool *none,
                     Error *err) {
    SgfTree tree;
    *out = (SgfGame){0};
    *none = false;
    Status status = sgf_parse_next(source, &tree, err);
    *none = !status && !tree.games;
    if (status || *none) return status;
    Reader reader = {.source = source->name,
                     .root = tree.games,
                     .game = out,
                     .longest = options && options->longest,
                     .err = err};
    status = read_game(&reader, options);
    if (status) sgf_game_clear(out);
    strbuf_clear(&reader.warnings);
    arena_clear(&reader.scratch);
    sgf_tree_clear(&tree);
    return status;
}
