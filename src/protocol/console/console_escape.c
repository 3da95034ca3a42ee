/* Text that a terminal would obey instead of showing it. */
#include "protocol/console/console_private.h"

/* The number of bytes of the character in UTF-8 at `text`. It is 0 if the character cannot be
 * printed, because it is a control character or not UTF-8. */
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

bool console_is_printable(const char *text) {
    while (*text) {
        int length = *text == '\t' ? 1 : printable_bytes(text);
        if (!length) return false;
        text += length;
    }
    return true;
}
