#include "play/match/player.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "eval/formats/net_file.h"
#include "search/result/level.h"
#include "search/tree/search_presets.h"
#include "sgf/sgf_result.h"

static Status set_net(const char *path, PlayerSpec *out, Error *err) {
    if (strlen(path) >= sizeof out->net_path)
        return fail(err, ERR_ARGUMENT, "\"%.40s...\" is too long for the name of a file", path);
    snprintf(out->net_path, sizeof out->net_path, "%s", path);
    out->random_net = strcmp(path, "uniform") == 0;
    return OK;
}

/* Whether a word without "net=" can only be a net. */
static bool is_net(const char *word) {
    if (net_file_stem(word) < strlen(word)) return true;
    return strcmp(word, "uniform") == 0 || file_exists(word);
}

static Status set_rank(const char *text, PlayerSpec *out, Error *err) {
    if (sgf_rank_parse(text) == SGF_RANK_NONE || strlen(text) >= sizeof out->rank)
        return fail(err, ERR_ARGUMENT, "\"%.20s\" is no rank such as 5k, 3d or 9p", text);
    snprintf(out->rank, sizeof out->rank, "%s", text);
    return OK;
}

/* Sets one of the settings search.*. If there is none of that name, fails with the nearest name. */
static Status set_search(const char *part, size_t key, PlayerSpec *out, Error *err) {
    static const char *const OTHERS[] = {"net",       "name",     "rank", "visits",
                                         "precision", "strength", "level"};
    const SettingsGroup groups[] = {{"search", SEARCH_FIELDS, &out->search}, {0}};
    char name[128];
    StrBuf value = {0};
    snprintf(name, sizeof name, "%.*s", (int)key, part);
    bool known = !settings_get(groups, name, &value, NULL);
    strbuf_clear(&value);
    const char *nearest = known ? NULL : nearest_word(name, OTHERS, sizeof OTHERS / sizeof *OTHERS);
    if (!nearest) return settings_assign(groups, part, err);
    return fail(err, ERR_ARGUMENT, "there is no setting \"%s\" here; did you mean %s?", name,
                nearest);
}

static Status set_part(const char *part, PlayerSpec *out, Error *err) {
    const char *equals = strchr(part, '=');
    if (!*out->net_path && (equals ? file_exists(part) : is_net(part)))
        return set_net(part, out, err);
    if (!equals && !*out->net_path)
        return fail(err, ERR_ARGUMENT,
                    "there is no file or run %.200s; a player is net=FILE,visits=N,..., random or "
                    "gtp:COMMAND",
                    part);
    if (!equals)
        return fail(
            err, ERR_SYNTAX,
            "\"%.60s\" is not KEY=VALUE; a player is net=FILE,visits=N,..., random or gtp:COMMAND",
            part);
    size_t key = (size_t)(equals - part);
    long long visits;
    if (key == 3 && strncmp(part, "net", 3) == 0) return set_net(equals + 1, out, err);
    if (key == 4 && strncmp(part, "name", 4) == 0) {
        snprintf(out->name, sizeof out->name, "%s", equals + 1);
        return OK;
    }
    if (key == 4 && strncmp(part, "rank", 4) == 0) return set_rank(equals + 1, out, err);
    if (key == 6 && strncmp(part, "visits", 6) == 0) {
        Status status = parse_int(equals + 1, "visits", 1, 1 << 24, &visits, err);
        if (!status) out->visits = (int)visits;
        return status;
    }
    if (key == 8 && strncmp(part, "strength", 8) == 0) {
        double strength;
        Status status = parse_double(equals + 1, "strength", 0, 1, &strength, err);
        if (!status) out->visits = level_set(strength, &out->search);
        return status;
    }
    if (key == 5 && strncmp(part, "level", 5) == 0) {
        if (strlen(equals + 1) >= sizeof out->level)
            return fail(err, ERR_ARGUMENT, "\"%.20s...\" is no level", equals + 1);
        snprintf(out->level, sizeof out->level, "%s", equals + 1);
        return OK;
    }
    if (key == 9 && strncmp(part, "precision", 9) == 0) {
        out->has_precision = true;
        return precision_parse(equals + 1, &out->precision, err);
    }
    return set_search(part, key, out, err);
}

/* Returns the length of the first part of `text`, which is KEY=VALUE or the name of a net's file.
 * The part ends at a comma, but not at one that belongs to the name of the file. */
static size_t part_length(const char *text) {
    size_t first = strcspn(text, ","), length = first;
    const char *path = strncmp(text, "net=", 4) == 0 ? text + 4 : text;
    while (text[length]) {
        Path name;
        int size =
            snprintf(name.text, sizeof name.text, "%.*s", (int)length - (int)(path - text), path);
        if (size < 0 || (size_t)size >= sizeof name.text) return first;
        if (file_exists(name.text)) return length;
        length += 1 + strcspn(text + length + 1, ",");
    }
    return file_exists(path) ? length : first;
}

