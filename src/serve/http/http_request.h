/* http_request.h - a request of HTTP, as the handlers of a listener see it. They read it, and then
 * they answer it or make it a stream.
 * Threading: confined to the thread of listener_run(). */
#pragma once
#include "serve/http/listener_setup.h"

/* Copies an argument of the query part, such as "9" for the name "width" in ?width=9. Returns its
 * length, or -1 if there is none. If it is longer than `size` - 1 bytes, `out` gets "". Only the
 * handler `answer` may call it. */
int http_request_argument(const HttpRequest *request, const char *name, char *out, size_t size);
/* The body of a POST, which is not empty and has no character 0; NULL for GET. Only the handler
 * `answer` may call it. */
const char *http_request_body(const HttpRequest *request);
/* Copies a header, whose `name` is in small letters and ends with ':'. Returns its length, or -1 if
 * there is none. If it is longer than `size` - 1 bytes or than 511 bytes, `out` gets "". Only the
 * handler `answer` may call it. */
int http_request_header(const HttpRequest *request, const char *name, char *out, size_t size);
/* Answers the request and frees it. Empties the answer. If the client has gone, nothing is sent. */
void http_request_answer(HttpRequest *request, HttpAnswer *answer);
/* Turns the request into a stream and frees it: the code of the answer is 200, and its body, of
 * this content type, is all that connection_send() sends from now on. In the end the handler
 * `close` gets the session. If there are too many clients or too little memory, sets `*refusal` to
 * an answer in plain text and returns NULL; the request then still has to be answered. Only the
 * handler `answer` may call it. */
Connection *http_request_stream(HttpRequest *request, const char *type, void *session,
                                HttpAnswer *refusal);
