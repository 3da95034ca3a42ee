#include "run/store/index/run_index.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

#include "base/file.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "run/store/index/index_checksums.h"

struct RunIndex {
    sqlite3 *database;
    bool has_draws;     /* false only for a read-only index of an earlier version */
    bool has_checksums; /* of facts; false only for a read-only index of an earlier version */
};

enum { BUSY_MS = 10000 }; /* how long to wait while another process writes */

static const char SCHEMA[] =
    "CREATE TABLE IF NOT EXISTS nets (number INTEGER PRIMARY KEY, file TEXT, samples INTEGER, rows "
    "INTEGER, games INTEGER, evaluations INTEGER, seconds REAL, elo REAL DEFAULT 0, elo_deviation "
    "REAL DEFAULT 0);"
    "CREATE TABLE IF NOT EXISTS pairings (first INTEGER, second INTEGER, wins REAL, losses REAL, "
    "purpose TEXT, draws REAL DEFAULT 0);"
    "CREATE TABLE IF NOT EXISTS metrics (name TEXT, samples INTEGER, seconds REAL, value REAL);"
    "CREATE INDEX IF NOT EXISTS metrics_by_name ON metrics (name, samples);"
    "CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, value REAL);";

#define ADVICE                                                                                     \
    "stop the processes of the run and remove run.db: nets and rows are then listed anew from "    \
    "their files, but ratings and curves are lost"

static bool is_damage(int code) {
    return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

static Status failure(RunIndex *index, const char *doing, Error *err) {
    const char *reason = sqlite3_errmsg(index->database);
    return is_damage(sqlite3_errcode(index->database))
               ? fail(err, ERR_SYNTAX, "run.db is damaged: %s: %s; " ADVICE, doing, reason)
               : fail(err, ERR_IO, "run.db: %s: %s", doing, reason);
}

/* Writes "file:PATH?OPTIONS" with the path escaped as SQLite wants it. */
static Status make_uri(const char *path, const char *options, StrBuf *out, Error *err) {
    strbuf_reset(out);
    strbuf_addf(out, "file:");
    for (const char *at = path; *at; at++)
        strbuf_addf(out, strchr("%?#", *at) ? "%%%02x" : "%c", (unsigned)(unsigned char)*at);
    strbuf_addf(out, "?%s", options);
    return strbuf_status(out, err);
}

/* Opens a read-only file. "immutable" is for folders in which SQLite cannot create its own files
 * beside the database. */
static bool open_for_reading(RunIndex *index, const char *path) {
    static const char *const WAYS[] = {"mode=ro", "mode=ro&immutable=1"};
    StrBuf uri = {0};
    bool done = false;
    for (int i = 0; i < 2 && !done && !make_uri(path, WAYS[i], &uri, NULL); i++) {
        sqlite3_close(index->database);
        done = sqlite3_open_v2(strbuf_text(&uri), &index->database,
                               SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) == SQLITE_OK &&
               sqlite3_busy_timeout(index->database, BUSY_MS) == SQLITE_OK &&
               sqlite3_exec(index->database, "SELECT number FROM nets LIMIT 1", NULL, NULL, NULL) ==
                   SQLITE_OK;
    }
    strbuf_clear(&uri);
    return done;
}

static bool has_draws(RunIndex *index) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(index->database, "SELECT draws FROM pairings LIMIT 0", -1,
                                  &statement, NULL);
    sqlite3_finalize(statement);
    return code == SQLITE_OK;
}

/* Lets SQLite check the pages of the file and the order of its keys, so that damage is found before
 * the program reads anything from the file. */
static Status check_pages(RunIndex *index, Error *err) {
    sqlite3_stmt *statement = NULL;
    int code =
        sqlite3_prepare_v2(index->database, "PRAGMA integrity_check(1)", -1, &statement, NULL);
    if (code == SQLITE_OK) code = sqlite3_step(statement);
    const char *said = code == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    Status status = OK;
    if (said && strcmp(said, "ok") != 0)
        status = fail(err, ERR_SYNTAX, "run.db is damaged: %.200s; " ADVICE, said);
    else if (is_damage(code))
        status = failure(index, "checking it", err);
    sqlite3_finalize(statement);
    return status;
}

