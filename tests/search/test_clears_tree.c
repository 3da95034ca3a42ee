/* Which settings clear the tree of a search when they change. */
#include "made_up.h"
#include "search/core/search_private.h"

/* Gives a field a valid value that differs from its present one. */
static void change(const SettingsField *field, SearchSettings *settings) {
    char *at = (char *)settings + field->offset;
    double real;
    int number;
    switch (field->type) {
    case FIELD_TYPE_DOUBLE:
        memcpy(&real, at, sizeof real);
        real = real == field->min ? field->max : field->min;
        memcpy(at, &real, sizeof real);
        break;
    case FIELD_TYPE_BOOL:
        *(bool *)at = !*(bool *)at;
        break;
    case FIELD_TYPE_INT:
    case FIELD_TYPE_CHOICE:
        memcpy(&number, at, sizeof number);
        number = number == (int)field->min ? number + 1 : (int)field->min;
        memcpy(at, &number, sizeof number);
        break;
    case FIELD_TYPE_INT64:
        memcpy(at, &(int64_t){(int64_t)field->min + 1}, sizeof(int64_t));
        break;
    case FIELD_TYPE_TEXT:
        memcpy(at, "rank_5k", sizeof "rank_5k");
        break;
    }
}

/* A change of a setting clears the tree in two cases: the setting's field in SEARCH_FIELDS has
 * clears_tree, or the change alters how many bytes methods keep beside each node. Other changes
 * keep the tree. */
TEST(fields_say_which_settings_clear_the_tree) {
    MadeUp evaluator = made_up(1, point_at(1, 1));
    const SearchSettings settings = play_settings();
    int clearing = 0, keeping = 0;
    Search *search = search_of(&settings, 1, position_empty(3, 0.5f));
    for (const SettingsField *field = SEARCH_FIELDS; field->name; field++) {
        SearchSettings changed = settings;
        EXPECT_OK(search_set_settings(search, &settings, err));
        run_visits(search, &evaluator.base, 10);
        size_t before = search->tree.method_bytes;
        EXPECT_INT(10, search_root_visits(search));
        change(field, &changed);
        EXPECT_FALSE(settings_same(field, &settings, &changed));
        EXPECT_OK(search_set_settings(search, &changed, err));
        bool cleared = field->clears_tree || search->tree.method_bytes != before;
        EXPECT_INT(cleared ? 0 : 10, search_root_visits(search));
        clearing += cleared;
        keeping += !cleared;
    }
    EXPECT_TRUE(clearing >= 36 && keeping > 60);
    search_free(search);
}

TEST_MAIN(RUN(fields_say_which_settings_clear_the_tree))
