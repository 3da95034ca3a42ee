/* Former names of settings, which files of older runs contain, are still understood. */
#include "run/store/run_config.h"
#include "test.h"

/* Returns how many fields of the group have the name or a former name `key`. */
static int meanings(const SettingsGroup *group, const char *key) {
    int count = 0;
    for (const SettingsField *field = group->fields; field->name; field++) {
        char names[256];
        snprintf(names, sizeof names, "%s|%s", field->name, field->former ? field->former : "");
        for (char *word = strtok(names, "|"); word; word = strtok(NULL, "|"))
            count += strcmp(word, key) == 0;
    }
    return count;
}

TEST(each_name_means_one_setting) {
    RunConfig config;
    SettingsGroup groups[RUN_GROUPS];
    int former = 0;
    run_config_defaults(&config);
    run_config_groups(&config, groups);
    for (const SettingsGroup *group = groups; group->prefix; group++) {
        for (const SettingsField *field = group->fields; field->name; field++) {
            EXPECT_INT(1, meanings(group, field->name));
            if (!field->former) continue;
            EXPECT_INT(1, meanings(group, field->former));
            former++;
        }
    }
    EXPECT_TRUE(former > 130);
}

TEST(former_names_set_the_same_value) {
    static const char *const BEFORE[] = {"selfplay.komi_mean=3.5", "search.gumbel_considered=5",
                                         "search.lcb=false", "run.samples_most=77",
                                         "trainer.lookahead_share=0.25"};
    RunConfig config;
    SettingsGroup groups[RUN_GROUPS];
    run_config_defaults(&config);
    run_config_groups(&config, groups);
    for (size_t i = 0; i < sizeof BEFORE / sizeof *BEFORE; i++)
        EXPECT_OK(settings_assign(groups, BEFORE[i], err));
    EXPECT_NEAR(3.5, config.selfplay.komi.mean, 0);
    EXPECT_INT(5, config.search.gumbel.considered);
    EXPECT_FALSE(config.search.lcb.on);
    EXPECT_INT(77, config.run.samples_max);
    EXPECT_NEAR(0.25, config.training.trainer.lookahead.fraction, 0);
}

TEST_MAIN(RUN(each_name_means_one_setting), RUN(former_names_set_the_same_value))
