/* Journals of finished games: how they become files, and who may recover them. */
#define _GNU_SOURCE /* nftw */
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/hash.h"
#include "data/made_rows.h"
#include "memory_limit.h"
#include "run/store/journal_private.h"
#include "run/tiny_run.h"

enum { LENGTH = 4 };

/* Counts what was synced since these numbers were set to 0. */
static struct {
    int directories, journals;
    int early_files; /* whole files that were synced before a journal */
    ino_t watched;   /* a directory, and how often it was synced */
    int watched_times;
} synced;

/* These replace the functions of the C library, and count their calls. */
int fsync(int descriptor) {
    struct stat info;
    bool directory = !fstat(descriptor, &info) && S_ISDIR(info.st_mode);
    synced.directories += directory;
    synced.watched_times += directory && info.st_ino == synced.watched;
    synced.early_files += !directory && !synced.journals;
    return (int)syscall(SYS_fsync, descriptor);
}

int fdatasync(int descriptor) {
    synced.journals++;
    return (int)syscall(SYS_fdatasync, descriptor);
}

static RunDirectory make_run(const Folder *folder) {
    RunDirectory run;
    EXPECT_OK(run_directory_open(folder->text, &run, err));
    return run;
}

static Journal *open_journal(const RunDirectory *run, const char *worker) {
    Journal *journal;
    EXPECT_OK(journal_open(run, 3, worker, LENGTH, &journal, err));
    return journal;
}

static void add_game(Journal *journal, size_t count) {
    Rows rows = made_rows(LENGTH, LENGTH, LENGTH, count, 1);
    EXPECT_OK(journal_add(journal, "(;GM[1]FF[4]SZ[4])\n", &rows, err));
    rows_clear(&rows);
}

static int64_t rows_in(const RunDirectory *run, const char *name) {
    RowFileSize size;
    EXPECT_OK(row_file_size(path_in(run->root.text, name).text, &size, err));
    return size.rows;
}

static int recovered(const RunDirectory *run) {
    int games = -1;
    EXPECT_OK(journal_recover(run, &games, err));
    return games;
}

/* A child process opens a journal, adds `games` games and ends without publishing them. */
static void leave_journal(const RunDirectory *run, int games) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        Journal *journal = open_journal(run, "w");
        for (int i = 0; i < games; i++)
            add_game(journal, 2);
        _exit(0);
    }
    int status;
    EXPECT_INT(child, waitpid(child, &status, 0));
    EXPECT_INT(0, status);
}

TEST(published_games_are_rows_and_lines) {
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    Journal *journal = open_journal(&run, "w");
    EXPECT_TRUE(file_exists(path_in(run.root.text, "rows/000003/w-0000.journal").text));
    add_game(journal, 3);
    add_game(journal, 4);
    EXPECT_OK(journal_publish(journal, err));
    EXPECT_INT(7, rows_in(&run, "rows/000003/w-0000.npz"));
    EXPECT_TRUE(file_exists(path_in(run.root.text, "games/000003/w-0000.sgfs").text));
    EXPECT_TRUE(!file_exists(path_in(run.root.text, "rows/000003/w-0000.journal").text));
    journal = open_journal(&run, "w"); /* the first name is taken */
    add_game(journal, 1);
    EXPECT_OK(journal_publish(journal, err));
    EXPECT_INT(1, rows_in(&run, "rows/000003/w-0001.npz"));
    remove_folder(&folder);
}

TEST(names_go_on_after_those_that_are_taken) {
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    for (int i = 0; i < 21; i++) {
        char name[32];
        Journal *journal = open_journal(&run, "w");
        snprintf(name, sizeof name, "w-%04d.journal", i);
        EXPECT_TEXT(name, journal_name(journal));
        add_game(journal, 1);
        EXPECT_OK(journal_publish(journal, err));
    }
    EXPECT_OK(file_remove(path_in(run.root.text, "rows/000003/w-0020.npz").text, err));
    Journal *journal = open_journal(&run, "w"); /* w-0020 is still taken, by its games */
    EXPECT_TEXT("w-0021.journal", journal_name(journal));
    journal_free(journal);
    remove_folder(&folder);
}

