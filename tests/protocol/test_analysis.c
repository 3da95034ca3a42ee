/* The engine behind the JSON protocol: the order of answers, terminations, many queries and
 * clients, bad input, the end of input. */
#include <unistd.h>

#include "analysis_talk.h"
#include "base/rng.h"

/* Keeps the only thread of `talk` busy until unblock(). */
static void block(Talk *talk) {
    atomic_store(&talk->net.gate, true);
    talk_say(talk, "{\"id\":\"block\",\"boardXSize\":4,\"boardYSize\":4,\"rules\":\"chinese\","
                   "\"komi\":99,\"moves\":[]}");
    while (!atomic_load(&talk->net.waiting))
        clock_sleep_ms(1);
}

static void unblock(Talk *talk) {
    atomic_store(&talk->net.gate, false);
}

/* Returns the ids of the answers in their order, separated by blanks. An id is followed by the turn
 * of the answer, unless that is 0. */
static const char *order_of(Talk *talk) {
    static char order[4096];
    size_t index;
    const json_t *answer;
    *order = 0;
    json_array_foreach(talk->answers, index, answer) {
        size_t at = strlen(order);
        const json_t *turn = json_object_get(answer, "turnNumber");
        snprintf(order + at, sizeof order - at, "%s%s", at ? " " : "", text_of(answer, "id"));
        at = strlen(order);
        if (json_integer_value(turn))
            snprintf(order + at, sizeof order - at, "%lld", (long long)json_integer_value(turn));
    }
    return order;
}

static void say_query(Talk *talk, const char *id, const char *members) {
    char line[2048];
    snprintf(line, sizeof line,
             "{\"id\":\"%s\",\"boardXSize\":5,\"boardYSize\":5,\"rules\":\"chinese\",\"moves\":"
             "[[\"B\",\"C3\"],[\"W\",\"C2\"]]%s%s}",
             id, *members ? "," : "", members);
    talk_say(talk, line);
}

TEST(higher_priorities_come_first) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    block(&talk);
    say_query(&talk, "a", "\"analyzeTurns\":[0],\"priority\":-3");
    say_query(&talk, "b", "\"analyzeTurns\":[0]");
    say_query(&talk, "c", "\"analyzeTurns\":[0],\"priority\":7");
    say_query(&talk, "d", "\"analyzeTurns\":[0]");
    say_query(&talk, "e", "\"analyzeTurns\":[1,2,0],\"priorities\":[8,6,-4]");
    unblock(&talk);
    talk_wait(&talk);
    EXPECT_TEXT("block e1 c e2 b d a e", order_of(&talk));
    talk_end(&talk);
}

TEST(waiting_turns_are_terminated_at_once) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    block(&talk);
    say_query(&talk, "a", "\"analyzeTurns\":[0,1,2]");
    say_query(&talk, "b", "\"analyzeTurns\":[0]");
    talk_say(&talk, "{\"id\":\"t\",\"action\":\"terminate\",\"terminateId\":\"a\",\"turnNumbers\":"
                    "[2,1,7]}");
    EXPECT_TEXT("a1 a2 t", order_of(&talk)); /* before the answer to the action */
    const json_t *answer = json_array_get(talk.answers, 0);
    EXPECT_TRUE(json_is_true(json_object_get(answer, "noResults")));
    EXPECT_TRUE(json_is_false(json_object_get(answer, "isDuringSearch")));
    EXPECT_INT(4, json_object_size(answer));
    answer = json_array_get(talk.answers, 2);
    EXPECT_TEXT("terminate", text_of(answer, "action"));
    EXPECT_TEXT("a", text_of(answer, "terminateId"));
    EXPECT_INT(3, json_array_size(json_object_get(answer, "turnNumbers")));
    talk_say(&talk, "{\"id\":\"u\",\"action\":\"terminate\",\"terminateId\":\"a\"}");
    EXPECT_TEXT("a1 a2 t a u", order_of(&talk));
    talk_say(&talk, "{\"id\":\"v\",\"action\":\"terminate_all\",\"turnNumbers\":[1]}");
    EXPECT_TEXT("a1 a2 t a u v", order_of(&talk));
    unblock(&talk);
    talk_wait(&talk);
    EXPECT_TEXT("a1 a2 t a u v block b", order_of(&talk));
    talk_end(&talk);
}

/* The search would need 2^40 visits, but is terminated. */
TEST(a_terminated_search_reports_its_result) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    say_query(&talk, "long", "\"maxVisits\":1099511627776,\"reportDuringSearchEvery\":0.01");
    while (talk_count(&talk) < 3)
        clock_sleep_ms(1);
    talk_say(&talk, "{\"id\":\"t\",\"action\":\"terminate_all\"}");
    talk_wait(&talk);
    size_t count = json_array_size(talk.answers), finals = 0, index;
    const json_t *answer;
    long long visits = 0;
    json_array_foreach(talk.answers, index, answer) {
        if (json_object_get(answer, "action")) continue;
        bool final = json_is_false(json_object_get(answer, "isDuringSearch"));
        finals += final;
        long long now = whole_of(json_object_get(answer, "rootInfo"), "visits");
        EXPECT_TRUE(now >= visits);
        visits = now;
        if (final) EXPECT_TRUE(index + 1 == count || index + 2 == count);
    }
    EXPECT_INT(1, finals);
    talk_end(&talk);
}

