/* One net for all sizes: a board in a larger buffer is evaluated as in its own, whatever the
 * weights, size, architecture and symmetry. */
#include "eval/arch/arch.h"
#include "eval/net_sizes.h"

/* Every weight moved, so that no zero of the start hides a leak over the board's edge. */
static Net *make_net(const char *words) {
    Rng rng = rng_seeded(5);
    Net *net = NULL;
    EXPECT_OK(arch_build_text(words, &rng, &net, err));
    const Program *program = net_program(net);
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        float *values = net_values(net, i);
        for (size_t k = 0; k < spec->count && spec->trained; k++)
            values[k] += 0.1f * (float)(rng_uniform(&rng) - 0.5);
    }
    return net;
}

static void compare(const char *words) {
    Net *net = make_net(words);
    expect_sizes_alike(net);
    net_free(net);
}

TEST(fixup_nets_see_only_the_board) {
    compare("b3c16-fixup");
}

TEST(batch_norm_nets_see_only_the_board) {
    compare("b3c16-batch-mish");
}

TEST_MAIN(RUN(fixup_nets_see_only_the_board), RUN(batch_norm_nets_see_only_the_board))
