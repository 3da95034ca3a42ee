#include "run/rating/rate_pool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "run/store/index/net_index.h"
#include "run/store/index/run_index.h"
#include "run/store/run_config.h"
#include "run/store/run_directory.h"
#include "sgf/sgf_game.h"

enum { MATRIX_MAX = 40 };

void rate_pool_clear(RatePool *pool) {
    for (int i = 0; i < pool->players; i++)
        free(pool->names[i]);
    free(pool->names);
    free(pool->games);
    *pool = (RatePool){0};
}

int rate_pool_find(const RatePool *pool, const char *name) {
    for (int i = 0; i < pool->players; i++) {
        if (strcmp(pool->names[i], name) == 0) return i;
    }
    return -1;
}

int rate_pool_get_player(RatePool *pool, const char *name) {
    int found = rate_pool_find(pool, name);
    if (found >= 0) return found;
    char *copy;
    if (mem_grow(&pool->names, &pool->name_capacity, (size_t)pool->players + 1, sizeof *pool->names,
                 NULL) ||
        mem_new(strlen(name) + 1, 1, &copy, NULL))
        return -1;
    memcpy(copy, name, strlen(name) + 1);
    pool->names[pool->players] = copy;
    return pool->players++;
}

Status rate_pool_add(RatePool *pool, const NamedGames *games, Error *err) {
    int i = rate_pool_get_player(pool, games->first), j = rate_pool_get_player(pool, games->second);
    if (i < 0 || j < 0) return fail(err, ERR_MEMORY, "no room for the names of players");
    if (i == j) return OK;
    for (int k = 0; k < pool->pairs; k++) {
        EloGames *g = &pool->games[k];
        bool same = g->first == i && g->second == j, reversed = g->first == j && g->second == i;
        if (!same && !reversed) continue;
        g->wins += same ? games->wins : games->losses;
        g->losses += same ? games->losses : games->wins;
        g->draws += games->draws;
        return OK;
    }
    Status status = mem_grow(&pool->games, &pool->pair_capacity, (size_t)pool->pairs + 1,
                             sizeof *pool->games, err);
    if (!status)
        pool->games[pool->pairs++] = (EloGames){i, j, games->wins, games->draws, games->losses};
    return status;
}

typedef struct {
    char text[160];
} NetName;

/* The name of a net, like "000042-1a2b3c4d.aji@16". Net 0 is random play, with the name "random".
 * The name is empty if there is no such net. */
static NetName net_name(const IndexedNet *nets, int count, int number, int visits) {
    NetName name = {"random"};
    if (!number) return name;
    *name.text = 0;
    for (int i = 0; i < count; i++) {
        if (nets[i].number == number)
            snprintf(name.text, sizeof name.text, "%s@%d", nets[i].file, visits);
    }
    return name;
}

typedef struct {
    int width, height;
    float komi;
    const char *source; /* the file or folder of the games */
} GameBoard;

/* Checks that all games are on boards of one size, since a rating on one board says nothing about
 * another board. Warns once if komi differs. */
static Status check_board(RatePool *pool, const GameBoard *board, Error *err) {
    if (!pool->width) {
        pool->width = board->width;
        pool->height = board->height;
        pool->komi = board->komi;
        snprintf(pool->board_source, sizeof pool->board_source, "%.95s", board->source);
    }
    if (board->width != pool->width || board->height != pool->height)
        return fail(
            err, ERR_ARGUMENT,
            "games on boards of different sizes cannot be on one scale: those of %.95s are on "
            "%dx%d, those of %.95s on %dx%d; rate them separately",
            pool->board_source, pool->width, pool->height, board->source, board->width,
            board->height);
    if (fabsf(board->komi - pool->komi) > 1e-3f && !pool->komi_warned) {
        pool->komi_warned = true;
        log_warning("games with different komi are on one scale: %g in %.95s, %g in %.95s; players "
                    "of the same name count as one player",
                    (double)pool->komi, pool->board_source, (double)board->komi, board->source);
    }
    return OK;
}

