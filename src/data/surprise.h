/* surprise.h - redistributes the weights of a game's training rows by surprise (KataGo,
 * docs/KataGoMethods.md). One fraction of the weight is distributed in proportion to the policy
 * surprise of a turn, the KL divergence of the search's policy from the net's policy. Another
 * fraction is distributed in proportion to the value surprise, which says how far the later values
 * of the game differ from the net's value. The rest of the weight stays where it is. Threading:
 * free functions. */
#pragma once
#include "base/settings.h"
#include "data/game_record.h"

typedef struct {
    double policy_surprise_weight; /* fraction of the weight that follows policy surprise */
    double value_surprise_weight;  /* fraction of the weight that follows value surprise */
} SurpriseSettings;
extern const SettingsField SURPRISE_FIELDS[];
/* Changes row_weight of each turn, and sets `weighed` and the turns' value_surprise. Does nothing
 * if `weighed` is set already or if both settings are 0. Weights whose sum is below 1 stay as they
 * are. */
void surprise_apply(const SurpriseSettings *settings, GameRecord *record);
