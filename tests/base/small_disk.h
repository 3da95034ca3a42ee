/* small_disk.h - a disk of a few MB, for tests of full disks. A test defines _GNU_SOURCE before it
 * includes this file, because of unshare(). */
#pragma once
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mount.h>
#include <unistd.h>

/* Writes a file at `path` that fills the disk on which it is. Returns false if the file cannot be
 * opened or closed. */
static inline bool fill_disk(const char *path) {
    static char block[1 << 16];
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    if (file < 0) return false;
    for (size_t size = sizeof block; size > 0; size /= 2) {
        while (write(file, block, size) == (ssize_t)size) {
        }
    }
    return !close(file);
}

/* Mounts a tmpfs at `path`, which only this process and its children see. `options` sets its size,
 * for example "size=6m". Returns false if this process may not mount. */
static inline bool mount_small_disk(const char *path, const char *options) {
    char map[64];
    unsigned user = (unsigned)geteuid();
    if (unshare(user ? CLONE_NEWUSER | CLONE_NEWNS : CLONE_NEWNS)) return false;
    if (user) {
        int file = open("/proc/self/uid_map", O_WRONLY);
        int length = snprintf(map, sizeof map, "0 %u 1", user);
        bool mapped = file >= 0 && write(file, map, (size_t)length) == length;
        if (file >= 0) close(file);
        if (!mapped) return false;
    }
    return !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
           !mount("none", path, "tmpfs", 0, options);
}
