/* KataGo's convolution net in bf16 and in int8 must agree with f32 as precision_passes() demands.
 * This is checked on golden positions of all sizes and rules. Int8 with Winograd may differ more.
 * Every other position is used to calibrate int8, and the rest to compare. */
#include "eval/formats/net_file.h"
#include "eval/golden_position.h"
#include "eval/precision/precision_report.h"
#include "eval/precision/quantize.h"

enum { MAX = 400 };

static Position all[MAX];
static const Position *steps[MAX], *report[MAX];

static void read_position(const json_t *row, void *context) {
    int *count = context;
    if (*count == MAX) return;
    Rules rules = golden_rules(row);
    golden_position(row, &rules, golden_first_mover(row), &all[(*count)++]);
}

TEST(bf16_and_int8_are_near_f32) {
    const char *file = "g170-b6c96-s175395328-d26788732.bin.gz";
    Path path;
    int layers, count = 0, step_count = 0, report_count = 0;
    if (!katago_net(file, &path)) NO_KATAGO_NET(file);
    golden_rows("nn/positions.jsonl", read_position, &count);
    for (int i = 0; i < count; i++) {
        if (i % 2)
            report[report_count++] = &all[i];
        else
            steps[step_count++] = &all[i];
    }
    Net *net;
    EXPECT_OK(net_file_load(path.text, &net, err));
    for (int k = 0; k < 3; k++) {
        const QuantizeCall call = {steps, step_count, NULL, 1, k == 2, false, 0, NULL};
        Precision p = k ? PRECISION_INT8 : PRECISION_BF16;
        if (k) EXPECT_OK(quantize_net(net, &call, &layers, err));
        Comparison measured;
        const PrecisionCall compare = {report, report_count, NULL, NULL};
        EXPECT_OK(precision_compare(net, p, &compare, &measured, err));
        double policy = differences_mean(&measured.policy_distance);
        print_message("%s: %lld of %lld moves, policy %.4f, win rate %.4f, lead %.3f\n",
                      precision_name(p), (long long)measured.clear_same_top,
                      (long long)measured.clear, policy, differences_mean(&measured.winrate),
                      differences_mean(&measured.lead));
        if (k == 2)
            EXPECT_TRUE(policy < 0.1); /* int8 with Winograd need not pass */
        else
            EXPECT_TRUE(precision_passes(p, &measured));
    }
    net_free(net);
    for (int i = 0; i < count; i++)
        position_clear(&all[i]);
}

TEST_MAIN(RUN(bf16_and_int8_are_near_f32))
