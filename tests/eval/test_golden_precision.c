/* Trained nets in bf16 and in int8 must agree with f32. KataGo's convolution net must agree as
 * precision_passes() demands, on golden positions of all sizes and rules; int8 with Winograd may
 * differ more. The net nets/9x9-b5c48.aji must stay within bounds of about twice its errors
 * when this test was written, on golden positions of 9x9 and on positions of its own games. Every
 * other position is used to calibrate int8, and the rest to compare. */
#include "eval/formats/net_file.h"
#include "eval/golden_position.h"
#include "eval/precision/int4_weights.h"
#include "eval/precision/precision_report.h"
#include "eval/precision/quantize.h"
#include "eval/precision/sample_positions.h"
#include "nn/graph/packed_weights.h"
#include "nn/learn/mask_2_4.h"

enum { MAX = 400, SAMPLED = 96 };

/* What is measured: bf16, int8 with direct convolutions, and int8 with Winograd. */
enum { BF16, DIRECT, WINOGRAD, FORMS };

static Position all[MAX];
static const Position *steps[MAX], *report[MAX];

typedef struct {
    int side; /* only positions on boards of this side are read; 0: all */
    int count;
} Reading;

static void read_position(const json_t *row, void *context) {
    Reading *reading = context;
    bool wanted = !reading->side || (golden_number(row, "xSize", 0) == reading->side &&
                                     golden_number(row, "ySize", 0) == reading->side);
    if (!wanted || reading->count == MAX) return;
    Rules rules = golden_rules(row);
    golden_position(row, &rules, golden_first_mover(row), &all[reading->count++]);
}

/* Splits the positions into those for the calibration and those for the comparison. */
static int split(int count) {
    for (int i = 0; i < count; i++)
        *(i % 2 ? &report[i / 2] : &steps[i / 2]) = &all[i];
    return count / 2;
}

static void print(const char *name, const Comparison *measured) {
    print_message("%s: %lld of %lld moves, policy %.4f, win rate %.4f, lead %.3f\n", name,
                  (long long)measured->clear_same_top, (long long)measured->clear,
                  differences_mean(&measured->policy_distance),
                  differences_mean(&measured->winrate), differences_mean(&measured->lead));
}

/* Compares one form of the net with f32, on half of the positions. */
static Comparison measure(Net *net, int form, int count) {
    int layers, report_count = split(count), step_count = count - report_count;
    Comparison measured;
    Precision precision = form == BF16 ? PRECISION_BF16 : PRECISION_INT8;
    const QuantizeCall call = {
        .positions = steps, .position_count = step_count, .seed = 1, .winograd = form == WINOGRAD};
    const PrecisionCall compare = {report, report_count, NULL, NULL};
    if (form != BF16) EXPECT_OK(quantize_net(net, &call, &layers, err));
    EXPECT_OK(precision_compare(net, precision, &compare, &measured, err));
    print(precision_name(precision), &measured);
    return measured;
}

static void clear_positions(int count) {
    for (int i = 0; i < count; i++)
        position_clear(&all[i]);
}

TEST(bf16_and_int8_are_near_f32) {
    const char *file = "g170-b6c96-s175395328-d26788732.bin.gz";
    Path path;
    Reading reading = {0};
    Net *net;
    if (!katago_net(file, &path)) NO_KATAGO_NET(file);
    golden_rows("nn/positions.jsonl", read_position, &reading);
    EXPECT_OK(net_file_load(path.text, &net, err));
    for (int form = 0; form < FORMS; form++) {
        Comparison measured = measure(net, form, reading.count);
        if (form == WINOGRAD)
            EXPECT_TRUE(differences_mean(&measured.policy_distance) < 0.1);
        else
            EXPECT_TRUE(
                precision_passes(form == BF16 ? PRECISION_BF16 : PRECISION_INT8, &measured));
    }
    net_free(net);
    clear_positions(reading.count);
}

