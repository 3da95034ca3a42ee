/* 1. If the game waits for the engine, games_changed() and games_watch() send the engine a query
 *    (ask_engine()). The id of the query is a number that no other query has. While the engine's
 *    net is being loaded, games_tend() asks again and again.
 * 2. A worker of the engine calls take_answer(), which adds the answer to the list
 *    games->mail and wakes the thread of the table.
 * 3. games_tend() passes each answer to the game that waits for it. If a move was taken back
 *    meanwhile, no game waits for the answer any more. games_tend() also asks the saver which files
 *    have been written. */
#include "serve/games/games.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "base/settings.h"
#include "base/system_random.h"
#include "serve/games/saver.h"

enum { GAME_FILE_BYTES_MAX = 1 << 17 };

struct GameEntry {
    Games *games;
    Game *game;
    char name[GAME_NAME_LENGTH + 1];
    Engine *engine;
    EngineClient client;
    bool asks;       /* the engine could not take the query yet */
    uint64_t search; /* the number of the query that the game waits for; 0: none */
    uint64_t used;   /* games->uses when it was last used */
    int64_t changed; /* in seconds since 1970 */
    char error[400]; /* why the game could not be saved; "": nothing failed */
    GameViewer **viewers;
    size_t viewer_count, viewer_capacity;
};

/* An answer of the engine. */
typedef struct Mail {
    struct Mail *next;
    uint64_t search;
    json_t *answer;
} Mail;

struct Games {
    GamesSetup setup;
    Rng rng;
    GameEntry *entries[GAMES_MAX];
    int count;
    uint64_t uses, searches;
    Saver *saver; /* NULL after games_stop() */
    pthread_mutex_t lock;
    Mail *mail; /* the newest first; guarded by lock */
};

static uint64_t search_of(const json_t *answer) {
    const char *id = json_string_value(json_object_get(answer, "id"));
    long long number;
    return id && !parse_int(id, "id", 1, INT64_MAX, &number, NULL) ? (uint64_t)number : 0;
}

/* AnalysisClient.write: a worker of the engine has an answer. */
static bool take_answer(void *context, const char *line, size_t length) {
    GameEntry *entry = context;
    Games *games = entry->games;
    json_t *answer = NULL;
    Mail *mail = NULL;
    bool good = !json_parse(line, length, &answer, NULL);
    bool warning = good && json_object_get(answer, "warning");
    good = good && (warning || !mem_new(1, sizeof *mail, &mail, NULL));
    if (mail) {
        *mail = (Mail){.search = search_of(answer), .answer = json_incref(answer)};
        pthread_mutex_lock(&games->lock);
        mail->next = games->mail;
        games->mail = mail;
        pthread_mutex_unlock(&games->lock);
    }
    json_decref(answer);
    games->setup.wake(games->setup.context);
    return good;
}

/* Sends the engine a query, if the game waits for the engine and no query of the game is under
 * way. */
static void ask_engine(Games *games, GameEntry *entry) {
    char id[24];
    Fault fault = {0};
    if (entry->search || !game_is_waiting(entry->game)) return;
    snprintf(id, sizeof id, "%llu", (unsigned long long)games->searches + 1);
    json_t *query = game_query(entry->game, id);
    char *line = query ? json_dumps(query, JSON_COMPACT) : NULL;
    json_decref(query);
    if (!line) fault_set(&fault, "no_memory", NULL, "There is no memory to ask the engine.");
    /* An answer may come before this returns. */
    LineAnswer answer =
        line ? engine_line(entry->engine, &entry->client, line, &fault) : LINE_REFUSED;
    free(line);
    entry->asks = answer == LINE_WAITS;
    if (answer == LINE_TAKEN) entry->search = ++games->searches;
    if (answer == LINE_REFUSED) game_engine_failed(entry->game, fault.message);
}

static void stop_search(GameEntry *entry) {
    entry->asks = false;
    if (!entry->search) return;
    engine_leave(&entry->client);
    entry->client.client = (AnalysisClient){.write = take_answer, .context = entry};
    entry->search = 0;
}