static Status check_values(RunIndex *index, Error *err) {
    Error fault = {0};
    Status status = index_checksums_verify(index->database, &fault);
    return status ? fail(err, status, "run.db is damaged: %.200s; " ADVICE, fault.message) : OK;
}

/* Adds the column of draws to an index that an earlier version made. That version stored a draw as
 * half a win for each side. Games that are in the index already stay as they are. */
static void add_draws_column(RunIndex *index) {
    index->has_draws = has_draws(index);
    if (index->has_draws || sqlite3_db_readonly(index->database, "main")) return;
    sqlite3_exec(index->database, "ALTER TABLE pairings ADD COLUMN draws REAL DEFAULT 0", NULL,
                 NULL, NULL);
    index->has_draws = has_draws(index); /* true if this process or another one has added it */
}

/* File systems that several machines may share, by the magic numbers of statfs(2): NFS, SMB, CIFS,
 * SMB2, FUSE, 9p, AFS, Coda, Ceph, Lustre, GPFS, BeeGFS, PanFS, OCFS2, GFS2, NCP. */
static const uint32_t SHARED_BY_MACHINES[] = {
    0x6969,     0x517b,     0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x5346414f, 0x73757245,
    0x00c36400, 0x0bd00bd0, 0x47504653, 0x19830326, 0xaad7aaea, 0x7461636f, 0x01161970, 0x564c};

const char *run_index_pragmas(uint32_t file_system) {
    for (size_t i = 0; i < sizeof SHARED_BY_MACHINES / sizeof *SHARED_BY_MACHINES; i++) {
        if (file_system == SHARED_BY_MACHINES[i])
            return "PRAGMA synchronous = FULL; PRAGMA journal_mode = DELETE";
    }
    return "PRAGMA synchronous = NORMAL; PRAGMA journal_mode = WAL";
}

/* Gives SQLite the settings that fit the file system. If another process has the file open in
 * another journal mode, the mode stays as it is. */
static int set_pragmas(RunIndex *index, const char *path) {
    Path folder = {.text = "."};
    struct statfs info;
    const char *name = path_name(path);
    if (name > path && (size_t)(name - path) < sizeof folder.text)
        snprintf(folder.text, sizeof folder.text, "%.*s", (int)(name - path), path);
    bool known = statfs(folder.text, &info) == 0;
    const char *pragmas = run_index_pragmas(known ? (uint32_t)info.f_type : 0);
    int code = sqlite3_exec(index->database, pragmas, NULL, NULL, NULL);
    return code == SQLITE_BUSY ? SQLITE_OK : code;
}

static bool may_not_write(int code) {
    return code == SQLITE_READONLY || code == SQLITE_CANTOPEN || code == SQLITE_PERM;
}

Status run_index_open(const char *path, RunIndex **out, Error *err) {
    RunIndex *index;
    *out = NULL;
    Status status = mem_new(1, sizeof *index, &index, err);
    if (status) return status;
    index_journal_check(path);
    if (sqlite3_open(path, &index->database) != SQLITE_OK ||
        sqlite3_busy_timeout(index->database, BUSY_MS) != SQLITE_OK ||
        set_pragmas(index, path) != SQLITE_OK ||
        sqlite3_exec(index->database, SCHEMA, NULL, NULL, NULL) != SQLITE_OK) {
        bool locked = may_not_write(sqlite3_errcode(index->database));
        status = fail(err, ERR_IO, "cannot use %s: %s%s", path, sqlite3_errmsg(index->database),
                      locked ? "" : "; if it is damaged, " ADVICE);
        if (locked && open_for_reading(index, path)) status = OK;
    }
    if (!status) status = check_pages(index, err);
    if (!status && index_checksums_functions(index->database) != SQLITE_OK)
        status = failure(index, "opening it", err);
    if (!status) status = check_values(index, err);
    if (status) {
        run_index_close(index);
        return status;
    }
    add_draws_column(index);
    index_checksums_add(index->database);
    index->has_checksums = index_checksums_of_facts(index->database);
    *out = index;
    return OK;
}

