#include "data/rows/row_points.h"

const RowPointClass ROW_POINT_CLASSES[ROW_POINT_COLUMNS] = {
    [ROW_NEXT_OCCUPANT] = {"nextOccupantTargetsNHW", NEXT_OCCUPANTS - 1},
};

const SettingsField ROW_POINT_FIELDS[] = {
    FIELD_BOOL(RowPointSettings, next_occupant, false,
               "whether rows say for each point the color of the next stone on it, for nets with "
               "the head next_occupant",
               .source = "lczero-training, README"),
    {0},
};

unsigned row_points_wanted(const RowPointSettings *settings) {
    if (!settings) return 0;
    return (unsigned)settings->next_occupant << ROW_NEXT_OCCUPANT;
}
