/* Tournaments: the games of a pairing depend only on its two players and the seed. Finished games
 * are not played again. A sequential test ends with the same games on any number of threads. */
#include <signal.h>

#include "base/scratch.h"
#include "play/match/match.h"
#include "play/match/opponents.h"
#include "play/match/tournament/tournament.h"

enum { PLAYERS = 4, GAMES = 6 };

static void make_players(PlayerSpec *players) {
    static const char *const SPECS[PLAYERS] = {
        "net=uniform,visits=8,name=a", "net=uniform,visits=3,name=b", "random", "name=z,random"};
    for (int i = 0; i < PLAYERS; i++)
        EXPECT_OK(player_parse(SPECS[i], &players[i], err));
}

static Rules rules_of_small_boards(void) {
    Rules rules = rules_tromp_taylor();
    rules.komi = 1.5f;
    return rules;
}

static TournamentSetup setup_of(const PlayerSpec *players, const TournamentPairing *pairings,
                                int count, int threads, const char *folder) {
    return (TournamentSetup){.players = players,
                             .player_count = PLAYERS,
                             .pairings = pairings,
                             .pairing_count = count,
                             .width = 3,
                             .height = 3,
                             .rules = rules_of_small_boards(),
                             .opening_moves = 1,
                             .threads = threads,
                             .seed = 3,
                             .out_directory = folder};
}

static char *file_text(const Scratch *scratch, const char *name, Arena *arena) {
    char *text;
    size_t length;
    EXPECT_OK(file_read(scratch_path(scratch, name).text, 1 << 16, arena, &text, &length, err));
    return text;
}

TEST(a_pairing_plays_the_same_whatever_else_is_played) {
    PlayerSpec players[PLAYERS];
    TournamentPairing *all;
    const TournamentPairing some[] = {{1, 2, GAMES}, {0, 1, GAMES}}, one[] = {{0, 2, GAMES}};
    MatchResult results[6], fewer[2], single;
    Arena arena = {0};
    char **names;
    int count, files;
    Scratch first = scratch_new(), second = scratch_new();
    make_players(players);
    EXPECT_OK(tournament_pairings(PLAYERS, 0, GAMES, &all, &count, err));
    EXPECT_INT(6, count);
    TournamentSetup setup = setup_of(players, all, count, 2, first.path),
                    less = setup_of(players, some, 2, 1, second.path),
                    alone = setup_of(players, one, 1, 1, second.path);
    EXPECT_OK(tournament_run(&setup, results, err));
    EXPECT_OK(tournament_run(&less, fewer, err));
    EXPECT_OK(tournament_run(&alone, &single, err));
    EXPECT_OK(directory_list(first.path, &arena, &names, &files, err));
    EXPECT_INT(6 * GAMES, files);
    EXPECT_OK(directory_list(second.path, &arena, &names, &files, err));
    EXPECT_INT(3 * GAMES, files);
    for (int i = 0; i < files; i++)
        EXPECT_TEXT(file_text(&first, names[i], &arena), file_text(&second, names[i], &arena));
    EXPECT_INT(results[0].wins[0], fewer[1].wins[0]); /* all[0] is 0 against 1 */
    for (int i = 0; i < count; i++) {
        int64_t pairs = 0;
        EXPECT_INT(GAMES, results[i].games);
        EXPECT_INT(GAMES / 2, results[i].games_as_black[0]);
        for (int k = 0; k < SPRT_OUTCOMES; k++)
            pairs += results[i].pairs[k];
        EXPECT_INT(GAMES / 2, pairs);
    }
    free(all);
    arena_clear(&arena);
    scratch_remove(&first);
    scratch_remove(&second);
}

