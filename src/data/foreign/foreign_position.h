/* foreign_position.h - a position with its targets, as it is read from a training file of another
 * program: the last eight boards, the policy that a search found, and the result of the game. A
 * ForeignFormat reads one kind of these files. Threading: immutable. */
#pragma once
#include "go/board.h"
#include "go/color.h"
#include <stddef.h>

enum { FOREIGN_BOARDS = 8 };

typedef struct {
    int width, height;
    Color mover;
    /* The Color of each point by move_index(). boards[0] is the present board, and boards[k] is the
     * board k turns ago. Boards before the start of the game are empty. */
    uint8_t boards[FOREIGN_BOARDS][BOARD_POINTS_MAX];
    float policy[MOVES_MAX]; /* by move_index(): at least 0, in any scale */
    Color winner;            /* of the game; COLOR_EMPTY for a draw */
    bool komi_known;
    float komi;
    bool searched;       /* the four values below are known; all belong to the mover */
    float win_loss;      /* from the search */
    float raw_win_loss;  /* what the net expected; 0 if that is not known */
    float policy_change; /* KL divergence of the search's policy from the net's, nats */
    int visits;
} ForeignPosition;

/* The bytes of a file that is being read. The caller sets `bytes`, with a 0 behind the last byte,
 * and `count`, which does not count this 0. The other members are 0 at first, and then only the
 * format changes them. */
typedef struct {
    const char *bytes;
    size_t count, at; /* the next position begins at `at` */
    int64_t line;     /* lines before `at`; counted only if the file is a text */
    int64_t position; /* positions before `at` */
    bool spoiled;     /* the rest of the file cannot be read */
} ForeignReader;

typedef enum {
    FOREIGN_POSITION,
    FOREIGN_NO_POLICY, /* a position whose policy is not known; it is not to be used */
    FOREIGN_END
} ForeignFound;

typedef struct {
    const char *name;  /* of the program */
    const char *files; /* what its files are, for messages */
    bool (*is_file)(const char *name);
    /* Reads the next position. ERR_SYNTAX: the position is damaged. The message says where it is in
     * the file, but does not name the file. The next call goes on behind the damaged part. */
    Status (*next)(ForeignReader *reader, ForeignPosition *out, ForeignFound *found, Error *err);
} ForeignFormat;

extern const ForeignFormat FOREIGN_LEELA_ZERO; /* leela_zero_file.c */
extern const ForeignFormat FOREIGN_LC0;        /* lc0_chunk.c */
