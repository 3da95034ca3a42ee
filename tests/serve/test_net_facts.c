/* What the page shows of a net: its size and its levels. */
#include "base/file.h"
#include "eval/arch/arch.h"
#include "play/levels/level_scale.h"
#include "search/result/level.h"
#include "serve/net_facts.h"
#include "test.h"
#include "test_path.h"

static void make_net(const char *path) {
    Rng rng = rng_seeded(1);
    Net *net;
    EXPECT_OK(arch_build_text("b2c16-fixup-nodist", &rng, &net, err));
    EXPECT_OK(net_set_note(net, "samples", "12800", err));
    EXPECT_OK(net_save(net, path, err));
    net_free(net);
}

/* Saves a scale of three points, as `aji calibrate` does. */
static void make_scale(const char *net, bool has_ranks) {
    LevelScale scale = {.net = "net.aji",
                        .strength_version = LEVEL_STRENGTH_VERSION,
                        .width = 9,
                        .height = 9,
                        .rules = rules_tromp_taylor(),
                        .games = 600,
                        .has_ranks = has_ranks,
                        .points = {{0, -300, 40}, {0.5, -50, 20}, {1, 200, 30}},
                        .count = 3};
    Path path;
    EXPECT_OK(level_scale_hash(net, &scale.net_hash, err));
    EXPECT_OK(level_scale_path(net, 9, 9, &path, err));
    EXPECT_OK(level_scale_save(&scale, path.text, err));
}

TEST(a_net_has_blocks_channels_and_levels) {
    TestPath path = test_path("9x9-net.aji");
    json_t *facts;
    make_net(path.text);
    make_scale(path.text, true);
    EXPECT_OK(net_facts_read(path.text, &facts, err));
    EXPECT_INT(2, json_integer_value(json_object_get(facts, "blocks")));
    EXPECT_INT(16, json_integer_value(json_object_get(facts, "channels")));
    EXPECT_INT(12800, json_integer_value(json_object_get(facts, "samples")));
    EXPECT_TRUE(json_integer_value(json_object_get(facts, "parameters")) > 1000);
    EXPECT_INT(file_bytes(path.text), json_integer_value(json_object_get(facts, "bytes")));
    const json_t *levels = json_object_get(facts, "levels"), *scale = json_array_get(levels, 0);
    EXPECT_INT(1, json_array_size(levels));
    EXPECT_INT(9, json_integer_value(json_object_get(scale, "width")));
    EXPECT_INT(600, json_integer_value(json_object_get(scale, "games")));
    EXPECT_CONTAINS(json_string_value(json_object_get(scale, "weakest")), "level 1, about ");
    json_decref(facts);
    EXPECT_STATUS(ERR_IO, net_facts_read("no-such-net.aji", &facts, NULL));
    EXPECT_TRUE(facts == NULL);
    EXPECT_OK(net_facts_read("uniform", &facts, err));
    EXPECT_INT(1, json_object_size(facts));
    json_decref(facts);
}

TEST(levels_are_listed_with_ranks_and_warnings) {
    TestPath path = test_path("net.aji");
    make_net(path.text);
    json_t *answer = net_facts_levels(path.text, 9, 9, NULL);
    EXPECT_INT(0, json_array_size(json_object_get(answer, "levels")));
    json_decref(answer);
    make_scale(path.text, true);
    answer = net_facts_levels(path.text, 9, 9, NULL);
    const json_t *levels = json_object_get(answer, "levels"), *first = json_array_get(levels, 0);
    EXPECT_TRUE(json_array_size(levels) >= 4);
    EXPECT_INT(1, json_integer_value(json_object_get(first, "number")));
    EXPECT_TRUE(json_object_get(first, "rank") && json_object_get(first, "low") &&
                json_object_get(first, "high"));
    EXPECT_TRUE(json_object_get(answer, "warning") == NULL);
    json_decref(answer);
    Rules rules = rules_tromp_taylor();
    answer = net_facts_levels(path.text, 9, 9, &rules);
    EXPECT_TRUE(json_object_get(answer, "warning") == NULL);
    json_decref(answer);
    EXPECT_OK(rules_parse_with_komi("japanese", &rules, err));
    answer = net_facts_levels(path.text, 9, 9, &rules);
    EXPECT_TEXT("The levels were measured under rules that count other points.",
                json_string_value(json_object_get(answer, "warning")));
    json_decref(answer);
    answer = net_facts_levels(path.text, 13, 13, NULL);
    EXPECT_INT(0, json_array_size(json_object_get(answer, "levels")));
    json_decref(answer);
    Error ignored = {0};
    EXPECT_STATUS(OK, file_append_line(path.text, "another net", &ignored));
    answer = net_facts_levels(path.text, 9, 9, NULL);
    EXPECT_CONTAINS(json_string_value(json_object_get(answer, "warning")), "another net file");
    json_decref(answer);
    make_scale(path.text, false);
    answer = net_facts_levels(path.text, 9, 9, NULL);
    EXPECT_TRUE(json_object_get(json_array_get(json_object_get(answer, "levels"), 0), "rank") ==
                NULL);
    json_decref(answer);
}

TEST(a_level_is_found_by_its_number_or_rank) {
    TestPath path = test_path("find.aji");
    double strength = -1;
    char label[96];
    Error fault = {0};
    make_net(path.text);
    EXPECT_STATUS(ERR_ARGUMENT, net_facts_find_level(path.text, 9, 9, "1", &strength, label,
                                                     sizeof label, &fault));
    EXPECT_CONTAINS(fault.message, "no levels of");
    make_scale(path.text, true);
    EXPECT_OK(net_facts_find_level(path.text, 9, 9, "1", &strength, label, sizeof label, err));
    EXPECT_NEAR(0, strength, 1e-9);
    EXPECT_CONTAINS(label, "level 1, about ");
    EXPECT_OK(net_facts_find_level(path.text, 9, 9, "8k", &strength, label, sizeof label, err));
    EXPECT_TRUE(strength > 0.4 && strength < 0.8); /* Elo 0, between -50 and 200 */
    EXPECT_STATUS(ERR_ARGUMENT, net_facts_find_level(path.text, 9, 9, "9d", &strength, label,
                                                     sizeof label, &fault));
}

TEST_MAIN(RUN(a_level_is_found_by_its_number_or_rank), RUN(a_net_has_blocks_channels_and_levels),
          RUN(levels_are_listed_with_ranks_and_warnings))
