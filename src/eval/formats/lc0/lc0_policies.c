#include "eval/formats/lc0/lc0_policies.h"

const Lc0PolicyName LC0_POLICY_NAMES[LC0_POLICY_COUNT] = {
    [POLICY_OWN] = {"vanilla", false},
    [POLICY_REPLY] = {"opponent", false},
    [POLICY_SOFT] = {"soft", false},
    [POLICY_SOFT_REPLY] = {"soft_opponent", true},
    [POLICY_LONG_OPTIMISTIC] = {"optimistic_long", true},
    [POLICY_OPTIMISTIC] = {"optimistic_st", false},
};
