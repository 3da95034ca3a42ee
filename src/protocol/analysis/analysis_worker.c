#include "protocol/analysis/analysis_worker.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "protocol/analysis/analysis_reply.h"
#include "search/driver/driver.h"

/* Unused evaluators are kept as long as fewer lanes than this have one. */
enum { LANES_KEPT = 8 };

/* An evaluator, what it was made for, and the number of its users. */
typedef struct {
    int width, height;
    bool human;              /* it is of the second net */
    bool both;               /* it is of the first net, with the policy of the second besides */
    NetEvaluatorSetup asked; /* what the settings asked of the evaluator */
    char profile[SETTINGS_TEXT_SIZE];
    Evaluator *evaluator; /* NULL: the lane is free */
    Driver *driver;
    int users;
    uint64_t used; /* the number of the last search that entered the lane */
} Lane;

typedef struct {
    AnalysisSlot *shared; /* the slot as other threads see it */
    AnalysisTask task;    /* a copy of shared->task for this thread, without the lock */
    Search *search;
    SearchLimits limits;
    Lane *lane;
    Position root;
    Evaluation raw, human;
    bool has_human;
    double begun, next_report;
} Slot;

struct AnalysisWorker {
    AnalysisEngine *engine;
    pthread_t thread;
    bool started;
    int slot_count, busy;
    Slot *slots;
    Search **searches; /* those of one lane while it steps */
    Lane *lanes;       /* more than slots, since each slot may need one of its own */
    int lane_count;
    uint64_t searches_begun;
    Report *report;
};

static void lane_clear(Lane *lane) {
    driver_free(lane->driver);
    evaluator_free(lane->evaluator);
    *lane = (Lane){0};
}

/* Whether the evaluator depends on the profile of the player. Nets without metadata do not. */
static bool asks_who(const AnalysisSetup *setup, bool human) {
    return human || !setup->model_format || setup->model_format->metadata;
}

/* Whether the search of a query needs the policy of human play. */
static bool asks_both(const AnalysisSetup *setup, const AnalysisQuery *query) {
    return setup->make_human && *query->search.human.profile &&
           search_settings_ask_people(&query->search);
}

static bool lane_serves(const AnalysisSetup *setup, const Lane *lane, const AnalysisQuery *query,
                        bool human) {
    NetEvaluatorSetup asked = {0};
    search_settings_evaluator(&query->search, &asked);
    bool both = !human && asks_both(setup, query);
    return lane->evaluator && lane->human == human && lane->both == both &&
           lane->width == query->width && lane->height == query->height &&
           lane->asked.symmetries == asked.symmetries &&
           lane->asked.policy_temperature == asked.policy_temperature &&
           (!asks_who(setup, human || both) ||
            strcmp(lane->profile, query->search.human.profile) == 0);
}

/* The lane that serves the query. If none does, a free lane, or once LANES_KEPT lanes hold
 * evaluators the unused one whose last search is oldest. */
static Lane *choose_lane(AnalysisWorker *worker, const AnalysisQuery *query, bool human) {
    Lane *oldest = NULL, *free_one = NULL;
    int kept = 0;
    for (int i = 0; i < worker->lane_count; i++) {
        Lane *lane = &worker->lanes[i];
        if (lane_serves(&worker->engine->setup, lane, query, human)) return lane;
        kept += lane->evaluator != NULL;
        if (!lane->evaluator)
            free_one = lane;
        else if (!lane->users && (!oldest || lane->used < oldest->used))
            oldest = lane;
    }
    return oldest && kept >= LANES_KEPT ? oldest : free_one;
}

static Status make_lane_evaluator(const AnalysisSetup *setup, const EvaluatorSpec *spec, Lane *lane,
                                  Error *err) {
    Evaluator *second = NULL, *both;
    Status status = (lane->human ? setup->make_human : setup->make_evaluator)(
        setup->context, spec, &lane->evaluator, err);
    if (status || !lane->both) return status;
    status = setup->make_human(setup->context, spec, &second, err);
    if (!status) status = evaluator_human_new(lane->evaluator, second, &both, err);
    if (status)
        evaluator_free(second);
    else
        lane->evaluator = both;
    return status;
}

