/* The messages of /ws, without a network: requests, answers, errors, and states of games. */
#include <pthread.h>

#include "serve/page/page_socket.h"
#include "serve/small_run.h"
#include "serve/uniform_games.h"

enum { HEARD_MAX = 512 };

/* A page: the messages that were sent to it. */
typedef struct {
    PageSocket *socket;
    pthread_mutex_t lock;
    json_t *heard[HEARD_MAX]; /* guarded by lock */
    int count, next;          /* guarded by lock */
    size_t unsent;
    RunRoots runs;
    RunWatch watch;
    RateLimit new_games;
} Page;

static bool send_to(void *connection, const char *text, size_t length) {
    Page *page = connection;
    json_t *message = json_loadb(text, length, 0, NULL);
    pthread_mutex_lock(&page->lock);
    EXPECT_TRUE(json_is_object(message) && page->count < HEARD_MAX);
    page->heard[page->count++] = message;
    pthread_mutex_unlock(&page->lock);
    return true;
}

static size_t unsent(const void *connection) {
    return ((const Page *)connection)->unsent;
}

static json_t *describe(const void *server) {
    return json_pack("{s:s}", "name", (const char *)server);
}

static void page_open(Page *page, const UniformGames *all) {
    *page = (Page){.new_games = {.per_second = 0.01, .burst = 1000}};
    pthread_mutex_init(&page->lock, NULL);
    EXPECT_OK(page_socket_open(&(PageSetup){.engines = all->engines,
                                            .games = all->games,
                                            .jobs = all->jobs,
                                            .runs = &page->runs,
                                            .watch = &page->watch,
                                            .new_games = &page->new_games,
                                            .visits_max = 1000,
                                            .describe = describe,
                                            .server = "test",
                                            .send = send_to,
                                            .unsent = unsent,
                                            .connection = page},
                               &page->socket, err));
}

static void page_close(Page *page) {
    page_socket_close(page->socket);
    for (int i = 0; i < page->count; i++)
        json_decref(page->heard[i]);
    pthread_mutex_destroy(&page->lock);
}

/* Sends a message with ' in place of ". */
static __attribute__((format(printf, 2, 3))) bool say(Page *page, const char *format, ...) {
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *at = text; *at; at++)
        *at = (char)(*at == '\'' ? '"' : *at);
    return page_socket_line(page->socket, text);
}

/* The next message, which must come now. */
static json_t *heard(Page *page) {
    pthread_mutex_lock(&page->lock);
    if (page->next >= page->count) fail_msg("the page hears nothing");
    json_t *message = page->heard[page->next++];
    pthread_mutex_unlock(&page->lock);
    return message;
}

static bool hears_nothing(Page *page) {
    pthread_mutex_lock(&page->lock);
    bool nothing = page->next == page->count;
    pthread_mutex_unlock(&page->lock);
    return nothing;
}

