#include "cli/settings/translate.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/formats/yaml.h"
#include "cli/settings/all_settings.h"
#include "cli/settings/translate_json.h"
#include "data/sgf/from_sgf.h"
#include "eval/arch/arch.h"
#include "run/supervised/supervised_config.h"

/* How it goes: read_items() reads the file into items; an item is a key with its values.
 * translate_all() looks each item up in the table of the program whose settings are translated
 * (translate_tables.c). It sets our setting by settings_set(), which checks names and bounds, and
 * then writes the line. The lines are collected for each command. */

enum { FILE_BYTES_MAX = 1 << 20, TEXT_MAX = 1024 };

/* The commands that take our settings. */
typedef enum { FOR_TRAIN, FOR_GAMES, FOR_LEARN, COMMANDS } Command;
static const char *const COMMAND_NAMES[COMMANDS] = {"aji train DATA", "aji data from-sgf",
                                                    "aji learn"};
static const struct {
    const char *prefix;
    Command command;
} PREFIXES[] = {{"supervised", FOR_TRAIN}, {"loader", FOR_TRAIN},    {"trainer", FOR_TRAIN},
                {"objective", FOR_TRAIN},  {"optimiser", FOR_TRAIN}, {"schedule", FOR_TRAIN},
                {"averaging", FOR_TRAIN},  {"filter", FOR_GAMES},    {"rows", FOR_GAMES}};

typedef struct {
    const char *path;
    const TranslatedProgram *program;
    Arena arena;
    YamlEntry *items;
    int count;
    RunConfig run;
    SupervisedSettings supervised;
    SgfFilterSettings filter;
    SgfRowsSettings rows;
    RowShardsSettings shards;
    SettingsGroup groups[ALL_SETTINGS_GROUPS];
    StrBuf lines[COMMANDS], missing;
} Job;

static void set_targets(Job *job) {
    const SettingsGroup known[] = {{NULL, SUPERVISED_FIELDS, &job->supervised},
                                   {NULL, SGF_FILTER_FIELDS, &job->filter},
                                   {NULL, SGF_ROWS_FIELDS, &job->rows},
                                   {NULL, ROW_SHARDS_FIELDS, &job->shards}};
    run_config_defaults(&job->run);
    all_settings_groups(&job->run, job->groups);
    for (SettingsGroup *group = job->groups; group->prefix; group++) {
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            if (group->fields == known[i].fields) group->target = known[i].target;
        }
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        settings_defaults(known[i].fields, known[i].target);
}

static Status bad_value(const Job *job, const YamlEntry *item, const char *wanted, Error *err) {
    return fail(err, ERR_SYNTAX, "%s:%d: %s is \"%.60s\", wanted %s", job->path, item->line,
                item->key, item->count ? item->values[0] : "", wanted);
}

/* Finds the value of another key of the file, or NULL. */
static const YamlEntry *find_item(const Job *job, const char *key) {
    for (int i = 0; i < job->count; i++) {
        if (strcmp(job->items[i].key, key) == 0) return &job->items[i];
    }
    return NULL;
}

static Status read_number(const Job *job, const YamlEntry *item, int index, double *out,
                          Error *err) {
    if (index >= item->count ||
        parse_double(item->values[index], item->key, -1e18, 1e18, out, NULL))
        return bad_value(job, item, "a number", err);
    return OK;
}

static Status read_truth(const Job *job, const YamlEntry *item, bool *out, Error *err) {
    static const char *const WORDS[] = {"true", "yes", "on", "1", "false", "no", "off", "0"};
    for (int i = 0; i < 8 && item->count == 1; i++) {
        *out = i < 4;
        if (strcasecmp(item->values[0], WORDS[i]) == 0) return OK;
    }
    return bad_value(job, item, "true or false", err);
}

