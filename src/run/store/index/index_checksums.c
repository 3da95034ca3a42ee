#include "run/store/index/index_checksums.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"

/* The tables whose checksums are in the table "checksums", and the columns that each checksum
 * covers. The checksums do not cover columns that a later version adds. */
static const struct {
    const char *name, *columns;
} TABLES[] = {{"nets", "number, file, samples, rows, games, evaluations, seconds, elo, "
                       "elo_deviation"},
              {"pairings", "first, second, wins, losses, purpose, draws"},
              {"metrics", "name, samples, seconds, value"}};
enum { TABLE_COUNT = sizeof TABLES / sizeof *TABLES, SQL_MAX = 512 };

/* If a version of this program that knows no checksums changes a fact, the trigger clears the
 * checksum of the fact. */
static const char OF_FACTS[] =
    "ALTER TABLE facts ADD COLUMN checksum INTEGER;"
    "CREATE TRIGGER IF NOT EXISTS facts_without_checksum AFTER UPDATE OF value ON facts "
    "WHEN NEW.checksum IS OLD.checksum AND NEW.value IS NOT OLD.value "
    "BEGIN UPDATE facts SET checksum = NULL WHERE key = NEW.key; END;";

static const char OF_ROWS[] = "CREATE TABLE checksums (name TEXT, row INTEGER, checksum INTEGER, "
                              "PRIMARY KEY (name, row)) WITHOUT ROWID";

static void compute_fact_checksum(sqlite3_context *context, int count, sqlite3_value **values) {
    const char *text = (const char *)sqlite3_value_text(values[0]), *key = text ? text : "";
    double value = sqlite3_value_double(values[1]);
    char bytes[256 + sizeof value] = {0};
    size_t length = strnlen(key, 256);
    (void)count;
    memcpy(bytes, key, length);
    memcpy(bytes + length, &value, sizeof value);
    sqlite3_result_int64(context, hash_crc32(bytes, length + sizeof value));
}

/* Computes the CRC-32 of the types and contents of all arguments. */
static void compute_row_checksum(sqlite3_context *context, int count, sqlite3_value **values) {
    uint32_t crc = 0;
    for (int i = 0; i < count; i++) {
        int type = sqlite3_value_type(values[i]);
        char kind = (char)type;
        crc = hash_crc32_more(crc, &kind, 1);
        if (type == SQLITE_INTEGER) {
            int64_t number = sqlite3_value_int64(values[i]);
            crc = hash_crc32_more(crc, &number, sizeof number);
        } else if (type == SQLITE_FLOAT) {
            double number = sqlite3_value_double(values[i]);
            crc = hash_crc32_more(crc, &number, sizeof number);
        } else if (type != SQLITE_NULL) {
            const void *bytes = sqlite3_value_blob(values[i]);
            if (bytes) crc = hash_crc32_more(crc, bytes, (size_t)sqlite3_value_bytes(values[i]));
        }
    }
    sqlite3_result_int64(context, crc);
}

int index_checksums_functions(sqlite3 *database) {
    static const int FLAGS = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    int code = sqlite3_create_function(database, "fact_checksum", 2, FLAGS, NULL,
                                       compute_fact_checksum, NULL, NULL);
    return code ? code
                : sqlite3_create_function(database, "row_checksum", -1, FLAGS, NULL,
                                          compute_row_checksum, NULL, NULL);
}

static bool can_prepare(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
    sqlite3_finalize(statement);
    return code == SQLITE_OK;
}

bool index_checksums_of_facts(sqlite3 *database) {
    return can_prepare(database, "SELECT checksum FROM facts LIMIT 0");
}

static bool has_rows(sqlite3 *database) {
    return can_prepare(database, "SELECT name, row, checksum FROM checksums LIMIT 0");
}

