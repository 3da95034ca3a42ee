/* policies.h - what the channels of the policy head are. */
#pragma once

/* Our own nets have the first 2, 4, 6 or 8 of these channels, in the order of KataGo's trainer
 * (python/katago/train/model_pytorch.py). KataGo's nets for play have 1, 2 or 4 channels: the own
 * policy; since version 12 also the optimistic one; and, if there are 4, the two values of
 * moves. */
enum {
    POLICY_OWN,             /* the mover's next move */
    POLICY_REPLY,           /* the opponent's next move */
    POLICY_SOFT,            /* own, flattened: its target is the 4th root of the usual one */
    POLICY_SOFT_REPLY,      /* reply, flattened likewise */
    POLICY_LONG_OPTIMISTIC, /* own, for games that end better than the net expected */
    POLICY_OPTIMISTIC, /* own, for turns after which searches find more than the net expected */
    POLICY_Q_WINLOSS,  /* not a policy: win - loss after each own move, before tanh */
    POLICY_Q_SCORE,    /* the score after each own move, before the multiplier of the mean score */
    POLICY_CHANNELS_MAX
};
/* The channels of the outputs "policy" and "pass" of a net. */
typedef struct {
    int count;
    int at[POLICY_CHANNELS_MAX]; /* the channel of each policy; -1 if the net does not have it */
} PolicyChannels;
/* Which channels a net has: the first 2, 4, 6 or 8. */
typedef enum { POLICIES_PLAIN, POLICIES_SOFT, POLICIES_OPTIMISTIC, POLICIES_Q_VALUES } Policies;
