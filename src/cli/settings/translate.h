/* translate.h - `aji settings --from FILE`: the settings of lczero-training, GoNN and p3achygo as
 * settings of Aji. The tables of translate_tables.c have a row for each setting of theirs.
 * Threading: confined. */
#pragma once
#include "base/strbuf.h"

/* How a value becomes ours. */
typedef enum {
    AS_NONE,    /* there is no counterpart; `text` says why, or what to do instead */
    AS_NUMBER,  /* the number times `factor` */
    AS_WHOLE,   /* the same, rounded */
    AS_STEPS,   /* a number of steps: times the rows of a step, because ours counts samples */
    AS_RATE,    /* a learning rate of a step: divided by the rows of a step */
    AS_REST,    /* 1 - the number */
    AS_BATCH,   /* rows of a step: divided by training.num_batch_splits */
    AS_EPOCHS,  /* a number of steps: divided by training.test_steps, rounded up */
    AS_AVERAGE, /* n averaged nets: the decay n / (n + 1); nothing if training.swa is false */
    AS_SWITCH,  /* true or false; `factor` -1: the opposite */
    AS_WORDS,   /* one of the words in `text`, "theirs=ours|theirs=ours"; others have none */
    AS_IF_TRUE, /* if it is true, the assignments in `text`; `factor` -1: if it is false */
    AS_RANK,    /* GoNN's number of a rank */
    AS_RATES,   /* lczero-training's list of rates, with training.lr_boundaries */
    /* A part of lczero-training's net, which becomes supervised.arch. `text` says what it is:
     * "whole", "fraction", "activation", "truth" or "word". */
    AS_PART
} TranslateAs;

typedef struct {
    const char *theirs; /* NULL ends a table */
    TranslateAs as;
    const char *ours; /* or NULL */
    double factor;    /* 0: 1 */
    const char *text;
    /* More assignments that the value of theirs implies, separated by ';', or NULL. */
    const char *also;
} Translation;

typedef struct {
    const char *word; /* such as "lczero" */
    const char *name;
    const Translation *rows;
} TranslatedProgram;
extern const TranslatedProgram TRANSLATED_PROGRAMS[]; /* ends with {0} */
extern const TranslatedProgram TRANSLATED_RUN;        /* p3achygo's JSON files of a run */

/* Translates a file: YAML of lczero-training, command lines of GoNN or p3achygo, or JSON of
 * p3achygo. `program` is the word of one of these programs, or "" if the file is to show which it
 * is. Adds a file of settings to `out`, whose comments list what has no counterpart.
 * ERR_SYNTAX: the file is damaged or has no settings, or it has a key that the program does not
 * know, or a value of a wrong kind. The message names the line. ERR_ARGUMENT: there is no such
 * program, or a value is out of the bounds of ours. ERR_IO, ERR_MEMORY. */
MUST_USE Status translate_file(const char *path, const char *program, StrBuf *out, Error *err);
