/* Typed lines: cut into words, and given to the commands. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "protocol/console/console_private.h"

static const char BLANKS[] = " \t\r\n";

/* Returns the line without blanks around it. */
static char *trim(char *line) {
    line += strspn(line, BLANKS);
    size_t length = strlen(line);
    while (length && strchr(BLANKS, line[length - 1]))
        line[--length] = 0;
    return line;
}

/* Cuts the trimmed line in place into its first word and words->rest. Quotation marks around the
 * rest, as around the name of a file, are left out. */
static void cut_words(char *line, ConsoleWords *words) {
    line += strcspn(line, BLANKS);
    if (*line) *line++ = 0;
    line += strspn(line, BLANKS);
    size_t length = strlen(line);
    bool quoted = length >= 2 && (*line == '"' || *line == '\'') && line[length - 1] == *line;
    if (quoted) line[length - 1] = 0;
    words->count = 0;
    words->rest = line + quoted;
}

/* The number of bytes of the character in UTF-8 at `text` that can be printed, or 0 if it is a
 * control character or not UTF-8. */
static int printable_bytes(const char *text) {
    const unsigned char *byte = (const unsigned char *)text;
    int length = *byte < 0x80 ? 1 : *byte < 0xc2 ? 0 : *byte < 0xe0 ? 2 : *byte < 0xf0 ? 3 : 4;
    if (*byte < ' ' || *byte == 127 || *byte > 0xf4) return 0;
    for (int i = 1; i < length; i++) {
        if ((byte[i] & 0xc0) != 0x80) return 0;
    }
    return *byte == 0xc2 && byte[1] < 0xa0 ? 0 : length;
}

void console_add_escaped(const char *text, StrBuf *out) {
    while (*text) {
        int length = printable_bytes(text);
        if (length)
            strbuf_add_bytes(out, text, (size_t)length);
        else
            strbuf_addf(out, "\\x%02x", (unsigned char)*text);
        text += length ? length : 1;
    }
}

static bool is_printable(const char *text) {
    while (*text) {
        int length = *text == '\t' ? 1 : printable_bytes(text);
        if (!length) return false;
        text += length;
    }
    return true;
}

/* Splits a copy of words->rest into words, as many as fit. */
static void split_rest(char *copy, ConsoleWords *words) {
    int max = (int)(sizeof words->words / sizeof *words->words);
    for (char *at = NULL, *word = strtok_r(copy, " \t", &at); word && words->count < max;
         word = strtok_r(NULL, " \t", &at))
        words->words[words->count++] = word;
}

static const ConsoleCommand *find_command(const char *name) {
    for (const ConsoleCommand *command = CONSOLE_COMMANDS; command->name; command++) {
        bool is_short = command->short_name && strcasecmp(command->short_name, name) == 0;
        if (is_short || strcasecmp(command->name, name) == 0) return command;
    }
    return NULL;
}

bool console_searches(const char *line) {
    char word[16];
    line += strspn(line, BLANKS);
    snprintf(word, sizeof word, "%.*s", (int)strcspn(line, BLANKS), line);
    const ConsoleCommand *command = find_command(word);
    return command && command->searches;
}

static void answer_unknown(const char *word, StrBuf *out) {
    const char *names[64];
    int count = 0;
    for (const ConsoleCommand *command = CONSOLE_COMMANDS; command->name && count < 64; command++)
        names[count++] = command->name;
    const char *nearest = nearest_word(word, names, count);
    strbuf_add(out, "\"");
    console_add_escaped(word, out);
    strbuf_add(out, "\" is neither a move such as D4 nor a known word");
    if (nearest) strbuf_addf(out, "; did you mean %s?", nearest);
    strbuf_add(out, nearest ? " (\"help\" lists them all.)\n" : "; \"help\" lists them.\n");
}

/* Whether the word looks like a point, which is a letter followed by digits. */
static bool looks_like_point(const char *word) {
    return isalpha((unsigned char)word[0]) && isdigit((unsigned char)word[1]);
}

static ConsoleEffect do_words(Console *console, const char *first, const ConsoleWords *words,
                              StrBuf *out) {
    Point point;
    if (looks_like_point(first)) {
        if (words->count)
            strbuf_addf(out, "One move at a time: type %s alone.\n", first);
        else if (console_read_point(console, first, &point, out))
            return console_play(console, point, out);
        return CONSOLE_SAME;
    }
    const ConsoleCommand *command = find_command(first);
    if (!command) {
        answer_unknown(first, out);
        return CONSOLE_SAME;
    }
    if (words->count > command->max_words) {
        strbuf_addf(out, "\"%s\" takes %s: %s %s\n", first,
                    command->max_words ? "fewer words" : "no other words", command->name,
                    command->arguments);
        return CONSOLE_SAME;
    }
    return command->run(console, words, out);
}

ConsoleEffect console_line(Console *console, const char *line, StrBuf *out) {
    enum { LINE_MAX_BYTES = 1500 };
    char text[LINE_MAX_BYTES + 1], copy[LINE_MAX_BYTES + 1];
    ConsoleWords words;
    if (strlen(line) > LINE_MAX_BYTES) {
        strbuf_add(out, "This line is too long.\n");
        return CONSOLE_SAME;
    }
    snprintf(text, sizeof text, "%s", line);
    char *first = trim(text);
    if (!*first) return CONSOLE_SAME;
    if (!is_printable(first)) {
        strbuf_add(out, "\"");
        console_add_escaped(first, out);
        strbuf_add(out, "\" has characters that cannot be printed; each is shown as \\x and a "
                        "number. Type it again without them.\n");
        return CONSOLE_SAME;
    }
    cut_words(first, &words);
    snprintf(copy, sizeof copy, "%s", words.rest);
    split_rest(copy, &words);
    return do_words(console, first, &words, out);
}
