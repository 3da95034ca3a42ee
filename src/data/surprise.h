/* surprise.h - spreads a game's row weights by policy surprise (KataGoMethods.md; half uniform,
 * half by KL). */
#pragma once
#include "base/settings.h"
#include "data/game_record.h"

typedef struct {
    float policy_surprise_weight; /* share of the weight that follows policy surprise; 0.5 */
    float value_surprise_weight;  /* 0.1 */
} SurpriseConfig;
extern const ConfigField SURPRISE_FIELDS[];
void surprise_apply(const SurpriseConfig *config, GameRecord *record); /* changes row_weight */
