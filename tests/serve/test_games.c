/* The table of games: files, restarts, viewers, the engine's answers, and limits. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/uniform_games.h"

typedef struct {
    char last[4096];
    int count;
} Heard;

static bool hear(void *context, const char *text, size_t length) {
    Heard *heard = context;
    snprintf(heard->last, sizeof heard->last, "%.*s", (int)length, text);
    heard->count++;
    return true;
}

static GameEntry *begin(UniformGames *all, Color person) {
    Fault fault = {0};
    GameSetup setup = small_game(person);
    GameEntry *entry = games_begin(all->games, &setup, NULL, &fault);
    if (!entry) fail_msg("%s", fault.message);
    return entry;
}

static GameEntry *find(UniformGames *all, const char *name) {
    Fault fault = {0};
    GameEntry *entry = games_find(all->games, name, &fault);
    if (!entry) fail_msg("%s", fault.message);
    return entry;
}

static void play(UniformGames *all, GameEntry *entry, const char *move) {
    Fault fault = {0};
    if (!game_play(games_game(entry), move, &fault)) fail_msg("%s", fault.message);
    games_changed(all->games, entry, true);
}

/* Plays the first move that is legal, since the engine may have moved anywhere. */
static void play_anywhere(UniformGames *all, GameEntry *entry) {
    Fault fault = {0};
    bool played = false;
    for (int i = 0; i < 25 && !played; i++)
        played = game_play(games_game(entry), point_text(move_at_index(i, 5, 5), 5).text, &fault);
    if (!played) fail_msg("%s", fault.message);
    games_changed(all->games, entry, true);
}

static void expect_missing(UniformGames *all, const char *name, const char *code) {
    Fault fault = {0};
    EXPECT_TRUE(games_find(all->games, name, &fault) == NULL);
    EXPECT_TEXT(code, fault.code);
    EXPECT_TEXT("game", fault.field);
}

TEST(the_engine_moves) {
    UniformGames all;
    games_setup(&all, "moves");
    GameEntry *entry = begin(&all, COLOR_WHITE);
    EXPECT_TRUE(game_is_waiting(games_game(entry)));
    wait_for_engine(&all, entry);
    EXPECT_INT(1, game_moves(games_game(entry)));
    play_anywhere(&all, entry);
    wait_for_engine(&all, entry);
    EXPECT_INT(3, game_moves(games_game(entry)));
    EXPECT_TRUE(atomic_load(&all.wakes) >= 2);
    games_teardown(&all);
}

TEST(a_move_that_is_taken_back_is_not_answered) {
    UniformGames all;
    Fault fault = {0};
    games_setup(&all, "undo");
    GameEntry *entry = begin(&all, COLOR_BLACK);
    for (int i = 0; i < 20; i++) {
        game_set_visits(games_game(entry), i % 2 ? 2 : SERVED_VISITS_MAX);
        play(&all, entry, "C3");
        EXPECT_TRUE(game_undo(games_game(entry), &fault));
        games_changed(all.games, entry, true);
        if (i % 3 == 0) clock_sleep_ms(1);
        all_tend(&all);
        EXPECT_INT(0, game_moves(games_game(entry)));
    }
    game_set_visits(games_game(entry), 2);
    play(&all, entry, "C3");
    wait_for_engine(&all, entry);
    EXPECT_INT(2, game_moves(games_game(entry)));
    games_teardown(&all);
}

TEST(a_restart_loses_nothing) {
    UniformGames all;
    char names[3][GAME_NAME_LENGTH + 1];
    json_t *states[3];
    games_setup(&all, "restart");
    for (int i = 0; i < 3; i++) {
        GameEntry *entry = begin(&all, i ? COLOR_BLACK : COLOR_WHITE);
        for (int k = 0; k < i; k++) {
            wait_for_engine(&all, entry);
            play_anywhere(&all, entry);
        }
        wait_for_engine(&all, entry);
        snprintf(names[i], sizeof names[i], "%s", games_name(entry));
        states[i] = games_state(entry);
    }
    games_close(&all);
    games_open(&all);
    for (int i = 0; i < 3; i++) {
        json_t *state = games_state(find(&all, names[i]));
        if (!json_equal(states[i], state)) fail_msg("game %d has changed", i);
        json_decref(state);
        json_decref(states[i]);
    }
    games_teardown(&all);
}

