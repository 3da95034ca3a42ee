/* fuzz_gtp.c - reads any lines as GTP commands. Each line must get one well-formed answer or
 * none. */
#include "fuzz.h"

#include "protocol/gtp/gtp.h"
#include "search/tree/search_presets.h"

static Status make_evaluator(void *context, const EvaluatorSpec *spec, Evaluator **out,
                             Error *err) {
    (void)context, (void)spec;
    return evaluator_uniform_new(1, out, err);
}

/* Returns false for commands that read or write files of the machine, print on stderr, or make
 * searches long. Before it compares names, it drops all characters that are not printable ASCII.
 * The reason is that gtp_line() drops most of these characters: "prin\001tsgf FILE" would write
 * a file. */
static bool is_harmless(const char *line) {
    static const char *const WORDS[] = {"sgf", "max", "benchmark", "debug", "set-params"};
    char *text = fuzz_text((const uint8_t *)line, strlen(line)), *to = text;
    bool harmless = true;
    for (const char *from = line; *from; from++) {
        if (*from >= 32 && *from < 127) *to++ = *from;
    }
    *to = 0;
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        harmless &= !strstr(text, WORDS[i]);
    free(text);
    return harmless;
}

static void check_answer(const char *answer) {
    size_t length = strlen(answer);
    if (!length || strcmp(answer, "? empty command\n") == 0 || strncmp(answer, "? GTP id ", 9) == 0)
        return;
    CHECK(length >= 3 && (*answer == '=' || *answer == '?'));
    CHECK(strstr(answer, "\n\n") == answer + length - 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    SessionSetup setup = {.make_evaluator = make_evaluator,
                          .visits = 3,
                          .width = 5,
                          .height = 5,
                          .rules = rules_tromp_taylor()};
    Gtp *gtp;
    StrBuf answer = {0};
    bool quit = false;
    char *text = fuzz_text(bytes, count), *rest = NULL;
    search_preset_begin(SEARCH_PRESET_PLAY, &setup.search);
    settings_defaults(GTP_FIELDS, &setup.gtp);
    CHECK(!gtp_new(&setup, "1", &gtp, NULL));
    for (char *line = strtok_r(text, "\n", &rest); line && !quit;
         line = strtok_r(NULL, "\n", &rest)) {
        if (!is_harmless(line)) continue;
        strbuf_reset(&answer);
        gtp_line(gtp, line, &answer, &quit);
        check_answer(strbuf_text(&answer));
    }
    strbuf_clear(&answer);
    gtp_free(gtp);
    free(text);
    return 0;
}
