/* gtp_talk.h - a GTP engine without a net, to which tests send lines, and macros that check its
 * answers. */
#pragma once
#include "protocol/gtp/gtp.h"
#include "search/tree/search_presets.h"
#include "test.h"

typedef struct {
    Gtp *gtp;
    StrBuf answer;
    bool quit;
} Talk;

static inline Status talk_evaluator(void *context, const EvaluatorSpec *spec, Evaluator **out,
                                    Error *err) {
    (void)context, (void)spec;
    return evaluator_uniform_new(4, out, err);
}

static inline SessionSetup talk_setup(int size, Status (*make)(void *, const EvaluatorSpec *,
                                                               Evaluator **, Error *)) {
    SessionSetup setup = {.make_evaluator = make,
                          .visits = 12,
                          .seed = 5,
                          .width = size,
                          .height = size,
                          .rules = rules_tromp_taylor()};
    search_preset_begin(SEARCH_PRESET_PEOPLE, &setup.search);
    settings_defaults(GTP_FIELDS, &setup.gtp);
    settings_defaults(TIME_FIELDS, &setup.time);
    settings_defaults(RESIGN_FIELDS, &setup.resign);
    return setup;
}

static inline Talk talk_begin_as(const SessionSetup *setup) {
    Talk talk = {0};
    EXPECT_OK(gtp_new(setup, "9.8", &talk.gtp, err));
    return talk;
}

static inline Talk talk_begin_with(int size, Status (*make)(void *, const EvaluatorSpec *,
                                                            Evaluator **, Error *)) {
    const SessionSetup setup = talk_setup(size, make);
    return talk_begin_as(&setup);
}

static inline Talk talk_begin(int size) {
    return talk_begin_with(size, talk_evaluator);
}

static void talk_end(Talk *talk) {
    gtp_free(talk->gtp);
    strbuf_clear(&talk->answer);
}

/* Returns the whole answer, line ends included. It is valid until the next line is sent. */
static const char *talk_raw(Talk *talk, const char *line) {
    strbuf_reset(&talk->answer);
    gtp_line(talk->gtp, line, &talk->answer, &talk->quit);
    return strbuf_text(&talk->answer);
}

/* Returns the answer without the two line ends with which it must end. */
static const char *talk_ask(Talk *talk, const char *line) {
    const char *text = talk_raw(talk, line);
    size_t length = talk->answer.length;
    if (length < 3 || (text[0] != '=' && text[0] != '?') || strcmp(text + length - 2, "\n\n") != 0)
        fail_msg("%s: \"%s\" is no answer of GTP", line, text);
    if (strstr(text, "\n\n") != text + length - 2)
        fail_msg("%s: the answer has an empty line inside: \"%s\"", line, text);
    talk->answer.text[talk->answer.length -= 2] = 0;
    return talk->answer.text;
}

#define SAYS(line, want)                                                                           \
    do {                                                                                           \
        const char *talk_got = talk_ask(&talk, line);                                              \
        if (strcmp(talk_got, want) != 0)                                                           \
            fail_msg("%s: \"%s\", wanted \"%s\"", line, talk_got, want);                           \
    } while (0)
#define REFUSES(line)                                                                              \
    do {                                                                                           \
        const char *talk_got = talk_ask(&talk, line);                                              \
        if (talk_got[0] != '?' || strlen(talk_got) < 4 || strchr(talk_got, '\n'))                  \
            fail_msg("%s: \"%s\", wanted a refusal in one line", line, talk_got);                  \
    } while (0)
#define ACCEPTS(line)                                                                              \
    do {                                                                                           \
        const char *talk_got = talk_ask(&talk, line);                                              \
        if (talk_got[0] != '=') fail_msg("%s: \"%s\", wanted \"=\"", line, talk_got);              \
    } while (0)