/* Waits for the next message. */
static json_t *wait_for_message(Page *page, UniformGames *all) {
    for (int i = 0; i < 20000 && hears_nothing(page); i++) {
        clock_sleep_ms(1);
        all_tend(all);
    }
    return heard(page);
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void expect_ok(Page *page, const char *id) {
    const json_t *message = heard(page);
    EXPECT_TEXT(id, text_of(message, "id"));
    EXPECT_TRUE(json_is_true(json_object_get(message, "ok")));
}

/* The next message must be an error with this code about this member (NULL: about none). */
static void expect_error(Page *page, const char *id, const char *code, const char *field) {
    const json_t *message = heard(page), *error = json_object_get(message, "error");
    if (strcmp(code, text_of(error, "code")) != 0)
        fail_msg("the error is \"%s\", wanted \"%s\"", text_of(error, "code"), code);
    EXPECT_TRUE(strlen(text_of(error, "message")) > 10);
    EXPECT_TEXT(field ? field : "", text_of(error, "field"));
    if (id)
        EXPECT_TEXT(id, text_of(message, "id"));
    else
        EXPECT_TRUE(json_is_null(json_object_get(message, "id")));
}

static const char NEW[] = "{'op':'game.new','id':'g','width':5,'height':5,'rules':'chinese',"
                          "'komi':null,'handicap':0,'color':'B','visits':2}";

typedef struct {
    char text[GAME_NAME_LENGTH + 1];
} GameName;

/* Begins a game on 5x5. */
static GameName new_game(Page *page) {
    GameName name;
    say(page, "%s", NEW);
    const json_t *message = heard(page);
    EXPECT_TEXT("g", text_of(message, "id"));
    EXPECT_INT(GAME_NAME_LENGTH, strlen(text_of(message, "game")));
    EXPECT_TEXT("play", text_of(json_object_get(message, "state"), "phase"));
    snprintf(name.text, sizeof name.text, "%s", text_of(message, "game"));
    return name;
}

TEST(wrong_messages_are_answered_and_harm_nothing) {
    UniformGames all;
    Page page;
    games_setup(&all, "wrong");
    page_open(&page, &all);
    static const char *const BAD[] = {"", "{", "nonsense", "{'op':'hello','id':'1'}}",
                                      "{'id':'a','id':'b'}"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        say(&page, "%s", BAD[i]);
        expect_error(&page, NULL, "bad_json", NULL);
    }
    static const char *const WITHOUT_ID[] = {"[]", "{}", "{'op':'hello'}", "{'op':'hello','id':1}"};
    for (size_t i = 0; i < sizeof WITHOUT_ID / sizeof *WITHOUT_ID; i++) {
        say(&page, "%s", WITHOUT_ID[i]);
        expect_error(&page, NULL, "bad_field", "id");
    }
    say(&page, "{'op':'hello','id':'%0300d'}", 1);
    expect_error(&page, NULL, "bad_field", "id");
    say(&page, "{'id':'1'}");
    expect_error(&page, "1", "bad_field", "op");
    say(&page, "{'id':'2','op':'game.fly'}");
    expect_error(&page, "2", "unknown_op", "op");
    say(&page, "{'id':'3','op':'hello'}");
    const json_t *hello = heard(&page);
    EXPECT_TRUE(json_is_true(json_object_get(hello, "ok")));
    EXPECT_TEXT("test", text_of(json_object_get(hello, "server"), "name"));
    page_close(&page);
    games_teardown(&all);
}

TEST(wrong_members_are_named) {
    static const struct {
        const char *field, *value;
    } BAD[] = {{"width", "1"},    {"width", "'9'"},     {"width", "null"},  {"height", "20"},
               {"height", "5.5"}, {"rules", "'chess'"}, {"rules", "7"},     {"komi", "0.3"},
               {"komi", "'6.5'"}, {"handicap", "2"},    {"handicap", "-1"}, {"color", "'black'"},
               {"color", "null"}, {"visits", "0"},      {"visits", "1e9"},  {"visits", "12345678"}};
    UniformGames all;
    Page page;
    games_setup(&all, "members");
    page_open(&page, &all);
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        json_t *request = json_pack("{s:s,s:s,s:i,s:i,s:s,s:s}", "op", "game.new", "id", "g",
                                    "width", 5, "height", 5, "rules", "chinese", "color", "B");
        char *text, value[64];
        snprintf(value, sizeof value, "%s", BAD[i].value);
        for (char *at = value; *at; at++)
            *at = (char)(*at == '\'' ? '"' : *at);
        json_t *wrong = json_loads(value, JSON_DECODE_ANY, NULL);
        json_object_set_new(request, BAD[i].field, wrong);
        text = json_dumps(request, 0);
        page_socket_line(page.socket, text);
        expect_error(&page, "g", "bad_field", BAD[i].field);
        free(text);
        json_decref(request);
    }
    GameName game = new_game(&page);
    static const struct {
        const char *rest, *code, *field;
    } WRONG[] = {{"'op':'game.play','at':0", "bad_field", "move"},
                 {"'op':'game.play','at':0,'move':3", "bad_field", "move"},
                 {"'op':'game.play','move':'C3'", "bad_field", "at"},
                 {"'op':'game.play','move':'C3','at':-1", "bad_field", "at"},
                 {"'op':'game.play','move':'J9','at':0", "off_board", "move"},
                 {"'op':'game.undo'", "bad_field", "at"},
                 {"'op':'game.undo','at':0", "no_move", NULL},
                 {"'op':'game.settings'", "bad_field", "visits"},
                 {"'op':'game.settings','visits':true", "bad_field", "visits"},
                 {"'op':'game.score','dead':'C3'", "bad_field", "dead"},
                 {"'op':'game.score','dead':[],'agree':1", "bad_field", "agree"},
                 {"'op':'game.score','dead':[],'agree':true", "not_scoring", NULL},
                 {"'op':'game.continue'", "not_scoring", NULL}};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        say(&page, "{'id':'w','game':'%s',%s}", game.text, WRONG[i].rest);
        expect_error(&page, "w", WRONG[i].code, WRONG[i].field);
    }
    static const char *const GAME_OPS[] = {"open",     "play",  "undo",    "resign",
                                           "settings", "score", "continue"};
    for (size_t i = 0; i < sizeof GAME_OPS / sizeof *GAME_OPS; i++) {
        say(&page, "{'id':'w','op':'game.%s','at':0}", GAME_OPS[i]);
        expect_error(&page, "w", "bad_field", "game");
        say(&page, "{'id':'w','op':'game.%s','at':0,'game':'../x'}", GAME_OPS[i]);
        expect_error(&page, "w", "no_game", "game");
    }
    page_close(&page);
    games_teardown(&all);
}

