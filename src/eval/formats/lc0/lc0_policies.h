/* lc0_policies.h - under which names the policies of Aji's nets (eval/features/policies.h) stand in
 * net files of lc0. Immutable. */
#pragma once
#include "eval/features/policies.h"
#include <stdbool.h>

typedef struct {
    /* the name of a message in "weights.policy_heads" or, with `mapped`, the key of an entry in
     * "weights.policy_heads.policy_head_map" */
    const char *name;
    bool mapped;
} Lc0PolicyName;
/* Policies after the last of these have no name: they are no policies but values of moves. */
enum { LC0_POLICY_COUNT = POLICY_OPTIMISTIC + 1 };
extern const Lc0PolicyName LC0_POLICY_NAMES[LC0_POLICY_COUNT];