TEST(a_restart_while_the_engine_thinks_asks_it_again) {
    UniformGames all;
    Fault fault = {0};
    Heard heard = {.count = 0};
    GameViewer viewer = {hear, &heard};
    char name[GAME_NAME_LENGTH + 1];
    games_setup(&all, "thinks");
    GameEntry *entry = begin(&all, COLOR_BLACK);
    snprintf(name, sizeof name, "%s", games_name(entry));
    game_set_visits(games_game(entry), SERVED_VISITS_MAX);
    play(&all, entry, "C3");
    game_set_visits(games_game(entry), 2);
    games_changed(all.games, entry, false); /* the search goes on; the file gets the new setting */
    EXPECT_TRUE(game_is_waiting(games_game(entry)));
    games_close(&all);
    games_open(&all);
    StrBuf sgf = {0};
    EXPECT_TRUE(games_write(all.games, name, &sgf)); /* from the file; nothing is searched */
    EXPECT_CONTAINS(sgf.text, "B[cc]");
    strbuf_clear(&sgf);
    entry = find(&all, name);
    EXPECT_TRUE(game_is_waiting(games_game(entry)));
    for (int i = 0; i < 50; i++) {
        clock_sleep_ms(1);
        all_tend(&all);
    }
    EXPECT_INT(1, game_moves(games_game(entry))); /* nobody watches */
    EXPECT_TRUE(games_watch(entry, &viewer, &fault));
    wait_for_engine(&all, entry);
    EXPECT_INT(2, game_moves(games_game(entry)));
    games_teardown(&all);
}

TEST(names_lead_nowhere_else_and_bad_files_are_refused) {
    static const char *const NOWHERE[] = {
        "",
        "0123456789abcdef0123456789abcdef",
        "../../../../../../../../etc/passwd",
        "..%2f..%2f..%2f..%2fetc%2fpasswd",
        "/etc/passwd/////////////////////",
        "0123456789ABCDEF0123456789ABCDEF",
        "0123456789abcdef0123456789abcdef0",
    };
    static const char BAD[] = "fedcba9876543210fedcba9876543210", FIFO[] = "f1f0",
                      HUGE_FILE[] = "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbb";
    char path[300];
    static char big[1 << 18];
    UniformGames all;
    games_setup(&all, "names");
    for (size_t i = 0; i < sizeof NOWHERE / sizeof *NOWHERE; i++)
        expect_missing(&all, NOWHERE[i], "no_game");
    EXPECT_OK(directory_make(all.folder, err));
    snprintf(path, sizeof path, "%s/%s.sgf", all.folder, BAD);
    EXPECT_OK(file_write(path, "(;GM[1]SZ[5];B[aa]", 18, err));
    expect_missing(&all, BAD, "bad_file");
    memset(big, ' ', sizeof big);
    snprintf(path, sizeof path, "%s/%s.sgf", all.folder, HUGE_FILE);
    EXPECT_OK(file_write(path, big, sizeof big, err));
    expect_missing(&all, HUGE_FILE, "bad_file");
    snprintf(path, sizeof path, "%s/%s%s%s%s%s%s%s%s.sgf", all.folder, FIFO, FIFO, FIFO, FIFO, FIFO,
             FIFO, FIFO, FIFO);
    EXPECT_INT(0, mkfifo(path, 0600));
    /* Nobody writes into the FIFO; the server must not wait for that. */
    expect_missing(&all, "f1f0f1f0f1f0f1f0f1f0f1f0f1f0f1f0", "no_game");
    json_t *list = games_list(all.games);
    EXPECT_INT(0, json_array_size(list));
    json_decref(list);
    games_teardown(&all);
}

