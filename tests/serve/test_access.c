/* Who may use the server. */
#include "base/error.h"
#include "serve/http/access.h"
#include "test.h"

static int code(const AccessRules *rules, const char *host, const char *origin, const char *token) {
    AccessAnswer answer =
        access_check(rules, &(AccessClaims){.host = host, .origin = origin, .token = token});
    EXPECT_TRUE((answer.code == 0) == (answer.message == NULL));
    return answer.code;
}

TEST(hosts_are_addresses_or_allowed_names) {
    static const char *const GOOD[] = {"localhost",  "LocalHost:8080", "127.0.0.1",
                                       "[::1]:8080", "[::1]",          "192.168.1.20:8080",
                                       "go.example", "Go.Example:80",  "second.example:1"};
    static const char *const WRONG[] = {"",
                                        "evil.example",
                                        "localhost.evil.example",
                                        "127.0.0.1.evil.example:8080",
                                        "go.example.",
                                        "o.example",
                                        "go.example:80x",
                                        "[::1",
                                        "[::1]x",
                                        "::1",
                                        ":8080",
                                        "localhost:80:80",
                                        "2130706433",
                                        "go.example,second.example"};
    const AccessRules rules = {.hosts = "go.example, second.example"};
    for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++)
        EXPECT_INT(0, code(&rules, GOOD[i], NULL, NULL));
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++)
        EXPECT_INT(403, code(&rules, WRONG[i], NULL, NULL));
    EXPECT_INT(400, code(&rules, NULL, NULL, NULL));
    EXPECT_INT(403, code(&(AccessRules){0}, "go.example", NULL, NULL));
    char name[600];
    memset(name, 'a', sizeof name);
    name[sizeof name - 1] = 0;
    EXPECT_INT(403, code(&rules, name, NULL, NULL));
}

TEST(origins_are_the_server_itself_or_allowed_sites) {
    const AccessRules rules = {.origins = "board.example,other.example:8443"};
    const char *host = "127.0.0.1:8080";
    EXPECT_INT(0, code(&rules, host, NULL, NULL)); /* a program, not a browser */
    EXPECT_INT(0, code(&rules, host, "http://127.0.0.1:8080", NULL));
    EXPECT_INT(0, code(&rules, host, "https://127.0.0.1:8080", NULL));
    EXPECT_INT(0, code(&rules, "localhost:8080", "http://LOCALHOST:8080", NULL));
    EXPECT_INT(0, code(&rules, host, "https://board.example", NULL));
    EXPECT_INT(0, code(&rules, host, "https://other.example:8443", NULL));
    static const char *const WRONG[] = {"null",
                                        "",
                                        "http://127.0.0.1",
                                        "http://127.0.0.1:8081",
                                        "http://localhost:8080",
                                        "http://127.0.0.1:80800",
                                        "http://evil.example",
                                        "http://evil.example/://127.0.0.1:8080",
                                        "https://board.example.evil.example",
                                        "https://board.example:444",
                                        "127.0.0.1:8080"};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++)
        EXPECT_INT(403, code(&rules, host, WRONG[i], NULL));
}

static int code_of_fetch(const char *origin, const char *site, const char *mode, const char *path) {
    return access_check(&(AccessRules){.origins = "board.example"},
                        &(AccessClaims){.host = "localhost:8080",
                                        .origin = origin,
                                        .fetch_site = site,
                                        .fetch_mode = mode,
                                        .path = path})
        .code;
}

TEST(other_sites_may_only_link_to_the_page) {
    EXPECT_INT(0, code_of_fetch(NULL, "same-origin", "cors", "/api/v1/server"));
    EXPECT_INT(0, code_of_fetch(NULL, "none", "navigate", "/api/v1/server"));
    EXPECT_INT(0, code_of_fetch(NULL, "cross-site", "navigate", "/"));
    EXPECT_INT(0, code_of_fetch("https://board.example", "cross-site", "websocket", "/ws"));
    static const char *const SITES[] = {"cross-site", "same-site", "", "anything"};
    for (size_t i = 0; i < sizeof SITES / sizeof *SITES; i++) {
        EXPECT_INT(403, code_of_fetch(NULL, SITES[i], "no-cors", "/"));
        EXPECT_INT(403, code_of_fetch(NULL, SITES[i], "navigate", "/api/v1/server"));
        EXPECT_INT(403, code_of_fetch(NULL, SITES[i], NULL, "/"));
        EXPECT_INT(403, code_of_fetch(NULL, SITES[i], "navigate", NULL));
        EXPECT_INT(403, code_of_fetch("http://evil.example", SITES[i], "navigate", "/"));
    }
}

TEST(a_token_is_compared_whole) {
    const AccessRules rules = {.token = "abcdefghijklmnop"};
    EXPECT_INT(0, code(&rules, "localhost", NULL, "abcdefghijklmnop"));
    static const char *const WRONG[] = {NULL,
                                        "",
                                        "a",
                                        "abcdefghijklmno",
                                        "abcdefghijklmnopa",
                                        "abcdefghijklmnopabcdefghijklmnop",
                                        "Abcdefghijklmnop"};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++)
        EXPECT_INT(401, code(&rules, "localhost", NULL, WRONG[i]));
}

TEST(loopback_addresses_are_known) {
    EXPECT_TRUE(access_is_loopback("127.0.0.1"));
    EXPECT_TRUE(access_is_loopback("127.9.8.7"));
    EXPECT_TRUE(access_is_loopback("::1"));
    EXPECT_FALSE(access_is_loopback("0.0.0.0"));
    EXPECT_FALSE(access_is_loopback("192.168.1.1"));
    EXPECT_FALSE(access_is_loopback("::"));
    EXPECT_FALSE(access_is_loopback("localhost"));
}

TEST_MAIN(RUN(hosts_are_addresses_or_allowed_names),
          RUN(origins_are_the_server_itself_or_allowed_sites),
          RUN(other_sites_may_only_link_to_the_page), RUN(a_token_is_compared_whole),
          RUN(loopback_addresses_are_known))
