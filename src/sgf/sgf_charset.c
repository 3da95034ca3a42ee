#include "sgf/sgf_charset.h"

#include <ctype.h>
#include <iconv.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#define NAME_MAX_LENGTH 31
static const char REPLACEMENT[] = "\xEF\xBF\xBD";

/* The names of charsets in CA, without separators, and iconv's names. Many charsets are read as a
 * larger charset that contains them, because files often use the additional characters of the
 * larger one. iconv_name is NULL if this source file decodes the charset itself. */
static const struct {
    const char *name, *iconv_name;
} CHARSETS[] = {
    {"utf8", NULL},
    {"ascii", NULL},
    {"usascii", NULL},
    {"gb2312", "GB18030"},
    {"gbk", "GB18030"},
    {"gb18030", "GB18030"},
    {"cp936", "GB18030"},
    {"gb", "GB18030"},
    {"big5", "BIG5-HKSCS"},
    {"cp950", "CP950"},
    {"shiftjis", "CP932"},
    {"sjis", "CP932"},
    {"cp932", "CP932"},
    {"windows31j", "CP932"},
    {"eucjp", "EUC-JP"},
    {"euckr", "CP949"},
    {"cp949", "CP949"},
    {"uhc", "CP949"},
    {"ksc5601", "CP949"},
    {"koi8r", "KOI8-R"},
    {"koi8u", "KOI8-U"},
    {"iso88592", "ISO-8859-2"},
    {"iso88595", "ISO-8859-5"},
    {"iso88597", "ISO-8859-7"},
    {"iso88599", "ISO-8859-9"},
    {"iso885915", "ISO-8859-15"},
    {"windows1250", "CP1250"},
    {"cp1250", "CP1250"},
    {"windows1251", "CP1251"},
    {"cp1251", "CP1251"},
    {"windows1253", "CP1253"},
    {"windows1254", "CP1254"},
    {"windows1257", "CP1257"},
};

/* The characters 0x80 to 0x9F of Windows-1252. Windows-1252 does not define five of them. They are
 * read as the control characters of ISO 8859-1. */
static const uint16_t WINDOWS_1252[32] = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

/* Returns the length in bytes of the UTF-8 character at `at`, or 0 if no well-formed character
 * begins there (Unicode 15, table 3-7). */
static size_t utf8_length(const unsigned char *at, size_t left) {
    unsigned char lead = at[0];
    if (lead < 0x80) return 1;
    size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || left < length) return 0;
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xC0) != 0x80) return 0;
    }
    bool overlong = (lead == 0xE0 && at[1] < 0xA0) || (lead == 0xF0 && at[1] < 0x90);
    bool out_of_range = (lead == 0xED && at[1] > 0x9F) || (lead == 0xF4 && at[1] > 0x8F);
    return overlong || out_of_range ? 0 : length;
}

static void add_windows_1252(unsigned char byte, StrBuf *out) {
    unsigned code = byte >= 0x80 && byte < 0xA0 ? WINDOWS_1252[byte - 0x80] : byte;
    char text[3] = {(char)(0xE0 | code >> 12), (char)(0x80 | (code >> 6 & 0x3F)),
                    (char)(0x80 | (code & 0x3F))};
    if (code >= 0x800) {
        strbuf_add_bytes(out, text, 3);
        return;
    }
    text[1] = (char)(0xC0 | code >> 6);
    strbuf_add_bytes(out, text + 1, 2);
}

/* Copies ASCII characters and, if `keep_utf8` is true, well-formed UTF-8 characters. All other
 * bytes are read as Windows-1252, and NUL becomes a space. A run of characters that stay the same
 * is copied in one step. */
static void decode_bytes(const char *bytes, size_t count, bool keep_utf8, StrBuf *out) {
    size_t run = 0, at = 0; /* the run begins at `run` */
    while (at < count) {
        const unsigned char *here = (const unsigned char *)bytes + at;
        size_t length = *here && *here < 0x80 ? 1
                        : keep_utf8 && *here  ? utf8_length(here, count - at)
                                              : 0;
        if (length) {
            at += length;
            continue;
        }
        strbuf_add_bytes(out, bytes + run, at - run);
        if (*here)
            add_windows_1252(*here, out);
        else
            strbuf_add_bytes(out, " ", 1);
        run = ++at;
    }
    strbuf_add_bytes(out, bytes + run, count - run);
}

static bool is_all_utf8(const char *bytes, size_t count) {
    size_t at = 0;
    while (at < count) {
        uint64_t eight;
        if (count - at >= sizeof eight) { /* a fast path for ASCII, which most text is */
            memcpy(&eight, bytes + at, sizeof eight);
            if (!(eight & 0x8080808080808080)) {
                at += sizeof eight;
                continue;
            }
        }
        size_t length = utf8_length((const unsigned char *)bytes + at, count - at);
        if (!length) return false;
        at += length;
    }
    return true;
}

/* Decodes by iconv. Returns false, and adds nothing, if iconv on this machine does not know the
 * charset. */
