/* The training files of Leela Zero (leela-zero/leela-zero, src/Training.cpp and
 * training/tf/chunkparser.py). There are two forms of them.
 *   Version 1 is text. A position has 19 lines:
 *     16 lines  planes: eight of the mover's stones, now and one to seven turns ago, then eight of
 *               the opponent's stones. Each plane is 90 hexadecimal digits, whose highest bits come
 *               first, and one more digit, 0 or 1, for the last point.
 *     1 line    0 if Black is to move, 1 if White is to move
 *     1 line    362 numbers: the search's policy, with the pass at the end
 *     1 line    1 if the mover won the game, -1 if the opponent did
 *   Version 2 has the same data in 2176 bytes:
 *     4 bytes     the number 1
 *     1448 bytes  the policy, 362 floats
 *     722 bytes   the planes, as bits without gaps; the highest bit of a byte comes first
 *     1 byte      the player to move, as above
 *     1 byte      1 if the mover won, 0 if the opponent did
 * All numbers are little-endian. The points come row by row, from the bottom row of the board up.
 * Boards before the start of a game are empty. Version 0.3 of Leela Zero wrote some policies
 * that are NaN, and Leela Zero's own reader skips these positions. The files do not say whether the
 * loser resigned, and they have no komi, score or owners. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "data/foreign/foreign_position.h"

enum {
    SIDE = 19,
    AREA = SIDE * SIDE,
    PLANES = 2 * FOREIGN_BOARDS,
    PLANE_DIGITS = AREA / 4 + 1,
    LINES = PLANES + 3,
    PACKED_POLICY = 4,
    PACKED_PLANES = PACKED_POLICY + 4 * (AREA + 1),
    PACKED_MOVER = PACKED_PLANES + PLANES * AREA / 8,
    PACKED_BYTES = PACKED_MOVER + 2,
    PACKED_VERSION = 1
};
_Static_assert(PACKED_BYTES == 2176, "the records have this size");
static const float SHARE_MAX =
    1e6f; /* larger numbers are no policy, and the sum of such numbers could overflow */

static bool is_file(const char *name) {
    return path_has_ending(name, ".gz") || path_has_ending(name, ".txt") ||
           path_has_ending(name, ".bin");
}

/* Converts the number of a point in the file, which begins at the bottom row, to move_index(). */
static int point_index(int number) {
    return (SIDE - 1 - number / SIDE) * SIDE + number % SIDE;
}

/* Sets a stone of a plane. Returns false if the other player has a stone there. */
static bool set_stone(ForeignPosition *out, int plane, int number) {
    uint8_t *cell = &out->boards[plane % FOREIGN_BOARDS][point_index(number)];
    Color color = plane < FOREIGN_BOARDS ? out->mover : color_other(out->mover);
    if (*cell != COLOR_EMPTY) return false;
    *cell = (uint8_t)color;
    return true;
}

static void begin(ForeignPosition *out, bool white) {
    *out = (ForeignPosition){
        .width = SIDE, .height = SIDE, .mover = white ? COLOR_WHITE : COLOR_BLACK};
}

/* A line of the text, without its end. */
typedef struct {
    const char *text;
    size_t length;
} Line;

/* Moves behind the next line. Returns false at the end of the file. */
static bool next_line(ForeignReader *reader, Line *out) {
    if (reader->at >= reader->count) return false;
    const char *text = reader->bytes + reader->at,
               *end = memchr(text, '\n', reader->count - reader->at);
    size_t length = end ? (size_t)(end - text) : reader->count - reader->at;
    reader->at += length + (end != NULL);
    reader->line++;
    if (length && text[length - 1] == '\r') length--;
    *out = (Line){text, length};
    return true;
}

static int digit_value(char digit) {
    return digit >= '0' && digit <= '9'   ? digit - '0'
           : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
           : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10
                                          : -1;
}

static bool is_plane(Line line) {
    if (line.length != PLANE_DIGITS || digit_value(line.text[PLANE_DIGITS - 1]) > 1) return false;
    for (size_t i = 0; i < line.length; i++) {
        if (digit_value(line.text[i]) < 0) return false;
    }
    return true;
}

static bool line_is(Line line, const char *word) {
    return line.length == strlen(word) && memcmp(line.text, word, line.length) == 0;
}

static bool is_result(Line line) {
    return line_is(line, "1") || line_is(line, "-1");
}