/* If the visits have no limit, sequential halving begins with few visits. If "no limit" (2^50) were
 * taken for a number of visits, the first round would never end. */
TEST(no_limit_is_not_a_number_of_visits) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    say_query(&talk, "g",
              "\"maxVisits\":1125899906842624,\"reportDuringSearchEvery\":0.01,"
              "\"overrideSettings\":{\"search.gumbel.on\":true}");
    long long visits = 0, min = 1LL << 50, max = 0;
    while (visits < 2000) {
        clock_sleep_ms(5);
        pthread_mutex_lock(&talk.lock);
        const json_t *last = json_array_get(talk.answers, json_array_size(talk.answers) - 1);
        if (last) visits = whole_of(root_of(last), "visits");
        pthread_mutex_unlock(&talk.lock);
    }
    talk_say(&talk, "{\"id\":\"t\",\"action\":\"terminate_all\"}");
    talk_wait(&talk);
    const json_t *answer, *infos = NULL, *info;
    size_t index;
    json_array_foreach(talk.answers, index, answer) {
        if (json_object_get(answer, "moveInfos")) infos = json_object_get(answer, "moveInfos");
    }
    json_array_foreach(infos, index, info) {
        long long now = whole_of(info, "edgeVisits");
        min = now < min ? now : min;
        max = now > max ? now : max;
    }
    EXPECT_TRUE(max > 3 * min);
    talk_end(&talk);
}

TEST(a_first_report_without_an_interval) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    say_query(&talk, "r",
              "\"maxVisits\":1000000000,\"firstReportDuringSearchAfter\":0.001,"
              "\"overrideSettings\":{\"maxTime\":0.1}");
    talk_wait(&talk);
    EXPECT_INT(2, json_array_size(talk.answers));
    EXPECT_TRUE(json_is_true(json_object_get(json_array_get(talk.answers, 0), "isDuringSearch")));
    EXPECT_TRUE(json_is_false(json_object_get(json_array_get(talk.answers, 1), "isDuringSearch")));
    talk_end(&talk);
}

TEST(actions_repeat_the_request_and_add_results) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    const json_t *answer =
        talk_answer(&talk, "{\"id\":\"v\",\"action\":\"query_version\",\"extra\":1}");
    EXPECT_TEXT("9.8", text_of(answer, "version"));
    EXPECT_TEXT("abc", text_of(answer, "git_hash"));
    EXPECT_INT(1, whole_of(answer, "extra"));
    EXPECT_INT(5, json_object_size(answer));
    answer = talk_answer(&talk, "{\"id\":\"m\",\"action\":\"query_models\"}");
    const json_t *model = json_array_get(json_object_get(answer, "models"), 0);
    EXPECT_TEXT("/nets/made-up.aji", text_of(model, "name"));
    EXPECT_TEXT("made-up", text_of(model, "internalName"));
    EXPECT_INT(14, whole_of(model, "version"));
    EXPECT_INT(SEARCH_LEAVES_MAX, whole_of(model, "maxBatchSize"));
    EXPECT_TRUE(json_is_false(json_object_get(model, "usesHumanSLProfile")));
    EXPECT_TEXT("auto", text_of(model, "usingFP16"));
    EXPECT_INT(6, json_object_size(model));
    answer = talk_answer(&talk, "{\"id\":\"c\",\"action\":\"clear_cache\"}");
    EXPECT_INT(2, json_object_size(answer));
    talk_end(&talk);
}

/* Asks 1,000 queries on boards of several sizes, and checks their visits and that each id is
 * answered once. */
static void ask_a_thousand(int threads, int positions_at_once) {
    Talk talk;
    static int answered[1000];
    memset(answered, 0, sizeof answered);
    talk_begin(&talk, threads, positions_at_once);
    for (int i = 0; i < 1000; i++) {
        char line[300];
        snprintf(line, sizeof line,
                 "{\"id\":\"%d\",\"boardXSize\":%d,\"boardYSize\":5,\"rules\":\"japanese\","
                 "\"moves\":[],\"maxVisits\":%d,\"priority\":%d,\"includeOwnership\":true}",
                 i, 4 + i % 11, 1 + i % 13, i % 5);
        talk_say(&talk, line);
    }
    talk_wait(&talk);
    EXPECT_INT(1000, json_array_size(talk.answers));
    size_t index;
    const json_t *answer;
    json_array_foreach(talk.answers, index, answer) {
        int id = atoi(text_of(answer, "id"));
        answered[id]++;
        EXPECT_INT(1 + id % 13, whole_of(json_object_get(answer, "rootInfo"), "visits"));
        EXPECT_INT(5 * (4 + id % 11), json_array_size(json_object_get(answer, "ownership")));
    }
    for (int i = 0; i < 1000; i++)
        EXPECT_INT(1, answered[i]);
    talk_end(&talk);
}