TEST(finished_games_stay_and_missing_ones_come_back) {
    PlayerSpec players[PLAYERS];
    const TournamentPairing pairings[] = {{0, 1, GAMES}, {0, 2, GAMES}};
    MatchResult before[2], after[2];
    Arena arena = {0};
    char **names;
    int files;
    Scratch scratch = scratch_new();
    make_players(players);
    TournamentSetup setup = setup_of(players, pairings, 2, 1, scratch.path);
    EXPECT_OK(tournament_run(&setup, before, err));
    EXPECT_OK(directory_list(scratch.path, &arena, &names, &files, err));
    char *gone = file_text(&scratch, names[3], &arena);
    EXPECT_OK(file_remove(scratch_path(&scratch, names[3]).text, err));
    EXPECT_OK(tournament_run(&setup, after, err));
    EXPECT_TEXT(gone, file_text(&scratch, names[3], &arena));
    for (int i = 0; i < 2; i++) {
        EXPECT_INT(before[i].wins[0], after[i].wins[0]);
        EXPECT_INT(before[i].draws, after[i].draws);
    }
    EXPECT_TRUE(after[0].evaluations < before[0].evaluations);
    arena_clear(&arena);
    scratch_remove(&scratch);
}

/* Games of players with the same names but other settings are refused, whichever setting differs.
 * Games without a note of their settings are accepted. */
TEST(games_of_other_settings_are_refused) {
    static const char *const OTHERS[] = {"net=uniform,visits=9,name=a",
                                         "net=uniform,visits=8,precision=f32,name=a",
                                         "net=uniform,visits=8,search.c_puct=1.3,name=a"};
    PlayerSpec players[PLAYERS];
    const TournamentPairing pairing = {0, 1, 2}, more = {0, 1, 4};
    MatchResult result;
    Arena arena = {0};
    char **names;
    int files;
    Scratch scratch = scratch_new();
    make_players(players);
    TournamentSetup setup = setup_of(players, &pairing, 1, 1, scratch.path);
    EXPECT_OK(tournament_run(&setup, &result, err));
    for (int i = 0; i < 4; i++) {
        Error error = {0};
        make_players(players);
        if (i < 3) EXPECT_OK(player_parse(OTHERS[i], &players[0], err));
        setup.opening_moves = i < 3 ? 1 : 0;
        EXPECT_STATUS(ERR_ARGUMENT, tournament_run(&setup, &result, &error));
        EXPECT_CONTAINS(error.message, "other settings");
    }
    Error error = {0};
    make_players(players);
    setup.opening_moves = 1;
    setup.seed = 4;
    EXPECT_STATUS(ERR_ARGUMENT, tournament_run(&setup, &result, &error));
    EXPECT_CONTAINS(error.message, "another seed (seed 3, not 4)");
    setup.seed = 3; /* with the same settings more games may follow */
    setup.pairings = &more;
    EXPECT_OK(tournament_run(&setup, &result, err));
    EXPECT_INT(4, result.games);
    setup.seed = 4;
    EXPECT_OK(directory_list(scratch.path, &arena, &names, &files, err));
    for (int i = 0; i < files; i++) {
        char *text = file_text(&scratch, names[i], &arena), *at = strstr(text, "conditions");
        assert_non_null(at);
        memcpy(at, "silent    ", 10);
        EXPECT_OK(file_write(scratch_path(&scratch, names[i]).text, text, strlen(text), err));
    }
    EXPECT_OK(tournament_run(&setup, &result, err));
    EXPECT_INT(0, result.evaluations);
    arena_clear(&arena);
    scratch_remove(&scratch);
}

enum { OPENING = 12 }; /* length of ";B[aa];W[bb]" */

/* Returns the first two moves of a game, in `arena`. */
static const char *opening_of(const Scratch *scratch, const char *name, Arena *arena) {
    char *at = strstr(file_text(scratch, name, arena), ";B[");
    assert_non_null(at);
    at[OPENING] = 0;
    return at;
}

