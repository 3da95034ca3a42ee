/* bf16 and int8 of KataGo's convolution net on the golden positions, of all their sizes and rules:
 * they agree with f32 as closely as the project asks. */
#include "eval/golden_position.h"
#include "eval/net_file.h"
#include "eval/precision_report.h"
#include "eval/quantize.h"

enum { MOST = 400 };

static Position all[MOST];
static const Position *steps[MOST], *report[MOST];

static void read_position(const json_t *row, void *context) {
    int *count = context;
    if (*count == MOST) return;
    Rules rules = golden_rules(row);
    golden_position(row, &rules, golden_first_mover(row), &all[(*count)++]);
}

static int read_positions(const char *folder) {
    char path[1024];
    int count = 0;
    snprintf(path, sizeof path, "%s/nn/positions.jsonl", folder);
    if (file_exists(path)) golden_lines(path, read_position, &count);
    return count;
}

TEST(precisions_are_near_f32) {
    bool promised;
    const char *folder = golden_folder();
    char path[1024];
    int layers, count, step_count = 0, report_count = 0;
    if (!folder) skip();
    snprintf(path, sizeof path, "%s/g170-b6c96-s175395328-d26788732.bin.gz",
             golden_nets(&promised));
    if (!file_exists(path)) {
        print_message("skipped: no %s\n", path);
        skip();
    }
    count = read_positions(folder);
    if (!count) fail_msg("no positions in %s/nn", folder);
    for (int i = 0; i < count; i++) {
        if (i % 2)
            report[report_count++] = &all[i];
        else
            steps[step_count++] = &all[i];
    }
    Net *net;
    EXPECT_OK(net_file_load(path, &net, err));
    for (int k = 0; k < 3; k++) {
        const QuantizeCall call = {steps, step_count, NULL, 1, k == 2, 0};
        Precision p = k ? PRECISION_INT8 : PRECISION_BF16;
        if (k) EXPECT_OK(quantize_net(net, &call, &layers, err));
        Comparison measured;
        EXPECT_OK(precision_compare(net, p, report, report_count, NULL, &measured, err));
        double policy = differences_mean(&measured.policy_distance);
        print_message("%s: %lld of %lld moves, policy %.4f, win rate %.4f, lead %.3f\n",
                      precision_name(p), (long long)measured.clear_same_top,
                      (long long)measured.clear, policy, differences_mean(&measured.winrate),
                      differences_mean(&measured.lead));
        if (k == 2)
            EXPECT_TRUE(policy < 0.1); /* tiles: taken only where they pass */
        else
            EXPECT_TRUE(precision_passes(p, &measured));
    }
    net_free(net);
    for (int i = 0; i < count; i++)
        position_clear(&all[i]);
}

TEST_MAIN(RUN(precisions_are_near_f32))
