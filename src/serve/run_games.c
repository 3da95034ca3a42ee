#include "serve/run_games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

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

/* A file of games that is read line by line. */
typedef struct {
    Path path;
    FileReader file;
    char *line;
    size_t capacity; /* of `line` */
    int64_t byte;    /* how much of the file was read */
} GamesFile;

static bool open_games(const char *run, const char *folder, const char *file, GamesFile *out,
                       Fault *fault) {
    RunDirectory directory;
    Path inner;
    Error err = {0};
    *out = (GamesFile){.line = NULL};
    if (run_directory_name(run, &directory, NULL) || !has_name(directory.games.text, folder) ||
        path_join(&inner, directory.games.text, folder, NULL) || !path_has_ending(file, ".sgfs") ||
        !has_name(inner.text, file) || path_join(&out->path, inner.text, file, NULL))
        return fault_set(fault, "no_game", "file", "The run has no such file of games.");
    int64_t bytes = file_bytes(out->path.text);
    if (bytes > FILE_BYTES_MAX)
        return fault_set(fault, "bad_file", "file", "The games cannot be read: %s has %lld bytes",
                         out->path.text, (long long)bytes);
    if (!file_reader_open(out->path.text, &out->file, &err)) return true;
    return fault_set(fault, "bad_file", "file", "The games cannot be read: %s", err.message);
}

static void close_games(GamesFile *games) {
    file_reader_close(&games->file);
    free(games->line);
}

/* Returns the next line without its end; NULL: there is none. */
static const char *next_line(GamesFile *games) {
    ssize_t length = getline(&games->line, &games->capacity, games->file.stream);
    if (length <= 0) return NULL;
    games->byte += length;
    if (games->line[length - 1] == '\n') games->line[length - 1] = 0;
    return games->line;
}

static bool has_more(const GamesFile *games) {
    int next = getc(games->file.stream);
    return next != EOF && ungetc(next, games->file.stream) != EOF;
}

/* Moves to the line at which the place is. */
static void go_to(GamesFile *games, const GamesPlace *place) {
    if (place->byte && fseeko(games->file.stream, (off_t)place->byte, SEEK_SET) == 0) {
        games->byte = place->byte;
        return;
    }
    for (int i = 0; i < place->line && next_line(games); i++)
        continue;
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

json_t *run_games_lines(const char *run, const char *folder, const char *file, GamesPlace *place,
                        int lines, Fault *fault) {
    GamesFile games;
    const char *line = NULL;
    json_t *list = NULL;
    if (open_games(run, folder, file, &games, fault)) {
        list = json_array();
        go_to(&games, place);
        int index = place->line, end = lines < INT32_MAX - index ? index + lines : INT32_MAX;
        for (; index < end && (line = next_line(&games)); index++) {
            json_t *game = game_json(line, index);
            if (game) json_array_append_new(list, game);
        }
        *place = line && has_more(&games) ? (GamesPlace){index, games.byte} : GAMES_PLACE_END;
        if (!line && index < end && !feof(games.file.stream)) {
            fault_set(fault, "bad_file", "file", "The games cannot be read: %s", games.path.text);
            json_decref(list);
            list = NULL;
        }
    }
    close_games(&games);
    return list;
}

json_t *run_games_list(const char *run, const char *folder, const char *file, Fault *fault) {
    GamesPlace place = {0};
    json_t *list = run_games_lines(run, folder, file, &place, RUN_GAMES_MAX, fault);
    return list ? json_pack("{s:o}", "games", list) : NULL;
}

json_t *run_games_sgf(const char *run, const char *folder, const char *file, int index,
                      Fault *fault) {
    GamesFile games;
    json_t *answer = NULL;
    if (open_games(run, folder, file, &games, fault)) {
        go_to(&games, &(GamesPlace){.line = index});
        const char *line = next_line(&games);
        if (line)
            answer = json_pack("{s:s}", "sgf", line);
        else
            fault_set(fault, "no_game", "index", "The file has no such game.");
    }
    close_games(&games);
    return answer;
}
