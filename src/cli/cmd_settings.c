#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/options/help_text.h"
#include "base/options/options.h"
#include "base/options/usage_man.h"
#include "cli/commands.h"
#include "cli/engine/katago_keys.h"
#include "cli/settings/all_settings.h"
#include "cli/settings/translate.h"

extern const char cmd_settings_summary[];
int cmd_settings(int argc, char **argv);
const char cmd_settings_summary[] =
    "lists the settings with default, bounds, help and source: settings [WORD]";

static const char DETAILS[] =
    "With WORD the command lists only settings that have this word in their name, help, source "
    "or KataGo's name; case does not matter. The --help of a command says which groups of "
    "settings it takes. Settings are given with `--set NAME=VALUE`, or in a file with `NAME = "
    "VALUE`; KataGo's names work too. Some groups of settings are for one place only:\n"
    "  arch.*        inside run.arch, as in \"blocks=4,channels=32,norm=fixup\"\n"
    "  block.*       options of a block in arch.trunk, as in\n"
    "                \"c96,trunk=nested(inner=48)*6\"\n"
    "  experiment.*  in a file for `aji experiment`\n"
    "  ladder.*      in a file for the option --ladder of match and rate\n"
    "  supervised.*  for `aji train DATA`\n"
    "  filter.*      for `aji data from-sgf` and `aji data problems`\n"
    "  positions.*   for `aji data from-leela-zero` and `aji data from-lc0`\n"
    "  rows.*        for the commands `aji data from-...`\n"
    "  problem.*     for `aji data problems`\n"
    "The default that is listed is not always the default of `aji learn`. If the two differ,\n"
    "\"in a run\" gives the default of `aji learn`.\n"
    "  aji settings noise\n"
    "  aji settings --json rootDirichletNoiseWeight\n"
    "`--markdown` prints docs/METHODS-TABLE.md. `--from` translates the settings of another\n"
    "program to a file of settings, which it prints. FILE is YAML of lczero-training or\n"
    "JSON of a run of p3achygo, or has command lines of GoNN or p3achygo. Comments at the end of\n"
    "what is printed list the settings that have no counterpart in Aji.\n"
    "  aji settings --from lczero.yaml >train.cfg\n"
    "  aji train rows/ --config train.cfg";

enum { NAME_SIZE = 128, VALUE_SIZE = SETTINGS_TEXT_SIZE + 3 };

/* A setting with its values as text. */
typedef struct {
    char name[NAME_SIZE], standard[VALUE_SIZE], bounds[VALUE_SIZE];
    char in_run[VALUE_SIZE]; /* default in runs; "" if it is the same */
    const char *type;
    const SettingsField *field;
    const SettingsGroup *group;
} Entry;

static const char *type_name(FieldType type) {
    static const char *const NAMES[] = {"", "whole", "whole", "number", "yes/no", "text", "choice"};
    return NAMES[type];
}

/* Writes the word of "a|b|c" at `index`. */
static void choice_text(const char *words, int index, char *out, size_t size) {
    while (index-- > 0 && strchr(words, '|'))
        words = strchr(words, '|') + 1;
    snprintf(out, size, "%.*s", (int)strcspn(words, "|"), words);
}

static void describe_values(const SettingsField *field, Entry *out) {
    *out->bounds = 0;
    switch (field->type) {
    case FIELD_TYPE_TEXT:
        snprintf(out->standard, VALUE_SIZE, "\"%s\"", field->text);
        break;
    case FIELD_TYPE_CHOICE:
        choice_text(field->text, (int)field->number, out->standard, VALUE_SIZE);
        snprintf(out->bounds, VALUE_SIZE, "%s", field->text);
        break;
    case FIELD_TYPE_BOOL:
        snprintf(out->standard, VALUE_SIZE, "%s", field->number != 0 ? "true" : "false");
        break;
    case FIELD_TYPE_INT:
    case FIELD_TYPE_INT64:
    case FIELD_TYPE_DOUBLE:
        snprintf(out->standard, VALUE_SIZE, "%s", number_text(field->number).text);
        snprintf(out->bounds, VALUE_SIZE, "%s to %s", number_text(field->min).text,
                 number_text(field->max).text);
        break;
    }
}

/* Writes the default of runs if it differs from the default of the table. */
static void describe_run(const SettingsGroup *run, const SettingsGroup *plain, Entry *entry) {
    StrBuf ours = {0}, theirs = {0};
    Status status = settings_get(run, entry->name, &ours, NULL);
    if (!status) status = settings_get(plain, entry->name, &theirs, NULL);
    *entry->in_run = 0;
    if (!status && strcmp(strbuf_text(&ours), strbuf_text(&theirs)) != 0)
        snprintf(entry->in_run, VALUE_SIZE, "%s", strbuf_text(&ours));
    strbuf_clear(&ours);
    strbuf_clear(&theirs);
}

