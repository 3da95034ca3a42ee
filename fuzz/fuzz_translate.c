/* fuzz_translate.c - reads any text as a file for `aji settings --from`, which translates the
 * settings of another program. The first byte chooses this program. Each line of the translation must
 * have the form of a line of a settings file. If the file is refused, there must be a message. */
#include "fuzz.h"

#include "cli/settings/translate.h"

/* Each line is empty, a comment, or "name = value # comment". */
static void check_lines(const char *text) {
    for (; *text; text += strcspn(text, "\n") + 1) {
        size_t length = strcspn(text, "\n");
        CHECK(text[length] == '\n');
        CHECK(!length || *text == '#' || memchr(text, '=', length) != NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static const char *const PROGRAMS[] = {"lczero", "gonn", "p3achygo", ""};
    StrBuf out = {0};
    Error fault = {0};
    if (!count) return 0;
    Path path = fuzz_path("settings.txt");
    fuzz_write(path.text, bytes + 1, count - 1);
    Status status = translate_file(path.text, PROGRAMS[bytes[0] % 4], &out, &fault);
    CHECK(!status || *fault.message);
    if (!status) check_lines(strbuf_text(&out));
    strbuf_clear(&out);
    return 0;
}
