/* Replays GTP sessions that were recorded from KataGo. Compares the answers that do not depend on
 * the net, for the commands that Aji knows. */
#include <unistd.h>

#include "golden.h"
#include "gtp_talk.h"

typedef struct {
    bool rules_lost, board_lost; /* rules or board may now differ from those of KataGo */
    int compared, skipped;
    const char *session;
} Replay;

static bool is_word(const char *command, const char *word) {
    size_t length = strlen(word);
    return strncmp(command, word, length) == 0 && (!command[length] || command[length] == ' ');
}

static const char *without_id(const char *text) {
    return text + strspn(text, "0123456789 ");
}

/* Whether answers to this command are in Aji's own words, depend on the net, or have a form that
 * only KataGo has. */
static bool has_own_answer(const char *command) {
    static const char *const OWN[] = {"name",      "version", "list_commands", "known_command",
                                      "showboard", "genmove", "quit"};
    for (size_t i = 0; i < sizeof OWN / sizeof *OWN; i++) {
        if (is_word(command, OWN[i])) return true;
    }
    return false;
}

static bool is_known(Talk *talk, const char *command) {
    char line[160];
    if (is_word(command, "kata-set-params")) return true; /* it is answered, but not listed */
    snprintf(line, sizeof line, "known_command %.*s", (int)strcspn(command, " "), command);
    return strcmp(talk_ask(talk, line), "= true") == 0;
}

static bool is_comparable(const Replay *replay, const char *command, const char *want) {
    if (has_own_answer(command) || strncmp(want, "= Expected", 10) == 0 ||
        strstr(want, "not supported by this neural net"))
        return false;
    bool of_board = is_word(command, "printsgf") || is_word(command, "final_score") ||
                    is_word(command, "final_status_list");
    bool given = *want == '=';
    if (given && (is_word(command, "kata-raw-nn") || is_word(command, "kata-list-params") ||
                  strcmp(command, "kata-get-param maxVisits") == 0))
        return false; /* depends on the net, or on settings of that session */
    if (replay->board_lost && (of_board || is_word(command, "play") || is_word(command, "undo") ||
                               strstr(command, "handicap")))
        return false;
    if (replay->rules_lost &&
        (of_board || is_word(command, "kata-get-rules") || is_word(command, "play")))
        return false;
    return true;
}

/* Returns whether final_score and final_status_list do not depend on the net: the game is over,
 * which printsgf shows by RE, and friendly passes are off. */
static bool is_over(Talk *talk) {
    if (strstr(talk_ask(talk, "kata-get-rules"), "\"friendlyPassOk\":true")) return false;
    return strstr(talk_ask(talk, "printsgf"), "RE[") != NULL;
}

static void note_changes(Replay *replay, const char *command, bool known, const char *want) {
    if (strstr(want, "not supported by this neural net"))
        replay->rules_lost = true; /* accepted here, since there is no net */
    if (*want != '=') return;
    if (!known && (is_word(command, "kata-set-rule") || is_word(command, "kgs-rules")))
        replay->rules_lost = true;
    if (!known && is_word(command, "set_position")) replay->board_lost = true;
    if (is_word(command, "kata-set-rules")) replay->rules_lost = false;
    if (is_word(command, "clear_board") || is_word(command, "boardsize"))
        replay->board_lost = false;
}

static void compare(Replay *replay, const char *command, const char *want, const char *got) {
    if (*want == '?' && *got == '?') return; /* the words of a refusal are our own */
    bool param =
        strncmp(command, "kata-get-param", 14) == 0 || strncmp(command, "kata-set-param", 14) == 0;
    if (param && (strstr(got, "Invalid parameter") || strstr(got, "Unrecognized")))
        return; /* a parameter that Aji does not have */
    if (strcmp(want, got) != 0)
        fail_msg("%s: %s: \"%s\", wanted \"%s\"", replay->session, command, got, want);
}