static bool contains(const char *text, const char *word) {
    size_t length = strlen(word);
    for (; text && *text; text++) {
        size_t i = 0;
        while (i < length && tolower((unsigned char)text[i]) == tolower((unsigned char)word[i]))
            i++;
        if (i == length) return true;
    }
    return false;
}

static bool matches(const Entry *entry, const char *word) {
    const SettingsField *field = entry->field;
    return !word || contains(entry->name, word) || contains(field->help, word) ||
           contains(field->source, word) || contains(field->alias, word) ||
           contains(field->former, word);
}

/* Lists all settings. */
static Status list_all(const SettingsGroup *run, const SettingsGroup *plain, Entry **out,
                       int *count, Error *err) {
    size_t total = 0;
    for (const SettingsGroup *group = run; group->prefix; group++) {
        for (const SettingsField *field = group->fields; field->name; field++)
            total++;
    }
    *count = 0;
    Status status = mem_new(total, sizeof **out, out, err);
    for (const SettingsGroup *group = run; group->prefix && !status; group++) {
        for (const SettingsField *field = group->fields; field->name; field++) {
            Entry *entry = &(*out)[(*count)++];
            entry->field = field;
            entry->group = group;
            entry->type = type_name(field->type);
            snprintf(entry->name, NAME_SIZE, "%s.%s", group->prefix, field->name);
            describe_values(field, entry);
            if (group->target) describe_run(run, plain, entry);
        }
    }
    return status;
}

/* Prints the label and the words of `text` from column `indent` on, in lines that end before
 * `width`. */
static void print_labelled(const char *label, const char *text, int indent, int width) {
    help_text_wrap(text, printf("%*s%s", indent, "", label), indent, width);
}

typedef struct {
    int name, standard;
} Widths;

static void print_entry(const Entry *entry, Widths widths, int width) {
    const SettingsField *field = entry->field;
    printf("%-*s  %-6s  ", widths.name, entry->name, entry->type);
    if (*entry->bounds)
        printf("%-*s  %s\n", widths.standard, entry->standard, entry->bounds);
    else
        printf("%s\n", entry->standard);
    print_labelled("", field->help, 4, width);
    if (*entry->in_run) print_labelled("in a run: ", entry->in_run, 4, width);
    if (field->source) print_labelled("source: ", field->source, 4, width);
    if (field->alias) print_labelled("KataGo: ", field->alias, 4, width);
    if (field->former) print_labelled("formerly: ", field->former, 4, width);
}

static void print_entries(const Entry *entries, int count, const char *word) {
    int width = help_text_width(), shown = 0;
    Widths widths = {4, 7};
    for (int i = 0; i < count; i++) {
        int name = (int)strlen(entries[i].name), standard = (int)strlen(entries[i].standard);
        if (!matches(&entries[i], word)) continue;
        if (name > widths.name) widths.name = name;
        if (standard > widths.standard && standard <= 16) widths.standard = standard;
    }
    for (int i = 0; i < count; i++) {
        if (!matches(&entries[i], word)) continue;
        if (!shown++)
            printf("%-*s  %-6s  %-*s  bounds\n", widths.name, "name", "type", widths.standard,
                   "default");
        print_entry(&entries[i], widths, width);
    }
    if (word)
        printf("\n%d of %d settings\n", shown, count);
    else
        printf("\n%d settings\n", count);
}

/* The words of "a|b" as a JSON list, or null if there is no text. */
static json_t *json_words(const char *words) {
    if (!words) return json_null();
    json_t *list = json_array();
    while (*words) {
        size_t length = strcspn(words, "|");
        json_array_append_new(list, json_stringn(words, length));
        words += length + (words[length] == '|');
    }
    return list;
}

static json_t *json_number_of(const SettingsField *field, double number) {
    return field->type == FIELD_TYPE_DOUBLE ? json_real(number) : json_integer((json_int_t)number);
}

static json_t *json_standard(const Entry *entry) {
    const SettingsField *field = entry->field;
    if (field->type == FIELD_TYPE_TEXT) return json_string(field->text);
    if (field->type == FIELD_TYPE_CHOICE) return json_string(entry->standard);
    if (field->type == FIELD_TYPE_BOOL) return json_boolean(field->number != 0);
    return json_number_of(field, field->number);
}