typedef struct {
    char text[GAME_NAME_LENGTH + 8];
} FileName;

static FileName file_name(const char *name) {
    FileName file;
    snprintf(file.text, sizeof file.text, "%s.sgf", name);
    return file;
}

/* Notes whether the game is in its file. Returns true if its state has changed by this. */
static bool note_saved(GameEntry *entry, Status status, const Error *err) {
    char before[sizeof entry->error];
    memcpy(before, entry->error, sizeof before);
    entry->error[0] = 0;
    if (status)
        snprintf(entry->error, sizeof entry->error, "The game cannot be saved: %.300s",
                 err->message);
    return strcmp(before, entry->error) != 0;
}

/* Passes the game to the saver. games_tend() learns later whether it was written. */
static void save(Games *games, GameEntry *entry) {
    StrBuf text = {0};
    Error err = {0};
    FileName file = file_name(entry->name);
    Status status = game_write(entry->game, &text, &err);
    if (!status) status = saver_put(games->saver, file.text, text.text, text.length, &err);
    if (status) (void)note_saved(entry, status, &err);
    strbuf_clear(&text);
}

static void free_entry(GameEntry *entry) {
    if (!entry) return;
    stop_search(entry);
    engine_leave(&entry->client);
    game_free(entry->game);
    free(entry->viewers);
    free(entry);
}

/* If the table is full, drops the game that was used longest ago. A game stays while somebody
 * watches it, the engine searches for it, it waits to ask the engine, or it is not in its file. */
static bool make_room(Games *games, Fault *fault) {
    int oldest = -1;
    if (games->count < GAMES_MAX) return true;
    for (int i = 0; i < games->count; i++) {
        const GameEntry *entry = games->entries[i];
        if (entry->search || entry->asks || entry->viewer_count || *entry->error ||
            saver_is_busy(games->saver, file_name(entry->name).text))
            continue;
        if (oldest < 0 || entry->used < games->entries[oldest]->used) oldest = i;
    }
    if (oldest < 0)
        return fault_set(
            fault, "too_many_games", NULL,
            "The server has %d games in memory, which is the maximum, and all of them are in use. "
            "Try again later.",
            (int)GAMES_MAX);
    free_entry(games->entries[oldest]);
    games->entries[oldest] = games->entries[--games->count];
    return true;
}

/* Chooses the engine of a game. If the net of the game is not there any more, takes the net that
 * fits the board. */
static void choose_engine(const Games *games, GameEntry *entry) {
    Game *game = entry->game;
    const char *net = game_net(game);
    entry->engine = *net ? engines_find(games->setup.engines, net) : NULL;
    if (entry->engine) return;
    int width, height;
    game_size(game, &width, &height);
    entry->engine = engines_fitting(games->setup.engines, width, height);
    const ServedNet *other = engine_net(entry->engine);
    game_set_net(game, other->id, *net && game_phase(game) != PHASE_OVER ? other->title : NULL);
}

/* Adds a game, which the table then owns. */
static GameEntry *add(Games *games, Game *game, const char *name, Fault *fault) {
    GameEntry *entry = NULL;
    if (!make_room(games, fault) || mem_new(1, sizeof *entry, &entry, NULL)) {
        if (!fault->code) fault_set(fault, "no_memory", NULL, "The server has no memory for this.");
        game_free(game);
        return NULL;
    }
    entry->games = games;
    entry->game = game;
    entry->client.client = (AnalysisClient){.write = take_answer, .context = entry};
    choose_engine(games, entry);
    snprintf(entry->name, sizeof entry->name, "%s", name);
    entry->changed = (int64_t)time(NULL);
    entry->used = ++games->uses;
    games->entries[games->count++] = entry;
    return entry;
}