/* The process that writes the index learns what the games cost from a note beside the rows. */
TEST(a_note_goes_beside_the_rows) {
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    Journal *journal = open_journal(&run, "w");
    EXPECT_TEXT("w-0000.journal", journal_name(journal));
    add_game(journal, 3);
    add_game(journal, 4);
    EXPECT_INT(2, journal_games(journal));
    journal_note(journal, 5000000000, 1.5e12);
    EXPECT_OK(journal_publish(journal, err));
    WorkNote note = work_note_read(path_in(run.root.text, "rows/000003/w-0000.npz").text);
    EXPECT_INT(2, note.games);
    EXPECT_INT(5000000000, note.evaluations);
    EXPECT_NEAR(1.5e12, note.multiply_adds, 0);
    leave_journal(&run, 3); /* its cost is unknown */
    EXPECT_INT(3, recovered(&run));
    note = work_note_read(path_in(run.root.text, "rows/000003/w-0001.npz").text);
    EXPECT_INT(3, note.games);
    EXPECT_INT(0, note.evaluations);
    note = work_note_read(path_in(run.root.text, "rows/000003/w-0002.npz").text);
    EXPECT_INT(0, note.games);
    Path bad = path_in(run.root.text, "rows/000003/w-0002.count");
    EXPECT_OK(file_write(bad.text, "games nan\nevaluations -7\nmultiply_adds 1e999\n", 45, err));
    note = work_note_read(path_in(run.root.text, "rows/000003/w-0002.npz").text);
    EXPECT_TRUE(note.games == 0 && note.evaluations == 0 && note.multiply_adds == 0);
    remove_folder(&folder);
}

TEST(the_name_of_a_journal_is_synced) {
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    Journal *journal = open_journal(&run, "one"); /* makes the folders of its net */
    EXPECT_OK(journal_publish(journal, err));
    memset(&synced, 0, sizeof synced);
    journal = open_journal(&run, "two");
    EXPECT_INT(1, synced.directories);
    journal_free(journal);
    remove_folder(&folder);
}

/* The journal must be synced first. Otherwise a loss of power, before all files are written, could
 * take games from the journal. Then the journal would have fewer games than the note and the row
 * file have. */
TEST(a_journal_is_synced_before_it_becomes_files) {
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    leave_journal(&run, 3);
    memset(&synced, 0, sizeof synced);
    EXPECT_INT(3, recovered(&run));
    EXPECT_INT(1, synced.journals);
    EXPECT_INT(0, synced.early_files);
    Journal *journal = open_journal(&run, "w");
    add_game(journal, 2);
    memset(&synced, 0, sizeof synced);
    EXPECT_OK(journal_publish(journal, err));
    EXPECT_INT(1, synced.journals);
    EXPECT_INT(0, synced.early_files);
    remove_folder(&folder);
}

/* A process may be killed between renaming the game file and syncing its name. Recovery then syncs
 * the name. */
TEST(the_name_of_a_game_file_that_is_there_is_synced) {
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    struct stat info;
    leave_journal(&run, 1);
    Path games = path_in(run.root.text, "games/000003");
    EXPECT_OK(directory_make(games.text, err));
    EXPECT_OK(file_write(path_in(games.text, "w-0000.sgfs").text, "(;)\n", 4, err));
    EXPECT_INT(0, stat(games.text, &info));
    memset(&synced, 0, sizeof synced);
    synced.watched = info.st_ino;
    EXPECT_INT(1, recovered(&run));
    EXPECT_INT(1, synced.watched_times);
    remove_folder(&folder);
}

TEST(no_games_make_no_files) {
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    for (int kept = 0; kept < 2; kept++) {
        Journal *journal = open_journal(&run, "w");
        EXPECT_TEXT("w-0000.journal", journal_name(journal));
        if (kept) journal_keep_name(journal);
        EXPECT_OK(journal_publish(journal, err));
        EXPECT_TRUE(!file_exists(path_in(run.root.text, "rows/000003/w-0000.journal").text));
        EXPECT_TRUE(!file_exists(path_in(run.root.text, "rows/000003/w-0000.npz").text));
        EXPECT_TRUE(!file_exists(path_in(run.root.text, "games/000003/w-0000.sgfs").text));
        EXPECT_INT(kept, file_exists(path_in(run.root.text, "rows/000003/w-0000.count").text));
    }
    Journal *next = open_journal(&run, "w");
    EXPECT_TEXT("w-0001.journal", journal_name(next)); /* the name stays taken */
    EXPECT_OK(journal_publish(next, err));
    remove_folder(&folder);
}

