/* How batches are made while the caller trains:
 *   1. There are two batches: the caller has `front`, and the loader's thread fills `back`.
 *   2. loader_next() waits until `back` is filled, exchanges `front` and `back`, and asks the
 *      thread to fill the new `back`. If the thread was not asked for a batch before, as in the
 *      first call, loader_next() fills `back` itself.
 *   3. The thread, make_batches(), draws rows from the pool (row_pool.h) and writes them into
 *      `back`, each with a random symmetry and history.
 *   4. Every other call first waits for the thread, so the pool and the random numbers are used by
 *      one thread at a time, in an order that does not depend on timing. */
#include "data/loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/thread.h"
#include "data/batch.h"

enum { HISTORY = 5 }; /* how many of the last moves a row shows */
#define BLANKS " \t,"

const SettingsField LOADER_FIELDS[] = {
    FIELD_INT(LoaderSettings, batch, 256, 1, 65536, "rows of a training batch",
              .source = "Wu 2019, appendix C"),
    FIELD_BOOL(LoaderSettings, symmetries, true, "rotate and mirror each row at random",
               .source = "Wu 2019, appendix C"),
    FIELD_BOOL(LoaderSettings, history_drop, true,
               "hide some of the last moves: each is shown with probability 0.98 (see "
               "loader.history_kept) if all newer moves are shown",
               .source = "KataGo, data_processing_pytorch.py"),
    FIELD_CHOICE(LoaderSettings, history_masks, HISTORY_OF_ROW, "row|drawn",
                 "where the masks that hide moves come from; row: from the row, so that they are "
                 "the same at each use; drawn: from a new draw at each use",
                 .source = "KataGo, data_processing_pytorch.py, which draws"),
    FIELD_TEXT(
        LoaderSettings, history_kept, "0.98",
        "if loader.history_masks is drawn: probability that the last move is shown, then the "
        "probability that the move before it is shown if the last move is shown, and so on, "
        "separated by blanks; the last number holds for all older moves (GoNN: 0.95 0.98; earlier "
        "0.9 0.95 0.95 0.98)",
        .source = "GoNN, model.py"),
    FIELD_CHOICE(LoaderSettings, focus.kind, FOCUS_OFF, "off|value|diff",
                 "which rows are used less often: value: those in which the net expected the win - "
                 "loss that the search found; diff: those in which it also expected the policy",
                 .source = "lczero-training, chunkparser.py"),
    FIELD_DOUBLE(LoaderSettings, focus.min, 1, 0, 1,
                 "focus: the probability of using a row in which search and net agree",
                 .source = "lczero-training, value_focus_min, diff_focus_min"),
    FIELD_DOUBLE(
        LoaderSettings, focus.slope, 0, 0, 1000,
        "focus: growth of the probability with the difference, which is abs(search's win - "
        "loss minus the net's) for value, and a weighted mean of this and of the KL "
        "divergence of the policies for diff",
        .source = "lczero-training, value_focus_slope, diff_focus_slope"),
    FIELD_DOUBLE(LoaderSettings, focus.value_weight, 6, 0, 1000,
                 "focus diff: weight q of win - loss in the difference (q d + k) / (q + p), where "
                 "k is the KL divergence in nats and p is focus.policy_scale",
                 .source = "lczero-training, diff_focus_q_weight"),
    FIELD_DOUBLE(LoaderSettings, focus.policy_scale, 3.5, 0.001, 1000,
                 "focus diff: the number p in the formula of focus.value_weight",
                 .source = "lczero-training, diff_focus_pol_scale"),
    FIELD_CHOICE(LoaderSettings, lead_from_score, LEAD_FROM_SCORE_BY_FILE, "by_file|always|never",
                 "whether rows without a searched lead learn the final score as lead; by_file: "
                 "only in files without any searched lead; KataGo: never"),
    FIELD_DOUBLE(LoaderSettings, players_hidden, 0.1, 0, 1,
                 "nets that read who played: probability that a sample hides it, so that the net "
                 "also plays without such information"),
    FIELD_INT64(LoaderSettings, memory_mb, 2048, 16, 1 << 24,
                "memory for rows, MB; a larger window is streamed from its files"),
    FIELD_DOUBLE(LoaderSettings, validation, 0, 0, 0.5,
                 "fraction of the games whose rows are kept from training and used to measure "
                 "the net",
                 .source = "KataGo, python/shuffle.py; lczero-training"),
    {0},
};