TEST(a_thousand_queries_on_one_thread) {
    ask_a_thousand(1, 1);
}

TEST(a_thousand_queries_on_four_threads) {
    ask_a_thousand(4, 6);
}

/* Sixteen searches at once, each on another board size, need more evaluators than the engine keeps
 * for later queries (EVALUATORS_KEPT). */
TEST(boards_of_many_sizes_at_once) {
    Talk talk;
    talk_begin(&talk, 1, 16);
    block(&talk);
    for (int width = 2; width <= 16; width++) {
        char line[200];
        snprintf(line, sizeof line,
                 "{\"id\":\"%d\",\"boardXSize\":%d,\"boardYSize\":3,\"rules\":\"chinese\","
                 "\"moves\":[],\"maxVisits\":20}",
                 width, width);
        talk_say(&talk, line);
    }
    unblock(&talk);
    talk_wait(&talk);
    EXPECT_INT(16, json_array_size(talk.answers));
    for (size_t i = 0; i < 16; i++)
        (void)root_of(json_array_get(talk.answers, i)); /* no error */
    EXPECT_INT(16, atomic_load(&talk.net.made));
    talk_end(&talk);
}

/* A search that fails does not end the others of its batch. */
TEST(a_failed_search_does_not_end_the_others) {
    Talk talk;
    talk_begin(&talk, 1, 8);
    block(&talk);
    for (int i = 0; i < 40; i++) {
        char line[200];
        snprintf(line, sizeof line,
                 "{\"id\":\"%d\",\"boardXSize\":5,\"boardYSize\":5,\"rules\":\"chinese\",\"moves\":"
                 "[],\"maxVisits\":9,\"komi\":%d}",
                 i, i % 4 == 3 ? 98 : 7);
        talk_say(&talk, line);
    }
    unblock(&talk);
    talk_wait(&talk);
    int errors = 0;
    size_t index;
    const json_t *answer;
    json_array_foreach(talk.answers, index, answer) {
        if (strcmp(text_of(answer, "id"), "block") == 0) continue;
        bool wrong = json_object_get(answer, "error") != NULL;
        EXPECT_TRUE(wrong == (atoi(text_of(answer, "id")) % 4 == 3));
        if (!wrong) EXPECT_INT(9, whole_of(json_object_get(answer, "rootInfo"), "visits"));
        errors += wrong;
    }
    EXPECT_INT(41, json_array_size(talk.answers));
    EXPECT_INT(10, errors);
    talk_end(&talk);
}

static bool hear_nothing(void *context, const char *line, size_t length) {
    (void)line, (void)length;
    return atomic_fetch_add((atomic_int *)context, 1) < 0; /* the client is gone */
}

TEST(clients_get_only_their_own_answers) {
    Talk talk;
    atomic_int heard = 0;
    AnalysisClient other = {.write = hear_nothing, .context = &heard};
    Error err = {0};
    talk_begin(&talk, 1, 1);
    block(&talk);
    analysis_line(talk.analysis, &other, query_with("\"maxVisits\":5"));
    say_query(&talk, "q", "");
    talk_say(&talk, "{\"id\":\"t\",\"action\":\"terminate_all\"}");
    EXPECT_TEXT("q2 t", order_of(&talk)); /* the query of the other client is not terminated */
    unblock(&talk);
    EXPECT_STATUS(ERR_IO, analysis_wait(talk.analysis, &other, &err));
    talk_wait(&talk);
    EXPECT_INT(1, atomic_load(&heard));
    analysis_line(talk.analysis, &other, "{}"); /* this client does not read any more */
    EXPECT_INT(1, atomic_load(&heard));
    analysis_leave(talk.analysis, &other);
    talk_end(&talk);
}

/* The search of this client's query "long" waits for its evaluator. The other client has no query
 * "long". If the other client asks to terminate a query of this name, the query of this client does
 * not end. */
TEST(clients_cannot_terminate_each_others_queries) {
    Talk talk;
    atomic_int heard = 0;
    AnalysisClient other = {.write = hear_nothing, .context = &heard};
    talk_begin(&talk, 1, 1);
    atomic_store(&talk.net.gate, true);
    say_query(&talk, "long", "\"komi\":99,\"maxVisits\":30");
    while (!atomic_load(&talk.net.waiting))
        clock_sleep_ms(1);
    analysis_line(talk.analysis, &other,
                  "{\"id\":\"t\",\"action\":\"terminate\",\"terminateId\":\"long\"}");
    unblock(&talk);
    talk_wait(&talk);
    EXPECT_INT(30, whole_of(root_of(json_array_get(talk.answers, 0)), "visits"));
    analysis_leave(talk.analysis, &other);
    talk_end(&talk);
}

