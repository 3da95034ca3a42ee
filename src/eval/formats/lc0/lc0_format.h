/* lc0_format.h - what kind of net a net file of lc0 says it is. The nets of lc0 are for chess. Aji
 * writes nets for Go in the same format; docs/NETWORKS.md has the mapping. Such a file leaves out
 * the format of the inputs, which can only name planes of chess, and has a note in the field
 * "training_params.lc0_params" instead. The note says what the format has no field for.
 * Threading: free functions. */
#pragma once
#include "eval/formats/lc0/lc0_file.h"

enum { LC0_CHESS_SIDE = 8, LC0_CHESS_PLANES = 112, LC0_CHESS_ONES = 111, LC0_CHESS_MOVES = 1858 };
/* Epsilons: of batch norms, and of the layer norms of smolgen. */
#define LC0_BATCH_EPSILON 1e-5f
#define LC0_SMOLGEN_EPSILON 1e-3f

typedef struct {
    bool go;
    bool attention;                                           /* the body has encoders */
    int input, network, policy, value, moves_left, embedding; /* numbers of NetworkFormat */
    Lc0Activation activation, ffn_activation, smolgen_activation;
    float epsilon; /* of layer norms */
    float alpha;   /* DeepNorm's factor of the branches of encoders */
    /* The gates belong to the points of a board of `side` x `side` or, with `edges`, to the
     * distances of a point to the edges. */
    int side;
    bool edges;
    uint64_t version[3]; /* of lc0 that can read the file: major, minor, patch */
} Lc0Format;

/* Reads the format. Numbers that Aji does not know are not checked. ERR_SYNTAX, ERR_UNSUPPORTED:
 * the note of a net for Go is damaged, or its mapping is not known. */
MUST_USE Status lc0_format_of(const Lc0File *file, Lc0Format *out, Error *err);
/* Refuses a file that has something which Aji does not know: a later version of lc0, a field
 * without a name, or a number without a name. The message has the number. ERR_UNSUPPORTED. */
MUST_USE Status lc0_format_check(const Lc0File *file, const Lc0Format *format, Error *err);
/* Returns DeepNorm's factor of the branches of encoders, which lc0 computes from their number. */
float lc0_alpha(int encoders);
/* Adds the note of a net for Go to `out`: format->epsilon, edges and side. */
void lc0_format_note(const Lc0Format *format, StrBuf *out);
