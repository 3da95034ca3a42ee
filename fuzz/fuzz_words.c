/* fuzz_words.c - reads any text as a short text of one of several kinds. The first byte chooses
 * the kind. Most kinds are texts that users write: rules, an architecture, a player, a
 * precision, a point, a board, the profile of a human player, the choices of self-play, a file
 * of opponents, the file of an experiment. One kind is the note beside a row file (WorkNote). If
 * the text is understood, its values must be within their bounds. The values of most kinds must
 * not change when they are written and read again. If a reader refuses the text with an Error,
 * the error must have a message. */
#include "fuzz_arch.h"

#include <math.h>

#include "data/game_record.h"
#include "eval/features/metadata.h"
#include "go/drawing.h"
#include "play/match/opponents.h"
#include "play/setup/game_setup.h"
#include "protocol/session/vertex.h"
#include "run/cycle/run_check.h"
#include "run/experiment/experiment.h"
#include "run/store/journal.h"

/* Returns whether the text was understood. If not, it checks that there is a message. */
static bool is_read(Status status, const Error *fault) {
    CHECK(!status || *fault->message);
    return !status;
}

static void check_rules(const char *text) {
    Rules rules = rules_tromp_taylor(), again = rules;
    Error fault = {0};
    float komi = rules.komi;
    if (!is_read(rules_parse(text, &rules, &fault), &fault)) {
        CHECK(rules_equal(&rules, &again) && rules.komi == komi);
        return;
    }
    CHECK(rules_komi_is_valid((double)rules.komi));
    CHECK(!rules_parse(rules_text(&rules).text, &again, NULL));
    again.komi = rules.komi;
    CHECK(rules_equal(&rules, &again));
    CHECK(!rules_parse(rules_json(&rules).text, &again, NULL));
    again.komi = rules.komi;
    CHECK(rules_equal(&rules, &again));
    CHECK(!rules_parse_with_komi(text, &again, NULL) && rules_komi_is_valid((double)again.komi));
}

static void check_arch(const char *text) {
    ArchSettings settings, again;
    Error fault = {0};
    Net *net;
    if (!is_read(arch_parse(text, &settings, &fault), &fault)) return;
    ArchText written = arch_text(&settings);
    CHECK(!arch_parse(written.text, &again, NULL));
    CHECK(strcmp(written.text, arch_text(&again).text) == 0);
    if (!fuzz_arch_is_small(&settings)) return;
    if (!is_read(arch_build(&settings, NULL, &net, &fault), &fault)) return;
    CHECK(!arch_of_net(net, &again, NULL));
    CHECK(strcmp(written.text, arch_text(&again).text) == 0);
    net_free(net);
}

static void check_player(const char *text) {
    PlayerSpec player, again;
    Error fault = {0};
    if (!is_read(player_parse(text, &player, &fault), &fault)) return;
    CHECK(*player.name != 0);
    CHECK(!settings_check(SEARCH_FIELDS, "search", &player.search, NULL) ||
          player.kind != PLAYER_ENGINE);
    CHECK(player.kind != PLAYER_ENGINE || player.visits >= 1);
    CHECK(player.kind != PLAYER_GTP || *player.command);
    CHECK(!player_parse(text, &again, NULL));
    CHECK(player_fingerprint(&player) == player_fingerprint(&again));
}

static void check_precision(const char *text) {
    Precision precision;
    Error fault = {0};
    if (is_read(precision_parse(text, &precision, &fault), &fault))
        CHECK(strcmp(precision_name(precision), text) == 0);
}

static void check_point(const char *text) {
    enum { WIDTH = 19, HEIGHT = 9 };
    Point point, again;
    Color color;
    Error fault = {0};
    if (is_read(point_parse(text, WIDTH, HEIGHT, &point, &fault), &fault)) {
        CHECK(point == POINT_PASS || (point_x(point) < WIDTH && point_y(point) < HEIGHT));
        CHECK(!point_parse(point_text(point, HEIGHT).text, WIDTH, HEIGHT, &again, NULL));
        CHECK(point == again);
    }
    if (vertex_parse(text, WIDTH, HEIGHT, &point)) {
        CHECK(point == POINT_PASS || (point_x(point) < WIDTH && point_y(point) < HEIGHT));
        CHECK(vertex_parse(point_text(point, HEIGHT).text, WIDTH, HEIGHT, &again));
        CHECK(point == again);
    }
    if (color_parse(text, &color)) CHECK(color == COLOR_BLACK || color == COLOR_WHITE);
}