static Status check_board_of_run(RatePool *pool, const char *directory, const RunConfig *config,
                                 Error *err) {
    GameBoard board = {.komi = run_config_komi(config), .source = directory};
    Status status = selfplay_max_board_size(&config->selfplay, &board.width, err);
    board.height = board.width;
    return status ? status : check_board(pool, &board, err);
}

static Status add_run(RatePool *pool, const char *directory, const char *database, Error *err) {
    RunIndex *index;
    RunConfig config;
    IndexedNet *nets = NULL;
    EloGames *pairings = NULL;
    Path path;
    int net_count = 0, count = 0;
    AnchorName anchor = {""};
    Status status = path_join(&path, directory, "run.cfg", err);
    run_config_defaults(&config);
    if (!status && file_exists(path.text)) status = run_config_load(directory, &config, err);
    if (!status) status = run_index_open(database, &index, err);
    if (status) return status;
    status = run_index_nets(index, &nets, &net_count, err);
    if (!status) net_index_compare(directory, nets, net_count);
    if (!status) status = run_index_pairings(index, &pairings, &count, err);
    if (!status) status = run_index_anchor(index, &anchor, err);
    if (!status && count) status = check_board_of_run(pool, directory, &config, err);
    for (int i = 0; i < count && !status; i++) {
        const EloGames *p = &pairings[i];
        NetName first = net_name(nets, net_count, p->first, config.run.rate_visits),
                second = net_name(nets, net_count, p->second, config.run.rate_visits);
        const char *other = p->second == ANCHOR_NUMBER ? anchor.text : second.text;
        if (*first.text && *other)
            status = rate_pool_add(
                pool, &(NamedGames){first.text, other, p->wins, p->draws, p->losses}, err);
    }
    free(nets);
    free(pairings);
    run_index_close(index);
    return status;
}

static Status add_game(RatePool *pool, const char *path, int *added, Error *err) {
    SgfGame game;
    Error fault = {0};
    Status status = sgf_game_load(path, NULL, &game, &fault);
    if (status == ERR_MEMORY) return fail(err, status, "%s", fault.message);
    if (status) {
        log_warning("%s; the game is left out", fault.message);
        return OK;
    }
    Color winner = sgf_game_winner(&game);
    bool drawn = winner == COLOR_EMPTY && *game.result == '0';
    bool draw_by_name = strncmp(game.result, "Draw", 4) == 0;
    if (*game.black && *game.white && (winner != COLOR_EMPTY || drawn || draw_by_name)) {
        status =
            check_board(pool, &(GameBoard){game.width, game.height, game.rules.komi, path}, err);
        if (!status)
            status = rate_pool_add(pool,
                                   &(NamedGames){game.black, game.white, winner == COLOR_BLACK,
                                                 winner == COLOR_EMPTY, winner == COLOR_WHITE},
                                   err);
        (*added)++;
    }
    sgf_game_clear(&game);
    return status;
}

static Status add_games(RatePool *pool, const char *directory, Error *err) {
    Arena arena = {0};
    char **names;
    int count, added = 0;
    Status status = directory_list(directory, &arena, &names, &count, err);
    for (int i = 0; i < count && !status; i++) {
        Path path;
        if (!path_has_ending(names[i], ".sgf")) continue;
        status = path_join(&path, directory, names[i], err);
        if (!status) status = add_game(pool, path.text, &added, err);
    }
    arena_clear(&arena);
    if (!status && !added)
        status =
            fail(err, ERR_IO,
                 "%s: no run is there (it has no run.db), and no games with players and result "
                 "(*.sgf)",
                 directory);
    return status;
}

Status rate_pool_add_directory(RatePool *pool, const char *directory, Error *err) {
    Path database;
    Status status = path_join(&database, directory, "run.db", err);
    if (status) return status;
    return file_exists(database.text) ? add_run(pool, directory, database.text, err)
                                      : add_games(pool, directory, err);
}

/* Returns whether player i comes before player k in tables. The players of group 0, which has the
 * anchor or the fixed ratings, come before those of the other groups. In each group the better
 * player comes first. */