static json_t *json_entry(const Entry *entry) {
    const SettingsField *field = entry->field;
    bool number = field->type == FIELD_TYPE_INT || field->type == FIELD_TYPE_INT64 ||
                  field->type == FIELD_TYPE_DOUBLE;
    json_t *object = json_object();
    json_object_set_new(object, "name", json_string(entry->name));
    json_object_set_new(object, "type", json_string(entry->type));
    json_object_set_new(object, "default", json_standard(entry));
    if (*entry->in_run) json_object_set_new(object, "in_run", json_string(entry->in_run));
    if (number) json_object_set_new(object, "min", json_number_of(field, field->min));
    if (number) json_object_set_new(object, "max", json_number_of(field, field->max));
    if (field->type == FIELD_TYPE_CHOICE)
        json_object_set_new(object, "choices", json_words(field->text));
    json_object_set_new(object, "help", json_string(field->help));
    json_object_set_new(object, "source", field->source ? json_string(field->source) : json_null());
    json_object_set_new(object, "katago", json_words(field->alias));
    json_object_set_new(object, "former", json_words(field->former));
    return object;
}

static void print_json(const Entry *entries, int count, const char *word) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        if (matches(&entries[i], word)) json_array_append_new(list, json_entry(&entries[i]));
    }
    json_dumpf(list, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    printf("\n");
    json_decref(list);
}

/* Prints text as a cell of a table. Escapes each '|', which would end the cell. */
static void print_cell(const char *text) {
    for (; text && *text; text++) {
        if (*text == '|') putchar('\\');
        putchar(*text);
    }
}

/* Prints a value, or several values that are separated by '|', as code. */
static void print_code(const char *values, const char *separator) {
    while (values && *values) {
        size_t length = strcspn(values, "|");
        printf("`%.*s`", (int)length, values);
        values += length;
        if (*values) printf("%s", separator);
        values += *values != 0;
    }
}

static void print_markdown_row(const Entry *entry) {
    const SettingsField *field = entry->field;
    printf("| `%s` | ", entry->name);
    print_code(strcmp(entry->standard, "\"\"") ? entry->standard : "", "");
    if (*entry->in_run) printf("; in a run `%s`", entry->in_run);
    printf(" | ");
    if (field->type == FIELD_TYPE_CHOICE)
        print_code(entry->bounds, ", ");
    else
        print_cell(*entry->bounds ? entry->bounds : entry->type);
    printf(" | ");
    print_cell(field->help);
    printf(" | ");
    print_cell(field->source);
    printf(" | ");
    print_code(field->alias, ", ");
    printf(" |\n");
}

/* Prints the page docs/METHODS-TABLE.md: the settings that match `word`, by groups. */
static void print_markdown(const Entry *entries, int count, const char *word) {
    const SettingsGroup *group = NULL;
    printf("# All settings\n\n"
           "`aji settings --markdown` prints this page; a test keeps the two equal. What the "
           "methods are\nfor, and what they were worth, is told in [METHODS.md](METHODS.md).\n");
    for (int i = 0; i < count; i++) {
        if (!matches(&entries[i], word)) continue;
        if (!group || strcmp(entries[i].group->prefix, group->prefix) != 0) {
            group = entries[i].group;
            printf("\n## %s\n\n"
                   "| setting | default | values | what it does | source | KataGo's name |\n"
                   "|---|---|---|---|---|---|\n",
                   group->prefix);
        }
        print_markdown_row(&entries[i]);
    }
}

enum { PARTS_MAX = 12 };

/* Cuts a name at its dots and underscores: "search.friendly_pass" into "search", "friendly" and
 * "pass". Returns the number of parts. */
static int name_parts(const char *name, Arena *arena, const char *parts[PARTS_MAX]) {
    int count = 0;
    while (*name && count < PARTS_MAX) {
        size_t length = strcspn(name, "._");
        parts[count] = arena_copy(arena, name, length);
        if (parts[count]) count++;
        name += length + (name[length] != 0);
    }
    return count;
}

typedef struct {
    char text[256];
} NearestText;

/* Returns the end of the message about a word that no setting has: "; the nearest is ...", or "" if
 * no setting is near. */
static NearestText nearest_setting(const Entry *entries, int count, const char *word) {
    NearestText answer = {""};
    Arena arena = {0};
    size_t bytes = mem_array_bytes((size_t)count * (PARTS_MAX + 2), sizeof(const char *));
    const char **words = arena_alloc(&arena, bytes);
    int total = 0, *first = arena_alloc(&arena, mem_array_bytes((size_t)count + 1, sizeof *first));
    for (int i = 0; i < count && words && first; i++) {
        first[i] = total;
        words[total++] = entries[i].name;
        words[total++] = entries[i].field->name;
        total += name_parts(entries[i].name, &arena, words + total);
        first[i + 1] = total;
    }
    const char *nearest = total ? nearest_word(word, words, total) : NULL;
    for (int i = 0; i < count && nearest && !*answer.text; i++) {
        for (int k = first[i]; k < first[i + 1]; k++) {
            if (words[k] != nearest) continue;
            const char *setting = entries[i].name;
            if (k < first[i] + 2)
                snprintf(answer.text, sizeof answer.text, "; the nearest is %s", setting);
            else
                snprintf(answer.text, sizeof answer.text, "; the nearest is \"%s\", as in %s",
                         nearest, setting);
        }
    }
    arena_clear(&arena);
    return answer;
}