/* A validation row in memory: its block in the pool, and its number in the block. */
typedef struct {
    uint32_t block, row;
} Place;

/* IDLE: no batch is wanted. WANTED: the thread fills the back batch. MADE: loader_next() may take
 * the back batch, or the status of the failure to fill it. QUIT: the thread ends. */
typedef enum { LOADER_IDLE, LOADER_WANTED, LOADER_MADE, LOADER_QUIT } LoaderState;

struct Loader {
    LoaderSettings settings;
    double history_kept[HISTORY]; /* LoaderSettings.history_kept, newest move first */
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock;
    pthread_cond_t changed_state;
    LoaderState state; /* guarded by lock */
    /* In the state WANTED everything below except `front` belongs to the thread. In the other
     * states all of it belongs to the caller. */
    Rng rng;
    RowPool *pool;
    Place *held_out; /* rows of games for validation */
    size_t held_out_count, held_out_capacity;
    int64_t held_out_changes; /* row_pool_changes() when held_out was listed; -1 before that */
    Batch front;              /* the batch that the caller has */
    Batch back;               /* the next batch */
    Batch held_out_batch;
    Status status; /* of making the back batch */
    Error error;
};

/* Reads LoaderSettings.history_kept. */
static Status read_history_kept(const char *text, double out[HISTORY], Error *err) {
    int count = 0;
    for (text += strspn(text, BLANKS); *text; text += strspn(text, BLANKS)) {
        char word[32];
        int length = (int)strcspn(text, BLANKS);
        snprintf(word, sizeof word, "%.*s", length, text);
        if (count == HISTORY)
            return fail(err, ERR_ARGUMENT, "loader.history_kept has more than %d numbers", HISTORY);
        Status status = parse_double(word, "loader.history_kept", 0, 1, &out[count++], err);
        if (status) return status;
        text += length;
    }
    if (!count) out[count++] = 0.98;
    for (; count < HISTORY; count++)
        out[count] = out[count - 1];
    return OK;
}

/* Returns how many of the last five moves a sample shows. The moves before them are hidden, and so
 * are the ladders of positions further back; see source_plane() in batch.c. */
static int draw_history(Loader *loader, const float *targets) {
    const LoaderSettings *settings = &loader->settings;
    int shown = 0;
    if (!settings->history_drop) return HISTORY;
    while (shown < HISTORY && (settings->history_masks == HISTORY_DRAWN
                                   ? rng_uniform(&loader->rng) < loader->history_kept[shown]
                                   : targets[TARGET_HISTORY + shown] > 0))
        shown++;
    return shown;
}

static bool uses_score_as_lead(const Loader *loader, const Rows *rows) {
    int from = loader->settings.lead_from_score;
    return from == LEAD_FROM_SCORE_ALWAYS || (from == LEAD_FROM_SCORE_BY_FILE && !rows->leads);
}

/* Draws rows until one is used (focus.h). After PASSED_OVER_MAX rows that were passed over, the
 * next row is used in any case. */
static Status draw_row(Loader *loader, const Rows **rows, size_t *row, Error *err) {
    enum { PASSED_OVER_MAX = 1000 };
    for (int i = 0;; i++) {
        Status status = row_pool_next(loader->pool, &loader->rng, rows, row, err);
        if (status || loader->settings.focus.kind == FOCUS_OFF) return status;
        double use = focus_probability(&loader->settings.focus,
                                       (*rows)->targets + *row * (size_t)ROW_GLOBAL_TARGETS);
        if (use >= 1 || rng_uniform(&loader->rng) < use || i == PASSED_OVER_MAX) return OK;
    }
}

