#define _GNU_SOURCE
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Reports errno in the form "cannot ACTION PATH: REASON". */
static Status io_failure(Error *err, const char *action, const char *path) {
    return fail(err, ERR_IO, "cannot %s %s: %s", action, path, strerror(errno));
}

/* Reads at most `max_bytes` bytes into memory that grows as the bytes arrive. */
static Status read_bytes(FILE *stream, const char *path, size_t max_bytes, char **out,
                         size_t *length, Error *err) {
    char *bytes = NULL;
    size_t capacity = 0, used = 0;
    Status status = mem_grow(&bytes, &capacity, 1, 1, err);
    while (!status && used < max_bytes && !feof(stream)) {
        size_t part = max_bytes - used < 65536 ? max_bytes - used : 65536;
        status = mem_grow(&bytes, &capacity, used + part, 1, err);
        if (status) break;
        used += fread(bytes + used, 1, part, stream);
        if (ferror(stream)) status = io_failure(err, "read", path);
    }
    if (status) {
        free(bytes);
        bytes = NULL;
    }
    *out = bytes;
    *length = used;
    return status;
}

/* Reads a pipe or device, whose size is not known in advance. */
static Status read_stream(FILE *stream, const char *path, size_t limit_bytes, Arena *arena,
                          char **text, size_t *length, Error *err) {
    char *bytes;
    size_t used, max_bytes = limit_bytes < SIZE_MAX ? limit_bytes + 1 : limit_bytes;
    Status status = read_bytes(stream, path, max_bytes, &bytes, &used, err);
    if (!status && used > limit_bytes)
        status = fail(err, ERR_IO, "%s has more than the %zu bytes that were expected", path,
                      limit_bytes);
    if (!status) {
        *text = arena_copy(arena, bytes, used);
        *length = used;
        if (!*text) status = fail(err, ERR_MEMORY, "no memory for the %zu bytes of %s", used, path);
    }
    free(bytes);
    return status;
}

static Status open_to_read(const char *path, FILE **out, struct stat *info, Error *err) {
    *out = NULL;
    if (!*path) return fail(err, ERR_IO, "cannot read a file: the name is empty");
    FILE *stream = fopen(path, "rb");
    if (!stream) return io_failure(err, "read", path);
    Status status = OK;
    if (fstat(fileno(stream), info))
        status = io_failure(err, "read", path);
    else if (S_ISDIR(info->st_mode))
        status = fail(err, ERR_IO, "%s is a directory, a file was wanted", path);
    if (status)
        fclose(stream);
    else
        *out = stream;
    return status;
}

Status file_reader_open(const char *path, FileReader *out, Error *err) {
    struct stat info;
    out->path = path;
    return open_to_read(path, &out->stream, &info, err);
}

Status file_reader_take(FileReader *reader, size_t max_bytes, char **bytes, size_t *length,
                        Error *err) {
    return read_bytes(reader->stream, reader->path, max_bytes, bytes, length, err);
}

void file_reader_close(FileReader *reader) {
    if (reader->stream) fclose(reader->stream);
    reader->stream = NULL;
}

Status file_read(const char *path, size_t limit_bytes, Arena *arena, char **text, size_t *length,
                 Error *err) {
    FILE *stream;
    struct stat info;
    *text = NULL;
    Status status = open_to_read(path, &stream, &info, err);
    if (status) return status;
    if (!S_ISREG(info.st_mode)) {
        status = read_stream(stream, path, limit_bytes, arena, text, length, err);
    } else if ((uint64_t)info.st_size > limit_bytes) {
        status = fail(err, ERR_IO, "%s has %lld bytes, at most %zu were expected", path,
                      (long long)info.st_size, limit_bytes);
    } else {
        size_t size = (size_t)info.st_size;
        *text = arena_alloc(arena, size + 1);
        if (!*text)
            status = fail(err, ERR_MEMORY, "no memory for the %zu bytes of %s", size, path);
        else if (fread(*text, 1, size, stream) != size)
            status = ferror(stream)
                         ? io_failure(err, "read", path)
                         : fail(err, ERR_IO, "%s became shorter while it was read", path);
        else
            *length = size;
    }
    if (status) *text = NULL;
    fclose(stream);
    return status;
}