/* The number of moves of a message about a game. */
static int moves_of(const json_t *message) {
    EXPECT_TEXT("game", text_of(message, "topic"));
    return (int)json_array_size(json_object_get(json_object_get(message, "state"), "moves"));
}

TEST(a_message_that_is_sent_twice_plays_once) {
    UniformGames all;
    Page page;
    games_setup(&all, "twice");
    page_open(&page, &all);
    GameName game = new_game(&page);
    say(&page, "{'op':'game.play','id':'p','game':'%s','move':'C3','at':0}", game.text);
    EXPECT_INT(1, moves_of(heard(&page)));
    expect_ok(&page, "p");
    say(&page, "{'op':'game.play','id':'p','game':'%s','move':'C3','at':0}", game.text);
    EXPECT_INT(1, moves_of(heard(&page)));
    expect_ok(&page, "p");
    say(&page, "{'op':'game.play','id':'p','game':'%s','move':'A1','at':1}", game.text);
    expect_error(&page, "p", "not_your_turn", NULL);
    EXPECT_INT(2, moves_of(wait_for_message(&page, &all)));
    say(&page, "{'op':'game.undo','id':'u','game':'%s','at':1}", game.text);
    EXPECT_INT(2, moves_of(heard(&page)));
    expect_ok(&page, "u");
    say(&page, "{'op':'game.undo','id':'u','game':'%s','at':2}", game.text);
    EXPECT_INT(0, moves_of(heard(&page)));
    expect_ok(&page, "u");
    page_close(&page);
    games_teardown(&all);
}

TEST(two_pages_see_the_same_game) {
    UniformGames all;
    Page one, two;
    games_setup(&all, "two");
    page_open(&one, &all);
    page_open(&two, &all);
    GameName game = new_game(&one);
    say(&two, "{'op':'game.open','id':'o','game':'%s'}", game.text);
    EXPECT_TEXT(game.text, text_of(heard(&two), "game"));
    say(&one, "{'op':'game.play','id':'p','game':'%s','move':'C3','at':0}", game.text);
    const json_t *first = heard(&one), *second = heard(&two);
    EXPECT_TRUE(json_equal(first, second));
    expect_ok(&one, "p");
    first = wait_for_message(&one, &all);
    EXPECT_TRUE(json_equal(first, heard(&two)));
    say(&two, "{'op':'game.settings','id':'s','game':'%s','visits':7}", game.text);
    EXPECT_TRUE(json_equal(heard(&one), heard(&two)));
    expect_ok(&two, "s");
    page_close(&one);
    say(&two, "{'op':'game.resign','id':'r','game':'%s'}", game.text);
    EXPECT_TEXT("W+R", text_of(json_object_get(heard(&two), "state"), "result"));
    expect_ok(&two, "r");
    say(&two, "{'op':'game.list','id':'l'}");
    const json_t *list = json_object_get(heard(&two), "games");
    EXPECT_INT(1, json_array_size(list));
    EXPECT_TEXT("W+R", text_of(json_array_get(list, 0), "result"));
    page_close(&two);
    games_teardown(&all);
}

