/* The methods of a search: where their data lie beside nodes, the lists of active methods, and
 * whether a search may run on several threads. */
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

/* The data of methods begin at multiples of 4, so five bytes take eight. A method that is off has
 * no data. */
TEST(data_of_methods_lie_one_after_the_other) {
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

/* Only some methods change the choice at inner nodes: those that have a term, do not set root_only,
 * and are not part of puct_select() already. */
TEST(lists_contain_the_active_methods) {
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
    set.all[2].node_bytes = 4; /* nothing says that several threads may use it */
    EXPECT_FALSE(method_set_splits(&set));
    method_set_free(&set);
}

/* Three methods of one search keep data beside nodes: 12 bytes of the value bias, 8 of the hash of
 * graph search, and 12 of the regret. */
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

/* Each method has a name of its own and a function is_on(). With the default settings all methods
 * are off. */
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

TEST_MAIN(RUN(data_of_methods_lie_one_after_the_other), RUN(lists_contain_the_active_methods),
          RUN(methods_of_a_search_do_not_overlap), RUN(rows_of_the_table_have_names))