static Status enter_lane(AnalysisWorker *worker, const AnalysisQuery *query, bool human, Lane **out,
                         Error *err) {
    const AnalysisSetup *setup = &worker->engine->setup;
    Lane *lane = choose_lane(worker, query, human);
    Status status = OK;
    assert(lane); /* the slots and one look at the root by the human net need fewer lanes */
    if (!lane_serves(setup, lane, query, human)) {
        EvaluatorSpec spec = {query->width, query->height, -1, &query->search};
        lane_clear(lane);
        lane->human = human;
        lane->both = !human && asks_both(setup, query);
        lane->width = query->width;
        lane->height = query->height;
        search_settings_evaluator(&query->search, &lane->asked);
        snprintf(lane->profile, sizeof lane->profile, "%s", query->search.human.profile);
        status = make_lane_evaluator(setup, &spec, lane, err);
        if (!status) status = driver_new(lane->evaluator, &lane->driver, err);
        if (status) lane_clear(lane);
    }
    if (status) return status;
    lane->users++;
    lane->used = ++worker->searches_begun;
    *out = lane;
    return OK;
}

static void clear_slot(AnalysisWorker *worker, Slot *slot) {
    search_free(slot->search);
    position_clear(&slot->root);
    if (slot->lane) slot->lane->users--;
    slot->search = NULL;
    slot->lane = NULL;
    slot->task = (AnalysisTask){0};
    worker->busy--;
}

/* Gives the last answer and frees the slot. */
static void end_slot(AnalysisWorker *worker, Slot *slot, json_t *answer) {
    analysis_end(worker->engine, &slot->shared->task, answer);
    clear_slot(worker, slot);
}

/* Sets the position that is searched. After the end of a game it is the position as if play went
 * on. The history is cleared where the net is not to see it. */
static Status set_root(Slot *slot, Error *err) {
    const AnalysisQuery *query = slot->task.query;
    int illegal;
    Status status = query_position(query, slot->task.turn, &slot->root, &illegal, err);
    if (!status && slot->root.over) status = position_restart(&slot->root, slot->root.mover, err);
    if (!status && query->search.ignore_history) slot->root.valid_turns = 0;
    return status;
}

/* Evaluates the root by the nets alone. */
static Status look_at_root(AnalysisWorker *worker, Slot *slot, Error *err) {
    const AnalysisQuery *query = slot->task.query;
    const SearchSettings *settings = &query->search;
    const EvaluationRequest request = {&slot->root,
                                       search_settings_options(settings, slot->root.mover, true)};
    Lane *human;
    Status status = driver_evaluate(slot->lane->driver, &request, &slot->raw, err);
    slot->has_human = worker->engine->setup.make_human && *settings->human.profile;
    if (status || !slot->has_human) return status;
    status = enter_lane(worker, query, true, &human, err);
    if (status) return status;
    status = driver_evaluate(human->driver, &request, &slot->human, err);
    human->users--;
    return status;
}

static Status begin_search(AnalysisWorker *worker, Slot *slot, Error *err) {
    const AnalysisQuery *query = slot->task.query;
    const AnalysisSettings *analysis = &query->analysis;
    bool owners = query->ownership || query->ownership_stdev || query->moves_ownership ||
                  query->moves_ownership_stdev;
    slot->root = (Position){0};
    Status status = set_root(slot, err);
    if (status) return status;
    status = enter_lane(worker, query, false, &slot->lane, err);
    if (!status)
        status =
            search_new(&query->search, (uint64_t)worker->engine->setup.seed, &slot->search, err);
    if (!status) status = search_set_position(slot->search, &slot->root, err);
    if (status) return status;
    if (owners) search_keep_ownership(slot->search, true);
    search_set_avoid(slot->search, query->avoid);
    slot->limits = (SearchLimits){.visits = move_limits_visits(&analysis->limits),
                                  .playouts = param_limit(analysis->limits.max_playouts)};
    search_begin(slot->search, &slot->limits);
    slot->begun = clock_seconds();
    slot->next_report = slot->begun + (query->report_first > 0 ? query->report_first : 1e18);
    return look_at_root(worker, slot, err);
}

/* The field of the error is overrideSettings where the settings ask for what the net does not have.
 * Errors of the device or of memory have no field. */
static void end_with_error(AnalysisWorker *worker, Slot *slot, Status status, const Error *err) {
    bool settings = status == ERR_ARGUMENT || status == ERR_UNSUPPORTED;
    end_slot(
        worker, slot,
        analysis_error(slot->task.query->id, settings ? "overrideSettings" : NULL, err->message));
}

/* Moves tasks from the heap to free slots. */
static void admit(AnalysisWorker *worker) {
    for (int i = 0; i < worker->slot_count; i++) {
        Slot *slot = &worker->slots[i];
        Error err = {0};
        if (slot->task.query) continue;
        if (!analysis_next(worker->engine, slot->shared)) return;
        slot->task = slot->shared->task;
        worker->busy++;
        Status status = begin_search(worker, slot, &err);
        if (status) end_with_error(worker, slot, status, &err);
    }
}

