#include "sgf/sgf_parse.h"

#include <ctype.h>
#include <string.h>

#include "sgf/sgf_charset.h"

/* The parser has no recursion:
 *   1. find_game() skips to "(;".
 *   2. read_game() reads one token after the other until the first parenthesis is closed.
 *   3. "(" begins a branch below the current branch. The new branch becomes the current branch. ")"
 *      ends the branch that its "(" began, with all branches below it. The parent of this branch
 *      becomes the current branch again.
 *   4. ";" adds a node to the current branch. If variations came before the ";", the node begins a
 *      branch of its own. A property is checked, but not stored. If variations came before a
 *      property, the property also begins a branch (continue_node()).
 *   5. After a failure sgf_parse() ends; sgf_parse_next() goes on at the next line that begins a
 *      game (skip_to_game()). For sgf_parse_next(), a variation that begins a line and names the
 *      board or the format is the next game, because the game before lacks a ")". */
typedef struct {
    const char *begin, *at, *end;
    const char *source; /* name of the text */
    SgfTree *tree;
    uint32_t branch; /* the current branch, or SGF_NONE */
    uint32_t closed; /* the last branch that was closed below `branch`, or SGF_NONE */
    size_t depth;    /* number of open parentheses */
    bool one_game;   /* whether the caller wants one game, and goes on after a failure */
    Error *err;
} Parser;

static int line_at(Parser *parser, const char *at) {
    return sgf_lines_at(&parser->tree->lines, (size_t)(at - parser->begin));
}

/* Moves to the next "(" after which a ";" comes. Returns false if there is none. */
static bool find_game(Parser *parser) {
    while (parser->at < parser->end) {
        const char *open = memchr(parser->at, '(', (size_t)(parser->end - parser->at));
        parser->at = open ? open : parser->end;
        if (!open) break;
        const char *after = sgf_skip_blanks(open + 1, parser->end);
        if (after < parser->end && *after == ';') return true;
        parser->at = after;
    }
    return false;
}

/* Adds a branch below the current branch. The new branch begins at `begin`. */
static Status add_branch(Parser *parser, const char *begin, uint32_t *out) {
    if (parser->tree->branch_count == SGF_BRANCHES_LIMIT)
        return fail(parser->err, ERR_UNSUPPORTED, "%s:%d: there are more than %u variations",
                    parser->source, line_at(parser, begin), SGF_BRANCHES_LIMIT);
    *out = sgf_tree_add_branch(parser->tree, (size_t)(begin - parser->begin), parser->branch,
                               parser->closed);
    return *out == SGF_NONE ? fail(parser->err, ERR_MEMORY, "%s:%d: no memory for this game",
                                   parser->source, line_at(parser, begin))
                            : OK;
}

/* Adds a branch and makes it the current branch. */
static Status enter_branch(Parser *parser, const char *begin) {
    uint32_t branch;
    Status status = add_branch(parser, begin, &branch);
    if (status) return status;
    parser->branch = branch;
    parser->closed = SGF_NONE;
    return OK;
}

static Status open_branch(Parser *parser) {
    Status status = enter_branch(parser, parser->at++);
    if (status) return status;
    parser->depth++;
    parser->at = sgf_skip_blanks(parser->at, parser->end);
    if (parser->at < parser->end && *parser->at == ';') return OK;
    int line = line_at(parser, parser->at);
    if (parser->at == parser->end)
        return fail(parser->err, ERR_SYNTAX, "%s:%d: the text ends after \"(\"", parser->source,
                    line);
    return fail(parser->err, ERR_SYNTAX, "%s:%d: found '%c' after \"(\", wanted \";\"",
                parser->source, line, isprint((unsigned char)*parser->at) ? *parser->at : '?');
}

static void close_branch(Parser *parser) {
    const SgfBranch *branch = sgf_tree_branch(parser->tree, parser->branch);
    while (parser->begin[branch->begin] != '(') {
        parser->branch = branch->parent;
        branch = sgf_tree_branch(parser->tree, parser->branch);
    }
    parser->closed = parser->branch;
    parser->branch = branch->parent;
    parser->depth--;
    parser->at++;
}