TEST(a_client_that_left_gets_no_answer) {
    Talk talk;
    atomic_int heard = 0;
    AnalysisClient other = {.write = hear_nothing, .context = &heard};
    talk_begin(&talk, 1, 1);
    block(&talk);
    for (int i = 0; i < 5; i++)
        analysis_line(talk.analysis, &other, query_with("\"maxVisits\":5"));
    analysis_leave(talk.analysis, &other);
    unblock(&talk);
    talk_wait(&talk);
    EXPECT_INT(0, atomic_load(&heard));
    EXPECT_TEXT("block", order_of(&talk));
    talk_end(&talk);
}

/* Bytes of answers that the client has still to read. */
static atomic_size_t unread;

static size_t count_unread(const void *context) {
    (void)context;
    return atomic_load(&unread);
}

static bool hear_and_count(void *context, const char *line, size_t length) {
    (void)line, (void)length;
    atomic_fetch_add((atomic_int *)context, 1);
    return true;
}

static char turns[16]; /* a letter for each answer, which says whose it is */

static bool note_turn(void *context, const char *line, size_t length) {
    const char *name = context;
    (void)line, (void)length;
    strncat(turns, name, 1);
    return true;
}

TEST(clients_take_turns_whatever_their_priorities) {
    Talk talk;
    char first[] = "a", second[] = "b";
    AnalysisClient one = {.write = note_turn, .context = first},
                   two = {.write = note_turn, .context = second};
    *turns = 0;
    talk_begin(&talk, 1, 1);
    block(&talk);
    for (int i = 0; i < 5; i++)
        analysis_line(talk.analysis, &one, query_with("\"priority\":9"));
    for (int i = 0; i < 2; i++)
        analysis_line(talk.analysis, &two, query_with(""));
    unblock(&talk);
    EXPECT_OK(analysis_wait(talk.analysis, &one, err));
    EXPECT_OK(analysis_wait(talk.analysis, &two, err));
    EXPECT_TEXT("ababaaa", turns);
    analysis_leave(talk.analysis, &one);
    analysis_leave(talk.analysis, &two);
    talk_end(&talk);
}

/* Two positions of one client are searched for a long time, and take all places except the extra
 * place. Two other clients each wait for one position. */
TEST(single_positions_do_not_wait_for_long_searches) {
    Talk talk;
    char first[] = "a", second[] = "b", third[] = "c";
    AnalysisClient one = {.write = note_turn, .context = first},
                   two = {.write = note_turn, .context = second},
                   three = {.write = note_turn, .context = third};
    AnalysisSetup setup;
    *turns = 0;
    talk_begin(&talk, 1, 1);
    setup = talk_setup(&talk.net);
    setup.extra_positions = 1;
    analysis_free(talk.analysis);
    EXPECT_OK(analysis_new(&setup, &talk.analysis, err));
    for (int i = 0; i < 2; i++)
        analysis_line(talk.analysis, &one,
                      query_with("\"maxVisits\":1000000000,\"overrideSettings\":{\"maxTime\":20}"));
    while (!atomic_load(&talk.net.made)) /* until the first search has begun */
        clock_sleep_ms(1);
    analysis_line(talk.analysis, &two, query_with("\"maxVisits\":5"));
    EXPECT_OK(analysis_wait(talk.analysis, &two, err));
    analysis_line(talk.analysis, &three, query_with("\"maxVisits\":5"));
    EXPECT_OK(analysis_wait(talk.analysis, &three, err));
    EXPECT_TEXT("bc", turns);
    EXPECT_INT(2, analysis_pending(talk.analysis, &one));
    analysis_leave(talk.analysis, &one);
    analysis_leave(talk.analysis, &two);
    analysis_leave(talk.analysis, &three);
    talk_end(&talk);
}

TEST(a_client_that_does_not_read_waits_alone) {
    Talk talk;
    atomic_int heard = 0;
    AnalysisClient other = {
        .write = hear_and_count, .unread_bytes = count_unread, .context = &heard};
    talk_begin(&talk, 1, 1);
    atomic_store(&unread, CLIENT_UNREAD_BYTES_MAX + 1);
    for (int i = 0; i < 3; i++)
        analysis_line(talk.analysis, &other, query_with("\"priority\":9"));
    EXPECT_INT(1, json_array_size(talk_ask(&talk, query_with(""))));
    /* `other` gets no answer, although its queries have a higher priority. Lines of `other` are
     * still read. */
    EXPECT_INT(0, atomic_load(&heard));
    EXPECT_TRUE(analysis_has_room(talk.analysis, &other));
    atomic_store(&unread, 2 * CLIENT_UNREAD_BYTES_MAX + 1);
    EXPECT_FALSE(analysis_has_room(talk.analysis, &other));
    atomic_store(&unread, 0);
    EXPECT_OK(analysis_wait(talk.analysis, &other, err));
    EXPECT_INT(3, atomic_load(&heard));
    analysis_leave(talk.analysis, &other);
    talk_end(&talk);
}