/* Prints the section of the manual that lists the settings. */
static void print_man(const Entry *entries, int count, const char *word) {
    const SettingsGroup *group = NULL;
    printf(".SH SETTINGS\n");
    for (int i = 0; i < count; i++) {
        const Entry *entry = &entries[i];
        if (!matches(entry, word)) continue;
        if (!group || strcmp(entry->group->prefix, group->prefix) != 0)
            printf(".SS %s\n", entry->group->prefix);
        group = entry->group;
        printf(".TP\n\\fB");
        usage_man_text(entry->name);
        printf("\\fR = ");
        usage_man_text(entry->standard);
        printf("\n");
        usage_man_text(entry->field->help);
        printf("\n(%s%s", entry->type, *entry->bounds ? ": " : "");
        usage_man_text(entry->bounds);
        if (*entry->in_run) printf("; in a run ");
        usage_man_text(entry->in_run);
        if (entry->field->alias) printf("; KataGo: ");
        if (entry->field->alias) usage_man_text(entry->field->alias);
        printf(")\n");
    }
}

typedef void Printer(const Entry *entries, int count, const char *word);

static int show(const Entry *entries, int count, const char *word, Printer *print) {
    int found = 0;
    for (int i = 0; i < count; i++)
        found += matches(&entries[i], word);
    if (found) {
        print(entries, count, word);
        return 0;
    }
    const char *reason = katago_key_reason(word);
    if (reason) {
        printf("%s, a key of KataGo's configs, is not a setting here: %s\n", word, reason);
        return 0;
    }
    fprintf(stderr, "aji settings: no setting has \"%.60s\" in its name, help or source%s\n", word,
            nearest_setting(entries, count, word).text);
    return 2;
}

static int print_translation(const char *path, const char *program) {
    StrBuf text = {0};
    Error err = {0};
    Status status = translate_file(path, program, &text, &err);
    if (!status) fputs(strbuf_text(&text), stdout);
    strbuf_clear(&text);
    return command_end("settings", status, &err);
}

int cmd_settings(int argc, char **argv) {
    bool json = false, markdown = false, man = false;
    const char *from = "", *program = "";
    const Option options[] = {
        {"json", OPTION_FLAG, &json, 0, 0, NULL, "print a JSON list instead of the table"},
        {"markdown", OPTION_FLAG, &markdown, 0, 0, NULL,
         "print a page of Markdown instead of the table"},
        {"from", OPTION_TEXT, &from, 0, 0, "FILE",
         "translate the settings of another program, instead of the list"},
        {"program", OPTION_TEXT, &program, 0, 0, "NAME",
         "the program whose settings FILE has: lczero, gonn or p3achygo (default: found out "
         "from FILE)"},
        {"man", OPTION_FLAG, &man, 0, 0, NULL, "print a section of the manual, in roff, instead"},
        {0}};
    const CommandUsage usage = {.name = "settings",
                                .synopsis =
                                    "aji settings [WORD] [--json|--markdown|--man|--from FILE]",
                                .summary = cmd_settings_summary,
                                .details = DETAILS,
                                .options = options,
                                .max_words = 1};
    const char *words[1] = {NULL};
    int word_count = 0, count = 0;
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &word_count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    if (json + markdown + man > 1) {
        fprintf(stderr, "aji settings: --json, --markdown and --man exclude each other\n");
        return 2;
    }
    if (*from) return print_translation(from, program);
    Printer *print = json       ? print_json
                     : markdown ? print_markdown
                     : man      ? print_man
                                : print_entries;
    Error err = {0};
    RunConfig run, plain;
    SettingsGroup run_groups[ALL_SETTINGS_GROUPS], plain_groups[ALL_SETTINGS_GROUPS];
    Entry *entries = NULL;
    run_config_defaults(&run);
    run_config_defaults(&plain);
    all_settings_groups(&run, run_groups);
    all_settings_groups(&plain, plain_groups);
    for (const SettingsGroup *group = plain_groups; group->target; group++)
        settings_defaults(group->fields, group->target);
    Status status = list_all(run_groups, plain_groups, &entries, &count, &err);
    int code = status ? 1 : show(entries, count, word_count ? words[0] : NULL, print);
    if (status) fprintf(stderr, "aji settings: %s\n", err.message);
    free(entries);
    return code;
}
