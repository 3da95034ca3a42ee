#include "base/options/wrap.h"

#include <string.h>

/* The length of the sequence for colors at `text`, or 0 if there is none. */
static size_t sequence_length(const char *text, size_t length) {
    size_t at = 0;
    if (!length || *text != '\033') return 0;
    while (at < length && text[at] != 'm')
        at++;
    return at < length ? at + 1 : at;
}

/* The number of bytes of `text` that fit into `columns`. */
static size_t bytes_within(const char *text, size_t length, int columns) {
    size_t at = 0;
    while (at < length) {
        size_t sequence = sequence_length(text + at, length - at);
        bool begins = !sequence && ((unsigned char)text[at] & 0xc0) != 0x80;
        if (begins && columns-- <= 0) break;
        at += sequence ? sequence : 1;
    }
    return at;
}

int wrap_columns(const char *text, size_t length) {
    int columns = 0;
    for (size_t at = 0; at < length;) {
        size_t sequence = sequence_length(text + at, length - at);
        columns += !sequence && ((unsigned char)text[at] & 0xc0) != 0x80;
        at += sequence ? sequence : 1;
    }
    return columns;
}

/* The column in which the explanation begins in a line such as "  show   draws one row". It is 0 if
 * the line has none, or if less than half of the columns would remain for it. */
static int explanation_column(const char *line, size_t length, int columns) {
    size_t at = strspn(line, " ");
    if (!at) return 0;
    while (at + 1 < length && strncmp(line + at, "  ", 2) != 0)
        at++;
    if (at + 1 >= length) return 0;
    at += strspn(line + at, " ");
    return at < length && (int)at <= columns / 2 ? (int)at : 0;
}

/* The number of bytes of the next line: as many words as fit, or a part of the first word. */
static size_t line_bytes(const char *text, size_t length, int columns) {
    size_t fit = bytes_within(text, length, columns), at = fit;
    if (fit == length || text[fit] == ' ') return fit;
    while (at && text[at - 1] != ' ')
        at--;
    return strspn(text, " ") >= at ? fit : at;
}

static void wrap_line(const char *line, size_t length, int columns, StrBuf *out) {
    int indent = explanation_column(line, length, columns), room = columns;
    for (;;) {
        size_t count = line_bytes(line, length, room), shown = count;
        while (shown && line[shown - 1] == ' ')
            shown--;
        strbuf_add_bytes(out, line, shown);
        strbuf_add(out, "\n");
        while (count < length && line[count] == ' ')
            count++;
        line += count;
        length -= count;
        if (!length) return;
        strbuf_addf(out, "%*s", indent, "");
        room = columns - indent;
    }
}

void wrap_text(const char *text, int columns, StrBuf *out) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (columns > 0)
            wrap_line(text, length, columns, out);
        else
            strbuf_addf(out, "%.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}