static bool decode_by_iconv(const char *name, const char *bytes, size_t count, StrBuf *out) {
    iconv_t handle = iconv_open("UTF-8", name);
    if (handle == (iconv_t)-1) return false;
    char *from, piece[4096];
    memcpy(&from, &bytes, sizeof from); /* iconv() takes char **, but does not change the text */
    size_t left = count;
    while (left) {
        char *to = piece;
        size_t room = sizeof piece;
        size_t result = iconv(handle, &from, &left, &to, &room);
        bool stuck = result == (size_t)-1 && room >= 16; /* with less room, `piece` may be full */
        for (char *c = piece; c < to; c++) {
            if (!*c) *c = ' ';
        }
        strbuf_add_bytes(out, piece, sizeof piece - room);
        if (!stuck) continue;
        strbuf_add(out, REPLACEMENT); /* no complete character begins at this byte */
        from++;
        left--;
    }
    /* iconv may hold back the last character, because the next one could combine with it. Get
     * it. */
    char *to = piece;
    size_t room = sizeof piece;
    iconv(handle, NULL, NULL, &to, &room);
    strbuf_add_bytes(out, piece, sizeof piece - room);
    iconv_close(handle);
    return true;
}

/* Sets `name` to the letters and digits up to the next ']', in lower case. */
static void read_name(const char *bytes, size_t count, char name[NAME_MAX_LENGTH + 1]) {
    size_t length = 0;
    for (size_t i = 0; i < count && bytes[i] != ']' && length < NAME_MAX_LENGTH; i++) {
        if (isalnum((unsigned char)bytes[i]))
            name[length++] = (char)tolower((unsigned char)bytes[i]);
    }
    name[length] = 0;
}

/* Finds the first CA property, and sets `name` to the letters and digits of its value, in lower
 * case. Returns false if there is no such property. */
static bool find_charset(const char *bytes, size_t count, char name[NAME_MAX_LENGTH + 1]) {
    bool in_value = false;
    char letters[2] = {0}; /* the last two capitals of the name that is being read */
    for (size_t i = 0; i < count; i++) {
        char c = bytes[i];
        if (in_value) {
            if (c == '\\') i++;
            if (c != ']') continue;
            in_value = false;
            letters[0] = letters[1] = 0;
        } else if (c == '[') {
            in_value = true;
            if (letters[0] != 'C' || letters[1] != 'A') continue;
            read_name(bytes + i + 1, count - i - 1, name);
            return true;
        } else if (isupper((unsigned char)c)) {
            letters[0] = letters[1];
            letters[1] = c;
        } else if (!islower((unsigned char)c) && !isspace((unsigned char)c)) {
            letters[0] = letters[1] = 0;
        }
    }
    return false;
}

/* Finds the text "CA[" anywhere. find_charset() may miss a CA property that follows a text in
 * Chinese or Japanese, because the last byte of such a text may look like a backslash. */
static bool find_charset_anywhere(const char *bytes, size_t count, char name[NAME_MAX_LENGTH + 1]) {
    for (size_t i = 0; i + 3 < count; i++) {
        if (memcmp(bytes + i, "CA[", 3) != 0 || (i && isupper((unsigned char)bytes[i - 1])))
            continue;
        read_name(bytes + i + 3, count - i - 3, name);
        return true;
    }
    return false;
}

static bool decode_named(const char *name, const char *bytes, size_t count, StrBuf *out) {
    if (strcmp(name, "iso88591") == 0 || strcmp(name, "latin1") == 0 ||
        strcmp(name, "windows1252") == 0 || strcmp(name, "cp1252") == 0) {
        decode_bytes(bytes, count, false, out);
        return true;
    }
    for (size_t i = 0; i < sizeof CHARSETS / sizeof *CHARSETS; i++) {
        if (strcmp(CHARSETS[i].name, name) != 0 || !CHARSETS[i].iconv_name) continue;
        return decode_by_iconv(CHARSETS[i].iconv_name, bytes, count, out);
    }
    return false;
}

/* Converts the text and appends it to `out`. If `may_keep` is true and the bytes would stay the
 * same, only sets `*kept` to true. */
static Status decode(const char *bytes, size_t count, bool may_keep, bool *kept, StrBuf *out,
                     Error *err) {
    char name[NAME_MAX_LENGTH + 1];
    bool little = count >= 2 && memcmp(bytes, "\xFF\xFE", 2) == 0,
         big = count >= 2 && memcmp(bytes, "\xFE\xFF", 2) == 0;
    *kept = false;
    if (little || big) {
        if (!decode_by_iconv(little ? "UTF-16LE" : "UTF-16BE", bytes + 2, count - 2, out))
            decode_bytes(bytes, count, false, out);
        return strbuf_status(out, err);
    }
    if (count >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
        decode_bytes(bytes + 3, count - 3, true, out);
        return strbuf_status(out, err);
    }
    bool named = find_charset(bytes, count, name), valid = is_all_utf8(bytes, count);
    if (!named && !valid) named = find_charset_anywhere(bytes, count, name);
    if (named && decode_named(name, bytes, count, out)) return strbuf_status(out, err);
    bool claims_utf8 = named && strcmp(name, "utf8") == 0;
    *kept = may_keep && valid && (!count || !memchr(bytes, 0, count));
    if (!*kept) decode_bytes(bytes, count, claims_utf8 || valid, out);
    return strbuf_status(out, err);
}

Status sgf_charset_decode(const char *bytes, size_t count, StrBuf *out, Error *err) {
    bool kept;
    return decode(bytes, count, false, &kept, out, err);
}

Status sgf_charset_text(const char *bytes, size_t count, StrBuf *converted, const char **text,
                        size_t *length, Error *err) {
    bool kept;
    Status status = decode(bytes, count, true, &kept, converted, err);
    *text = kept ? bytes : strbuf_text(converted);
    *length = kept ? count : converted->length;
    return status;
}