Status games_new(const GamesSetup *setup, Games **out, Error *err) {
    Games *games;
    uint64_t seed;
    *out = NULL;
    Status status = system_random(&seed, sizeof seed, err);
    if (!status) status = mem_new(1, sizeof *games, &games, err);
    if (status) return status;
    games->setup = *setup;
    games->rng = rng_seeded(seed);
    pthread_mutex_init(&games->lock, NULL);
    status = saver_new(
        &(SaverSetup){.folder = setup->folder, .wake = setup->wake, .context = setup->context},
        &games->saver, err);
    if (status)
        games_free(games);
    else
        *out = games;
    return status;
}

void games_stop(Games *games) {
    for (int i = 0; i < games->count; i++) {
        stop_search(games->entries[i]);
        if (*games->entries[i]->error && games->saver) save(games, games->entries[i]);
    }
    saver_free(games->saver);
    games->saver = NULL;
}

static Mail *take_mail(Games *games) {
    Mail *in_order = NULL;
    pthread_mutex_lock(&games->lock);
    Mail *mail = games->mail;
    games->mail = NULL;
    pthread_mutex_unlock(&games->lock);
    while (mail) {
        Mail *next = mail->next;
        mail->next = in_order;
        in_order = mail;
        mail = next;
    }
    return in_order;
}

static void free_mail(Mail *mail) {
    json_decref(mail->answer);
    free(mail);
}

void games_free(Games *games) {
    if (!games) return;
    games_stop(games);
    while (games->count)
        free_entry(games->entries[--games->count]);
    for (Mail *mail = take_mail(games), *next; mail; mail = next) {
        next = mail->next;
        free_mail(mail);
    }
    pthread_mutex_destroy(&games->lock);
    free(games);
}

GameEntry *games_begin(Games *games, const GameSetup *setup, GameViewer *viewer, Fault *fault) {
    char name[GAME_NAME_LENGTH + 1];
    GameSetup own = *setup;
    Engines *engines = games->setup.engines;
    const Engine *engine = setup->net ? engines_find(engines, setup->net)
                                      : engines_fitting(engines, setup->width, setup->height);
    if (!engine) {
        fault_set(fault, "no_net", "net", "This server has no net %.100s.", setup->net);
        return NULL;
    }
    own.net = engine_net(engine)->id;
    own.engine = engine_net(engine)->title;
    if (system_random_hex(name, GAME_NAME_LENGTH / 2, NULL)) {
        fault_set(fault, "no_name", NULL, "The system has no random numbers for the game's name.");
        return NULL;
    }
    Game *game = game_new(&own, fault);
    GameEntry *entry = game ? add(games, game, name, fault) : NULL;
    if (!entry) return NULL;
    if (viewer && !games_watch(entry, viewer, fault)) {
        free_entry(games->entries[--games->count]); /* the game, which was added last */
        return NULL;
    }
    ask_engine(games, entry);
    save(games, entry);
    return entry;
}

static bool is_name(const char *name) {
    return strlen(name) == GAME_NAME_LENGTH && strspn(name, "0123456789abcdef") == GAME_NAME_LENGTH;
}

/* Finds the time of the last change of a game's file. Returns false if there is no such file. */
static bool find_file(const Games *games, const char *name, Path *path, int64_t *changed) {
    struct stat info;
    if (path_join(path, games->setup.folder, file_name(name).text, NULL) ||
        stat(path->text, &info) || !S_ISREG(info.st_mode))
        return false;
    *changed = (int64_t)info.st_mtime;
    return true;
}

/* Reads a game from its file. ERR_ARGUMENT: there is no such file. */
static Status read_file(const Games *games, const char *name, Game **out, int64_t *changed,
                        Error *err) {
    Arena arena = {0};
    char *text;
    size_t length;
    Path path;
    Status status = OK;
    *out = NULL;
    if (!find_file(games, name, &path, changed))
        status = fail(err, ERR_ARGUMENT, "there is no such game");
    if (!status) status = file_read(path.text, GAME_FILE_BYTES_MAX, &arena, &text, &length, err);
    if (!status) status = game_read(text, length, out, err);
    arena_clear(&arena);
    return status;
}

