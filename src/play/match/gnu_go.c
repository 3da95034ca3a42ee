#include "play/match/gnu_go.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPTIONS "--mode gtp --level 10 --chinese-rules --capture-all-dead"

/* Returns the command of GNU Go, or NULL if it is not installed. Debian installs games in a folder
 * that the PATH of some users lacks. */
static const char *find_command(void) {
    static const char IN_GAMES[] = "/usr/games/gnugo";
    const char *folders = getenv("PATH");
    while (folders && *folders) {
        char program[1024];
        int length = (int)strcspn(folders, ":");
        int needed = snprintf(program, sizeof program, "%.*s/gnugo", length, folders);
        if (length && needed < (int)sizeof program && access(program, X_OK) == 0) return "gnugo";
        folders += length + (folders[length] == ':');
    }
    return access(IN_GAMES, X_OK) == 0 ? IN_GAMES : NULL;
}

Status gnu_go_player(PlayerSpec *out, bool *exists, Error *err) {
    char text[256];
    const char *command = find_command();
    *exists = command;
    if (!command) return OK;
    snprintf(text, sizeof text, "name=GNU Go level 10,gtp:%s " OPTIONS, command);
    return player_parse(text, out, err);
}
