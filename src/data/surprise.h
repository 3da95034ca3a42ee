/* surprise.h - spreads a game's row weights by surprise (KataGoMethods.md): a share follows the KL
 * divergence of the search's policy from the net's, a share that of the later values from the
 * net's, the rest stays as it is. Threading: free functions. */
#pragma once
#include "base/settings.h"
#include "data/game_record.h"

typedef struct {
    float policy_surprise_weight; /* share of the weight that follows policy surprise; 0.5 */
    float value_surprise_weight;  /* share that follows value surprise; 0.1 */
} SurpriseSettings;
extern const ConfigField SURPRISE_FIELDS[];
/* Changes row_weight; of a game that is weighed already nothing. */
void surprise_apply(const SurpriseSettings *config, GameRecord *record);