void directory_sync(const char *path) {
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    (void)!fsync(descriptor);
    close(descriptor);
}

void file_sync_name(const char *path) {
    Path parent;
    snprintf(parent.text, sizeof parent.text, "%s", path);
    char *slash = strrchr(parent.text, '/');
    if (slash) *slash = 0;
    directory_sync(slash ? (*parent.text ? parent.text : "/") : ".");
}

/* Whether this file must be written directly, instead of writing a new file and renaming it. This
 * holds for pipes and devices, because their readers would not see the new file. It also holds for
 * the names of open files, such as /dev/stdout, even if these are regular files. */
static bool is_stream(const char *path, const struct stat *info) {
    return !S_ISREG(info->st_mode) || strcmp(path, "/dev/stdout") == 0 ||
           strcmp(path, "/dev/stderr") == 0 || strncmp(path, "/dev/fd/", 8) == 0 ||
           strncmp(path, "/proc/self/fd/", 14) == 0;
}

/* Whether `path` is still the name of this file. */
static bool still_names(const char *path, const struct stat *info) {
    struct stat now;
    return !stat(path, &now) && now.st_dev == info->st_dev && now.st_ino == info->st_ino;
}

enum { OPEN_TRIES = 100 };

/* Opens a temporary file and locks it until it is closed, so that no directory_sweep() on any
 * machine removes it. A sweep may still remove the file between open() and flock(). In that case
 * the file is made again. */
static FILE *open_temporary(const char *path) {
    for (int i = 0; i < OPEN_TRIES; i++) {
        struct stat info;
        int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (file < 0) return NULL;
        while (flock(file, LOCK_EX) && errno == EINTR)
            ; /* a signal came; other errors, on file systems without locks, do no harm */
        /* The file is emptied only now. A process with the same process id in another container may
         * have been writing to it until it released the lock. */
        bool mine = !fstat(file, &info) && still_names(path, &info) && !ftruncate(file, 0);
        FILE *stream = mine ? fdopen(file, "wb") : NULL;
        if (stream) return stream;
        close(file);
    }
    return NULL;
}

Status atomic_file_open(const char *path, AtomicFile *out, Error *err) {
    struct stat info;
    *out = (AtomicFile){0};
    size_t length = strlen(path);
    if (!length) return fail(err, ERR_ARGUMENT, "cannot write a file: the name is empty");
    bool exists = stat(path, &info) == 0, direct = exists && is_stream(path, &info);
    if (exists && S_ISDIR(info.st_mode))
        return fail(err, ERR_IO, "%s is a directory, a file was wanted", path);
    Status status = mem_new(length + 1, 1, &out->path, err);
    if (!status && !direct) status = mem_new(length + 32, 1, &out->temporary, err);
    if (!status) {
        memcpy(out->path, path, length);
        if (!direct) snprintf(out->temporary, length + 32, "%s.%ld.tmp", path, (long)getpid());
        out->stream = direct ? fopen(path, "wb") : open_temporary(out->temporary);
        if (!out->stream) status = io_failure(err, "write", path);
    }
    if (status) {
        free(out->path);
        free(out->temporary);
        *out = (AtomicFile){0};
    }
    return status;
}

void atomic_file_abandon(AtomicFile *file) {
    if (file->stream) fclose(file->stream);
    if (file->temporary) unlink(file->temporary);
    free(file->path);
    free(file->temporary);
    *file = (AtomicFile){0};
}

/* Reports that an earlier write failed. The errno of the earlier write is lost. To get the errno
 * again, this function writes zeros to the temporary file: if the cause of the failure lasts, for
 * example a full disk, the write of the zeros fails with the same errno. A file without a temporary
 * file, such as a pipe, gets no zeros, because a reader would take the zeros for content. */
static Status earlier_failure(AtomicFile *file, Error *err) {
    static const char ZEROS[4096];
    for (int i = 0; i < 16 && file->temporary; i++) {
        if (write(fileno(file->stream), ZEROS, sizeof ZEROS) < 0)
            return io_failure(err, "write", file->path);
    }
    return fail(err, ERR_IO, "cannot write %s: an earlier write failed", file->path);
}

