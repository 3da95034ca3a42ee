/* The options that a search gives to its evaluator besides positions: playout doubling advantage,
 * policy optimism, and means over symmetries. */
#include "search/made_up.h"
#include "search/tree/search_presets.h"

enum { SEEN_MAX = 400, CORNER = 24 };

/* An evaluator that records the options of requests. If a request has the optimism `special`, the
 * evaluator gives the last corner of 5x5 the prior 0.5. */
typedef struct {
    Evaluator base;
    MadeUp made;
    float special;
    int count;
    EvaluationOptions options[SEEN_MAX];
    Color movers[SEEN_MAX];
    uint64_t hashes[SEEN_MAX];
} Recorder;

static Status record(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                     Evaluation *out, Error *err) {
    Recorder *recorder = (Recorder *)evaluator;
    (void)err;
    for (int i = 0; i < count; i++) {
        const Position *position = requests[i].position;
        int area = position->board.width * position->board.height;
        made_up_one(&recorder->made, position, &out[i]);
        if (requests[i].options.policy_optimism == recorder->special) {
            for (int k = 0; k <= area; k++)
                if (out[i].policy[k] > 0) out[i].policy[k] *= 0.5f / (1 - out[i].policy[CORNER]);
            out[i].policy[CORNER] = 0.5f;
        }
        assert_true(recorder->count < SEEN_MAX);
        recorder->options[recorder->count] = requests[i].options;
        recorder->movers[recorder->count] = position->mover;
        recorder->hashes[recorder->count++] = position_state_hash(position);
    }
    return OK;
}

static const EvaluatorClass RECORDER = {"recorder", record, NULL};

static Recorder recorder_made(void) {
    return (Recorder){
        .base = {&RECORDER, 1, 0, false}, .made = made_up(1, point_at(2, 2)), .special = -1};
}

static SearchSettings settings_with(float advantage, float root, float below) {
    SearchSettings settings;
    search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    settings.tree_memory_mb = 16;
    settings.playout_doubling_advantage = (double)advantage;
    settings.root_policy_optimism = (double)root;
    settings.policy_optimism = (double)below;
    return settings;
}

TEST(the_advantage_is_of_the_side_at_the_root) {
    static const struct {
        Color mover;
        float setting, white;
    } CASES[] = {{COLOR_BLACK, 1.5f, -1.5f}, {COLOR_WHITE, 1.5f, 1.5f}, {COLOR_WHITE, -2, -2}};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        SearchSettings settings = settings_with(CASES[k].setting, 0.25f, 0.75f);
        Recorder recorder = recorder_made();
        Position position =
            position_made(".....\n.....\n.....\n.....\n.....", 5, CASES[k].mover, 1);
        Search *search = search_of(&settings, 1, position);
        run_visits(search, &recorder.base, 40);
        EXPECT_INT(40, recorder.count);
        int other = 0;
        for (int i = 0; i < recorder.count; i++) {
            EXPECT_NEAR(CASES[k].white, recorder.options[i].white_doublings, 0);
            EXPECT_NEAR(i ? 0.75 : 0.25, recorder.options[i].policy_optimism, 0);
            other += recorder.movers[i] != CASES[k].mover;
        }
        EXPECT_TRUE(other > 5); /* positions of both movers had the same white_doublings */
        search_free(search);
    }
}

/* The advantage may belong to Black, to White, or to the player to move at the root. */
TEST(the_advantage_of_a_color) {
    static const struct {
        Color mover;
        DoublingPlayer player;
        float white;
    } CASES[] = {{COLOR_BLACK, DOUBLING_OF_BLACK, -1.5f},
                 {COLOR_WHITE, DOUBLING_OF_BLACK, -1.5f},
                 {COLOR_BLACK, DOUBLING_OF_WHITE, 1.5f},
                 {COLOR_WHITE, DOUBLING_OF_WHITE, 1.5f},
                 {COLOR_BLACK, DOUBLING_OF_MOVER, -1.5f}};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        SearchSettings settings = settings_with(1.5f, 0, 0);
        settings.playout_doubling_player = CASES[k].player;
        EXPECT_NEAR(CASES[k].white,
                    search_settings_options(&settings, CASES[k].mover, false).white_doublings, 0);
    }
}

TEST(the_history_of_a_search_has_a_weight) {
    SearchSettings settings = settings_with(0, 0, 0);
    for (int root = 0; root < 2; root++) {
        settings.history_weight = 1; /* the default */
        EXPECT_NEAR(0, search_settings_options(&settings, COLOR_BLACK, root).history_hidden, 0);
        settings.history_weight = 0.75;
        EXPECT_NEAR(0.25, search_settings_options(&settings, COLOR_BLACK, root).history_hidden, 0);
    }
    settings_defaults(SEARCH_FIELDS, &settings);
    EXPECT_NEAR(1, settings.history_weight, 0);
}

/* Searches 30 visits with the advantage `before`, plays a move, sets the advantage `after`, and
 * returns how many visits the next search begins with. */
static int64_t kept_with(float before, float after) {
    SearchSettings settings = settings_with(before, 0, 0);
    Recorder recorder = recorder_made();
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    run_visits(search, &recorder.base, 30);
    Report *report = report_of_search(search);
    EXPECT_OK(search_play(search, report->moves[0].point, true, err));
    free(report);
    settings.playout_doubling_advantage = (double)after;
    EXPECT_OK(search_set_settings(search, &settings, err));
    search_begin(search, &(SearchLimits){.visits = 100});
    int64_t kept = search_root_visits(search);
    search_free(search);
    return kept;
}

