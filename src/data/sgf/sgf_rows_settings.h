/* sgf_rows_settings.h - settings for making rows from games in SGF. Immutable. */
#pragma once
#include "data/shards/row_shards_settings.h"

typedef struct {
    char rules[SETTINGS_TEXT_SIZE];    /* of games that name no rules, or unknown rules */
    bool forfeits_count, encore;       /* SgfRecordOptions */
    int playouts;                      /* for sgf_settle_by_playouts(); 0: it is not called */
    bool players;                      /* whether rows have the column of the players */
    char net[SETTINGS_TEXT_SIZE];      /* file of the net for sgf_settle_by_net(), or "" */
    char net_hash[SETTINGS_TEXT_SIZE]; /* net_hash() of this net */
} SgfRowsSettings;
extern const SettingsField SGF_ROWS_FIELDS[]; /* without `net` */
extern const SettingsField SGF_NET_FIELDS[];  /* `net` */
extern const SettingsField SGF_HASH_FIELDS[]; /* `net_hash`, which users do not set */
