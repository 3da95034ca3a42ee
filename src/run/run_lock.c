#define _DEFAULT_SOURCE /* flock */
#include "run/run_lock.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

bool run_lock_take(int file) {
    struct stat info;
    if (flock(file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) return false;
    return !fstat(file, &info) && info.st_nlink > 0;
}

Status run_lock_folder(const char *folder, const char *run, const char *work, int *file,
                       Error *err) {
    *file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*file < 0) return fail(err, ERR_IO, "cannot open %s", folder);
    if (run_lock_take(*file)) return OK;
    run_lock_release(file);
    return fail(err, ERR_IO, "%s: another process %s", run, work);
}

void run_lock_release(int *file) {
    if (*file >= 0) close(*file);
    *file = -1;
}