TEST(queries_take_bounded_memory) {
    Talk talk;
    int queries = 0;
    talk_begin(&talk, 1, 1);
    block(&talk);
    for (; analysis_has_room(talk.analysis, &talk.client); queries++)
        say_query(&talk, "q", "");
    EXPECT_TRUE(queries > 10000 && queries < 200000);
    EXPECT_TRUE(talk.client.query_bytes > CLIENT_QUERY_BYTES_MAX);
    talk_say(&talk, "{\"id\":\"t\",\"action\":\"terminate_all\"}");
    EXPECT_TRUE(analysis_has_room(talk.analysis, &talk.client));
    unblock(&talk);
    talk_wait(&talk);
    EXPECT_INT(0, talk.client.query_bytes);
    EXPECT_INT(queries + 2, json_array_size(talk.answers));
    talk_end(&talk);
}

TEST(a_termination_acts_before_its_line_is_answered) {
    static const char LINE[] = "{\"id\":\"t\",\"action\":\"terminate\",\"terminateId\":\"a\"}";
    Talk talk;
    talk_begin(&talk, 1, 1);
    block(&talk);
    say_query(&talk, "a", "");
    say_query(&talk, "b", "");
    analysis_line_ahead(talk.analysis, &talk.client, LINE);
    EXPECT_TEXT("a2", order_of(&talk));
    analysis_line_ahead(talk.analysis, &talk.client, "{\"id\":\"t\",\"action\":\"terminate\"}");
    analysis_line_ahead(talk.analysis, &talk.client, "{\"terminate");
    analysis_line_ahead(talk.analysis, &talk.client, query_with(""));
    EXPECT_TEXT("a2", order_of(&talk));
    talk_say(&talk, LINE);
    EXPECT_TEXT("a2 t", order_of(&talk));
    unblock(&talk);
    talk_wait(&talk);
    EXPECT_TEXT("a2 t block b2", order_of(&talk));
    talk_end(&talk);
}

/* Sends lines that are cut or changed, and intact ones between them. All intact lines are
 * answered. */
TEST(nonsense_between_queries_is_survived) {
    static const char WHOLE[] =
        "{\"id\":\"x\",\"boardXSize\":5,\"boardYSize\":5,\"rules\":{\"ko\":\"SIMPLE\",\"tax\":"
        "\"ALL\"},\"komi\":7,\"moves\":[[\"B\",\"C3\"],[\"W\",\"pass\"]],\"initialStones\":[[\"W\","
        "\"A1\"]],\"analyzeTurns\":[0,1],\"priorities\":[1,2],\"maxVisits\":3,\"avoidMoves\":[{"
        "\"player\":\"B\",\"moves\":[\"A2\"],\"untilDepth\":3}],\"overrideSettings\":{\"maxTime\":"
        "0.01,\"wideRootNoise\":0.04},\"includeOwnership\":true}";
    Talk talk;
    Rng rng = rng_seeded(4);
    char line[sizeof WHOLE];
    talk_begin(&talk, 2, 2);
    for (int i = 0; i < 3000; i++) {
        memcpy(line, WHOLE, sizeof line);
        if (i % 2) line[rng_below(&rng, (int)sizeof line)] = 0;
        for (int k = rng_below(&rng, 4); k > 0; k--)
            line[rng_below(&rng, (int)sizeof line - 1)] = (char)(1 + rng_below(&rng, 255));
        if (i % 3 == 0)
            for (int k = 0; k < 40; k++)
                line[k] = (char)(1 + rng_below(&rng, 255));
        /* Cut the line if its limit of visits or seconds was changed. */
        if (!strstr(line, "\"maxVisits\":3,") || !strstr(line, "maxTime\":0.01")) line[60] = 0;
        talk_say(&talk, line);
        if (i % 100 == 0) say_query(&talk, "whole", "");
    }
    talk_wait(&talk);
    int whole = 0;
    size_t index;
    const json_t *answer;
    json_array_foreach(talk.answers, index, answer) {
        const char *id = json_string_value(json_object_get(answer, "id"));
        whole += id && strcmp(id, "whole") == 0 && json_object_get(answer, "rootInfo");
    }
    EXPECT_INT(30, whole);
    talk_end(&talk);
}