/* Sets one of our settings, and writes its line. */
static Status assign(Job *job, const YamlEntry *item, const char *ours, const char *value,
                     Error *err) {
    Command command = FOR_LEARN;
    ArchSettings arch;
    Status status = settings_set(job->groups, ours, value, err);
    if (!status && strcmp(ours, "supervised.arch") == 0) status = arch_parse(value, &arch, err);
    if (status)
        return fail_within(err, ERR_ARGUMENT, "%s:%d: %s", job->path, item->line, item->key);
    bool is_run = job->program == &TRANSLATED_RUN; /* all its settings are for `aji learn` */
    for (size_t i = 0; i < sizeof PREFIXES / sizeof *PREFIXES && !is_run; i++) {
        size_t length = strlen(PREFIXES[i].prefix);
        if (strncmp(ours, PREFIXES[i].prefix, length) == 0 && ours[length] == '.')
            command = PREFIXES[i].command;
    }
    const char *quote = strpbrk(value, " ,#=") ? "\"" : "";
    strbuf_addf(&job->lines[command], "%s = %s%s%s # %s\n", ours, quote, value, quote, item->key);
    return OK;
}

static Status assign_number(Job *job, const YamlEntry *item, const char *ours, double value,
                            Error *err) {
    return assign(job, item, ours, number_text(value).text, err);
}

/* Makes the assignments "a = b;c = d". */
static Status assign_all(Job *job, const YamlEntry *item, const char *text, Error *err) {
    Status status = OK;
    while (text && *text && !status) {
        char key[128], value[128];
        int used = 0;
        if (sscanf(text, "%127[^ =] = %127[^;]%n", key, value, &used) != 2) break;
        status = assign(job, item, key, value, err);
        text += used + (text[used] == ';');
    }
    return status;
}

static void miss(Job *job, const YamlEntry *item, const char *why) {
    strbuf_addf(&job->missing, "#   line %d: %s: %s\n", item->line, item->key, why);
}

/* Returns how many rows a step of the other program has, or 0 if the file does not say it. */
static double step_rows(const Job *job) {
    const YamlEntry *item = find_item(job, "training.batch_size");
    double rows = 0;
    if (!item) item = find_item(job, "batch_size");
    if (!item || read_number(job, item, 0, &rows, NULL)) return 0;
    return rows;
}

static Status translate_steps(Job *job, const YamlEntry *item, const Translation *row, Error *err) {
    double number, rows = step_rows(job);
    Status status = read_number(job, item, 0, &number, err);
    if (status) return status;
    if (rows > 0) {
        double value = row->as == AS_RATE ? number / rows : round(number * rows);
        return assign_number(job, item, row->ours, value, err);
    }
    miss(job, item, "the file does not name the batch size, which the conversion needs");
    return OK;
}

static Status translate_number(Job *job, const YamlEntry *item, const Translation *row,
                               Error *err) {
    double number;
    Status status = read_number(job, item, 0, &number, err);
    if (status) return status;
    number *= row->factor != 0 ? row->factor : 1;
    if (row->as == AS_WHOLE) number = round(number);
    if (row->as == AS_REST) number = round((1 - number) * 1e9) / 1e9; /* 1 - 0.9 is 0.1 */
    return assign_number(job, item, row->ours, number, err);
}

static Status translate_average(Job *job, const YamlEntry *item, const Translation *row,
                                Error *err) {
    const YamlEntry *on = find_item(job, "training.swa");
    double number;
    bool is_true = true;
    Status status = read_number(job, item, 0, &number, err);
    if (!status && on) status = read_truth(job, on, &is_true, err);
    if (status || !is_true) return status;
    if (number < 1) return bad_value(job, item, "1 or more", err);
    return assign_number(job, item, row->ours, round(number / (number + 1) * 1e6) / 1e6, err);
}

/* Reads another number of the file, or sets it to `standard` if it is not there. */
static Status read_other(const Job *job, const char *key, double standard, double *out,
                         Error *err) {
    const YamlEntry *other = find_item(job, key);
    *out = standard;
    Status status = other ? read_number(job, other, 0, out, err) : OK;
    if (!status && other && !(*out > 0)) status = bad_value(job, other, "a number above 0", err);
    return status;
}

/* A batch of theirs is divided into splits, and a batch of ours is one of these. */
static Status translate_batch(Job *job, const YamlEntry *item, const Translation *row, Error *err) {
    double number, splits;
    Status status = read_number(job, item, 0, &number, err);
    if (!status) status = read_other(job, "training.num_batch_splits", 1, &splits, err);
    if (!status && fabs(number - splits * floor(number / splits)) > 0)
        status = bad_value(job, item, "a multiple of training.num_batch_splits", err);
    return status ? status : assign_number(job, item, row->ours, number / splits, err);
}

