/* all_settings.h - all groups of settings that the program has. Threading: confined. */
#pragma once
#include "run/store/run_config.h"

enum { ALL_SETTINGS_GROUPS = RUN_GROUPS + 32 };
/* Lists the groups of settings that a run has; they set the members of `config`. Then
 * lists the groups that no run has, such as architectures and the clock. These groups set no
 * struct (SettingsGroup.target is NULL), so they can only be described. The last group is {0}. */
void all_settings_groups(RunConfig *config, SettingsGroup out[ALL_SETTINGS_GROUPS]);