/* Writes the name of a player to which the user gave none, such as "FILE.aji@100" or
 * "FILE.aji level 9k". The name has at most 127 bytes. */
static void name_by_net(const PlayerSpec *player, char *out) {
    if (*player->level)
        snprintf(out, sizeof player->name, "%.100s level %s", path_name(player->net_path),
                 player->level);
    else
        snprintf(out, sizeof player->name, "%.100s@%d", path_name(player->net_path),
                 player->visits);
}

static Status parse_engine(const char *text, PlayerSpec *out, Error *err) {
    out->kind = PLAYER_ENGINE;
    out->visits = 100;
    search_preset_begin(SEARCH_PRESET_PLAY, &out->search);
    search_preset_apply(SEARCH_PRESET_MATCH, &out->search);
    Status status = OK;
    for (const char *at = text; *at && !status;) {
        char part[1200];
        size_t length = *out->net_path ? strcspn(at, ",") : part_length(at);
        if (length >= sizeof part)
            return fail(err, ERR_SYNTAX, "player: \"%.40s...\" is too long", at);
        memcpy(part, at, length);
        part[length] = 0;
        status = set_part(part, out, err);
        at += length + (at[length] == ',');
    }
    if (status) return fail_within(err, status, "player \"%.80s\"", text);
    if (!*out->net_path)
        return fail(err, ERR_ARGUMENT, "player \"%.80s\": it needs net=FILE (or net=uniform)",
                    text);
    if (!*out->name) name_by_net(out, out->name);
    return OK;
}

Status player_set_net(PlayerSpec *player, const char *path, Error *err) {
    char made[sizeof player->name];
    name_by_net(player, made);
    bool is_made = strcmp(player->name, made) == 0;
    Status status = set_net(path, player, err);
    if (!status && is_made) name_by_net(player, player->name);
    return status;
}

/* Reads one "name=NAME," or "rank=RANK," that stands before "random" or "gtp:COMMAND". Sets `*text`
 * to what follows it. */
static Status read_prefix(const char **text, PlayerSpec *out, Error *err) {
    size_t length = strcspn(*text, ",") - 5;
    char value[sizeof out->name];
    snprintf(value, sizeof value, "%.*s", (int)length, *text + 5);
    bool is_rank = **text == 'r';
    *text += 5 + length + 1;
    if (is_rank) return set_rank(value, out, err);
    snprintf(out->name, sizeof out->name, "%s", value);
    return OK;
}

/* Returns what follows after "name=NAME," and "rank=RANK,". */
static const char *after_prefixes(const char *text) {
    while (strncmp(text, "name=", 5) == 0 || strncmp(text, "rank=", 5) == 0) {
        const char *comma = strchr(text, ',');
        if (!comma) break;
        text = comma + 1;
    }
    return text;
}

Status player_parse(const char *text, PlayerSpec *out, Error *err) {
    const char *whole = text, *rest = after_prefixes(text);
    memset(out, 0, sizeof *out);
    if (strcmp(rest, "random") != 0 && strncmp(rest, "gtp:", 4) != 0)
        return parse_engine(whole, out, err);
    while (text < rest) {
        Status status = read_prefix(&text, out, err);
        if (status) return status;
    }
    if (strcmp(text, "random") == 0) {
        out->kind = PLAYER_RANDOM;
        if (!*out->name) snprintf(out->name, sizeof out->name, "random");
        return OK;
    }
    out->kind = PLAYER_GTP;
    out->move_seconds = 60;
    if (!text[4] || strlen(text + 4) >= sizeof out->command)
        return fail(err, ERR_ARGUMENT,
                    "player \"%.60s\": after gtp: a command of 1 to %d characters is wanted", text,
                    (int)sizeof out->command - 1);
    snprintf(out->command, sizeof out->command, "%s", text + 4);
    if (!*out->name) snprintf(out->name, sizeof out->name, "%.120s", text + 4);
    return OK;
}

uint64_t player_fingerprint(const PlayerSpec *spec) {
    StrBuf text = {0};
    strbuf_addf(&text, "%d %s %s %d %d\n", (int)spec->kind, path_name(spec->net_path),
                spec->command, spec->visits,
                spec->has_precision ? (int)spec->precision : (int)PRECISION_AUTO);
    if (spec->kind == PLAYER_ENGINE) {
        SearchSettings standard;
        settings_defaults(SEARCH_FIELDS, &standard);
        settings_write_changed(SEARCH_FIELDS, &spec->search, &standard, &text);
    }
    uint64_t hash = strbuf_status(&text, NULL) ? 0 : hash_bytes(text.text, text.length, 1);
    strbuf_clear(&text);
    return hash;
}