static void replay_line(Replay *replay, Talk *talk, const json_t *exchange) {
    const char *line = NULL, *want = json_string_value(json_object_get(exchange, "resp"));
    EXPECT_OK(json_member_text(exchange, "cmd", true, &line, err));
    const char *command = without_id(line);
    bool known = is_known(talk, command);
    bool asks_net = (is_word(command, "final_score") || is_word(command, "final_status_list")) &&
                    strcmp(command, "final_status_list seki") != 0;
    bool skip = !known || !want || !is_comparable(replay, command, want) ||
                (asks_net && !is_over(talk) && *want == '=');
    if (strncmp(command, "time_left", 9) == 0 || strncmp(line, "play  ", 6) == 0)
        skip = true;                                        /* KataGo is stricter */
    bool refused_there_only = skip && want && *want == '?'; /* Aji might accept it */
    if (known && !is_word(command, "quit") && !refused_there_only) {
        const char *got = talk_ask(talk, line);
        if (!skip) compare(replay, line, want, got);
    }
    replay->compared += !skip;
    replay->skipped += skip;
    if (want) note_changes(replay, command, known, want);
}

/* Finds "name=value" among the settings of a session; `name` ends with the "=". Returns whether it
 * is there. */
static bool setting(const char *config, const char *name, char value[64]) {
    const char *at = config ? strstr(config, name) : NULL;
    if (!at) return false;
    at += strlen(name);
    snprintf(value, 64, "%.*s", (int)strcspn(at, ","), at);
    return true;
}

static int replay_session(const json_t *row) {
    Replay replay = {0};
    const char *config = json_string_value(json_object_get(row, "config"));
    char value[64];
    EXPECT_OK(json_member_text(row, "session", true, &replay.session, err));
    if (setting(config, "ignoreGTPAndForceKomi=", value)) return 0; /* this test does not set it */
    Talk talk = talk_begin(setting(config, "defaultBoardSize=", value) ? atoi(value) : 19);
    if (setting(config, "koRule=", value)) replay.rules_lost = true;
    size_t index;
    const json_t *exchange;
    bool komi_known = !replay.rules_lost;
    json_array_foreach(json_object_get(row, "exchanges"), index, exchange) {
        const char *line = json_string_value(json_object_get(exchange, "cmd"));
        if (line && strncmp(line, "komi ", 5) == 0) komi_known = true;
        if (line && strcmp(line, "get_komi") == 0 && !komi_known) continue;
        replay_line(&replay, &talk, exchange);
    }
    talk_end(&talk);
    return replay.compared;
}

static void count_session(const json_t *row, void *compared) {
    *(int *)compared += replay_session(row);
}

TEST(sessions_of_katago_go_the_same_way) {
    int compared = 0,
        sessions = golden_rows("protocol/gtp_sessions.jsonl", count_session, &compared);
    print_message("%d sessions, %d answers compared\n", sessions, compared);
    EXPECT_TRUE(compared > 0);
}

/* Compares the komi, the rules and the game after loadsgf. */
static void check_sgf(const json_t *row, void *context) {
    (void)context;
    const char *sgf = NULL, *want = NULL, *name = NULL;
    char path[64] = "/tmp/test_golden_gtp_XXXXXX", line[128];
    static const struct {
        const char *key, *command;
    } ASKED[] = {{"komi", "get_komi"}, {"rules", "kata-get-rules"}, {"printsgf", "printsgf"}};
    EXPECT_OK(json_member_text(row, "sgf", true, &sgf, err));
    EXPECT_OK(json_member_text(row, "name", true, &name, err));
    EXPECT_OK(json_member_text(row, "loadsgf", true, &want, err));
    SessionSetup setup = talk_setup(19, talk_evaluator);
    setup.gtp.longest_variation = true;
    Talk talk = talk_begin_as(&setup);
    EXPECT_OK(file_write((close(mkstemp(path)), path), sgf, strlen(sgf), err));
    snprintf(line, sizeof line, "loadsgf %s", path);
    const char *got = talk_ask(&talk, line);
    if (*got != *want) fail_msg("%s: \"%s\", wanted \"%s\"", name, got, want);
    for (size_t i = 0; *want == '=' && i < sizeof ASKED / sizeof *ASKED; i++) {
        const char *answer = json_string_value(json_object_get(row, ASKED[i].key));
        got = talk_ask(&talk, ASKED[i].command);
        if (answer && strcmp(got, answer) != 0)
            fail_msg("%s: %s: \"%s\", wanted \"%s\"", name, ASKED[i].command, got, answer);
    }
    unlink(path);
    talk_end(&talk);
}

TEST(files_are_loaded_as_by_katago) {
    golden_rows("sgf/loadsgf.jsonl", check_sgf, NULL);
}

TEST_MAIN(RUN(sessions_of_katago_go_the_same_way), RUN(files_are_loaded_as_by_katago))
