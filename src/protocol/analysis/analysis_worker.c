/* A worker's thread repeats:
 * 1. Wait for a task if no search is active.
 * 2. Start a search for each waiting task, while there are free places (start_waiting_tasks()).
 *    The search acquires an evaluator for its board size and its settings of the net. Searches that
 *    have these in common share one evaluator.
 * 3. For each evaluator in use, step all its searches once in one batch (step_entry()).
 * 4. Write the reports that are due and the last answers of searches that are done
 *    (answer_if_due()).
 * An evaluator that no search uses any more is kept for later queries; see EVALUATORS_KEPT. */
#include "protocol/analysis/analysis_worker.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "protocol/analysis/analysis_reply.h"
#include "protocol/analysis/query/query_replay.h"
#include "search/driver/driver.h"

/* A new evaluator takes a free entry while fewer entries than this hold an evaluator. After that it
 * replaces an evaluator that no search uses, if there is one. */
enum { EVALUATORS_KEPT = 8 };

/* An evaluator, the query settings that it was made for, and the number of searches that use it. */
typedef struct {
    int width, height;
    bool human;                  /* the evaluator is of the second net, the net of human play */
    bool with_human;             /* it is of the first net, but gives the second net's policy too */
    NetEvaluatorSetup net_setup; /* the settings of the evaluator */
    char profile[SETTINGS_TEXT_SIZE];
    Evaluator *evaluator; /* NULL if the entry is free */
    Driver *driver;
    int users;
    uint64_t last_used; /* acquire_count when it was last acquired */
} EvaluatorEntry;

typedef struct {
    ActiveTask *shared_task; /* the task as other threads see it */
    AnalysisTask task; /* copy to read without the lock; its query is NULL if the place is free */
    Search *search;
    SearchLimits limits;
    EvaluatorEntry *entry;
    Position root;
    Evaluation raw, human;
    bool has_human;
    double start, next_report;
} ActiveSearch;

struct AnalysisWorker {
    AnalysisEngine *engine;
    pthread_t thread;
    bool started;
    int active_max, active_count;
    ActiveSearch *active_searches;
    Search **searches;       /* the batch of one entry while it steps */
    EvaluatorEntry *entries; /* more than active_max, since each search may need one of its own */
    int entry_count;
    uint64_t acquire_count;
    QueryReplay replay; /* of the game that was replayed last */
    Report *report;
};

static void entry_clear(EvaluatorEntry *entry) {
    driver_free(entry->driver);
    evaluator_free(entry->evaluator);
    *entry = (EvaluatorEntry){0};
}

/* Whether evaluations depend on the human profile. Those of nets without metadata do not. */
static bool depends_on_profile(const AnalysisSetup *setup, bool human) {
    return human || !setup->model_format || setup->model_format->metadata;
}

/* Whether the search of a query needs the second net's policy at its nodes. */
static bool needs_human_policy(const AnalysisSetup *setup, const AnalysisQuery *query) {
    return setup->make_human && *query->search.human.profile &&
           search_settings_need_human_policy(&query->search);
}

static bool entry_fits(const AnalysisSetup *setup, const EvaluatorEntry *entry,
                       const AnalysisQuery *query, bool human) {
    NetEvaluatorSetup net_setup = {0};
    search_settings_evaluator(&query->search, &net_setup);
    bool with_human = !human && needs_human_policy(setup, query);
    return entry->evaluator && entry->human == human && entry->with_human == with_human &&
           entry->width == query->width && entry->height == query->height &&
           entry->net_setup.symmetries == net_setup.symmetries &&
           entry->net_setup.policy_temperature == net_setup.policy_temperature &&
           (!depends_on_profile(setup, human || with_human) ||
            strcmp(entry->profile, query->search.human.profile) == 0);
}

/* Returns the entry whose evaluator fits the query. If there is none, returns a free entry or, once
 * EVALUATORS_KEPT entries hold evaluators, the unused one that was acquired longest ago. */
