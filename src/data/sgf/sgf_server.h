/* sgf_server.h - the server or collection from which a game comes, as far as its file tells.
 * Threading: any thread. */
#pragma once
#include "sgf/sgf_game.h"

typedef enum {
    SGF_SERVER_KGS,
    SGF_SERVER_OGS,
    SGF_SERVER_FOX,
    SGF_SERVER_TYGEM,
    SGF_SERVER_IGS,
    SGF_SERVER_GOGOD,
    SGF_SERVER_GO4GO,
    SGF_SERVER_OTHER, /* another server, or the file does not tell */
    SGF_SERVERS
} SgfServer;

const char *sgf_server_name(SgfServer server); /* "KGS" ... "others" */
/* Recognises the server by the place (PC), program (AP), user (US) or source (SO) that the file
 * names. */
SgfServer sgf_server_of(const SgfGame *game);
