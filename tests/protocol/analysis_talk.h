/* analysis_talk.h - an analysis engine with a made-up net: a test sends it lines and gets its
 * answers as JSON. */
#pragma once
#include "base/clock.h"
#include "protocol/analysis/analysis.h"
#include "search/tree/search_presets.h"
#include "test.h"
#include <pthread.h>

enum { MADE_UP_BATCH = 8 };
/* The net. It gives the same values for all positions. Scores, leads and owners are White's.
 * Evaluations of games with komi 98 fail. */
typedef struct {
    float white_win, white_loss, no_result, white_score, white_lead, var_time, winloss_error,
        score_error, white_owner;
    atomic_bool gate;              /* while true, evaluations of games with komi 99 wait */
    atomic_int waiting;            /* number of evaluations of games with komi 99 that began */
    atomic_int made;               /* number of evaluators that were made */
    _Atomic float white_doublings; /* of the last evaluation */
} MadeUp;

typedef struct {
    Analysis *analysis;
    AnalysisClient client;
    pthread_mutex_t lock;
    json_t *answers; /* an array, in the order in which they came */
    MadeUp net;
} Talk;

typedef struct {
    Evaluator base;
    MadeUp *net;
} MadeUpEvaluator;

static void made_up_evaluation(const MadeUp *net, const Position *position, Evaluation *out) {
    const Board *board = &position->board;
    int area = board->width * board->height, count = 0;
    bool white = position->mover == COLOR_WHITE;
    *out = (Evaluation){.width = board->width,
                        .height = board->height,
                        .has_ownership = true,
                        .win = white ? net->white_win : net->white_loss,
                        .loss = white ? net->white_loss : net->white_win,
                        .no_result = net->no_result,
                        .score_mean = value_for_mover(net->white_score, position->mover),
                        .score_mean_sq = net->white_score * net->white_score + 16,
                        .lead = value_for_mover(net->white_lead, position->mover),
                        .var_time = net->var_time,
                        .shortterm_winloss_error = net->winloss_error,
                        .shortterm_score_error = net->score_error};
    for (int i = 0; i <= area; i++) {
        bool legal = position_is_legal(position, move_at_index(i, board->width, board->height));
        out->policy[i] = legal ? (float)(i + 1) : -1;
        count += legal ? i + 1 : 0;
        if (i < area)
            out->ownership[i] = value_for_mover(net->white_owner / (float)(i + 1), position->mover);
    }
    for (int i = 0; i <= area; i++) {
        if (out->policy[i] > 0) out->policy[i] /= (float)count;
    }
}

static Status made_up_evaluate(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                               Evaluation *out, Error *err) {
    MadeUp *net = ((MadeUpEvaluator *)evaluator)->net;
    for (int i = 0; i < count; i++) {
        float komi = requests[i].position->rules.komi;
        if (komi == 98) return (fail)(err, ERR_ARGUMENT, "the net is not finite");
        if (komi == 99) atomic_fetch_add(&net->waiting, 1);
        while (komi == 99 && atomic_load(&net->gate))
            clock_sleep_ms(1);
        net->white_doublings = requests[i].options.white_doublings;
        made_up_evaluation(net, requests[i].position, &out[i]);
    }
    return OK;
}

static void made_up_free(Evaluator *evaluator) {
    free(evaluator);
}

static Status made_up_new(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err) {
    static const EvaluatorClass CLASS = {"made up", made_up_evaluate, made_up_free};
    MadeUp *net = context;
    if (strcmp(spec->search->human.profile, "nobody") == 0)
        return (fail)(err, ERR_ARGUMENT, "there is no such profile");
    MadeUpEvaluator *made = calloc(1, sizeof *made);
    atomic_fetch_add(&net->made, 1);
    *made = (MadeUpEvaluator){{&CLASS, MADE_UP_BATCH, 0, false}, net};
    *out = &made->base;
    return OK;
}

static bool talk_hear(void *context, const char *line, size_t length) {
    Talk *talk = context;
    json_t *answer = json_loadb(line, length, 0, NULL);
    if (!answer || strchr(line, '\n')) {
        printf("\"%.200s\" is no line of JSON\n", line);
        abort();
    }
    pthread_mutex_lock(&talk->lock);
    json_array_append_new(talk->answers, answer);
    pthread_mutex_unlock(&talk->lock);
    return true;
}

