#include "data/foreign/from_foreign.h"

#include <string.h>

#include "base/hash_set.h"
#include "data/foreign/foreign_games.h"
#include "data/foreign/foreign_pack.h"
#include "data/shards/row_job.h"

enum {
    FAULTS_NAMED = 5, /* how many faults of a file problems.txt names; all are counted */
    /* Minimum number of turns of a record that counts as a game when pieces are divided between
     * training and validation. A shorter record from the start of a game may be a single position
     * of a shuffled file. */
    GAME_TURNS_MIN = 8
};
#define FILE_BYTES_MAX ((size_t)1 << 30)

const SettingsField FOREIGN_ROWS_FIELDS[] = {
    FIELD_TEXT(ForeignRowsSettings, rules, "koPOSITIONALscoreAREAtaxNONEsui0",
               "rules of the games, which the files do not name; the default is those of Leela "
               "Zero",
               .source = "Leela Zero, src/FastBoard.cpp, src/KoState.cpp"),
    FIELD_DOUBLE(ForeignRowsSettings, komi, 7.5, -RULES_KOMI_MAX, RULES_KOMI_MAX,
                 "komi of the games whose files do not have it",
                 .source = "Leela Zero, src/GTP.cpp"),
    FIELD_DOUBLE(ForeignRowsSettings, keep, 1, 0, 1, "fraction of the positions that become rows"),
    {0},
};

/* The state of the first stage. */
typedef struct {
    const FromForeignSetup *setup;
    FileSources *sources;
    Rules rules;
    GameIndex *index;
    ForeignCounts counts;
    ForeignGames *games;
    AtomicFile kept, problems;
    uint64_t offset; /* bytes written to `kept` */
    HashSet seen;
    StrBuf packed;
    ForeignPosition position; /* that was read last */
    bool file_has_game;       /* at least one record of the present file was made */
    uint64_t game_hash[2];    /* of the game to which the next pieces are taken to belong */
} Job;

static Status read_settings(Job *job, Error *err) {
    const FromForeignSetup *setup = job->setup;
    Status status = settings_check(FOREIGN_ROWS_FIELDS, "positions", setup->rows, err);
    if (!status) status = settings_check(ROW_SHARDS_FIELDS, "rows", setup->shards, err);
    if (status) return status;
    if (rules_parse(setup->rows->rules, &job->rules, err))
        return fail_within(err, ERR_ARGUMENT, "positions.rules");
    job->rules.komi = (float)setup->rows->komi;
    if (!rules_komi_is_valid(setup->rows->komi))
        return fail(err, ERR_ARGUMENT, "positions.komi is %g, wanted a multiple of 0.5",
                    setup->rows->komi);
    return OK;
}

static Status open_sources(Job *job, Error *err) {
    const FromForeignSetup *setup = job->setup;
    const FileSourcesSetup files = {.paths = setup->paths,
                                    .count = setup->path_count,
                                    .except = setup->folder,
                                    .is_wanted = setup->format->is_file,
                                    .bytes_max = FILE_BYTES_MAX,
                                    .unpack_members = true,
                                    .what = setup->format->files};
    return file_sources_open(&files, &job->sources, err);
}

/* Draws which turns of the record become rows. Returns how many of them do. */
static uint32_t choose_turns(const Job *job, const uint64_t hash[2], GameRecord *record) {
    double keep = job->setup->rows->keep;
    Rng rng = rng_seeded(hash[0] ^ (uint64_t)job->setup->shards->seed);
    uint32_t count = 0;
    for (size_t i = 0; i < record->turn_count; i++) {
        bool kept = keep >= 1 || rng_uniform(&rng) < keep;
        record->turns[i].row_weight = kept;
        count += kept;
    }
    return count;
}

static void count_record(ForeignCounts *counts, const GameRecord *record, uint32_t rows,
                         bool validation) {
    bool piece = record->end_unknown || record->start.move_count > 0;
    counts->games += !piece;
    counts->pieces += piece;
    counts->rows += rows;
    counts->wins[record->outcome.winner] += rows;
    counts->validation_games += validation;
    counts->validation_rows += validation ? rows : 0;
}

/* Writes the packed record to the file, and adds it to the index. */
static Status keep(Job *job, const GameRecord *record, const uint64_t hash[2], uint32_t rows,
                   Error *err) {
    bool continued = record->start.move_count > 0 && job->file_has_game;
    const uint64_t *split = continued ? job->game_hash : hash;
    const Board *board = &record->start.board;
    int side = board->width > board->height ? board->width : board->height;
    GameIndexEntry entry = {.offset = job->offset,
                            .bytes = (uint32_t)job->packed.length,
                            .rows = rows,
                            .hash = {hash[0], hash[1]},
                            .validation =
                                game_index_is_validation(split, job->setup->shards->validation)};
    if (fwrite(job->packed.text, 1, job->packed.length, job->kept.stream) != job->packed.length)
        return fail(err, ERR_IO, "cannot write %s", job->kept.path);
    job->offset += job->packed.length;
    if (side > job->index->length) job->index->length = side;
    count_record(&job->counts, record, rows, entry.validation);
    return game_index_add(job->index, &entry, err);
}

