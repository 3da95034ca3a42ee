#include "data/sgf/sgf_server.h"

#include <string.h>

const char *sgf_server_name(SgfServer server) {
    static const char *const NAMES[SGF_SERVERS] = {"KGS", "OGS",   "Fox",   "Tygem",
                                                   "IGS", "GoGoD", "Go4Go", "others"};
    return NAMES[server];
}

SgfServer sgf_server_of(const SgfGame *game) {
    const struct {
        SgfServer server;
        const char *text, *part;
    } SIGNS[] = {
        {SGF_SERVER_KGS, game->about.place, "KGS"},
        {SGF_SERVER_OGS, game->about.place, "OGS"},
        {SGF_SERVER_OGS, game->about.place, "online-go.com"},
        {SGF_SERVER_FOX, game->about.application, "foxwq"},
        {SGF_SERVER_TYGEM, game->about.place, "Tygem"},
        {SGF_SERVER_IGS, game->about.place, "Pandanet"},
        {SGF_SERVER_IGS, game->about.place, "IGS"},
        {SGF_SERVER_GOGOD, game->about.user, "GoGoD"},
    };
    for (size_t i = 0; i < sizeof SIGNS / sizeof *SIGNS; i++) {
        if (strstr(SIGNS[i].text, SIGNS[i].part)) return SIGNS[i].server;
    }
    for (int i = 0; i < SGF_SERVER_OTHER; i++) {
        if (strcmp(game->about.origin, sgf_server_name((SgfServer)i)) == 0) return (SgfServer)i;
    }
    return SGF_SERVER_OTHER;
}