/* The two games of a pair have the same opening. Another pairing has other openings. */
TEST(each_pairing_has_openings_of_its_own) {
    PlayerSpec players[PLAYERS];
    const TournamentPairing pairings[] = {{0, 1, GAMES}, {0, 2, GAMES}};
    const char *openings[2 * GAMES];
    MatchResult results[2];
    Arena arena = {0};
    char **names;
    int files, alike = 0;
    Scratch scratch = scratch_new();
    make_players(players);
    TournamentSetup setup = setup_of(players, pairings, 2, 1, scratch.path);
    setup.width = setup.height = 5;
    setup.opening_moves = 2;
    EXPECT_OK(tournament_run(&setup, results, err));
    EXPECT_OK(directory_list(scratch.path, &arena, &names, &files, err));
    EXPECT_INT(2 * GAMES, files);
    for (int i = 0; i < files; i++)
        openings[i] = opening_of(&scratch, names[i], &arena);
    for (int i = 0; i < files; i += 2)
        EXPECT_TEXT(openings[i], openings[i + 1]);
    for (int i = 0; i < GAMES; i++)
        alike += strcmp(openings[i], openings[GAMES + i]) == 0;
    EXPECT_TRUE(alike < GAMES);
    arena_clear(&arena);
    scratch_remove(&scratch);
}

/* Earlier versions used one list of openings for all pairings, as a match does. Games of these
 * versions are refused if openings have random moves. Without random moves, the openings are the
 * same, and the games are read. */
TEST(games_of_openings_that_all_pairs_shared_are_refused) {
    PlayerSpec players[PLAYERS];
    const TournamentPairing pairing = {0, 1, 2};
    MatchResult result;
    for (int moves = 0; moves < 2; moves++) {
        Arena arena = {0};
        Error error = {0};
        char **names;
        int files;
        Scratch scratch = scratch_new(), before = scratch_new();
        make_players(players);
        TournamentSetup setup = setup_of(players, &pairing, 1, 1, before.path);
        setup.opening_moves = moves;
        setup.is_match = true;
        EXPECT_OK(tournament_run(&setup, &result, err));
        char *game = file_text(&before, "game-00000.sgf", &arena);
        setup.is_match = false;
        setup.out_directory = scratch.path;
        EXPECT_OK(tournament_run(&setup, &result, err));
        EXPECT_OK(directory_list(scratch.path, &arena, &names, &files, err));
        scratch_file(&scratch, names[0], game, strlen(game));
        EXPECT_STATUS(moves ? ERR_ARGUMENT : OK, tournament_run(&setup, &result, &error));
        if (moves) EXPECT_CONTAINS(error.message, "had the same openings");
        arena_clear(&arena);
        scratch_remove(&scratch);
        scratch_remove(&before);
    }
}

TEST(games_say_the_ranks_of_their_players) {
    static const char *const TEXTS[] = {"rank=5k,name=a,random", "name=b,rank=3d,random"};
    PlayerSpec players[PLAYERS], engine;
    const TournamentPairing pairing = {0, 1, 2};
    MatchResult result;
    Arena arena = {0};
    Scratch scratch = scratch_new();
    make_players(players);
    for (int i = 0; i < 2; i++)
        EXPECT_OK(player_parse(TEXTS[i], &players[i], err));
    TournamentSetup setup = setup_of(players, &pairing, 1, 1, scratch.path);
    setup.is_match = true;
    EXPECT_OK(tournament_run(&setup, &result, err));
    EXPECT_CONTAINS(file_text(&scratch, "game-00000.sgf", &arena), "BR[5k]WR[3d]");
    EXPECT_CONTAINS(file_text(&scratch, "game-00001.sgf", &arena), "BR[3d]WR[5k]");
    EXPECT_CONTAINS(file_text(&scratch, "game-00000.sgf", &arena), "PB[a]PW[b]");
    EXPECT_OK(player_parse("net=a.aji,rank=9p,visits=7", &engine, err));
    EXPECT_TEXT("9p", engine.rank);
    EXPECT_INT(7, engine.visits);
    Error error = {0};
    EXPECT_STATUS(ERR_ARGUMENT, player_parse("rank=strong,random", &engine, &error));
    EXPECT_CONTAINS(error.message, "\"strong\" is no rank");
    EXPECT_STATUS(ERR_ARGUMENT, player_parse("net=a.aji,rank=strong", &engine, &error));
    arena_clear(&arena);
    scratch_remove(&scratch);
}