static Status pack(Job *job, const GameRecord *record, Error *err) {
    strbuf_reset(&job->packed);
    foreign_pack(record, &job->packed);
    return strbuf_status(&job->packed, err);
}

/* Receives a record from foreign_games.h (ForeignSink). */
static Status take_record(void *context, const GameRecord *record, Error *err) {
    Job *job = context;
    /* choose_turns() changes row weights through `chosen`. This changes the turns of `record` too,
     * because both records point to the same array of turns. */
    GameRecord chosen = *record;
    int size = job->setup->shards->size;
    const Board *board = &record->start.board;
    uint64_t hash[2];
    bool known;
    Status status = pack(job, record, err);
    if (status) return status;
    foreign_hash(job->packed.text, job->packed.length, hash);
    bool is_game = record->start.move_count == 0 && record->turn_count >= GAME_TURNS_MIN;
    if (is_game || !job->file_has_game) memcpy(job->game_hash, hash, sizeof hash);
    if (size && (board->width > size || board->height > size)) {
        job->counts.too_large++;
        job->file_has_game = true;
        return OK;
    }
    status = hash_set_add(&job->seen, hash, &known, err);
    if (status) return status;
    uint32_t rows = known ? 0 : choose_turns(job, hash, &chosen);
    job->counts.duplicates += known;
    if (rows && rows < record->turn_count) status = pack(job, &chosen, err);
    if (!status && rows) status = keep(job, record, hash, rows, err);
    job->file_has_game = true;
    return status;
}

static void note_problem(Job *job, const char *name, const char *message) {
    fprintf(job->problems.stream, "%s: %s\n", name, message);
}

/* Writes the message to problems.txt, but only for the first FAULTS_NAMED faults of a file. */
static void note_fault(Job *job, const char *name, int64_t *faults, const char *message) {
    if (++*faults <= FAULTS_NAMED) note_problem(job, name, message);
}

/* Reads one position, and adds it to the games. */
static Status read_position(Job *job, ForeignReader *reader, const char *name, int64_t *faults,
                            bool *done, Error *err) {
    ForeignFound found;
    Error fault = {0};
    bool refused;
    if (job->setup->format->next(reader, &job->position, &found, &fault)) {
        job->counts.damaged++;
        note_fault(job, name, faults, fault.message);
        return foreign_games_break(job->games, err);
    }
    *done = found == FOREIGN_END;
    if (*done) return OK;
    job->counts.positions++;
    if (found == FOREIGN_NO_POLICY) {
        job->counts.no_policy++;
        return foreign_games_break(job->games, err);
    }
    Status status = foreign_games_add(job->games, &job->position, &refused, &fault);
    if (status) return fail(err, status, "%s", fault.message);
    if (!refused) return OK;
    job->counts.refused++;
    Error where = {0};
    Status ignored =
        fail(&where, ERR_ILLEGAL, "position %lld: %s", (long long)reader->position, fault.message);
    (void)ignored; /* the call only writes the message into `where` */
    note_fault(job, name, faults, where.message);
    return OK;
}

static Status report(Job *job, Error *err) {
    const ForeignWatch *watch = job->setup->scan_watch;
    if (!watch) return OK;
    FileSourcesState state = file_sources_state(job->sources);
    return watch->report(watch->context, &state, &job->counts, err);
}

static Status read_file(Job *job, const SourceFile *file, Error *err) {
    enum { REPORT_EVERY = 64 };
    ForeignReader reader = {.bytes = file->bytes, .count = file->count};
    int64_t faults = 0, before = job->counts.positions;
    Status status = OK;
    job->file_has_game = false;
    job->counts.files++;
    for (bool done = false; !done && !status;) {
        status = read_position(job, &reader, file->name, &faults, &done, err);
        if (!status && reader.position % REPORT_EVERY == 0) status = report(job, err);
    }
    if (!status)
        status = reader.spoiled ? foreign_games_break(job->games, err)
                                : foreign_games_end(job->games, err);
    if (faults > FAULTS_NAMED)
        fprintf(job->problems.stream, "%s: %lld more positions cannot be used\n", file->name,
                (long long)faults - FAULTS_NAMED);
    if (job->counts.positions == before) {
        job->counts.unreadable_files++;
        note_problem(job, file->name, "it has no position that can be read");
    }
    return status;
}