static void check_board(const char *text) {
    Board board;
    Error fault = {0};
    StrBuf drawn = {0};
    if (!is_read(board_parse(text, 3, 2, &board, &fault), &fault)) return;
    board_draw(&board, POINT_NONE, &drawn);
    CHECK(!strbuf_status(&drawn, NULL));
    strbuf_clear(&drawn);
}

static void check_profile(const char *text) {
    GameMetadata metadata;
    Error fault = {0};
    float encoded[METADATA_COUNT];
    if (!is_read(metadata_profile(text, &metadata, &fault), &fault)) return;
    CHECK(metadata.black_rank >= 0 && metadata.black_rank <= 29);
    CHECK(metadata.white_rank >= 0 && metadata.white_rank <= 29);
    metadata_encode(&metadata, COLOR_BLACK, 81, encoded);
    for (int i = 0; i < METADATA_COUNT; i++)
        CHECK(isfinite(encoded[i]));
}

/* Puts the text into each of the lists from which self-play draws boards and rules, one list after
 * another. */
static void check_choices(const char *text) {
    SelfplaySettings settings;
    GameChoices choices;
    Rng rng = rng_seeded(1);
    char *const lists[] = {settings.sizes, settings.ko_rules, settings.scoring_rules,
                           settings.tax_rules, settings.suicide_rules};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        Error fault = {0};
        settings_defaults(SELFPLAY_FIELDS, &settings);
        snprintf(lists[i], SETTINGS_TEXT_SIZE, "%s", text);
        CHECK(*selfplay_sizes_text(&settings).text || !*settings.sizes);
        if (!is_read(game_choices_read(&settings, &choices, &fault), &fault)) continue;
        for (int k = 0; k < 4; k++) {
            GameDraw draw = game_draw(&settings, &choices, &rng);
            bool found = false;
            for (int s = 0; s < choices.size_count; s++)
                found |= draw.width == choices.sizes[s].width &&
                         draw.height == choices.sizes[s].height && !choices.sizes[s].from_rows;
            CHECK(found && isfinite(draw.komi_noise));
        }
    }
}

static void check_opponents(const char *text) {
    Path path = fuzz_path("opponents.cfg");
    Ladder ladder;
    Error fault = {0};
    if (strstr(text, "@include")) return; /* it must not read files of the machine */
    fuzz_write(path.text, text, strlen(text));
    if (!is_read(ladder_load(path.text, &ladder, &fault), &fault)) return;
    CHECK(ladder.count >= 1 && rules_komi_is_valid((double)ladder.rules.komi));
    for (int i = 0; i < ladder.count; i++)
        CHECK(*ladder.players[i].name && !isnan(ladder.elo[i]));
    ladder_clear(&ladder);
}

static void check_experiment(const char *text) {
    Path path = fuzz_path("experiment.cfg");
    Experiment experiment;
    Error fault = {0};
    if (strstr(text, "@include")) return;
    fuzz_write(path.text, text, strlen(text));
    if (!is_read(experiment_load(path.text, &experiment, &fault), &fault)) return;
    CHECK(experiment.arm_count >= 1);
    for (int i = 0; i < experiment.arm_count; i++)
        CHECK(!run_check_settings(&experiment.arms[i].config, NULL));
    experiment_clear(&experiment);
}

static void check_work_note(const char *text) {
    fuzz_write(fuzz_path("w-0000.count").text, text, strlen(text));
    WorkNote note = work_note_read(fuzz_path("w-0000.npz").text);
    CHECK(note.games >= 0 && note.evaluations >= 0 && note.multiply_adds >= 0);
    CHECK(isfinite(note.multiply_adds));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static void (*const CHECKS[])(const char *) = {
        check_rules,     check_arch,      check_player,    check_precision,
        check_point,     check_board,     check_profile,   check_choices,
        check_opponents, check_work_note, check_experiment};
    if (!count) return 0;
    char *text = fuzz_text(bytes + 1, count - 1);
    CHECKS[(size_t)(*bytes - '0') % (sizeof CHECKS / sizeof *CHECKS)](text);
    free(text);
    return 0;
}
