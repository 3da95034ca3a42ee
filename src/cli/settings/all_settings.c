#include "cli/settings/all_settings.h"

#include <string.h>

#include "cli/engine/start_settings.h"
#include "data/foreign/from_foreign.h"
#include "data/sgf/from_sgf.h"
#include "data/sgf/problem.h"
#include "eval/arch/arch.h"
#include "play/match/opponents.h"
#include "protocol/analysis/analysis.h"
#include "protocol/gtp/gtp.h"
#include "protocol/session/sgf_shapes.h"
#include "run/experiment/experiment.h"
#include "run/supervised/supervised_config.h"
#include "search/result/timecontrol.h"

static const SettingsGroup MORE[] = {{"arch", ARCH_FIELDS, NULL},
                                     {"block", BLOCK_FIELDS, NULL},
                                     {"limits", MOVE_LIMIT_FIELDS, NULL},
                                     {"time", TIME_FIELDS, NULL},
                                     {"resign", RESIGN_FIELDS, NULL},
                                     {"analysis", ANALYSIS_FIELDS, NULL},
                                     {"engine", ANALYSIS_ENGINE_FIELDS, NULL},
                                     {"gtp", GTP_FIELDS, NULL},
                                     {"play", PLAY_THREADS_FIELDS, NULL},
                                     {"start", START_FIELDS, NULL},
                                     {"shapes", SHAPE_FIELDS, NULL},
                                     {"ladder", LADDER_FIELDS, NULL},
                                     {"experiment", EXPERIMENT_FIELDS, NULL},
                                     {"supervised", SUPERVISED_FIELDS, NULL},
                                     {"filter", SGF_FILTER_FIELDS, NULL},
                                     {"filter", SGF_SOURCE_FIELDS, NULL},
                                     {"positions", FOREIGN_ROWS_FIELDS, NULL},
                                     {"rows", SGF_ROWS_FIELDS, NULL},
                                     {"rows", SGF_NET_FIELDS, NULL},
                                     {"rows", ROW_SHARDS_FIELDS, NULL},
                                     {"problem", PROBLEM_FIELDS, NULL},
                                     {0}};
_Static_assert(RUN_GROUPS + sizeof MORE / sizeof *MORE <= ALL_SETTINGS_GROUPS, "all groups fit");

void all_settings_groups(RunConfig *config, SettingsGroup out[ALL_SETTINGS_GROUPS]) {
    int count = 0;
    run_config_groups(config, out);
    while (out[count].prefix)
        count++;
    memcpy(out + count, MORE, sizeof MORE);
}