TEST(positions_are_analysed_until_the_page_has_enough) {
    UniformGames all;
    Page page;
    games_setup(&all, "analysis");
    page_open(&page, &all);
    static const char QUERY[] = "{'op':'analysis','id':'%s','query':{'moves':[],'rules':'chinese',"
                                "'boardXSize':5,'boardYSize':5,'maxVisits':%d,"
                                "'reportDuringSearchEvery':0.01}}";
    say(&page, QUERY, "a1", 3);
    const json_t *answer = json_object_get(wait_for_message(&page, &all), "answer");
    EXPECT_TEXT("a1", text_of(answer, "id"));
    EXPECT_TRUE(json_is_false(json_object_get(answer, "isDuringSearch")));
    say(&page, QUERY, "a2", 100000000);
    answer = json_object_get(wait_for_message(&page, &all), "answer");
    EXPECT_TEXT("a2", text_of(answer, "id"));
    EXPECT_TRUE(json_is_true(json_object_get(answer, "isDuringSearch")));
    say(&page, "{'op':'analysis.stop','id':'s','target':'a2'}");
    bool stopped = false, ended = false;
    while (!stopped || !ended) {
        const json_t *message = wait_for_message(&page, &all);
        answer = json_object_get(message, "answer");
        stopped = stopped || strcmp(text_of(message, "id"), "s") == 0;
        ended = ended || json_is_false(json_object_get(answer, "isDuringSearch"));
        EXPECT_TRUE(!answer || strcmp(text_of(answer, "id"), "a2") == 0);
    }
    say(&page, "{'op':'analysis','id':'a3','query':{'moves':'none'}}");
    answer = json_object_get(wait_for_message(&page, &all), "answer");
    EXPECT_TEXT("a3", text_of(answer, "id"));
    EXPECT_TRUE(*text_of(answer, "error"));
    say(&page, "{'op':'analysis','id':'a4'}");
    expect_error(&page, "a4", "bad_field", "query");
    say(&page, "{'op':'analysis.stop','id':'s'}");
    expect_error(&page, "s", "bad_field", "target");
    page.unsent = 64 << 20; /* the page does not read, so its query must wait */
    EXPECT_FALSE(say(&page, QUERY, "a5", 3));
    EXPECT_TRUE(hears_nothing(&page));
    page.unsent = 0;
    EXPECT_TRUE(say(&page, QUERY, "a5", 3));
    EXPECT_TEXT("a5", text_of(json_object_get(wait_for_message(&page, &all), "answer"), "id"));
    page_close(&page);
    games_teardown(&all);
}

TEST(pages_choose_among_the_nets) {
    UniformGames all;
    Page page;
    games_setup(&all, "choose");
    page_open(&page, &all);
    static const char QUERY[] = "{'op':'analysis','id':'%s','net':%s,'query':{'moves':[],"
                                "'rules':'chinese','boardXSize':5,'boardYSize':5,'maxVisits':%d}}";
    say(&page, "{'op':'nets','id':'n'}");
    const json_t *nets = json_object_get(heard(&page), "nets");
    EXPECT_INT(4, json_array_size(nets));
    EXPECT_TEXT("second", text_of(json_array_get(nets, 1), "id"));
    for (int i = 0; i < 20000 && !say(&page, QUERY, "a", "'second'", 3); i++) {
        clock_sleep_ms(1);
        all_tend(&all);
    }
    EXPECT_INT(2, engines_loaded(all.engines));
    EXPECT_TEXT("a", text_of(json_object_get(wait_for_message(&page, &all), "answer"), "id"));
    EXPECT_TRUE(say(&page, QUERY, "b", "null", 3)); /* the first net */
    EXPECT_TEXT("b", text_of(json_object_get(wait_for_message(&page, &all), "answer"), "id"));
    EXPECT_TRUE(say(&page, QUERY, "c", "'second'", 100000000));
    say(&page, "{'op':'analysis.stop','id':'s','target':'c'}");
    bool stopped = false, ended = false;
    while (!stopped || !ended) {
        const json_t *message = wait_for_message(&page, &all);
        stopped = stopped || strcmp(text_of(message, "id"), "s") == 0;
        ended = ended || strcmp(text_of(json_object_get(message, "answer"), "id"), "c") == 0;
    }
    EXPECT_TRUE(say(&page, QUERY, "d", "'none'", 3));
    expect_error(&page, "d", "no_net", "net");
    EXPECT_TRUE(say(&page, QUERY, "e", "7", 3));
    expect_error(&page, "e", "bad_field", "net");
    say(&page, "{'op':'game.new','id':'g','width':5,'height':5,'rules':'chinese','color':'B',"
               "'net':'second'}");
    const json_t *state = json_object_get(heard(&page), "state");
    EXPECT_TEXT("second", text_of(state, "net"));
    EXPECT_TEXT("Aji Second", text_of(state, "white"));
    page_close(&page);
    games_teardown(&all);
}