/* Waits until the viewer has been sent these words. */
static void wait_for_words(UniformGames *all, Heard *heard, const char *words) {
    for (int i = 0; i < 20000 && !strstr(heard->last, words); i++) {
        clock_sleep_ms(1);
        all_tend(all);
    }
    EXPECT_CONTAINS(heard->last, words);
}

TEST(viewers_are_told_of_changes_until_they_leave) {
    UniformGames all;
    Fault fault = {0};
    Heard one = {.count = 0}, two = {.count = 0};
    GameViewer first = {hear, &one}, second = {hear, &two};
    games_setup(&all, "viewers");
    GameEntry *entry = begin(&all, COLOR_BLACK);
    EXPECT_TRUE(games_watch(entry, &first, &fault));
    EXPECT_TRUE(games_watch(entry, &first, &fault)); /* a second call changes nothing */
    EXPECT_TRUE(games_watch(entry, &second, &fault));
    play(&all, entry, "C3");
    EXPECT_INT(1, one.count);
    EXPECT_TEXT(one.last, two.last);
    EXPECT_CONTAINS(one.last, "\"topic\":\"game\"");
    EXPECT_CONTAINS(one.last, "\"thinking\":true");
    games_leave(all.games, &first);
    wait_for_engine(&all, entry);
    EXPECT_INT(1, one.count);
    EXPECT_INT(2, two.count);
    EXPECT_CONTAINS(two.last, "\"thinking\":false");
    games_teardown(&all);
}

TEST(a_game_goes_on_without_its_file) {
    UniformGames all;
    Fault fault = {0};
    Heard heard = {.count = 0};
    GameViewer viewer = {hear, &heard};
    games_setup(&all, "blocked");
    EXPECT_OK(file_write(all.folder, "a file in place of the folder", 29, err));
    GameEntry *entry = begin(&all, COLOR_BLACK);
    EXPECT_TRUE(games_watch(entry, &viewer, &fault));
    wait_for_words(&all, &heard, "\"error\":\"The game cannot be saved: ");
    play(&all, entry, "C3");
    wait_for_engine(&all, entry);
    EXPECT_INT(2, game_moves(games_game(entry)));
    EXPECT_CONTAINS(heard.last, "\"error\":\"The game cannot be saved: ");
    EXPECT_OK(file_remove(all.folder, err));
    games_retry(all.games, entry); /* saves the game */
    for (int i = 0; i < 20000 && strstr(heard.last, "\"error\""); i++) {
        clock_sleep_ms(1);
        all_tend(&all);
    }
    EXPECT_TRUE(strstr(heard.last, "\"error\"") == NULL);
    games_teardown(&all);
}

TEST(a_game_that_could_not_be_saved_is_saved_at_the_end) {
    UniformGames all;
    char name[GAME_NAME_LENGTH + 1];
    games_setup(&all, "late");
    EXPECT_OK(file_write(all.folder, "a file in place of the folder", 29, err));
    GameEntry *entry = begin(&all, COLOR_BLACK);
    snprintf(name, sizeof name, "%s", games_name(entry));
    json_t *state = NULL;
    for (int i = 0; i < 20000 && !json_object_get(state, "error"); i++) {
        json_decref(state);
        clock_sleep_ms(1);
        all_tend(&all);
        state = games_state(entry);
    }
    EXPECT_TRUE(json_object_get(state, "error") != NULL);
    json_decref(state);
    EXPECT_OK(file_remove(all.folder, err));
    games_close(&all);
    games_open(&all);
    (void)find(&all, name);
    games_teardown(&all);
}

TEST(a_viewer_watches_one_game) {
    UniformGames all;
    Fault fault = {0};
    Heard heard = {.count = 0};
    GameViewer viewer = {hear, &heard};
    games_setup(&all, "one");
    GameEntry *one = begin(&all, COLOR_BLACK), *two = begin(&all, COLOR_BLACK);
    EXPECT_TRUE(games_watch(one, &viewer, &fault));
    EXPECT_TRUE(games_watch(two, &viewer, &fault));
    play(&all, one, "C3");
    EXPECT_INT(0, heard.count);
    play(&all, two, "C3");
    EXPECT_INT(1, heard.count);
    games_teardown(&all);
}

