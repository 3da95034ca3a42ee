/* heads.h - the heads of nets as one table. The table has the name and the shape of each head,
 * which nets have it, and how it is built. heads_build() adds heads to a net; heads_find() finds
 * them in a net. CONTRIBUTING.md says how to add a head.
 * Threading: immutable table; free functions. */
#pragma once
#include "eval/arch/arch_source.h"
#include "eval/arch/blocks/net_builder.h"
#include "eval/features/model_format.h"
#include "eval/features/policies.h"
#include "nn/graph/net.h"

/* The heads, in the order in which they are built. Their outputs are raw: the softmax, softplus or
 * tanh that belongs to them is not yet applied. HEAD_SCORE_DISTRIBUTION and all later heads are
 * optional: a net has such a head if its description names the head, or if another setting asks for
 * the head (`switched` in HEADS). */
typedef enum {
    HEAD_POLICY, /* logits of the policies (policies.h), for each point */
    HEAD_PASS,   /* logits of the same policies for the pass; arch.pass may leave it out */
    HEAD_VALUE,  /* logits of win, loss and no result */
    /* Mean of the score, its standard deviation, lead, turns until the values settle, short-term
     * error of win - loss, short-term error of the score. KataGo's older nets have the first 1, 2
     * or 4 of these. */
    HEAD_SCORE,
    HEAD_OWNERSHIP, /* tanh gives the ownership of each point */
    /* Logits of the bins; bin i stands for the mover's score i - 421 + 0.5. If several
     * distributions are mixed, the outputs are the logarithms of the probabilities of the
     * mixture. */
    HEAD_SCORE_DISTRIBUTION,
    /* The next five heads are auxiliary: they only help to train the trunk. With arch.auxiliary a
     * net has all five. HEAD_SEARCH_VALUES is from p3achygo; the other four are KataGo's
     * (python/katago/train/model_pytorch.py). */
    /* The results of later searches of the game, averaged over three horizons: logits of win, loss
     * and no result for each horizon, then the three scores. */
    HEAD_TD,
    /* The distribution of win - loss over the visits of this turn's search: logits of VALUE_BUCKETS
     * equal parts of the interval from -1 to 1. */
    HEAD_SEARCH_VALUES,
    HEAD_SCORING, /* what each point counts for the mover at the end, -1 to 1; it has no tanh */
    HEAD_FUTURE,  /* tanh gives the stones in 8 and in 32 turns: 1 the mover's, -1 the opponent's */
    /* Logits of three classes: the point is no seki point, a seki point of the mover, or one of the
     * opponent. A seki point of a side is a point that the side occupies or surrounds at the end,
     * but that counts for neither side. The fourth channel is the logit that nobody owns the point
     * at the end. */
    HEAD_SEKI,
    /* The expected squared errors of HEAD_TD (p3achygo, python/model.py). The first three are the
     * errors of win - loss over the three horizons:
     *     4 * logistic(x)
     * The other three are the errors of the scores, in squared points:
     *     100 * |x| */
    HEAD_TD_ERRORS,
    /* The number of turns to the end of the game, this one included (lczero-training,
     * tfprocess.py):
     *     20 * softplus(x)
     * A search uses it if search.moves_left.max_effect is above 0. */
    HEAD_MOVES_LEFT,
    /* The logits of HEAD_SCORE_DISTRIBUTION are multiplied by softplus(x), where x is this output
     * (Wu 2019, appendix A; p3achygo, python/model.py). The net must have a score distribution, and
     * it must not be a mixture. */
    HEAD_SCORE_SCALE,
    /* Logits that the stone on a point can be captured in a ladder now (GoNN, README, "Ladders").
     * This head is auxiliary too, but arch.auxiliary does not add it. */
    HEAD_LADDERS,
    /* Logits of VALUE_BUCKETS equal parts of win - loss, from -1 to 1: the categorical value of
     * lczero-training (tfprocess.py). It has the same target as HEAD_SEARCH_VALUES, but evaluators
     * compute it, so that it can be shown. */
    HEAD_VALUE_BUCKETS,
    /* Logits of the points on which the moves 2, 3, 4 and 5 turns after this one are played. (Wu
     * 2019, section 4.2, has the move of the next turn, which is our POLICY_REPLY.) This head is
     * auxiliary too, but arch.auxiliary does not add it. */
    HEAD_LATER_MOVES,
    /* The expected squared changes of the root's utility in a search of this position: from 1 to 4,
     * 4 to 16, 16 to 64 and 64 to 256 visits. Wu 2019 calls them root variance (appendices A and
     * B):
     *     softplus(x)
     * No search uses this head, but evaluators compute it, so that it can be shown. */
    HEAD_ROOT_VARIANCE,
    /* The squared error that the net expects of its win - loss (lczero-training, tfprocess.py):
     *     logistic(x)
     * The error is the difference from what a search of this position finds. If
     * objective.value_error_q is below 1, the result of the game counts too. The output cannot
     * exceed 1, so errors above 1 look like 1. */
    HEAD_VALUE_ERROR,
    /* Logits of whose stone comes to stand on a point next: the mover's, the opponent's or nobody's
     * (NextOccupant in data/rows/row_points.h; the idea is lczero-training's). This head and those
     * after it are auxiliary too, but arch.auxiliary does not add them. */
    HEAD_NEXT_OCCUPANT,
    /* Logits of how long the stone on a point stays on the board, on a scale from 0 to 1
     * (loss_time_on_board.c; the idea is lczero-training's). */
    HEAD_TIME_ON_BOARD,
    /* A key and an offset for each point. For two points they give the logit that stones of one
     * chain stand on both at the end of the game (loss_same_chain.c). It takes the place of the
     * targets of pairs of squares that the README of lczero-training proposes. */
    HEAD_SAME_CHAIN,
    HEAD_COUNT
} HeadId;

