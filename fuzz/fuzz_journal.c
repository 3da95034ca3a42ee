/* fuzz_journal.c - takes any bytes as the journal of a killed worker, or as the games in a journal,
 * and recovers the games. All recovered rows must pass rows_check(). The recovery reports how many
 * games it found. The .sgfs file must have this number of games, and the note beside the row file
 * (WorkNote) must have this number, too. A second recovery must find nothing. */
#include "fuzz.h"

#include "base/hash.h"
#include "base/log.h"
#include "data/rows/row_check.h"
#include "data/rows/row_file.h"
#include "run/store/journal_private.h"

static RunDirectory run;
static Path rows_folder, games_folder, journal, rows_path, games_path;

static void begin(void) {
    if (*run.root.text) return;
    log_to_stderr(LOG_ERROR);
    CHECK(!run_directory_open(fuzz_path("run").text, &run, NULL));
    CHECK(!path_join(&rows_folder, run.rows.text, "000003", NULL));
    CHECK(!path_join(&games_folder, run.games.text, "000003", NULL));
    CHECK(!path_join(&journal, rows_folder.text, "w-0000.journal", NULL));
    CHECK(!path_join(&rows_path, rows_folder.text, "w-0000.npz", NULL));
    CHECK(!path_join(&games_path, games_folder.text, "w-0000.sgfs", NULL));
}

/* Adds a game to the text of a journal. The input has one byte each for flags, the side of the
 * board, the number of rows and the size of the SGF, and then the body of the game. Each of the
 * first three flags does one thing: leave out the array of search values, make the checksum wrong,
 * or put a byte before the game. The flags from 8 on are the set of point columns. */
static void add_game(FuzzInput *input, StrBuf *out) {
    uint8_t flags = fuzz_byte(input);
    unsigned columns = flags >> 3 & ((1u << ROW_POINT_COLUMNS) - 1);
    JournalHeader header = {.length = (uint16_t)(2 + fuzz_byte(input) % 18u),
                            .point_columns = (uint16_t)columns,
                            .rows = fuzz_byte(input) % 4u,
                            .sgf_bytes = fuzz_byte(input)};
    size_t row = rows_bytes((int)header.length);
    if (flags & 1) row -= REPORT_VALUE_BUCKETS * sizeof(int16_t);
    for (; columns; columns &= columns - 1)
        row += (size_t)header.length * header.length * sizeof(int16_t);
    header.bytes = header.sgf_bytes + header.rows * row;
    char *body = malloc(header.bytes + 1);
    CHECK(body != NULL);
    fuzz_bytes(input, body, header.bytes);
    memcpy(header.magic, JOURNAL_MAGIC_STEM, JOURNAL_MAGIC_STEM_BYTES);
    header.magic[JOURNAL_MAGIC_STEM_BYTES] =
        header.point_columns ? JOURNAL_VERSION_POINTS : JOURNAL_VERSION_PLAIN;
    header.crc = hash_crc32(body, header.bytes) ^ (flags >> 1 & 1u);
    if (flags & 4) strbuf_add_bytes(out, &flags, 1);
    strbuf_add_bytes(out, &header, sizeof header);
    strbuf_add_bytes(out, body, header.bytes);
    free(body);
}

static void write_games(const uint8_t *bytes, size_t count) {
    FuzzInput input = {bytes, count};
    StrBuf out = {0};
    for (int i = 0; i < 8 && input.left; i++)
        add_game(&input, &out);
    CHECK(!strbuf_status(&out, NULL));
    fuzz_write(journal.text, strbuf_text(&out), out.length);
    strbuf_clear(&out);
}

static int lines_of(const char *path) {
    Arena arena = {0};
    char *text;
    size_t length;
    int lines = 0;
    if (!file_exists(path)) return 0;
    CHECK(!file_read(path, 1 << 26, &arena, &text, &length, NULL));
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    arena_clear(&arena);
    return lines;
}

static void check_files(int games) {
    Rows rows;
    CHECK(work_note_read(rows_path.text).games == games);
    CHECK(lines_of(games_path.text) == games);
    /* A run counts games when it finds their row file. Therefore a recovery that finds games
     * writes a row file even if the games have no rows. */
    CHECK(file_exists(rows_path.text) == (games > 0));
    if (!games) return;
    CHECK(!row_file_read(rows_path.text, &rows, NULL));
    CHECK(!rows_check(&rows, NULL));
    rows_clear(&rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    int games, again;
    begin();
    CHECK(!directory_make(rows_folder.text, NULL));
    if (count >= 4 && memcmp(bytes, JOURNAL_MAGIC_STEM, 4) == 0)
        fuzz_write(journal.text, bytes, count);
    else
        write_games(bytes, count);
    CHECK(!journal_recover(&run, &games, NULL));
    check_files(games);
    CHECK(!journal_recover(&run, &again, NULL));
    CHECK(again == 0);
    check_files(games);
    CHECK(!directory_remove(rows_folder.text, NULL));
    CHECK(!directory_remove(games_folder.text, NULL));
    return 0;
}
