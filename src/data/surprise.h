/* surprise.h - distributes the row weights of a game by surprise (KataGoMethods.md). One fraction
 * of the weight goes to turns where the search's policy differs from the net's (by KL divergence),
 * another to turns where the later values differ from the net's; the rest stays as it is.
 * Threading: free functions. */
#pragma once
#include "base/settings.h"
#include "data/game_record.h"

typedef struct {
    double policy_surprise_weight; /* fraction of the weight that follows policy surprise; 0.5 */
    double value_surprise_weight;  /* fraction that follows value surprise; 0.1 */
} SurpriseSettings;
extern const SettingsField SURPRISE_FIELDS[];
/* Changes row_weight of each turn. A record that is `weighed` already stays as it is. */
void surprise_apply(const SurpriseSettings *settings, GameRecord *record);