void index_checksums_note(sqlite3 *database, const char *table, const char *condition) {
    char sql[SQL_MAX];
    for (int i = 0; i < TABLE_COUNT; i++) {
        if (strcmp(TABLES[i].name, table) != 0) continue;
        snprintf(sql, sizeof sql,
                 "INSERT OR REPLACE INTO checksums SELECT '%s', rowid, row_checksum(rowid, %s) "
                 "FROM %s WHERE %s",
                 table, TABLES[i].columns, table, condition);
        sqlite3_exec(database, sql, NULL, NULL, NULL);
    }
}

/* Adds triggers that remove the checksum of a row when the row is inserted, changed or deleted.
 * Then the row has no checksum until index_checksums_note() stores a new one. */
static bool add_triggers(sqlite3 *database, const char *table) {
    static const char *const EVENTS[][2] = {
        {"INSERT", "NEW"}, {"UPDATE", "NEW"}, {"DELETE", "OLD"}};
    char sql[SQL_MAX];
    bool good = true;
    for (int i = 0; i < 3 && good; i++) {
        snprintf(sql, sizeof sql,
                 "CREATE TRIGGER %s_%s_checksum AFTER %s ON %s BEGIN "
                 "DELETE FROM checksums WHERE name = '%s' AND row = %s.rowid; END",
                 table, EVENTS[i][0], EVENTS[i][0], table, table, EVENTS[i][1]);
        good = sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK;
    }
    return good;
}

void index_checksums_add(sqlite3 *database) {
    if (sqlite3_db_readonly(database, "main")) return;
    if (!index_checksums_of_facts(database)) sqlite3_exec(database, OF_FACTS, NULL, NULL, NULL);
    if (has_rows(database) ||
        sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
        return;
    bool good = !has_rows(database) && /* another process may just have added the table */
                sqlite3_exec(database, OF_ROWS, NULL, NULL, NULL) == SQLITE_OK;
    for (int i = 0; i < TABLE_COUNT && good; i++) {
        good = add_triggers(database, TABLES[i].name);
        if (good) index_checksums_note(database, TABLES[i].name, "1");
    }
    sqlite3_exec(database, good ? "COMMIT" : "ROLLBACK", NULL, NULL, NULL);
}

/* Fails if the query finds a row. The query has one column, which names the damaged row. */
static Status expect_none(sqlite3 *database, const char *sql, const char *table, Error *err) {
    sqlite3_stmt *statement = NULL;
    Status status = OK;
    int code = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
    if (code == SQLITE_OK) code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        const char *which = (const char *)sqlite3_column_text(statement, 0);
        status = fail(err, ERR_SYNTAX, "the checksum of \"%.60s\" in %s is wrong",
                      which ? which : "", table);
    } else if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB) {
        status = fail(err, ERR_SYNTAX, "%s", sqlite3_errmsg(database));
    }
    sqlite3_finalize(statement);
    return status;
}

Status index_checksums_verify(sqlite3 *database, Error *err) {
    char sql[SQL_MAX];
    Status status = OK;
    if (index_checksums_of_facts(database))
        status = expect_none(database,
                             "SELECT key FROM facts WHERE checksum IS NOT NULL AND "
                             "checksum IS NOT fact_checksum(key, value) LIMIT 1",
                             "facts", err);
    if (status || !has_rows(database)) return status;
    for (int i = 0; i < TABLE_COUNT && !status; i++) {
        const char *name = TABLES[i].name;
        snprintf(sql, sizeof sql,
                 "SELECT known FROM (SELECT rowid AS known, row_checksum(rowid, %s) AS now FROM "
                 "%s) JOIN checksums c ON c.name = '%s' AND c.row = known "
                 "WHERE c.checksum IS NOT now LIMIT 1",
                 TABLES[i].columns, name, name);
        status = expect_none(database, sql, name, err);
        snprintf(sql, sizeof sql,
                 "SELECT checksums.row FROM checksums WHERE checksums.name = '%s' AND NOT EXISTS "
                 "(SELECT 1 FROM %s t WHERE t.rowid = checksums.row) LIMIT 1",
                 name, name);
        if (!status) status = expect_none(database, sql, name, err);
    }
    return status;
}