/* The thread that reads queries only queues them; workers play their moves. */
TEST(an_illegal_move_is_found_by_the_worker) {
    static const char ILLEGAL[] =
        "{\"id\":\"i\",\"boardXSize\":5,\"boardYSize\":5,\"rules\":\"chinese\",\"moves\":"
        "[[\"B\",\"C3\"],[\"W\",\"C2\"],[\"B\",\"C2\"]],\"analyzeTurns\":[0,1,2,3]}";
    Talk talk;
    talk_begin(&talk, 1, 1);
    block(&talk);
    talk_say(&talk, ILLEGAL);
    EXPECT_TEXT("", order_of(&talk));
    talk_say(&talk, "{\"id\":\"t\",\"action\":\"terminate\",\"terminateId\":\"i\"}");
    EXPECT_TEXT("i i1 i2 i3 t", order_of(&talk)); /* no worker has seen the illegal move */
    unblock(&talk);
    talk_wait(&talk);
    talk_end(&talk);
    for (int threads = 1; threads <= 4; threads++) {
        talk_begin(&talk, threads, threads);
        for (int i = 0; i < 20; i++) { /* one error, and no answer for any turn */
            const json_t *answer = talk_answer(&talk, ILLEGAL);
            EXPECT_TEXT("Illegal move 2: C2", text_of(answer, "error"));
            EXPECT_TEXT("moves", text_of(answer, "field"));
        }
        talk_end(&talk);
    }
}

/* Returns a query with `count` pairs in the list `field`, "moves" or "initialStones". */
static const char *long_game(StrBuf *line, int count, const char *field) {
    bool moves = strcmp(field, "moves") == 0;
    strbuf_reset(line);
    strbuf_addf(line,
                "{\"id\":\"h\",\"boardXSize\":19,\"boardYSize\":19,\"rules\":\"tromp-taylor\","
                "%s\"%s\":[",
                moves ? "" : "\"moves\":[],", field);
    for (int i = 0; i < count; i++)
        strbuf_addf(line, "%s[\"%s\",\"%s\"]", i ? "," : "", i % 2 ? "W" : "B",
                    moves ? "pass" : "C3");
    strbuf_add(line, "]}");
    return strbuf_text(line);
}

TEST(a_game_has_at_most_20000_moves) {
    Talk talk;
    StrBuf line = {0};
    talk_begin(&talk, 1, 1);
    const json_t *answer = talk_answer(&talk, long_game(&line, 20000, "moves"));
    EXPECT_INT(20000, whole_of(answer, "turnNumber"));
    answer = talk_answer(&talk, long_game(&line, 20001, "moves"));
    EXPECT_TEXT("Must be at most 20000 pairs, but there are 20001", text_of(answer, "error"));
    EXPECT_TEXT("moves", text_of(answer, "field"));
    answer = talk_answer(&talk, long_game(&line, 20001, "initialStones"));
    EXPECT_TEXT("initialStones", text_of(answer, "field"));
    strbuf_clear(&line);
    talk_end(&talk);
}

/* Returns a query with `count` members named m0, m1 ... They are members of the query or, if
 * `of_settings`, of its overrideSettings. */
static const char *many_members(StrBuf *line, int count, bool of_settings) {
    strbuf_reset(line);
    strbuf_add(line, "{\"id\":\"m\",\"boardXSize\":5,\"boardYSize\":5,\"rules\":\"chinese\","
                     "\"moves\":[]");
    if (of_settings) strbuf_add(line, ",\"overrideSettings\":{\"maxVisits\":1");
    for (int i = 0; i < count; i++)
        strbuf_addf(line, ",\"m%d\":1", i);
    strbuf_add(line, of_settings ? "}}" : "}");
    return strbuf_text(line);
}

TEST(a_query_has_at_most_1000_members) {
    Talk talk;
    StrBuf line = {0};
    talk_begin(&talk, 1, 1);
    const json_t *answers = talk_ask(&talk, many_members(&line, 995, false));
    EXPECT_INT(996, json_array_size(answers)); /* a warning for each, and the analysis */
    EXPECT_TRUE(json_object_get(json_array_get(answers, 995), "rootInfo") != NULL);
    const json_t *answer = talk_answer(&talk, many_members(&line, 996, false));
    EXPECT_TEXT("A query must have at most 1000 members, but there are 1001",
                text_of(answer, "error"));
    answers = talk_ask(&talk, many_members(&line, 999, true));
    EXPECT_INT(2, json_array_size(answers)); /* one warning, and the analysis */
    answer = talk_answer(&talk, many_members(&line, 1000, true));
    EXPECT_TEXT("overrideSettings", text_of(answer, "field"));
    EXPECT_TEXT("Must have at most 1000 members, but there are 1001", text_of(answer, "error"));
    strbuf_clear(&line);
    talk_end(&talk);
}

TEST(an_id_has_at_most_4096_bytes) {
    Talk talk;
    char id[4098], line[5000];
    talk_begin(&talk, 1, 1);
    for (size_t length = 4096; length <= 4097; length++) {
        memset(id, 'i', length);
        id[length] = 0;
        snprintf(line, sizeof line,
                 "{\"id\":\"%s\",\"boardXSize\":5,\"boardYSize\":5,\"rules\":\"chinese\","
                 "\"moves\":[]}",
                 id);
        const json_t *answer = talk_answer(&talk, line);
        EXPECT_TRUE((json_object_get(answer, "error") != NULL) == (length == 4097));
    }
    talk_end(&talk);
}

