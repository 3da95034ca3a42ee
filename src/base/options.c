#include "base/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/strbuf.h"

enum { HELP_INDENT = 29, DEFAULT_WIDTH = 100, MIN_WIDTH = 40, NARROW = 70 };

int options_width(void) {
    struct winsize size;
    const char *text = getenv("COLUMNS");
    int width = text ? (int)strtol(text, NULL, 10) : 0;
    if (width <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) width = size.ws_col;
    return width < MIN_WIDTH ? DEFAULT_WIDTH : width;
}

/* The width of help texts: at most the default, because longer lines are hard to read. */
static int help_width(void) {
    int width = options_width();
    return width < DEFAULT_WIDTH ? width : DEFAULT_WIDTH;
}

void options_print_wrapped(const char *text, int at, int indent, int width) {
    for (bool first = true; *text; first = false) {
        int length = (int)strcspn(text, " ");
        if (!first && at + 1 + length > width)
            at = printf("\n%*s", indent, "") - 1;
        else if (!first)
            at += printf(" ");
        at += printf("%.*s", length, text);
        text += length + (text[length] == ' ');
    }
    printf("\n");
}

/* Prints the help of an option beside its name, or below it if the terminal is narrow. */
static void print_option(const char *flag, const char *help) {
    int width = help_width(), indent = width < NARROW ? 6 : HELP_INDENT;
    int at = printf("  %-*s ", HELP_INDENT - 3, flag);
    if (width < NARROW) at = printf("\n%*s", indent, "") - 1;
    options_print_wrapped(help, at, indent, width);
}

/* For an indented line that explains a word, such as "  show   draws one row", returns the column
 * at which the explanation begins. Returns 0 if the line is an example, which stays as it is. */
static int definition_column(const char *line, int length) {
    int at = (int)strspn(line, " ");
    while (at + 1 < length && strncmp(line + at, "  ", 2) != 0)
        at++;
    if (at + 1 >= length) return 0;
    return at + (int)strspn(line + at, " ");
}

/* Prints an indented line, which is an example or defines a word. */
static void print_indented(const char *line, int length) {
    int column = definition_column(line, length);
    char text[512];
    printf("%.*s", column ? column : length, line);
    if (column) {
        snprintf(text, sizeof text, "%.*s", length - column, line + column);
        options_print_wrapped(text, column, column, help_width());
    } else {
        printf("\n");
    }
}

void options_print_text(const char *text) {
    while (*text) {
        int length = (int)strcspn(text, "\n");
        if (*text == ' ') {
            print_indented(text, length);
            text += length + (text[length] == '\n');
            continue;
        }
        StrBuf paragraph = {0};
        while (*text && *text != ' ' && *text != '\n') {
            length = (int)strcspn(text, "\n");
            strbuf_addf(&paragraph, "%s%.*s", paragraph.length ? " " : "", length, text);
            text += length + (text[length] == '\n');
        }
        if (!paragraph.length) text++; /* an empty line */
        options_print_wrapped(strbuf_text(&paragraph), 0, 0, help_width());
        strbuf_clear(&paragraph);
    }
}

static void print_help(const CommandUsage *usage) {
    options_print_text(usage->summary);
    printf("\n  ");
    options_print_wrapped(usage->synopsis, 2, 6, help_width());
    printf("\noptions:\n");
    for (const Option *option = usage->options; option && option->name; option++) {
        char flag[64];
        snprintf(flag, sizeof flag, "--%s%s%s", option->name, option->value ? " " : "",
                 option->value ? option->value : "");
        print_option(flag, option->help);
    }
    if (usage->settings) {
        print_option("--config FILE", "file of settings, one `key = value` on each line");
        print_option("--set KEY=VALUE", "give a setting this value (may be repeated)");
    }
    print_option("--help", "print this text");
    if (usage->details) {
        printf("\n");
        options_print_text(usage->details);
    }
    if (!usage->settings) return;
    StrBuf groups = {0};
    strbuf_add(&groups, "settings (`aji settings WORD` describes them):");
    for (const SettingsGroup *group = usage->settings; group->prefix; group++)
        strbuf_addf(&groups, "%s %s.*", group == usage->settings ? "" : ",", group->prefix);
    printf("\n");
    options_print_wrapped(strbuf_text(&groups), 0, 2, help_width());
    strbuf_clear(&groups);
}

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
    const char *words[64] = {"help", "config", "set"};
    int count = usage->settings ? 3 : 1;
    char name[64]; /* without the dashes and "=value" */
    snprintf(name, sizeof name, "%.*s", (int)strcspn(flag + 2, "="), flag + 2);
    for (const Option *option = usage->options; option && option->name && count < 64; option++)
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
        print_help(usage);
        return OPTIONS_HELP;
    }
    if (!status && parse.word_count < usage->min_words)
        status = fail(&err, ERR_ARGUMENT, "an argument is missing; usage: %s", usage->synopsis);
    if (status) return report_wrong(usage, &err);
    if (word_count) *word_count = parse.word_count;
    return OPTIONS_RUN;
}