TEST(requests_without_a_net_use_the_one_that_fits_the_board) {
    UniformGames all;
    Page page;
    games_setup(&all, "fits");
    page_open(&page, &all);
    static const char QUERY[] = "{'op':'analysis','id':'a','net':null,'query':{'moves':[],"
                                "'rules':'chinese','boardXSize':7,'boardYSize':7,'maxVisits':3}}",
                      GAME[] = "{'op':'game.new','id':'g','width':%d,'height':7,"
                               "'rules':'chinese','color':'B'}";
    for (int i = 0; i < 20000 && !say(&page, "%s", QUERY); i++) {
        clock_sleep_ms(1);
        all_tend(&all);
    }
    EXPECT_TEXT("a", text_of(json_object_get(wait_for_message(&page, &all), "answer"), "id"));
    json_t *nets = engines_list(all.engines);
    EXPECT_TRUE(json_is_true(json_object_get(json_array_get(nets, 2), "loaded"))); /* the third */
    json_decref(nets);
    say(&page, GAME, 7);
    EXPECT_TEXT("third", text_of(json_object_get(heard(&page), "state"), "net"));
    say(&page, GAME, 9); /* no net is meant for this board */
    EXPECT_TEXT("first", text_of(json_object_get(heard(&page), "state"), "net"));
    page_close(&page);
    games_teardown(&all);
}

TEST(slow_requests_are_answered_later) {
    UniformGames all;
    Page page;
    games_setup(&all, "later");
    page_open(&page, &all);
    say(&page, "{'op':'net.facts','id':'f'}");
    EXPECT_TRUE(hears_nothing(&page));
    const json_t *message = wait_for_message(&page, &all);
    EXPECT_TEXT("f", text_of(message, "id"));
    EXPECT_TRUE(json_is_array(json_object_get(json_object_get(message, "facts"), "levels")));
    say(&page, "{'op':'net.levels','id':'l','net':'second','width':9,'height':9}");
    message = wait_for_message(&page, &all);
    EXPECT_TEXT("l", text_of(message, "id"));
    EXPECT_TRUE(json_is_array(json_object_get(message, "levels")));
    say(&page, "{'op':'net.levels','id':'l','width':9,'height':9,'rules':'chess'}");
    (void)wait_for_message(&page, &all);
    page.next--;
    expect_error(&page, "l", "bad_field", "rules");
    say(&page, "{'op':'net.levels','id':'l','width':99,'height':9}");
    expect_error(&page, "l", "bad_field", "width");
    say(&page, "{'op':'net.facts','id':'f','net':'bad'}"); /* there is no such file */
    EXPECT_TEXT("f", text_of(wait_for_message(&page, &all), "id"));
    page.next--;
    expect_error(&page, "f", "bad_net", "net");
    int refused = 0;
    for (int i = 0; i < 300; i++)
        say(&page, "{'op':'net.facts','id':'many'}");
    for (int i = 0; i < 300; i++)
        refused += json_object_get(wait_for_message(&page, &all), "error") != NULL;
    EXPECT_INT(200, refused);
    say(&page, "{'op':'net.facts','id':'left'}");
    page_close(&page); /* the answer goes nowhere */
    for (int i = 0; i < 20; i++) {
        clock_sleep_ms(1);
        all_tend(&all);
    }
    games_teardown(&all);
}

static const json_t *ask_about_run(Page *page, UniformGames *all, const char *rest) {
    EXPECT_TRUE(say(page, "{'id':'r',%s}", rest));
    const json_t *message = wait_for_message(page, all);
    EXPECT_TEXT("r", text_of(message, "id"));
    return message;
}