TEST(what_a_worker_left_is_recovered_once) {
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    leave_journal(&run, 3);
    EXPECT_INT(3, recovered(&run));
    EXPECT_INT(0, recovered(&run));
    EXPECT_INT(6, rows_in(&run, "rows/000003/w-0000.npz"));
    EXPECT_TRUE(!file_exists(path_in(run.root.text, "rows/000003/w-0000.journal").text));
    leave_journal(&run, 0); /* a journal that is an empty file */
    EXPECT_INT(0, recovered(&run));
    EXPECT_TRUE(!file_exists(path_in(run.root.text, "rows/000003/w-0001.journal").text));
    remove_folder(&folder);
}

TEST(a_game_cut_off_is_dropped) {
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    leave_journal(&run, 3);
    Path path = path_in(run.root.text, "rows/000003/w-0000.journal");
    EXPECT_INT(0, truncate(path.text, file_bytes(path.text) - 5));
    EXPECT_INT(2, recovered(&run));
    EXPECT_INT(4, rows_in(&run, "rows/000003/w-0000.npz"));
    remove_folder(&folder);
}

/* If a process is killed after it has written the note and before it has written the rows, the cost
 * in the note is kept. */
TEST(the_cost_in_an_existing_note_is_kept) {
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    leave_journal(&run, 3);
    static const char NOTE[] = "games 2\nevaluations 700\nmultiply_adds 9e9\n";
    EXPECT_OK(file_write(path_in(run.root.text, "rows/000003/w-0000.count").text, NOTE,
                         strlen(NOTE), err));
    EXPECT_INT(3, recovered(&run));
    WorkNote note = work_note_read(path_in(run.root.text, "rows/000003/w-0000.npz").text);
    EXPECT_INT(3, note.games);
    EXPECT_INT(700, note.evaluations);
    EXPECT_NEAR(9e9, note.multiply_adds, 0);
    remove_folder(&folder);
}

/* Journals of earlier versions had no maximum size. */
TEST(a_large_journal_becomes_several_files) {
    enum { GAMES = 3 };
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    size_t max = JOURNAL_BYTES / rows_bytes(LENGTH), each = max * 2 / 5;
    EXPECT_TRUE(each <= 100000); /* rows of one game */
    Rows rows = made_rows(LENGTH, LENGTH, LENGTH, each, 1);
    Journal *journal = open_journal(&run, "w");
    for (int i = 0; i < GAMES; i++) {
        EXPECT_INT(i >= 2, journal_is_full(journal, each));
        EXPECT_OK(journal_add(journal, "(;GM[1]FF[4]SZ[4])", &rows, err));
    }
    rows.count = 0;
    EXPECT_TRUE(journal_is_full(journal, 0));
    rows_clear(&rows);
    journal_free(journal);
    for (int i = 0; i < 2; i++) { /* recovering once more makes the same files */
        Path path = path_in(run.root.text, "rows/000003/w-0000.journal"),
             kept = path_in(run.root.text, "kept");
        if (i)
            EXPECT_OK(file_rename(kept.text, path.text, err));
        else
            EXPECT_INT(0, link(path.text, kept.text));
        EXPECT_INT(GAMES, recovered(&run));
        EXPECT_INT(2 * each, rows_in(&run, "rows/000003/w-0000.npz"));
        EXPECT_INT(each, rows_in(&run, "rows/000003/w-0000.001.npz"));
        EXPECT_INT(1,
                   work_note_read(path_in(run.root.text, "rows/000003/w-0000.001.npz").text).games);
        EXPECT_FALSE(file_exists(path.text));
    }
    Arena arena = {0};
    char **paths;
    int count;
    EXPECT_OK(run_directory_row_files(&run, &arena, &paths, &count, err));
    EXPECT_INT(2, count);
    arena_clear(&arena);
    remove_folder(&folder);
}