/* Reads the golden positions of 9x9, and adds some from games of the net. Returns their number. */
static int positions_of_9x9(const Net *net) {
    const SampleCall sample = {.size = 9, .count = SAMPLED, .seed = 2};
    Reading reading = {.side = 9};
    golden_rows("nn/positions.jsonl", read_position, &reading);
    EXPECT_TRUE(reading.count == 37 && reading.count + SAMPLED <= MAX);
    EXPECT_OK(sample_positions(net, &sample, all + reading.count, err));
    return reading.count + SAMPLED;
}

TEST(the_net_for_9x9_stays_as_near_to_f32_as_it_was) {
    static const struct {
        double others, policy, winrate; /* others: clear positions with another best move */
    } BOUNDS[FORMS] = {{1, 0.004, 0.002}, {1, 0.016, 0.007}, {1, 0.016, 0.007}};
    Net *net;
    EXPECT_OK(net_file_load("nets/9x9-b5c48.aji", &net, err));
    int count = positions_of_9x9(net);
    for (int form = 0; form < FORMS; form++) {
        Comparison measured = measure(net, form, count);
        EXPECT_TRUE((double)(measured.clear - measured.clear_same_top) <= BOUNDS[form].others);
        EXPECT_TRUE(differences_mean(&measured.policy_distance) < BOUNDS[form].policy);
        EXPECT_TRUE(differences_mean(&measured.winrate) < BOUNDS[form].winrate);
    }
    net_free(net);
    clear_positions(count);
}

/* Leaves two of each four weights of the blocks, as at the start of a training with 2:4. */
static void prune_blocks(Net *net) {
    for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
        const ParameterSpec *spec = program_parameter(net_program(net), p);
        if (strncmp(spec->name, "block", 5) == 0 &&
            packed_form_suits(spec, (PackedForm){PACKED_FORM_2_4, 0}))
            mask_2_4_prune(spec->count, net_values(net, p));
    }
}

/* Weights in int4, and half of the weights, without any further training. The errors are large; the
 * bounds are about one and a half times of what they were. */
TEST(rounded_weights_of_the_net_for_9x9_err_as_they_did) {
    enum { INT4_32, INT4_64, SPARSE, ROUNDINGS };
    static const char *const NAMES[ROUNDINGS] = {"int4/32", "int4/64", "2:4"};
    static const struct {
        double agreed, policy, winrate;
    } BOUNDS[ROUNDINGS] = {{0.9, 0.12, 0.1}, {0.9, 0.12, 0.1}, {0.5, 0.35, 0.18}};
    Net *net, *rounded;
    int layers;
    EXPECT_OK(net_file_load("nets/9x9-b5c48.aji", &net, err));
    int count = positions_of_9x9(net);
    const PrecisionCall call = {.positions = report, .count = split(count)};
    for (int i = 0; i < ROUNDINGS; i++) {
        Comparison measured;
        EXPECT_OK(net_copy(net, &rounded, err));
        if (i == SPARSE)
            prune_blocks(rounded);
        else
            EXPECT_OK(int4_round_net(rounded, i == INT4_32 ? 32 : 64, &layers, err));
        EXPECT_OK(precision_compare_nets(net, rounded, PRECISION_F32, &call, &measured, err));
        print(NAMES[i], &measured);
        EXPECT_TRUE(comparison_agreement(&measured) > BOUNDS[i].agreed);
        EXPECT_TRUE(differences_mean(&measured.policy_distance) < BOUNDS[i].policy);
        EXPECT_TRUE(differences_mean(&measured.winrate) < BOUNDS[i].winrate);
        net_free(rounded);
    }
    net_free(net);
    clear_positions(count);
}

TEST_MAIN(RUN(bf16_and_int8_are_near_f32), RUN(the_net_for_9x9_stays_as_near_to_f32_as_it_was),
          RUN(rounded_weights_of_the_net_for_9x9_err_as_they_did))
