/* Presets of searches: their lines are valid settings, and a preset changes only what its lines
 * say. */
#include "base/strbuf.h"
#include "search/tree/search_presets.h"
#include "test.h"

static StrBuf text_of(SearchSettings *settings) {
    StrBuf text = {0};
    const SettingsGroup groups[] = {{"search", SEARCH_FIELDS, settings}, {0}};
    settings_write(groups, &text);
    EXPECT_OK(strbuf_status(&text, err));
    return text;
}

/* Applying a preset has the same effect as assigning its lines one by one. */
TEST(a_preset_is_its_lines) {
    EXPECT_TRUE(*search_preset_lines(SEARCH_PRESET_PLAY) == NULL);
    for (int preset = SEARCH_PRESET_PLAY + 1; preset < SEARCH_PRESETS; preset++) {
        SearchSettings applied, assigned;
        bool begins = preset < SEARCH_PRESET_MATCH;
        search_preset_begin(begins ? SEARCH_PRESET_PLAY : SEARCH_PRESET_SELFPLAY, &applied);
        assigned = applied;
        const SettingsGroup groups[] = {{"search", SEARCH_FIELDS, &assigned}, {0}};
        int lines = 0;
        for (const char *const *line = search_preset_lines((SearchPreset)preset); *line; line++) {
            EXPECT_OK(settings_assign(groups, *line, err));
            lines++;
        }
        EXPECT_TRUE(lines > 0);
        StrBuf before = text_of(&applied);
        search_preset_apply((SearchPreset)preset, &applied);
        StrBuf got = text_of(&applied), wanted = text_of(&assigned);
        EXPECT_TEXT(strbuf_text(&wanted), strbuf_text(&got));
        EXPECT_TRUE(strcmp(strbuf_text(&before), strbuf_text(&got)) != 0);
        strbuf_clear(&before);
        strbuf_clear(&got);
        strbuf_clear(&wanted);
    }
}

TEST(presets_by_what_they_are_for) {
    SearchSettings settings;
    search_preset_begin(SEARCH_PRESET_SELFPLAY, &settings);
    search_preset_apply(SEARCH_PRESET_NO_NOISE, &settings);
    EXPECT_FALSE(settings.noise.on);
    EXPECT_NEAR(0, settings.forced_playouts, 0);
    EXPECT_NEAR(1, settings.root_temperature, 0);
    EXPECT_NEAR(1, settings.root_temperature_early, 0);
    EXPECT_INT(4, settings.root_symmetries);
    search_preset_apply(SEARCH_PRESET_CHEAP, &settings);
    EXPECT_INT(1, settings.root_symmetries);
    search_preset_apply(SEARCH_PRESET_MATCH, &settings);
    EXPECT_NEAR(0.1, settings.temperature, 1e-6);
    EXPECT_NEAR(0.1, settings.temperature_early, 1e-6);
}

TEST_MAIN(RUN(a_preset_is_its_lines), RUN(presets_by_what_they_are_for))