#define TD_HORIZONS 3 /* long, middle, short */
#define TD_CHANNELS 12
#define TD_ERRORS 6
#define FUTURE_CHANNELS 2
#define SEKI_CHANNELS 4
#define VALUE_BUCKETS 51
#define LATER_MOVES_CHANNELS 4
#define ROOT_VARIANCE_CHANNELS 4
#define NEXT_OCCUPANT_CHANNELS 3
#define SAME_CHAIN_KEYS 16
#define SAME_CHAIN_CHANNELS (SAME_CHAIN_KEYS + 1) /* the offset is the last */
#define SCORE_BINS 842
#define SCORE_BINS_HALF 421

/* The score multipliers (model_format.h) of our own nets. */
#define SCORE_MULTIPLIERS (MODEL_FORMAT_DEFAULT.score)

/* The layers that several heads share. Each is built when a head first needs it. */
typedef struct HeadParts HeadParts;

typedef enum {
    HEAD_ALWAYS,   /* every net has it */
    HEAD_USUAL,    /* a net has it unless its list of heads or arch.pass leaves it out */
    HEAD_OPTIONAL, /* a net may have it */
} HeadNeed;

typedef struct {
    const char *name;
    ValueKind kind;
    int channels; /* 0 means one for each policy of the net */
    int rows;     /* of a KIND_LIST value */
    HeadNeed need;
    bool played; /* whether evaluators compute the head, for play or to show it */
    /* Returns whether a net with these settings has the head although the setting `heads` does not
     * name it. NULL: only that setting gives a net this head. */
    bool (*switched)(const ArchSettings *settings);
    Value (*build)(HeadParts *parts);
} Head;
extern const Head HEADS[HEAD_COUNT];

typedef struct {
    int output[HEAD_COUNT];              /* by HeadId: its index among the outputs, -1 if absent */
    int planes, globals, metadata, gonn; /* indices among the inputs, -1 if absent */
    int score_channels;                  /* of HEAD_SCORE */
    PolicyChannels policies;
} HeadIndex;

/* Finds inputs and outputs, and checks their shapes. All nets have the inputs "planes" (spatial, 22
 * channels, of which channel 0 is the mask) and "globals" (vector, 19 channels). With older
 * versions of the features these inputs may have fewer channels (features_version.h). Nets that are
 * conditioned on the players also have the input "metadata" (vector, 192 channels). Nets that read
 * GoNN's planes also have the input "gonn" (spatial, 26 channels, gonn_planes.h).
 * ERR_UNSUPPORTED: an input or output is missing, or its shape differs from the model format's. Any
 * net may lack heads that are HEAD_OPTIONAL; only our own nets may lack heads that are
 * HEAD_USUAL. */
MUST_USE Status heads_find_as(const Program *program, const ModelFormat *model_format,
                              HeadIndex *out, Error *err);
/* Does the same with the model format of our own nets. */
MUST_USE Status heads_find(const Program *program, HeadIndex *out, Error *err);
/* Finds the heads of a net that is to be trained. The net may be one of KataGo's if its version is
 * at least 12. ERR_UNSUPPORTED: its version is older, or heads_find_as() fails. ERR_SYNTAX,
 * ERR_ARGUMENT: the note of its model format is damaged. */
MUST_USE Status heads_find_trained(const Net *net, HeadIndex *out, Error *err);
/* Makes those checks of heads_find_as() that concern the inputs. */
MUST_USE Status heads_check_inputs(const Program *program, const ModelFormat *model_format,
                                   Error *err);

/* Returns the version of KataGo's models that a net with these settings resembles
 * (model_format.h). */
int heads_model_version(const ArchSettings *settings);
/* Returns whether the losses of the net's heads need Batch.boards and Batch.search_values
 * (data/batch.h). */
bool heads_need_boards(const HeadIndex *heads);
/* Returns the same for a net with these settings. */
bool heads_will_need_boards(const ArchSettings *settings);

/* Returns whether `name` is the name of a head that the setting `heads` may list. */
bool head_is_named(const char *name);
/* Returns whether a net with these settings has the head. The setting `heads` adds heads to the
 * usual ones. But if `heads` names the policy, the value, the score or the ownership, it names all
 * heads of the net. Then only arch.auxiliary and arch.td_errors add further heads. */
bool head_is_wanted(HeadId head, const ArchSettings *settings);
/* Checks the settings of heads against each other. Messages tell the place in `source`, the text
 * from which the settings come; `source` may be NULL. ERR_ARGUMENT: `heads` lists a name that no
 * head has; `heads` names all heads, but the policy is missing; a head or a setting
 * needs a head that the net lacks; or settings contradict each other. */
MUST_USE Status heads_check(const ArchSettings *settings, const ArchSource *source, Error *err);
/* Returns how many numbers a head gives for one position. `policy_channels` is the number of
 * channels of the policy, and `cells` the number of points of the buffer that holds a board. */
size_t head_elements(HeadId head, int policy_channels, int cells);

/* Adds every head that the builder's settings ask for. `trunk` is the trunk after its last norm and
 * activation. `globals` is the net's input "globals", from which the score distribution reads the
 * parity of komi. */
void heads_build(NetBuilder *builder, Value trunk, Value globals);
