/* all_settings.h - all groups of settings that the program has. Threading: confined. */
#pragma once
#include "run/store/run_config.h"

enum { ALL_SETTINGS_GROUPS = RUN_GROUPS + 32 };
/* Lists the groups of a run, whose targets are in `config`, and then those that no run has, such as
 * architectures and the clock. The latter have no targets: they can only be described. The last
 * group is {0}. */
void all_settings_groups(RunConfig *config, SettingsGroup out[ALL_SETTINGS_GROUPS]);