/* With the threshold 1 every position counts as lost. A player then resigns as soon as it has
 * searched resign.turns times. */
TEST(engines_resign_by_the_settings) {
    ResignSettings resign = {.allow = true, .threshold = 1, .turns = 1};
    PlayerSpec players[PLAYERS];
    const TournamentPairing pairing = {0, 1, 2 * GAMES};
    MatchResult result;
    Scratch scratch = scratch_new();
    make_players(players);
    TournamentSetup setup = setup_of(players, &pairing, 1, 1, scratch.path);
    setup.resign = &resign;
    setup.rules.komi = 7.5f; /* with less komi White resigns later, as it does in handicap games */
    EXPECT_OK(tournament_run(&setup, &result, err));
    EXPECT_INT(2 * GAMES, result.games);
    EXPECT_NEAR(setup.opening_moves, result.mean_moves, 0);
    EXPECT_INT(2 * GAMES, result.wins_as_black[0] + result.wins_as_black[1]);
    resign.turns = 4; /* other settings than those of the finished games */
    Error error = {0};
    EXPECT_STATUS(ERR_ARGUMENT, tournament_run(&setup, &result, &error));
    setup.out_directory = NULL;
    EXPECT_OK(tournament_run(&setup, &result, err));
    EXPECT_NEAR(setup.opening_moves + 3, result.mean_moves, 0);
    resign.threshold = -1; /* no position counts as lost before the end */
    EXPECT_OK(tournament_run(&setup, &result, err));
    EXPECT_TRUE(result.mean_moves > setup.opening_moves + 3);
    scratch_remove(&scratch);
}

/* If the players resign immediately, on the empty board, there are two distinct games, one with
 * each assignment of colors. With one opening move there are two distinct games for each opening.
 * Games that are read back count like games that were played. */
TEST(distinct_games_are_counted) {
    const ResignSettings resign = {.allow = true, .threshold = 1, .turns = 1};
    PlayerSpec players[PLAYERS];
    const TournamentPairing empty = {0, 1, 2 * GAMES}, openings = {0, 1, 64};
    MatchResult result;
    Scratch scratch = scratch_new();
    make_players(players);
    TournamentSetup setup = setup_of(players, &empty, 1, 1, scratch.path);
    setup.resign = &resign;
    setup.rules.komi = 7.5f;
    setup.opening_moves = 0;
    for (int start = 0; start < 2; start++) {
        EXPECT_OK(tournament_run(&setup, &result, err));
        EXPECT_INT(2 * GAMES, result.games);
        EXPECT_INT(2, result.distinct);
    }
    EXPECT_INT(0, result.evaluations);
    setup.out_directory = NULL;
    setup.opening_moves = 1;
    setup.pairings = &openings; /* 32 openings, at one of nine points each */
    EXPECT_OK(tournament_run(&setup, &result, err));
    EXPECT_INT(2 * 9, result.distinct);
    scratch_remove(&scratch);
}