Status run_index_open_reader(const char *path, RunIndex **out, Error *err) {
    RunIndex *index;
    *out = NULL;
    Status status = mem_new(1, sizeof *index, &index, err);
    if (status) return status;
    if (!open_for_reading(index, path) || index_checksums_functions(index->database) != SQLITE_OK) {
        run_index_close(index);
        return fail(err, ERR_IO, "cannot read %s", path);
    }
    index->has_draws = has_draws(index);
    index->has_checksums = index_checksums_of_facts(index->database);
    *out = index;
    return OK;
}

void run_index_close(RunIndex *index) {
    if (!index) return;
    sqlite3_close(index->database);
    free(index);
}

/* Prepares a statement and binds its values in order. Types: 'i' int64_t, 'd' double, 't' text. */
static sqlite3_stmt *prepare(RunIndex *index, const char *sql, const char *types, ...) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(index->database, sql, -1, &statement, NULL) != SQLITE_OK) return NULL;
    va_list values;
    va_start(values, types);
    for (int i = 0; types[i]; i++) {
        if (types[i] == 'i')
            sqlite3_bind_int64(statement, i + 1, va_arg(values, int64_t));
        else if (types[i] == 'd')
            sqlite3_bind_double(statement, i + 1, va_arg(values, double));
        else
            sqlite3_bind_text(statement, i + 1, va_arg(values, const char *), -1, SQLITE_TRANSIENT);
    }
    va_end(values);
    return statement;
}

static Status finish(RunIndex *index, sqlite3_stmt *statement, const char *doing, Error *err) {
    int code = statement ? sqlite3_step(statement) : SQLITE_ERROR;
    Status status = code == SQLITE_DONE ? OK : failure(index, doing, err);
    sqlite3_finalize(statement);
    return status;
}

#define LAST_ROW "rowid = last_insert_rowid()"

/* Does the same as finish() for a statement that changes the rows of a table that fulfil
 * `condition`. Afterwards these rows get their checksums. */
static Status finish_row(RunIndex *index, sqlite3_stmt *statement, const char *table,
                         const char *condition, const char *doing, Error *err) {
    Status status = finish(index, statement, doing, err);
    if (!status) index_checksums_note(index->database, table, condition);
    return status;
}

/* Goes to the next row. Returns false at the end. Also returns false after a failure, which sets
 * `*status`. */
static bool next_row(RunIndex *index, sqlite3_stmt *statement, const char *doing, Status *status,
                     Error *err) {
    if (*status) return false;
    int code = sqlite3_step(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE) *status = failure(index, doing, err);
    return code == SQLITE_ROW;
}

/* Ends a list that grew at `*array_pointer` and has `used` elements. After a failure frees the
 * list. */
static Status end_list(sqlite3_stmt *statement, Status status, size_t used, void *array_pointer,
                       int *count) {
    sqlite3_finalize(statement);
    *count = status ? 0 : (int)used;
    if (!status) return OK;
    void *array, *none = NULL;
    memcpy(&array, array_pointer, sizeof array);
    free(array);
    memcpy(array_pointer, &none, sizeof none);
    return status;
}

Status run_index_add_net(RunIndex *index, const IndexedNet *net, Error *err) {
    sqlite3_stmt *s =
        prepare(index,
                "INSERT OR REPLACE INTO nets (number, file, samples, rows, games, evaluations, "
                "seconds, elo, elo_deviation) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                "itiiiiddd", (int64_t)net->number, net->file, net->samples, net->rows, net->games,
                net->evaluations, net->seconds, net->elo, net->elo_deviation);
    return finish_row(index, s, "nets", LAST_ROW, "adding a net", err);
}

