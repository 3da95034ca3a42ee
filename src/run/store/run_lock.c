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
#include "base/hash.h"

/* There are several tries, because some processes hold the lock only for a moment. All tries
 * together take about a second. */
enum { TRIES = 11, TRY_MS = 100 };

Status run_lock_try(int file, const char *path, bool *locked, Error *err) {
    struct stat info;
    *locked = false;
    int code;
    do
        code = flock(file, LOCK_EX | LOCK_NB);
    while (code && errno == EINTR);
    if (code && errno == EWOULDBLOCK) return OK;
    if (code)
        return fail(
            err, ERR_UNSUPPORTED,
            "cannot lock %s: %s. A run needs a file system with locks: put the run on another "
            "file system, or mount this one with locks (Lustre: -o flock; NFS: not with nolock)",
            path, strerror(errno));
    *locked = !fstat(file, &info) && info.st_nlink > 0;
    return OK;
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

/* Writes into the file which process holds the lock. People and run_lock_check() read this. */
static Status sign(RunLock *lock, Error *err) {
    uint64_t number = hash_bytes(lock->path.text, strlen(lock->path.text),
                                 (uint64_t)clock_now_ns() ^ (uint64_t)getpid());
    int length = snprintf(lock->owner, sizeof lock->owner, "process %ld on %s\n%016llx\n",
                          (long)getpid(), run_lock_host().text, (unsigned long long)number);
    return ftruncate(lock->file, 0) || pwrite(lock->file, lock->owner, (size_t)length, 0) != length
               ? fail(err, ERR_IO, "cannot write %s: %s", lock->path.text, strerror(errno))
               : OK;
}

/* Reads the text of the lock file. `owner` is empty if the file cannot be read. */
static void read_owner(int file, char owner[96]) {
    ssize_t length = pread(file, owner, 95, 0);
    owner[length > 0 ? (size_t)length : 0] = 0;
}

static Status refuse(int file, const char *directory, const char *work, Error *err) {
    char who[96];
    read_owner(file, who);
    who[strcspn(who, "\n")] = 0;
    return *who ? fail(err, ERR_IO, "%s: another process %s (%s)", directory, work, who)
                : fail(err, ERR_IO, "%s: another process %s", directory, work);
}

Status run_lock_acquire(const char *directory, const char *name, const char *work, RunLock *out,
                        Error *err) {
    bool locked = false;
    *out = (RunLock){.file = -1};
    Status status = path_join(&out->path, directory, name, err);
    if (status) return status;
    const char *path = out->path.text;
    out->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (out->file < 0) return fail(err, ERR_IO, "cannot open %s: %s", path, strerror(errno));
    status = run_lock_try(out->file, path, &locked, err);
    for (int i = 1; i < TRIES && !status && !locked; i++) {
        clock_sleep_ms(TRY_MS);
        status = run_lock_try(out->file, path, &locked, err);
    }
    if (!status) status = locked ? sign(out, err) : refuse(out->file, directory, work, err);
    if (status) run_lock_release(out);
    return status;
}

Status run_lock_check(RunLock *lock, Error *err) {
    struct stat here, there;
    char owner[96] = "";
    bool locked;
    Status status = run_lock_try(lock->file, lock->path.text, &locked, err);
    if (status) return status;
    read_owner(lock->file, owner);
    bool same = locked && !fstat(lock->file, &here) && !stat(lock->path.text, &there) &&
                here.st_dev == there.st_dev && here.st_ino == there.st_ino;
    if (same && strcmp(owner, lock->owner) == 0) return OK;
    owner[strcspn(owner, "\n")] = 0;
    return fail(err, ERR_IO, "this process has lost the lock %s (%s); nothing more is written",
                lock->path.text,
                same && *owner ? owner : "the file was removed or is out of reach");
}

void run_lock_release(RunLock *lock) {
    if (lock->file >= 0) close(lock->file);
    lock->file = -1;
}
