/* sgf_rows_settings.h - how rows are made from games in SGF. Immutable. */
#pragma once
#include "data/row_shards_settings.h"

typedef struct {
    char rules[SETTINGS_TEXT_SIZE]; /* of games that name none, or unknown ones */
    bool forfeits_count, encore;    /* SgfRecordOptions */
    int playouts;                   /* of sgf_settle_by_playouts(); 0: none */
    bool players;                   /* whether rows have the column of the players */
} SgfRowsSettings;
extern const SettingsField SGF_ROWS_FIELDS[];
