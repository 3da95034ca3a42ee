#include "data/sgf/sgf_scan.h"

#include <stdio.h>

#include "base/file.h"
#include "base/hash_set.h"
#include "data/sgf/sgf_settle.h"

typedef struct {
    const SgfScanSetup *setup;
    SgfRecordOptions options;
    GameIndex *index;
    SgfCounts *counts;
    AtomicFile games, problems;
    uint64_t offset; /* bytes written to `games` */
    HashSet seen;
    StrBuf line;
} Scan;

static void note_problem(Scan *scan, const char *what, const char *message) {
    fprintf(scan->problems.stream, "%s: %s\n", what, message);
}

/* Writes a kept game to the file, and adds it to the index. */
static Status keep(Scan *scan, const SgfGame *game, const SgfRecord *record, bool validation,
                   Error *err) {
    SgfGame copy;
    strbuf_reset(&scan->line);
    Status status = sgf_record_write(record, game, &copy, err);
    if (status) return status;
    status = sgf_game_write_line(&copy, &scan->line, err);
    sgf_game_clear(&copy);
    if (status) return status;
    GameIndexEntry entry = {.offset = scan->offset,
                            .bytes = (uint32_t)scan->line.length,
                            .rows = (uint32_t)sgf_counts_rows(record),
                            .hash = {record->record.hash[0], record->record.hash[1]},
                            .validation = validation};
    if (fwrite(scan->line.text, 1, scan->line.length, scan->games.stream) != scan->line.length)
        return fail(err, ERR_IO, "cannot write %s", scan->games.path);
    scan->offset += scan->line.length;
    int side = game->width > game->height ? game->width : game->height;
    if (side > scan->index->length) scan->index->length = side;
    sgf_counts_add(scan->counts, game, record, validation);
    return game_index_add(scan->index, &entry, err);
}

/* Tries to find the dead stones of a kept game. */
static Status settle(const SgfScanSetup *setup, SgfRecord *record, SgfCounts *counts, Error *err) {
    Rng rng = rng_seeded(record->record.hash[0] ^ (uint64_t)setup->shards->seed);
    int playouts = setup->settings->playouts;
    bool settled = false;
    Status status =
        setup->evaluator ? sgf_settle_by_net(record, setup->evaluator, &settled, err) : OK;
    if (!status && !settled && playouts) settled = sgf_settle_by_playouts(record, playouts, &rng);
    counts->settled += settled;
    return status;
}

static Status judge(Scan *scan, const SgfGame *game, SgfRecord *record, Error *err) {
    const RowShardsSettings *shards = scan->setup->shards;
    bool validation = game_index_is_validation(record->record.hash, shards->validation), known;
    SgfFate fate = sgf_filter_apply(scan->setup->filter, game, validation, record);
    if (fate == SGF_KEPT && shards->size &&
        (game->width > shards->size || game->height > shards->size))
        fate = SGF_OUT_SIZE;
    if (fate != SGF_KEPT) {
        scan->counts->out[fate]++;
        return OK;
    }
    Status status = hash_set_add(&scan->seen, record->record.hash, &known, err);
    if (status) return status;
    if (known) {
        scan->counts->duplicates++;
        return OK;
    }
    status = settle(scan->setup, record, scan->counts, err);
    return status ? status : keep(scan, game, record, validation, err);
}

static Status take_game(Scan *scan, const SgfGame *game, Error *err) {
    SgfRecord record;
    Error fault = {0};
    scan->counts->games++;
    if (game->cut) note_problem(scan, game->source, game->warning);
    Status status = sgf_record_make(game, &scan->options, &record, &fault);
    if (status == ERR_MEMORY) return fail(err, status, "%s", fault.message);
    if (status) {
        scan->counts->illegal++;
        note_problem(scan, "left out", fault.message);
        return OK;
    }
    status = judge(scan, game, &record, err);
    sgf_record_clear(&record);
    return status;
}

static Status scan_all(Scan *scan, Error *err) {
    const SgfScanWatch *watch = scan->setup->watch;
    for (bool done = false; !done;) {
        SgfGame game;
        Error fault = {0};
        Status status = sgf_sources_next(scan->setup->sources, &game, &done, &fault);
        if (status == ERR_MEMORY) return fail(err, status, "%s", fault.message);
        if (status) {
            scan->counts->unreadable++;
            note_problem(scan, "unreadable", fault.message);
        }
        status = status || done ? OK : take_game(scan, &game, err);
        sgf_game_clear(&game);
        if (!status && watch) {
            FileSourcesState state = file_sources_state(sgf_sources_files(scan->setup->sources));
            status = watch->report(watch->context, &state, scan->counts, err);
        }
        if (status) return status;
    }
    return OK;
}

Status sgf_scan_run(const SgfScanSetup *setup, GameIndex *index, SgfCounts *counts, Error *err) {
    Scan scan = {.setup = setup,
                 .options = {.forfeits_count = setup->settings->forfeits_count,
                             .encore = setup->settings->encore},
                 .index = index,
                 .counts = counts};
    *index = (GameIndex){0};
    *counts = (SgfCounts){0};
    Status status = atomic_file_open(setup->games_path, &scan.games, err);
    if (!status) status = atomic_file_open(setup->problems_path, &scan.problems, err);
    if (!status) status = scan_all(&scan, err);
    if (!status) status = atomic_file_commit(&scan.games, err);
    if (!status) status = atomic_file_commit(&scan.problems, err);
    atomic_file_abandon(&scan.games);
    atomic_file_abandon(&scan.problems);
    if (!status && setup->shards->size) index->length = setup->shards->size;
    hash_set_clear(&scan.seen);
    strbuf_clear(&scan.line);
    return status;
}
