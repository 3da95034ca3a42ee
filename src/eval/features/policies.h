/* policies.h - what the channels of the policy head are. */
#pragma once

/* Our own nets have the first 1, 2, 4, 6 or 8 of these channels, in the order of KataGo's trainer
 * (python/katago/train/model_pytorch.py). KataGo's nets for play have 1, 2 or 4 channels:
 * POLICY_OWN; since version 12 also POLICY_OPTIMISTIC; and, if there are 4, the two values of
 * moves, POLICY_Q_WINLOSS and POLICY_Q_SCORE. */
enum {
    POLICY_OWN,             /* the mover's next move */
    POLICY_REPLY,           /* the opponent's next move */
    POLICY_SOFT,            /* its target: the 4th roots of POLICY_OWN's target, normalised */
    POLICY_SOFT_REPLY,      /* its target: the same roots of POLICY_REPLY's target */
    POLICY_LONG_OPTIMISTIC, /* as POLICY_OWN, learned mainly from games that the mover won or that
                               ended better than the net expected */
    POLICY_OPTIMISTIC,      /* as POLICY_OWN, learned mainly from turns after which the next
                               searches gave a better value or score than the net expected */
    POLICY_Q_WINLOSS,       /* not a policy: its tanh is the mover's win - loss after each move */
    POLICY_Q_SCORE,         /* not a policy: multiplied by ScoreMultipliers.mean, it is the mover's
                               score after each move */
    POLICY_CHANNELS_MAX
};
/* The channels of the outputs "policy" and "pass" of a net. */
typedef struct {
    int count;
    int at[POLICY_CHANNELS_MAX]; /* the channel of each policy; -1 if the net does not have it */
} PolicyChannels;
/* Which channels one of our own nets has: the first 2, 4, 6, 8 or 1. */
typedef enum {
    POLICIES_PLAIN,
    POLICIES_SOFT,
    POLICIES_OPTIMISTIC,
    POLICIES_Q_VALUES,
    POLICIES_MOVE
} Policies;
