/* The table of nets and their engines: loading at first use, making room, faults. */
#include "serve/uniform_games.h"

typedef struct {
    EngineClient client;
    atomic_int answers;
} Asker;

static bool take(void *context, const char *line, size_t length) {
    (void)line, (void)length;
    atomic_fetch_add(&((Asker *)context)->answers, 1);
    return true;
}

static void asker_init(Asker *asker) {
    *asker = (Asker){.answers = 0};
    asker->client.client = (AnalysisClient){.write = take, .context = asker};
}

static const char QUERY[] = "{\"id\":\"q\",\"moves\":[],\"rules\":\"chinese\",\"boardXSize\":5,"
                            "\"boardYSize\":5}",
                  ENDLESS[] = "{\"id\":\"e\",\"moves\":[],\"rules\":\"chinese\",\"boardXSize\":5,"
                              "\"boardYSize\":5,\"maxVisits\":100000000}";

/* Passes the line to the net's engine again and again, until the engine takes or refuses it. */
static LineAnswer ask(UniformGames *all, const char *net, Asker *asker, const char *line,
                      Fault *fault) {
    Engine *engine = engines_find(all->engines, net);
    LineAnswer answer = LINE_WAITS;
    for (int i = 0; i < 20000 && answer == LINE_WAITS; i++) {
        answer = engine_line(engine, &asker->client, line, fault);
        if (answer == LINE_WAITS) clock_sleep_ms(1);
        jobs_tend(all->jobs);
    }
    return answer;
}

static void wait_for_answers(Asker *asker, int count) {
    for (int i = 0; i < 20000 && atomic_load(&asker->answers) < count; i++)
        clock_sleep_ms(1);
    EXPECT_INT(count, atomic_load(&asker->answers));
}

/* Whether the net is said to be in memory. */
static bool is_loaded(const UniformGames *all, const char *id) {
    json_t *list = engines_list(all->engines), *net;
    size_t index;
    bool loaded = false;
    json_array_foreach(list, index, net) {
        if (strcmp(json_string_value(json_object_get(net, "id")), id) == 0)
            loaded = json_is_true(json_object_get(net, "loaded"));
    }
    json_decref(list);
    return loaded;
}

TEST(nets_are_loaded_at_first_use_and_the_oldest_makes_room) {
    UniformGames all;
    Fault fault = {0};
    Asker first, second, third;
    asker_init(&first);
    asker_init(&second);
    asker_init(&third);
    games_setup(&all, "engines");
    EXPECT_INT(1, engines_loaded(all.engines));
    EXPECT_INT(LINE_WAITS,
               engine_line(engines_find(all.engines, "second"), &second.client, QUERY, &fault));
    EXPECT_INT(LINE_TAKEN, ask(&all, "second", &second, QUERY, &fault));
    EXPECT_INT(LINE_TAKEN, ask(&all, NULL, &first, QUERY, &fault));
    wait_for_answers(&second, 1);
    wait_for_answers(&first, 1);
    EXPECT_TRUE(is_loaded(&all, "first") && is_loaded(&all, "second"));
    EXPECT_INT(LINE_TAKEN, ask(&all, "third", &third, QUERY, &fault));
    wait_for_answers(&third, 1);
    EXPECT_TRUE(is_loaded(&all, "first") && !is_loaded(&all, "second"));
    /* A client whose engine was unloaded can go on. */
    EXPECT_INT(LINE_TAKEN, ask(&all, "second", &second, QUERY, &fault));
    wait_for_answers(&second, 2);
    EXPECT_TRUE(!is_loaded(&all, "first"));
    engine_leave(&first.client);
    engine_leave(&second.client);
    engine_leave(&third.client);
    games_teardown(&all);
}

TEST(a_net_with_a_search_stays) {
    UniformGames all;
    Fault fault = {0};
    Asker first, second, third;
    asker_init(&first);
    asker_init(&second);
    asker_init(&third);
    games_setup(&all, "busy");
    EXPECT_INT(LINE_TAKEN, ask(&all, "first", &first, ENDLESS, &fault));
    EXPECT_INT(LINE_TAKEN, ask(&all, "second", &second, ENDLESS, &fault));
    EXPECT_INT(LINE_REFUSED, ask(&all, "third", &third, QUERY, &fault));
    EXPECT_TEXT("nets_busy", fault.code);
    engine_stop(&first.client, "{\"id\":\"t\",\"action\":\"terminate\",\"terminateId\":\"e\"}");
    wait_for_answers(&first, 1);
    EXPECT_INT(LINE_TAKEN, ask(&all, "third", &third, QUERY, &fault));
    wait_for_answers(&third, 1);
    EXPECT_TRUE(!is_loaded(&all, "first") && is_loaded(&all, "second"));
    engine_leave(&second.client);
    engine_leave(&third.client);
    engine_leave(&first.client);
    games_teardown(&all);
}