static EvaluatorEntry *choose_entry(AnalysisWorker *worker, const AnalysisQuery *query,
                                    bool human) {
    EvaluatorEntry *oldest = NULL, *unused = NULL;
    int kept = 0;
    for (int i = 0; i < worker->entry_count; i++) {
        EvaluatorEntry *entry = &worker->entries[i];
        if (entry_fits(&worker->engine->setup, entry, query, human)) return entry;
        kept += entry->evaluator != NULL;
        if (!entry->evaluator)
            unused = entry;
        else if (!entry->users && (!oldest || entry->last_used < oldest->last_used))
            oldest = entry;
    }
    return oldest && kept >= EVALUATORS_KEPT ? oldest : unused;
}

static Status make_entry_evaluator(const AnalysisSetup *setup, const EvaluatorSpec *spec,
                                   EvaluatorEntry *entry, Error *err) {
    Evaluator *second = NULL, *with_human;
    Status status = (entry->human ? setup->make_human : setup->make_evaluator)(
        setup->context, spec, &entry->evaluator, err);
    if (status || !entry->with_human) return status;
    status = setup->make_human(setup->context, spec, &second, err);
    if (!status) status = evaluator_human_new(entry->evaluator, second, &with_human, err);
    if (status)
        evaluator_free(second);
    else
        entry->evaluator = with_human;
    return status;
}

static Status acquire_entry(AnalysisWorker *worker, const AnalysisQuery *query, bool human,
                            EvaluatorEntry **out, Error *err) {
    const AnalysisSetup *setup = &worker->engine->setup;
    EvaluatorEntry *entry = choose_entry(worker, query, human);
    Status status = OK;
    /* All searches and one evaluation by the human net use fewer entries than there are. */
    assert(entry);
    if (!entry_fits(setup, entry, query, human)) {
        EvaluatorSpec spec = {query->width, query->height, -1, &query->search};
        entry_clear(entry);
        entry->human = human;
        entry->with_human = !human && needs_human_policy(setup, query);
        entry->width = query->width;
        entry->height = query->height;
        search_settings_evaluator(&query->search, &entry->net_setup);
        snprintf(entry->profile, sizeof entry->profile, "%s", query->search.human.profile);
        status = make_entry_evaluator(setup, &spec, entry, err);
        if (!status) status = driver_new(entry->evaluator, &entry->driver, err);
        if (status) entry_clear(entry);
    }
    if (status) return status;
    entry->users++;
    entry->last_used = ++worker->acquire_count;
    *out = entry;
    return OK;
}

static void clear_active(AnalysisWorker *worker, ActiveSearch *active) {
    search_free(active->search);
    position_clear(&active->root);
    if (active->entry) active->entry->users--;
    active->search = NULL;
    active->entry = NULL;
    active->task = (AnalysisTask){0};
    worker->active_count--;
}

/* Writes the last answer and frees the place. */
static void finish_active(AnalysisWorker *worker, ActiveSearch *active, json_t *answer) {
    analysis_finish_task(worker->engine, &active->shared_task->task, answer);
    clear_active(worker, active);
}

/* Makes the position that is searched. If the game is over at this position, the search works as if
 * play went on. With search.ignore_history the net does not see the moves that led to the
 * position. */
static Status set_root_position(AnalysisWorker *worker, ActiveSearch *active, Error *err) {
    AnalysisQuery *query = active->task.query;
    Status status = query_replay_turn(&worker->replay, query, active->task.turn,
                                      &active->shared_task->terminated, &active->root, err);
    if (!status && query->search.ignore_history) active->root.valid_turns = 0;
    return status;
}

/* Evaluates the root by the first net. If the query has a human profile and there is a second net
 * (the net of human play), evaluates the root by the second net, too. */
static Status evaluate_root(AnalysisWorker *worker, ActiveSearch *active, Error *err) {
    const AnalysisQuery *query = active->task.query;
    const SearchSettings *settings = &query->search;
    const EvaluationRequest request = {&active->root,
                                       search_settings_options(settings, active->root.mover, true)};
    EvaluatorEntry *human;
    Status status = driver_evaluate(active->entry->driver, &request, &active->raw, err);
    active->has_human = worker->engine->setup.make_human && *settings->human.profile;
    if (status || !active->has_human) return status;
    status = acquire_entry(worker, query, true, &human, err);
    if (status) return status;
    status = driver_evaluate(human->driver, &request, &active->human, err);
    human->users--;
    return status;
}