static Status open_node(Parser *parser) {
    const char *begin = parser->at++;
    Status status = parser->closed == SGF_NONE ? OK : enter_branch(parser, begin);
    if (status) return status;
    sgf_tree_branch(parser->tree, parser->branch)->height++;
    return OK;
}

static Status name_failure(Parser *parser, const char *name, const char *end) {
    char text[SGF_NAME_LENGTH_MAX + 1];
    int line = line_at(parser, name);
    if (!sgf_copy_name(name, end, text))
        return fail(parser->err, ERR_SYNTAX,
                    "%s:%d: \"%.20s...\" is too long for the name of a property", parser->source,
                    line, name);
    return fail(parser->err, ERR_SYNTAX, "%s:%d: property %s has no value, wanted \"[\"",
                parser->source, line, text);
}

static Status read_value(Parser *parser, const char *name, const char *name_end) {
    const char *value = parser->at;
    parser->at = sgf_skip_value(value + 1, parser->end);
    if (parser->at < parser->end) {
        parser->at = sgf_skip_blanks(parser->at + 1, parser->end);
        return OK;
    }
    char text[SGF_NAME_LENGTH_MAX + 1];
    sgf_copy_name(name, name_end, text);
    return fail(parser->err, ERR_SYNTAX,
                "%s:%d: the value of %s that begins here has no closing \"]\"", parser->source,
                line_at(parser, value), text);
}

static Status read_property(Parser *parser) {
    const char *name = parser->at, *end = sgf_skip_name(name, parser->end);
    char text[SGF_NAME_LENGTH_MAX + 1];
    parser->at = end;
    if (end - name > SGF_NAME_LENGTH_MAX && !sgf_copy_name(name, end, text))
        return name_failure(parser, name, end);
    parser->at = sgf_skip_blanks(end, parser->end);
    if (parser->at == parser->end || *parser->at != '[') return name_failure(parser, name, end);
    Status status = OK;
    while (!status && parser->at < parser->end && *parser->at == '[')
        status = read_value(parser, name, end);
    return status;
}

/* If the next property follows a variation, begins a branch for this property and those after it.
 * The new branch does not become the current branch, because these properties belong to the last
 * node of the current branch. */
static Status continue_node(Parser *parser) {
    if (parser->closed == SGF_NONE) return OK;
    if (parser->begin[sgf_tree_branch(parser->tree, parser->closed)->begin] != '(') return OK;
    uint32_t branch;
    Status status = add_branch(parser, parser->at, &branch);
    if (!status) parser->closed = branch;
    return status;
}

static bool begins_line(const Parser *parser) {
    return parser->at == parser->begin || parser->at[-1] == '\n' || parser->at[-1] == '\r';
}

/* Whether the node after the "(" at the current place has a property that only the first node of a
 * game may have. */
static bool begins_game(const Parser *parser) {
    const char *end = parser->end, *at = sgf_skip_blanks(parser->at + 1, end);
    if (at == end || *at != ';') return false;
    at = sgf_skip_blanks(at + 1, end);
    while (at < end && isalpha((unsigned char)*at)) {
        char text[SGF_NAME_LENGTH_MAX + 1];
        const char *name = at;
        at = sgf_skip_name(name, end);
        if (!sgf_copy_name(name, at, text)) return false;
        if (!strcmp(text, "SZ") || !strcmp(text, "GM") || !strcmp(text, "FF")) return true;
        at = sgf_skip_blanks(at, end);
        while (at < end && *at == '[') {
            at = sgf_skip_value(at + 1, end);
            at = sgf_skip_blanks(at < end ? at + 1 : end, end);
        }
    }
    return false;
}

