/* row_private.h - what the files that make rows share. Threading: confined. */
#pragma once
#include "data/row.h"
#include "data/value_ahead.h"

/* What a row is made of, one array after the other: the one table, by which rows are held, packed
 * and written. */
enum { ROW_COLUMNS = 8, ROW_COLUMNS_LEAST = 7 }; /* the last one is left out where it is empty */
typedef struct {
    const char *name, *descr; /* KataGo's, and the numbers as NumPy calls them */
    void *array_pointer;      /* address of the pointer in the rows */
    size_t size;              /* of a number */
    int rank;
    size_t dims[4]; /* after the rows */
} RowColumn;
void row_columns(Rows *rows, RowColumn out[ROW_COLUMNS]); /* borrows `rows` */
size_t row_column_bytes(const RowColumn *column);         /* a row */
int row_columns_used(const Rows *rows);
char *row_column_array(const RowColumn *column); /* NULL: there are no rows yet */

MUST_USE Status rows_reserve(Rows *rows, size_t wanted, Error *err);

/* Makes the rows of one game. */
typedef struct {
    const GameRecord *record;
    Rows *rows;
    Rng *rng;
    int width, height, area, turns;
    uint8_t *boards; /* (turns + 1, area): stones before each turn and at the end */
    double (*means)[VALUE_HORIZONS][VALUE_PARTS]; /* [turns] */
    double final[VALUE_PARTS];                    /* value_ahead_result() */
    uint8_t full_area[POINT_COUNT]; /* who surrounds each point at the end, seki or not */
    float scoring[POINT_COUNT];     /* what each point is worth to White at the end */
    float white_bonus;              /* at the end */
} RowWriter;

/* Fills `final` and `means`. */
void row_targets_prepare(RowWriter *writer);
/* Fills `scoring` and `full_area` from the position at the end. */
void row_targets_prepare_end(RowWriter *writer, const Position *end);
/* The 80 numbers of turn t; `weights`: of the two policy targets. */
void row_targets_write(const RowWriter *writer, int t, const Position *position,
                       const float weights[2], float *to);
/* The same of a position beside the game: its own search is all that is known. */
void row_targets_write_side(const RowWriter *writer, const SideRecord *side, float policy_weight,
                            float *to);
void row_targets_write_score(const RowWriter *writer, double score, bool known, int8_t *to);
void row_targets_write_boards(const RowWriter *writer, int t, Color own, int8_t *to);
void row_targets_write_moves(const RowWriter *writer, const TurnRecord *turn, Color own,
                             int16_t *to);
/* Index of a board's move in the L x L frame of the rows. */
int row_frame_index(const RowWriter *writer, int index);