static Status translate_epochs(Job *job, const YamlEntry *item, const Translation *row,
                               Error *err) {
    double number, epoch;
    Status status = read_number(job, item, 0, &number, err);
    if (!status) status = read_other(job, "training.test_steps", 0, &epoch, err);
    if (status) return status;
    if (epoch > 0) return assign_number(job, item, row->ours, ceil(number / epoch), err);
    miss(job, item, "the file does not name test_steps, which gives the length of an epoch");
    return OK;
}

/* The program GoNN writes a rank as a number: -k for k kyu, and d - 1 for d dan. A very low number
 * means players of all ranks. */
static Status translate_rank(Job *job, const YamlEntry *item, const Translation *row, Error *err) {
    double number;
    char text[16];
    Status status = read_number(job, item, 0, &number, err);
    if (status) return status;
    if (number <= -100) return assign(job, item, row->ours, "", err);
    if (number > 100 || number != floor(number)) return bad_value(job, item, "a rank", err);
    snprintf(text, sizeof text, "%d%c", number < 0 ? (int)-number : (int)number + 1,
             number < 0 ? 'k' : 'd');
    return assign(job, item, row->ours, text, err);
}

static Status translate_word(Job *job, const YamlEntry *item, const Translation *row, Error *err) {
    if (item->count != 1) return bad_value(job, item, "one word", err);
    size_t length = strlen(item->values[0]);
    for (const char *at = row->text; *at;) {
        size_t end = strcspn(at, "|");
        if (strncmp(at, item->values[0], length) == 0 && at[length] == '=') {
            char value[TEXT_MAX];
            snprintf(value, sizeof value, "%.*s", (int)(end - length - 1), at + length + 1);
            return assign(job, item, row->ours, value, err);
        }
        at += end + (at[end] == '|');
    }
    char why[TEXT_MAX];
    snprintf(why, sizeof why, "the value %.60s has no counterpart", item->values[0]);
    for (char *at = why; *at; at++) { /* the comment must stay on its line */
        if (iscntrl((unsigned char)*at)) *at = '?';
    }
    miss(job, item, why);
    return OK;
}

/* lr_values has one value more than lr_boundaries, which are steps. */
static Status translate_rates(Job *job, const YamlEntry *item, const Translation *row, Error *err) {
    const YamlEntry *bounds = find_item(job, "training.lr_boundaries");
    double rows = step_rows(job), first, rate, step;
    StrBuf knots = {0};
    if (item->count != (bounds ? bounds->count : 0) + 1)
        return bad_value(job, item, "one value more than training.lr_boundaries has", err);
    Status status = read_number(job, item, 0, &first, err);
    if (!status && !(first > 0)) status = bad_value(job, item, "a rate above 0", err);
    if (status) return status;
    if (!(rows > 0)) {
        miss(job, item, "the file does not name the batch size, which the conversion needs");
        return OK;
    }
    strbuf_add(&knots, "0:1");
    for (int i = 1; i < item->count && !status; i++) {
        status = read_number(job, item, i, &rate, err);
        if (!status) status = read_number(job, bounds, i - 1, &step, err);
        if (!status)
            strbuf_addf(&knots, ",%s:%s", number_text(round(step * rows)).text,
                        number_text(rate / first).text);
    }
    if (!status) status = strbuf_status(&knots, err);
    if (!status) status = assign_number(job, item, row->ours, first / rows, err);
    if (!status && item->count > 1) {
        status = assign(job, item, "schedule.kind", "knots", err);
        if (!status) status = assign(job, item, "schedule.knots", strbuf_text(&knots), err);
    }
    strbuf_clear(&knots);
    return status;
}

/* Returns the number that the file gives for this key of the net, such as its number of filters.
 * Returns 0 if the file has no such number above 0. */
static int part_number(const Job *job, const char *key) {
    const YamlEntry *item = find_item(job, key);
    double number;
    if (!item || read_number(job, item, 0, &number, NULL)) return 0;
    return number > 0 && number < 1e6 ? (int)number : 0;
}