static GameEntry *find_in_memory(const Games *games, const char *name) {
    for (int i = 0; i < games->count; i++) {
        if (strcmp(games->entries[i]->name, name) == 0) return games->entries[i];
    }
    return NULL;
}

GameEntry *games_find(Games *games, const char *name, Fault *fault) {
    Error err = {0};
    Game *game = NULL;
    int64_t changed = 0;
    GameEntry *entry = find_in_memory(games, name);
    if (entry) {
        entry->used = ++games->uses;
        return entry;
    }
    Status status = is_name(name) ? read_file(games, name, &game, &changed, &err) : ERR_ARGUMENT;
    if (status == ERR_ARGUMENT)
        fault_set(fault, "no_game", "game", "There is no such game on this server.");
    else if (status)
        fault_set(fault, "bad_file", "game", "The file %s.sgf of the game cannot be used: %s", name,
                  err.message);
    if (game) entry = add(games, game, name, fault);
    if (entry) entry->changed = changed;
    return entry;
}

bool games_write(const Games *games, const char *name, StrBuf *out) {
    const GameEntry *entry = find_in_memory(games, name);
    Game *game = NULL;
    int64_t changed;
    if (entry) return !game_write(entry->game, out, NULL);
    bool good = is_name(name) && !read_file(games, name, &game, &changed, NULL) &&
                !game_write(game, out, NULL);
    game_free(game);
    return good;
}

const char *games_name(const GameEntry *entry) {
    return entry->name;
}

const Engine *games_engine(const GameEntry *entry) {
    return entry->engine;
}

Game *games_game(GameEntry *entry) {
    return entry->game;
}

json_t *games_state(const GameEntry *entry) {
    return game_state(entry->game, *entry->error ? entry->error : NULL);
}

/* The message to those who watch the game. The caller frees it. NULL: no memory. */
static char *state_text(const GameEntry *entry) {
    json_t *message = json_pack("{s:s,s:s,s:o}", "topic", "game", "game", entry->name, "state",
                                games_state(entry));
    char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
    json_decref(message);
    return text;
}

void games_show(const GameEntry *entry, const GameViewer *viewer) {
    char *text = state_text(entry);
    if (text) viewer->send(viewer->context, text, strlen(text));
    free(text);
}

static void show_all(const GameEntry *entry) {
    char *text = entry->viewer_count ? state_text(entry) : NULL;
    for (size_t i = 0; i < entry->viewer_count && text; i++)
        entry->viewers[i]->send(entry->viewers[i]->context, text, strlen(text));
    free(text);
}

void games_changed(Games *games, GameEntry *entry, bool position) {
    if (position) stop_search(entry);
    ask_engine(games, entry);
    entry->changed = (int64_t)time(NULL);
    save(games, entry);
    show_all(entry);
}

bool games_watch(GameEntry *entry, GameViewer *viewer, Fault *fault) {
    ask_engine(entry->games, entry);
    for (size_t i = 0; i < entry->viewer_count; i++) {
        if (entry->viewers[i] == viewer) return true;
    }
    games_leave(entry->games, viewer);
    if (mem_grow(&entry->viewers, &entry->viewer_capacity, entry->viewer_count + 1,
                 sizeof *entry->viewers, NULL))
        return fault_set(fault, "no_memory", NULL, "The server has no memory for this.");
    entry->viewers[entry->viewer_count++] = viewer;
    return true;
}

void games_retry(Games *games, GameEntry *entry) {
    if (game_retry(entry->game))
        games_changed(games, entry, true);
    else if (*entry->error)
        save(games, entry);
}

void games_leave(Games *games, const GameViewer *viewer) {
    for (int i = 0; i < games->count; i++) {
        GameEntry *entry = games->entries[i];
        size_t kept = 0;
        for (size_t k = 0; k < entry->viewer_count; k++) {
            if (entry->viewers[k] != viewer) entry->viewers[kept++] = entry->viewers[k];
        }
        entry->viewer_count = kept;
    }
}