/* The sequential test looks at the pairs of games in their order. */
TEST(a_test_ends_a_match_with_the_same_games_on_any_threads) {
    const SprtSettings sprt = {0, 60, 0.05, 0.05};
    MatchSetup setup = {.games = 600,
                        .width = 4,
                        .height = 4,
                        .rules = rules_of_small_boards(),
                        .opening_moves = 1,
                        .seed = 5,
                        .sprt = &sprt};
    MatchResult results[2], all;
    EXPECT_OK(player_parse("random", &setup.players[0], err)); /* the stronger player here */
    EXPECT_OK(player_parse("net=uniform,visits=4", &setup.players[1], err));
    for (int i = 0; i < 2; i++) {
        setup.threads = 1 + 2 * i;
        EXPECT_OK(match_run(&setup, &results[i], err));
        EXPECT_INT(SPRT_ACCEPTS_1, results[i].sprt.state);
        EXPECT_TRUE(results[i].games < 600 && results[i].games % 2 == 0);
    }
    EXPECT_INT(results[0].games, results[1].games);
    EXPECT_NEAR(results[0].sprt.ratio, results[1].sprt.ratio, 0);
    /* The same number of games without a test has the same result. One pair fewer decides
     * nothing. */
    setup.sprt = NULL;
    setup.games = results[0].games;
    EXPECT_OK(match_run(&setup, &all, err));
    EXPECT_INT(all.wins[0], results[0].wins[0]);
    setup.sprt = &sprt;
    setup.games -= 2;
    EXPECT_OK(match_run(&setup, &all, err));
    EXPECT_INT(SPRT_GOES_ON, all.sprt.state);
    EXPECT_INT(setup.games, all.games);
}

/* A match whose score decides ends with the same games on any number of threads. The decision is
 * that of all games. It is not made before the games that are left can no longer change it. */
TEST(a_match_ends_when_its_score_is_certain) {
    MatchSetup setup = {.games = 61, /* with an odd number, the last game has no partner */
                        .width = 4,
                        .height = 4,
                        .rules = rules_of_small_boards(),
                        .opening_moves = 1,
                        .threads = 1,
                        .seed = 5};
    MatchResult all, result;
    EXPECT_OK(player_parse("random", &setup.players[0], err));
    EXPECT_OK(player_parse("net=uniform,visits=4", &setup.players[1], err));
    EXPECT_OK(match_run(&setup, &all, err));
    EXPECT_INT(61, all.games);
    double score = match_score(&all);
    const double thresholds[] = {score / 2, score, score + 1e-9, (1 + score) / 2};
    for (int i = 0; i < 4; i++) {
        int games = 0;
        for (setup.threads = 1; setup.threads <= 3; setup.threads += 2) {
            setup.pass_score = thresholds[i];
            EXPECT_OK(match_run(&setup, &result, err));
            EXPECT_TRUE(setup.threads == 1 || games == result.games);
            games = result.games;
        }
        EXPECT_INT(score >= thresholds[i], match_score(&result) >= thresholds[i]);
        EXPECT_TRUE(games < 61 || i == 1 || i == 2);
        double points = result.wins[0] + 0.5 * result.draws, left = 61 - games;
        if (left > 0)
            EXPECT_TRUE(points / 61 >= thresholds[i] || (points + left) / 61 < thresholds[i]);
        /* One pair fewer does not decide. */
        setup.games = games - games % 2 - 2;
        setup.pass_score = 0;
        EXPECT_OK(match_run(&setup, &result, err));
        points = result.wins[0] + 0.5 * result.draws, left = 61 - setup.games;
        EXPECT_TRUE(points / 61 < thresholds[i] && (points + left) / 61 >= thresholds[i]);
        setup.games = 61;
    }
}

/* A GTP program that answers "play" with the text `play`, and always passes. */
#define PROGRAM(name, play)                                                                        \
    "name=" name                                                                                   \
    ",gtp:while read -r line; do case $line in genmove*) printf '= pass\\n\\n' ;; play*) "         \
    "printf '" play "\\n\\n' ;; *) printf '= \\n\\n' ;; esac; done"

static void read_players(const char *const *specs, int count, PlayerSpec *players) {
    for (int i = 0; i < count; i++)
        EXPECT_OK(player_parse(specs[i], &players[i], err));
}

static void keep_standing(void *context, const MatchStanding *standing) {
    *(MatchStanding *)context = *standing;
}