/* Returns our word for an activation of theirs, or `standard`. */
static const char *part_activation(const Job *job, const char *key, const char *standard) {
    static const char *const WORDS[][2] = {
        {"mish", "mish"},     {"relu", "relu"},    {"swish", "silu"}, {"silu", "silu"},
        {"sqrrelu", "relu2"}, {"relu_2", "relu2"}, {NULL, NULL}};
    const YamlEntry *item = find_item(job, key);
    for (int i = 0; item && item->count == 1 && WORDS[i][0]; i++) {
        if (strcasecmp(item->values[0], WORDS[i][0]) == 0) return WORDS[i][1];
    }
    return standard;
}

/* Refuses a part of the net whose value is of a wrong kind. */
static Status check_part(const Job *job, const YamlEntry *item, const Translation *row,
                         Error *err) {
    double number;
    bool is_true;
    if (strcmp(row->text, "truth") == 0) return read_truth(job, item, &is_true, err);
    if (strcmp(row->text, "activation") == 0)
        return part_activation(job, item->key, NULL)
                   ? OK
                   : bad_value(job, item, "mish, relu, swish or sqrrelu", err);
    if (strcmp(row->text, "word") == 0)
        return item->count == 1 ? OK : bad_value(job, item, "one word", err);
    Status status = read_number(job, item, 0, &number, err);
    bool whole = strcmp(row->text, "whole") == 0;
    if (!status && whole && !(number >= 1 && number < 1e6 && number <= floor(number)))
        status = bad_value(job, item, "a whole number above 0", err);
    if (!status && !whole && !(number >= 0 && number < 1))
        status = bad_value(job, item, "a fraction below 1", err);
    return status;
}

static bool part_is_true(const Job *job, const char *key) {
    const YamlEntry *item = find_item(job, key);
    bool is_true;
    return item && !read_truth(job, item, &is_true, NULL) && is_true;
}

static void add_part(StrBuf *out, const char *option, int number) {
    if (number) strbuf_addf(out, ",%s=%d", option, number);
}

/* Describes a net of encoders (2023 and later). */
static void write_encoders(const Job *job, StrBuf *out) {
    int heads = part_number(job, "model.encoder_heads"),
        model = part_number(job, "model.encoder_d_model");
    const char *standard = part_activation(job, "model.default_activation", "mish");
    const YamlEntry *dropout = find_item(job, "model.dropout_rate");
    double rate = 0;
    strbuf_addf(out, "c%d-%s,start_kernel=1,trunk=embedding+encoder(rotary=none,activation=%s",
                part_number(job, "model.embedding_size"), standard,
                part_activation(job, "model.ffn_activation", standard));
    add_part(out, "heads", heads);
    if (heads && model) add_part(out, "query", model / heads);
    add_part(out, "inner", part_number(job, "model.encoder_dff"));
    if (dropout && !read_number(job, dropout, 0, &rate, NULL) && rate > 0 && rate < 1)
        add_part(out, "dropout", (int)round(100 * rate));
    if (part_is_true(job, "model.use_smolgen")) {
        strbuf_addf(out, ",maps=smolgen,map_activation=%s",
                    part_activation(job, "model.smolgen_activation", "silu"));
        add_part(out, "map_channels", part_number(job, "model.smolgen_hidden_channels"));
        add_part(out, "map_hidden", part_number(job, "model.smolgen_hidden_sz"));
        add_part(out, "map_gen", part_number(job, "model.smolgen_gen_sz"));
    }
    strbuf_addf(out, ")*%d,tip=none", part_number(job, "model.encoder_layers"));
    add_part(out, "policy_attention", part_number(job, "model.policy_d_model"));
    if (part_number(job, "model.policy_d_model"))
        add_part(out, "policy_embedding", part_number(job, "model.policy_embedding_size"));
}

/* Writes supervised.arch when the first part of the net is met. */
static Status translate_net(Job *job, const YamlEntry *item, Error *err) {
    const YamlEntry *moves_left = find_item(job, "model.moves_left");
    StrBuf text = {0};
    int filters = part_number(job, "model.filters"),
        blocks = part_number(job, "model.residual_blocks");
    if (part_number(job, "model.embedding_size") && part_number(job, "model.encoder_layers"))
        write_encoders(job, &text);
    else if (filters && blocks)
        strbuf_addf(&text, "b%dc%d-%s-relu", blocks, filters,
                    part_is_true(job, "training.renorm") ? "renorm" : "batch");
    if (text.length && moves_left && moves_left->count == 1 &&
        strncmp(moves_left->values[0], "v", 1) == 0)
        strbuf_add(&text, ",heads=moves_left");
    Status status = strbuf_status(&text, err);
    if (!status && text.length)
        status = assign(job, item, "supervised.arch", strbuf_text(&text), err);
    else if (!status)
        miss(job, item, "the net has neither filters and blocks nor embedding and encoders");
    strbuf_clear(&text);
    return status;
}

