/* access.h - decides who may use the server. Without these rules, a web page of any site could use
 * the server as soon as a browser shows the page. The page could open a WebSocket to this machine
 * (cross-site WebSocket hijacking, RFC 6455 section 10.2). Or the site of the page could have a
 * name that leads to this machine (DNS rebinding).
 * Threading: immutable values and free functions. */
#pragma once
#include <stdbool.h>

typedef struct {
    /* Names by which clients may call this machine, besides localhost and addresses in numbers;
     * separated by commas. NULL: none. */
    const char *hosts;
    /* HOST:PORT of the sites, besides this server itself, whose pages may use the server; separated
     * by commas. NULL: none. */
    const char *origins;
    const char *token; /* the secret that clients must know; NULL if there is none */
} AccessRules;

/* What a request says about itself. A field is NULL if the request lacks it. */
typedef struct {
    const char *host;   /* the header Host, such as "127.0.0.1:8080" */
    const char *origin; /* the header Origin, which browsers send: "http://127.0.0.1:8080" */
    const char *token;  /* what the client gives as the secret */
    /* Where browsers say that the request comes from: the headers Sec-Fetch-Site and Sec-Fetch-Mode
     * (W3C, Fetch Metadata Request Headers). */
    const char *fetch_site, *fetch_mode;
    const char *path; /* without the query part */
} AccessClaims;

typedef struct {
    int code;            /* 0 if the request is allowed; otherwise the code of the HTTP answer */
    const char *message; /* what is wrong and what to do, for the client */
} AccessAnswer;

/* Decides about a request. */
AccessAnswer access_check(const AccessRules *rules, const AccessClaims *claims);
/* Whether the text is an address in numbers, of IP version 4 or 6. */
bool access_is_address(const char *text);
/* Whether the address, in numbers, can only be reached from this machine: 127.x.x.x or ::1. */
bool access_is_loopback(const char *address);