static Status begin_search(AnalysisWorker *worker, ActiveSearch *active, Error *err) {
    const AnalysisQuery *query = active->task.query;
    const AnalysisSettings *analysis = &query->analysis;
    bool keeps_ownership = query->ownership || query->ownership_stdev || query->moves_ownership ||
                           query->moves_ownership_stdev;
    Status status = acquire_entry(worker, query, false, &active->entry, err);
    if (!status)
        status =
            search_new(&query->search, (uint64_t)worker->engine->setup.seed, &active->search, err);
    if (!status) status = search_set_position(active->search, &active->root, err);
    if (status) return status;
    if (keeps_ownership) search_keep_ownership(active->search, true);
    search_set_avoid(active->search, query->avoid);
    active->limits = (SearchLimits){.visits = move_limits_visits(&analysis->limits),
                                    .playouts = param_limit(analysis->limits.max_playouts)};
    search_begin(active->search, &active->limits);
    active->start = clock_seconds();
    active->next_report = active->start + (query->reports.first > 0 ? query->reports.first : 1e18);
    status = evaluate_root(worker, active, err);
    if (!status && keeps_ownership && active->raw.lacks_ownership)
        return fail(err, ERR_UNSUPPORTED, "the net has no head \"ownership\"");
    return status;
}

/* Answers with an error. Its field is overrideSettings if the settings ask for something that the
 * net does not have. Errors of the device or of memory have no field. */
static void end_with_error(AnalysisWorker *worker, ActiveSearch *active, Status status,
                           const Error *err) {
    bool settings = status == ERR_ARGUMENT || status == ERR_UNSUPPORTED;
    finish_active(
        worker, active,
        analysis_error(active->task.query->id, settings ? "overrideSettings" : NULL, err->message));
}

/* Begins the search of a task, or ends the task if that fails. */
static void start_task(AnalysisWorker *worker, ActiveSearch *active) {
    Error err = {0};
    active->root = (Position){0};
    Status status = set_root_position(worker, active, &err);
    if (status == ERR_STOPPED) {
        finish_active(worker, active, reply_without_results(active->task.query, active->task.turn));
        return;
    }
    if (status == ERR_ILLEGAL) {
        analysis_refuse_query(worker->engine, active->task.query, "moves", err.message);
        analysis_drop_task(worker->engine, &active->shared_task->task);
        clear_active(worker, active);
        return;
    }
    if (!status) status = begin_search(worker, active, &err);
    if (status) end_with_error(worker, active, status, &err);
}

/* Moves tasks from the heaps to free places and begins their searches. */
static void start_waiting_tasks(AnalysisWorker *worker) {
    for (int i = 0; i < worker->active_max; i++) {
        ActiveSearch *active = &worker->active_searches[i];
        bool extra = i >= worker->engine->setup.positions_at_once;
        if (active->task.query) continue;
        if (!analysis_take_task(worker->engine, active->shared_task, extra)) return;
        active->task = active->shared_task->task;
        worker->active_count++;
        start_task(worker, active);
    }
}

static json_t *make_reply(AnalysisWorker *worker, ActiveSearch *active, bool during_search) {
    const ReplyView view = {.query = active->task.query,
                            .turn = active->task.turn,
                            .during_search = during_search,
                            .search = active->search,
                            .report = worker->report,
                            .raw = &active->raw,
                            .human = active->has_human ? &active->human : NULL,
                            .root = &active->root};
    search_report(active->search, worker->report);
    return reply_of_search(&view);
}

/* Writes the last answer of a search that is done, or a report that is due. */
static void answer_if_due(AnalysisWorker *worker, ActiveSearch *active, double now) {
    const AnalysisQuery *query = active->task.query;
    double limit = move_limits_seconds(&query->analysis.limits);
    const char *refusal = search_refusal(active->search);
    bool terminated = atomic_load_explicit(&active->shared_task->terminated, memory_order_relaxed),
         visited = search_root_visits(active->search) > 0;
    if (refusal) {
        finish_active(worker, active, analysis_error(query->id, "overrideSettings", refusal));
        return;
    }
    if (search_done(active->search) || terminated ||
        (visited && limit > 0 && now >= active->start + limit)) {
        finish_active(worker, active,
                      visited ? make_reply(worker, active, false)
                              : reply_without_results(query, active->task.turn));
        return;
    }
    if (!visited || now < active->next_report) return;
    active->next_report = now + (query->reports.every > 0 ? query->reports.every : 1e18);
    if (analysis_wants_report(worker->engine, query))
        analysis_answer(worker->engine, query, make_reply(worker, active, true));
}