static json_t *reply_of(AnalysisWorker *worker, Slot *slot, bool during_search) {
    const ReplyView view = {.query = slot->task.query,
                            .turn = slot->task.turn,
                            .during_search = during_search,
                            .search = slot->search,
                            .report = worker->report,
                            .raw = &slot->raw,
                            .human = slot->has_human ? &slot->human : NULL,
                            .root = &slot->root};
    search_report(slot->search, worker->report);
    return reply_of_search(&view);
}

static void look_at(AnalysisWorker *worker, Slot *slot, double now) {
    const AnalysisQuery *query = slot->task.query;
    double limit = move_limits_seconds(&query->analysis.limits);
    const char *refusal = search_refusal(slot->search);
    bool given_up = atomic_load_explicit(&slot->shared->given_up, memory_order_relaxed),
         visited = search_root_visits(slot->search) > 0;
    if (refusal) {
        end_slot(worker, slot, analysis_error(query->id, "overrideSettings", refusal));
        return;
    }
    if (search_done(slot->search) || given_up ||
        (visited && limit > 0 && now >= slot->begun + limit)) {
        end_slot(worker, slot,
                 visited ? reply_of(worker, slot, false)
                         : reply_without_results(query, slot->task.turn));
        return;
    }
    if (!visited || now < slot->next_report) return;
    slot->next_report = now + (query->report_every > 0 ? query->report_every : 1e18);
    analysis_answer(worker->engine, query, reply_of(worker, slot, true));
}

/* Steps the searches one after the other, so that only the search with the failing leaf ends. Each
 * begins anew, which forgets the leaves that wait for an evaluation. */
static void step_singly(AnalysisWorker *worker, const Lane *lane) {
    for (int i = 0; i < worker->slot_count; i++) {
        Slot *slot = &worker->slots[i];
        int active;
        Error err = {0};
        if (!slot->task.query || slot->lane != lane) continue;
        search_begin(slot->search, &slot->limits);
        Status status = driver_step(lane->driver, &slot->search, 1, &active, &err);
        if (status) end_with_error(worker, slot, status, &err);
    }
}

/* Steps all searches of a lane once, then looks whether they are done. */
static void step_lane(AnalysisWorker *worker, const Lane *lane) {
    int count = 0, active;
    for (int i = 0; i < worker->slot_count; i++) {
        Slot *slot = &worker->slots[i];
        if (slot->task.query && slot->lane == lane) worker->searches[count++] = slot->search;
    }
    if (driver_step(lane->driver, worker->searches, count, &active, NULL))
        step_singly(worker, lane);
    double now = clock_seconds();
    for (int i = 0; i < worker->slot_count; i++) {
        Slot *slot = &worker->slots[i];
        if (slot->task.query && slot->lane == lane) look_at(worker, slot, now);
    }
}

static void *work(void *argument) {
    AnalysisWorker *worker = argument;
    AnalysisEngine *engine = worker->engine;
    for (;;) {
        if (!worker->busy) analysis_await(engine);
        if (analysis_engine_is_closing(engine)) break;
        if (worker->busy < worker->slot_count &&
            atomic_load_explicit(&engine->waiting, memory_order_relaxed))
            admit(worker);
        for (int i = 0; i < worker->lane_count; i++) {
            if (worker->lanes[i].users) step_lane(worker, &worker->lanes[i]);
        }
    }
    for (int i = 0; i < worker->slot_count; i++) {
        Slot *slot = &worker->slots[i];
        if (!slot->task.query) continue;
        query_release(slot->task.query);
        clear_slot(worker, slot);
    }
    return NULL;
}

Status analysis_worker_new(AnalysisEngine *engine, AnalysisSlot *slots, AnalysisWorker **out,
                           Error *err) {
    AnalysisWorker *worker;
    *out = NULL;
    Status status = mem_new(1, sizeof *worker, &worker, err);
    if (status) return status;
    worker->engine = engine;
    worker->slot_count = engine->setup.positions_at_once;
    size_t count = (size_t)worker->slot_count;
    status = mem_new(count, sizeof *worker->slots, &worker->slots, err);
    for (int i = 0; i < worker->slot_count && !status; i++)
        worker->slots[i].shared = &slots[i];
    if (!status) status = mem_new(count, sizeof(Search *), &worker->searches, err);
    worker->lane_count = worker->slot_count + LANES_KEPT;
    if (!status) status = mem_new(count + LANES_KEPT, sizeof *worker->lanes, &worker->lanes, err);
    if (!status) status = mem_new(1, sizeof *worker->report, &worker->report, err);
    if (!status) status = thread_start(&worker->thread, work, worker, err);
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
    for (int i = 0; i < worker->lane_count && worker->lanes; i++)
        lane_clear(&worker->lanes[i]);
    free(worker->lanes);
    free(worker->slots);
    free(worker->searches);
    free(worker->report);
    free(worker);
}
