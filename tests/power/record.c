/* record.c - runs a program and records what it does to the files below a folder.
 *
 *     power_record OUT OPERATIONS KILL_EVERY PAUSE_EVERY PROGRAM ARGUMENT...
 *
 * The program must work in OUT/tree. Each of its system calls that changes a file or a name there,
 * or syncs one, becomes a line of OUT/operations; the bytes of writes are in OUT/data. System calls
 * are traced with ptrace(), because interposed functions would miss what stdio and SQLite write
 * inside libraries.
 *
 *   create FILE PATH           write FILE OFFSET BYTES AT (in OUT/data)
 *   truncate FILE BYTES        sync FILE
 *   rename FROM TO             unlink PATH
 *   mkdir PATH                 rmdir PATH          syncdir PATH
 *
 * FILE is a number that a file keeps when it is renamed. Paths are relative to OUT/tree; the tree
 * itself is ".". After every KILL_EVERY operations the program is killed and started again. After
 * every PAUSE_EVERY operations the thread that made the last operation pauses for a little longer
 * than JOURNAL_SYNC_SECONDS, so that journals are synced before they are published. 0 means never.
 * The recording ends when the program ends by itself, or after OPERATIONS operations.
 *
 * A run that has one thread, as in tiny.cfg, changes its files from one thread at a time, so the
 * operations are recorded in their order. The exit code is 77 where ptrace() is forbidden. After
 * any other failure it is 1, for example if the program fails or changes a file in a way that
 * cannot be recorded. Otherwise it is 0. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SKIPPED = 77, THREADS_MAX = 64, FILES_MAX = 1 << 16, PAUSE_MS = 5200 };

/* A thread of the program, and the system call in which it is. */
typedef struct {
    pid_t id;
    uint64_t call, arguments[6];
    char path[PATH_MAX], target[PATH_MAX]; /* relative to the tree; empty if outside */
    bool existed;                          /* whether there was a file called `path` before */
} Thread;

typedef struct {
    char tree[PATH_MAX];
    FILE *operations, *data;
    int64_t count, data_bytes;
    /* by number of the file; if several files had the same inode, only the last one still exists */
    ino_t *inodes;
    int file_count;
    Thread threads[THREADS_MAX];
    int thread_count;
    int64_t max, kill_every, pause_every;
} Recorder;

static _Noreturn __attribute__((format(printf, 1, 2))) void give_up(const char *format, ...) {
    va_list values;
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    exit(1);
}

static __attribute__((format(printf, 2, 3))) void put(Recorder *recorder, const char *format, ...) {
    va_list values;
    va_start(values, format);
    vfprintf(recorder->operations, format, values);
    va_end(values);
    recorder->count++;
}

/* Copies bytes out of the program's memory. */
static void fetch(pid_t thread, uint64_t from, void *to, size_t count) {
    struct iovec local = {to, count}, remote = {(void *)(uintptr_t)from, count};
    if (process_vm_readv(thread, &local, 1, &remote, 1, 0) != (ssize_t)count)
        give_up("cannot read the memory of the program: %s", strerror(errno));
}

static void fetch_text(pid_t thread, uint64_t from, char text[PATH_MAX]) {
    for (size_t i = 0; i < PATH_MAX; i++) {
        fetch(thread, from + i, text + i, 1);
        if (!text[i]) return;
    }
    give_up("a path of the program is too long");
}

/* Writes an absolute path to `out`, relative to the tree: "." is the tree itself, and "" a path
 * outside of it. */
static void make_relative(const Recorder *recorder, const char *path, char out[PATH_MAX]) {
    size_t length = strlen(recorder->tree);
    *out = 0;
    if (strncmp(path, recorder->tree, length) != 0) return;
    if (!path[length])
        strcpy(out, ".");
    else if (path[length] == '/')
        snprintf(out, PATH_MAX, "%s", path + length + 1);
}

/* Reads a path that a thread passes to a system call, and writes it to `out` like make_relative().
 * `from` is the address of the path, and `folder` is the descriptor to which it may be relative. */
static void read_path(const Recorder *recorder, const Thread *thread, uint64_t folder,
                      uint64_t from, char out[PATH_MAX]) {
    char text[PATH_MAX], where[64], full[2 * PATH_MAX];
    fetch_text(thread->id, from, text);
    if (*text == '/') {
        make_relative(recorder, text, out);
    } else {
        if ((int)folder == AT_FDCWD)
            snprintf(where, sizeof where, "/proc/%d/cwd", (int)thread->id);
        else
            snprintf(where, sizeof where, "/proc/%d/fd/%d", (int)thread->id, (int)folder);
        ssize_t length = readlink(where, full, PATH_MAX - 1);
        full[length > 0 ? length : 0] = 0;
        strcat(full, "/");
        strcat(full, text);
        if (strlen(full) < PATH_MAX) make_relative(recorder, full, out);
    }
    size_t length = strlen(out);
    if (length > 1 && out[length - 1] == '/') out[length - 1] = 0;
    if (strstr(out, "//") || strstr(out, "./")) give_up("the path %s is not plain", out);
}

