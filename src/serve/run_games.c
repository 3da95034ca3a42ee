#include "serve/run_games.h"

#include <stdlib.h>
#include <string.h>

#include "run/store/run_directory.h"
#include "sgf/sgf_game.h"

enum { FILE_BYTES_MAX = 64 << 20 };

static void add_files(const char *folder, const char *name, json_t *list) {
    Arena arena = {0};
    char **files;
    int count = 0;
    if (directory_list(folder, &arena, &files, &count, NULL)) count = 0;
    for (int i = count - 1; i >= 0 && json_array_size(list) < RUN_FILES_MAX; i--) {
        Path path;
        if (!path_has_ending(files[i], ".sgfs") || path_join(&path, folder, files[i], NULL))
            continue;
        json_array_append_new(list, json_pack("{s:s,s:s,s:I}", "folder", name, "file", files[i],
                                              "bytes", (json_int_t)file_bytes(path.text)));
    }
    arena_clear(&arena);
}

json_t *run_games_files(const char *run) {
    RunDirectory directory;
    Arena arena = {0};
    char **names;
    int count = 0;
    json_t *list = json_array();
    if (run_directory_name(run, &directory, NULL) ||
        directory_list(directory.games.text, &arena, &names, &count, NULL))
        count = 0;
    for (int i = count - 1; i >= 0 && json_array_size(list) < RUN_FILES_MAX; i--) {
        Path folder;
        if (!path_join(&folder, directory.games.text, names[i], NULL))
            add_files(folder.text, names[i], list);
    }
    arena_clear(&arena);
    return list;
}

/* Whether a directory has a file of this name. Such a name cannot lead out of the directory. */
static bool has_name(const char *directory, const char *name) {
    Arena arena = {0};
    char **names;
    int count = 0;
    bool found = false;
    if (directory_list(directory, &arena, &names, &count, NULL)) count = 0;
    for (int i = 0; i < count && !found; i++)
        found = strcmp(names[i], name) == 0;
    arena_clear(&arena);
    return found;
}

/* Reads a file of games. */
static bool read_games(const char *run, const char *folder, const char *file, Arena *arena,
                       char **text, Fault *fault) {
    RunDirectory directory;
    Path inner, path;
    size_t length;
    Error err = {0};
    if (run_directory_name(run, &directory, NULL) || !has_name(directory.games.text, folder) ||
        path_join(&inner, directory.games.text, folder, NULL) || !path_has_ending(file, ".sgfs") ||
        !has_name(inner.text, file) || path_join(&path, inner.text, file, NULL))
        return fault_set(fault, "no_game", "file", "The run has no such file of games.");
    if (!file_read(path.text, FILE_BYTES_MAX, arena, text, &length, &err)) return true;
    return fault_set(fault, "bad_file", "file", "The games cannot be read: %s", err.message);
}

static json_t *game_json(const char *line, int index) {
    SgfGame game;
    if (sgf_game_parse(line, strlen(line), NULL, &game, NULL)) return NULL;
    json_t *object = json_pack("{s:i,s:i,s:i,s:I,s:s,s:s,s:s}", "index", index, "width", game.width,
                               "height", game.height, "moves", (json_int_t)game.move_count,
                               "result", game.result, "black", game.black, "white", game.white);
    sgf_game_clear(&game);
    return object;
}

/* Cuts the text into lines. Returns the next one, and moves `*rest` behind it; NULL at the end. */
static char *next_line(char **rest) {
    char *line = *rest, *end = strchr(line, '\n');
    if (!*line) return NULL;
    *rest = end ? end + 1 : line + strlen(line);
    if (end) *end = 0;
    return line;
}

json_t *run_games_lines(const char *run, const char *folder, const char *file, int first, int lines,
                        int *next, Fault *fault) {
    Arena arena = {0};
    char *rest, *line = NULL;
    json_t *list = NULL;
    if (read_games(run, folder, file, &arena, &rest, fault)) {
        list = json_array();
        int index = 0;
        while (index - first < lines && (line = next_line(&rest))) {
            json_t *game = index >= first ? game_json(line, index) : NULL;
            if (game) json_array_append_new(list, game);
            index++;
        }
        *next = line && *rest ? index : -1;
    }
    arena_clear(&arena);
    return list;
}

json_t *run_games_list(const char *run, const char *folder, const char *file, Fault *fault) {
    int next;
    json_t *list = run_games_lines(run, folder, file, 0, RUN_GAMES_MAX, &next, fault);
    return list ? json_pack("{s:o}", "games", list) : NULL;
}

json_t *run_games_sgf(const char *run, const char *folder, const char *file, int index,
                      Fault *fault) {
    Arena arena = {0};
    char *rest, *line = NULL;
    json_t *answer = NULL;
    if (read_games(run, folder, file, &arena, &rest, fault)) {
        for (int i = 0; i <= index && (line = next_line(&rest)); i++)
            continue;
        if (line)
            answer = json_pack("{s:s}", "sgf", line);
        else
            fault_set(fault, "no_game", "index", "The file has no such game.");
    }
    arena_clear(&arena);
    return answer;
}
