#include "sgf/sgf_parse.h"

#include <ctype.h>
#include <stdlib.h>

#include "sgf/sgf_charset.h"

#define NAME_MAX_LENGTH 64
/* The tree may take this much memory for each byte of text. A node, ";", takes 64 bytes, and the
 * shortest property, "A[]", takes 96. */
#define ARENA_BYTES_PER_BYTE 80

/* The parser has no recursion:
 *   1. find_game() skips to "(;".
 *   2. read_game() reads one token after the other until the first parenthesis is closed.
 *   3. "(" puts the current node on the stack `branches`, and ")" takes it back from there.
 *   4. ";" adds a child to the current node and makes that the current one; a name begins a
 *      property of it.
 *   5. After a failure skip_to_game() goes to the next line that begins a game. */
typedef struct {
    const char *at, *end;
    const char *source; /* name of the text */
    int line;
    SgfTree *tree;
    SgfNode *node;      /* the current node; NULL if the game has none yet */
    SgfNode **branches; /* for each open parenthesis, the node before it */
    size_t depth, capacity;
    bool in_game;
    Error *err;
} Parser;

static Status no_memory(Parser *parser) {
    return fail(parser->err, ERR_MEMORY, "%s:%d: no memory for this game", parser->source,
                parser->line);
}

static char next_char(Parser *parser) {
    if (*parser->at == '\n' ||
        (*parser->at == '\r' && (parser->at + 1 == parser->end || parser->at[1] != '\n')))
        parser->line++;
    return *parser->at++;
}

static void skip_blanks(Parser *parser) {
    while (parser->at < parser->end && isspace((unsigned char)*parser->at))
        next_char(parser);
}

/* Moves to the next "(" that a ";" follows. Returns false if there is none. */
static bool find_game(Parser *parser) {
    while (parser->at < parser->end) {
        if (*parser->at != '(') {
            next_char(parser);
            continue;
        }
        const char *after = parser->at + 1;
        while (after < parser->end && isspace((unsigned char)*after))
            after++;
        if (after < parser->end && *after == ';') return true;
        next_char(parser);
    }
    return false;
}

static Status open_branch(Parser *parser) {
    next_char(parser);
    Status status = mem_grow(&parser->branches, &parser->capacity, parser->depth + 1,
                             sizeof *parser->branches, parser->err);
    if (status) return status;
    parser->branches[parser->depth++] = parser->node;
    skip_blanks(parser);
    if (parser->at < parser->end && *parser->at == ';') return OK;
    if (parser->at == parser->end)
        return fail(parser->err, ERR_SYNTAX, "%s:%d: the text ends after \"(\"", parser->source,
                    parser->line);
    return fail(parser->err, ERR_SYNTAX, "%s:%d: found '%c' after \"(\", wanted \";\"",
                parser->source, parser->line,
                isprint((unsigned char)*parser->at) ? *parser->at : '?');
}

static void close_branch(Parser *parser) {
    next_char(parser);
    parser->node = parser->branches[--parser->depth];
    parser->in_game = parser->depth > 0;
}

static Status open_node(Parser *parser) {
    next_char(parser);
    parser->node = sgf_tree_add_node(parser->tree, parser->node);
    if (!parser->node) return no_memory(parser);
    parser->node->line = parser->line;
    return OK;
}

/* Reads the name of a property. If it has capitals, its lower-case letters are dropped; otherwise
 * they become capitals. */
static Status read_name(Parser *parser, char name[NAME_MAX_LENGTH + 1], size_t *length) {
    const char *begin = parser->at;
    bool capitals = false;
    while (parser->at < parser->end && isalnum((unsigned char)*parser->at)) {
        if (isupper((unsigned char)*parser->at)) capitals = true;
        parser->at++;
    }
    *length = 0;
    for (const char *c = begin; c < parser->at; c++) {
        if (capitals && islower((unsigned char)*c)) continue;
        if (!*length && isdigit((unsigned char)*c)) continue; /* a name begins with a letter */
        if (*length == NAME_MAX_LENGTH)
            return fail(parser->err, ERR_SYNTAX,
                        "%s:%d: \"%.20s...\" is too long for the name of a property",
                        parser->source, parser->line, begin);
        name[(*length)++] = (char)toupper((unsigned char)*c);
    }
    name[*length] = 0;
    return OK;
}

