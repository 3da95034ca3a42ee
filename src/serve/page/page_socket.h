/* page_socket.h - the WebSocket of the page: each message is a JSON object. A request has "op" and
 * "id", its answer has the same "id", and messages that answer no request have "topic".
 * docs/SERVER.md lists the requests.
 * Threading: confined to one thread; the workers of the engine call only setup.send(). */
#pragma once
#include "serve/page/page_setup.h"

/* Copies the setup. ERR_MEMORY. */
MUST_USE Status page_socket_open(const PageSetup *setup, PageSocket **out, Error *err);
/* Handles a message, which is one line. Returns false if there is no room for it now; it is then to
 * be passed again later. */
bool page_socket_line(PageSocket *socket, const char *line);
/* Ends the session. setup.send() is not called afterwards. Jobs of the page may still run, but they
 * do not use the socket. */
void page_socket_close(PageSocket *socket);