/* Finds the file or folder for which a descriptor of the program is open. Returns whether it is in
 * the tree. */
static bool find_open(const Recorder *recorder, const Thread *thread, uint64_t descriptor,
                      struct stat *info, char path[PATH_MAX]) {
    char name[64], full[PATH_MAX];
    snprintf(name, sizeof name, "/proc/%d/fd/%d", (int)thread->id, (int)descriptor);
    ssize_t length = readlink(name, full, sizeof full - 1);
    if (length <= 0 || stat(name, info)) return false;
    full[length] = 0;
    make_relative(recorder, full, path);
    return *path && (S_ISREG(info->st_mode) || S_ISDIR(info->st_mode));
}

static int number_of(const Recorder *recorder, const struct stat *info) {
    for (int i = recorder->file_count - 1; i >= 0; i--) {
        if (recorder->inodes[i] == info->st_ino) return i;
    }
    give_up("the program changes a file that it has not made");
}

static void note_open(Recorder *recorder, const Thread *thread, uint64_t flags, int64_t result) {
    struct stat info;
    char path[PATH_MAX];
    if (result < 0 || !find_open(recorder, thread, (uint64_t)result, &info, path)) return;
    if ((flags & O_CREAT) && !thread->existed) {
        if (recorder->file_count == FILES_MAX) give_up("the program makes too many files");
        recorder->inodes[recorder->file_count] = info.st_ino;
        put(recorder, "create %d %s\n", recorder->file_count++, path);
    } else if (flags & O_TRUNC) {
        put(recorder, "truncate %d 0\n", number_of(recorder, &info));
    }
}

/* Returns the offset of an open file. */
static int64_t position_of(const Thread *thread, uint64_t descriptor) {
    char name[64];
    long long position = -1;
    snprintf(name, sizeof name, "/proc/%d/fdinfo/%d", (int)thread->id, (int)descriptor);
    FILE *stream = fopen(name, "r");
    if (!stream || fscanf(stream, "pos: %lld", &position) != 1) give_up("cannot read %s", name);
    fclose(stream);
    return position;
}

static void note_write(Recorder *recorder, const Thread *thread, bool has_offset, int64_t result) {
    struct stat info;
    char path[PATH_MAX];
    if (result <= 0 || !find_open(recorder, thread, thread->arguments[0], &info, path)) return;
    int64_t offset = has_offset ? (int64_t)thread->arguments[3]
                                : position_of(thread, thread->arguments[0]) - result;
    char *bytes = malloc((size_t)result);
    if (!bytes) give_up("no memory");
    fetch(thread->id, thread->arguments[1], bytes, (size_t)result);
    fwrite(bytes, 1, (size_t)result, recorder->data);
    free(bytes);
    put(recorder, "write %d %lld %lld %lld\n", number_of(recorder, &info), (long long)offset,
        (long long)result, (long long)recorder->data_bytes);
    recorder->data_bytes += result;
}

static void note_sync(Recorder *recorder, const Thread *thread) {
    struct stat info;
    char path[PATH_MAX];
    if (!find_open(recorder, thread, thread->arguments[0], &info, path)) return;
    if (S_ISDIR(info.st_mode))
        put(recorder, "syncdir %s\n", path);
    else
        put(recorder, "sync %d\n", number_of(recorder, &info));
}

static void note_truncate(Recorder *recorder, const Thread *thread) {
    struct stat info;
    char path[PATH_MAX];
    if (find_open(recorder, thread, thread->arguments[0], &info, path))
        put(recorder, "truncate %d %lld\n", number_of(recorder, &info),
            (long long)thread->arguments[1]);
}

/* Gives up if a call that cannot be recorded changes a file of the tree. The only exception is the
 * file NAME-shm of a database, which SQLite maps into memory and rebuilds after a loss of power. */
static void refuse(const Recorder *recorder, const Thread *thread, uint64_t descriptor) {
    struct stat info;
    char path[PATH_MAX];
    if (!find_open(recorder, thread, descriptor, &info, path)) return;
    size_t length = strlen(path);
    if (thread->call == SYS_mmap && length > 4 && strcmp(path + length - 4, "-shm") == 0) return;
    give_up("system call %d on %s cannot be recorded", (int)thread->call, path);
}

