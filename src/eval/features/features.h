/* features.h - KataGo's input features, version 7: 22 planes and 19 globals (Wu 2019, appendix A;
 * KataGo docs), and the features of older nets, versions 3 to 6
 * (cpp/neuralnet/nninputs.cpp). Threading: free functions; a LadderMemory is confined. */
#pragma once
#include "eval/features/features_version.h"
#include "go/ladder_memory.h"
#include "go/position.h"
#include "go/symmetry.h"

typedef struct {
    /* The worth of a draw to White; 0.5: half a win. It shifts the komi that the net reads. */
    float draw_equivalent_wins_for_white;
    float playout_doubling_advantage; /* of the mover, 0: none */
    bool conservative_pass; /* hide the history when a pass would end the game; used at the root */
    /* hide it also when a pass would end the game without a win for the mover (KataGo's
     * enablePassingHacks) */
    bool passing_hacks;
    int history_moves;     /* how many of the last 5 moves may be shown; 5: all */
    int version;           /* of the features, 3 to 7; 0: 7 */
    LadderMemory *ladders; /* borrowed; NULL: ladders are always read anew */
} FeatureOptions;
extern const FeatureOptions FEATURE_OPTIONS_DEFAULT;

/* Encodes a position from the mover's view.
 *   planes:  (buffer_height, buffer_width, feature_planes(version)). The board lies at the top left
 *            of the buffer, before the symmetry, which acts on the buffer. Cells off the board: 0.
 *   globals: (feature_globals(version)) */
void features_encode(const Position *position, const FeatureOptions *options, Symmetry symmetry,
                     int buffer_width, int buffer_height, float *planes, float *globals);
/* The same with planes as bits, for rows of training: bit y * board_width + x of the 6 words of
 * planes[plane] is the point (x, y). Without symmetry. */
void features_encode_bits(const Position *position, const FeatureOptions *options,
                          uint64_t planes[FEATURE_PLANES][6], float globals[FEATURE_GLOBALS]);