TEST(games_that_were_not_used_for_long_leave_the_memory) {
    UniformGames all;
    Fault fault = {0};
    char first[GAME_NAME_LENGTH + 1];
    Heard heard = {.count = 0};
    GameViewer viewer = {hear, &heard};
    games_setup(&all, "many");
    GameEntry *entry = begin(&all, COLOR_BLACK);
    snprintf(first, sizeof first, "%s", games_name(entry));
    GameEntry *watched = begin(&all, COLOR_BLACK);
    EXPECT_TRUE(games_watch(watched, &viewer, &fault));
    for (int i = 0; i < GAMES_MAX + 10; i++) {
        GameSetup setup = small_game(COLOR_BLACK);
        for (int k = 0; k < 20000 && !games_begin(all.games, &setup, NULL, &fault); k++) {
            EXPECT_TEXT("too_many_games", fault.code); /* until the files are written */
            fault = (Fault){0};
            clock_sleep_ms(1);
            all_tend(&all);
        }
    }
    for (int k = 0; k < 20000 && !games_find(all.games, first, &fault); k++) {
        EXPECT_TEXT("too_many_games", fault.code);
        fault = (Fault){0};
        clock_sleep_ms(1);
        all_tend(&all);
    }
    play(&all, watched, "C3"); /* it has stayed, since somebody watches it */
    EXPECT_INT(1, heard.count);
    json_t *list = games_list(all.games);
    EXPECT_INT(GAMES_LISTED, json_array_size(list));
    json_decref(list);
    games_teardown(&all);
}

static GameEntry *begin_with(UniformGames *all, const char *net) {
    Fault fault = {0};
    GameSetup setup = small_game(COLOR_WHITE);
    setup.net = net;
    GameEntry *entry = games_begin(all->games, &setup, NULL, &fault);
    if (!entry) fail_msg("%s", fault.message);
    return entry;
}

static void expect_net(const GameEntry *entry, const char *net, const char *player) {
    json_t *state = games_state(entry);
    EXPECT_TEXT(net, json_string_value(json_object_get(state, "net")));
    EXPECT_TEXT(player, json_string_value(json_object_get(state, "black")));
    json_decref(state);
}

TEST(games_play_with_the_nets_that_they_name) {
    UniformGames all;
    Fault fault = {0};
    char name[GAME_NAME_LENGTH + 1];
    GameSetup setup = small_game(COLOR_WHITE);
    games_setup(&all, "nets");
    GameEntry *first = begin_with(&all, NULL), *second = begin_with(&all, "second");
    expect_net(first, "first", "Aji First");
    expect_net(second, "second", "Aji Second");
    wait_for_engine(&all, first);
    wait_for_engine(&all, second);
    EXPECT_INT(2, engines_loaded(all.engines));
    GameEntry *third = begin_with(&all, "third");
    wait_for_engine(&all, third);
    EXPECT_INT(1, game_moves(games_game(third)));
    EXPECT_INT(2, engines_loaded(all.engines)); /* one has made room */
    GameEntry *bad = begin_with(&all, "bad");
    wait_for_engine(&all, bad);
    json_t *state = games_state(bad);
    EXPECT_CONTAINS(json_string_value(json_object_get(state, "error")), "bad.aji is no net");
    json_decref(state);
    setup.net = "unknown";
    EXPECT_TRUE(games_begin(all.games, &setup, NULL, &fault) == NULL);
    EXPECT_TEXT("no_net", fault.code);
    snprintf(name, sizeof name, "%s", games_name(second));
    games_close(&all);
    games_open(&all);
    expect_net(find(&all, name), "second", "Aji Second");
    games_teardown(&all);
}