TEST(a_game_that_no_file_can_hold_is_refused) {
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    Journal *journal = open_journal(&run, "w");
    Rows rows = {.length = LENGTH, .count = 100001};
    EXPECT_STATUS(ERR_ARGUMENT, journal_add(journal, "(;)", &rows, NULL));
    EXPECT_INT(0, journal_games(journal));
    EXPECT_FALSE(journal_is_full(journal, 100000)); /* a new journal would not help */
    EXPECT_OK(journal_publish(journal, err));
    remove_folder(&folder);
}

enum { NO_LIMIT = 99 };

/* Recovers journals in a child process that may use `bytes` more memory than now. Returns the
 * Status, or NO_LIMIT if memory cannot be limited. */
static int recover_within(const RunDirectory *run, size_t bytes) {
    int status, games;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) _exit(limit_memory(bytes) ? (int)journal_recover(run, &games, NULL) : NO_LIMIT);
    EXPECT_INT(child, waitpid(child, &status, 0));
    EXPECT_TRUE(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* A journal that cannot be recovered for lack of memory stays unchanged, at whatever point memory
 * ran out. */
TEST(a_journal_too_large_for_memory_stays) {
    enum { GAME_ROWS = 20000 };
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    Rows rows = made_rows(LENGTH, LENGTH, LENGTH, GAME_ROWS, 1);
    Journal *journal = open_journal(&run, "w");
    for (int i = 0; i < 2; i++)
        EXPECT_OK(journal_add(journal, "(;GM[1]FF[4]SZ[4])", &rows, err));
    rows_clear(&rows);
    journal_free(journal);
    Path path = path_in(run.root.text, "rows/000003/w-0000.journal");
    int64_t bytes = file_bytes(path.text);
    int failed = 0, result = ERR_MEMORY;
    for (size_t more = 4; result == ERR_MEMORY && more < 1024; more += 4) {
        EXPECT_INT(bytes, file_bytes(path.text));
        result = recover_within(&run, more << 20);
        failed += result == ERR_MEMORY;
    }
    if (result == NO_LIMIT)
        EXPECT_INT(2, recovered(&run));
    else
        EXPECT_TRUE(result == OK && failed > 3);
    EXPECT_INT(2 * GAME_ROWS, rows_in(&run, "rows/000003/w-0000.npz"));
    remove_folder(&folder);
}

/* Adds games until `bytes` more memory are used up. Returns 0 if the call that failed left the file
 * of the journal as it was, 1 if not, and NO_LIMIT if memory cannot be limited. */
static int add_until_memory_ends(Journal *journal, const char *path, size_t bytes) {
    Rows rows = made_rows(LENGTH, LENGTH, LENGTH, 1000, 1);
    Status status = OK;
    int64_t before = 0;
    if (!limit_memory(bytes)) return NO_LIMIT;
    while (!status) {
        before = file_bytes(path);
        status = journal_add(journal, "(;GM[1]FF[4]SZ[4])", &rows, NULL);
    }
    return status == ERR_MEMORY && file_bytes(path) == before ? 0 : 1;
}

TEST(a_game_too_large_for_memory_is_not_written) {
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    Journal *journal = open_journal(&run, "w");
    Path path = path_in(run.root.text, "rows/000003/w-0000.journal");
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) _exit(add_until_memory_ends(journal, path.text, (size_t)32 << 20));
    EXPECT_INT(child, waitpid(child, &status, 0));
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_TRUE(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == NO_LIMIT);
    journal_free(journal);
    remove_folder(&folder);
}