TEST(pages_ask_about_runs) {
    UniformGames all;
    Page page;
    TestPath root = test_path("page-runs");
    games_setup(&all, "runs");
    EXPECT_OK(directory_make(root.text, err));
    SmallRun run = small_run_make(root.text, "one");
    page_open(&page, &all);
    runs_add_root(&page.runs, root.text);
    const json_t *runs = json_object_get(ask_about_run(&page, &all, "'op':'run.list'"), "runs");
    EXPECT_TEXT("one", text_of(json_array_get(runs, 0), "id"));
    const json_t *message = ask_about_run(&page, &all, "'op':'run.state','run':'one'");
    EXPECT_TEXT("5x5", text_of(json_object_get(message, "state"), "boards"));
    message = ask_about_run(&page, &all, "'op':'run.curves','run':'one','names':['loss']");
    EXPECT_TRUE(json_object_get(json_object_get(message, "curves"), "loss") != NULL);
    message = ask_about_run(&page, &all, "'op':'run.files','run':'one'");
    EXPECT_INT(1, json_array_size(json_object_get(message, "files")));
    static const char GAMES[] = "'op':'run.%s','run':'one','folder':'000003',"
                                "'file':'w000-0000.sgfs','index':0";
    char rest[200];
    snprintf(rest, sizeof rest, GAMES, "games");
    EXPECT_INT(2, json_array_size(json_object_get(ask_about_run(&page, &all, rest), "games")));
    snprintf(rest, sizeof rest, GAMES, "game");
    EXPECT_CONTAINS(text_of(ask_about_run(&page, &all, rest), "sgf"), "SZ[5]");
    say(&page, "{'id':'w','op':'run.watch','run':'one'}");
    expect_ok(&page, "w");
    EXPECT_TRUE(page.watch.watchers != NULL);
    say(&page, "{'id':'w','op':'run.watch','list':true}");
    expect_ok(&page, "w");
    EXPECT_TRUE(page.watch.watchers != NULL && !page.watch.watchers->id[0]);
    say(&page, "{'id':'w','op':'run.watch','run':null}");
    expect_ok(&page, "w");
    EXPECT_TRUE(page.watch.watchers == NULL);
    static const struct {
        const char *rest, *code, *field;
    } WRONG[] = {{"'op':'run.state'", "bad_field", "run"},
                 {"'op':'run.state','run':'two'", "no_run", "run"},
                 {"'op':'run.watch','run':'../one'", "no_run", "run"},
                 {"'op':'run.curves','run':'one'", "bad_field", "names"},
                 {"'op':'run.curves','run':'one','names':[],'points':1e9", "bad_field", "points"},
                 {"'op':'run.games','run':'one','folder':'000003'", "bad_field", "file"},
                 {"'op':'run.game','run':'one','folder':'a','file':'b'", "bad_field", "index"}};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        say(&page, "{'id':'w',%s}", WRONG[i].rest);
        expect_error(&page, "w", WRONG[i].code, WRONG[i].field);
    }
    say(&page, "{'id':'w','op':'run.watch','run':'one'}");
    page_close(&page);
    EXPECT_TRUE(page.watch.watchers == NULL);
    small_run_remove(&run);
    EXPECT_OK(directory_remove(root.text, err));
    games_teardown(&all);
}

TEST(games_have_levels) {
    UniformGames all;
    Page page;
    games_setup(&all, "levels");
    page_open(&page, &all);
    static const char LEVEL[] = "{'op':'game.new','id':'g','width':5,'height':5,"
                                "'rules':'chinese','color':'B','level':%s}";
    say(&page, LEVEL, "0.25");
    const json_t *message = heard(&page), *state = json_object_get(message, "state"),
                 *level = json_object_get(state, "level");
    EXPECT_NEAR(0.25, json_number_value(json_object_get(level, "strength")), 0);
    EXPECT_TEXT("strength 0.25", text_of(level, "label"));
    char game[64];
    snprintf(game, sizeof game, "%s", text_of(message, "game"));
    static const struct {
        const char *level, *code;
    } WRONG[] = {{"1.5", "bad_field"}, {"-0.1", "bad_field"}, {"true", "bad_field"},
                 {"[]", "bad_field"},  {"'9k'", "no_level"},  {"'1'", "no_level"}};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        say(&page, LEVEL, WRONG[i].level);
        expect_error(&page, "g", WRONG[i].code, "level");
        say(&page, "{'op':'game.settings','id':'s','game':'%s','level':%s}", game, WRONG[i].level);
        expect_error(&page, "s", WRONG[i].code, "level");
    }
    say(&page, "{'op':'game.settings','id':'s','game':'%s','level':0.5}", game);
    state = json_object_get(heard(&page), "state");
    EXPECT_TEXT("strength 0.50", text_of(json_object_get(state, "level"), "label"));
    expect_ok(&page, "s");
    say(&page, "{'op':'game.settings','id':'s','game':'%s','visits':7}", game);
    state = json_object_get(heard(&page), "state");
    EXPECT_TRUE(json_is_null(json_object_get(state, "level")));
    expect_ok(&page, "s");
    page_close(&page);
    games_teardown(&all);
}