TEST(a_game_whose_net_is_gone_goes_on_with_the_first_net) {
    UniformGames all;
    static const char NAME[] = "0123456789abcdef0123456789abcdef",
                      SGF[] = "(;FF[4]GM[1]SZ[5]RU[Chinese]KM[7.5]PB[Aji Old]PW[You]AJIG[{\"color\""
                              ":\"W\",\"visits\":2,\"rules\":\"chinese\",\"plays_on\":false,"
                              "\"net\":\"old\"}];B[cc])";
    char path[300];
    games_setup(&all, "gone");
    EXPECT_OK(directory_make(all.folder, err));
    snprintf(path, sizeof path, "%s/%s.sgf", all.folder, NAME);
    EXPECT_OK(file_write(path, SGF, sizeof SGF - 1, err));
    expect_net(find(&all, NAME), "first", "Aji First");
    games_teardown(&all);
}

TEST(games_that_cannot_be_saved_stay_in_memory) {
    UniformGames all;
    Fault fault = {0};
    GameSetup setup = small_game(COLOR_BLACK);
    games_setup(&all, "full");
    EXPECT_OK(file_write(all.folder, "a file in place of the folder", 29, err));
    for (int i = 0; i < GAMES_MAX; i++)
        (void)begin(&all, COLOR_BLACK);
    for (int i = 0; i < 100; i++) {
        EXPECT_TRUE(games_begin(all.games, &setup, NULL, &fault) == NULL);
        EXPECT_TEXT("too_many_games", fault.code);
        clock_sleep_ms(1);
        all_tend(&all);
    }
    games_close(&all);
    EXPECT_OK(file_remove(all.folder, err));
}

TEST(the_list_begins_with_the_last_change) {
    UniformGames all;
    char path[300];
    games_setup(&all, "list");
    GameEntry *old = begin(&all, COLOR_BLACK);
    char name[GAME_NAME_LENGTH + 1];
    snprintf(name, sizeof name, "%s", games_name(old));
    games_close(&all);
    snprintf(path, sizeof path, "%s/%s.sgf", all.folder, name);
    EXPECT_INT(
        0, utimensat(AT_FDCWD, path, (struct timespec[2]){{.tv_sec = 1000}, {.tv_sec = 1000}}, 0));
    games_open(&all);
    GameEntry *entry = begin(&all, COLOR_BLACK);
    play(&all, entry, "C3");
    wait_for_engine(&all, entry);
    json_t *list = games_list(all.games), *first = json_array_get(list, 0),
           *second = json_array_get(list, 1);
    EXPECT_INT(2, json_array_size(list));
    EXPECT_TEXT(games_name(entry), json_string_value(json_object_get(first, "game")));
    EXPECT_INT(2, json_integer_value(json_object_get(first, "moves")));
    EXPECT_TRUE(json_is_null(json_object_get(first, "result")));
    EXPECT_TEXT("You", json_string_value(json_object_get(first, "black")));
    EXPECT_TEXT(name, json_string_value(json_object_get(second, "game")));
    EXPECT_INT(1000, json_integer_value(json_object_get(second, "changed")));
    json_decref(list);
    games_teardown(&all);
}

TEST_MAIN(RUN(the_engine_moves), RUN(a_move_that_is_taken_back_is_not_answered),
          RUN(a_restart_loses_nothing), RUN(a_restart_while_the_engine_thinks_asks_it_again),
          RUN(names_lead_nowhere_else_and_bad_files_are_refused),
          RUN(viewers_are_told_of_changes_until_they_leave), RUN(a_game_goes_on_without_its_file),
          RUN(a_game_that_could_not_be_saved_is_saved_at_the_end), RUN(a_viewer_watches_one_game),
          RUN(games_play_with_the_nets_that_they_name),
          RUN(a_game_whose_net_is_gone_goes_on_with_the_first_net),
          RUN(games_that_were_not_used_for_long_leave_the_memory),
          RUN(games_that_cannot_be_saved_stay_in_memory), RUN(the_list_begins_with_the_last_change))