/* Returns NULL, or what is wrong. */
static const char *read_plane(Line line, int plane, ForeignPosition *out) {
    if (!is_plane(line)) return "it is no plane of 91 hexadecimal digits";
    for (int number = 0; number < AREA; number++) {
        int value = digit_value(line.text[number / 4]);
        bool last = number == AREA - 1;
        bool stone = last ? value : value >> (3 - number % 4) & 1;
        if (stone && !set_stone(out, plane, number)) return "both players have a stone on a point";
    }
    return NULL;
}

static bool is_blank(char character) {
    return character == ' ' || character == '\t';
}

/* Reads one number, and moves `*text` behind it. Returns false if there is none before `end`. */
static bool read_share(const char **text, const char *end, float *out) {
    while (*text < end && is_blank(**text))
        ++*text;
    if (*text == end) return false;
    if (**text == '0' && (*text + 1 == end || is_blank((*text)[1]))) { /* most of them are 0 */
        *out = 0;
        ++*text;
        return true;
    }
    char *after;
    *out = strtof(*text, &after);
    if (after == *text || after > end || (after < end && !is_blank(*after))) return false;
    *text = after;
    return true;
}

/* Stores the probability of a move. Sets `*none` if it is NaN. Returns NULL, or what is wrong. */
static const char *take_share(ForeignPosition *out, int number, float share, bool *none) {
    if (isnan(share)) {
        *none = true;
        return NULL;
    }
    if (!(share >= 0 && share <= SHARE_MAX)) return "a probability is out of bounds";
    out->policy[number < AREA ? point_index(number) : AREA] = share;
    return NULL;
}

static const char *read_policy(Line line, ForeignPosition *out, bool *none) {
    const char *at = line.text, *end = line.text + line.length, *fault = NULL;
    for (int number = 0; number <= AREA && !fault; number++) {
        float share;
        if (!read_share(&at, end, &share)) return "one of its 362 numbers is missing or malformed";
        fault = take_share(out, number, share, none);
    }
    while (at < end && is_blank(*at))
        at++;
    return fault ? fault : at < end ? "it has more than 362 numbers" : NULL;
}

/* Reads the lines of a position. Returns NULL, or what is wrong in lines[*where]. */
static const char *read_lines(const Line lines[LINES], ForeignPosition *out, bool *none,
                              int *where) {
    const char *fault = NULL;
    *where = PLANES;
    if (!line_is(lines[PLANES], "0") && !line_is(lines[PLANES], "1"))
        return "it does not say who is to move";
    begin(out, lines[PLANES].text[0] == '1');
    for (int i = 0; i < PLANES && !fault; i++) {
        *where = i;
        fault = read_plane(lines[i], i, out);
    }
    if (fault) return fault;
    *where = PLANES + 1;
    fault = read_policy(lines[PLANES + 1], out, none);
    if (fault) return fault;
    *where = PLANES + 2;
    if (!is_result(lines[PLANES + 2])) return "it is no result, 1 or -1";
    out->winner = lines[PLANES + 2].text[0] == '1' ? out->mover : color_other(out->mover);
    return NULL;
}

/* Moves the reader to the next position after a damaged one, or to the end of the file if there is
 * none. A position is found by its 16 lines of planes: the next line must not be a plane, or the
 * file must end after the 16 lines. `damaged` is the state of the reader before the damaged
 * position. The first line of the damaged position is passed over, so that this position is not
 * found again. */
static void resume(ForeignReader *reader, const ForeignReader *damaged) {
    enum { KEPT = PLANES + 1 };
    /* `begins` has the states of the reader before each of the last KEPT lines, as a ring. */
    ForeignReader at = *damaged, begins[KEPT];
    int64_t run = -1; /* number of planes directly before `at`; -1 before the first line */
    at.position = reader->position;
    for (;;) {
        Line line;
        begins[(run + KEPT) % KEPT] = at;
        bool more = next_line(&at, &line), plane = more && is_plane(line);
        if (run >= PLANES && !plane) at = begins[(run - PLANES) % KEPT];
        if (!more || (run >= PLANES && !plane)) break;
        run = plane || run < 0 ? run + 1 : 0;
    }
    *reader = at;
}