/* SQLite's write-ahead log (SQLite, "The WAL Format") consists of a header of 32 bytes and of
 * frames. Each frame is a header of 24 bytes and a page. Numbers are big-endian. */
enum { WAL_HEADER = 32, FRAME_HEADER = 24, WAL_MAX = 1 << 30 };

static uint32_t number_at(const unsigned char *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Continues the checksum `sum` of a log over `count` bytes, a multiple of 8. Words of 4 bytes are
 * read as big-endian numbers if `big` is true, and otherwise as little-endian numbers. */
static void add_to_sum(uint32_t sum[2], bool big, const unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        uint32_t word[2];
        for (int k = 0; k < 2; k++) {
            const unsigned char *at = bytes + i + 4 * k;
            word[k] = number_at(at);
            if (!big)
                word[k] =
                    (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
        }
        sum[0] += word[0] + sum[1];
        sum[1] += word[1] + sum[0];
    }
}

static bool has_sum(const unsigned char *at, const uint32_t sum[2]) {
    return number_at(at) == sum[0] && number_at(at + 4) == sum[1];
}

/* Sets `*all` to the number of frames that belong to the header of the log. Sets `*whole` to the
 * number of those that come before the first frame with a wrong checksum. Frames of an earlier use
 * of the file have a salt that differs from the header's, and do not count. Returns false if the
 * header is wrong. */
static bool count_frames(const unsigned char *bytes, size_t count, size_t *whole, size_t *all) {
    uint32_t sum[2] = {0};
    *whole = *all = 0;
    if (count < WAL_HEADER) return false;
    uint32_t magic = number_at(bytes), page = number_at(bytes + 8);
    bool big = magic & 1, good = true;
    add_to_sum(sum, big, bytes, 24);
    if (magic >> 1 != 0x377f0682 >> 1 || page < 512 || page > 65536 || page & (page - 1) ||
        !has_sum(bytes + 24, sum))
        return false;
    size_t step = FRAME_HEADER + page, number = 0;
    for (size_t at = WAL_HEADER; at + step <= count; at += step) {
        number++;
        bool same_salt = memcmp(bytes + at + 8, bytes + 16, 8) == 0;
        if (same_salt) *all = number;
        add_to_sum(sum, big, bytes + at, 8);
        add_to_sum(sum, big, bytes + at + FRAME_HEADER, page);
        good &= same_salt && has_sum(bytes + at + 16, sum);
        if (good) *whole = number;
    }
    return true;
}

/* Counts the frames of a log as count_frames() does. A log that is missing or empty, or that cannot
 * be read, counts as whole. Returns false if the header is wrong. */
static bool read_frames(const char *journal, size_t *whole, size_t *all) {
    Arena arena = {0};
    char *bytes;
    size_t count;
    *whole = *all = 0;
    bool sound = file_bytes(journal) <= 0 ||
                 file_read(journal, WAL_MAX, &arena, &bytes, &count, NULL) ||
                 count_frames((const unsigned char *)bytes, count, whole, all);
    arena_clear(&arena);
    return sound;
}

void index_journal_check(const char *path) {
    enum { TRIES = 3, PAUSE_MS = 50 };
    Path journal;
    size_t whole = 0, all = 0;
    bool sound = false;
    int length = snprintf(journal.text, sizeof journal.text, "%s-wal", path);
    if (length < 0 || (size_t)length >= sizeof journal.text) return;
    /* While another process writes the log, this process may read parts of two states. Therefore
     * the log is read again. Real damage is found each time. */
    for (int i = 0; i < TRIES && !(sound && whole == all); i++) {
        if (i) clock_sleep_ms(PAUSE_MS);
        sound = read_frames(journal.text, &whole, &all);
    }
    if (!sound)
        log_warning("%s is damaged: the transactions in it, which are the last ones of run.db, are "
                    "lost",
                    journal.text);
    else if (whole < all)
        log_warning("%s is damaged: of its %zu pages the first %zu can be used, and the "
                    "transactions after these are lost",
                    journal.text, all, whole);
}
