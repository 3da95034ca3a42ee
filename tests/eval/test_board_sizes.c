/* A net evaluates a board in a larger buffer as in a buffer of the board's size, for boards of
 * several sizes, several symmetries, and two kinds of norm. */
#include "eval/arch/arch.h"
#include "eval/net_sizes.h"

/* Makes a net and adds a random number to every trained weight. Weights that start at 0 could hide
 * an influence of what is off the board. */
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

TEST(fixup_nets_do_not_depend_on_the_buffer) {
    compare("b3c16-fixup");
}

TEST(batch_norm_nets_do_not_depend_on_the_buffer) {
    compare("b3c16-batch-mish");
}

TEST_MAIN(RUN(fixup_nets_do_not_depend_on_the_buffer),
          RUN(batch_norm_nets_do_not_depend_on_the_buffer))
