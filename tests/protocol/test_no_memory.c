/* What engines do when memory runs out. The tests replace allocation functions of the C library;
 * where that is impossible, nothing is tested. */
#include <stdlib.h>

#include "analysis_talk.h"
#include "protocol/gtp/gtp.h"

#if defined __GLIBC__ && !SANITIZED
#define REPLACED true
/* On this thread, allocations of at least `failing` bytes fail; with 0 none does. */
static _Thread_local size_t failing;
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

void *calloc(size_t count, size_t size) {
    return failing && count * size >= failing ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    return failing && size >= failing ? NULL : __libc_realloc(memory, size);
}
#else
#define REPLACED false
static size_t failing;
#endif

static bool count_answer(void *context, const char *line, size_t length) {
    (void)line, (void)length;
    atomic_fetch_add((atomic_int *)context, 1);
    return true;
}

/* If a client leaves, its waiting positions can be dropped even if there is no memory. */
TEST(a_client_that_leaves_is_forgotten) {
    if (!REPLACED) return;
    Talk talk;
    atomic_int heard = 0;
    AnalysisClient other = {.write = count_answer, .context = &heard};
    talk_begin(&talk, 1, 1);
    atomic_store(&talk.net.gate, true);
    talk_say(&talk, "{\"id\":\"block\",\"boardXSize\":4,\"boardYSize\":4,\"rules\":\"chinese\","
                    "\"komi\":99,\"moves\":[]}");
    while (!atomic_load(&talk.net.waiting))
        clock_sleep_ms(1);
    for (int i = 0; i < 5; i++)
        analysis_line(talk.analysis, &other, query_with(""));
    failing = 1;
    analysis_leave(talk.analysis, &other);
    failing = 0;
    atomic_store(&talk.net.gate, false);
    talk_wait(&talk);
    EXPECT_INT(0, atomic_load(&heard));
    EXPECT_INT(0, other.pending);
    talk_end(&talk);
}

static Status make_uniform(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err) {
    (void)context, (void)spec;
    return evaluator_uniform_new(1, out, err);
}

/* A command is never left without an answer, and an answer is never cut short. */
TEST(gtp_answers_with_an_error) {
    if (!REPLACED) return;
    Gtp *gtp;
    StrBuf out = {0};
    bool quit;
    SessionSetup setup = {.make_evaluator = make_uniform,
                          .visits = 1,
                          .width = 5,
                          .height = 5,
                          .rules = rules_tromp_taylor()};
    search_preset_begin(SEARCH_PRESET_PEOPLE, &setup.search);
    settings_defaults(GTP_FIELDS, &setup.gtp);
    EXPECT_OK(gtp_new(&setup, "9.8", &gtp, err));
    gtp_line(gtp, "list_commands", &out, &quit); /* allocates room in `out` */
    strbuf_reset(&out);
    failing = 200;
    gtp_line(gtp, "7 list_commands", &out, &quit);
    failing = 0;
    EXPECT_TRUE(strncmp(strbuf_text(&out), "?7 there is no memory", 21) == 0);
    strbuf_reset(&out);
    char line[300];
    memset(line, ' ', sizeof line);
    memcpy(line + sizeof line - 5, "name", 5);
    failing = 200;
    gtp_line(gtp, line, &out, &quit);
    failing = 0;
    EXPECT_TEXT("= Aji\n\n", strbuf_text(&out));
    strbuf_clear(&out);
    gtp_free(gtp);
}

TEST_MAIN(RUN(a_client_that_leaves_is_forgotten), RUN(gtp_answers_with_an_error))
