#include "play/match/match_board.h"

#include <math.h>

#include "base/hash.h"

/* Added to the seed of an opening, so that its moves and its board have different draws. */
static const uint64_t BOARD_SEED = 0x6b6f6d69;

Status match_draw_make(const SelfplaySettings *settings, MatchDraw *out, Error *err) {
    out->settings = *settings;
    out->settings.handicap.probability = 0;
    out->settings.asymmetric.probability = 0;
    if (settings->komi.auto_mean)
        return fail(err, ERR_ARGUMENT,
                    "selfplay.komi.auto_mean needs a net; a match draws around komi.mean");
    return game_choices_read(settings, &out->choices, err);
}

Status match_draw_gonn(SelfplaySettings *out, Error *err) {
    static const char *const TEXT = "selfplay.sizes = \"19:90, 13:5, 9:5\"\n"
                                    "selfplay.ko_rules = \"SIMPLE, POSITIONAL, SITUATIONAL\"\n"
                                    "selfplay.scoring_rules = \"AREA, TERRITORY\"\n"
                                    "selfplay.suicide_rules = \"false, true\"\n"
                                    "selfplay.komi.mean = 7.5\n"
                                    "selfplay.komi.stdev = 2.5\n"
                                    "selfplay.komi.big_probability = 0.1\n"
                                    "selfplay.komi.big_stdev = 8\n"
                                    "selfplay.komi.whole_probability = 0.2\n";
    const SettingsGroup groups[] = {{"selfplay", SELFPLAY_FIELDS, out}, {0}};
    return settings_parse(groups, TEXT, "GoNN's matches", err);
}

void match_draw_largest(const MatchDraw *draw, int *width, int *height) {
    *width = *height = 0;
    for (int i = 0; i < draw->choices.size_count; i++) {
        const SizeChoice *size = &draw->choices.sizes[i];
        *width = size->width > *width ? size->width : *width;
        *height = size->height > *height ? size->height : *height;
    }
    if (draw->settings.rectangle_probability <= 0) return;
    *width = *height = *width > *height ? *width : *height;
}

/* Rounds the komi as self-play does (setup/komi_plan.c). */
static float round_komi(const SelfplaySettings *settings, double komi, int area, Rng *rng) {
    float rounded = komi_rounded(komi, area, rng), max = (float)area + 19.5f;
    if (rng_uniform(rng) < settings->komi.whole_probability) return rounded;
    return fmaxf(-max, fminf(floorf((float)komi) + 0.5f, max));
}

MatchBoard match_board_draw(const MatchDraw *draw, uint64_t seed) {
    Rng rng = rng_seeded(seed + BOARD_SEED);
    GameDraw game = game_draw(&draw->settings, &draw->choices, &rng);
    game.rules.komi =
        round_komi(&draw->settings, draw->settings.komi.mean + (double)game.komi_noise,
                   game.width * game.height, &rng);
    return (MatchBoard){game.width, game.height, game.rules};
}

uint64_t match_draw_fingerprint(const MatchDraw *draw) {
    SelfplaySettings standard;
    StrBuf text = {0};
    settings_defaults(SELFPLAY_FIELDS, &standard);
    settings_write_changed(SELFPLAY_FIELDS, &draw->settings, &standard, &text);
    uint64_t hash = strbuf_status(&text, NULL) ? 0 : hash_bytes(strbuf_text(&text), text.length, 1);
    strbuf_clear(&text);
    return hash;
}