/* Whether the item is the first part of the net in the file. */
static bool is_first_part(const Job *job, const YamlEntry *item) {
    for (int i = 0; i < job->count; i++) {
        for (const Translation *row = job->program->rows; row->theirs; row++) {
            if (row->as == AS_PART && strcmp(row->theirs, job->items[i].key) == 0)
                return &job->items[i] == item;
        }
    }
    return false;
}

static Status translate_truth(Job *job, const YamlEntry *item, const Translation *row, Error *err) {
    bool is_true;
    Status status = read_truth(job, item, &is_true, err);
    if (status) return status;
    bool on = is_true == (row->factor >= 0);
    if (row->as == AS_IF_TRUE) return on ? assign_all(job, item, row->text, err) : OK;
    return assign(job, item, row->ours, on ? "true" : "false", err);
}

static Status translate_item(Job *job, const YamlEntry *item, const Translation *row, Error *err) {
    Status status = OK;
    switch (row->as) {
    case AS_NONE:
        miss(job, item, row->text);
        return OK;
    case AS_NUMBER:
    case AS_WHOLE:
    case AS_REST:
        status = translate_number(job, item, row, err);
        break;
    case AS_AVERAGE:
        status = translate_average(job, item, row, err);
        break;
    case AS_BATCH:
        status = translate_batch(job, item, row, err);
        break;
    case AS_EPOCHS:
        status = translate_epochs(job, item, row, err);
        break;
    case AS_STEPS:
    case AS_RATE:
        status = translate_steps(job, item, row, err);
        break;
    case AS_SWITCH:
    case AS_IF_TRUE:
        status = translate_truth(job, item, row, err);
        break;
    case AS_WORDS:
        status = translate_word(job, item, row, err);
        break;
    case AS_RANK:
        status = translate_rank(job, item, row, err);
        break;
    case AS_RATES:
        status = translate_rates(job, item, row, err);
        break;
    case AS_PART:
        status = check_part(job, item, row, err);
        return !status && is_first_part(job, item) ? translate_net(job, item, err) : status;
    }
    return status ? status : assign_all(job, item, row->also, err);
}

static const Translation *find_row(const TranslatedProgram *program, const char *key) {
    for (const Translation *row = program->rows; row->theirs; row++) {
        if (strcmp(row->theirs, key) == 0) return row;
    }
    return NULL;
}

static Status unknown_key(const Job *job, const YamlEntry *item, Error *err) {
    enum { WORDS_MAX = 256 };
    const char *words[WORDS_MAX];
    int count = 0;
    for (const Translation *row = job->program->rows; row->theirs && count < WORDS_MAX; row++)
        words[count++] = row->theirs;
    const char *nearest = nearest_word(item->key, words, count);
    return fail(err, ERR_SYNTAX, "%s:%d: %s has no setting \"%.60s\"%s%s", job->path, item->line,
                job->program->name, item->key, nearest ? "; the nearest is " : "",
                nearest ? nearest : "");
}

static Status translate_all(Job *job, Error *err) {
    Status status = OK;
    for (int i = 0; i < job->count && !status; i++) {
        const Translation *row = find_row(job->program, job->items[i].key);
        status = row ? translate_item(job, &job->items[i], row, err)
                     : unknown_key(job, &job->items[i], err);
    }
    return status;
}

/* A word of a command line. */
typedef struct {
    char text[TEXT_MAX];
    int line;
    bool first; /* of a line that does not continue the one before it */
} Word;

/* The text of a file with command lines, and where it is read. */
typedef struct {
    const char *at;
    int line;
    bool starts; /* the next word is the first one of its line */
} Words;