Status run_index_nets(RunIndex *index, IndexedNet **out, int *count, Error *err) {
    size_t capacity = 0, used = 0;
    *out = NULL;
    *count = 0;
    sqlite3_stmt *s = prepare(index,
                              "SELECT number, file, samples, rows, games, evaluations, seconds, "
                              "elo, elo_deviation FROM nets ORDER BY number",
                              "");
    if (!s) return failure(index, "listing nets", err);
    Status status = OK;
    while (next_row(index, s, "listing nets", &status, err)) {
        status = mem_grow(out, &capacity, used + 1, sizeof **out, err);
        if (status) break;
        IndexedNet *net = &(*out)[used++];
        *net = (IndexedNet){.number = sqlite3_column_int(s, 0),
                            .samples = sqlite3_column_int64(s, 2),
                            .rows = sqlite3_column_int64(s, 3),
                            .games = sqlite3_column_int64(s, 4),
                            .evaluations = sqlite3_column_int64(s, 5),
                            .seconds = sqlite3_column_double(s, 6),
                            .elo = sqlite3_column_double(s, 7),
                            .elo_deviation = sqlite3_column_double(s, 8)};
        const unsigned char *file = sqlite3_column_text(s, 1);
        snprintf(net->file, sizeof net->file, "%s", file ? (const char *)file : "");
    }
    return end_list(s, status, used, out, count);
}

Status run_index_set_rating(RunIndex *index, int number, double elo, double deviation, Error *err) {
    char condition[32];
    snprintf(condition, sizeof condition, "number = %d", number);
    return finish_row(index,
                      prepare(index, "UPDATE nets SET elo = ?, elo_deviation = ? WHERE number = ?",
                              "ddi", elo, deviation, (int64_t)number),
                      "nets", condition, "rating a net", err);
}

/* SQLite's number for the level EXTRA of its pragma "synchronous". At this level each transaction
 * waits until it is on disk. At the level NORMAL a loss of power may cost the last transactions.
 * EXTRA differs from FULL only in the journal mode DELETE. */
enum { SYNCHRONOUS_EXTRA = 3 };

/* Returns the present level, or -1 if SQLite does not tell. */
static int synchronous_level(RunIndex *index) {
    sqlite3_stmt *s = NULL;
    int level = -1;
    if (sqlite3_prepare_v2(index->database, "PRAGMA synchronous", -1, &s, NULL) == SQLITE_OK &&
        sqlite3_step(s) == SQLITE_ROW)
        level = sqlite3_column_int(s, 0);
    sqlite3_finalize(s);
    return level;
}

static void set_synchronous_level(RunIndex *index, int level) {
    char sql[40];
    if (level < 0) return; /* the level is not known, so it was not changed before */
    snprintf(sql, sizeof sql, "PRAGMA synchronous = %d", level);
    sqlite3_exec(index->database, sql, NULL, NULL, NULL);
}

Status run_index_add_games(RunIndex *index, const EloGames *games, const char *purpose,
                           Error *err) {
    int usual_level = synchronous_level(index);
    if (usual_level >= 0) set_synchronous_level(index, SYNCHRONOUS_EXTRA);
    Status status =
        finish(index,
               prepare(index,
                       "INSERT INTO pairings (first, second, wins, losses, purpose, draws) "
                       "VALUES (?, ?, ?, ?, ?, ?)",
                       "iiddtd", (int64_t)games->first, (int64_t)games->second, games->wins,
                       games->losses, purpose, games->draws),
               "adding games", err);
    set_synchronous_level(index, usual_level);
    if (!status) index_checksums_note(index->database, "pairings", LAST_ROW);
    return status;
}

Status run_index_pairings(RunIndex *index, EloGames **out, int *count, Error *err) {
    size_t capacity = 0, used = 0;
    *out = NULL;
    *count = 0;
    const char *sql = index->has_draws ? "SELECT first, second, SUM(wins), SUM(losses), SUM(draws) "
                                         "FROM pairings GROUP BY first, second ORDER BY 1, 2"
                                       : "SELECT first, second, SUM(wins), SUM(losses), 0 "
                                         "FROM pairings GROUP BY first, second ORDER BY 1, 2";
    sqlite3_stmt *s = prepare(index, sql, "");
    if (!s) return failure(index, "listing games", err);
    Status status = OK;
    while (next_row(index, s, "listing games", &status, err)) {
        status = mem_grow(out, &capacity, used + 1, sizeof **out, err);
        if (!status)
            (*out)[used++] = (EloGames){.first = sqlite3_column_int(s, 0),
                                        .second = sqlite3_column_int(s, 1),
                                        .wins = sqlite3_column_double(s, 2),
                                        .losses = sqlite3_column_double(s, 3),
                                        .draws = sqlite3_column_double(s, 4)};
    }
    return end_list(s, status, used, out, count);
}

