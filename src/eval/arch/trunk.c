#include "eval/arch/trunk.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 8, WORD_MAX = 40 };
/* The side of the largest board whose attention map can have a number of its own for each pair of
 * points (map_form=points). These side^4 numbers are the channels of one value, so there may be at
 * most OP_CHANNELS_MAX of them. */
enum { MAP_POINTS_SIDE_MAX = 16 };

typedef struct {
    const char *text, *at;
    Trunk *trunk;
    int depth; /* how many parentheses are open */
    Error *err;
} Parser;

static Status fail_at(const Parser *parser, const char *at, Status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static Status fail_at(const Parser *parser, const char *at, Status status, const char *format,
                      ...) {
    char message[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return fail(parser->err, status, "trunk, character %d: %s", (int)(at - parser->text) + 1,
                message);
}

/* Reads a word of letters, digits and underscores. */
static Status read_word(Parser *parser, const char *what, char word[WORD_MAX]) {
    size_t length = 0;
    while (isalnum((unsigned char)parser->at[length]) || parser->at[length] == '_')
        length++;
    if (!length || length >= WORD_MAX)
        return fail_at(parser, parser->at, ERR_SYNTAX, "found \"%.20s\", wanted %s", parser->at,
                       what);
    memcpy(word, parser->at, length);
    word[length] = 0;
    parser->at += length;
    return OK;
}

/* Returns a block of this kind whose options have their defaults. */
static TrunkBlock usual_block(const Block *kind) {
    TrunkBlock block = {.kind = kind};
    settings_defaults(BLOCK_FIELDS, &block.options);
    return block;
}

static Status read_option(Parser *parser, TrunkBlock *block) {
    const SettingsGroup groups[] = {{"block", BLOCK_FIELDS, &block->options}, {0}};
    char name[WORD_MAX], value[WORD_MAX];
    const char *begin = parser->at;
    Error fault = {0};
    Status status = read_word(parser, "the name of an option", name);
    if (status) return status;
    if (!block_has_option(block->kind, name))
        return fail_at(parser, begin, ERR_ARGUMENT,
                       "%s blocks have no option \"%s\"; their options are: %s", block->kind->name,
                       name, block->kind->options);
    if (*parser->at != '=')
        return fail_at(parser, parser->at, ERR_SYNTAX, "wanted \"=\" and a value of %s", name);
    parser->at++;
    status = read_word(parser, "a value", value);
    if (!status && settings_set(groups, name, value, &fault))
        return fail_at(parser, begin, ERR_ARGUMENT, "%s", fault.message);
    return status;
}

/* Checks options that depend on each other. */
static Status check_options(const Parser *parser, const char *begin, const BlockOptions *options) {
    int heads = options->heads, kv_heads = options->kv_heads;
    if (options->kernel % 2 == 0)
        return fail_at(parser, begin, ERR_ARGUMENT, "kernel is %d, an odd number is wanted",
                       options->kernel);
    if (options->length % 2 == 0)
        return fail_at(parser, begin, ERR_ARGUMENT, "length is %d, an odd number is wanted",
                       options->length);
    if (options->dilation > 1 && options->kernel == 1)
        return fail_at(parser, begin, ERR_ARGUMENT,
                       "dilation is %d, which needs a kernel wider than 1", options->dilation);
    if (options->dilated && options->dilation == 1)
        return fail_at(parser, begin, ERR_ARGUMENT, "dilated is %d, which needs a dilation above 1",
                       options->dilated);
    if (kv_heads && (!heads || heads % kv_heads != 0))
        return fail_at(parser, begin, ERR_ARGUMENT,
                       "kv_heads is %d, which must divide the number of heads; heads is %d",
                       kv_heads, heads);
    if (options->query % 2 != 0 && options->rotary != ROTARY_NONE)
        return fail_at(parser, begin, ERR_ARGUMENT,
                       "query is %d, an even number is wanted, or rotary=none", options->query);
    if (options->maps != MAPS_NONE && options->map_form == MAP_POINTS &&
        options->side > MAP_POINTS_SIDE_MAX)
        return fail_at(parser, begin, ERR_ARGUMENT,
                       "map_form=points is for boards up to %dx%d; side is %d", MAP_POINTS_SIDE_MAX,
                       MAP_POINTS_SIDE_MAX, options->side);
    if ((options->tables & 3) && options->rotary != ROTARY_NONE)
        return fail_at(parser, begin, ERR_ARGUMENT,
                       "tables of queries and keys need rotary=none: a table depends only on the "
                       "offset between two points, but a rotated query or key depends on its own "
                       "point too");
    return OK;
}

static Status read_block(Parser *parser) {
    char name[WORD_MAX];
    const char *begin = parser->at;
    Trunk *trunk = parser->trunk;
    StrBuf names = {0};
    Status status = read_word(parser, "the name of a block", name);
    if (status) return status;
    const Block *kind = block_find(name);
    if (!kind) {
        for (const Block *block = BLOCKS; block->name; block++)
            strbuf_addf(&names, "%s%s", block == BLOCKS ? "" : ", ", block->name);
        status = fail_at(parser, begin, ERR_ARGUMENT,
                         "there is no block \"%s\"; the blocks are: %s", name, strbuf_text(&names));
        strbuf_clear(&names);
        return status;
    }
    TrunkBlock block = usual_block(kind);
    if (*parser->at == '(') {
        do {
            parser->at++;
            status = read_option(parser, &block);
        } while (!status && *parser->at == ',');
        if (!status && *parser->at != ')')
            status = fail_at(parser, parser->at, ERR_SYNTAX, "wanted \",\" or \")\"");
        parser->at += !status;
    }
    if (!status) status = check_options(parser, begin, &block.options);
    if (!status && trunk->count == TRUNK_BLOCKS_MAX)
        status = fail_at(parser, begin, ERR_ARGUMENT, "more than %d blocks", TRUNK_BLOCKS_MAX);
    if (!status) trunk->blocks[trunk->count++] = block;
    return status;
}

/* If a "*" and a number follow, repeats the blocks from index `first` on, so that they are there
 * this many times. */
static Status repeat(Parser *parser, int first) {
    Trunk *trunk = parser->trunk;
    const char *begin = parser->at;
    char word[WORD_MAX];
    if (*parser->at != '*') return OK;
    parser->at++;
    Status status = read_word(parser, "a number of repetitions", word);
    if (status) return status;
    char *end;
    long times = strtol(word, &end, 10), length = trunk->count - first;
    if (*end || times < 1 || times > TRUNK_BLOCKS_MAX)
        return fail_at(parser, begin + 1, ERR_SYNTAX,
                       "\"%s\" is no number of repetitions from 1 to %d", word, TRUNK_BLOCKS_MAX);
    if (first + length * times > TRUNK_BLOCKS_MAX)
        return fail_at(parser, begin, ERR_ARGUMENT, "more than %d blocks", TRUNK_BLOCKS_MAX);
    for (long i = length; i < length * times; i++)
        trunk->blocks[trunk->count++] = trunk->blocks[first + i - length];
    return OK;
}

/* Reads a list of blocks and of lists in parentheses, up to its end. */
static Status read_list(Parser *parser) {
    Status status = OK;
    do {
        int first = parser->trunk->count;
        const char *begin = parser->at;
        if (*parser->at == '(' && parser->depth == DEPTH_MAX)
            return fail_at(parser, begin, ERR_SYNTAX, "more than %d open parentheses", DEPTH_MAX);
        if (*parser->at == '(') {
            parser->at++;
            parser->depth++;
            status = read_list(parser);
            parser->depth--;
            if (!status && *parser->at != ')')
                status = fail_at(parser, begin, ERR_SYNTAX, "this \"(\" is not closed");
            parser->at += !status;
        } else {
            status = read_block(parser);
        }
        if (!status) status = repeat(parser, first);
    } while (!status && *parser->at == '+' && parser->at++);
    return status;
}

Status trunk_parse(const char *text, Trunk *out, Error *err) {
    Parser parser = {text, text, out, 0, err};
    out->count = 0;
    Status status = read_list(&parser);
    if (!status && *parser.at)
        status = fail_at(&parser, parser.at, ERR_SYNTAX, "found \"%.20s\", wanted \"+\" or \"*\"",
                         parser.at);
    return status;
}

Status trunk_of(const ArchSettings *settings, Trunk *out, Error *err) {
    const Block *usual = block_find(settings->block), *pooled = block_find("pooled");
    out->count = 0;
    if (!usual) return fail(err, ERR_ARGUMENT, "net: there is no block \"%.40s\"", settings->block);
    if (*settings->trunk) return trunk_parse(settings->trunk, out, err);
    for (int i = 0; i < settings->blocks && i < TRUNK_BLOCKS_MAX; i++) {
        bool pools = settings->pool_every && (i + 1) % settings->pool_every == 0;
        out->blocks[out->count++] = usual_block(pools ? pooled : usual);
    }
    return OK;
}

bool trunk_is_transformer(const Trunk *trunk) {
    for (int i = 0; i < trunk->count; i++) {
        if (!trunk->blocks[i].kind->of_transformer) return false;
    }
    return true;
}

int trunk_encoders(const Trunk *trunk) {
    int count = 0;
    for (int i = 0; i < trunk->count; i++)
        count += trunk->blocks[i].kind->build == block_encoder;
    return count;
}