/* Moves to the next word. Returns false at the end. */
static bool skip_blanks(Words *words) {
    for (;; words->at++) {
        if (words->at[0] == '\\' && words->at[1] == '\n') {
            words->at++;
            words->line++;
        } else if (*words->at == '\n') {
            words->line++;
            words->starts = true;
        } else if (*words->at == '#') {
            words->at += strcspn(words->at, "\n") - 1;
        } else if (!isspace((unsigned char)*words->at)) {
            return *words->at != 0;
        }
    }
}

/* Reads the next word. Parts of the word may be in quotes. Sets `*none` at the end. */
static Status next_word(Words *words, const char *path, Word *out, bool *none, Error *err) {
    size_t length = 0;
    char quote = 0;
    *none = !skip_blanks(words);
    *out = (Word){.line = words->line, .first = words->starts};
    words->starts = false;
    for (; !*none && *words->at && (quote || !isspace((unsigned char)*words->at)); words->at++) {
        if (quote ? *words->at == quote : *words->at == '"' || *words->at == '\'') {
            quote = quote ? 0 : *words->at;
            continue;
        }
        if (*words->at == '\n' || length + 1 == sizeof out->text)
            return fail(err, ERR_SYNTAX,
                        "%s:%d: a word is too long, or its closing quote is missing", path,
                        out->line);
        out->text[length++] = *words->at;
    }
    return quote ? fail(err, ERR_SYNTAX, "%s:%d: a closing quote is missing", path, out->line) : OK;
}

static bool is_flag(const char *word) {
    size_t dashes = strspn(word, "-");
    return (dashes == 1 || dashes == 2) && isalpha((unsigned char)word[dashes]);
}

/* A flag of a file, before its program is known. */
static Status add_flag(Job *job, size_t *capacity, const Word *word, Error *err) {
    const char *name = word->text + strspn(word->text, "-");
    size_t length = strcspn(name, "=");
    Status status =
        mem_grow(&job->items, capacity, (size_t)job->count + 1, sizeof *job->items, err);
    if (status) return status;
    YamlEntry *item = &job->items[job->count++];
    *item = (YamlEntry){.key = arena_copy(&job->arena, name, length), .line = word->line};
    item->values = arena_alloc(&job->arena, sizeof *item->values);
    if (!item->key || !item->values) return fail(err, ERR_MEMORY, "no memory for flags");
    item->values[0] = name[length]
                          ? arena_copy(&job->arena, name + length + 1, strlen(name + length + 1))
                          : "true";
    item->count = 1;
    if (!name[length]) item->is_list = true; /* it may still get a value */
    return item->values[0] ? OK : fail(err, ERR_MEMORY, "no memory for flags");
}

/* Reads the flags of command lines. Words before the first flag of a line are its program. */
static Status read_flags(Job *job, const char *text, Error *err) {
    enum { FLAGS_MAX = 2000 };
    Words words = {text, 1, true};
    size_t capacity = 0;
    bool in_program = true;
    Word word;
    for (;;) {
        bool none;
        Status status = next_word(&words, job->path, &word, &none, err);
        if (status || none) return status;
        YamlEntry *last = job->count ? &job->items[job->count - 1] : NULL;
        in_program = word.first || in_program;
        if (is_flag(word.text)) {
            in_program = false;
            status = job->count < FLAGS_MAX
                         ? add_flag(job, &capacity, &word, err)
                         : fail(err, ERR_SYNTAX, "%s has more than 2000 flags", job->path);
        } else if (!in_program && last && last->is_list) {
            last->values[0] = arena_copy(&job->arena, word.text, strlen(word.text));
            last->is_list = false;
            if (!last->values[0]) status = fail(err, ERR_MEMORY, "no memory for flags");
        } else if (!in_program) {
            status = fail(err, ERR_SYNTAX, "%s:%d: \"%.60s\" is no flag", job->path, word.line,
                          word.text);
        }
        if (status) return status;
    }
}

/* Changes "noflag", as absl writes it, to "flag" with the value false. */
static void read_negations(Job *job) {
    for (int i = 0; i < job->count; i++) {
        YamlEntry *item = &job->items[i];
        if (strncmp(item->key, "no", 2) == 0 && !find_row(job->program, item->key) &&
            find_row(job->program, item->key + 2)) {
            item->key += 2;
            item->values[0] = "false";
        }
    }
}