/* If a program refuses a move, the game is over, and no player gets points. */
TEST(void_games_are_no_points) {
    static const char *const SPECS[] = {"random", PROGRAM("stubborn", "? not by my rules"),
                                        PROGRAM("docile", "=")};
    PlayerSpec players[3];
    const TournamentPairing pairings[] = {{0, 1, 4}, {0, 2, 4}};
    MatchResult results[2];
    Scratch scratch = scratch_new();
    read_players(SPECS, 3, players);
    TournamentSetup setup = setup_of(players, pairings, 1, 1, scratch.path);
    MatchStanding standing;
    setup.player_count = 3;
    setup.on_game = keep_standing;
    setup.context = &standing;
    EXPECT_OK(tournament_run(&setup, results, err));
    EXPECT_INT(4, standing.done);
    EXPECT_INT(0, standing.counted);
    EXPECT_NEAR(0, standing.points, 0);
    EXPECT_TEXT("-", match_score_text(&standing).text);
    setup.pairing_count = 2; /* the games of the first pairing are read from their files */
    EXPECT_OK(tournament_run(&setup, results, err));
    EXPECT_INT(4, results[0].unfinished);
    EXPECT_INT(8, standing.done);
    EXPECT_INT(4, standing.counted);
    EXPECT_NEAR(results[1].wins[0] + 0.5 * results[1].draws, standing.points, 0);
    EXPECT_TEXT("75.0%", match_score_text(&(MatchStanding){9, 4, 3}).text);
    scratch_remove(&scratch);
}

/* If one of two threads fails, the other stops, and the error of the first is returned. */
TEST(a_failure_stops_all_threads_and_is_returned) {
    signal(SIGPIPE, SIG_IGN); /* as aji does */
    static const char *const SPECS[] = {"random", PROGRAM("docile", "="), "name=dumb,gtp:exit 3"};
    enum { MANY = 2000 };
    PlayerSpec players[3];
    const TournamentPairing pairings[] = {{0, 1, MANY}, {0, 2, 1}};
    MatchResult results[2];
    Error error = {0};
    read_players(SPECS, 3, players);
    TournamentSetup setup = setup_of(players, pairings, 2, 2, NULL);
    setup.player_count = 3;
    EXPECT_STATUS(ERR_IO, tournament_run(&setup, results, &error));
    EXPECT_CONTAINS(error.message, "dumb");
    EXPECT_CONTAINS(error.message, "code 3");
    EXPECT_TRUE(results[0].games < MANY);
    EXPECT_INT(0, results[1].games);
}

TEST(nothing_to_play_is_done_at_once) {
    PlayerSpec players[PLAYERS];
    make_players(players);
    TournamentSetup setup = setup_of(players, NULL, 0, 1, NULL);
    EXPECT_OK(tournament_run(&setup, NULL, err));
}

TEST(what_cannot_be_played_is_refused) {
    PlayerSpec players[PLAYERS];
    MatchResult results[2];
    const SprtSettings sprt = {0, 10, 0.05, 0.05};
    const TournamentPairing self[] = {{0, 0, 2}}, far[] = {{0, 4, 2}},
                            two[] = {{0, 1, 2}, {0, 2, 2}};
    make_players(players);
    TournamentSetup setup = setup_of(players, self, 1, 1, NULL);
    EXPECT_STATUS(ERR_ARGUMENT, tournament_run(&setup, results, NULL));
    setup.pairings = far;
    EXPECT_STATUS(ERR_ARGUMENT, tournament_run(&setup, results, NULL));
    setup.pairings = two;
    setup.pairing_count = 2;
    setup.sprt = &sprt;
    EXPECT_STATUS(ERR_ARGUMENT, tournament_run(&setup, results, NULL));
    setup.sprt = NULL;
    setup.is_match = true;
    EXPECT_STATUS(ERR_ARGUMENT, tournament_run(&setup, results, NULL));
    setup.is_match = false;
    snprintf(players[2].name, sizeof players[2].name, "a");
    EXPECT_STATUS(ERR_ARGUMENT, tournament_run(&setup, results, NULL));
    make_players(players);
    /* The caller has not replaced the level by a strength. */
    snprintf(players[1].level, sizeof players[1].level, "9k");
    EXPECT_STATUS(ERR_ARGUMENT, tournament_run(&setup, results, NULL));
}