TEST(an_open_journal_is_left_to_its_worker) {
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    Journal *journal = open_journal(&run, "w");
    EXPECT_INT(0, recovered(&run)); /* the journal has no games yet */
    add_game(journal, 2);
    EXPECT_INT(0, recovered(&run));
    EXPECT_TRUE(file_exists(path_in(run.root.text, "rows/000003/w-0000.journal").text));
    EXPECT_TRUE(!file_exists(path_in(run.root.text, "rows/000003/w-0000.npz").text));
    Journal *other = open_journal(&run, "w"); /* as another process would, with the same name */
    add_game(journal, 2);
    add_game(other, 5);
    EXPECT_OK(journal_publish(journal, err));
    EXPECT_OK(journal_publish(other, err));
    EXPECT_INT(4, rows_in(&run, "rows/000003/w-0000.npz"));
    EXPECT_INT(5, rows_in(&run, "rows/000003/w-0001.npz"));
    remove_folder(&folder);
}

/* Puts a folder that cannot be removed in place of the journal. */
static void block(const Path *path) {
    EXPECT_OK(file_remove(path->text, err));
    Path inside;
    EXPECT_OK(path_join(&inside, path->text, "inside", err));
    EXPECT_OK(directory_make(inside.text, err));
}

TEST(games_are_published_even_if_the_journal_stays) {
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    Journal *journal = open_journal(&run, "w");
    add_game(journal, 2);
    Path path = path_in(run.root.text, "rows/000003/w-0000.journal");
    block(&path);
    EXPECT_OK(journal_publish(journal, err)); /* and the journal is freed */
    EXPECT_INT(2, rows_in(&run, "rows/000003/w-0000.npz"));
    remove_folder(&folder);
}

TEST(a_failed_publication_can_be_repeated) {
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    Journal *journal = open_journal(&run, "w");
    Path rows = path_in(run.root.text, "rows/000003/w-0000.npz");
    add_game(journal, 2);
    Path inside;
    EXPECT_OK(path_join(&inside, rows.text, "inside", err));
    EXPECT_OK(directory_make(inside.text, err)); /* so the row file cannot be written */
    EXPECT_STATUS(ERR_IO, journal_publish(journal, NULL));
    EXPECT_INT(0, remove(inside.text));
    EXPECT_INT(0, remove(rows.text));
    EXPECT_OK(journal_publish(journal, err));
    EXPECT_INT(2, rows_in(&run, "rows/000003/w-0000.npz"));
    journal = open_journal(&run, "w");
    add_game(journal, 3);
    journal_free(journal); /* the next start recovers it */
    EXPECT_INT(1, recovered(&run));
    EXPECT_INT(3, rows_in(&run, "rows/000003/w-0001.npz"));
    remove_folder(&folder);
}

static void copy_file(const char *from, const char *to, size_t bytes) {
    Arena arena = {0};
    char *text;
    size_t length;
    EXPECT_OK(file_read(from, (size_t)1 << 30, &arena, &text, &length, err));
    EXPECT_OK(file_write(to, text, bytes < length ? bytes : length, err));
    arena_clear(&arena);
}

static int lines_in(const RunDirectory *run, const char *name) {
    Arena arena = {0};
    char *text;
    size_t length;
    int lines = 0;
    EXPECT_OK(file_read(path_in(run->root.text, name).text, 1 << 20, &arena, &text, &length, err));
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    arena_clear(&arena);
    return lines;
}

/* The power fails after the journal was published and removed, but before its removal and its last
 * games are on the disk. The journal then comes back with fewer games than the published files. */
TEST(a_journal_that_comes_back_takes_nothing_away) {
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    Journal *journal = open_journal(&run, "w");
    Path path = path_in(run.root.text, "rows/000003/w-0000.journal"),
         kept = path_in(run.root.text, "kept");
    for (int i = 0; i < 5; i++) {
        add_game(journal, 2);
        if (i == 2) copy_file(path.text, kept.text, SIZE_MAX);
    }
    journal_note(journal, 500, 5e9);
    EXPECT_OK(journal_publish(journal, err));
    EXPECT_OK(file_rename(kept.text, path.text, err));
    EXPECT_INT(3, recovered(&run));
    EXPECT_FALSE(file_exists(path.text));
    EXPECT_INT(10, rows_in(&run, "rows/000003/w-0000.npz"));
    EXPECT_INT(5, lines_in(&run, "games/000003/w-0000.sgfs"));
    WorkNote note = work_note_read(path_in(run.root.text, "rows/000003/w-0000.npz").text);
    EXPECT_INT(5, note.games);
    EXPECT_INT(500, note.evaluations);
    remove_folder(&folder);
}

