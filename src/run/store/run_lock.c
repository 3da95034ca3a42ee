#define _DEFAULT_SOURCE /* flock, gethostname */
#include "run/store/run_lock.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"

/* About a second in all, for processes that hold the lock only for a moment. */
enum { TRIES = 11, TRY_MS = 100 };

bool run_lock_try(int file) {
    struct stat info;
    if (flock(file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) return false;
    return !fstat(file, &info) && info.st_nlink > 0;
}

HostName run_lock_host(void) {
    HostName host = {"machine"};
    char name[256] = "";
    if (gethostname(name, sizeof name - 1) || !*name) return host;
    size_t used = 0;
    for (const char *at = name; *at && *at != '.' && used < sizeof host.text - 1; at++)
        host.text[used++] = isalnum((unsigned char)*at) ? *at : '-';
    host.text[used] = 0;
    return host;
}

/* Writes who holds the lock into the file. Only people read it, so a failure does not matter. */
static void sign(int file) {
    char text[96];
    int length =
        snprintf(text, sizeof text, "process %ld on %s\n", (long)getpid(), run_lock_host().text);
    if (ftruncate(file, 0) || pwrite(file, text, (size_t)length, 0) != length) return;
}

static Status refuse(int file, const char *directory, const char *work, Error *err) {
    char who[96] = "";
    ssize_t length = pread(file, who, sizeof who - 1, 0);
    who[length > 0 ? (size_t)length : 0] = 0;
    who[strcspn(who, "\n")] = 0;
    return *who ? fail(err, ERR_IO, "%s: another process %s (%s)", directory, work, who)
                : fail(err, ERR_IO, "%s: another process %s", directory, work);
}

Status run_lock_acquire(const char *directory, const char *name, const char *work, int *file,
                        Error *err) {
    Path path;
    *file = -1;
    Status status = path_join(&path, directory, name, err);
    if (status) return status;
    *file = open(path.text, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*file < 0) return fail(err, ERR_IO, "cannot open %s: %s", path.text, strerror(errno));
    bool locked = run_lock_try(*file);
    for (int i = 1; i < TRIES && !locked; i++) {
        clock_sleep_ms(TRY_MS);
        locked = run_lock_try(*file);
    }
    if (locked)
        sign(*file);
    else
        status = refuse(*file, directory, work, err);
    if (status) run_lock_release(file);
    return status;
}

void run_lock_release(int *file) {
    if (*file >= 0) close(*file);
    *file = -1;
}