/* The program that knows the first flag of the file, or the first program of the table if no
 * program knows the flag. */
static const TranslatedProgram *program_of_flags(const Job *job) {
    for (int i = 0; i < job->count; i++) {
        for (const TranslatedProgram *program = &TRANSLATED_PROGRAMS[1]; program->word; program++) {
            const char *key = job->items[i].key;
            if (find_row(program, key) ||
                (strncmp(key, "no", 2) == 0 && find_row(program, key + 2)))
                return program;
        }
    }
    return &TRANSLATED_PROGRAMS[1];
}

static Status find_program(Job *job, const char *word, const char *text, Error *err) {
    for (const TranslatedProgram *program = TRANSLATED_PROGRAMS; program->word; program++) {
        if (strcmp(program->word, word) == 0) job->program = program;
    }
    if (*word && !job->program)
        return fail(err, ERR_ARGUMENT, "there is no program \"%.60s\"; use %s, %s or %s", word,
                    TRANSLATED_PROGRAMS[0].word, TRANSLATED_PROGRAMS[1].word,
                    TRANSLATED_PROGRAMS[2].word);
    if (!*word && (path_has_ending(job->path, ".yaml") || path_has_ending(job->path, ".yml")))
        job->program = &TRANSLATED_PROGRAMS[0];
    bool is_json = path_has_ending(job->path, ".json") || text[strspn(text, " \t\r\n")] == '{';
    if (is_json && (!job->program || job->program == &TRANSLATED_PROGRAMS[2]))
        job->program = &TRANSLATED_RUN;
    return OK;
}

static Status read_items(Job *job, const char *word, Error *err) {
    char *text;
    size_t length;
    Status status = file_read(job->path, FILE_BYTES_MAX, &job->arena, &text, &length, err);
    if (!status) status = find_program(job, word, text, err);
    if (status) return status;
    if (memchr(text, 0, length)) return fail(err, ERR_SYNTAX, "%s is not a text file", job->path);
    if (job->program == &TRANSLATED_PROGRAMS[0] || job->program == &TRANSLATED_RUN) {
        YamlEntry *entries;
        status = job->program == &TRANSLATED_RUN
                     ? translate_read_json(text, length, job->path, &job->arena, &entries,
                                           &job->count, err)
                     : yaml_parse(text, length, job->path, &job->arena, &entries, &job->count, err);
        if (!status) status = mem_new((size_t)job->count + 1, sizeof *entries, &job->items, err);
        if (!status) memcpy(job->items, entries, (size_t)job->count * sizeof *entries);
        return status;
    }
    status = read_flags(job, text, err);
    if (!status && !job->program) job->program = program_of_flags(job);
    if (!status) read_negations(job);
    return status;
}

static void write_result(const Job *job, StrBuf *out) {
    strbuf_addf(out, "# %s, settings of %s\n", job->path, job->program->name);
    for (int i = 0; i < COMMANDS; i++) {
        if (job->lines[i].length)
            strbuf_addf(out, "\n# for %s --config FILE\n%s", COMMAND_NAMES[i],
                        strbuf_text(&job->lines[i]));
    }
    if (job->missing.length)
        strbuf_addf(out, "\n# without a counterpart:\n%s", strbuf_text(&job->missing));
}

Status translate_file(const char *path, const char *program, StrBuf *out, Error *err) {
    static Job job;
    job = (Job){.path = path};
    set_targets(&job);
    Status status = read_items(&job, program, err);
    if (!status && !job.count)
        status =
            fail(err, ERR_SYNTAX,
                 "%s has no settings: a file of lczero-training has lines \"name: value\", and "
                 "command lines of GoNN and p3achygo have flags, such as --name=value",
                 path);
    if (!status) status = translate_all(&job, err);
    for (int i = 0; i < COMMANDS && !status; i++)
        status = strbuf_status(&job.lines[i], err);
    if (!status) status = strbuf_status(&job.missing, err);
    if (!status) write_result(&job, out);
    for (int i = 0; i < COMMANDS; i++)
        strbuf_clear(&job.lines[i]);
    strbuf_clear(&job.missing);
    arena_clear(&job.arena);
    free(job.items);
    return status ? status : strbuf_status(out, err);
}