/* The worker was killed before it wrote the game file, and the row file is damaged. */
TEST(a_file_that_is_missing_or_damaged_is_written_again) {
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    leave_journal(&run, 3);
    EXPECT_OK(file_write(path_in(run.root.text, "rows/000003/w-0000.npz").text, "PK", 2, err));
    EXPECT_INT(3, recovered(&run));
    EXPECT_INT(6, rows_in(&run, "rows/000003/w-0000.npz"));
    EXPECT_INT(3, lines_in(&run, "games/000003/w-0000.sgfs"));
    remove_folder(&folder);
}

enum { HEADER = 32 };

/* Overwrites bytes of the journal that leave_journal() made, recovers it, and returns the number of
 * games. */
static int recovered_after(const RunDirectory *run, int64_t at, const void *bytes, size_t count) {
    Path path = path_in(run->root.text, "rows/000003/w-0000.journal");
    int file = open(path.text, O_WRONLY);
    EXPECT_INT(count, pwrite(file, bytes, count, at));
    EXPECT_INT(0, close(file));
    return recovered(run);
}

/* Games after the damage are recovered. The journal is kept as .bad, for people to look at. */
TEST(damage_costs_only_the_games_that_it_hits) {
    static const char ZEROS[4096];
    const struct {
        int64_t game, at; /* the game's number and the offset in it */
        size_t count;     /* number of zeros */
        int want;         /* games that are left; 0: all but those that have zeros */
    } DAMAGES[] = {{0, 8, 1, 4}, {0, 0, 4096, 0}, {1, 8, 1, 4}, {2, HEADER + 5, 3, 4}};
    for (size_t i = 0; i < sizeof DAMAGES / sizeof *DAMAGES; i++) {
        Folder folder = make_folder();
        RunDirectory run = make_run(&folder);
        leave_journal(&run, 5);
        Path path = path_in(run.root.text, "rows/000003/w-0000.journal");
        int64_t game = file_bytes(path.text) / 5;
        int damaged = (int)((DAMAGES[i].at + (int64_t)DAMAGES[i].count + game - 1) / game);
        int want = DAMAGES[i].want ? DAMAGES[i].want : 5 - damaged;
        EXPECT_TRUE(want > 0);
        EXPECT_INT(want, recovered_after(&run, DAMAGES[i].game * game + DAMAGES[i].at, ZEROS,
                                         DAMAGES[i].count));
        EXPECT_INT(2 * want, rows_in(&run, "rows/000003/w-0000.npz"));
        EXPECT_FALSE(file_exists(path.text));
        EXPECT_INT(5 * game,
                   file_bytes(path_in(run.root.text, "rows/000003/w-0000.journal.bad").text));
        EXPECT_INT(0, recovered(&run));
        remove_folder(&folder);
    }
}

/* Each game is one line of its file, and the games are counted by these lines. */
TEST(a_game_of_several_lines_is_refused_and_not_recovered) {
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    Rows rows = made_rows(LENGTH, LENGTH, LENGTH, 1, 1);
    Journal *journal = open_journal(&run, "other");
    EXPECT_STATUS(ERR_ARGUMENT, journal_add(journal, "(;GM[1]\nFF[4])\n", &rows, NULL));
    EXPECT_INT(0, journal_games(journal));
    EXPECT_OK(journal_publish(journal, err));
    rows_clear(&rows);
    leave_journal(&run, 2);

    Path path = path_in(run.root.text, "rows/000003/w-0000.journal");
    Arena arena = {0};
    JournalHeader header;
    char *bytes;
    size_t count;
    EXPECT_OK(file_read(path.text, 1 << 20, &arena, &bytes, &count, err));
    memcpy(&header, bytes, sizeof header);
    bytes[sizeof header + 7] = '\n';
    header.crc = hash_crc32(bytes + sizeof header, header.bytes);
    memcpy(bytes, &header, sizeof header);
    EXPECT_INT(1, recovered_after(&run, 0, bytes, sizeof header + header.sgf_bytes));
    EXPECT_INT(1, lines_in(&run, "games/000003/w-0000.sgfs"));
    EXPECT_INT(2, rows_in(&run, "rows/000003/w-0000.npz"));
    arena_clear(&arena);
    remove_folder(&folder);
}

