/* What the kinds of norm are made of. */
#include "eval/arch.h"
#include "eval/net_of_words.h"
#include "test.h"

static Op norm_of(const char *words, bool *gain) {
    Net *net = net_of_words(words, 1);
    const Program *program = net_program(net);
    Op found = {0};
    for (int i = 0; i < program_op_count(program); i++) {
        const Op *op = program_op(program, i);
        if (op->kind != OP_BATCH_NORM) continue;
        found = *op;
        *gain = program_parameter(program, op->parameters[0])->trained;
    }
    net_free(net);
    return found;
}

TEST(batch_norms_are_as_told) {
    bool gain = false;
    Op usual = norm_of("b1c8-batch", &gain);
    EXPECT_NEAR(0.99f, usual.momentum, 0);
    EXPECT_NEAR(1e-4f, usual.epsilon, 0);
    EXPECT_TRUE(gain);
    EXPECT_FALSE(usual.renorm);
    Op theirs = norm_of("b1c8-batch,norm_momentum=0.999,norm_epsilon=1e-3,norm_gain=false", &gain);
    EXPECT_NEAR(0.999f, theirs.momentum, 0);
    EXPECT_NEAR(1e-3f, theirs.epsilon, 0);
    EXPECT_FALSE(gain);
    EXPECT_TRUE(norm_of("b1c8-renorm", &gain).renorm);
    EXPECT_TRUE(gain);
}

TEST_MAIN(RUN(batch_norms_are_as_told))
