/* row_writer.h - what is kept while the rows of one game are made. Threading: confined. */
#pragma once
#include "data/row.h"
#include "data/value_ahead.h"

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

/* Index of a board's move in the L x L frame of the rows. */
static inline int row_frame_index(const RowWriter *writer, int index) {
    int length = writer->rows->length;
    if (index == writer->area) return length * length;
    return index / writer->width * length + index % writer->width;
}