TEST(a_journal_without_a_game_is_set_aside) {
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    Path path = path_in(run.root.text, "rows/000003/w-0000.journal"),
         first = path_in(run.root.text, "rows/000003/w-0000.journal.bad"),
         second = path_in(run.root.text, "rows/000003/w-0000.journal.2.bad");
    EXPECT_OK(directory_make(path_in(run.root.text, "rows/000003").text, err));
    EXPECT_OK(file_write(path.text, "nothing that is known", 21, err));
    EXPECT_INT(0, recovered(&run));
    EXPECT_INT(21, file_bytes(first.text));
    EXPECT_OK(file_write(path.text, "nor is this", 11, err));
    EXPECT_INT(0, recovered(&run));
    EXPECT_INT(21, file_bytes(first.text)); /* it was not replaced */
    EXPECT_INT(11, file_bytes(second.text));
    EXPECT_FALSE(file_exists(path.text));
    remove_folder(&folder);
}

/* A crash can leave zeros at the end of a file that had grown before its bytes were on the disk. */
TEST(zeros_at_the_end_are_dropped) {
    static const char ZEROS[100];
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    leave_journal(&run, 3);
    Path path = path_in(run.root.text, "rows/000003/w-0000.journal");
    EXPECT_INT(3, recovered_after(&run, file_bytes(path.text), ZEROS, sizeof ZEROS));
    EXPECT_FALSE(file_exists(path.text));
    EXPECT_FALSE(file_exists(path_in(run.root.text, "rows/000003/w-0000.journal.bad").text));
    remove_folder(&folder);
}

/* Adds a game whose rows have the point columns. */
static void add_game_with_points(Journal *journal) {
    Rows rows = made_rows(LENGTH, LENGTH, LENGTH, 3, 2);
    EXPECT_OK(rows_add_points(&rows, (1 << ROW_POINT_COLUMNS) - 1, err));
    for (int c = 0; c < ROW_POINT_COLUMNS; c++) {
        for (int i = 0; i < 3 * LENGTH * LENGTH; i++)
            rows.points[c][i] = (int16_t)(i % (ROW_POINT_CLASSES[c].max + 1));
    }
    EXPECT_OK(journal_add(journal, "(;GM[1]FF[4]SZ[4])\n", &rows, err));
    rows_clear(&rows);
}

static void add_all_kinds(Journal *journal, int first) {
    for (int i = first; i < first + 4; i++) {
        if (i % 2)
            add_game_with_points(journal);
        else
            add_game(journal, 2);
    }
}

/* A journal may have games with and without point columns, if the settings of the run were changed.
 * Whether a worker publishes it or is killed, its row file has the same bytes. */
TEST(point_columns_are_recovered) {
    for (int first = 0; first < 2; first++) {
        Folder folder = make_folder(), other = make_folder();
        RunDirectory run = make_run(&folder), killed = make_run(&other);
        Arena arena = {0};
        char *a, *b;
        size_t a_bytes, b_bytes;
        Journal *journal = open_journal(&run, "w");
        add_all_kinds(journal, first);
        EXPECT_OK(journal_publish(journal, err));
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            add_all_kinds(open_journal(&killed, "w"), first);
            _exit(0);
        }
        int status;
        EXPECT_INT(child, waitpid(child, &status, 0));
        EXPECT_INT(0, status);
        EXPECT_INT(4, recovered(&killed));
        EXPECT_OK(file_read(path_in(run.root.text, "rows/000003/w-0000.npz").text, 1 << 20, &arena,
                            &a, &a_bytes, err));
        EXPECT_OK(file_read(path_in(killed.root.text, "rows/000003/w-0000.npz").text, 1 << 20,
                            &arena, &b, &b_bytes, err));
        EXPECT_INT(a_bytes, b_bytes);
        EXPECT_TRUE(memcmp(a, b, a_bytes) == 0);
        Rows rows;
        EXPECT_OK(
            row_file_read(path_in(killed.root.text, "rows/000003/w-0000.npz").text, &rows, err));
        EXPECT_INT(10, rows.count);
        EXPECT_INT((1 << ROW_POINT_COLUMNS) - 1, rows.point_columns);
        EXPECT_INT(1, rows.points[0][(first ? 0 : 2) * LENGTH * LENGTH + 1]);
        EXPECT_INT(0, rows.points[0][(first ? 3 : 0) * LENGTH * LENGTH + 1]);
        rows_clear(&rows);
        arena_clear(&arena);
        remove_folder(&folder);
        remove_folder(&other);
    }
}