/* Returns the index of the path among the arguments of a call that opens a file or changes names,
 * or -1 for other calls. Sets `*two` if another path follows. Sets `*folders` if before each path
 * there is a descriptor to which it is relative. */
static int path_argument(uint64_t call, bool *two, bool *folders) {
    *two = *folders = false;
    switch (call) {
#ifdef SYS_open
    case SYS_open:
    case SYS_unlink:
    case SYS_mkdir:
    case SYS_rmdir:
        return 0;
    case SYS_rename:
        *two = true;
        return 0;
#endif
#ifdef SYS_renameat
    case SYS_renameat:
#endif
    case SYS_renameat2:
        *two = true;
        *folders = true;
        return 1;
    case SYS_openat:
    case SYS_unlinkat:
    case SYS_mkdirat:
        *folders = true;
        return 1;
    default:
        return -1;
    }
}

/* Remembers the call that a thread begins, with its arguments and paths. */
static void enter(const Recorder *recorder, Thread *thread,
                  const struct __ptrace_syscall_info *info) {
    bool two, folders;
    thread->call = info->entry.nr;
    memcpy(thread->arguments, info->entry.args, sizeof thread->arguments);
    *thread->path = *thread->target = 0;
    const uint64_t *arguments = thread->arguments;
    int at = path_argument(thread->call, &two, &folders);
    if (at < 0) return;
    read_path(recorder, thread, folders ? arguments[at - 1] : (uint64_t)AT_FDCWD, arguments[at],
              thread->path);
    if (two)
        read_path(recorder, thread, folders ? arguments[2] : (uint64_t)AT_FDCWD,
                  arguments[folders ? 3 : 1], thread->target);
    char full[2 * PATH_MAX];
    snprintf(full, sizeof full, "%s/%s", recorder->tree, thread->path);
    thread->existed = *thread->path && access(full, F_OK) == 0;
}

/* Notes a call that has changed a name. */
static void note_name(Recorder *recorder, const Thread *thread) {
    const char *path = thread->path;
    switch (thread->call) {
#ifdef SYS_open
    case SYS_unlink:
        put(recorder, "unlink %s\n", path);
        break;
    case SYS_mkdir:
        put(recorder, "mkdir %s\n", path);
        break;
    case SYS_rmdir:
        put(recorder, "rmdir %s\n", path);
        break;
    case SYS_rename:
#endif
#ifdef SYS_renameat
    case SYS_renameat:
#endif
    case SYS_renameat2:
        if (!*thread->target) give_up("%s is renamed out of the tree", path);
        put(recorder, "rename %s %s\n", path, thread->target);
        break;
    case SYS_unlinkat:
        put(recorder, thread->arguments[2] & AT_REMOVEDIR ? "rmdir %s\n" : "unlink %s\n", path);
        break;
    case SYS_mkdirat:
        put(recorder, "mkdir %s\n", path);
        break;
    default:
        break;
    }
}

/* Records the call that a thread has ended, unless it failed. */
static void leave(Recorder *recorder, Thread *thread, int64_t result) {
    const uint64_t *arguments = thread->arguments;
    if (result < 0) return;
    switch (thread->call) {
#ifdef SYS_open
    case SYS_open:
        note_open(recorder, thread, arguments[1], result);
        break;
#endif
    case SYS_openat:
        note_open(recorder, thread, arguments[2], result);
        break;
    case SYS_write:
    case SYS_pwrite64:
        note_write(recorder, thread, thread->call == SYS_pwrite64, result);
        break;
    case SYS_ftruncate:
        note_truncate(recorder, thread);
        break;
    case SYS_fsync:
    case SYS_fdatasync:
        note_sync(recorder, thread);
        break;
    case SYS_writev:
    case SYS_pwritev:
    case SYS_fallocate:
        refuse(recorder, thread, arguments[0]);
        break;
    case SYS_sendfile:
    case SYS_copy_file_range:
        refuse(recorder, thread, arguments[thread->call == SYS_sendfile ? 0 : 2]);
        break;
    case SYS_mmap:
        if ((arguments[2] & PROT_WRITE) && (arguments[3] & MAP_SHARED) &&
            !(arguments[3] & MAP_ANONYMOUS))
            refuse(recorder, thread, arguments[4]);
        break;
    default:
        if (*thread->path) note_name(recorder, thread);
        break;
    }
}

static Thread *thread_of(Recorder *recorder, pid_t id) {
    for (int i = 0; i < recorder->thread_count; i++) {
        if (recorder->threads[i].id == id) return &recorder->threads[i];
    }
    if (recorder->thread_count == THREADS_MAX) give_up("the program starts too many threads");
    Thread *thread = &recorder->threads[recorder->thread_count++];
    thread->id = id;
    thread->call = (uint64_t)-1;
    return thread;
}

