#include "play/match/opponents.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sections.h"

typedef struct {
    char spec[SETTINGS_TEXT_SIZE], elo[SETTINGS_TEXT_SIZE];
} Entry;

static const SettingsField PLAYER_FIELDS[] = {
    FIELD_TEXT(Entry, spec, "", "who plays, as in aji match"),
    FIELD_TEXT(Entry, elo, "",
               "the rating that is kept fixed; empty: unknown, fitted from the games"),
    {0},
};

const SettingsField LADDER_FIELDS[] = {
    FIELD_INT(LadderSettings, size, 7, 2, 19, "board size of all games"),
    FIELD_TEXT(LadderSettings, rules, "chinese", "rules of all games"),
    FIELD_DOUBLE(LadderSettings, komi, 7.5, -400, 400, "komi of all games"),
    FIELD_INT(LadderSettings, opening, 2, 0, 100, "random moves at the start of each game"),
    {0},
};

static Status read_player(const Section *section, const char *path, PlayerSpec *player, double *elo,
                          Error *err) {
    Entry entry;
    const SettingsGroup groups[] = {{"player", PLAYER_FIELDS, &entry}, {0}};
    settings_defaults(PLAYER_FIELDS, &entry);
    Status status = settings_parse_from(groups, section->text, path, section->line, err);
    if (status) return status;
    status = player_parse(entry.spec, player, err);
    snprintf(player->name, sizeof player->name, "%s", section->name);
    *elo = HUGE_VAL;
    if (!status && *entry.elo) status = parse_double(entry.elo, "player.elo", -1e5, 1e5, elo, err);
    return status ? fail_within(err, status, "%s:%d: [%s]", path, section->line, section->name)
                  : OK;
}

Status ladder_load(const char *path, Ladder *out, Error *err) {
    Arena arena = {0};
    Section *sections;
    int count = 0;
    *out = (Ladder){0};
    const SettingsGroup groups[] = {{"ladder", LADDER_FIELDS, &out->settings}, {0}};
    settings_defaults(LADDER_FIELDS, &out->settings);
    Status status = sections_load(path, &arena, &sections, &count, err);
    if (!status) status = settings_parse(groups, sections[0].text, path, err);
    if (!status) {
        status = rules_parse(out->settings.rules, &out->rules, err);
        if (status) fail_within(err, status, "%s", path);
    }
    if (!status && !rules_komi_is_valid(out->settings.komi))
        status = fail(err, ERR_ARGUMENT, "%s: ladder.komi is %s, not a multiple of 1/2", path,
                      number_text(out->settings.komi).text);
    out->rules.komi = (float)out->settings.komi;
    if (!status && count < 2)
        status = fail(err, ERR_SYNTAX,
                      "%s names no player; the section of a player begins with [NAME]", path);
    if (!status) status = mem_new((size_t)count, sizeof *out->players, &out->players, err);
    if (!status) status = mem_new((size_t)count, sizeof *out->elo, &out->elo, err);
    for (int i = 1; i < count && !status; i++, out->count++)
        status = read_player(&sections[i], path, &out->players[i - 1], &out->elo[i - 1], err);
    arena_clear(&arena);
    if (status) ladder_clear(out);
    return status;
}

void ladder_clear(Ladder *ladder) {
    free(ladder->players);
    free(ladder->elo);
    *ladder = (Ladder){0};
}