/* Passes the engine's answers to the games that wait for them. */
static void tend_searches(Games *games) {
    const GameEngine engine = {games->setup.search, games->setup.resign, &games->rng};
    for (Mail *mail = take_mail(games), *next; mail; mail = next) {
        next = mail->next;
        for (int i = 0; i < games->count; i++) {
            GameEntry *entry = games->entries[i];
            if (!mail->search || entry->search != mail->search) continue;
            game_take_answer(entry->game, mail->answer, &engine);
            games_changed(games, entry, true);
        }
        free_mail(mail);
    }
    for (int i = 0; i < games->count; i++) {
        GameEntry *entry = games->entries[i];
        if (entry->search && analysis_client_is_broken(&entry->client.client)) {
            game_engine_failed(entry->game, "There is no memory for the engine's answer.");
            games_changed(games, entry, true);
        } else if (entry->asks) {
            ask_engine(games, entry);
            /* The game has stopped waiting, because the engine cannot be used. */
            if (!game_is_waiting(entry->game)) show_all(entry);
        }
    }
}

void games_tend(Games *games) {
    Saved saved;
    tend_searches(games);
    while (saver_take(games->saver, &saved)) {
        saved.name[GAME_NAME_LENGTH] = 0; /* the name without ".sgf" */
        GameEntry *entry = find_in_memory(games, saved.name);
        if (entry && note_saved(entry, saved.status, &saved.err)) show_all(entry);
    }
}

typedef struct {
    char name[GAME_NAME_LENGTH + 1];
    int64_t changed;
} Listed;

static int compare_listed(const void *a, const void *b) {
    const Listed *x = a, *y = b;
    if (x->changed != y->changed) return x->changed > y->changed ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void add_listed(const Games *games, const Listed *listed, json_t *list) {
    Game *game = NULL;
    int64_t changed;
    const GameEntry *entry = find_in_memory(games, listed->name);
    if (!entry && read_file(games, listed->name, &game, &changed, NULL)) return;
    json_t *summary = game_summary(entry ? entry->game : game);
    if (summary) {
        json_object_set_new(summary, "game", json_string(listed->name));
        json_object_set_new(summary, "changed", json_integer(listed->changed));
        json_array_append_new(list, summary);
    }
    game_free(game);
}

/* Lists the games in memory and then those that are only in files. Returns how many. */
static size_t find_listed(const Games *games, char *const *files, int file_count, Listed *out) {
    size_t count = 0;
    for (int i = 0; i < games->count; i++) {
        Listed *listed = &out[count++];
        memcpy(listed->name, games->entries[i]->name, sizeof listed->name);
        listed->changed = games->entries[i]->changed;
    }
    for (int i = 0; i < file_count; i++) {
        Listed listed = {.name = ""};
        Path path;
        if (!path_has_ending(files[i], ".sgf") || strlen(files[i]) != GAME_NAME_LENGTH + 4)
            continue;
        memcpy(listed.name, files[i], GAME_NAME_LENGTH);
        if (!is_name(listed.name) || find_in_memory(games, listed.name) ||
            !find_file(games, listed.name, &path, &listed.changed))
            continue;
        out[count++] = listed;
    }
    return count;
}

int games_count(const Games *games) {
    return games->count;
}

json_t *games_list(Games *games) {
    Arena arena = {0};
    char **files = NULL;
    int file_count = 0;
    Listed *listed;
    json_t *list = json_array();
    (void)!directory_list(games->setup.folder, &arena, &files, &file_count, NULL);
    if (!mem_new((size_t)(games->count + file_count) + 1, sizeof *listed, &listed, NULL)) {
        size_t count = find_listed(games, files, file_count, listed);
        qsort(listed, count, sizeof *listed, compare_listed);
        for (size_t i = 0; i < count && i < GAMES_LISTED; i++)
            add_listed(games, &listed[i], list);
    }
    free(listed);
    arena_clear(&arena);
    return list;
}
