#include "base/options/options.h"

#include <stdio.h>
#include <string.h>

#include "base/options/usage_form.h"

static OptionsResult report_wrong(const CommandUsage *usage, const Error *err) {
    fprintf(stderr, "aji %s: %s\n`aji %s --help` shows how it is used.\n", usage->name,
            err->message, usage->name);
    return OPTIONS_WRONG;
}

static const Option *find_option(const CommandUsage *usage, const char *name, size_t length) {
    for (const Option *option = usage->options; option && option->name; option++) {
        if (strlen(option->name) == length && strncmp(option->name, name, length) == 0)
            return option;
    }
    return NULL;
}

static Status unknown_option(const CommandUsage *usage, const char *flag, Error *err) {
    const char *words[64];
    int count = 0;
    char name[64]; /* without the dashes and "=value" */
    snprintf(name, sizeof name, "%.*s", (int)strcspn(flag + 2, "="), flag + 2);
    const Option *option;
    while (count < 64 && (option = usage_option(usage, count)) != NULL)
        words[count++] = option->name;
    const char *nearest = nearest_word(name, words, count);
    if (nearest)
        return fail(err, ERR_ARGUMENT, "unknown option \"--%s\"; did you mean --%s?", name,
                    nearest);
    return fail(err, ERR_ARGUMENT, "unknown option \"--%s\"", name);
}

static Status take_value(const Option *option, const char *value, Error *err) {
    char what[72];
    snprintf(what, sizeof what, "--%s", option->name);
    bool bounded = option->min != 0 || option->max != 0;
    long long whole = 0;
    double number = 0;
    Status status = OK;
    switch (option->type) {
    case OPTION_FLAG:
        *(bool *)option->target = true;
        break;
    case OPTION_TEXT:
        *(const char **)option->target = value;
        break;
    case OPTION_INT:
        status = parse_int(value, what, bounded ? (long long)option->min : -2147483647,
                           bounded ? (long long)option->max : 2147483647, &whole, err);
        if (!status) *(int *)option->target = (int)whole;
        break;
    case OPTION_NUMBER:
        status = parse_double(value, what, bounded ? option->min : -1e300,
                              bounded ? option->max : 1e300, &number, err);
        if (!status) *(double *)option->target = number;
        break;
    case OPTION_DURATION:
        status = parse_duration(value, what, &number, err);
        if (!status) *(double *)option->target = number;
        break;
    }
    return status;
}

typedef struct {
    const CommandUsage *usage;
    int argc;
    char **argv;
    bool files_only; /* true in the first pass, which applies settings files and nothing else */
    bool help;
    UsageForm form; /* of the help */
    const char **words;
    int word_count;
} Parse;

/* Applies the option at argv[*at]. If its value is the next argument, moves *at to that. */
static Status take_flag(Parse *parse, int *at, Error *err) {
    const char *flag = parse->argv[*at];
    const char *name = flag + 2;
    size_t length = strcspn(name, "=");
    const char *value = name[length] ? name + length + 1 : NULL;
    bool is_set = parse->usage->settings && length == 3 && strncmp(name, "set", 3) == 0;
    bool is_config = parse->usage->settings && length == 6 && strncmp(name, "config", 6) == 0;
    const Option *option = find_option(parse->usage, name, length);
    if (length == 4 && strncmp(name, "help", 4) == 0) {
        parse->help = true;
        parse->form = usage_form_of(value);
        return OK;
    }
    if (!option && !is_set && !is_config) return unknown_option(parse->usage, flag, err);
    bool wants_value = is_set || is_config || option->type != OPTION_FLAG;
    if (!wants_value && value) return fail(err, ERR_ARGUMENT, "--%s takes no value", option->name);
    if (wants_value && !value) {
        if (*at + 1 >= parse->argc)
            return fail(err, ERR_ARGUMENT, "--%.*s needs a value", (int)length, name);
        value = parse->argv[++*at];
    }
    if (is_config)
        return parse->files_only ? settings_load(parse->usage->settings, value, err) : OK;
    if (parse->files_only) return OK;
    return is_set ? settings_assign(parse->usage->settings, value, err)
                  : take_value(option, value, err);
}

/* Fails because there are more words than the command takes. A word such as "visits=100" may have
 * been meant as an option or as a setting. */
static Status refuse_word(const CommandUsage *usage, const char *word, Error *err) {
    size_t length = strcspn(word, "=");
    const char *hint = strchr(word, ' ') ? "" : "; words with blanks need quotes";
    if (find_option(usage, word, length))
        return fail(err, ERR_ARGUMENT, "\"%.200s\" is one word too many; did you mean --%.200s?",
                    word, word);
    if (word[length] && usage->settings)
        return fail(err, ERR_ARGUMENT,
                    "\"%.200s\" is one word too many; did you mean --set %.200s?", word, word);
    return fail(err, ERR_ARGUMENT, "\"%.200s\" is one word too many%s; usage: %s", word, hint,
                usage->synopsis);
}

/* Makes one pass over all arguments. */
static Status take_all(Parse *parse, Error *err) {
    bool only_words = false; /* after "--" */
    Status status = OK;
    parse->word_count = 0;
    for (int at = 1; at < parse->argc && !status && !parse->help; at++) {
        const char *word = parse->argv[at];
        if (!only_words && strcmp(word, "--") == 0)
            only_words = true;
        else if (!only_words && strcmp(word, "-h") == 0)
            parse->help = true;
        else if (!only_words && strncmp(word, "--", 2) == 0)
            status = take_flag(parse, &at, err);
        else if (!only_words && word[0] == '-' && word[1] && !strchr("0123456789.", word[1]))
            status =
                fail(err, ERR_ARGUMENT, "unknown option \"%.60s\"; options have two dashes", word);
        else if (parse->word_count < parse->usage->max_words)
            parse->words[parse->word_count++] = word;
        else
            status = refuse_word(parse->usage, word, err);
    }
    return status;
}

OptionsResult options_parse(const CommandUsage *usage, int argc, char **argv, const char **words,
                            int *word_count) {
    Error err;
    Parse parse = {.usage = usage, .argc = argc, .argv = argv, .files_only = true, .words = words};
    Status status = take_all(&parse, &err);
    parse.files_only = false;
    if (!status && !parse.help) status = take_all(&parse, &err);
    if (parse.help) {
        usage_form_print(usage, parse.form);
        return OPTIONS_HELP;
    }
    if (!status && parse.word_count < usage->min_words)
        status = fail(&err, ERR_ARGUMENT, "an argument is missing; usage: %s", usage->synopsis);
    if (status) return report_wrong(usage, &err);
    if (word_count) *word_count = parse.word_count;
    return OPTIONS_RUN;
}