TEST(a_tree_of_another_advantage_is_cleared) {
    int64_t kept = kept_with(0, 0);
    EXPECT_TRUE(kept > 3);
    /* 1 for Black, who moves first, and -1 for White, who moves next, are the same advantage. */
    EXPECT_INT(kept, kept_with(1, -1));
    EXPECT_INT(0, kept_with(1, 1));
    EXPECT_INT(0, kept_with(0, 0.5f));
    EXPECT_INT(0, kept_with(0.5f, 0));
}

TEST(a_tree_of_another_optimism_is_cleared) {
    for (int which = 0; which < 2; which++) {
        SearchSettings settings = settings_with(0, 0.5f, 0.5f);
        Recorder recorder = recorder_made();
        Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
        run_visits(search, &recorder.base, 30);
        *(which ? &settings.root_policy_optimism : &settings.policy_optimism) = 1;
        EXPECT_OK(search_set_settings(search, &settings, err));
        EXPECT_INT(0, search_root_visits(search));
        search_free(search);
    }
}

/* Only the root is evaluated as a mean over symmetries. A kept node that becomes the root is
 * evaluated again, once. The root is also evaluated again when the setting changes. */
TEST(the_root_is_averaged_over_its_symmetries) {
    SearchSettings settings = settings_with(0, 0, 0);
    settings.root_symmetries = 4;
    Recorder recorder = recorder_made();
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    run_visits(search, &recorder.base, 60);
    EXPECT_INT(60, recorder.count);
    for (int i = 0; i < 60; i++)
        EXPECT_INT(i ? 0 : 4, recorder.options[i].symmetries);
    Report *report = report_of_search(search);
    EXPECT_OK(search_play(search, report->moves[0].point, true, err));
    free(report);
    int64_t kept = search_root_visits(search);
    EXPECT_TRUE(kept > 3);
    run_visits(search, &recorder.base, kept + 10);
    EXPECT_INT(60 + 1 + 10, recorder.count);
    EXPECT_INT(4, recorder.options[60].symmetries);
    EXPECT_INT(0, recorder.options[61].symmetries);
    settings.root_symmetries = 8;
    EXPECT_OK(search_set_settings(search, &settings, err));
    run_visits(search, &recorder.base, kept + 20);
    EXPECT_INT(71 + 1 + 10, recorder.count);
    EXPECT_INT(8, recorder.options[71].symmetries);
    EXPECT_INT(kept + 20, search_root_visits(search));
    run_visits(search, &recorder.base, kept + 60);
    report = report_of_search(search);
    EXPECT_OK(search_play(search, report->moves[0].point, true, err));
    free(report);
    settings.root_symmetries = 1; /* now a kept node need not be evaluated again */
    EXPECT_OK(search_set_settings(search, &settings, err));
    kept = search_root_visits(search);
    EXPECT_TRUE(kept > 1);
    run_visits(search, &recorder.base, kept + 10);
    EXPECT_INT(82 + 40 + 10, recorder.count);
    search_free(search);
}

/* If the root has another optimism than inner nodes, a node that becomes the root is evaluated
 * again for its policy. Its visits and those of its subtree stay. */
TEST(a_kept_root_of_another_optimism_is_evaluated_again) {
    for (int differs = 0; differs < 2; differs++) {
        SearchSettings settings = settings_with(0, differs ? 0.25f : 0.75f, 0.75f);
        Recorder recorder = recorder_made();
        recorder.made.ownership = true;
        recorder.special = 0.25f;
        Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
        run_visits(search, &recorder.base, 60);
        Report *report = report_of_search(search);
        EXPECT_OK(search_play(search, report->moves[0].point, true, err));
        int64_t kept = search_root_visits(search);
        int before = recorder.count;
        EXPECT_TRUE(kept > 3);
        run_visits(search, &recorder.base, kept + 20);
        EXPECT_INT(kept + 20, search_root_visits(search));
        EXPECT_INT(before + 20 + differs, recorder.count);
        uint64_t root = position_state_hash(search_position(search));
        EXPECT_INT(differs, recorder.hashes[before] == root);
        EXPECT_NEAR(differs ? 0.25 : 0.75, recorder.options[before].policy_optimism, 0);
        EXPECT_NEAR(0.75, recorder.options[before + 1].policy_optimism, 0);
        search_report(search, report);
        EXPECT_NEAR(differs ? 0.5 : 1.0 / 25, report->raw_policy[CORNER], 1e-2);
        EXPECT_INT(differs, report->has_ownership);
        run_visits(search, &recorder.base, kept + 30); /* the root is not evaluated again */
        EXPECT_INT(before + 30 + differs, recorder.count);
        free(report);
        search_free(search);
    }
}

TEST_MAIN(RUN(the_advantage_is_of_the_side_at_the_root), RUN(the_advantage_of_a_color),
          RUN(the_history_of_a_search_has_a_weight), RUN(a_tree_of_another_advantage_is_cleared),
          RUN(a_tree_of_another_optimism_is_cleared), RUN(the_root_is_averaged_over_its_symmetries),
          RUN(a_kept_root_of_another_optimism_is_evaluated_again))
