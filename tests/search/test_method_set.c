/* The plug-ins of a search: their places beside nodes, their lists, and who may be split. */
#include "made_root.h"
#include "search/methods/graph.h"
#include "search/methods/spread.h"
#include "search/methods/value_bias.h"

static bool is_on(const SearchSettings *settings, const void *state) {
    (void)state;
    return settings->graph.on;
}

static bool is_always_on(const SearchSettings *settings, const void *state) {
    (void)settings, (void)state;
    return true;
}

static size_t five_bytes(const SearchSettings *settings) {
    (void)settings;
    return 5;
}

static bool decide(const Choice *choice, const MethodUse *use, double prepared, const Edge *edge,
                   Term *term) {
    (void)choice, (void)use, (void)prepared, (void)edge;
    term->value = 1;
    return true;
}

/* Five bytes take eight, as places are multiples of 4. A method that is off has no place. */
TEST(places_come_one_after_the_other) {
    const SearchMethod first = {.name = "a", .is_on = is_always_on, .node_bytes = five_bytes},
                       second = {.name = "b",
                                 .is_on = is_on,
                                 .node_bytes = five_bytes,
                                 .memory_eighths = 2},
                       third = {.name = "c", .is_on = is_always_on, .node_bytes = five_bytes};
    const SearchMethod *const methods[] = {&first, &second, &third, NULL};
    SearchSettings settings = play_settings();
    MethodSet set = {0};
    int eighths;
    EXPECT_OK(method_set_init(&set, methods, err));
    settings.graph.on = false;
    EXPECT_INT(16, method_set_place(&set, &settings, &eighths));
    EXPECT_INT(0, eighths);
    EXPECT_INT(8, method_set_find(&set, &third)->node_at);
    EXPECT_FALSE(method_set_find(&set, &second)->on);
    settings.graph.on = true;
    EXPECT_INT(24, method_set_place(&set, &settings, &eighths));
    EXPECT_INT(2, eighths);
    EXPECT_INT(8, method_set_find(&set, &second)->node_at);
    EXPECT_INT(16, method_set_find(&set, &third)->node_at);
    method_set_free(&set);
}

/* Only a method with a term that is not for the root alone and that PUCT lacks changes the
 * choice at inner nodes. */
TEST(lists_have_those_that_are_active) {
    const SearchMethod root = {.name = "a", .is_on = is_on, .root_only = true, .term = decide},
                       known = {.name = "b",
                                .is_on = is_always_on,
                                .in_puct = true,
                                .term = decide},
                       inner = {.name = "c", .is_on = is_always_on, .splits = true, .term = decide};
    const SearchMethod *const methods[] = {&root, &known, &inner, NULL};
    SearchSettings settings = play_settings();
    MethodSet set = {0};
    int eighths;
    EXPECT_OK(method_set_init(&set, methods, err));
    settings.graph.on = true;
    (void)method_set_place(&set, &settings, &eighths);
    method_set_gather(&set);
    EXPECT_TRUE(set.changes_inner_choice && set.changes_root_choice);
    EXPECT_INT(3, set.root_terms.count);
    EXPECT_INT(2, set.inner_terms.count);
    EXPECT_TRUE(set.inner_terms.uses[0]->method == &known);
    EXPECT_FALSE(method_set_splits(&set));
    set.all[2].active = false;
    method_set_gather(&set);
    EXPECT_TRUE(!set.changes_inner_choice && set.changes_root_choice);
    set.all[0].active = set.all[1].active = false;
    method_set_gather(&set);
    EXPECT_FALSE(set.changes_inner_choice || set.changes_root_choice);
    EXPECT_TRUE(method_set_splits(&set));
    set.all[2].active = true;
    EXPECT_TRUE(method_set_splits(&set));
    set.all[2].node_bytes = 4; /* the pool beside nodes moves when it grows */
    EXPECT_FALSE(method_set_splits(&set));
    method_set_free(&set);
}

/* In one search: 12 bytes of the correction, 8 of the graph's hash, 12 of a mean and its square. */
TEST(methods_of_a_search_do_not_overlap) {
    SearchSettings settings = play_settings();
    settings.bias.factor = 0.4;
    settings.graph.on = true;
    settings.regret.rule = REGRET_POWER;
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    const MethodUse *uses[3] = {method_set_find(&search->methods, &METHOD_BIAS),
                                method_set_find(&search->methods, &METHOD_GRAPH),
                                method_set_find(&search->methods, &METHOD_REGRET)};
    EXPECT_INT(12 + 8 + 12, search->tree.method_bytes);
    for (int i = 0; i < 3; i++) {
        EXPECT_TRUE(uses[i]->node_at + uses[i]->node_bytes <= search->tree.method_bytes);
        for (int k = 0; k < i; k++)
            EXPECT_TRUE(uses[i]->node_at + uses[i]->node_bytes <= uses[k]->node_at ||
                        uses[k]->node_at + uses[k]->node_bytes <= uses[i]->node_at);
    }
    search_free(search);
}

/* Each row of the table has a name of its own, and tells when it is on: with the settings of play
 * nothing but what the net gives is looked at. */
TEST(rows_of_the_table_have_names) {
    SearchSettings settings = play_settings();
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    const MethodSet *set = &search->methods;
    search_begin(search, &(SearchLimits){.visits = 10});
    EXPECT_TRUE(set->count >= 17);
    for (int i = 0; i < set->count; i++) {
        EXPECT_TRUE(*set->all[i].method->name && set->all[i].method->is_on);
        EXPECT_FALSE(set->all[i].on || set->all[i].active);
        for (int k = 0; k < i; k++)
            EXPECT_TRUE(strcmp(set->all[i].method->name, set->all[k].method->name) != 0);
    }
    search_free(search);
}

TEST_MAIN(RUN(places_come_one_after_the_other), RUN(lists_have_those_that_are_active),
          RUN(methods_of_a_search_do_not_overlap), RUN(rows_of_the_table_have_names))
