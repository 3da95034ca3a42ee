#include "protocol/session/sgf_shapes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/log.h"
#include "sgf/sgf_game.h"

#define CODE "KataGo, cpp/configs/gtp_example.cfg"

const SettingsField SHAPE_FIELDS[] = {
    FIELD_DOUBLE(ShapeSettings, utility, 0, -3, 3,
                 "utility that a move loses if it makes a local shape of the games in "
                 "shapes.folder, in either color; below 0: such moves are sought; KataGo's "
                 "example: 0.001",
                 .source = CODE, .alias = "avoidSgfPatternUtility"),
    FIELD_TEXT(ShapeSettings, folder, "",
               "folder of SGF files whose local shapes are avoided, or one file", .source = CODE,
               .alias = "avoidSgfPatternDirs"),
    FIELD_DOUBLE(ShapeSettings, decay, 1, 0, 1,
                 "the utility of a file's shapes is shapes.utility, multiplied by this factor once "
                 "for each newer file",
                 .source = CODE, .alias = "avoidSgfPatternLambda"),
    FIELD_INT(ShapeSettings, first_turn, 0, 0, 1000000,
              "turn before which moves of the games in shapes.folder are ignored", .source = CODE,
              .alias = "avoidSgfPatternMinTurnNumber"),
    FIELD_INT(ShapeSettings, files, 1000000, 1, 1000000,
              "maximum number of files; the newest are read", .source = CODE,
              .alias = "avoidSgfPatternMaxFiles"),
    FIELD_TEXT(ShapeSettings, players, "",
               "names of players whose moves count, separated by commas; empty: all players",
               .source = CODE, .alias = "avoidSgfPatternAllowedNames"),
    {0},
};

typedef struct {
    Path path;
    int64_t seconds; /* time of its last change, since 1970 */
} ShapeFile;

static int newest_first(const void *a, const void *b) {
    const ShapeFile *x = a, *y = b;
    if (x->seconds != y->seconds) return x->seconds < y->seconds ? 1 : -1;
    return strcmp(x->path.text, y->path.text);
}

static bool stat_path(const char *path, bool *folder, int64_t *seconds) {
    struct stat status;
    if (stat(path, &status)) return false;
    *folder = S_ISDIR(status.st_mode);
    *seconds = (int64_t)status.st_mtime;
    return true;
}

static bool is_sgf_name(const char *name) {
    return path_has_ending(name, ".sgf") || path_has_ending(name, ".SGF");
}

/* Lists the .sgf files of a folder, newest first. */
static Status list_folder(const char *folder, Arena *arena, ShapeFile **out, int *count,
                          Error *err) {
    char **names;
    int all = 0;
    Status status = directory_list(folder, arena, &names, &all, err);
    *out = status ? NULL : arena_alloc(arena, mem_array_bytes((size_t)all + 1, sizeof **out));
    if (status) return status;
    if (!*out) return fail(err, ERR_MEMORY, "no memory for the names in %s", folder);
    for (int i = 0; i < all; i++) {
        ShapeFile *file = &(*out)[*count];
        bool is_folder = false;
        if (!is_sgf_name(names[i])) continue;
        status = path_join(&file->path, folder, names[i], err);
        if (status) return status;
        if (!stat_path(file->path.text, &is_folder, &file->seconds))
            log_warning("%s cannot be accessed and is skipped", file->path.text);
        else if (!is_folder)
            ++*count;
    }
    qsort(*out, (size_t)*count, sizeof **out, newest_first);
    return OK;
}

/* Whether `name` is in a list like "a, b". An empty list holds all names. */
static bool name_is_listed(const char *list, const char *name) {
    bool empty = !*list;
    while (*list) {
        list += strspn(list, ", ");
        size_t all = strcspn(list, ","), length = all;
        while (length && list[length - 1] == ' ')
            length--;
        if (length && strlen(name) == length && strncmp(name, list, length) == 0) return true;
        list += all;
    }
    return empty;
}

static Status add_game(const ShapeSettings *settings, const SgfGame *game, double utility,
                       RepeatTable *out, Error *err) {
    Position position = {0};
    bool counts[3] = {false, name_is_listed(settings->players, game->black),
                      name_is_listed(settings->players, game->white)};
    Status status = sgf_game_start(game, &position, err);
    for (size_t i = 0; i < game->move_count && !status; i++) {
        const SgfMove *move = &game->moves[i];
        Board before = position.board;
        bool skipped = move->comment && strstr(move->comment, "%SKIP%");
        status = sgf_game_replay(game, &position, (int)i, (int)i + 1, err);
        if (!status && !skipped && counts[move->move.color] && (int)i + 1 >= settings->first_turn)
            repeats_add(out, &before, move->move, utility, true);
    }
    position_clear(&position);
    repeats_end_game(out);
    return status;
}

static void add_file(const ShapeSettings *settings, const ShapeFile *file, double utility,
                     RepeatTable *out, int *games) {
    SgfGame game = {0};
    Error err = {0};
    Status status = sgf_game_load(file->path.text, NULL, &game, &err);
    if (!status) status = add_game(settings, &game, utility, out, &err);
    if (status)
        log_warning("%s", err.message);
    else
        ++*games;
    sgf_game_clear(&game);
}

Status sgf_shapes_read(const ShapeSettings *settings, RepeatTable *out, int *games, Error *err) {
    Arena arena = {0};
    ShapeFile one, *files = &one;
    bool folder = false;
    int count = 0;
    double utility = settings->utility;
    *games = 0;
    if (utility == 0 || !*settings->folder) return OK;
    if (!stat_path(settings->folder, &folder, &one.seconds))
        return fail(err, ERR_IO, "shapes.folder: there is no folder or file %s", settings->folder);
    Status status = path_join(&one.path, settings->folder, "", err);
    count = !status && !folder;
    if (!status && folder) status = list_folder(settings->folder, &arena, &files, &count, err);
    for (int i = 0; i < count && i < settings->files && !status; i++) {
        add_file(settings, &files[i], utility, out, games);
        utility *= settings->decay;
    }
    arena_clear(&arena);
    return status;
}
