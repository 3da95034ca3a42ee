#include "data/sgf_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "data/sgf_settle.h"

/* The hashes of the kept games, in an open hash table with linear probing. Its size is a power of
 * two, and at most half of it is in use. Hash 0 marks an unused place. */
typedef struct {
    uint64_t (*places)[2];
    size_t size, count;
} HashSet;

typedef struct {
    const SgfScanSetup *setup;
    SgfRecordOptions options;
    SgfIndex *index;
    SgfCounts *counts;
    AtomicFile games, problems;
    uint64_t offset; /* bytes written to `games` */
    HashSet seen;
    StrBuf line;
} Scan;

static size_t find_place(const HashSet *set, const uint64_t hash[2]) {
    size_t at = hash[0] & (set->size - 1);
    while ((set->places[at][0] || set->places[at][1]) &&
           (set->places[at][0] != hash[0] || set->places[at][1] != hash[1]))
        at = (at + 1) & (set->size - 1);
    return at;
}

static Status grow_set(HashSet *set, Error *err) {
    HashSet larger = {.size = set->size ? 2 * set->size : 1024, .count = set->count};
    Status status = mem_new(larger.size, sizeof *larger.places, &larger.places, err);
    if (status) return status;
    for (size_t i = 0; i < set->size; i++) {
        if (set->places[i][0] || set->places[i][1])
            memcpy(larger.places[find_place(&larger, set->places[i])], set->places[i],
                   sizeof *set->places);
    }
    free(set->places);
    *set = larger;
    return OK;
}

/* Adds a hash. Sets `*known` to whether the set had it already. */
static Status add_hash(HashSet *set, const uint64_t hash[2], bool *known, Error *err) {
    Status status = 2 * (set->count + 1) > set->size ? grow_set(set, err) : OK;
    if (status) return status;
    size_t at = find_place(set, hash);
    *known = set->places[at][0] || set->places[at][1];
    if (*known) return OK;
    memcpy(set->places[at], hash, sizeof *set->places);
    set->count++;
    return OK;
}

bool sgf_scan_is_validation(const uint64_t hash[2], double fraction) {
    uint64_t draw = hash_mix(hash[1] ^ 0x76616c6964617465u);
    return (double)(draw >> 11) < fraction * (double)((uint64_t)1 << 53);
}

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
    SgfIndexEntry entry = {.offset = scan->offset,
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
    return sgf_index_add(scan->index, &entry, err);
}

/* Tries to find the dead stones of a kept game. */
static void settle(const SgfRowsSettings *settings, SgfRecord *record, SgfCounts *counts) {
    Rng rng = rng_seeded(record->record.hash[0] ^ (uint64_t)settings->seed);
    if (settings->playouts)
        counts->settled += sgf_settle_by_playouts(record, settings->playouts, &rng);
}

static Status judge(Scan *scan, const SgfGame *game, SgfRecord *record, Error *err) {
    const SgfRowsSettings *settings = scan->setup->settings;
    bool validation = sgf_scan_is_validation(record->record.hash, settings->validation), known;
    SgfFate fate = sgf_filter_apply(scan->setup->filter, game, validation, record);
    if (fate == SGF_KEPT && settings->size &&
        (game->width > settings->size || game->height > settings->size))
        fate = SGF_OUT_SIZE;
    if (fate != SGF_KEPT) {
        scan->counts->out[fate]++;
        return OK;
    }
    Status status = add_hash(&scan->seen, record->record.hash, &known, err);
    if (status) return status;
    if (!known) settle(settings, record, scan->counts);
    if (!known) return keep(scan, game, record, validation, err);
    scan->counts->duplicates++;
    return OK;
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
            SgfSourcesState state = sgf_sources_state(scan->setup->sources);
            status = watch->report(watch->context, &state, scan->counts, err);
        }
        if (status) return status;
    }
    return OK;
}

Status sgf_scan_run(const SgfScanSetup *setup, SgfIndex *index, SgfCounts *counts, Error *err) {
    Scan scan = {.setup = setup,
                 .options = {.forfeits_count = setup->settings->forfeits_count,
                             .encore = setup->settings->encore},
                 .index = index,
                 .counts = counts};
    *index = (SgfIndex){0};
    *counts = (SgfCounts){0};
    Status status = atomic_file_open(setup->games_path, &scan.games, err);
    if (!status) status = atomic_file_open(setup->problems_path, &scan.problems, err);
    if (!status) status = scan_all(&scan, err);
    if (!status) status = atomic_file_commit(&scan.games, err);
    if (!status) status = atomic_file_commit(&scan.problems, err);
    atomic_file_abandon(&scan.games);
    atomic_file_abandon(&scan.problems);
    if (!status && setup->settings->size) index->length = setup->settings->size;
    free(scan.seen.places);
    strbuf_clear(&scan.line);
    return status;
}
