/* fuzz_page.c - plays the part of a client of `aji serve`: of the page, which sends any messages,
 * and of a client of a stream of events. Each answer to the page must be a JSON object in one line.
 * The lines of the input are of three kinds:
 *   - A line that begins with "(" is the file of a game, which is opened. If the file can be read,
 *     the game must not change when it is written and read again.
 *   - The rest of a line that begins with "#" is the id of the last event that a client of a stream
 *     knows. If it can be read, it must not change when it is written and read again, and a stream
 *     of a run can begin with it.
 *   - Every other line is a message of the page. In such a line, @ stands for the name of a game:
 *     the last name that the server sent. */
#include "fuzz.h"

#include "base/strbuf.h"
#include "eval/evaluators/evaluator.h"
#include "search/tree/search_presets.h"
#include "serve/page/page_socket.h"
#include "serve/run_events.h"

static const char OPENED[] = "00112233445566778899aabbccddeeff";

typedef struct {
    char game[GAME_NAME_LENGTH + 1];
    PageSocket *socket;
    Games *games;
} Page;

static Status make_evaluator(void *context, const EvaluatorSpec *spec, Evaluator **out,
                             Error *err) {
    (void)context, (void)spec;
    return evaluator_uniform_new(1, out, err);
}

static Status open_net(void *context, const char *file, EngineParts *out, Error *err) {
    AnalysisSetup setup = {.make_evaluator = make_evaluator,
                           .version = "1",
                           .revision = "1",
                           .threads = 1,
                           .positions_at_once = 2};
    (void)context, (void)file;
    *out = (EngineParts){0};
    settings_defaults(ANALYSIS_FIELDS, &setup.analysis);
    search_preset_begin(SEARCH_PRESET_ANALYSIS, &setup.search);
    move_limits_set(&setup.analysis.limits, 3, 0);
    return analysis_new(&setup, &out->analysis, err);
}

static void close_net(void *context, EngineParts *parts) {
    (void)context;
    analysis_free(parts->analysis);
}

static void wake(void *context) {
    (void)context;
}

static bool hear(void *connection, const char *text, size_t length) {
    Page *page = connection;
    json_t *message = json_loadb(text, length, 0, NULL);
    CHECK(json_is_object(message) && !memchr(text, '\n', length));
    /* No lock is needed: only this thread sends the page messages that name a game. The workers of
     * the engine send answers without such a name. */
    const char *game = json_string_value(json_object_get(message, "game"));
    if (game) snprintf(page->game, sizeof page->game, "%s", game);
    json_decref(message);
    return true;
}

static size_t unsent(const void *connection) {
    (void)connection;
    return 0;
}

static json_t *describe(const void *server) {
    (void)server;
    return json_object();
}

/* Sends a message with the name of the game in place of @. */
static void say(Page *page, const char *line) {
    StrBuf text = {0};
    for (; *line; line++) {
        if (*line == '@')
            strbuf_add(&text, page->game);
        else
            strbuf_add_bytes(&text, line, 1);
    }
    (void)page_socket_line(page->socket, strbuf_text(&text));
    strbuf_clear(&text);
    games_tend(page->games);
}

/* If the text can be read as a game, checks that the game survives writing and reading. */
static void check_file(const char *text) {
    Game *game, *again;
    StrBuf written = {0};
    if (game_read(text, strlen(text), &game, NULL)) return;
    CHECK(!game_write(game, &written, NULL));
    CHECK(!game_read(written.text, written.length, &again, NULL));
    json_t *one = game_state(game, NULL), *two = game_state(again, NULL);
    CHECK(one && json_equal(one, two));
    json_decref(one);
    json_decref(two);
    game_free(game);
    game_free(again);
    strbuf_clear(&written);
}

/* The folder of the input stands for a run that has just begun. */
static void check_id(const char *text) {
    EventCursor cursor, again;
    RunEvents *events;
    StrBuf out = {0};
    Path folder = fuzz_path("x");
    if (!event_cursor_parse(text, &cursor)) return;
    EventCursorText written = event_cursor_text(&cursor);
    CHECK(event_cursor_parse(written.text, &again));
    CHECK(strcmp(written.text, event_cursor_text(&again).text) == 0);
    *strrchr(folder.text, '/') = 0;
    CHECK(!run_events_new(folder.text, &cursor, &events, NULL));
    CHECK(run_events_read(events, &out) == RUN_EVENTS_TOLD);
    CHECK(strncmp(strbuf_text(&out), "event: state\nid: ", 17) == 0);
    strbuf_clear(&out);
    run_events_free(events);
}

static void handle(Page *page, const char *line) {
    char name[64];
    if (*line == '#') {
        check_id(line + 1);
        return;
    }
    if (*line != '(') {
        say(page, line);
        return;
    }
    check_file(line);
    snprintf(name, sizeof name, "%s.sgf", OPENED);
    fuzz_write(fuzz_path(name).text, line, strlen(line));
    snprintf(page->game, sizeof page->game, "%s", OPENED);
    say(page, "{\"op\":\"game.open\",\"id\":\"o\",\"game\":\"@\"}");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static const ServedNet NETS[] = {{.id = "a", .title = "A", .file = {"a"}},
                                     {.id = "b", .title = "B", .file = {"b"}}};
    SearchSettings search;
    ResignSettings resign;
    Jobs *jobs;
    Engines *engines;
    Page page = {.game = ""};
    RunWatch watch = {.watchers = NULL};
    RateLimit new_games = {.per_second = 1, .burst = 100};
    char *text = fuzz_text(bytes, count), *rest = NULL;
    Path file = fuzz_path("x");
    *strrchr(file.text, '/') = 0;
    settings_defaults(RESIGN_FIELDS, &resign);
    search_preset_begin(SEARCH_PRESET_ANALYSIS, &search);
    CHECK(!jobs_new(&(JobsSetup){wake, NULL}, &jobs, NULL));
    CHECK(!engines_new(&(EnginesSetup){.nets = NETS,
                                       .net_count = 2,
                                       .loaded_max = 1,
                                       .source = {open_net, close_net, NULL},
                                       .jobs = jobs},
                       &engines, NULL));
    CHECK(!engine_load(engines_find(engines, NULL), NULL));
    CHECK(!games_new(&(GamesSetup){.engines = engines,
                                   .search = &search,
                                   .resign = &resign,
                                   .folder = file.text,
                                   .wake = wake},
                     &page.games, NULL));
    CHECK(!page_socket_open(&(PageSetup){.engines = engines,
                                         .games = page.games,
                                         .jobs = jobs,
                                         .watch = &watch,
                                         .new_games = &new_games,
                                         .visits_max = 1000,
                                         .describe = describe,
                                         .send = hear,
                                         .unsent = unsent,
                                         .connection = &page},
                            &page.socket, NULL));
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        handle(&page, line);
        jobs_tend(jobs);
    }
    jobs_free(jobs);
    page_socket_close(page.socket);
    games_free(page.games);
    engines_free(engines);
    free(text);
    return 0;
}
