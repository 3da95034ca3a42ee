#include "cli/terminal/open_page.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

Status open_page(const char *address, Error *err) {
    /* The shell ends immediately, so that the browser is no child of this process. */
    char shell[] = "/bin/sh", option[] = "-c",
         script[] = "command -v xdg-open >/dev/null || exit 127\n"
                    "xdg-open \"$1\" >/dev/null 2>&1 </dev/null &";
    char url[1024];
    if (strlen(address) >= sizeof url) return fail(err, ERR_IO, "the address is too long");
    memcpy(url, address, strlen(address) + 1);
    char *const words[] = {shell, option, script, shell, url, NULL};
    pid_t child;
    int failure = posix_spawn(&child, shell, NULL, NULL, words, environ), state = 0;
    if (failure) return fail(err, ERR_IO, "cannot start %s: %s", shell, strerror(failure));
    while (waitpid(child, &state, 0) < 0) {
        if (errno != EINTR) return fail(err, ERR_IO, "cannot start xdg-open: %s", strerror(errno));
    }
    if (WIFEXITED(state) && WEXITSTATUS(state) == 127)
        return fail(err, ERR_UNSUPPORTED,
                    "xdg-open is not installed (apt-get install xdg-utils), so open the address "
                    "above yourself");
    return OK;
}
