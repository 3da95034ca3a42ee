#include "eval/arch/trunk.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval/arch/blocks/block_fit.h"

enum { DEPTH_MAX = 8, WORD_MAX = 40 };
enum { OPTIONS_MAX = 64 };

typedef struct {
    const char *text, *at;
    const ArchSettings *settings; /* of the net; NULL if they are not known */
    Trunk *trunk;
    int depth; /* how many parentheses are open */
    /* the places of the options of the block that is being read, by their index in BLOCK_FIELDS */
    TextPlace options[OPTIONS_MAX];
    TextPlace *place; /* gets the place of a mistake */
    Error *err;
} Parser;

static size_t word_length(const char *text) {
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

static Status fail_at(const Parser *parser, const char *at, Status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static Status fail_at(const Parser *parser, const char *at, Status status, const char *format,
                      ...) {
    char message[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    size_t length = word_length(at);
    *parser->place = (TextPlace){(int)(at - parser->text), length || !*at ? (int)length : 1};
    return fail(parser->err, status, "trunk, character %d: %s", (int)(at - parser->text) + 1,
                message);
}

/* Reads a word of letters, digits and underscores. */
static Status read_word(Parser *parser, const char *what, char word[WORD_MAX]) {
    size_t length = word_length(parser->at);
    if (!length || length >= WORD_MAX)
        return fail_at(parser, parser->at, ERR_SYNTAX, "found \"%.20s\", wanted %s", parser->at,
                       what);
    memcpy(word, parser->at, length);
    word[length] = 0;
    parser->at += length;
    return OK;
}

/* Returns the index of an option in BLOCK_FIELDS. */
static int option_index(const char *name) {
    int index = 0;
    while (!settings_field_is(&BLOCK_FIELDS[index], name))
        index++;
    return index;
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
    if (status) return status;
    const TextPlace place = {(int)(begin - parser->text), (int)(parser->at - begin)};
    parser->options[option_index(name)] = place;
    /* settings_set() accepts a single letter if only one choice begins with it. Two norms, rms and
     * renorm, begin with r. But when older descriptions were written, renorm did not exist, so
     * their "r" means rms. */
    if (strcmp(name, "norm") == 0 && strcmp(value, "r") == 0) snprintf(value, sizeof value, "rms");
    if (!settings_set(groups, name, value, &fault)) return OK;
    status = fail_at(parser, begin, ERR_ARGUMENT, "%s", fault.message);
    *parser->place = place;
    return status;
}

/* Checks options that depend on each other or on the net. The message tells the place of the block.
 * If the text sets the option at fault, `*parser->place` becomes the place of this option. */
static Status check_options(const Parser *parser, const char *begin, const TrunkBlock *block) {
    BlockMisfit misfit;
    if (!block_misfit(block->kind, &block->options, parser->trunk->count, parser->settings,
                      &misfit))
        return OK;
    Status status = fail_at(parser, begin, ERR_ARGUMENT, "%s", misfit.text);
    TextPlace option = {0, 0};
    if (!misfit.of_net) option = parser->options[option_index(misfit.name)];
    if (option.length) *parser->place = option;
    return status;
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
    memset(parser->options, 0, sizeof parser->options);
    if (*parser->at == '(') {
        do {
            parser->at++;
            status = read_option(parser, &block);
        } while (!status && *parser->at == ',');
        if (!status && *parser->at != ')')
            status = fail_at(parser, parser->at, ERR_SYNTAX, "wanted \",\" or \")\"");
        parser->at += !status;
    }
    block.place = (TextPlace){(int)(begin - parser->text), (int)(parser->at - begin)};
    if (!status) status = check_options(parser, begin, &block);
    if (!status && trunk->count == TRUNK_BLOCKS_MAX)
        status = fail_at(parser, begin, ERR_ARGUMENT, "more than %d blocks", TRUNK_BLOCKS_MAX);
    if (!status) trunk->blocks[trunk->count++] = block;
    return status;
}

/* If "*" and a number follow, repeats the blocks from index `first` on. Afterwards the trunk has
 * them this number of times. */
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

/* Parses a description. If it is wrong, `*place` is the place of the mistake. */
static Status parse(const char *text, const ArchSettings *settings, TextPlace *place, Trunk *out,
                    Error *err) {
    Parser parser = {
        .text = text, .at = text, .settings = settings, .trunk = out, .place = place, .err = err};
    out->count = 0;
    Status status = read_list(&parser);
    if (!status && *parser.at)
        status = fail_at(&parser, parser.at, ERR_SYNTAX, "found \"%.20s\", wanted \"+\" or \"*\"",
                         parser.at);
    return status;
}

Status trunk_parse(const char *text, Trunk *out, Error *err) {
    TextPlace place;
    return parse(text, NULL, &place, out, err);
}

/* Adds the blocks of a net whose setting `trunk` is empty. */
static Status add_usual(const ArchSettings *settings, const ArchSource *source, Trunk *out,
                        Error *err) {
    const Block *usual = block_find(settings->block), *pooled = block_find("pooled");
    BlockMisfit misfit;
    for (int i = 0; i < settings->blocks && i < TRUNK_BLOCKS_MAX; i++) {
        bool pools = settings->pool_every && (i + 1) % settings->pool_every == 0;
        TrunkBlock block = usual_block(pools ? pooled : usual);
        if (block_misfit(block.kind, &block.options, i, settings, &misfit))
            return arch_fail(source, misfit.name, NULL, err, ERR_ARGUMENT, "%s", misfit.text);
        out->blocks[out->count++] = block;
    }
    return OK;
}

Status trunk_find(const ArchSettings *settings, const ArchSource *source, Trunk *out, Error *err) {
    TextPlace place;
    out->count = 0;
    if (!block_find(settings->block))
        return arch_fail(source, "block", NULL, err, ERR_ARGUMENT, "there is no block \"%.40s\"",
                         settings->block);
    if (!*settings->trunk) return add_usual(settings, source, out, err);
    Status status = parse(settings->trunk, settings, &place, out, err);
    if (!status || !source) return status;
    place.begin += arch_source_value(source, "trunk");
    return arch_fail_within(source, place, err, status);
}

Status trunk_of(const ArchSettings *settings, Trunk *out, Error *err) {
    return trunk_find(settings, NULL, out, err);
}

/* Whether the branch of the block that is built begins at 0. */
static bool is_silent(const NetBuilder *builder, const TrunkBlock *block) {
    if (block->kind->of_transformer) return block->options.norm == BLOCK_NORM_FIXUP;
    return builder_norm_kind(builder) == NORM_FIXUP;
}

Value trunk_build_block(NetBuilder *builder, const TrunkBlock *block, int index, Value x) {
    builder->block = &block->options;
    x = block->kind->build(builder, &block->options, index, x);
    builder->silent += is_silent(builder, block);
    builder->block = NULL;
    return x;
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