/* Older versions can recover a journal without point columns, because its games have version 1. A
 * journal with columns that a later version added is left to that version. */
TEST(journals_tell_which_versions_can_recover_them) {
    for (int how = 0; how < 3; how++) {
        Folder folder = make_folder();
        RunDirectory run = make_run(&folder);
        Arena arena = {0};
        char *bytes;
        size_t count;
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            Journal *journal = open_journal(&run, "w");
            if (how)
                add_game_with_points(journal);
            else
                add_game(journal, 2);
            _exit(0);
        }
        int status;
        EXPECT_INT(child, waitpid(child, &status, 0));
        Path path = path_in(run.root.text, "rows/000003/w-0000.journal");
        EXPECT_OK(file_read(path.text, 1 << 20, &arena, &bytes, &count, err));
        EXPECT_TRUE(memcmp(bytes, how ? "AJIGAME2" : "AJIGAME1", 8) == 0);
        EXPECT_TRUE(memcmp(bytes + 8, how ? "\4\0" : "\4\0\0", how ? 2 : 4) == 0);
        if (how == 2) {
            /* sets the highest bit of JournalHeader.point_columns: an unknown column */
            EXPECT_INT(0, recovered_after(&run, 11, "\200", 1));
            EXPECT_TRUE(file_exists(path.text));
        } else {
            EXPECT_INT(1, recovered(&run));
        }
        arena_clear(&arena);
        remove_folder(&folder);
    }
}

TEST(a_journal_of_a_newer_version_is_left_alone) {
    Folder folder = make_folder();
    RunDirectory run = make_run(&folder);
    leave_journal(&run, 3);
    Path path = path_in(run.root.text, "rows/000003/w-0000.journal");
    int64_t bytes = file_bytes(path.text);
    EXPECT_INT(0, recovered_after(&run, 7, "3", 1));
    EXPECT_INT(bytes, file_bytes(path.text));
    EXPECT_FALSE(file_exists(path_in(run.root.text, "rows/000003/w-0000.npz").text));
    remove_folder(&folder);
}

TEST_MAIN(RUN(published_games_are_rows_and_lines), RUN(names_go_on_after_those_that_are_taken),
          RUN(a_note_goes_beside_the_rows), RUN(the_name_of_a_journal_is_synced),
          RUN(a_journal_is_synced_before_it_becomes_files),
          RUN(the_name_of_a_game_file_that_is_there_is_synced), RUN(no_games_make_no_files),
          RUN(what_a_worker_left_is_recovered_once), RUN(a_game_cut_off_is_dropped),
          RUN(the_cost_in_an_existing_note_is_kept), RUN(a_large_journal_becomes_several_files),
          RUN(a_game_that_no_file_can_hold_is_refused), RUN(a_journal_too_large_for_memory_stays),
          RUN(a_game_too_large_for_memory_is_not_written),
          RUN(an_open_journal_is_left_to_its_worker),
          RUN(games_are_published_even_if_the_journal_stays),
          RUN(a_failed_publication_can_be_repeated),
          RUN(a_journal_that_comes_back_takes_nothing_away),
          RUN(a_file_that_is_missing_or_damaged_is_written_again),
          RUN(damage_costs_only_the_games_that_it_hits),
          RUN(a_game_of_several_lines_is_refused_and_not_recovered),
          RUN(a_journal_without_a_game_is_set_aside), RUN(zeros_at_the_end_are_dropped),
          RUN(a_journal_of_a_newer_version_is_left_alone), RUN(point_columns_are_recovered),
          RUN(journals_tell_which_versions_can_recover_them))