static Status read_token(Parser *parser) {
    unsigned char c = (unsigned char)*parser->at;
    if (c == '(' && parser->one_game && begins_line(parser) && begins_game(parser))
        return fail(parser->err, ERR_SYNTAX,
                    "%s:%d: another game begins here, but %zu \")\" of the game before are missing",
                    parser->source, line_at(parser, parser->at), parser->depth);
    if (c == '(') return open_branch(parser);
    if (c == ';') return open_node(parser);
    if (c == ')') {
        close_branch(parser);
        return OK;
    }
    if (isalpha(c)) {
        Status status = continue_node(parser);
        return status ? status : read_property(parser);
    }
    int line = line_at(parser, parser->at);
    if (isprint(c))
        return fail(parser->err, ERR_SYNTAX,
                    "%s:%d: found '%c', wanted a property, \";\", \"(\" or \")\"", parser->source,
                    line, c);
    return fail(parser->err, ERR_SYNTAX,
                "%s:%d: found byte 0x%02x, wanted a property, \";\", \"(\" or \")\"",
                parser->source, line, c);
}

static Status read_game(Parser *parser) {
    Status status = open_branch(parser);
    while (!status && parser->depth) {
        parser->at = sgf_skip_blanks(parser->at, parser->end);
        if (parser->at == parser->end)
            return fail(parser->err, ERR_SYNTAX,
                        "%s:%d: the text ends inside a game, %zu \")\" missing", parser->source,
                        line_at(parser, parser->at), parser->depth);
        status = read_token(parser);
    }
    if (!status) parser->tree->game_count++;
    return status;
}

/* After a failure, moves to the next line that begins a game. */
static void skip_to_game(Parser *parser) {
    while (find_game(parser) && !begins_line(parser))
        parser->at++;
}

/* Prepares the parser and the tree for the rest of the source. */
static Status start(const SgfSource *source, SgfTree *tree, Parser *parser, Error *err) {
    const char *begin = source->text + source->at;
    size_t length = source->length - source->at;
    *parser = (Parser){.begin = begin,
                       .at = begin,
                       .end = begin + length,
                       .source = source->name,
                       .tree = tree,
                       .branch = SGF_NONE,
                       .closed = SGF_NONE,
                       .err = err};
    tree->text = begin;
    tree->lines = sgf_lines_init(begin, length, source->line);
    if (length < SGF_NONE) return OK;
    return fail(err, ERR_UNSUPPORTED, "%s:%d: the text from here on has 4 GiB or more",
                source->name, source->line);
}

/* Sets the end of the tree's text to the end of its last game. */
static void finish(Parser *parser) {
    SgfTree *tree = parser->tree;
    tree->end = parser->at;
    tree->lines = sgf_lines_init(tree->text, (size_t)(tree->end - tree->text), tree->lines.first);
    sgf_tree_measure(tree);
}

Status sgf_parse_next(SgfSource *source, SgfTree *out, Error *err) {
    Parser parser;
    *out = (SgfTree){0};
    Status status = start(source, out, &parser, err);
    if (status) {
        parser.at = parser.end;
    } else if (find_game(&parser)) {
        parser.one_game = true;
        status = read_game(&parser);
        if (status) skip_to_game(&parser);
    }
    source->line = line_at(&parser, parser.at);
    source->at = (size_t)(parser.at - source->text);
    if (status)
        sgf_tree_clear(out);
    else
        finish(&parser);
    return status;
}

Status sgf_parse(const char *bytes, size_t count, const char *name, SgfTree *out, Error *err) {
    Parser parser;
    *out = (SgfTree){0};
    Status status = sgf_charset_decode(bytes, count, &out->decoded, err);
    SgfSource source = {
        .name = name, .text = strbuf_text(&out->decoded), .length = out->decoded.length, .line = 1};
    if (!status) status = start(&source, out, &parser, err);
    while (!status && find_game(&parser))
        status = read_game(&parser);
    if (!status && !out->game_count)
        status = fail(err, ERR_SYNTAX, "%s:1: no game: \"(;\" was not found", name);
    if (status)
        sgf_tree_clear(out);
    else
        finish(&parser);
    return status;
}
