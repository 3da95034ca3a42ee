#include "serve/http/access.h"

#include <arpa/inet.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

enum { HOST_MAX = 256 };

/* Whether the list, whose words are separated by commas, has the word. Case does not matter. */
static bool has_word(const char *list, const char *word) {
    size_t wanted = strlen(word);
    while (list && *list) {
        list += strspn(list, ", ");
        size_t length = strcspn(list, ", ");
        if (length == wanted && length > 0 && strncasecmp(list, word, length) == 0) return true;
        list += length;
    }
    return false;
}

/* Copies the name of "NAME" or "NAME:PORT", without the brackets of an IPv6 address. Returns false
 * if the text has another form. */
static bool host_name(const char *host, char name[HOST_MAX]) {
    bool bracket = *host == '[';
    const char *begin = host + bracket;
    size_t length = strcspn(begin, bracket ? "]" : ":");
    const char *rest = begin + length;
    if (bracket && *rest != ']') return false;
    rest += bracket;
    if (*rest == ':') rest += 1 + strspn(rest + 1, "0123456789");
    if (!length || length >= HOST_MAX || *rest) return false;
    memcpy(name, begin, length);
    name[length] = 0;
    return true;
}

bool access_is_address(const char *text) {
    struct in6_addr address;
    return inet_pton(AF_INET, text, &address) == 1 || inet_pton(AF_INET6, text, &address) == 1;
}

bool access_is_loopback(const char *address) {
    struct in_addr number;
    if (inet_pton(AF_INET, address, &number) == 1) return ntohl(number.s_addr) >> 24 == 127;
    return strcmp(address, "::1") == 0;
}

/* A page that reaches this machine by DNS rebinding has a name in Host, never an address. */
static bool is_own_host(const AccessRules *rules, const char *host) {
    char name[HOST_MAX];
    return host_name(host, name) && (strcasecmp(name, "localhost") == 0 ||
                                     access_is_address(name) || has_word(rules->hosts, name));
}

/* Whether the origin, "SCHEME://HOST:PORT", is that of `host` or of an allowed site. The scheme
 * does not matter, since some clients write http for a page of https. */
static bool is_own_origin(const AccessRules *rules, const char *host, const char *origin) {
    const char *site = strstr(origin, "://");
    if (!site) return false; /* such as "null", which a file or a sandboxed frame sends */
    site += 3;
    return strcasecmp(site, host) == 0 || has_word(rules->origins, site);
}

/* Whether a page of another site has caused the request. Browsers also say this in requests without
 * Origin, such as those for pictures and scripts. */
static bool is_foreign(const AccessClaims *claims) {
    const char *site = claims->fetch_site;
    return site && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0;
}

/* Whether somebody follows a link to the page. */
static bool is_link_to_page(const AccessClaims *claims) {
    return claims->fetch_mode && strcmp(claims->fetch_mode, "navigate") == 0 && claims->path &&
           strcmp(claims->path, "/") == 0;
}

/* The time of the comparison does not depend on how many characters are right. */
static bool is_same_secret(const char *secret, const char *given) {
    size_t length = strlen(secret), given_length = strlen(given);
    unsigned char difference = length != given_length;
    for (size_t i = 0; i < length; i++)
        difference |= (unsigned char)(secret[i] ^ given[given_length ? i % given_length : 0]);
    return difference == 0;
}

AccessAnswer access_check(const AccessRules *rules, const AccessClaims *claims) {
    if (!claims->host)
        return (AccessAnswer){400, "The request has no header Host, which HTTP/1.1 requires."};
    if (!is_own_host(rules, claims->host))
        return (AccessAnswer){403, "This server does not go by that name. Use its address in "
                                   "numbers, or start it with --allow-host NAME."};
    if (claims->origin && !is_own_origin(rules, claims->host, claims->origin))
        return (AccessAnswer){403, "Pages of other sites may not use this server. Start it with "
                                   "--allow-origin HOST:PORT to allow the pages of a site."};
    if (!claims->origin && is_foreign(claims) && !is_link_to_page(claims))
        return (AccessAnswer){403, "Pages of other sites may only link to the page of this "
                                   "server, at the path /."};
    if (rules->token && (!claims->token || !is_same_secret(rules->token, claims->token)))
        return (AccessAnswer){401, "The token is missing or wrong. Use the whole address that the "
                                   "server printed when it started."};
    return (AccessAnswer){0};
}