/* Sends a line with a game of a thousand moves, and lines of a megabyte that are not JSON. */
TEST(huge_lines_are_survived) {
    Talk talk;
    StrBuf line = {0};
    talk_begin(&talk, 1, 1);
    strbuf_add(&line, "{\"id\":\"h\",\"boardXSize\":19,\"boardYSize\":19,\"rules\":\"chinese\","
                      "\"moves\":[");
    for (int i = 0; i < 1000; i++)
        strbuf_addf(&line, "%s[\"%s\",\"pass\"]", i ? "," : "", i % 2 ? "W" : "B");
    strbuf_add(&line, "],\"analyzeTurns\":[1000,500]}");
    EXPECT_INT(2, json_array_size(talk_ask(&talk, strbuf_text(&line))));
    static const char *const PARTS[] = {"[", "{\"a\":", "\"", "1", "\xff"};
    for (size_t part = 0; part < sizeof PARTS / sizeof *PARTS; part++) {
        strbuf_reset(&line);
        while (line.length < 1 << 20)
            strbuf_add(&line, PARTS[part]);
        const json_t *answer = talk_answer(&talk, strbuf_text(&line));
        EXPECT_TRUE(json_object_get(answer, "error") != NULL);
        EXPECT_TRUE(strlen(text_of(answer, "error")) <
                    4000); /* the error quotes only the beginning of the line */
    }
    strbuf_clear(&line);
    talk_end(&talk);
}

/* A query with another policy temperature needs another evaluator. A later query that fits an
 * evaluator uses it again. */
TEST(evaluators_are_kept) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    for (int i = 0; i < 5; i++)
        (void)talk_answer(&talk, query_with(""));
    EXPECT_INT(1, atomic_load(&talk.net.made));
    (void)talk_answer(&talk, query_with("\"overrideSettings\":{\"nnPolicyTemperature\":2}"));
    (void)talk_answer(&talk, query_with(""));
    EXPECT_INT(2, atomic_load(&talk.net.made));
    talk_end(&talk);
}

typedef struct {
    int input, output[2];
    MadeUp net;
    bool waits;
    Status status;
} Served;

static void *serve(void *argument) {
    Served *served = argument;
    Analysis *analysis;
    AnalysisSetup setup = talk_setup(&served->net);
    EXPECT_OK(analysis_new(&setup, &analysis, err));
    served->status =
        analysis_serve(analysis, served->input, served->output[1], served->waits, NULL);
    analysis_free(analysis);
    close(served->output[1]);
    return NULL;
}

/* Writes `text` to the input of an engine, ends the input, and returns the number of lines of the
 * output. */
static int serve_lines(const char *text, bool waits) {
    int input[2], lines = 0, c;
    pthread_t thread;
    Served served = {.net = {.white_win = 0.5f, .white_loss = 0.5f}, .waits = waits};
    assert_int_equal(0, pipe(input) | pipe(served.output));
    served.input = input[0];
    assert_int_equal(0, pthread_create(&thread, NULL, serve, &served));
    for (size_t length = strlen(text); length;) { /* in pieces that end anywhere in a line */
        ssize_t count = write(input[1], text, length > 777 ? 777 : length);
        EXPECT_TRUE(count > 0);
        text += count;
        length -= (size_t)count;
    }
    close(input[1]);
    FILE *answers = fdopen(served.output[0], "r");
    while ((c = fgetc(answers)) != EOF)
        lines += c == '\n';
    pthread_join(thread, NULL);
    fclose(answers);
    close(input[0]);
    EXPECT_STATUS(OK, served.status);
    return lines;
}

TEST(all_is_answered_at_the_end_of_input) {
    StrBuf text = {0};
    for (int i = 0; i < 300; i++)
        strbuf_addf(&text, "%s\n%s", query_with("\"maxVisits\":20"), i % 3 ? "" : "{half\r\n\n");
    EXPECT_INT(400, serve_lines(strbuf_text(&text), true));
    strbuf_addf(&text, "%s", query_with("")); /* without a line end */
    EXPECT_INT(401, serve_lines(strbuf_text(&text), true));
    strbuf_reset(&text);
    for (int i = 0; i < 9000; i++) /* more errors than a pipe holds, all read at the end */
        strbuf_add(&text, "{the first half of a JSON object\n");
    EXPECT_INT(9000, serve_lines(strbuf_text(&text), true));
    strbuf_reset(&text);
    EXPECT_INT(0, serve_lines("", true));
    for (int i = 0; i < 3; i++)
        strbuf_addf(&text, "%s\n", query_with("\"maxVisits\":1000000000000"));
    EXPECT_INT(0, serve_lines(strbuf_text(&text), false)); /* pending positions are not answered */
    strbuf_clear(&text);
}