Status run_index_anchor(RunIndex *index, AnchorName *out, Error *err) {
    *out = (AnchorName){""};
    sqlite3_stmt *s = prepare(index, "SELECT purpose FROM pairings WHERE second = ? LIMIT 1", "i",
                              (int64_t)ANCHOR_NUMBER);
    Status status = s ? OK : failure(index, "reading the anchor", err);
    if (next_row(index, s, "reading the anchor", &status, err)) {
        const unsigned char *name = sqlite3_column_text(s, 0);
        snprintf(out->text, sizeof out->text, "%s", name ? (const char *)name : "");
    }
    sqlite3_finalize(s);
    return status;
}

Status run_index_remove_anchor(RunIndex *index, Error *err) {
    return finish(
        index, prepare(index, "DELETE FROM pairings WHERE second = ?", "i", (int64_t)ANCHOR_NUMBER),
        "removing games", err);
}

Status run_index_add_metric(RunIndex *index, const char *name, int64_t samples, double seconds,
                            double value, Error *err) {
    return finish_row(index,
                      prepare(index,
                              "INSERT INTO metrics (name, samples, seconds, value) "
                              "VALUES (?, ?, ?, ?)",
                              "tidd", name, samples, seconds, value),
                      "metrics", LAST_ROW, "adding a metric", err);
}

Status run_index_set_metric(RunIndex *index, const char *name, int64_t samples, double seconds,
                            double value, Error *err) {
    Status status = finish(
        index,
        prepare(index, "DELETE FROM metrics WHERE name = ? AND samples = ?", "ti", name, samples),
        "replacing a metric", err);
    return status ? status : run_index_add_metric(index, name, samples, seconds, value, err);
}

Status run_index_metric_names(RunIndex *index, const char *prefix, Arena *arena, char ***out,
                              int *count, Error *err) {
    char **names = NULL;
    size_t capacity = 0;
    *count = 0;
    *out = NULL;
    sqlite3_stmt *s = prepare(
        index, "SELECT DISTINCT name FROM metrics WHERE name >= ? ORDER BY name", "t", prefix);
    if (!s) return failure(index, "listing metrics", err);
    Status status = OK;
    while (next_row(index, s, "listing metrics", &status, err)) {
        const char *name = (const char *)sqlite3_column_text(s, 0);
        if (!name || strncmp(name, prefix, strlen(prefix)) != 0) break;
        status = mem_grow(&names, &capacity, (size_t)*count + 1, sizeof *names, err);
        if (status) break;
        names[*count] = arena_copy(arena, name, strlen(name));
        if (!names[(*count)++]) status = fail(err, ERR_MEMORY, "no room for the names of metrics");
    }
    sqlite3_finalize(s);
    size_t bytes = (size_t)*count * sizeof *names;
    if (!status) *out = arena_alloc(arena, bytes);
    if (!status && !*out) status = fail(err, ERR_MEMORY, "no room for the names of metrics");
    if (!status && bytes) memcpy(*out, names, bytes);
    free(names);
    return status;
}

Status run_index_metric(RunIndex *index, const char *name, MetricPoint **out, int *count,
                        Error *err) {
    size_t capacity = 0, used = 0;
    *out = NULL;
    *count = 0;
    sqlite3_stmt *s = prepare(
        index, "SELECT samples, seconds, value FROM metrics WHERE name = ? ORDER BY seconds", "t",
        name);
    if (!s) return failure(index, "reading metrics", err);
    Status status = OK;
    while (next_row(index, s, "reading metrics", &status, err)) {
        status = mem_grow(out, &capacity, used + 1, sizeof **out, err);
        if (!status)
            (*out)[used++] = (MetricPoint){sqlite3_column_int64(s, 0), sqlite3_column_double(s, 1),
                                           sqlite3_column_double(s, 2)};
    }
    return end_list(s, status, used, out, count);
}