/* Handles the beginning or the end of a system call. */
static void handle_call(Recorder *recorder, pid_t id) {
    struct __ptrace_syscall_info info;
    Thread *thread = thread_of(recorder, id);
    if (ptrace(PTRACE_GET_SYSCALL_INFO, id, sizeof info, &info) <= 0) return; /* it was killed */
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
        enter(recorder, thread, &info);
    } else if (info.op == PTRACE_SYSCALL_INFO_EXIT) {
        int64_t before = recorder->count;
        leave(recorder, thread, info.exit.rval);
        bool pauses = recorder->pause_every && recorder->count > before &&
                      recorder->count % recorder->pause_every == 0;
        struct timespec pause = {PAUSE_MS / 1000, PAUSE_MS % 1000 * 1000000L};
        if (pauses) nanosleep(&pause, NULL);
    }
}

/* Starts the program under ptrace(). */
static pid_t begin(char **command) {
    pid_t child = fork();
    if (child < 0) give_up("cannot start a process: %s", strerror(errno));
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL)) _exit(SKIPPED);
        raise(SIGSTOP);
        execv(command[0], command);
        _exit(127);
    }
    int status;
    long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;
    bool stopped = waitpid(child, &status, 0) == child && WIFSTOPPED(status);
    if (!stopped || ptrace(PTRACE_SETOPTIONS, child, NULL, options)) {
        fprintf(stderr, "tracing with ptrace() is forbidden here\n");
        exit(SKIPPED);
    }
    ptrace(PTRACE_SYSCALL, child, NULL, 0L);
    return child;
}

/* Runs the program until it ends, or kills it when recorder->count has reached `until`. Operations
 * that were recorded before this run of the program count, too. Returns whether the program ended
 * by itself. */
static bool run_once(Recorder *recorder, char **command, int64_t until) {
    pid_t child = begin(command), id;
    int status;
    bool killed = false;
    recorder->thread_count = 0;
    while ((id = waitpid(-1, &status, __WALL)) > 0) {
        if (id == child && (WIFEXITED(status) || WIFSIGNALED(status))) {
            if (!killed && (!WIFEXITED(status) || WEXITSTATUS(status)))
                give_up("the program failed, with status 0x%x", (unsigned)status);
            return !killed;
        }
        if (!WIFSTOPPED(status)) continue;
        int signal = WSTOPSIG(status), event = status >> 16;
        if (signal == (SIGTRAP | 0x80) && !killed) {
            handle_call(recorder, id);
            killed = recorder->count >= until;
            if (killed) kill(child, SIGKILL);
        }
        bool ours = signal == (SIGTRAP | 0x80) || event || signal == SIGTRAP || signal == SIGSTOP;
        ptrace(PTRACE_SYSCALL, id, NULL, ours ? 0L : (long)signal);
    }
    give_up("the program is gone: %s", strerror(errno));
}

static FILE *make_file(const char *folder, const char *name) {
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "w");
    if (!stream) give_up("cannot write %s: %s", path, strerror(errno));
    return stream;
}

int main(int argc, char **argv) {
    static Recorder recorder;
    if (argc < 6) give_up("usage: OUT OPERATIONS KILL_EVERY PAUSE_EVERY PROGRAM ARGUMENT...");
    snprintf(recorder.tree, sizeof recorder.tree, "%s/tree", argv[1]);
    bool made = strlen(argv[1]) < PATH_MAX - 8 && !mkdir(argv[1], 0777);
    if (!made || mkdir(recorder.tree, 0777) || !realpath(argv[1], recorder.tree))
        give_up("cannot make %s/tree: %s", argv[1], strerror(errno));
    recorder.operations = make_file(recorder.tree, "operations");
    recorder.data = make_file(recorder.tree, "data");
    strcat(recorder.tree, "/tree");
    recorder.max = atoll(argv[2]);
    recorder.kill_every = atoll(argv[3]);
    recorder.pause_every = atoll(argv[4]);
    recorder.inodes = calloc(FILES_MAX, sizeof *recorder.inodes);
    if (!recorder.inodes) give_up("no memory");
    bool ended = false;
    while (!ended && recorder.count < recorder.max) {
        int64_t until = recorder.kill_every ? recorder.count + recorder.kill_every : INT64_MAX;
        ended = run_once(&recorder, argv + 5, until < recorder.max ? until : recorder.max);
    }
    fclose(recorder.operations);
    fclose(recorder.data);
    free(recorder.inodes);
    printf("%lld operations\n", (long long)recorder.count);
    return 0;
}