static inline AnalysisSetup talk_setup(MadeUp *net) {
    static const AnalysisModel MODEL = {"/nets/made-up.aji", "made-up", 14, false, "auto"};
    AnalysisSetup setup = {.make_evaluator = made_up_new,
                           .context = net,
                           .models = &MODEL,
                           .model_count = 1,
                           .version = "9.8",
                           .revision = "abc",
                           .threads = 1,
                           .positions_at_once = 1,
                           .seed = 3,
                           .warn_unused = true};
    settings_defaults(ANALYSIS_FIELDS, &setup.analysis);
    search_preset_begin(SEARCH_PRESET_ANALYSIS, &setup.search);
    setup.search.root_symmetry_pruning = false; /* visits are worked out by hand */
    setup.search.wide_root_noise = 0;
    move_limits_set(&setup.analysis.limits, 1, 0);
    return setup;
}

static inline void talk_begin(Talk *talk, int threads, int positions_at_once) {
    *talk = (Talk){.net = {.white_win = 0.625f,
                           .white_loss = 0.25f,
                           .no_result = 0.125f,
                           .white_score = 3,
                           .white_lead = 2,
                           .var_time = 5,
                           .winloss_error = 0.5f,
                           .score_error = 1.5f,
                           .white_owner = 0.5f}};
    AnalysisSetup setup = talk_setup(&talk->net);
    setup.threads = threads;
    setup.positions_at_once = positions_at_once;
    pthread_mutex_init(&talk->lock, NULL);
    talk->answers = json_array();
    talk->client = (AnalysisClient){.write = talk_hear, .context = talk};
    EXPECT_OK(analysis_new(&setup, &talk->analysis, err));
}

static inline void talk_end(Talk *talk) {
    atomic_store(&talk->net.gate, false);
    analysis_leave(talk->analysis, &talk->client);
    analysis_free(talk->analysis);
    json_decref(talk->answers);
    pthread_mutex_destroy(&talk->lock);
}

static inline void talk_say(Talk *talk, const char *line) {
    analysis_line(talk->analysis, &talk->client, line);
}

static inline int talk_count(Talk *talk) {
    pthread_mutex_lock(&talk->lock);
    int count = (int)json_array_size(talk->answers);
    pthread_mutex_unlock(&talk->lock);
    return count;
}

static inline void talk_forget(Talk *talk) {
    pthread_mutex_lock(&talk->lock);
    json_array_clear(talk->answers);
    pthread_mutex_unlock(&talk->lock);
}

static inline void talk_wait(Talk *talk) {
    EXPECT_OK(analysis_wait(talk->analysis, &talk->client, err));
}

/* Sends a line and returns its answers. Earlier answers are dropped. */
static inline const json_t *talk_ask(Talk *talk, const char *line) {
    talk_forget(talk);
    talk_say(talk, line);
    talk_wait(talk);
    return talk->answers;
}

/* Returns a query on 5x5 with these members added. */
static inline const char *query_with(const char *members) {
    static char line[1 << 16];
    snprintf(line, sizeof line,
             "{\"id\":\"q\",\"boardXSize\":5,\"boardYSize\":5,\"rules\":\"chinese\",\"komi\":7.5,"
             "\"moves\":[]%s%s}",
             *members ? "," : "", members);
    return line;
}

/* Sends the query `line` and returns its only answer. */
static inline const json_t *talk_answer(Talk *talk, const char *line) {
    const json_t *answers = talk_ask(talk, line);
    if (json_array_size(answers) != 1) {
        char *text = json_dumps(answers, 0);
        fail_msg("%s: %d answers: %.500s", line, (int)json_array_size(answers), text);
    }
    return json_array_get(answers, 0);
}

static inline double real_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (!json_is_real(value)) fail_msg("\"%s\" is no real number", key);
    return json_real_value(value);
}

static inline long long whole_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value)) fail_msg("\"%s\" is no whole number", key);
    return json_integer_value(value);
}

static inline const char *text_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value)) fail_msg("\"%s\" is no text", key);
    return json_string_value(value);
}

static inline const json_t *root_of(const json_t *answer) {
    const json_t *root = json_object_get(answer, "rootInfo");
    if (!root) {
        char *text = json_dumps(answer, 0);
        fail_msg("no rootInfo in %.300s", text);
    }
    return root;
}

static inline const json_t *first_of(const json_t *answer) {
    const json_t *moves = json_object_get(answer, "moveInfos");
    if (!json_array_size(moves)) fail_msg("no moves");
    return json_array_get(moves, 0);
}

/* Members of a query that forbid passes. Then no game ends, and the net evaluates every leaf. */
#define NO_PASS                                                                                    \
    "\"avoidMoves\":[{\"player\":\"B\",\"moves\":[\"pass\"],\"untilDepth\":99},{\"player\":\"W\"," \
    "\"moves\":[\"pass\"],\"untilDepth\":99}]"

static inline const json_t *ask(Talk *talk, const char *members) {
    return talk_answer(talk, query_with(members));
}