static Status read_all(Job *job, Error *err) {
    for (bool done = false; !done;) {
        SourceFile file;
        Error fault = {0};
        Status status = file_sources_next(job->sources, &file, &done, &fault);
        if (status == ERR_MEMORY) return fail(err, status, "%s", fault.message);
        if (status) {
            job->counts.files++;
            job->counts.unreadable_files++;
            note_problem(job, "unreadable", fault.message);
        } else if (!done) {
            status = read_file(job, &file, err);
            if (status) return status;
        }
        status = report(job, err);
        if (status) return status;
    }
    return OK;
}

static void write_number(StrBuf *out, const char *what, int64_t number, bool always) {
    if (number || always) strbuf_addf(out, "%-44s %12lld\n", what, (long long)number);
}

static void write_summary(const ForeignCounts *counts, StrBuf *out) {
    write_number(out, "files", counts->files, true);
    write_number(out, "  of these without a readable position", counts->unreadable_files, false);
    write_number(out, "positions", counts->positions, true);
    write_number(out, "  of these without a policy", counts->no_policy, false);
    write_number(out, "  of these refused (problems.txt says why)", counts->refused, false);
    write_number(out, "damaged positions", counts->damaged, false);
    write_number(out, "whole games", counts->games, true);
    write_number(out, "pieces of games", counts->pieces, false);
    write_number(out, "  games and pieces for validation", counts->validation_games, false);
    write_number(out, "duplicates", counts->duplicates, false);
    write_number(out, "games on larger boards", counts->too_large, false);
    write_number(out, "rows", counts->rows, true);
    write_number(out, "  of these for validation", counts->validation_rows, false);
    write_number(out, "  of games that Black won", counts->wins[COLOR_BLACK], true);
    write_number(out, "  of games that White won", counts->wins[COLOR_WHITE], true);
    write_number(out, "  of draws", counts->wins[COLOR_EMPTY], false);
}

/* The first stage of the work (RowScan). */
static Status scan(void *context, const RowJobFiles *files, GameIndex *index, StrBuf *summary,
                   Error *err) {
    Job *job = context;
    job->index = index;
    Status status =
        foreign_games_new(&job->rules, (ForeignSink){take_record, job}, &job->games, err);
    if (!status) status = atomic_file_open(files->games.text, &job->kept, err);
    if (!status) status = atomic_file_open(files->problems.text, &job->problems, err);
    if (!status) status = read_all(job, err);
    if (!status) status = atomic_file_commit(&job->kept, err);
    if (!status) status = atomic_file_commit(&job->problems, err);
    atomic_file_abandon(&job->kept);
    atomic_file_abandon(&job->problems);
    foreign_games_free(job->games);
    hash_set_clear(&job->seen);
    strbuf_clear(&job->packed);
    if (job->setup->shards->size) index->length = job->setup->shards->size;
    write_summary(&job->counts, summary);
    return status;
}

/* Makes the rows of a packed record (RowMaker). */
static Status make_rows(const void *context, const char *bytes, const GameIndexEntry *entry,
                        Rng *rng, Rows *rows, Error *err) {
    const Job *job = context;
    GameRecord record;
    Status status = foreign_unpack(bytes, entry->bytes, &job->rules, &record, err);
    if (!status) status = rows_from_game(&record, rng, rows, err);
    game_record_clear(&record);
    return status;
}

Status from_foreign_run(const FromForeignSetup *setup, Error *err) {
    Job job = {.setup = setup};
    ForeignRowsSettings rows = *setup->rows;
    RowShardsSettings shards = *setup->shards;
    shards.threads = 0; /* any number of threads may continue the work */
    RowPointSettings points = setup->points ? *setup->points : (RowPointSettings){0};
    unsigned point_columns = row_points_wanted(setup->points);
    /* The last group is left out if it asks for nothing, so that folders of earlier versions, which
     * did not have it, can still be continued. */
    const SettingsGroup groups[] = {{"positions", FOREIGN_ROWS_FIELDS, &rows},
                                    {"rows", ROW_SHARDS_FIELDS, &shards},
                                    {point_columns ? "rows" : NULL, ROW_POINT_FIELDS, &points},
                                    {0}};
    RowJobSetup work = {
        .folder = setup->folder,
        .games_name = "games.bin",
        .groups = groups,
        .shards = setup->shards,
        .scan = {scan, &job},
        .maker = {{make_rows, &job, false, point_columns}, {make_rows, &job, false, point_columns}},
        .watch = setup->shards_watch};
    Status status = read_settings(&job, err);
    if (!status) status = open_sources(&job, err);
    if (!status) {
        work.sources = job.sources;
        status = row_job_run(&work, err);
    }
    file_sources_close(job.sources);
    return status;
}