static Status read_value(Parser *parser, SgfProperty *property) {
    int line = parser->line;
    next_char(parser);
    const char *begin = parser->at;
    while (parser->at < parser->end && *parser->at != ']') {
        if (next_char(parser) == '\\' && parser->at < parser->end) next_char(parser);
    }
    if (parser->at == parser->end)
        return fail(parser->err, ERR_SYNTAX,
                    "%s:%d: the value of %s that begins here has no closing \"]\"", parser->source,
                    line, property->name);
    size_t length = (size_t)(parser->at - begin);
    next_char(parser);
    return sgf_tree_add_value(parser->tree, property, begin, length) ? OK : no_memory(parser);
}

static Status read_property(Parser *parser) {
    char name[NAME_MAX_LENGTH + 1];
    size_t length;
    Status status = read_name(parser, name, &length);
    if (status) return status;
    int line = parser->line;
    skip_blanks(parser);
    if (parser->at == parser->end || *parser->at != '[')
        return fail(parser->err, ERR_SYNTAX, "%s:%d: property %s has no value, wanted \"[\"",
                    parser->source, line, name);
    SgfProperty *property = sgf_tree_add_property(parser->tree, parser->node, name, length);
    if (!property) return no_memory(parser);
    property->line = line;
    while (!status && parser->at < parser->end && *parser->at == '[') {
        status = read_value(parser, property);
        skip_blanks(parser);
    }
    return status;
}

static Status read_token(Parser *parser) {
    unsigned char c = (unsigned char)*parser->at;
    if (c == '(') return open_branch(parser);
    if (c == ';') return open_node(parser);
    if (c == ')') {
        close_branch(parser);
        return OK;
    }
    if (isalpha(c)) return read_property(parser);
    if (isprint(c))
        return fail(parser->err, ERR_SYNTAX,
                    "%s:%d: found '%c', wanted a property, \";\", \"(\" or \")\"", parser->source,
                    parser->line, c);
    return fail(parser->err, ERR_SYNTAX,
                "%s:%d: found byte 0x%02x, wanted a property, \";\", \"(\" or \")\"",
                parser->source, parser->line, c);
}

static Status read_game(Parser *parser) {
    Status status = open_branch(parser);
    parser->in_game = true;
    while (!status && parser->in_game) {
        skip_blanks(parser);
        if (parser->at == parser->end)
            return fail(parser->err, ERR_SYNTAX,
                        "%s:%d: the text ends inside a game, %zu \")\" missing", parser->source,
                        parser->line, parser->depth);
        status = read_token(parser);
    }
    return status;
}

/* After a failure, moves to the next line that begins a game. */
static void skip_to_game(Parser *parser) {
    while (find_game(parser)) {
        char before = parser->at[-1]; /* this exists, as the game that failed lies before `at` */
        if (before == '\n' || before == '\r') return;
        next_char(parser);
    }
}

static Status parse_game(SgfSource *source, SgfTree *tree, Error *err) {
    Parser parser = {.at = source->text + source->at,
                     .end = source->text + source->length,
                     .source = source->name,
                     .line = source->line,
                     .tree = tree,
                     .err = err};
    Status status = find_game(&parser) ? read_game(&parser) : OK;
    free(parser.branches);
    if (status) skip_to_game(&parser);
    source->at = (size_t)(parser.at - source->text);
    source->line = parser.line;
    return status;
}

/* Bounds the memory that a text of this length may take as a tree. */
static void limit_tree(SgfTree *tree, size_t length) {
    tree->arena.limit_bytes = tree->arena.bytes + length * ARENA_BYTES_PER_BYTE + 4096;
}

Status sgf_parse_next(SgfSource *source, SgfTree *out, Error *err) {
    *out = (SgfTree){0};
    limit_tree(out, source->length - source->at);
    Status status = parse_game(source, out, err);
    if (status) sgf_tree_clear(out);
    sgf_tree_measure(out);
    return status;
}

Status sgf_parse(const char *bytes, size_t count, const char *name, SgfTree *out, Error *err) {
    *out = (SgfTree){0};
    StrBuf decoded = {0};
    SgfSource source = {.name = name, .line = 1};
    Status status = sgf_charset_decode(bytes, count, &decoded, err);
    if (status) goto done;
    source.length = decoded.length;
    source.text = arena_copy(&out->arena, strbuf_text(&decoded), decoded.length);
    if (!source.text) {
        status = fail(err, ERR_MEMORY, "%s: no memory for %zu bytes", name, decoded.length);
        goto done;
    }
    limit_tree(out, decoded.length);
    while (!status && source.at < source.length)
        status = parse_game(&source, out, err);
    if (!status && !out->games)
        status = fail(err, ERR_SYNTAX, "%s:1: no game: \"(;\" was not found", name);
done:
    strbuf_clear(&decoded);
    if (status) sgf_tree_clear(out);
    sgf_tree_measure(out);
    return status;
}