static Status next_text(ForeignReader *reader, ForeignPosition *out, ForeignFound *found,
                        Error *err) {
    const ForeignReader before = *reader;
    Line lines[LINES];
    int count = 0, where = 0;
    bool none = false;
    while (count < LINES && next_line(reader, &lines[count]))
        count++;
    reader->position++;
    if (count < LINES) {
        reader->at = reader->count;
        return fail(err, ERR_SYNTAX,
                    "line %lld: position %lld is cut short: it has %d lines, wanted %d",
                    (long long)before.line + 1, (long long)reader->position, count, LINES);
    }
    const char *fault = read_lines(lines, out, &none, &where);
    *found = none ? FOREIGN_NO_POLICY : FOREIGN_POSITION;
    if (!fault) return OK;
    resume(reader, &before);
    return fail(err, ERR_SYNTAX, "line %lld: position %lld: %s", (long long)before.line + where + 1,
                (long long)reader->position, fault);
}

static uint32_t read_word(const char *bytes) {
    const unsigned char *at = (const unsigned char *)bytes;
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Reads a record. Returns NULL, or what is wrong. */
static const char *read_record(const char *bytes, ForeignPosition *out, bool *none) {
    unsigned char mover = (unsigned char)bytes[PACKED_MOVER],
                  won = (unsigned char)bytes[PACKED_MOVER + 1];
    if (mover > 1) return "it does not say who is to move";
    if (won > 1) return "it has no result, 0 or 1";
    begin(out, mover);
    out->winner = won ? out->mover : color_other(out->mover);
    for (int bit = 0; bit < PLANES * AREA; bit++) {
        bool stone = (unsigned char)bytes[PACKED_PLANES + bit / 8] >> (7 - bit % 8) & 1;
        if (stone && !set_stone(out, bit / AREA, bit % AREA))
            return "both players have a stone on a point";
    }
    for (int number = 0; number <= AREA; number++) {
        uint32_t word = read_word(bytes + PACKED_POLICY + 4 * number);
        float share;
        memcpy(&share, &word, sizeof share);
        const char *fault = take_share(out, number, share, none);
        if (fault) return fault;
    }
    return NULL;
}

static Status next_packed(ForeignReader *reader, ForeignPosition *out, ForeignFound *found,
                          Error *err) {
    const char *bytes = reader->bytes + reader->at;
    size_t left = reader->count - reader->at, offset = reader->at;
    bool none = false;
    reader->position++;
    reader->at += left < PACKED_BYTES ? left : PACKED_BYTES;
    if (left < PACKED_BYTES)
        return fail(err, ERR_SYNTAX,
                    "byte %zu: position %lld is cut short: it has %zu bytes, wanted %d", offset,
                    (long long)reader->position, left, PACKED_BYTES);
    if (read_word(bytes) != PACKED_VERSION) {
        reader->spoiled = true;
        return fail(err, ERR_SYNTAX, "byte %zu: position %lld: version %u is not known", offset,
                    (long long)reader->position, read_word(bytes));
    }
    const char *fault = read_record(bytes, out, &none);
    *found = none ? FOREIGN_NO_POLICY : FOREIGN_POSITION;
    return fault ? fail(err, ERR_SYNTAX, "byte %zu: position %lld: %s", offset,
                        (long long)reader->position, fault)
                 : OK;
}

/* Looks at the first bytes, so that a file that is no training file is refused with one message
 * instead of one for each position. */
static Status check_kind(ForeignReader *reader, Error *err) {
    static const char DEBUG[] = "2\n";
    unsigned char first = (unsigned char)reader->bytes[0];
    reader->spoiled = true;
    if (reader->count >= 4 && first < ' ' && first != '\n' && first != '\r' &&
        read_word(reader->bytes) != PACKED_VERSION)
        return fail(err, ERR_SYNTAX, "a file of version %u is not known", read_word(reader->bytes));
    if (reader->count >= 2 && memcmp(reader->bytes, DEBUG, strlen(DEBUG)) == 0)
        return fail(err, ERR_SYNTAX, "it is a debug file of Leela Zero, which has no positions");
    reader->spoiled = false;
    return OK;
}

static Status next(ForeignReader *reader, ForeignPosition *out, ForeignFound *found, Error *err) {
    *found = FOREIGN_END;
    if (reader->spoiled || reader->at >= reader->count) return OK;
    Status status = reader->at ? OK : check_kind(reader, err);
    if (status) return status;
    bool packed = reader->count >= 4 && read_word(reader->bytes) == PACKED_VERSION;
    if (!packed && strspn(reader->bytes + reader->at, " \t\r\n") == reader->count - reader->at)
        return OK;
    return packed ? next_packed(reader, out, found, err) : next_text(reader, out, found, err);
}

const ForeignFormat FOREIGN_LEELA_ZERO = {.name = "Leela Zero",
                                          .files = "training file of Leela Zero (.gz, .txt, .bin)",
                                          .is_file = is_file,
                                          .next = next};