static Status fill_back(Loader *loader, Error *err) {
    for (int n = 0; n < loader->settings.batch; n++) {
        const Rows *rows;
        size_t row;
        Status status = draw_row(loader, &rows, &row, err);
        if (status) return status;
        RowView view = {
            .symmetry = loader->settings.symmetries ? rng_below(&loader->rng, SYMMETRY_COUNT) : 0,
            .history = draw_history(loader, rows->targets + row * (size_t)ROW_GLOBAL_TARGETS),
            .lead_from_score = uses_score_as_lead(loader, rows),
        };
        if (loader->settings.players)
            view.players_hidden = rng_uniform(&loader->rng) < loader->settings.players_hidden;
        batch_set_row(&loader->back, n, rows, row, &view);
    }
    return OK;
}

static void *make_batches(void *argument) {
    Loader *loader = argument;
    pthread_mutex_lock(&loader->lock);
    while (loader->state != LOADER_QUIT) {
        if (loader->state != LOADER_WANTED) {
            pthread_cond_wait(&loader->changed_state, &loader->lock);
            continue;
        }
        pthread_mutex_unlock(&loader->lock);
        loader->status = fill_back(loader, &loader->error);
        pthread_mutex_lock(&loader->lock);
        loader->state = LOADER_MADE;
        pthread_cond_broadcast(&loader->changed_state);
    }
    pthread_mutex_unlock(&loader->lock);
    return NULL;
}

/* Waits until the thread has finished its batch. After that the thread touches nothing until the
 * state is WANTED again. Returns whether the thread was asked for a batch and has made it or
 * failed. */
static bool wait_for_thread(Loader *loader) {
    pthread_mutex_lock(&loader->lock);
    while (loader->state == LOADER_WANTED)
        pthread_cond_wait(&loader->changed_state, &loader->lock);
    bool made = loader->state == LOADER_MADE;
    pthread_mutex_unlock(&loader->lock);
    return made;
}

static void set_state(Loader *loader, LoaderState state) {
    pthread_mutex_lock(&loader->lock);
    loader->state = state;
    pthread_cond_broadcast(&loader->changed_state);
    pthread_mutex_unlock(&loader->lock);
}

static Status allocate_batch(const LoaderSettings *settings, Batch *out, Error *err) {
    Status status = batch_init(out, settings->batch, settings->length, err);
    if (!status && settings->boards) status = batch_add_boards(out, err);
    if (!status && settings->q_values) status = batch_add_q_values(out, err);
    if (!status && settings->players) status = batch_add_players(out, err);
    if (!status) status = batch_add_points(out, settings->point_columns, err);
    return status;
}

Status loader_new(const LoaderSettings *settings, Loader **out, Error *err) {
    Loader *loader;
    *out = NULL;
    if (settings->batch < 1 || settings->length < 2 || settings->length > BOARD_SIDE_MAX)
        return fail(err, ERR_ARGUMENT, "cannot make batches of %d boards of size %d",
                    settings->batch, settings->length);
    double kept[HISTORY];
    Status status = read_history_kept(settings->history_kept, kept, err);
    if (!status) status = mem_new(1, sizeof *loader, &loader, err);
    if (status) return status;
    loader->settings = *settings;
    memcpy(loader->history_kept, kept, sizeof kept);
    loader->rng = rng_seeded(settings->seed);
    loader->held_out_changes = -1;
    pthread_mutex_init(&loader->lock, NULL);
    pthread_cond_init(&loader->changed_state, NULL);
    RowPoolSetup pool = {settings->length, (size_t)settings->memory_mb << 20,
                         (float)settings->validation, settings->only_validation};
    status = row_pool_new(&pool, &loader->pool, err);
    if (!status) status = allocate_batch(settings, &loader->front, err);
    if (!status) status = allocate_batch(settings, &loader->back, err);
    if (!status && settings->validation > 0)
        status = allocate_batch(settings, &loader->held_out_batch, err);
    if (!status) status = thread_start(&loader->thread, make_batches, loader, err);
    loader->has_thread = !status;
    if (status)
        loader_free(loader);
    else
        *out = loader;
    return status;
}