Status atomic_file_commit(AtomicFile *file, Error *err) {
    Status status = OK;
    if (ferror(file->stream))
        status = earlier_failure(file, err);
    else if (fflush(file->stream) || (file->temporary && fsync(fileno(file->stream))))
        status = io_failure(err, "write", file->path);
    /* The file is renamed while it is locked; otherwise a directory_sweep() could remove it. */
    if (!status && file->temporary && rename(file->temporary, file->path))
        status = errno == EISDIR
                     ? fail(err, ERR_IO, "%s is a directory, a file was wanted", file->path)
                     : io_failure(err, "write", file->path);
    bool closed = fclose(file->stream) == 0;
    file->stream = NULL;
    if (!status && !file->temporary && !closed) status = io_failure(err, "write", file->path);
    if (!status && file->temporary) file_sync_name(file->path);
    atomic_file_abandon(file);
    return status;
}

Status file_can_write(const char *path, Error *err) {
    struct stat info;
    AtomicFile file;
    if (stat(path, &info) == 0 && !S_ISDIR(info.st_mode) && is_stream(path, &info)) return OK;
    Status status = atomic_file_open(path, &file, err);
    if (!status) atomic_file_abandon(&file);
    return status;
}

Status file_write(const char *path, const void *bytes, size_t count, Error *err) {
    AtomicFile file;
    Status status = atomic_file_open(path, &file, err);
    if (status) return status;
    if (count && fwrite(bytes, 1, count, file.stream) != count) {
        status = io_failure(err, "write", path);
        atomic_file_abandon(&file);
        return status;
    }
    return atomic_file_commit(&file, err);
}

/* Returns the length of the file up to the end of its last complete line, or -1 if the file cannot
 * be read. */
static off_t whole_lines(int file, off_t bytes) {
    char part[4096];
    while (bytes > 0) {
        off_t from = bytes > (off_t)sizeof part ? bytes - (off_t)sizeof part : 0;
        ssize_t count = pread(file, part, (size_t)(bytes - from), from);
        if (count != bytes - from) return -1;
        for (; count > 0; count--) {
            if (part[count - 1] == '\n') return from + count;
        }
        bytes = from;
    }
    return 0;
}

Status file_append_line(const char *path, const char *line, Error *err) {
    struct stat info;
    int file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) return io_failure(err, "write", path);
    bool regular = !fstat(file, &info) && S_ISREG(info.st_mode);
    off_t whole = regular ? whole_lines(file, info.st_size) : 0;
    bool good = whole >= 0 && (!regular || whole == info.st_size || !ftruncate(file, whole)) &&
                dprintf(file, "%s\n", line) >= 0;
    Status status = good ? OK : io_failure(err, "write", path);
    if (!good && regular && whole >= 0)
        (void)!ftruncate(file, whole); /* if this fails, the next append removes the partial line */
    close(file);
    return status;
}

bool file_exists(const char *path) {
    return access(path, F_OK) == 0;
}

bool file_is_directory(const char *path) {
    struct stat info;
    return !stat(path, &info) && S_ISDIR(info.st_mode);
}

int64_t file_bytes(const char *path) {
    struct stat info;
    return stat(path, &info) ? -1 : (int64_t)info.st_size;
}

