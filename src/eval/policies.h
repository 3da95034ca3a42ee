/* policies.h - the policies that the policy head gives, as channels. */
#pragma once

/* P is 2, 4, 6 or 8 in our own nets, in the order of KataGo's trainer (python/katago/train/
 * model_pytorch.py). Its nets for play have 1, 2 or 4: the own policy is the first, from version 12
 * the optimistic one is the second, and of 4 the last two are the values of moves. */
enum {
    POLICY_OWN,
    POLICY_REPLY, /* the opponent's next move */
    POLICY_SOFT,  /* own, flattened: the 4th root of the target */
    POLICY_SOFT_REPLY,
    POLICY_LONG_OPTIMISTIC, /* own, where the game ends better than the net expected */
    POLICY_OPTIMISTIC,      /* own, where the next searches find more than the net expected */
    POLICY_Q_WINLOSS,       /* no policy: win - loss after each own move, before tanh */
    POLICY_Q_SCORE,         /* the same of the score, before the multiplier of the score's mean */
    POLICY_CHANNELS_MAX
};
/* Which policies a net has: 2, 4, 6 or 8 of them. */
typedef enum { POLICIES_PLAIN, POLICIES_SOFT, POLICIES_OPTIMISTIC, POLICIES_Q_VALUES } Policies;