TEST(the_usual_komi_is_that_of_a_new_game) {
    static const struct {
        const char *members;
        double komi;
    } GAMES[] = {{"'width':19,'height':19,'rules':'japanese','color':'B'", 6.5},
                 {"'width':9,'height':9,'rules':'chinese','color':'B'", 7.5},
                 {"'width':7,'height':7,'rules':'chinese','color':'B'", 9},
                 {"'width':9,'height':9,'rules':'japanese','handicap':3,'color':'W'", 0.5}};
    UniformGames all;
    Page page;
    games_setup(&all, "komi");
    page_open(&page, &all);
    for (size_t i = 0; i < sizeof GAMES / sizeof *GAMES; i++) {
        say(&page, "{'op':'game.komi','id':'k',%s}", GAMES[i].members);
        EXPECT_NEAR(GAMES[i].komi, json_number_value(json_object_get(heard(&page), "komi")), 0);
        say(&page, "{'op':'game.new','id':'g',%s}", GAMES[i].members);
        const json_t *state = json_object_get(heard(&page), "state");
        EXPECT_NEAR(GAMES[i].komi, json_number_value(json_object_get(state, "komi")), 0);
    }
    say(&page, "{'op':'game.komi','id':'k','width':9,'height':9,'rules':'chess'}");
    expect_error(&page, "k", "bad_field", "rules");
    say(&page, "{'op':'game.komi','id':'k','width':1,'height':9,'rules':'chinese'}");
    expect_error(&page, "k", "bad_field", "width");
    say(&page, "{'op':'game.komi','id':'k','width':9,'height':9,'rules':'chinese','handicap':10}");
    expect_error(&page, "k", "bad_field", "handicap");
    say(&page, "{'op':'game.komi','id':'k','width':9,'height':9}");
    expect_error(&page, "k", "bad_field", "rules");
    page_close(&page);
    games_teardown(&all);
}

TEST(a_page_cannot_begin_any_number_of_games) {
    UniformGames all;
    Page page, other;
    int begun = 0;
    games_setup(&all, "often");
    page_open(&page, &all);
    for (int i = 0; i < 30; i++) {
        say(&page, "%s", NEW);
        const json_t *message = heard(&page);
        begun += json_object_get(message, "state") != NULL;
    }
    EXPECT_TRUE(begun >= 20 && begun < 25);
    say(&page, "%s", NEW);
    expect_error(&page, "g", "too_often", NULL);
    page_open(&other, &all); /* all pages together have a limit, too; here it is small */
    other.new_games.burst = 1;
    say(&other, "%s", NEW);
    EXPECT_TRUE(json_object_get(heard(&other), "state") != NULL);
    say(&other, "%s", NEW);
    expect_error(&other, "g", "too_often", NULL);
    page_close(&page);
    page_close(&other);
    games_teardown(&all);
}

TEST_MAIN(RUN(a_page_cannot_begin_any_number_of_games), RUN(the_usual_komi_is_that_of_a_new_game),
          RUN(games_have_levels), RUN(pages_ask_about_runs), RUN(slow_requests_are_answered_later),
          RUN(pages_choose_among_the_nets),
          RUN(requests_without_a_net_use_the_one_that_fits_the_board),
          RUN(wrong_messages_are_answered_and_harm_nothing), RUN(wrong_members_are_named),
          RUN(a_message_that_is_sent_twice_plays_once), RUN(two_pages_see_the_same_game),
          RUN(positions_are_analysed_until_the_page_has_enough))