TEST(a_net_that_cannot_be_loaded_refuses_its_lines) {
    UniformGames all;
    Fault fault = {0};
    Error fallen = {0};
    Asker asker;
    asker_init(&asker);
    games_setup(&all, "bad");
    EXPECT_INT(LINE_REFUSED, ask(&all, "bad", &asker, QUERY, &fault));
    EXPECT_TEXT("bad_net", fault.code);
    EXPECT_CONTAINS(fault.message, "bad.aji is no net");
    EXPECT_STATUS(ERR_SYNTAX, engine_load(engines_find(all.engines, "bad"), &fallen));
    EXPECT_TRUE(engines_find(all.engines, "unknown") == NULL);
    EXPECT_TEXT("First", engine_net(engines_find(all.engines, NULL))->title);
    games_teardown(&all);
}

static bool find_more(void *context, const char *id, ServedNet *out) {
    (void)context;
    *out = (ServedNet){.id = "run.7", .title = "Run 7", .file = {"uniform"}};
    return strcmp(id, "run.7") == 0;
}

TEST(nets_that_are_not_in_the_list_are_found_by_the_caller) {
    Engines *engines;
    EXPECT_OK(engines_new(&(EnginesSetup){.nets = UNIFORM_NETS,
                                          .net_count = 1,
                                          .loaded_max = 1,
                                          .source = {uniform_open, uniform_close, NULL},
                                          .find = find_more},
                          &engines, err));
    Engine *engine = engines_find(engines, "run.7");
    EXPECT_TRUE(engine && engine == engines_find(engines, "run.7"));
    EXPECT_TRUE(engines_find(engines, "run.8") == NULL);
    json_t *list = engines_list(engines);
    EXPECT_INT(1, json_array_size(list));
    json_decref(list);
    engines_free(engines);
    engines_free(NULL);
}

static bool find_file_of_run(void *context, const char *id, ServedNet *out) {
    const TestPath *path = context;
    *out = (ServedNet){.id = "run.7", .title = "Run 7"};
    snprintf(out->file.text, sizeof out->file.text, "%s", path->text);
    return strcmp(id, "run.7") == 0 && file_exists(path->text);
}

TEST(a_net_of_a_run_that_was_made_anew_is_loaded_again) {
    TestPath path = test_path("run-7.aji");
    Engines *engines;
    EXPECT_OK(file_write(path.text, "one", 3, err));
    EXPECT_OK(engines_new(&(EnginesSetup){.nets = UNIFORM_NETS,
                                          .net_count = 1,
                                          .loaded_max = 2,
                                          .source = {uniform_open, uniform_close, NULL},
                                          .find = find_file_of_run,
                                          .context = &path},
                          &engines, err));
    Engine *engine = engines_find(engines, "run.7");
    EXPECT_OK(engine_load(engine, err));
    EXPECT_TRUE(engine == engines_find(engines, "run.7"));
    EXPECT_INT(1, engines_loaded(engines));
    EXPECT_OK(file_write(path.text, "another", 7, err)); /* the same path */
    EXPECT_TRUE(engine == engines_find(engines, "run.7"));
    EXPECT_INT(0, engines_loaded(engines));
    EXPECT_OK(engine_load(engine, err));
    EXPECT_OK(file_remove(path.text, err));
    EXPECT_TRUE(engine == engines_find(engines, "run.7")); /* it is still in memory */
    path = test_path("run-7-anew.aji");
    EXPECT_OK(file_write(path.text, "one", 3, err));
    EXPECT_TRUE(engine == engines_find(engines, "run.7"));
    EXPECT_INT(0, engines_loaded(engines));
    EXPECT_TEXT(path.text, engine_net(engine)->file.text);
    EXPECT_OK(file_remove(path.text, err));
    EXPECT_TRUE(engines_find(engines, "run.7") == NULL);
    engines_free(engines);
}

TEST_MAIN(RUN(nets_are_loaded_at_first_use_and_the_oldest_makes_room),
          RUN(a_net_with_a_search_stays), RUN(a_net_that_cannot_be_loaded_refuses_its_lines),
          RUN(nets_that_are_not_in_the_list_are_found_by_the_caller),
          RUN(a_net_of_a_run_that_was_made_anew_is_loaded_again))
