/* fuzz_gtp_client.c - takes any bytes as the output of a GTP program. Usually the program writes
 * all of them at the first command. Then the client and first_answer() must find the same answer
 * in them. If the input begins with '%', the program plays a game instead, and each command gets
 * the next answer. Then the game must have a result or end with a message. */
#include "fuzz.h"

#include <signal.h>

#include "base/log.h"
#include "base/strbuf.h"
#include "play/match/gtp_client.h"
#include "play/match/match.h"

enum { SECONDS = 20 };

static Path replies;
static char command[512];

static void begin(void) {
    if (*command) return;
    signal(SIGPIPE, SIG_IGN);
    log_to_stderr(LOG_ERROR);
    replies = fuzz_path("replies");
    snprintf(command, sizeof command,
             "exec 3<'%.200s'; while read -r command; do answered=; while :; do "
             "IFS= read -r line <&3 || { printf %%s \"$line\"; exit; }; "
             "printf '%%s\\n' \"$line\"; "
             "case $line in [=?]*) answered=yes ;; '') [ ! $answered ] || break ;; esac; "
             "done; done",
             replies.text);
}

/* Returns a copy of the bytes without '\r' and without zeros. The caller frees it by free(). */
static char *printed(const uint8_t *bytes, size_t count) {
    char *text = fuzz_text(bytes, count), *to = text;
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] && bytes[i] != '\r') *to++ = (char)bytes[i];
    }
    *to = 0;
    return text;
}

/* Returns where the first answer begins, and sets `*length` to its length without the empty line
 * that ends it. Returns NULL if the first answer does not end. */
static const char *first_answer(const char *text, size_t *length) {
    for (const char *line = text; *line; line += *line == '\n') {
        const char *end = strstr(line, "\n\n");
        *length = end ? (size_t)(end - line) : 0;
        if (*line == '=' || *line == '?') return end ? line : NULL;
        line += strcspn(line, "\n");
    }
    return NULL;
}

/* Checks the answer to the first command, at which the program writes all bytes. */
static void check_ask(const uint8_t *bytes, size_t count) {
    char all[512];
    const char *answer;
    size_t length;
    GtpClient *client;
    Error fault = {0};
    fuzz_write(replies.text, bytes, count);
    snprintf(all, sizeof all, "read -r command; cat '%.300s'", replies.text);
    CHECK(!gtp_client_start(all, &client, NULL));
    Status status = gtp_client_ask(client, SECONDS, &answer, &fault, "name");
    char *text = printed(bytes, count);
    const char *want = first_answer(text, &length);
    CHECK(!status || *fault.message);
    CHECK(want ? status == (*want == '?' ? ERR_ILLEGAL : OK) : status == ERR_IO);
    if (want) {
        size_t skip = 1 + strcspn(want + 1, " \t\n");
        skip += strspn(want + skip, " \t");
        size_t rest = skip < length ? length - skip : 0;
        CHECK(strlen(answer) == rest && memcmp(answer, want + skip, rest) == 0);
    }
    free(text);
    gtp_client_stop(client);
}

static void check_game(const uint8_t *bytes, size_t count) {
    MatchSetup setup = {.games = 1,
                        .width = 3,
                        .height = 3,
                        .rules = rules_tromp_taylor(),
                        .threads = 1,
                        .seed = 1,
                        .move_limit = 12};
    MatchResult result;
    Error fault = {0};
    fuzz_write(replies.text, bytes, count);
    CHECK(!player_parse("random", &setup.players[0], NULL));
    setup.players[1] = (PlayerSpec){.kind = PLAYER_GTP, .name = "fuzz", .move_seconds = SECONDS};
    snprintf(setup.players[1].command, sizeof setup.players[1].command, "%s", command);
    Status status = match_run(&setup, &result, &fault);
    CHECK(!status || *fault.message);
    CHECK(result.games >= 0 && result.games <= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    begin();
    if (count && *bytes == '%')
        check_game(bytes + 1, count - 1);
    else
        check_ask(bytes, count);
    return 0;
}
