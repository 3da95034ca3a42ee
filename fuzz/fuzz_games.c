/* fuzz_games.c - reads any bytes as a file of games for `aji data from-sgf`. The first byte says
 * of which kind the file is: .sgf, .sgfs, .zip, .tar or .tar.gz. If a game becomes a record, the
 * record is written as SGF and read again, and the game must not change. The rows of the games
 * must pass the checks of row files. Rows are made only until the games of an input have had
 * MOVES_MAX_FOR_ROWS moves. */
#include "fuzz.h"

#include "base/clock.h"
#include "data/rows/row_check.h"
#include "data/rows/row_pack.h"
#include "data/sgf/sgf_record.h"
#include "sgf/sgf_sources.h"

enum { MOVES_MAX_FOR_ROWS = 60, SECONDS = 2 };

/* Subtracts the moves of the game from `*moves_left`; a game with more moves is not checked. */
static void check_rows(const SgfRecord *record, size_t *moves_left) {
    const GameRecord *game = &record->record;
    int side = game->start.board.width > game->start.board.height ? game->start.board.width
                                                                  : game->start.board.height;
    Rows rows, again;
    Rng rng = rng_seeded(1);
    StrBuf packed = {0};
    if (game->turn_count > *moves_left) return;
    *moves_left -= game->turn_count;
    CHECK(!rows_init(&rows, side, NULL));
    CHECK(!rows_init(&again, side, NULL));
    CHECK(!rows_add_points(&rows, (1u << ROW_POINT_COLUMNS) - 1, NULL));
    CHECK(!rows_add_points(&again, rows.point_columns, NULL));
    CHECK(!rows_from_game(game, &rng, &rows, NULL));
    CHECK(rows.count == game->turn_count);
    CHECK(!rows_check(&rows, NULL));
    for (size_t i = 0; i < rows.count; i++) {
        strbuf_reset(&packed);
        row_pack(&rows, i, &packed);
        CHECK(!row_unpack(&again, packed.text, packed.length, NULL));
    }
    CHECK(again.count == rows.count);
    CHECK(!rows.count || memcmp(again.targets, rows.targets,
                                rows.count * ROW_GLOBAL_TARGETS * sizeof *rows.targets) == 0);
    strbuf_clear(&packed);
    rows_clear(&rows);
    rows_clear(&again);
}

/* Writes the record as SGF, makes a second record from that text, and compares the two. */
static void check_written(const SgfGame *game, const SgfRecord *record, bool encore) {
    SgfRecordOptions options = {.forfeits_count = true, .encore = encore};
    SgfGame copy, read;
    SgfRecord again;
    StrBuf line = {0};
    CHECK(!sgf_record_write(record, game, &copy, NULL));
    CHECK(!sgf_game_write_line(&copy, &line, NULL));
    CHECK(!sgf_game_parse(line.text, line.length, NULL, &read, NULL));
    CHECK(!sgf_record_make(&read, &options, &again, NULL));
    CHECK(again.record.turn_count == record->record.turn_count);
    CHECK(memcmp(again.record.hash, record->record.hash, sizeof again.record.hash) == 0);
    CHECK(again.record.outcome_unknown == record->record.outcome_unknown);
    CHECK(again.record.score_unknown == record->record.score_unknown);
    CHECK(again.record.owner_unknown == record->record.owner_unknown);
    sgf_record_clear(&again);
    sgf_game_clear(&copy);
    sgf_game_clear(&read);
    strbuf_clear(&line);
}

static void check_game(const SgfGame *game, bool encore, size_t *moves_left) {
    SgfRecordOptions options = {.encore = encore};
    SgfRecord record;
    if (sgf_record_make(game, &options, &record, NULL)) return;
    CHECK(record.record.turn_count <= game->move_count);
    check_written(game, &record, encore);
    check_rows(&record, moves_left);
    sgf_record_clear(&record);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static const char *const NAMES[] = {"a.sgf", "a.sgfs", "a.zip", "a.tar", "a.tar.gz"};
    const double until = clock_thread_cpu_seconds() + SECONDS;
    if (!count) return 0;
    Path path = fuzz_path(NAMES[bytes[0] % 5]);
    const char *paths[] = {path.text};
    SgfSources *sources;
    size_t moves_left = MOVES_MAX_FOR_ROWS;
    SgfOptions options = {.cut = true};
    fuzz_write(path.text, bytes + 1, count - 1);
    const SgfSourcesSetup setup = {.paths = paths, .count = 1, .options = &options};
    CHECK(!sgf_sources_open(&setup, &sources, NULL));
    for (bool done = false; !done && clock_thread_cpu_seconds() < until;) {
        SgfGame game;
        if (!sgf_sources_next(sources, &game, &done, NULL) && !done)
            check_game(&game, bytes[0] & 0x80, &moves_left);
        sgf_game_clear(&game);
    }
    sgf_sources_close(sources);
    return 0;
}