/* Steps the searches one by one after their common batch failed, so that an error ends only the
 * search whose leaf caused it. Each search begins anew, which drops the leaves that wait for an
 * evaluation. */
static void step_one_by_one(AnalysisWorker *worker, const EvaluatorEntry *entry) {
    for (int i = 0; i < worker->active_max; i++) {
        ActiveSearch *active = &worker->active_searches[i];
        int unfinished;
        Error err = {0};
        if (!active->task.query || active->entry != entry) continue;
        search_begin(active->search, &active->limits);
        Status status = driver_step(entry->driver, &active->search, 1, &unfinished, &err);
        if (status) end_with_error(worker, active, status, &err);
    }
}

/* Steps all searches of an entry once, then writes the answers and reports that are due. */
static void step_entry(AnalysisWorker *worker, const EvaluatorEntry *entry) {
    int count = 0, unfinished;
    for (int i = 0; i < worker->active_max; i++) {
        ActiveSearch *active = &worker->active_searches[i];
        if (active->task.query && active->entry == entry)
            worker->searches[count++] = active->search;
    }
    if (driver_step(entry->driver, worker->searches, count, &unfinished, NULL))
        step_one_by_one(worker, entry);
    double now = clock_seconds();
    for (int i = 0; i < worker->active_max; i++) {
        ActiveSearch *active = &worker->active_searches[i];
        if (active->task.query && active->entry == entry) answer_if_due(worker, active, now);
    }
}

static void *run_worker(void *argument) {
    AnalysisWorker *worker = argument;
    AnalysisEngine *engine = worker->engine;
    for (;;) {
        if (!worker->active_count) analysis_wait_for_task(engine);
        if (analysis_engine_is_closing(engine)) break;
        if (worker->active_count < worker->active_max &&
            atomic_load_explicit(&engine->waiting_count, memory_order_relaxed))
            start_waiting_tasks(worker);
        for (int i = 0; i < worker->entry_count; i++) {
            if (worker->entries[i].users) step_entry(worker, &worker->entries[i]);
        }
    }
    for (int i = 0; i < worker->active_max; i++) {
        ActiveSearch *active = &worker->active_searches[i];
        if (!active->task.query) continue;
        query_release(active->task.query);
        clear_active(worker, active);
    }
    return NULL;
}

Status analysis_worker_new(AnalysisEngine *engine, ActiveTask *tasks, AnalysisWorker **out,
                           Error *err) {
    AnalysisWorker *worker;
    *out = NULL;
    Status status = mem_new(1, sizeof *worker, &worker, err);
    if (status) return status;
    worker->engine = engine;
    worker->active_max = analysis_setup_places(&engine->setup);
    size_t count = (size_t)worker->active_max;
    status = mem_new(count, sizeof *worker->active_searches, &worker->active_searches, err);
    for (int i = 0; i < worker->active_max && !status; i++)
        worker->active_searches[i].shared_task = &tasks[i];
    if (!status) status = mem_new(count, sizeof(Search *), &worker->searches, err);
    worker->entry_count = worker->active_max + EVALUATORS_KEPT;
    if (!status)
        status = mem_new(count + EVALUATORS_KEPT, sizeof *worker->entries, &worker->entries, err);
    if (!status) status = mem_new(1, sizeof *worker->report, &worker->report, err);
    if (!status) status = thread_start(&worker->thread, run_worker, worker, err);
    worker->started = !status;
    if (status)
        analysis_worker_free(worker);
    else
        *out = worker;
    return status;
}

void analysis_worker_free(AnalysisWorker *worker) {
    if (!worker) return;
    if (worker->started) pthread_join(worker->thread, NULL);
    for (int i = 0; i < worker->entry_count && worker->entries; i++)
        entry_clear(&worker->entries[i]);
    query_replay_clear(&worker->replay);
    free(worker->entries);
    free(worker->active_searches);
    free(worker->searches);
    free(worker->report);
    free(worker);
}
