/* Typed lines: cut into words, and given to the commands. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "protocol/console/console_private.h"

/* Cuts the line in place: `*first` is its first word, and words->rest is the rest without blanks
 * around it. */
static void cut_words(char *line, char **first, ConsoleWords *words) {
    const char *blanks = " \t\r\n";
    line += strspn(line, blanks);
    *first = line;
    line += strcspn(line, blanks);
    if (*line) *line++ = 0;
    line += strspn(line, blanks);
    size_t length = strlen(line);
    while (length && strchr(blanks, line[length - 1]))
        line[--length] = 0;
    words->count = 0;
    words->rest = line;
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
        if (strcmp(command->name, name) == 0) return command;
    }
    return NULL;
}

static void answer_unknown(const char *word, StrBuf *out) {
    const char *names[64];
    int count = 0;
    for (const ConsoleCommand *command = CONSOLE_COMMANDS; command->name && count < 64; command++)
        names[count++] = command->name;
    const char *nearest = nearest_word(word, names, count);
    strbuf_addf(out, "\"%.40s\" is neither a move such as D4 nor a known word", word);
    if (nearest) strbuf_addf(out, "; did you mean %s?", nearest);
    strbuf_add(out, nearest ? " (\"help\" lists them all.)\n" : "; \"help\" lists them.\n");
}

/* Whether the word looks like a point, which is a letter followed by digits. */
static bool looks_like_point(const char *word) {
    return isalpha((unsigned char)word[0]) && isdigit((unsigned char)word[1]);
}

static ConsoleEffect do_words(Console *console, const char *first, const ConsoleWords *words,
                              StrBuf *out) {
    const Board *board = &console_position(console)->board;
    Error err = {0};
    Point point;
    if (looks_like_point(first)) {
        if (!words->count && !point_parse(first, board->width, board->height, &point, &err))
            return console_play(console, point, out);
        if (words->count)
            strbuf_addf(out, "One move at a time: type %.8s alone.\n", first);
        else
            strbuf_addf(out, "%s\n", err.message);
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
    char text[LINE_MAX_BYTES + 1], copy[LINE_MAX_BYTES + 1], *first;
    ConsoleWords words;
    if (strlen(line) > LINE_MAX_BYTES) {
        strbuf_add(out, "This line is too long.\n");
        return CONSOLE_SAME;
    }
    snprintf(text, sizeof text, "%s", line);
    cut_words(text, &first, &words);
    if (!*first) return CONSOLE_SAME;
    for (char *at = first; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    snprintf(copy, sizeof copy, "%s", words.rest);
    split_rest(copy, &words);
    return do_words(console, first, &words, out);
}