/* Adds a query on 5x5 about all turns of a game of `count` passes, with an id of 4,000 bytes. */
static void add_large_query(StrBuf *text, int count) {
    strbuf_addf(text,
                "{\"id\":\"%04000d\",\"boardXSize\":5,\"boardYSize\":5,\"rules\":"
                "\"chinese\",\"komi\":99,\"moves\":[",
                7);
    for (int i = 0; i < count; i++)
        strbuf_addf(text, "%s[\"%s\",\"pass\"]", i ? "," : "", i % 2 ? "W" : "B");
    strbuf_add(text, "],\"analyzeTurns\":[0");
    for (int i = 1; i <= count; i++)
        strbuf_addf(text, ",%d", i);
    strbuf_add(text, "]}\n");
}

/* Each of forty queries counts 4 MB for its answers, so the engine pauses reading before it has
 * read all lines (CLIENT_QUERY_BYTES_MAX). The net does not answer until the queries have been
 * terminated. */
TEST(a_termination_is_seen_while_reading_has_paused) {
    enum { QUERIES = 40, PASSES = 1000 };
    int input[2];
    pthread_t thread;
    StrBuf text = {0};
    char *line = NULL;
    size_t capacity = 0;
    static Served served;
    served = (Served){.net = {.white_win = 0.5f, .white_loss = 0.5f}, .waits = true};
    atomic_store(&served.net.gate, true);
    assert_int_equal(0, pipe(input) | pipe(served.output));
    served.input = input[0];
    assert_int_equal(0, pthread_create(&thread, NULL, serve, &served));
    for (int i = 0; i < QUERIES; i++)
        add_large_query(&text, PASSES);
    strbuf_add(&text, "{\"id\":\"t\",\"action\":\"terminate_all\"}\n");
    for (size_t at = 0; at < text.length;) {
        ssize_t count = write(input[1], text.text + at, text.length - at);
        EXPECT_TRUE(count > 0);
        at += (size_t)count;
    }
    FILE *answers = fdopen(served.output[0], "r");
    int ended = 0;
    while (getline(&line, &capacity, answers) > 0 && !strstr(line, "terminate_all"))
        ended += strstr(line, "\"noResults\":true") != NULL;
    EXPECT_TRUE(ended >= QUERIES * (PASSES + 1) - 1); /* all but the one that the net evaluates */
    atomic_store(&served.net.gate, false);
    close(input[1]);
    while (getline(&line, &capacity, answers) > 0) {
    }
    pthread_join(thread, NULL);
    EXPECT_STATUS(OK, served.status);
    free(line);
    fclose(answers);
    close(input[0]);
    strbuf_clear(&text);
}

TEST(invalid_setups_are_refused) {
    MadeUp net = {0};
    Analysis *analysis;
    AnalysisSetup setup = talk_setup(&net);
    setup.threads = 0;
    EXPECT_STATUS(ERR_ARGUMENT, analysis_new(&setup, &analysis, NULL));
    EXPECT_TRUE(analysis == NULL);
    setup = talk_setup(&net);
    setup.positions_at_once = 0;
    EXPECT_STATUS(ERR_ARGUMENT, analysis_new(&setup, &analysis, NULL));
    analysis_free(NULL);
}

TEST_MAIN(RUN(higher_priorities_come_first), RUN(waiting_turns_are_terminated_at_once),
          RUN(a_terminated_search_reports_its_result), RUN(no_limit_is_not_a_number_of_visits),
          RUN(a_first_report_without_an_interval), RUN(actions_repeat_the_request_and_add_results),
          RUN(a_thousand_queries_on_one_thread), RUN(a_thousand_queries_on_four_threads),
          RUN(boards_of_many_sizes_at_once), RUN(a_failed_search_does_not_end_the_others),
          RUN(clients_get_only_their_own_answers),
          RUN(clients_cannot_terminate_each_others_queries), RUN(a_client_that_left_gets_no_answer),
          RUN(nonsense_between_queries_is_survived), RUN(huge_lines_are_survived),
          RUN(an_illegal_move_is_found_by_the_worker), RUN(a_game_has_at_most_20000_moves),
          RUN(a_query_has_at_most_1000_members), RUN(an_id_has_at_most_4096_bytes),
          RUN(evaluators_are_kept), RUN(all_is_answered_at_the_end_of_input),
          RUN(clients_take_turns_whatever_their_priorities),
          RUN(single_positions_do_not_wait_for_long_searches),
          RUN(a_client_that_does_not_read_waits_alone), RUN(queries_take_bounded_memory),
          RUN(a_termination_acts_before_its_line_is_answered),
          RUN(a_termination_is_seen_while_reading_has_paused), RUN(invalid_setups_are_refused))