bool file_same(const char *a, const char *b) {
    struct stat first, second;
    return !stat(a, &first) && !stat(b, &second) && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

Status file_remove(const char *path, Error *err) {
    if (unlink(path)) return errno == ENOENT ? OK : io_failure(err, "remove", path);
    file_sync_name(path);
    return OK;
}

Status file_rename(const char *from, const char *to, Error *err) {
    if (rename(from, to)) return io_failure(err, "rename", from);
    file_sync_name(to);
    return OK;
}

Status directory_make(const char *path, Error *err) {
    Path part;
    if (strlen(path) >= sizeof part.text)
        return fail(err, ERR_ARGUMENT, "the path is too long: %.60s...", path);
    for (size_t i = 1; i <= strlen(path); i++) {
        if (path[i] && path[i] != '/') continue;
        memcpy(part.text, path, i);
        part.text[i] = 0;
        if (!mkdir(part.text, 0777))
            file_sync_name(part.text);
        else if (errno != EEXIST)
            return io_failure(err, "make the directory", part.text);
    }
    struct stat info;
    if (stat(path, &info)) return io_failure(err, "make the directory", path);
    return S_ISDIR(info.st_mode) ? OK
                                 : fail(err, ERR_IO, "%s is a file, a directory was wanted", path);
}

Status directory_remove(const char *path, Error *err) {
    DIR *directory = opendir(path);
    if (!directory) return errno == ENOENT ? OK : io_failure(err, "list", path);
    Status status = OK;
    for (struct dirent *entry; !status && (entry = readdir(directory));) {
        Path file;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        status = path_join(&file, path, entry->d_name, err);
        if (!status && unlink(file.text) && errno != ENOENT)
            status = io_failure(err, "remove", file.text);
    }
    closedir(directory);
    if (!status && rmdir(path) && errno != ENOENT) status = io_failure(err, "remove", path);
    if (!status) file_sync_name(path);
    return status;
}

int64_t disk_free_bytes(const char *path) {
    struct statvfs info;
    return statvfs(path, &info) ? -1 : (int64_t)info.f_bavail * (int64_t)info.f_frsize;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_listed(const char *name) {
    return !path_has_ending(name, ".tmp") && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

Status directory_list(const char *path, Arena *arena, char ***names, int *count, Error *err) {
    *names = NULL;
    *count = 0;
    DIR *directory = opendir(path);
    if (!directory) return errno == ENOENT ? OK : io_failure(err, "list", path);
    char **found = NULL;
    size_t capacity = 0, used = 0;
    Status status = OK;
    while (!status) {
        errno = 0; /* readdir() returns NULL both at the end and on failure */
        struct dirent *entry = readdir(directory);
        if (!entry && errno) status = io_failure(err, "list", path);
        if (!entry) break;
        if (!is_listed(entry->d_name)) continue;
        status = mem_grow(&found, &capacity, used + 1, sizeof *found, err);
        if (status) break;
        found[used] = arena_copy(arena, entry->d_name, strlen(entry->d_name));
        if (!found[used++]) status = fail(err, ERR_MEMORY, "no memory for the names in %s", path);
    }
    closedir(directory);
    if (!status && used) {
        qsort(found, used, sizeof *found, by_name);
        *names = arena_alloc(arena, used * sizeof *found);
        if (*names)
            memcpy(*names, found, used * sizeof *found);
        else
            status = fail(err, ERR_MEMORY, "no memory for the names in %s", path);
    }
    if (!status) *count = (int)used;
    free(found);
    return status;
}

/* Whether a name has the form "NAME.PID.tmp". */
static bool is_temporary(const char *name) {
    static const char ENDING[] = ".tmp";
    if (!path_has_ending(name, ENDING)) return false;
    const char *end = name + strlen(name) - strlen(ENDING), *at = end;
    while (at > name && at[-1] >= '0' && at[-1] <= '9')
        at--;
    return at < end && at > name + 1 && at[-1] == '.';
}

/* Removes a temporary file if its writer is gone, and returns whether it did so. A process may
 * write or rename a temporary file only while it holds the lock and the file still has its name. */
static bool remove_orphan(const char *path) {
    struct stat info;
    int file =
        open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW); /* O_RDWR: NFS needs it for exclusive locks */
    if (file < 0) return false;
    bool removed = !flock(file, LOCK_EX | LOCK_NB) && !fstat(file, &info) &&
                   S_ISREG(info.st_mode) && still_names(path, &info) && !unlink(path);
    close(file);
    return removed;
}

int directory_sweep(const char *path) {
    int removed = 0;
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        Path file;
        if (is_temporary(entry->d_name) && !path_join(&file, path, entry->d_name, NULL))
            removed += remove_orphan(file.text);
    }
    if (directory) closedir(directory);
    return removed;
}

Status path_join(Path *out, const char *directory, const char *name, Error *err) {
    size_t length = strlen(directory);
    const char *between = !*name || (length && directory[length - 1] == '/') ? "" : "/";
    int written = snprintf(out->text, sizeof out->text, "%s%s%s", directory, between, name);
    if (written < 0 || (size_t)written >= sizeof out->text)
        return fail(err, ERR_ARGUMENT, "the path is too long: %.60s.../%.60s", directory, name);
    return OK;
}

const char *path_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool path_has_ending(const char *path, const char *ending) {
    size_t length = strlen(path), wanted = strlen(ending);
    return length >= wanted && strcmp(path + length - wanted, ending) == 0;
}