TEST(pairs_of_players) {
    TournamentPairing *pairings;
    int count;
    EXPECT_OK(tournament_pairings(4, 1, 7, &pairings, &count, err));
    EXPECT_INT(3, count);
    for (int i = 0; i < count; i++) {
        EXPECT_INT(0, pairings[i].first);
        EXPECT_INT(i + 1, pairings[i].second);
        EXPECT_INT(7, pairings[i].games);
    }
    free(pairings);
    EXPECT_OK(tournament_pairings(3, 0, 2, &pairings, &count, err));
    EXPECT_INT(3, count); /* 0-1, 0-2, 1-2: a fourth player would add only pairings of its own */
    EXPECT_INT(1, pairings[0].second);
    EXPECT_INT(2, pairings[1].second);
    free(pairings);
}

TEST(ladders) {
    static const char TEXT[] = "ladder.size = 5\nladder.komi = 24 # fair\n\n[weak]\nplayer.spec = "
                               "random\nplayer.elo = -100\n[strong]\nplayer.spec = \"gtp:gnugo "
                               "--level 10\"\n",
                      BAD[] = "[weak]\nplayer.spec = random\n\n[odd]\nplayer.elo = 3\n",
                      NONE[] = "ladder.size = 5\n",
                      KOMI[] = "ladder.komi = 7.3\n[weak]\nplayer.spec = random\n";
    Scratch scratch = scratch_new();
    Ladder ladder;
    Error error = {0};
    EXPECT_OK(
        ladder_load(scratch_file(&scratch, "good", TEXT, sizeof TEXT - 1).text, &ladder, err));
    EXPECT_INT(2, ladder.count);
    EXPECT_INT(5, ladder.settings.size);
    EXPECT_NEAR(24, ladder.rules.komi, 0);
    EXPECT_TEXT("weak", ladder.players[0].name);
    EXPECT_INT(PLAYER_RANDOM, ladder.players[0].kind);
    EXPECT_NEAR(-100, ladder.elo[0], 0);
    EXPECT_TEXT("gnugo --level 10", ladder.players[1].command);
    EXPECT_FALSE(isfinite(ladder.elo[1]));
    ladder_clear(&ladder);
    EXPECT_STATUS(ERR_ARGUMENT, ladder_load(scratch_file(&scratch, "bad", BAD, sizeof BAD - 1).text,
                                            &ladder, &error));
    EXPECT_CONTAINS(error.message, "bad:4: [odd]");
    EXPECT_STATUS(
        ERR_ARGUMENT,
        ladder_load(scratch_file(&scratch, "komi", KOMI, sizeof KOMI - 1).text, &ladder, &error));
    EXPECT_CONTAINS(error.message, "komi: ladder.komi is 7.3");
    EXPECT_INT(0, ladder.count);
    EXPECT_STATUS(
        ERR_SYNTAX,
        ladder_load(scratch_file(&scratch, "none", NONE, sizeof NONE - 1).text, &ladder, NULL));
    scratch_remove(&scratch);
}

TEST_MAIN(RUN(a_pairing_plays_the_same_whatever_else_is_played),
          RUN(finished_games_stay_and_missing_ones_come_back),
          RUN(games_of_other_settings_are_refused), RUN(each_pairing_has_openings_of_its_own),
          RUN(games_of_openings_that_all_pairs_shared_are_refused),
          RUN(games_say_the_ranks_of_their_players), RUN(engines_resign_by_the_settings),
          RUN(distinct_games_are_counted),
          RUN(a_test_ends_a_match_with_the_same_games_on_any_threads),
          RUN(a_match_ends_when_its_score_is_certain), RUN(void_games_are_no_points),
          RUN(a_failure_stops_all_threads_and_is_returned), RUN(nothing_to_play_is_done_at_once),
          RUN(what_cannot_be_played_is_refused), RUN(pairs_of_players), RUN(ladders))