void loader_free(Loader *loader) {
    if (!loader) return;
    if (loader->has_thread) {
        wait_for_thread(loader);
        set_state(loader, LOADER_QUIT);
        pthread_join(loader->thread, NULL);
    }
    row_pool_free(loader->pool);
    free(loader->held_out);
    batch_clear(&loader->held_out_batch);
    batch_clear(&loader->front);
    batch_clear(&loader->back);
    pthread_cond_destroy(&loader->changed_state);
    pthread_mutex_destroy(&loader->lock);
    free(loader);
}

void loader_set_window(Loader *loader, int64_t rows) {
    wait_for_thread(loader);
    row_pool_set_window(loader->pool, rows);
}

Status loader_add_file(Loader *loader, const char *path, Error *err) {
    wait_for_thread(loader);
    return row_pool_add(loader->pool, path, err);
}

Status loader_list_file(Loader *loader, const char *path, int64_t rows, Error *err) {
    wait_for_thread(loader);
    return row_pool_list(loader->pool, path, rows, err);
}

bool loader_take_bad(Loader *loader, BadFile *out) {
    wait_for_thread(loader);
    return row_pool_take_bad(loader->pool, out);
}

int64_t loader_rows(Loader *loader) {
    wait_for_thread(loader);
    return row_pool_rows(loader->pool);
}

int64_t loader_rows_added(Loader *loader) {
    wait_for_thread(loader);
    return row_pool_added(loader->pool);
}

Status loader_next(Loader *loader, Batch *out, Error *err) {
    if (!wait_for_thread(loader)) loader->status = fill_back(loader, &loader->error);
    if (loader->status) {
        Status status = loader->status;
        set_state(loader, LOADER_IDLE);
        return fail(err, status, "%s", loader->error.message);
    }
    Batch made = loader->back;
    loader->back = loader->front;
    loader->front = made;
    set_state(loader, LOADER_WANTED);
    *out = made;
    return OK;
}

/* Lists the validation rows. The order depends only on the rows in memory. */
static Status find_held_out(Loader *loader, Error *err) {
    Rng rng = rng_seeded(1);
    loader->held_out_count = 0;
    for (size_t b = 0; b < row_pool_blocks(loader->pool); b++) {
        const Rows *rows = row_pool_block(loader->pool, b);
        for (size_t r = 0; r < rows->count; r++) {
            if (!row_pool_is_held_out(loader->pool, rows, r)) continue;
            Status status = mem_grow(&loader->held_out, &loader->held_out_capacity,
                                     loader->held_out_count + 1, sizeof *loader->held_out, err);
            if (status) return status;
            loader->held_out[loader->held_out_count++] = (Place){(uint32_t)b, (uint32_t)r};
        }
    }
    rng_shuffle(&rng, loader->held_out, loader->held_out_count, sizeof *loader->held_out);
    loader->held_out_changes = row_pool_changes(loader->pool);
    return OK;
}

/* Lists the validation rows again if the rows in memory have changed. */
static Status update_held_out(Loader *loader, Error *err) {
    wait_for_thread(loader);
    return loader->held_out_changes == row_pool_changes(loader->pool) ? OK
                                                                      : find_held_out(loader, err);
}

Status loader_validation_rows(Loader *loader, int64_t *out, Error *err) {
    *out = 0;
    if (loader->settings.validation <= 0) return OK;
    Status status = update_held_out(loader, err);
    if (!status) *out = (int64_t)loader->held_out_count;
    return status;
}

Status loader_validation(Loader *loader, int number, Batch *out, Error *err) {
    *out = (Batch){0};
    if (loader->settings.validation <= 0) return OK;
    Status status = update_held_out(loader, err);
    if (status) return status;
    size_t first = (size_t)number * (size_t)loader->settings.batch;
    if (first >= loader->held_out_count) return OK;
    size_t left = loader->held_out_count - first, capacity = (size_t)loader->settings.batch;
    *out = loader->held_out_batch;
    out->count = (int)(left < capacity ? left : capacity);
    for (int n = 0; n < out->count; n++) {
        Place place = loader->held_out[first + (size_t)n];
        const Rows *rows = row_pool_block(loader->pool, place.block);
        RowView view = {.history = HISTORY, .lead_from_score = uses_score_as_lead(loader, rows)};
        batch_set_row(out, n, rows, place.row, &view);
    }
    return OK;
}