static bool comes_before(const EloFit *fit, int i, int k) {
    if (fit->group[i] != fit->group[k]) return fit->group[i] < fit->group[k];
    return fit->elo[i] > fit->elo[k];
}

/* Returns the players, best first, in an array that the caller frees. If there is no memory,
 * returns NULL, and strbuf_status() of `out` reports the failure. */
static int *sort_players(const EloFit *fit, StrBuf *out) {
    int *order;
    if (mem_new((size_t)fit->players + 1, sizeof *order, &order, NULL)) {
        out->failed = true;
        return NULL;
    }
    for (int i = 0; i < fit->players; i++) {
        int at = i;
        for (; at > 0 && comes_before(fit, i, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return order;
}

static void add_row(const RatePool *pool, const EloFit *fit, int i, StrBuf *out) {
    double games = 0, points = 0, draws = 0;
    for (int p = 0; p < pool->pairs; p++) {
        const EloGames *g = &pool->games[p];
        if (g->first != i && g->second != i) continue;
        games += g->wins + g->losses + g->draws;
        points += (g->first == i ? g->wins : g->losses) + g->draws / 2;
        draws += g->draws;
    }
    if (fit->group[i] == 0)
        strbuf_addf(out, "%-44.44s %+8.0f   +-%-5.0f", pool->names[i], fit->elo[i],
                    1.96 * elo_fit_deviation_anchor(fit, i));
    else
        strbuf_addf(out, "%-44.44s %8s  %7s ", pool->names[i], "-", "unknown");
    strbuf_addf(out, " %7.0f %6.1f%% %7.0f", games, games > 0 ? 100 * points / games : 0, draws);
}

void rate_pool_table(const RatePool *pool, const EloFit *fit, StrBuf *out) {
    int *order = sort_players(fit, out), unknown = 0;
    strbuf_addf(out, "%-44s %8s %8s %7s %7s %7s  %s\n", "player", "Elo", "95%", "games", "score",
                "draws", "better than the next");
    for (int k = 0; order && k < fit->players; k++) {
        int i = order[k];
        add_row(pool, fit, i, out);
        unknown += fit->group[i] != 0;
        if (k + 1 < fit->players && elo_fit_connects(fit, i, order[k + 1]))
            strbuf_addf(out, "  %.1f%%", 100 * elo_fit_superiority(fit, i, order[k + 1]));
        else if (k + 1 < fit->players)
            strbuf_add(out, "  -");
        strbuf_add(out, "\n");
    }
    if (unknown)
        strbuf_addf(out, "no games connect %d of these players with %s\n", unknown,
                    fit->anchor >= 0 ? pool->names[fit->anchor] : "the known ratings");
    if (fit->draw > 0)
        strbuf_addf(out, "a game of equals is drawn with probability %.1f%%\n",
                    100 * fit->draw / (2 + fit->draw));
    free(order);
}

void rate_pool_matrix(const RatePool *pool, const EloFit *fit, StrBuf *out) {
    int *order = sort_players(fit, out),
        shown = fit->players < MATRIX_MAX ? fit->players : MATRIX_MAX;
    if (!order) return;
    strbuf_add(out,
               "likelihood of superiority, %: the player of the row over that of the column\n    ");
    for (int k = 0; k < shown; k++)
        strbuf_addf(out, " %3d", k + 1);
    strbuf_add(out, "\n");
    for (int k = 0; k < shown; k++) {
        strbuf_addf(out, "%3d ", k + 1);
        for (int m = 0; m < shown; m++) {
            if (m == k || !elo_fit_connects(fit, order[k], order[m]))
                strbuf_add(out, m == k ? "   -" : "   ?");
            else
                strbuf_addf(out, " %3.0f", 100 * elo_fit_superiority(fit, order[k], order[m]));
        }
        strbuf_addf(out, "  %.40s\n", pool->names[order[k]]);
    }
    if (shown < fit->players)
        strbuf_addf(out, "(the best %d of %d players)\n", shown, fit->players);
    free(order);
}