Status run_index_metrics_from(RunIndex *index, int64_t place, int limit, Arena *arena,
                              PlacedMetric **out, int *count, Error *err) {
    *count = 0;
    *out = arena_alloc(arena, mem_array_bytes((size_t)limit, sizeof **out));
    if (!*out) return fail(err, ERR_MEMORY, "no room for %d points of curves", limit);
    sqlite3_stmt *s = prepare(index,
                              "SELECT rowid, name, samples, seconds, value FROM metrics "
                              "WHERE rowid >= ? ORDER BY rowid LIMIT ?",
                              "ii", place, (int64_t)limit);
    if (!s) return failure(index, "reading metrics", err);
    Status status = OK;
    while (next_row(index, s, "reading metrics", &status, err)) {
        const char *name = (const char *)sqlite3_column_text(s, 1);
        PlacedMetric *metric = &(*out)[(*count)++];
        *metric = (PlacedMetric){
            sqlite3_column_int64(s, 0),
            arena_copy(arena, name ? name : "", name ? strlen(name) : 0),
            {sqlite3_column_int64(s, 2), sqlite3_column_double(s, 3), sqlite3_column_double(s, 4)}};
        if (!metric->name) status = fail(err, ERR_MEMORY, "no room for the name of a curve");
    }
    sqlite3_finalize(s);
    if (status) *count = 0;
    return status;
}

Status run_index_last_place(RunIndex *index, int64_t *out, Error *err) {
    *out = 0;
    sqlite3_stmt *s = prepare(index, "SELECT max(rowid) FROM metrics", "");
    Status status = s ? OK : failure(index, "reading metrics", err);
    if (next_row(index, s, "reading metrics", &status, err)) *out = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return status;
}

Status run_index_set_value(RunIndex *index, const char *key, double value, Error *err) {
    return finish(index,
                  prepare(index,
                          "INSERT OR REPLACE INTO facts (key, value, checksum) "
                          "VALUES (?1, ?2, fact_checksum(?1, ?2))",
                          "td", key, value),
                  "keeping a fact", err);
}

Status run_index_add_value(RunIndex *index, const char *key, double value, Error *err) {
    return finish(index,
                  prepare(index,
                          "INSERT INTO facts (key, value, checksum) "
                          "VALUES (?1, ?2, fact_checksum(?1, ?2)) ON CONFLICT (key) DO UPDATE SET "
                          "value = value + excluded.value, "
                          "checksum = fact_checksum(key, value + excluded.value)",
                          "td", key, value),
                  "adding to a fact", err);
}

Status run_index_read(RunIndex *index, const char *key, double *out, Error *err) {
    *out = 0;
    sqlite3_stmt *s =
        prepare(index,
                index->has_checksums
                    ? "SELECT value, checksum IS NULL OR checksum IS fact_checksum(key, value) "
                      "FROM facts WHERE key = ?"
                    : "SELECT value, 1 FROM facts WHERE key = ?",
                "t", key);
    Status status = s ? OK : failure(index, "reading a fact", err);
    if (next_row(index, s, "reading a fact", &status, err)) {
        if (!sqlite3_column_int(s, 1))
            status = fail(err, ERR_SYNTAX,
                          "run.db is damaged: the checksum of \"%.60s\" is wrong; " ADVICE, key);
        else
            *out = sqlite3_column_double(s, 0);
    }
    sqlite3_finalize(s);
    return status;
}

double run_index_value(RunIndex *index, const char *key) {
    Error fault = {0};
    double value;
    if (run_index_read(index, key, &value, &fault)) log_warning("%s", fault.message);
    return value;
}

void run_index_wait(RunIndex *index, bool waits) {
    sqlite3_busy_timeout(index->database, waits ? BUSY_MS : 0);
}

Status run_index_begin(RunIndex *index, Error *err) {
    return finish(index, prepare(index, "BEGIN IMMEDIATE", ""), "beginning", err);
}

Status run_index_end(RunIndex *index, Status status, Error *err) {
    if (!status) status = finish(index, prepare(index, "COMMIT", ""), "committing", err);
    if (status && !sqlite3_get_autocommit(index->database))
        (void)finish(index, prepare(index, "ROLLBACK", ""), "taking back", NULL);
    return status;
}
