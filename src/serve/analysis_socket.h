/* analysis_socket.h - KataGo's protocol of analysis (KataGo, docs/Analysis_Engine.md) over a
 * WebSocket. A message of a client has one or several lines; each line is a query or an action.
 * Each answer is a message. Every client has ids of its own.
 * Threading: confined to the thread of the listener; the workers of the engine send answers. */
#pragma once
#include "serve/engines.h"
#include "serve/http/listener.h"

/* Begins to serve the WebSocket with the engine of one net. `engine` and `connection` are borrowed
 * until analysis_socket_close(); `*session` is for the next two functions. ERR_MEMORY. */
MUST_USE Status analysis_socket_open(Engine *engine, Connection *connection, void **session,
                                     Error *err);
/* ListenerHandlers.line: passes the line to the engine. Returns false if the engine has no room for
 * the line, or if the engine's net is being loaded. A terminate action takes effect even if there
 * is no room. */
bool analysis_socket_line(void *session, const char *line);
/* ListenerHandlers.close: drops all queries of the client. */
void analysis_socket_close(void *session);
