/* Compares features of versions 3 to 7 with those that KataGo computed for the golden positions. */
#include "eval/features/features.h"
#include "eval/golden_position.h"

static FeatureOptions read_options(const json_t *row) {
    const json_t *params = json_object_get(row, "nnParams");
    FeatureOptions options = FEATURE_OPTIONS_DEFAULT;
    options.draw_equivalent_wins_for_white =
        (float)json_number_value(json_object_get(params, "drawEquivalentWinsForWhite"));
    options.playout_doubling_advantage =
        (float)json_number_value(json_object_get(params, "playoutDoublingAdvantage"));
    options.conservative_pass = json_is_true(json_object_get(params, "conservativePassAndIsRoot"));
    options.passing_hacks = json_is_true(json_object_get(params, "enablePassingHacks"));
    json_int_t history = json_integer_value(json_object_get(params, "maxHistory"));
    options.history_moves = history > 5 ? 5 : (int)history;
    return options;
}

typedef struct {
    int rows, versions;
} Counts;

static void expect_plane(const char *id, const char *wanted, int plane, int planes,
                         const float *values, const Board *board) {
    char found[4096] = "";
    size_t used = 0;
    for (int i = 0; i < board->width * board->height; i++) {
        if (values[i * planes + plane] == 0) continue;
        used += (size_t)snprintf(
            found + used, sizeof found - used, "%s%s", used ? " " : "",
            point_text(move_at_index(i, board->width, board->height), board->height).text);
    }
    if (strcmp(wanted, found) != 0)
        fail_msg("%s: plane %d of %d is \"%s\", wanted \"%s\"", id, plane, planes, found, wanted);
}

static void expect_version(const json_t *row, const json_t *wanted, int version,
                           const Position *position) {
    static float planes[BOARD_POINTS_MAX * FEATURE_PLANES];
    float globals[FEATURE_GLOBALS];
    const char *id = golden_text(row, "id");
    FeatureOptions options = read_options(row);
    options.version = version;
    int plane_count = feature_planes(version), global_count = feature_globals(version);
    features_encode(position, &options, 0, position->board.width, position->board.height, planes,
                    globals);
    for (int plane = 1; plane < plane_count; plane++) {
        char key[12];
        snprintf(key, sizeof key, "%d", plane);
        expect_plane(id, golden_text(json_object_get(wanted, "spatial"), key), plane, plane_count,
                     planes, &position->board);
    }
    const json_t *values = json_object_get(wanted, "global");
    EXPECT_INT(global_count, json_array_size(values));
    for (int i = 0; i < global_count; i++) {
        double value = json_number_value(json_array_get(values, (size_t)i));
        if (fabs(value - (double)globals[i]) > 1e-6)
            fail_msg("%s: version %d, global %d is %g, wanted %g", id, version, i,
                     (double)globals[i], value);
    }
}

static void expect_row(const json_t *row, void *context) {
    Counts *counts = context;
    Position position;
    Rules rules = golden_rules(row);
    golden_position(row, &rules,
                    *golden_text(row, "initialPlayer") == 'W' ? COLOR_WHITE : COLOR_BLACK,
                    &position);
    for (int version = 3; version <= 7; version++) {
        char key[16];
        snprintf(key, sizeof key, "V%d", version);
        const json_t *wanted = json_object_get(json_object_get(row, "features"), key);
        if (!wanted) continue;
        expect_version(row, wanted, version, &position);
        counts->versions++;
    }
    counts->rows++;
    position_clear(&position);
}

TEST(rows_have_katagos_features) {
    Counts counts = {0};
    golden_rows("features/features.jsonl", expect_row, &counts);
    EXPECT_TRUE(counts.versions > 0);
    print_message("%d rows, which have features of %d versions in all\n", counts.rows,
                  counts.versions);
}

TEST_MAIN(RUN(rows_have_katagos_features))
